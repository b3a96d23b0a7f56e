"""Names in a proposal: what it coins for itself, and the benchmarks it will use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from ideatrail.models.offline.advisor.fieldwords import FIELD_SHARE
from ideatrail.models.offline.advisor.pieces import plain
from ideatrail.trail.oracle import Seed
from ideatrail.trail.text import STOPWORDS, fold, stem, words

_CAPITALS: Final = r"[A-Z][\w’'-]*(?:[ \t]+(?:of|for|and|with|to|via|the|by|in)(?=[ \t]+[A-Z]))?"
_EXPANDED: Final = re.compile(
    r"\b((?:[A-Z][\w’'/-]*[ \t]+(?:(?:of|for|and|with|to|via|the|by|in)[ \t]+)?){1,7})"
    r"\(([A-Z][\w-]{1,14}?)s?\)"
)
_LOWER_EXPANDED: Final = re.compile(r"\b((?:[a-z][\w’'-]*[ \t]+){1,6})\(([A-Z][A-Z-]{2,10})s?\)")
_CALLED: Final = re.compile(
    r"\b(?:call(?:ed)?|named?|dub(?:bed)?|term(?:ed)?|coined?|introduc(?:e|es|ing)|propos(?:e|"
    r"es|ing)|"
    r"present(?:s|ing)?|develop(?:s|ing)?|working name|execute|method is|framework is)[ \t:]+"
    r"(?:the[ \t]+)?(?:(?:mechanism|procedure|method|approach|framework|system)[ \t]+)?"
    rf"(?:(?:an?|the|our|is|this|it)[ \t]+)*[*_\"“]*((?:{_CAPITALS}[ \t]*){{1,6}})"
)
_SHAPED: Final = re.compile(r"(?<![\w/.-])[A-Za-z][\w]*(?:[-+][A-Za-z0-9]+)*(?![\w/])")
_BENCHMARK: Final = re.compile(
    r"[a-z][A-Z]|[A-Z]{2,}[a-z]+|[A-Z]\w*\d|^[A-Z]{4,}$|[A-Z]-[A-Z]|[a-z]\d"
)
"""The shape of a benchmark's name: capitals inside, digits, four capitals or more."""
_NAMED_DATA: Final = re.compile(
    r"\b((?:[A-Z][\w’'-]+[ \t]+){0,4}(?:[A-Z][\w’'-]+[ \t]+(?=[Dd]ataset|[Bb]enchmark|[Cc]orp)|"
    r"Bank\b))"
)
_DATA_CUE: Final = re.compile(
    r"\b(?:datasets?|benchmarks?|corpus|corpora|test ?beds?|tasks?|suites?|leaderboards?|splits?|"
    r"evaluat\w+ on|tests? on|experiments? on|data)\b",
    re.IGNORECASE,
)

COMMON_NAMES: Final = frozenset(
    """
    ai nlp ml llm llms lm lms plm plms qa nlu nlg nli mt nmt asr tts ocr ir rag icl cot rl rlhf
    rlaif dpo ppo sft lora peft moe gan vae cnn rnn lstm gru mlp mlps svm bert gpt t5 bart llama
    mistral qwen gemma claude gemini palm chatgpt deepseek openai anthropic google meta
    microsoft deepmind huggingface hf api apis json xml html yaml csv sql cpu gpu gpus ram tpu
    bleu rouge chrf comet meteor bertscore f1 em auc auroc aurc auprc roc ece mse mae rmse mrr
    ndcg map iou kl js ood id nas sgd adam adamw relu gelu ffn mha kv bpe pca tsne umap knn ner
    pos srl dl cv hci ui ux faq sota iid usa eu uk us english chinese german french spanish
    arabic hindi python java javascript rust github arxiv stem phd icml iclr neurips acl emnlp
    naacl eacl tacl coling aaai ijcai kdd www wmt semeval conll likert sec pdf url urls ok todo
    tf idf transformer transformers pytorch tensorflow sklearn numpy scipy pandas matplotlib
    instructgpt codex davinci uq cots itp ide atp smt vs vlm vlms mllm sae saes xai iot http
    https api-only anova sem ci cis iaa
    """.split()
)
"""Acronyms and names of the whole field: models, metrics, venues, tools. They give nothing away."""

_NOT_A_NAME: Final = STOPWORDS | frozenset(
    """
    step steps stage phase method methods methodology approach introduction background
    motivation evaluation experiment experiments results baseline baselines metric metrics
    dataset datasets proposal research objective objectives significance problem statement
    hypothesis expected outcome outcomes impact conclusion design data collection analysis
    related work figure table equation model models large language first second third finally
    novelty risks question questions project title abstract overview summary main key current
    existing traditional primary secondary example prompt input output test case train training
    """.split()
)


_MARKED: Final = re.compile(
    r"\b(?:call(?:ed)?|named?|dub(?:bed)?|term(?:ed)?|coin(?:ed)?|introduc\w+|propos\w+|"
    r"working name|output is)\b"
    r"[^.\n*_\"“]{0,40}(?:\*{1,2}|_|[\"“])([A-Za-z][\w-]*(?:[ -][\w-]+){0,3})(?:\*{1,2}|_|[\"”])",
    re.IGNORECASE,
)
"""A name set off by emphasis or quotes after a word of naming."""


