"""What a sentence does in a proposal or a paper, by its wording; used where no label says it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

Cue = Literal[
    "question",
    "goal",
    "method",
    "thesis",
    "promise",
    "evaluation",
    "tested",
    "risk",
    "novelty",
    "decision",
]

_WE: Final = (
    r"(?:\b[Ww]e|\bI)\b(?:\s(?:will|would|can|could|then|also|first|further"
    r"|therefore|thus|now|'ll|plan to|intend to|propose to|want to|would like to"
    r"|need to|are going to|am going to))*\s"
)

_QUESTION: Final = re.compile(r"[?？]$")
_NOT_A_QUESTION: Final = re.compile(
    r"^[\"“‘'(]|[:：]\s*[\"“]|\be\.?g\.?\b|\blike\s+[\"“]|^Q\d*:|^(?:For example"
    r"|For instance|An example|Input|Prompt)\b"
)
_QUOTED: Final = re.compile(r"\"[^\"]{3,}\"|“[^”]{3,}”")
"""Prompts and examples quoted in a sentence; their words are not the author's."""
_GOAL: Final = re.compile(
    r"\b(?:[Ww]e|I|[Tt]his (?:\w+ ){0,2}(?:project|proposal|work|study|paper"
    r"|research|thesis|grant|plan)(?: \w+)?|[Tt]he (?:study|project|proposal"
    r"|present work)) "
    r"(?:(?:will|would|therefore|thus|also|here|specifically|hence) )*(?:aims?"
    r"|seeks?|wants?|would like|intends?|sets? out|strives?|tries|tr(?:y|ies)) (?:to"
    r"|at)\b"
    r"|\b(?:[Ww]e|I|[Tt]his (?:project|proposal|work|study|paper|research"
    r"|thesis)) (?:(?:will|would) )?(?:investigates?|stud(?:y|ies)|asks?|examines?"
    r"|explores?|analy[sz]es?|tests? whether|addresse?s?|are interested in"
    r"|am interested in)\b"
    r"|\b(?:[Tt]he|[Oo]ur|[Mm]y|[Aa]) (?:(?:primary|main|overall|central|overarching"
    r"|ultimate|key|first|long-term|core|aim) )*(?:goal|aim|objective|purpose"
    r"|question)s?\b[^.]{0,60}?\b(?:is|are|was|of)\b"
    r"|\b(?:[Tt]he objective|[Tt]he question) (?:is|of)\b"
    r"|^(?:Investigate|Study|Explore|Examine|Understand|Determine|Find out|Address"
    r"|Find|Benchmarking|Comparing|Evaluating|Investigating|Analy[sz]ing|Testing"
    r"|Reproducing|Improve|Optimi[sz]e)\b"
    r"|\bwant(?:s|ed)? to know\b|\b(?:remains?|is) (?:unclear|an open question"
    r"|unknown) (?:whether|how|why|which)\b"
    r"|\bZiel (?:dieser|der|des|ist)|\bwir (?:untersuchen|wollen)"
    r"|\b[Nn]ous (?:cherchons|étudions|visons)|\bl'objectif|\bel objetivo"
    r"|\b[Ee]studiamos|\b[Ii]nvestigamos|本(?:研究|项目|文)(?:旨在|探讨|研究)|研究目标",
)
_METHOD: Final = re.compile(
    rf"{_WE}(?:(?:here|instead|simply|first) )?(?:propose|introduce|present|call|name"
    rf"|develop|design|build|prompt|prepend|append|construct|implement|train"
    rf"|fine-?tune|finetune|encode|combine|augment|use|employ|leverage|generate"
    rf"|inject|extract|apply|replace|modify|extend|create|formulate|integrate)s?\b"
    r"|\b[Ww]e (?:can )?(?:also )?prompt (?:LLMs|language models|models|them)"
    r"|\b[Oo]ur (?:\w+ ){0,2}(?:method|approach|framework|system|algorithm|pipeline"
    r"|solution|technique|strategy|architecture)\b"
    r"|\b(?:[Tt]he|[Tt]his|[Oo]ur) (?:proposed|method that|approach that"
    r"|framework (?:alternates|comprises|consists))"
    r"|\bby (?:developing|building|training|designing|prompting|proposing"
    r"|introducing|constructing|combining)\b"
    r"|\b(?:aims?|seeks?|proposes?|intends?|plans?|(?:objective|goal|aim)\b.{0,40} is) to"
    r" (?:design|develop|build"
    r"|create|introduce|implement)\b"
    r"|\b(?:[Tt]his|[Oo]ur) (?:project|proposal|work|paper|study"
    r"|research) (?:proposes|introduces|presents|develops)\b"
    r"|\bmethod paper\b|\bthe method that we propose\b|\bwork(?:s)? as follows\b"
    r"|\bconsists of (?:two|three|four|five|the following)\b"
    r"|^(?:Modify|Implement|Introduce|Develop|Design|Create|Build|Train|Add"
    r"|Integrate|Extend|Apply|Incorporate|Adapt|Replace|Use|Generate|Prompt|Extract"
    r"|Select|Store|Construct|Augment|Inject|Define|Given)\b"
    r"|\b(?:[Tt]he|[Aa]) (?:key |main |core |basic )?(?:idea|trick|recipe|mechanism|procedure) is\b"
    r"|\b[Ww]ir (?:schlagen|entwickeln|verwenden|trainieren|nutzen)"
    r"|\b[Nn]ous (?:proposons|développons|utilisons|entraînons)|\b[Pp]roponemos"
    r"|\b[Dd]esarrollamos|\b[Uu]tilizamos|我们(?:提出|设计|采用|使用|训练|构建)|本文提出",
)
_THESIS: Final = re.compile(
    r"\b(?:[Oo]ur|[Mm]ain|[Cc]entral|[Ww]orking|[Kk]ey|[Bb]road|[Nn]ull|[Aa]lternative)"
    r" hypothes[ie]s|\b[Hh]ypothes[ie]s (?:is|are|that|whether)\b|\b[Ww]e (?:\w+ )?hypothesi[sz]e"
    r"|\b(?:[Ww]e|I) (?:(?:\w+ly|also|strongly"
    r"|would|do) )?(?:expect|believe|conjecture|argue|suspect|posit|anticipate|claim"
    r"|bet|suppose|think)\b"
    r"|\b(?:[Cc]ore|[Kk]ey|[Cc]entral|[Mm]ain) (?:insight|claim|intuition"
    r"|observation|hunch)\b|\b(?:[Mm]y|[Oo]ur|[Tt]he) (?:hunch|bet|guess|suspicion"
    r"|intuition|premise|thesis)\b"
    r"|^H\d\b|\b[Vv]ermuten|\b[Hh]ypothese|\bsupposons|\b[Hh]ip[oó]tesis|假设|我们认为"
)
_PROMISE: Final = re.compile(
    r"^By \w+ing\b.{10,}\b(?:can|could|may|might|should|will|aims? to|enables?|promises)\b"
    r"|^(?:This|These|It|Such|Our|The proposed|[A-Z]\w+ing"
    r"|[A-Z]{2,}[\w-]*)\b.*\b(?:could|may|might|should|can"
    r"|would) (?:\w+ly )?(?:\w+ )?(?:lead to|help|improve|reduce|increase|enhance"
    r"|accelerate|yield|outperform|result in|allow)\b"
    r"|\bwill (?:\w+ly )?(?:improve|reduce|outperform|achieve|lead to|increase|yield"
    r"|be the strongest|perform)\b"
)
_HARM: Final = re.compile(
    r"\b(?:suboptimal|harm\w*|degrad\w+|errors?|fail\w*|hallucinat\w+ (?:and|or)"
    r"|costly|mismatch|bias\w*|limit the|waste\w*|prohibitive\w*)\b"
    r"|\b(?:advanc\w+ the|catalyz\w+|pav\w+ the way|shift towards?|foster\w*)\b"
)
"""A promise of trouble tells of the problem, a promise of progress in general of nothing."""
_EVALUATION: Final = re.compile(
    rf"{_WE}(?:evaluate|measure|compare|report|assess|test|validate|benchmark"
    rf"|analy[sz]e|score|annotate|conduct|run)\b"
    r"|^(?:Then |Next, |Finally, )?(?:Evaluate|Compare|Measure|Assess|Analy[sz]e"
    r"|Test|Report|Validate|Conduct|Calculate|Benchmark|Run)\b"
    r"|\b(?:will|would|can|should) be (?:evaluated|measured|compared|tested|assessed"
    r"|scored|validated|reported)\b"
    r"|\b[Ww]ir (?:evaluieren|messen|vergleichen|testen)|\b[Nn]ous (?:évaluons"
    r"|mesurons|comparons)|\b(?:[Ee]valuamos|[Mm]edimos|[Cc]omparamos|[Ee]valuaremos"
    r"|[Cc]ompararemos)\b|(?:评估|比较|实验)"
)
_TESTED: Final = re.compile(
    r"\b(?:evaluation|metrics?|benchmarks?|datasets?|baselines?|ablations?|accuracy"
    r"|F1|BLEU|ROUGE|AUROC|test set|held-out|cross-validation|user study"
    r"|human evaluation|significance test\w*|bootstrap)\b"
    r"|数据集|基线|准确率"
)
"""Words of testing, which an introduction uses as well; they count inside plans only."""
_RISK: Final = re.compile(
    r"\b(?:[Rr]isks? (?:is|are|here|that)|(?:main|biggest|key|one|another"
    r"|real) (?:risk|worry|concern|danger|limitation)|may fail|might fail|could fail"
    r"|may not (?:work|transfer|hold|generali[sz]e)|might not (?:work|transfer|hold"
    r"|generali[sz]e)|threats? to validity|pitfalls?|drawback|could break"
    r"|what worries)\b"
    r"|^(?:If|Should) .{5,120}?\b(?:fails?|does(?: not|n't) (?:work|outperform"
    r"|improve|hold|help)|do(?: not|n't) (?:work|outperform|improve|hold)|too (?:low"
    r"|small|noisy|slow|expensive))\b"
)
_NOVELTY: Final = re.compile(
    r"\b(?:first (?:to|work|study|paper)|[Tt]o (?:our|the best of our) knowledge"
    r"|[Uu]nlike (?:\w+ ){0,2}(?:previous|prior|existing|earlier|other|standard"
    r"|most)"
    r"|[Ii]n contrast (?:to|with) (?:\w+ ){0,2}(?:previous|prior|existing|earlier"
    r"|other|standard)|has(?: not|n't| never) been (?:\w+ )?(?:studied|tried"
    r"|explored|done|tested|examined|attempted|used)"
    r"|have(?: not|n't| never) been (?:\w+ )?(?:studied|tried|explored|examined)"
    r"|[Nn]o (?:prior|previous|existing|earlier|other) (?:work|study|method|paper)"
    r"|[Nn]o ?(?:body|one) (?:has|seems|appears)|almost entirely untapped"
    r"|(?:remains?|is|are|been) (?:(?:largely|relatively|mostly"
    r"|still) )?(?:unexplored|under-?explored|overlooked)|is novel|what is new"
    r"|[Cc]ritical difference|differs from)\b"
)
_DECISION: Final = re.compile(
    r"\b(?:success metric|(?:success|decision) (?:criteri\w+|rule)|[Kk]ill test"
    r"|considered (?:a )?success|count(?:s|ed)? as (?:a )?(?:success|win|failure)"
    r"|[Ww]e (?:will )?(?:conclude|reject|accept|stop|call it|declare)"
    r"|I (?:will |would )?(?:conclude|stop|call it|give up|drop)|(?:supported"
    r"|rejected|confirmed|refuted|falsified) (?:if|when|only)|[Gg]ive(?:n)? up (?:if"
    r"|when)|[Ss]top (?:if|when))\b"
    r"|\b(?:if|must|should|adopt|accept|exceeds?|beats?|achieves?"
    r"|reach(?:es)?)\b.*\b(?:at least|by|below|above|under|over|≥|≤|>=|<=|\\geq?"
    r"|\\leq?) ?\$?\d[\d.,]*\s?(?:%|percent|points?|pp\b|(?:\w+ )?(?:AUC|AUROC|F1"
    r"|BLEU))"
    r"|\b(?:achieve|reach|exceed|attain)\w* .{0,40}(?:≥|>=|\\geq?) ?\d"
)

