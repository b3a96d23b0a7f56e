"""What a section's label says about its content: headings and keys mapped to roles."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from ideatrail.proposals.plain import plain_line

Role = Literal[
    "title",
    "mixed",
    "motivation",
    "question",
    "problem",
    "objective",
    "thesis",
    "method",
    "steps",
    "plan",
    "evaluation",
    "datasets",
    "metrics",
    "models",
    "baselines",
    "decision_rule",
    "risks",
    "fallback",
    "novelty",
    "related",
    "contribution",
    "outcome",
    "examples",
    "timeline",
    "admin",
    "references",
]

# Patterns in the order in which they are tried; the first that matches a label wins. Each is met
# in real proposals, plans, idea files, requests for proposals or grant texts. Lower case.
_TABLE: Final[tuple[tuple[Role, str], ...]] = (
    (
        "title",
        r"(proposed |project |paper |working )?(project )?titles?|project name"
        r"|name( of project)?|idea name|titel|titre|título|题目|标题",
    ),
    (
        "references",
        r"references?( key papers)?|bibliography|citations|works cited|key papers"
        r"|literatur|références|参考文献",
    ),
    (
        "examples",
        r"test cases?( examples?)?|(worked |illustrative )?examples?( of usecases.*)?"
        r"|walk-?through|appendix.*",
    ),
    (
        "decision_rule",
        r"decision (rule|criteri\w+)s?|success (criteri\w+|metrics?|conditions?)"
        r"|stopping rules?|acceptance criteria|(go|stop|kill)[ /]?(no[ -]?go)? (rule"
        r"|criteri\w+)|kill test|when (we|i|to) (will |would )?(stop|give up|call it).*"
        r"|what (would|will) (count|convince|change).*|what counts as.*",
    ),
    (
        "question",
        r"(main|central|core|key|open|specific|guiding|overarching"
        r"|driving)? ?(research )?(questions?|rqs?\d*)|the question|what (we|i) (want"
        r"|would like) to (know|find out).*|topic|fragestellung(en)?|forschungsfragen?"
        r"|question de recherche|questions de recherche|preguntas? de investigaci[oó]n"
        r"|研究问题|問題",
    ),
    (
        "fallback",
        r"fall-?back( plans?)?|plan b|contingenc(y|ies)( plans?)?|backup plan|if (it"
        r"|this|that) (does ?n[o']t|fails).*",
    ),
    (
        "risks",
        r"risks?|(key |main |potential |known )?risks?( and)? ?(mitigations?|assessment"
        r"|factors)?|limitations?|threats( to validity)?|caveats?|pitfalls?|concerns?"
        r"|worries|failure modes|(what|where) (it|this|that)? ?(could|can|might"
        r"|may) (go wrong|fail|break).*|what are the risks.*"
        r"|small range and precision issues|drawbacks|risiken|grenzen|limites|riesgos"
        r"|limitaciones|风险|局限",
    ),
    (
        "baselines",
        r"(establish |define |select |choose |implement )?(comparison |competing "
        r"|strong |main )?baselines?( methods?| models?| systems?| implementations?"
        r"| for comparison| comparisons?)?( to (beat|compare))?|comparators?|compar(ed"
        r"|ison) (methods?|systems?|models?)|(systems?|methods?|what) (we "
        r"|to )?compared? (with|to|against)|against what|compared (to|with) what"
        r"|controls?|control conditions?|competitors?|vergleichsverfahren|vergleich|基线",
    ),
    (
        "metrics",
        r"(evaluation |performance |outcome |primary |secondary |success "
        r"|automatic )?(metrics?|measures?)( key)?|metric key|(evaluation )?criteria"
        r"|dependent variables?|messgrößen|métriques|métricas|指标",
    ),
    (
        "datasets",
        r"(gather |select |choose |collect |main |evaluation )?(datasets?|corpora|corpus"
        r"|data|benchmarks?|test ?beds?|test ?sets?)( selection| collection( strategy)?"
        r"| sources?| sets?| preparation| preprocessing)?|raw data and resources"
        r"|data and (materials|resources)|materials|neural field training data"
        r"|daten(satz|sätze)?|données|datos|数据集?",
    ),
    (
        "models",
        r"(select |choose |base |test |language )?models?( selection| to test| under test)?",
    ),
    (
        "evaluation",
        r"(model )?(validation|verification)( and evaluation| plan)?|(empirical |human "
        r"|performance |model |offline |online )?(evaluations?|evaluate"
        r"|assessment)( plan| design| protocol| setup| performance| strategy"
        r"| methodology)?|(experiments?|experimental) (validation|evaluation|design"
        r"|setup|protocol|settings?|analysis)|results to report|(statistical |error "
        r"|data |result |results |ablation |sensitivity )*(analys[ei]s|analyses)"
        r"|analy[sz]e (the )?results|ablations?( studies| study)?|pilots?|protocol"
        r"|(statistical )?tests?( plan)?|variables|get results|how (we|i)('ll|'d|’d|’ll"
        r"| will| would)? (test|measure|check|know|find out|evaluate|tell).*|testing"
        r"|key comparison axes|auswertung|evaluierung|évaluation|evaluaci[oó]n|评估|实验(设计"
        r"|方案)?|experimente|expériences|experimentos",
    ),
    (
        "plan",
        r"(detailed |step[- ]by[- ]step |proposed |high-level )*(experiments?"
        r"|experimental|research|study)( plans?| execution| procedure)?|study (design"
        r"|plan)|(objectives )?operation strategy",
    ),
    (
        "novelty",
        r"novelty( claim| statement)?|originality|innovations?|what('?s| is| seems"
        r"| looks)? ?new.*|is (it|this|that) new|what this (project|work|paper"
        r"|study) adds|what (nobody|no one) has.*|(differences?|distinction) (from|to"
        r"|with).*|comparison (with|to) (existing|prior|previous) (work|methods?)"
        r"|positioning|why (this is|it is) (new|novel)|neuheit|nouveauté|novedad|创新点?",
    ),
    (
        "related",
        r"(closest )?(related|prior|previous|existing) (works?|methods?|research"
        r"|literature|approaches|studies)|literature( review| survey)?|state of the art"
        r"|survey of.*|stand der forschung|état de l'art|estado del arte|相关工作",
    ),
    (
        "contribution",
        r"(expected |main |technical |key |scientific |anticipated |our )*contributions?"
        r"|(expected |broader |potential |societal |scientific |wider )*(impacts?"
        r"|significance)( and broader implications)?|value|deliverables?"
        r"|benefits?( for .*)?|why is this project good.*|who (would|will|may) (care"
        r"|benefit).*|beitrag|beiträge|contributions attendues|contribuciones|贡献|意义",
    ),
    (
        "outcome",
        r"(expected |anticipated |predicted |technical |projected )+(outcomes?|results?"
        r"|findings?)|outcomes?|results( and impact)?|what (we|i) expect( to (see"
        r"|find))?|erwartete ergebnisse|résultats attendus|resultados esperados|预期结果",
    ),
    (
        "thesis",
        r"((main|key|working|core|central|research|null|our|the) )*(hypothes[ie]s|thesis"
        r"|conjectures?|predictions?|claims?|intuitions?|insights?)|(core|key|central"
        r"|main) (ideas?|claim|insight)|thesis in .*|what (we|i) (believe|think"
        r"|suspect).*|what we think is going on|the (bet|hunch|guess|idea)|hypothesen?"
        r"|hypothèses?|hip[oó]tesis|假设",
    ),
    (
        "problem",
        r"((research|the|core) )*(problems?|gaps?|issues?)( statements?| definition"
        r"| formulation| description| levels)?|the (gap|puzzle|trouble)|what('?s"
        r"| is) (wrong|broken|missing).*|problemstellung|problématique"
        r"|planteamiento del problema|problema",
    ),
    (
        "objective",
        r"((research|project|specific|main|overall|key|our|overview of"
        r"|alternative) )*(objectives?|aims?|goals?|purpose)( of .*| key results)?"
        r"|scope( of this rfp)?|mission|ziele?|zielsetzung|objectifs?|objetivos?|研究目标|目标",
    ),
    (
        "steps",
        r"implementation( details?| plan| steps?)?|implementation \(impl\)|(detailed "
        r"|concrete |first |next )?steps|to-?do|procedure|(order of|planned"
        r"|remaining) work|how (we|i)('ll| will| would) (build|make|do) (it|this)"
        r"|umsetzung|实现",
    ),
    (
        "timeline",
        r"(project |detailed |development |proposed |tentative )*(timelines?|schedules?"
        r"|road ?maps?|milestones?|work ?plan|gantt( chart)?|time ?table)( \(.*\))?"
        r"|(week|month|quarter|milestone)s? ?\d.*|zeitplan|calendrier|cronograma|时间安排"
        r"|long term plan|maintenance.*|future plans",
    ),
    (
        "admin",
        r"((recommended|development|project) )*teams?( members?| websites?"
        r"| code repos(itories)?| linkedin profiles?|'?s experience)?( .*)?"
        r"|(total )?budget.*|awards?|payout.*|(point of )?contacts?.*|legal structure"
        r"|authors?( s)?|applications?|application deadline|deadlines?"
        r"|publication venues?|venues?|dissemination|acknowledge?ments?|licen[sc]es?"
        r"|compute( requirements?| budget)?|resources( needed| required)?|keywords?"
        r"|table of contents|contents|additional information.*|monetization|economics"
        r"|fee model|funding|relevant experience|private endeavours.*|have you applied.*"
        r"|what work has been done so far|are there any other projects.*|confirm your.*"
        r"|rfp details|costs?|ethics( statement)?|data availability|conclusions?|why (us"
        r"|you)|an indication of (why your team|how you).*|proposer|proposal category"
        r"|do you agree.*|results are to be released.*|danksagung|kosten|keywords",
    ),
    (
        "method",
        r"((proposed|our|the|technical|detailed|overall|research|algorithmic|general"
        r"|core|suggested) )*(methods?|methodology|methodologies|approach(es)?"
        r"|solutions?|framework|systems?|algorithms?|architectures?|techniques?|designs?"
        r"|models? architectures?)( overview| design| framework| details| description"
        r"| approach| architectures?| prompt| definition| development)?|(proposed "
        r"|basic )?implementations? proposals?|proposed (work|implementation|method.*"
        r"|project|change)|implementation proposal"
        r"|detailed steps for the proposed method|design prompt|how it works.*|(the "
        r"|our )?mechanisms?|(option|plan|variant) \w+,? (which )?(i|we) (prefer|choose"
        r"|chose|go for|like best|favou?r).*|what (we|i)('ll| will| would| want to"
        r"| propose to| plan to)? (do|build|try|propose).*|training (procedure|algorithm"
        r"|setup|approach).*|loss functions?|experimental method|methode|methodik|ansatz"
        r"|vorgehen|méthode|méthodologie|approche|m[eé]todo|metodolog[ií]a|enfoque|方法"
        r"|研究方法|技术路线",
    ),
    (
        "motivation",
        r"((research|our|the) )*(motivations?|rationales?|rational|backgrounds?|context"
        r"|needs?|inspirations?|why)( and need.*)?|why (it|this|now|do|does|bother|is"
        r"|not|libra|polkadot|trusted).*|starting point|what (bothers|annoys|worries"
        r"|puzzles) (us|me|people).*|the thing that .*|where this comes from|hintergrund"
        r"|contexte|contexto|antecedentes|背景|动机|研究背景",
    ),
    (
        "mixed",
        r"abstract|summary|overview|introduction|(general |project |brief |long |short "
        r"|detailed |idea )*descriptions?|executive summary|tl;?dr|the idea( in brief"
        r"| in one paragraph)?|(in )?(brief|short)|proposal|idea|pitch|einleitung"
        r"|zusammenfassung|introducción|résumé|resumen|摘要|引言|简介|概述",
    ),
)
_STRICT: Final = tuple((role, re.compile(rf"(?:{pattern})")) for role, pattern in _TABLE)

# In headings a word is enough where a whole label is not known: "3.5 Experimental Design and
# Metrics for X", "Baseline Implementations and Software Stack". Never for run-in labels.
_LOOSE: Final[tuple[tuple[Role, re.Pattern[str]], ...]] = tuple(
    (role, re.compile(rf"\b(?:{pattern})\b"))  # type: ignore[misc]
    for role, pattern in (
        ("references", r"references|bibliography"),
        ("examples", r"^test cases?|^examples?\b|expected output|prompt input"),
        ("question", r"research questions?"),
        ("risks", r"risks?|limitations?|threats"),
        ("fallback", r"fallback|contingency"),
        ("decision_rule", r"success criteria|decision rule"),
        ("baselines", r"baselines?"),
        ("metrics", r"metrics"),
        ("datasets", r"datasets?|data collection|benchmarks|corpora"),
        ("evaluation", r"evaluation|experiments?|experimental|ablations?|validation"),
        ("thesis", r"hypothes[ie]s"),
        ("problem", r"problem"),
        ("related", r"related work|prior work"),
        ("novelty", r"novelty"),
        ("contribution", r"contributions?|impacts?|deliverables"),
        ("outcome", r"expected (outcomes?|results?)"),
        ("objective", r"objectives?"),
        ("timeline", r"timeline|roadmap|milestones?"),
        ("admin", r"team|budget|acknowledg\w+|payout|award"),
        ("motivation", r"motivation|background|introduction"),
        ("method", r"methodology|proposed method|approach"),
    )
)

MAX_LABEL: Final = 300
"""Characters beyond which a text is no label."""
_COUNTED_ROLES: Final = frozenset({"baselines", "metrics", "datasets", "evaluation"})

_NUMBERING: Final = re.compile(
    r"^\s*(?:[§#]?\s*(?:\d+|[ivx]+|[a-z])(?:\.\d+)*\s*[.):]\s*|(?:\d+\.)+\d+\s+"
    r"|\d+\s+(?=[a-z])|\(\w\)\s*)",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(
    r"^(?:step|stage|phase|section|part|task|aim|objective|hop|experiment|study|work ?package|wp)"
    r"(?:\s*\d+|\s+(?:[ivx]+|[a-z]))\b\s*[:.)–—-]*\s*",
    re.IGNORECASE,
)
_DECORATION: Final = re.compile(r"^[\s*_`\"“”'~=#>|]+|[\s*_`\"“”'~=|:.：;,?!]+$")
_SPLIT: Final = re.compile(r"\s*(?:\band\b|&|\+|/|,|;|、|和|与|\bund\b|\bet\b|\by\b)\s*")


def clean_label(label: str) -> str:
    """`label` without numbering, marks and trailing punctuation, as written otherwise."""
    if len(label) > MAX_LABEL:
        return label.strip()
    label = plain_line(label)
    before = None
    while before != label:
        before = label
        label = _DECORATION.sub("", label)
        label = _NUMBERING.sub("", label, count=1) if len(label) > 3 else label
    return label.strip()


def _key(label: str) -> str:
    label = clean_label(label)
    label = (
        re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label)
        if "_" not in label and " " not in label
        else label
    )
    label = label.replace("_", " ").lower().removeprefix("research idea ")
    counted = _COUNTED.sub("", label, count=1)
    label = counted if counted.strip() else label
    label = re.sub(r"\s*\([^)]*\)$", "", label)
    return " ".join(_DECORATION.sub("", label).split())


def is_counted(label: str) -> bool:
    """Whether `label` is one of a row: `Step 3: …`, `Phase 1`."""
    return bool(_COUNTED.match(clean_label(label)))


@lru_cache(maxsize=4096)
def roles_of(label: str, *, loose: bool = False) -> tuple[Role, ...]:
    """The roles that `label` gives its section, the main one first; () for an unknown label.

    `loose` lets one telling word in a longer heading decide.
    """
    key = _key(label)
    if not key or len(key) > 120:
        return ()
    whole = _strict(key)
    if whole:
        return (whole,)
    parts = [part for part in _SPLIT.split(key) if part]
    if 1 < len(parts) <= 4:
        roles = [_strict(part) for part in parts]
        known = tuple(dict.fromkeys(role for role in roles if role))
        if known and (all(roles) or (loose and roles[0])):
            return known
    head = re.split(r"\s*[:：,–—]\s*", key, maxsplit=1)[0]
    if head != key and (role := _strict(head)) and role != "title" and (loose or "," in key):
        return (role,)
    if loose:
        narrow = is_counted(label)
        for role, pattern in _LOOSE:
            # `Step 2: Solve the initial problem` is a step, not a problem statement.
            if pattern.search(key) and (not narrow or role in _COUNTED_ROLES):
                return (role,)
    return ()


def _strict(key: str) -> Role | None:
    for role, pattern in _STRICT:
        if pattern.fullmatch(key):
            return role
    return None