def is_common(name: str) -> bool:
    """True for a name that belongs to the field or to any proposal, not to this one."""
    tokens = words(name)
    if not tokens or fold(name) in COMMON_NAMES:
        return True
    if re.fullmatch(
        r"(?:gpt|llama|qwen|gemini|claude|gemma|palm|o|text|deepseek|mi[sx]tral|t|phi)[\d.-].*",
        fold(name),
    ):
        return True
    if name.isupper() and len(name) > 3:
        return False  # AIME is no form of "aim"
    return all(
        t in _NOT_A_NAME or t in COMMON_NAMES or t.isdigit() or FIELD_SHARE.get(stem(t), 0) > 0.03
        for t in tokens
    )


def texts_of(value: Any) -> list[str]:
    """The strings in an `_extra` value, whatever its shape."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, dict):
        return [t for v in value.values() for t in texts_of(v)]
    if isinstance(value, Iterable):
        return [t for v in value for t in texts_of(v)]
    return []


def title_of(seed: Seed) -> str:
    """The proposal's title, plain, or an empty string."""
    titles = texts_of(seed.extra.get("title"))
    return " ".join(plain(titles[0]).split()).strip(" \"'.") if titles else ""


def coined(seed: Seed) -> list[str]:
    """Names that the proposal coins: the seed's, those before a title's colon, "we call it X"."""
    found: dict[str, str] = {}

    def add(name: str) -> None:
        name = " ".join(name.split()).strip(" .,;:'\"”“*_-()")
        tokens = name.split()
        while tokens and fold(tokens[0]) in STOPWORDS | {"novel", "new"}:
            tokens.pop(0)
        while tokens and fold(tokens[-1]) in STOPWORDS:
            tokens.pop()
        name = " ".join(tokens)
        if 2 < len(name) <= 80 and len(tokens) <= 7 and not is_common(name):
            found.setdefault(fold(name), name)

    for name in texts_of(seed.extra.get("coined_names")):
        add(name)
    head, colon, _ = title_of(seed).partition(":")
    if colon and len(head.split()) <= 5:
        add(head)
    body = plain("\n".join([title_of(seed), seed.thesis, seed.method, seed.novelty_claim]))
    raw = "\n".join([seed.thesis, seed.method, seed.novelty_claim])
    for match in _MARKED.finditer(raw):
        add(match[1])
    for match in _EXPANDED.finditer(body):
        long, short = _fit(match[1], match[2])
        if long and not is_common(short):
            add(long)
            add(short)
    for match in _LOWER_EXPANDED.finditer(body):
        long, short = _fit(match[1], match[2])
        if long and body.count(short) > 2 and not is_common(short):
            add(long)
            add(short)
    for match in _CALLED.finditer(body):
        name = match[1].strip()
        if len(name.split()) > 1 or looks_coined(name):
            add(name)
    return list(found.values())


def _fit(long: str, short: str) -> tuple[str, str]:
    """The words of `long` whose initials spell `short`, or ("", short)."""
    tokens = re.findall(r"[\w’']+", long)
    letters = [c for c in short.lower() if c.isalpha()]
    kept = [t for t in tokens if t.lower() not in STOPWORDS]
    for start in range(len(kept)):
        initials = [t[0].lower() for t in kept[start:]]
        if initials == letters:
            first = long.find(kept[start])
            return long[first:].strip(), short
    return "", short


def looks_coined(name: str) -> bool:
    """True for the shape of a coined word: capitals inside or throughout, letters with digits."""
    inner = re.sub(r"[^A-Za-z0-9]", "", name)
    capitals = sum(c.isupper() for c in inner)
    return len(inner) > 2 and (
        capitals >= 2 or (any(c.isdigit() for c in inner) and any(c.isalpha() for c in inner))
    )


def benchmarks(seed: Seed) -> list[str]:
    """Names of data sets and benchmarks: the seed's own list, and by shape where data are named."""
    own = {fold(n) for n in coined(seed)}
    elsewhere = set(re.findall(r"[\w+-]+", " ".join([seed.method, *seed.baselines])))
    found: dict[str, str] = {}

    def add(name: str) -> None:
        name = re.sub(r"[’']s$", "", name.strip(" .,;:()-"))
        short = len(name) <= 3 and name.isupper()  # PDE, GPU: words of a field, not names of data
        if len(name) < 3 or short or is_common(name) or fold(name) in own:
            return
        if name not in elsewhere or name in listed:
            found.setdefault(fold(name), name)

    listed = texts_of(seed.extra.get("dataset_names"))
    for name in listed:
        if looks_coined(name) or len(name.split()) > 1:
            add(name)
    texts = [seed.evaluation, *texts_of(seed.extra.get("datasets"))]
    for sentence in plain("\n".join(texts)).splitlines():
        if not _DATA_CUE.search(sentence):
            continue
        for match in _SHAPED.finditer(sentence):
            if _BENCHMARK.search(match[0]):
                add(match[0])
        for match in _NAMED_DATA.finditer(sentence):
            add(match[1])
    return list(found.values())
