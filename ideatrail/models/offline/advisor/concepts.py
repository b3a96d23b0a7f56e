"""What mechanisms in this field do, in whatever words, and the verbs of an effect.

Two texts can tell of one mechanism in other words: who mends a first output and who revises a draft
do the same. A group holds the words of one operation; groups are small and general, so that a
shared one means something.
"""

from __future__ import annotations

import math
from typing import Final

from ideatrail.models.offline.advisor.fieldwords import FIELD_SHARE
from ideatrail.trail.text import stem

_GROUPS: Final[dict[str, str]] = {
    "first": "draft initial preliminary first provisional",
    "again": "revise revision refine refinement edit repair mend rewrite amend correct "
    "correction again redo remade",
    "check": "verify verification check validate examine inspect audit confirm scrutinize",
    "critic": "critique criticism objection reflect reflection feedback",
    "ask": "ask question query interrogate subquestion",
    "answer": "answer respond response reply",
    "apart": "decompose decomposition apart divide split subproblem subtask subgoal part piece",
    "stages": "stage intermediate chain",
    "iterate": "iterate iterative loop round repeat repeatedly until recursive",
    "abstract": "abstract abstraction general generalize principle schema concept",
    "example": "example exemplar demonstration shot",
    "analogy": "analogy analogous analogical similar resemble nearest neighbor neighbour",
    "recall": "recall knowledge parametric",
    "retrieve": "retrieve retrieval search lookup fetch document passage",
    "ground": "ground grounding evidence cite citation attribute attribution quote provenance",
    "select": "select selection choose pick rank rerank prefer preference",
    "filter": "filter discard drop remove exclude sanitize redact",
    "irrelevant": "irrelevant distract distractor relevant relevance",
    "mask": "mask withdraw ablate removal withhold",
    "perturb": "perturb perturbation counterfactual alter mutate paraphrase variant reword",
    "confidence": "uncertainty uncertain confidence certainty entropy doubt probability likelihood",
    "calibrate": "calibrate calibration isotonic temperature",
    "abstain": "abstain abstention refuse reject decline defer",
    "forecast": "predict forecast anticipate expect foresee",
    "agree": "consistent consistency agree agreement vote majority consensus",
    "disagree": "disagree disagreement conflict contradict contradiction contrast contrastive",
    "ensemble": "ensemble sample sampling several multiple aggregate average",
    "cluster": "cluster group partition",
    "distribution": "distribution histogram spread variance",
    "rater": "rater annotator human user people crowd",
    "persona": "persona role simulate virtual",
    "train": "train finetune tune gradient loss",
    "reward": "reward reinforcement policy rl rlhf preference",
    "regularize": "regularize regularization penalty penalize constraint constrain",
    "adapt": "adapt adaptive dynamic adjust route switch difficulty",
    "allocate": "allocate budget compute resource cost early",
    "memory": "memory store cache buffer remember log",
    "graph": "graph node edge topology",
    "tree": "tree hierarchy hierarchical nested",
    "plan": "plan planner planning schedule",
    "execute": "execute execution run compile interpreter program code",
    "testcase": "test mutant mutation suite",
    "formal": "prove proof theorem prover tactic formal",
    "transfer": "transfer cross-lingual crosslingual multilingual donor borrow",
    "embed": "embedding vector representation latent hidden",
    "token": "token subword vocabulary tokenizer logits decode decoding",
    "attention": "attention attend head",
    "prune": "prune pruning compress sparsity distill distillation student teacher",
    "augment": "augment synthetic synthesize",
    "privacy": "privacy private sensitive personal confidential",
    "policy": "policy instruct instruction rule",
    "watermark": "watermark embedder",
    "attack": "adversarial attack adversary robust",
    "influence": "influence shapley valuation",
    "marker": "marker hedge phrase expression wording",
    "explain": "explain explanation rationale justify justification",
    "judge": "judge evaluator score rate rating grade",
    "entail": "entail entailment nli inference",
    "summary": "summarize compress condense",
    "translate": "translate translation transliterate",
    "debate": "debate discuss agent",
    "tool": "tool api environment action",
    "curriculum": "curriculum order easy hard",
    "time": "time temporal recent forget forgetting decay",
    "hallucinate": "hallucinate hallucination factual factuality unfaithful unsupported fabricate",
    "fair": "bias stereotype fair fairness prejudice demographic",
    "toxic": "toxic toxicity harmful offensive hate safety unsafe",
    "dialogue": "dialogue conversation turn interactive interaction",
    "span": "span segment passage chunk",
    "noise": "noise noisy",
    "threshold": "threshold cutoff boundary",
}


def _table() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, members in _GROUPS.items():
        for word in members.split():
            found.setdefault(stem(word), set()).add(name)
    return {root: frozenset(names) for root, names in found.items()}


OPERATIONS_OF: Final[dict[str, frozenset[str]]] = _table()
"""Stem → the operations it speaks of."""


def _rareness() -> dict[str, float]:
    kept = dict.fromkeys(_GROUPS, 1.0)
    for root, names in OPERATIONS_OF.items():
        for name in names:
            kept[name] *= 1.0 - FIELD_SHARE.get(root, 0.003)
    return {name: -math.log(1.0 - without) for name, without in kept.items()}


OPERATION_WEIGHT: Final[dict[str, float]] = _rareness()
"""Operation → -log of the share of papers that speak of it, by the field's word shares."""


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(w) for w in text.split())


PLUMBING: Final[frozenset[str]] = _stems(
    "modify include incorporate introduce add implement design develop create build construct "
    "integrate propose component module mechanism framework approach method system architecture "
    "pipeline procedure technique strategy function class layer code step hyperparameter parameter "
    "setting baseline experiment evaluate evaluation performance effectiveness impact investigate "
    "study compare comparison result metric accuracy dataset benchmark task range various existing "
    "additional novel new specific different certain given model llm llms gpt language lm neural "
    "network training train episode run random numpy json log plot bootstrap resampling file"
)
"""Words of every method section: they tell that something is built or run, not what it does."""
UPWARD: Final[frozenset[str]] = _stems(
    "improve increase enhance boost raise strengthen better higher gain benefit help enable "
    "support "
    "accelerate speed extend recover preserve maintain restore promote encourage elicit facilitate "
    "achieve outperform more greater faster stronger ensure guarantee protect"
)
DOWNWARD: Final[frozenset[str]] = _stems(
    "reduce decrease lower mitigate prevent avoid remove eliminate suppress alleviate cut limit "
    "diminish shrink counter minimize combat curb fewer less weaken drop save discourage hurt harm "
    "degrade worsen"
)
FINDING: Final[frozenset[str]] = _stems(
    "detect identify predict estimate measure quantify diagnose locate attribute explain reveal "
    "analyse analyze understand characterise characterize distinguish separate evaluate assess "
    "tell decide abstain withhold rank select"
)
UNWANTED: Final[frozenset[str]] = _stems(
    "error mistake hallucination bias cost toxicity harm inconsistency overconfidence leakage "
    "noise "
    "failure risk forgetting overfitting misalignment contradiction misinformation redundancy "
    "latency variance degradation stereotype attack vulnerability misconception gap"
)
"""Things of which less is better: reducing them and improving their opposite point the same way."""
