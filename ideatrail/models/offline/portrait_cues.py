"""Habits of research that abstracts give away by their wording, each with its cue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from ideatrail.trail.text import sentences

Part = Literal["domain", "approach", "novelty", "evidence", "patterns"]


@dataclass(frozen=True)
class Habit:
    """One habit: how it is said, and by which wording it is known."""

    key: str
    part: Part
    says: str
    """What the portrait says, in the third person without a subject."""
    when: str
    """The same as a condition: `When …`."""
    cue: str
    negated: bool = False
    """Whether the cue itself is a denial, so that a denial before it does not undo it."""
    within: int = 1_000
    """Sentences from the beginning in which the cue counts."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled cue."""
        return re.compile(self.cue, re.IGNORECASE)

    def seen_in(self, text: str) -> str | None:
        """The first sentence of `text` that shows the habit, verbatim, or None."""
        for sentence in sentences(text)[: self.within]:
            match = self.pattern.search(sentence)
            if match and (self.negated or not _DENIED.search(sentence, 0, match.start())):
                return sentence
        return None


_DENIED: Final = re.compile(
    r"\b(?:no|not|never|without|neither|nor|nothing|unclear|untested|lacks?|absent|missing|rather"
    r" than|instead of|n't|cannot|whether)\b[^,;:]*$",
    re.IGNORECASE,
)
_MANY: Final = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|twelve|several|multiple|many|\d{1,3})"
)
_MAKE: Final = (
    r"(?:present|introduc|releas|collect|construct|creat|build|built|compil|annotat|provid|"
    r"contribut|curat|propos)\w*"
)
_DATA: Final = (
    r"(?:corpus|corpora|data ?sets?|treebanks?|benchmarks?|resources?|lexicons?|annotations?|"
    r"test suites?|test sets?|collections?)"
)
_OLD: Final = (
    r"(?:existing|previous|prior|current|most|earlier|conventional|traditional|standard|recent)"
)


def _habit(
    key: str,
    part: Part,
    says: str,
    when: str,
    *cues: str,
    negated: bool = False,
    within: int = 1_000,
) -> Habit:
    return Habit(key, part, says, when, "|".join(f"(?:{c})" for c in cues), negated, within)


