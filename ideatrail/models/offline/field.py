"""What the field calls things: everyday wordings of a brief and the terms that papers use for them.

General vocabulary of natural language processing and machine learning, as a beginner learns it
from a textbook's index. It serves searching and weighing; nothing in an artifact rests on it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_ENTRIES: Final[tuple[tuple[str, str], ...]] = (
    (
        r"factually wrong|untrue|made[- ]up|plausible .*wrong|invent|fabricat|not true|hallucinat",
        "hallucination; factual consistency; faithfulness; factual error correction",
    ),
    (
        r"check .*own|own (?:answers|output)|self-?correct|mend|self-?critic|self-?check|verif",
        "answer verification; self-evaluation; error detection and correction; iterative "
        "refinement",
    ),
    (
        r"withhold|abstain|refus\w+ to answer|do(?:es)? not know|don't know|which answers .*trust",
        "selective prediction; abstention; unanswerable questions; confidence estimation",
    ),
    (
        r"confiden|certain|uncertain|how sure|calibrat",
        "calibration; uncertainty estimation; confidence",
    ),
    (
        r"new domain|domain shift|other domains?|out[- ]of[- ]domain|distribution shift",
        "out-of-domain generalization; domain shift; domain adaptation",
    ),
    (
        r"consisten|same answer|agree with (?:it|them)sel|paraphras",
        "self-consistency; consistency under paraphrase; sampling multiple answers",
    ),
    (
        r"grad(?:e|ing)|judge (?:text|generated)|rate (?:text|generated)|human rat|"
        r"scor\w+ (?:generated )?text|evaluat\w+ (?:generated|text|summar)",
        "evaluation metrics for generation; automatic evaluation; human judgments",
    ),
    (
        r"disagree|raters?|annotators?|subjectiv",
        "annotator disagreement; label distribution; perspectivism",
    ),
    (
        r"parts? of (?:a|the) text|spans?|which parts",
        "error span detection; fine-grained evaluation; quality estimation",
    ),
    (
        r"step[- ]by[- ]step|chain[- ]of[- ]thought|reasoning|multi-?step",
        "chain-of-thought prompting; multi-step reasoning; question decomposition",
    ),
    (
        r"exemplars?|hand-written examples?|demonstrations?|labelled examples",
        "in-context learning; demonstration selection; few-shot prompting",
    ),
    (
        r"abstract|high-level|principles|concepts",
        "abstraction; concept knowledge; knowledge prompting",
    ),
    (
        r"irrelevant|distract|swayed|relevant parts|concentrate|noise in",
        "irrelevant context; context selection; robustness to distractors; sentence selection",
    ),
    (r"opinions?|flatter|sycophan|agree with the user", "opinion bias; user stance; sycophancy"),
    (
        r"personal information|sensitive|private|privacy|reveal",
        "privacy; de-identification; text anonymization; memorization of training data",
    ),
    (
        r"stereotyp|social bias|fair|gender|minorit",
        "social bias; debiasing; stereotype measurement",
    ),
    (r"cultur", "cultural bias; cross-cultural differences"),
    (
        r"hardly any text|low[- ]resource|little data|few resources|small languages?|"
        r"under-?resourced",
        "low-resource languages; cross-lingual transfer; data augmentation",
    ),
    (
        r"related languages?|borrow|loan|shares? .*vocabulary|cognate",
        "related languages; loanwords; cognates; transfer from a related language; transliteration",
    ),
    (
        r"never seen|unseen words|rare words|names|compounds|out[- ]of[- ]vocabulary",
        "rare words; subword units; out-of-vocabulary words; copy mechanism; character models",
    ),
    (r"translat", "machine translation"),
    (r"programm|developers?|code", "code generation; program synthesis; code completion"),
    (
        r"adapt to (?:the )?(?:individual|user)|personal|each user|individual (?:user|programmer)",
        "personalization; user modeling; user feedback",
    ),
    (
        r"feedback|learn from (?:users|people|interaction)",
        "learning from human feedback; interactive learning; preference learning",
    ),
    (
        r"effort|computation|comput\w+ where|easy and (?:on )?hard|same amount|budget|efficien",
        "adaptive computation; early exit; efficient inference; difficulty estimation",
    ),
    (r"plan|agents?|act(?:ion)?s in", "planning; task planning; decision making"),
    (
        r"ambigu|several readings|unclear question|clarif|mehrdeutig|rückfrage|ask(?:s|ing)? back",
        "ambiguous questions; clarification questions; ambiguity detection",
    ),
    (
        r"search engine|outside knowledge|look(?:ing)? up|retriev|external",
        "retrieval augmentation; knowledge grounding; evidence retrieval",
    ),
    (
        r"cite|quote|grounded|attribut|where .* comes from",
        "attribution; grounding; memorization of facts; evidence citation",
    ),
    (r"summar", "summarization; faithful summarization"),
    (r"question[s]? answer|answers? (?:to )?questions|answering", "question answering"),
    (
        r"without (?:extra|costly|further)? ?(?:training|labels)|no labels|unlabell?ed|no training",
        "unsupervised; zero-shot; prompting",
    ),
    (
        r"prompt|wording|instruct|phras(?:ing|ed)",
        "prompt design; prompt sensitivity; instruction following",
    ),
    (
        r"explain|explanation|rationale|why .*model",
        "explanation; rationale generation; contrastive explanation",
    ),
    (
        r"edit(?:ing)? (?:the )?(?:facts|knowledge)|update .*knowledge|outdated",
        "knowledge editing; temporal knowledge",
    ),
    (
        r"poison|attack|adversar|jailbreak|unsafe|harmful|toxic",
        "adversarial attacks; safety; toxicity",
    ),
    (
        r"watermark|machine-generated|detect .*generated",
        "machine-generated text detection; watermarking",
    ),
    (r"math|arithmetic|word problems|calculat", "math word problems; arithmetic reasoning"),
    (r"dialog|conversation|chat", "dialogue systems; response generation"),
    (r"long (?:documents?|texts?|context)|memory", "long context; memory; document-level"),
    (
        r"table|database|sql|formal (?:language|meaning)|logical form|pars",
        "semantic parsing; compositional generalization; text-to-SQL",
    ),
    (r"synthetic|generate .*data|augment", "synthetic data; data augmentation; data filtering"),
    (r"scientific|papers|hypothes", "scientific text processing; hypothesis generation"),
    (r"theor(?:em|y)|proof|formal verif", "theorem proving; proof generation"),
    (r"image|vision|visual|multi-?modal", "vision and language; multimodal models"),
    (r"generator.*validator|say.*but|contradict", "self-contradiction; consistency of predictions"),
    (r"novel(?:ty)?|creativ|divers", "diversity of generation; creative generation"),
)

_COMPILED: Final = tuple(
    (re.compile(rf"\b(?:{cue})", re.IGNORECASE), terms) for cue, terms in _ENTRIES
)


@lru_cache(maxsize=256)
def field_terms(direction: str) -> tuple[str, ...]:
    """Terms of the field for what `direction` says in other words, in the order of its sentences.

    Terms that the direction itself uses are left out.
    """
    found: list[tuple[int, int, str]] = []
    low = direction.lower()
    for number, (cue, terms) in enumerate(_COMPILED):
        match = cue.search(direction)
        if match:
            for index, term in enumerate(terms.split("; ")):
                if term not in low:
                    found.append((index, match.start() + number, term))
    found.sort()
    return tuple(dict.fromkeys(term for _, _, term in found))
