"""Near-synonyms among the words for mechanisms in this field, and the verbs of an effect.

Two texts can tell of one mechanism in other words: who mends a draft and who revises it do the
same. Groups hold stems; they are small and general, so that a shared group means something.
"""

from __future__ import annotations

from typing import Final

from ideatrail.trail.text import stem

_GROUPS: Final[tuple[str, ...]] = (
    "retrieve retrieval search lookup fetch",
    "verify verification check validate validation confirm cross-check factcheck",
    "ask question query interrogate",
    "prompt instruct instruction",
    "uncertainty confidence certainty doubt hedge",
    "calibrate calibration recalibrate miscalibrated",
    "abstain abstention refuse refusal withhold decline reject rejection defer deferral",
    "revise revision refine refinement edit repair mend rewrite amend correct correction",
    "critique criticism feedback review reflect reflection",
    "decompose decomposition subquestion subproblem subtask subgoal divide",
    "step stepwise stage staged intermediate",
    "abstract abstraction generalize principle schema",
    "analogy analogous similar resemble exemplar demonstration example shot",
    "consistent consistency agree agreement coherent stability stable",
    "disagree disagreement conflict contradiction contradict dissent inconsistent",
    "vote voting majority ensemble aggregate aggregation consensus",
    "cluster group partition bucket",
    "distill distillation teacher student imitate imitation",
    "augment augmentation synthetic synthesize synthesise",
    "paraphrase reword rephrase reformulate",
    "regularize regularization penalty penalize constrain constraint",
    "attention attend focus salience salient",
    "memory store cache buffer remember",
    "entail entailment infer inference nli",
    "perturb perturbation mutate mutation corrupt counterfactual",
    "contrast contrastive discriminate negative",
    "transfer transferable borrow donor",
    "filter prune discard drop remove sanitize redact mask",
    "select selection choose pick rank rerank reranking",
    "judge judgment rater annotator grader evaluator",
    "hallucinate hallucination factual factuality unfaithful unsupported fabricate",
    "ground grounding evidence citation cite attribute attribution quote provenance source",
    "bias stereotype fair fairness prejudice demographic",
    "toxic toxicity harmful offensive hate safety unsafe",
    "private privacy sensitive confidential leak leakage",
    "watermark watermarking fingerprint detectability",
    "execute execution run interpreter compile compiler",
    "test testcase unittest assertion suite",
    "program code script function",
    "graph node edge topology network",
    "tree hierarchy hierarchical nested",
    "plan planning planner schedule",
    "reward reinforcement policy rl preference rlhf",
    "curriculum easy order difficulty hard",
    "explain explanation rationale justify justification",
    "multilingual crosslingual language translation translate translated",
    "token subword vocabulary tokenizer",
    "embedding vector representation latent hidden",
    "adapter lora finetune finetuning tuning",
    "compress compression prune sparsity quantize",
    "influence attribution shapley valuation",
    "noise noisy robust robustness",
    "iterate iterative loop repeat recursive",
    "predict forecast anticipate expect",
    "dynamic adaptive adapt adjust online",
    "threshold cutoff boundary",
    "persona role simulate simulation",
    "dialogue conversation turn interactive interaction",
    "relevant relevance irrelevant distract distractor noise",
    "formal prove proof theorem prover tactic",
    "span segment passage chunk",
)


def _table() -> dict[str, str]:
    found: dict[str, str] = {}
    for group in _GROUPS:
        names = group.split()
        for word in names:
            for part in word.split("-"):
                found.setdefault(stem(part), f"~{names[0]}")
    return found


CONCEPT_OF: Final[dict[str, str]] = _table()
"""Stem → name of its group, which begins with `~`."""


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