HABITS: Final[tuple[Habit, ...]] = (
    _habit(
        "method", "approach",
        "Works by making a method or model of their own",
        "a method is made",
        r"\b(?:we|this (?:paper|work|study)|our (?:paper|work)|the paper) (?:also |then |"
        r"therefore |"
        r"first )?(?:propos|present|introduc|develop|describ|devis|"
        r"design)\w*[^.]{0,60}\b(?:methods?|"
        r"models?|approach(?:es)?|algorithms?|frameworks?|architectures?|techniques?|objectives?|"
        r"mechanisms?|systems?|parsers?|procedures?|strateg\w+|network)\b",
        r"\b(?:method|model|algorithm|procedure|system) is (?:proposed|introduced|trained|built)\b",
    ),
    _habit(
        "resource", "approach",
        "Builds resources for others to use: data, annotation, test sets",
        "a resource is built",
        rf"\b{_MAKE}[^.,;]{{0,60}}\b{_DATA}\b",
        r"\bannotation (?:scheme|guideline|project)s?\b",
    ),
    _habit(
        "analysis", "approach",
        "Takes existing models apart to see what they do",
        "existing models are taken apart",
        r"\b(?:we|this (?:paper|work|study)) (?:also |then |further )?(?:analy[sz]|investigat|"
        r"examin|prob|dissect|diagnos|inspect|scrutini[sz])\w*",
        r"\bprob(?:e|es|ing) (?:tasks?|classifiers?|experiments?|whether)\b|\bwhat [\w ]{2,30} "
        r"learn\b",
    ),
    _habit(
        "comparison", "approach",
        "Compares many systems or settings under equal conditions",
        "systems are compared",
        r"\b(?:systematic(?:ally)?|comprehensive(?:ly)?|large-scale|extensive(?:ly)?|"
        r"empirical(?:ly)?)"
        r" (?:\w+ )?(?:compar|evaluat|stud|survey|investigat|assess)\w*",
        r"\bwe compare\b|\bcomparative (?:stud|evaluation|analys)\w*",
    ),
    _habit(
        "pretraining", "approach",
        "Starts from large pre-trained models and adapts them",
        "a pre-trained model is adapted",
        r"\bpre-?train(?:ed|ing)?\b|\bfine-?tun\w+|\badapters?\b",
    ),
    _habit(
        "transfer", "approach",
        "Moves knowledge across languages, tasks or domains",
        "knowledge is moved across languages or domains",
        r"\b(?:cross-?lingual|multilingual|transfer learning|transfer(?:s|red|ring)? (?:from|to|"
        r"across)|domain adaptation|zero-shot|multi-?task)\b",
    ),
    _habit(
        "little", "approach",
        "Makes do with few or no labels: weak, distant or self-supervision",
        "labels are few",
        r"\b(?:un|semi-?|weakly[ -]|distantly[ -]|self-?)supervised\b|\b(?:weak|distant) "
        r"supervision\b"
        r"|\bself-training\b|\bfew-shot\b|\blow-resource\b|\bbootstrapp\w+",
    ),
    _habit(
        "synthetic", "approach",
        "Makes training data by machine: augmentation, paraphrase, translation back",
        "training data are made by machine",
        r"\bdata augmentation\b|\baugment\w* (?:the )?(?:training )?data\b|\bsynthetic (?:data|"
        r"examples|corp)\w*|\bback-?translat\w+|\bautomatically (?:generat|construct|creat)\w+",
    ),
    _habit(
        "structure", "approach",
        "Builds structure into models: trees, graphs, grammars, latent variables",
        "structure is built into a model",
        r"\b(?:syntactic|dependency|constituency|discourse|semantic) (?:structure|tree|graph|"
        r"pars)\w*"
        r"|\bgraph (?:neural|convolution|attention|structur)\w*|\b(?:grammars?|latent variables?|"
        r"structured (?:prediction|inference)|trees?)\b",
    ),
    _habit(
        "probability", "approach",
        "Thinks in probabilistic models and their inference",
        "a probabilistic model is used",
        r"\b(?:bayesian|probabilistic|generative model|variational|posterior|likelihood|markov|"
        r"information[ -]theor\w+|mutual information|entropy)\b",
    ),
    _habit(
        "objective", "approach",
        "Changes how models are trained more than what they are: rewards, contrasts, adversaries",
        "the training objective is changed",
        r"\breinforcement learning\b|\bcontrastive\b|\badversarial(?:ly)? train\w*|\brewards?\b|"
        r"\b(?:training|learning) (?:objective|signal|criterion)|\bloss function|\bcurriculum\b|"
        r"\bregulari[sz]\w+",
    ),
    _habit(
        "decoding", "approach",
        "Intervenes when a model decodes or is prompted, without training it again",
        "decoding or prompting is changed",
        r"\bdecod(?:ing|er-side)\b|\bbeam search\b|\breranking\b|\binference[ -]time\b|"
        r"\bprompt\w*\b|"
        r"\bin-context\b|\bchain-of-thought\b",
    ),
    _habit(
        "retrieval", "approach",
        "Brings in knowledge from outside a model: retrieval, knowledge bases",
        "outside knowledge is brought in",
        r"\bretriev\w+|\bknowledge (?:bases?|graphs?)\b|\bexternal (?:knowledge|memory|"
        r"resources?)\b"
        r"|\bcommonsense knowledge\b|\bgrounded in\b",
    ),
    _habit(
        "linguistics", "approach",
        "Starts from linguistic theory or description",
        "linguistic theory is the start",
        r"\blinguistic(?:s|ally)? (?:theor|typolog|phenomen|insight|analys|knowledge|feature)\w*|"
        r"\btypolog\w+|\bmorpholog\w+|\bpsycholinguist\w*|\bcognitive\w*|\bphonolog\w+|"
        r"\bpragmatics?\b",
    ),
    _habit(
        "tool", "approach",
        "Turns research into running systems: toolkits, demonstrators, shared-task entries",
        "a running system is built",
        r"\btoolkits?\b|\bopen[- ]source (?:\w+ )?(?:tool|librar|framework|system|"
        r"implementation)\w*"
        r"|\bshared task\b|\b(?:demo|demonstrat)\w* (?:system|paper)|\bweb (?:interface|"
        r"application)\b"
        r"|\bour submissions?\b",
    ),
    _habit(
        "people", "approach",
        "Brings people into the work: crowds, experts, learners, users",
        "people take part",
        r"\bcrowd-?(?:sourc|work)\w*|\buser stud\w+|\bhuman[- ]in[- ]the[- ]loop\b|\b(?:domain )?"
        r"experts?\b|\binteractive(?:ly)?\b|\blearners?\b|\bpractitioners?\b|\bparticipants?\b",
    ),
    _habit(
        "first", "novelty",
        "Claims to be first with something",
        "a first is claimed",
        r"\b(?:the|our|a) first (?:[\w-]+ ){0,3}(?:to|attempt|work|study|data ?set|corpus|"
        r"benchmark|"
        r"model|system|method|approach|results?|large|publicly|that)\b|\bfor the first time\b",
    ),
    _habit(
        "gap", "novelty",
        "Looks for what has been left aside and fills the gap",
        "a gap is named",
        r"\blittle (?:attention|work|research|is known|understanding)\b|\bunder-?(?:explored|"
        r"studied|"
        r"researched|investigated)\b|\b(?:overlooked|neglected|unexplored|understudied)\b|"
        r"\b(?:has|have) (?:not|rarely|seldom|never) been\b|\bremains? (?:unclear|unknown|an open|"
        r"largely|challenging|poorly)\b|\b(?:few|no) (?:studies|works?|efforts?)\b",
        negated=True,
    ),
    _habit(
        "doubt", "novelty",
        "Finds novelty in doubting what is taken for granted",
        "a common belief is doubted",
        r"\bcontrary to\b|\bchalleng(?:e|es|ing) (?:the|this|a|some|common)\b|"
        r"\bsurprising(?:ly)?\b|"
        r"\b(?:revisit|reassess|rethink|re-?examin|reconsider|re-?evaluat)\w*|\bquestion(?:s|ed|"
        r"ing)?"
        r" (?:the|whether|this)\b|\bcommon(?:ly held)? (?:assumption|belief|wisdom)|\bcaution\b|"
        r"\bspurious\b|\bartifacts\b|\boverestimat\w+|\bmisleading\b",
    ),
    _habit(
        "limits", "novelty",
        "Sets out from what earlier methods cannot do",
        "the limits of earlier methods come first",
        rf"\b{_OLD} (?:\w+ ){{0,4}}(?:work|methods?|approach(?:es)?|models?|systems?|studies|"
        rf"research|"
        r"techniques?|datasets?|benchmarks?|metrics?)\b[^.]{0,90}\b(?:fail|ignor|limit|rel(?:y|"
        r"ies)|"
        r"requir|focus|suffer|only|struggl|cannot|can not|lack|neglect|assum|overlook|restrict|"
        r"insufficien|do not|does not|expensive|difficult)\w*",
        negated=True,
    ),
    _habit(
        "simple", "novelty",
        "Prefers a simple change that does the job",
        "the idea is a simple one",
        r"\bsimple (?:yet|but|and|\w+ (?:method|model|approach|baseline|technique))\b|\bsimple "
        r"(?:method|model|approach|baseline|technique|strategy|modification|architecture|way)s?\b|"
        r"\bstraightforward\b|\blightweight\b|\bminimal(?:ly|ist)? (?:super|chang|mod)\w*|"
        r"\beas(?:y|ily)"
        r" to implement\b",
    ),
    _habit(
        "recast", "novelty",
        "Sees one problem as another and brings its tools over",
        "a problem is recast as another",
        r"\b(?:re-?)?(?:cast|formulat|fram|treat|view|model|pose|conceptuali[sz])\w*"
        r"[^.,;]{0,50}\bas (?:an?|the)\b[^.,;]{0,40}\b(?:problem|task|process|game|search|"
        r"classification|generation|inference|labeling|matching|translation|prediction|"
        r"optimi[sz]ation"
        r"|learning|regression|retrieval|answering)\b",
    ),
    _habit(
        "combine", "novelty",
        "Brings together lines of work that were apart",
        "lines of work are brought together",
        r"\bunif(?:y|ied|ies|ying)\b|\bcombin(?:e|es|ing|ation of)\b|\bbridg(?:e|es|ing)\b|"
        r"\bjoint(?:ly)?"
        r" (?:model|learn|train|perform|predict|infer)\w*|\bhybrid\b|\bintegrat(?:e|es|ing)\b",
    ),
    _habit(
        "task", "novelty",
        "Opens new tasks or settings instead of scoring on old ones",
        "a new task is opened",
        r"\b(?:new|novel) (?:\w+ ){0,2}(?:tasks?|problems?|settings?|challenges?|paradigms?|"
        r"scenarios?|evaluation|research directions?)\b|\b(?:introduce|propose|define|present)\w* "
        r"the "
        r"(?:task|problem) of\b",
    ),
    _habit(
        "explain", "novelty",
        "Wants to know why something works, not only that it does",
        "an explanation is sought",
        r"\b(?:understand|explain|explor|investigat|stud|ask)\w* (?:how|why|what|to what extent|"
        r"whether)\b|\bshed\w* light\b|\breasons? (?:for|why|behind)\b|\binterpretab\w+",
    ),
    _habit(
        "wider", "novelty",
        "Carries what is known over to neglected languages, genres or groups",
        "neglected languages or genres are taken up",
        r"\b(?:low|under)-?(?:er)?[ -]?resourced?\b|\bunder-?represented\b|\bendangered\b|"
        r"\bdialects?\b|"
        r"\bindigenous\b|\bnon-english\b|\bhistorical (?:texts?|language|documents?)\b|"
        r"\bminority\b|"
        r"\blanguages? (?:other than|beyond) english\b",
    ),
    _habit(
        "datasets", "evidence",
        "Tests on several data sets or tasks before a claim is made",
        "several data sets are used",
        rf"\b{_MANY} (?:[\w-]+ ){{0,4}}(?:data ?sets|benchmarks|corpora|test sets|tasks|domains|"
        r"testbeds|treebanks|genres)\b|\b(?:across|range of|variety of|diverse) (?:[\w-]+ ){0,3}"
        r"(?:tasks|data ?sets|domains|benchmarks)\b",
    ),
    _habit(
        "languages", "evidence",
        "Wants results in more than one language",
        "several languages are tested",
        rf"\b{_MANY} (?:[\w-]+ ){{0,3}}(?:languages|language pairs|translation directions)\b|"
        r"\b(?:across|typologically \w+|diverse) (?:\w+ ){0,2}languages\b",
    ),
    _habit(
        "human", "evidence",
        "Lets people judge: human evaluation, ratings, agreement among annotators",
        "people judge the results",
        r"\bhuman[- ](?:evaluat|judg|rat|assess|stud|subject|preference|correlation)\w*|\bmanual "
        r"evaluation\b|\b(?:inter-?)?annotator agreement\b|\braters?\b|\bjudged by\b|\bhuman "
        r"annotators?\b",
    ),
    _habit(
        "ablation", "evidence",
        "Takes components away to see which of them matter",
        "components are taken away",
        r"\bablat\w+|\bcontribution of each\b|\beach component\b|\bdisentangl\w+|\beffects? of "
        r"(?:each|"
        r"different|various)\b",
    ),
    _habit(
        "beats", "evidence",
        "Measures against strong baselines and says by how much they are beaten",
        "baselines are beaten",
        r"\bstate[- ]of[- ]the[- ]art\b|\boutperform\w*|\bsurpass\w*|\bstrong(?:er)? baselines?\b|"
        r"\bimprov\w+ (?:over|upon)\b|\bcompetitive (?:with|results|performance)\b",
    ),
    _habit(
        "numbers", "evidence",
        "Puts effect sizes in figures into the abstract",
        "effects are given in figures",
        r"\b\d+(?:\.\d+)? ?(?:%|percent\b|(?:absolute |bleu |f1 |percentage )?points?\b|bleu\b|"
        r"f1\b)|"
        r"\b(?:accuracy|f1|f-score|bleu|precision|recall|perplexity)(?: score)? of \d",
    ),
    _habit(
        "errors", "evidence",
        "Reads the errors: qualitative analysis beside the scores",
        "errors are read",
        r"\berror (?:analys[ie]s|categor\w+|types?|typolog\w+)\b|\bqualitative(?:ly)?\b|\bcase "
        r"stud\w+|"
        r"\bmanual(?:ly)? (?:analys|analyz|inspect|examin)\w*|\b(?:in-depth|detailed|fine-grained|"
        r"thorough) (?:error )?analys[ie]s\b",
    ),
    _habit(
        "statistics", "evidence",
        "Argues with statistics: correlations, significance, effect sizes",
        "statistics carry the argument",
        r"\bstatistical(?:ly)? (?:signific|test|analys|power)\w*|\bsignificance test\w*|"
        r"\bconfidence "
        r"intervals?\b|\beffect sizes?\b|\bcorrelat(?:e|es|ed|ion|ions)\b|\bregression (?:analys|"
        r"model)\w*",
    ),
    _habit(
        "theory", "evidence",
        "Backs claims by formal argument",
        "a formal argument is made",
        r"\btheoretical(?:ly)? (?:\w+ )?(?:analys|guarant|ground|result|justif|motivat|framework|"
        r"properties|insight|understanding|bound)\w*|\bwe (?:formally )?(?:prove|derive|"
        r"formali[sz]e)\b|"
        r"\bproofs?\b|\bupper bounds?\b|\bexpressiv\w+|\btime complexity\b",
    ),
    _habit(
        "release", "evidence",
        "Gives code or data away so that results can be checked",
        "code or data are given away",
        r"\b(?:publicly|freely|openly) available\b|\bopen[- ]sourc\w+|\b(?:release|make|"
        r"publish)\w* "
        r"(?:\w+ ){0,2}(?:code|data|models?|corpus|annotations?|implementation)\b|\b(?:code|data "
        r"?sets?|"
        r"data|models?|resources?|corpus|corpora)\b[^.]{0,40}\b(?:is|are|will be) (?:made |"
        r"publicly |freely"
        r" )*(?:available|released)\b|\bgithub\b",
    ),
    _habit(
        "robust", "evidence",
        "Tests where models break: shifts, attacks, hard cases made for it",
        "models are tested where they break",
        r"\badversarial (?:example|attack|evaluat|data|perturb|set|test|input)\w*|"
        r"\bout-of-(?:domain|"
        r"distribution)\b|\b(?:challenge|contrast|stress|diagnostic) (?:sets?|tests?|suites?)\b|"
        r"\brobust(?:ness)?\b|\bunseen (?:\w+ )?(?:domains?|languages?|tasks?|examples?|data|"
        r"words?|"
        r"relations?|classes|entities)\b|\bdistribution(?:al)? shifts?\b",
    ),
    _habit(
        "efficient", "evidence",
        "Counts cost beside quality: speed, memory, parameters, data",
        "cost is counted",
        r"\b(?:faster|speed-?ups?|speeds? up|latency|memory (?:usage|footprint|consumption)|fewer "
        r"parameters|computational(?:ly)? (?:cost|efficien|expens)\w*|parameter[- ]efficien\w*|"
        r"data[- ]"
        r"efficien\w*|training time|sample[- ]efficien\w*)\b",
    ),
    _habit(
        "controlled", "evidence",
        "Prefers controlled experiments: minimal pairs, artificial data, one factor at a time",
        "an experiment is controlled",
        r"\bcontroll(?:ed|ing) (?:experiments?|stud|test|setting|for|comparison)\w*|\bartificial "
        r"(?:data|language|task)\w*|\bminimal pairs?\b|\bcontrol tasks?\b|\bcounterfactual\w*|"
        r"\bcausal (?:effect|analys|inference|intervention|mediation)\w*",
    ),
    _habit(
        "downstream", "evidence",
        "Asks what a gain is worth in use, in a task downstream",
        "use in a task downstream is tested",
        r"\bdownstream\b|\bextrinsic(?:ally)?\b|\breal-world (?:\w+ )?(?:application|use|setting|"
        r"data|"
        r"scenario|task)s?\b|\bpractical (?:use|application)s?\b|\bend tasks?\b",
    ),
    _habit(
        "negative", "evidence",
        "Reports what did not work",
        "a negative result is reported",
        r"\b(?:do|does|did) not (?:always |necessarily |significantly )?(?:help|improve|benefit|"
        r"transfer|generali[sz]e|lead|correlate|hold)\b|\bno (?:significant |clear |consistent )?"
        r"(?:improvement|gain|benefit|effect|evidence|correlation)s?\b|\bnegative results?\b|"
        r"\bfail(?:s|ed)?"
        r" to (?:improve|generali[sz]e|capture|transfer)\b",
        negated=True,
    ),
    _habit(
        "turn", "patterns",
        "Opens with what goes wrong in present practice before saying what is done about it",
        "the abstract opens with a complaint",
        r"^(?:however|but|yet|unfortunately|nevertheless|despite|although|while)\b",
        negated=True,
        within=5,
    ),
    _habit(
        "question", "patterns",
        "Puts the research question as a question",
        "a question is asked outright",
        r"\?$|\bwe ask (?:whether|how|if|what|why)\b|\bresearch questions?\b",
        negated=True,
    ),
)  # fmt: skip
"""All of them; the order breaks ties."""