_ALL: Final[tuple[tuple[Cue, re.Pattern[str]], ...]] = (
    ("risk", _RISK),
    ("decision", _DECISION),
    ("novelty", _NOVELTY),
    ("thesis", _THESIS),
    ("promise", _PROMISE),
    ("goal", _GOAL),
    ("method", _METHOD),
    ("evaluation", _EVALUATION),
    ("tested", _TESTED),
)


MAX_CHARS: Final = 1_500
"""Characters of a sentence that are looked at: beyond, it is no sentence."""


def is_question(sentence: str) -> bool:
    """Whether `sentence` asks what the work asks, and is no example input or quoted prompt."""
    return bool(_QUESTION.search(sentence)) and not _NOT_A_QUESTION.search(sentence)


@lru_cache(maxsize=8192)
def cues(sentence: str) -> frozenset[Cue]:
    """Everything that the wording of `sentence` points to."""
    own = _QUOTED.sub("…", sentence[:MAX_CHARS])
    found: set[Cue] = {cue for cue, pattern in _ALL if pattern.search(own)}
    if _HARM.search(own):
        found.discard("promise")
    if re.match(r"(?:For example|E\.g\.|For instance)", own):
        found -= {"promise", "thesis"}
    if is_question(sentence):
        found.add("question")
    return frozenset(found)
