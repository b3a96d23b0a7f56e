"""Names that a proposal coins for what it proposes: what must not be known beforehand."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from ideatrail.trail.cues import MAX_CHARS, cues

_CALLED: Final = re.compile(
    r"\b(?:(?:we|We|I) (?:will )?(?:call|name|term|dub)|(?:(?:is|are|be)\s+"
    r"|[,(]\s*)(?:called|named|termed|dubbed|code-?named)|known here as"
    r"|[Ww]orking (?:name|title):?)\s+(?:(?:this|it|our|the|these|them|such)\b\s*)?"
    r"(?:(?:new|simple|overall|resulting)\s+)?(?:method|approach|strategy|framework"
    r"|technique|system|procedure|mechanism|model|idea|variant|test|family|scheme"
    r"|loop)?\s*(?:as\s+)?(?:the\s+|an?\s+)?[\"“'‘*]?"
    r"([A-Za-z][\w+-]*(?:[ -][\w+-]+){0,4}?)[\"”'’*]?(?=\s*(?:[.,;:()—–]|$|\b(?:that"
    r"|which|because|and|as|since|in|for|to|where)\b))"
)
_PROPOSED: Final = re.compile(
    r"\b(?:propose|introduce|present|develop|design|build|aims? to develop"
    r"|create)s?\s+(?:an?|the|our)?\s*(?:(?:novel|new|simple|flexible|hybrid|general"
    r"|unified)\s+)*"
    r"([A-Z][\w-]*(?:[ -](?:of|for|and|with|the|[A-Z][\w-]*)){0,6})"
)
_ACRONYM: Final = re.compile(
    r"\b((?:[A-Z][\w-]*|of|for|and|the)(?:[ -](?:[A-Z][\w-]*|of|for|and|the"
    r"|with)){0,7})\s+\(([A-Z][A-Za-z0-9-]{1,12})s?\)"
)
_APPOSED: Final = re.compile(
    r"\b(?:framework|method|approach|system|model|algorithm|technique|tool|benchmark"
    r"|paradigm|strategy|pipeline),?\s+(?:called\s+|named\s+"
    r"|termed\s+)?[(“\"]?([A-Z][\w+-]*[A-Z0-9][\w+-]*)\b"
)
_TERM: Final = re.compile(r"\b[A-Z][a-z0-9]*(?:[A-Z-]+[\w]*)+[A-Za-z0-9]\b|\b[A-Z]{2,}[\w-]*\b")
_SMALL: Final = frozenset(
    ["of", "for", "and", "the", "with", "a", "an", "in", "on", "to", "from", "by", "via"]
)

# Names that everybody uses; a proposal that contains them did not coin them.
_COMMON: Final = frozenset(
    """
    ai ml nlp llm llms lm lms plm vlm gpt gpt-2 gpt-3 gpt-3.5 gpt-4 bert roberta t5 llama palm
    mt nmt asr tts qa ir rag cot rl rlhf rlaif ppo dpo sft lora gpu gpus cpu tpu api apis json
    yaml csv html http https url urls dna rna ode pde sde cnn rnn lstm gru mlp gan gans vae svm
    knn pca sgd adam kl mse mae rmse auc auroc auprc ece f1 bleu rouge chrf comet wer psnr ssim
    clip bce map mrr ndcg em nli ner pos srl amr usa uk us eu un acl emnlp naacl eacl neurips
    icml iclr arxiv github openai huggingface pytorch numpy sklearn faiss wikipedia mmlu gsm8k
    math triviaqa boolq fever truthfulqa squad imagenet cifar mnist ffhq rfc rfp mit apache bsd
    nft ipfs evm dao grpc sql os ui ux id ids todo faq tl dr tldr phd msc iid ood sota kb kbs uq
    humaneval mbpp codeforces hotpotqa nq eli5 multinli decanlp bm25 cpus fp8 fp16 bf16 pr prs
    ci hf h100 a100 ansatz python rust coq lean ethereum polkadot substrate kusama filecoin
    bitcoin seir sgx tee zk snark
    """.split()
)
_GENERIC: Final = re.compile(
    r"^(?:analy[sz]ing|evaluating|towards?|toward|comparing|investigating"
    r"|understanding|exploring|modeling"
    r"|modelling|improving|learning|benchmarking|testing|reproducing|incorporating"
    r"|the|a|an|on|how|why|when|what|can|do|does|is|are|i)\b",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"(?:[ -](?:method|approach|framework|system|model|strategy|technique|for|of|and"
    r"|the|with|to|in))+$",
    re.IGNORECASE,
)
MOST: Final = 12
"""Names kept; a proposal that seems to coin more is misread."""


def coined_names(title: str, sentences: list[str], others: frozenset[str]) -> list[str]:
    """Names coined in `sentences` or the title, likeliest first.

    `others` holds the words of names that belong to other people's work here: datasets,
    baselines, metrics. Lower case.
    """
    found: Counter[str] = Counter()
    order: dict[str, int] = {}
    text = "\n".join([title, *sentences])

    def add(name: str, weight: int, *, sure: bool = False) -> None:
        name = _TAIL.sub("", name.strip(" -\"'“”‘’*")).strip()
        key = name.lower()
        if (
            not name
            or len(name) < 2
            or key in _COMMON
            or (key in others and not sure)
            or key.rstrip("s") in _COMMON
        ):
            return
        if name.islower() and " " not in name and "-" not in name:
            return
        order.setdefault(name, len(order))
        found[name] += weight

    head, colon, _ = title.partition(":")
    if colon and 1 <= len(head.split()) <= 6 and not _GENERIC.match(head):
        add(head, 5)
    for sentence in (s[:MAX_CHARS] for s in sentences):
        told = cues(sentence)
        for match in _CALLED.finditer(sentence):
            add(match.group(1), 4)
        if "method" in told or "goal" in told:
            for match in _PROPOSED.finditer(sentence):
                words = [w for w in re.split(r"[ -]", match.group(1)) if w not in _SMALL]
                if len(words) >= 2 or _TERM.fullmatch(match.group(1)):
                    add(match.group(1), 3)
            for match in _APPOSED.finditer(sentence):
                add(match.group(1), 3)
            for phrase, short in _ACRONYM.findall(sentence):
                long = _matching(phrase, short)
                if long and _recurs(short, text) and _near_proposal(sentence, short):
                    add(long, 5, sure=True)
                    add(short, 4, sure=True)
    for term, count in Counter(_TERM.findall(text)).items():
        if count >= 3 and (
            term in title or any(term in s and "method" in cues(s) for s in sentences)
        ):
            own = re.search(
                rf"\b(?:[Oo]ur|[Tt]he|[Pp]roposed|[Uu]sing|[Aa]pply|[Ee]valuate|[Cc]ompare"
                rf"|performance of)\s+{re.escape(term)}(?!\w)",
                text,
            )
            if own:
                add(term, 1)
    ranked = sorted(found, key=lambda name: (-found[name], order[name]))
    return ranked[:MOST]


def _matching(phrase: str, short: str) -> str:
    """The end of `phrase` whose initials spell `short`; empty where none does."""
    words = re.split(r"(?<=[ -])", phrase)
    letters = re.sub(r"[^A-Za-z]", "", short).lower().rstrip("s")
    for start in range(len(words)):
        tail = [w.strip(" -") for w in words[start:]]
        initials = "".join(w[0] for w in tail if w and (w not in _SMALL)).lower()
        if initials == letters or "".join(w[0] for w in tail if w).lower() == letters:
            return "".join(words[start:]).strip(" -")
    return ""


def _recurs(short: str, text: str) -> bool:
    return len(re.findall(rf"\b{re.escape(short)}\b", text)) >= 2


def _near_proposal(sentence: str, short: str) -> bool:
    """Whether the name follows the verb that proposes it within a dozen words."""
    match = re.search(
        rf"\b(?:propose|introduce|present|develop|design|call|framework|build"
        rf"|create)\w*\b(?:\W+\w+){{0,12}}?\W+{re.escape(short)}\b",
        sentence,
    )
    return match is not None


def capital_names(text: str) -> list[str]:
    """Names written with inner capitals or digits, such as benchmarks: `TriviaQA`, `GSM8K`."""
    found = re.findall(
        r"\b(?:[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}[\w-]*|[A-Z][\w]*\d[\w-]*|[A-Z]\w*-[A-Z]\w*)\b", text
    )
    skip = {"LLM", "LLMs", "API", "GPU", "QA", "NLP", "AI", "ML", "CPU"}
    return list(dict.fromkeys(name for name in found if name not in skip))
