"""Key phrases of running text, and the lens through which the direction looks at what is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from ideatrail.models.offline.wordlists import GENERIC, VERBS
from ideatrail.trail.text import STOPWORDS, stem, words

_TOKEN: Final = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*", re.UNICODE)


_ADDRESS: Final = re.compile(r"\b(?:https?://|www\.)\S+|\b[\w-]+\.(?:com|org|io|edu|net)\b\S*")
_BREAK: Final = re.compile(r"[.,;:!?()\[\]{}\"“”—–…|]|\s-\s")


@dataclass(frozen=True)
class Phrase:
    """A key phrase as it stood in a text."""

    text: str
    stems: tuple[str, ...]


@lru_cache(maxsize=8192)
def key_phrases(text: str, longest: int = 4) -> tuple[Phrase, ...]:
    """Noun-like phrases of one to `longest` words in order of first appearance, duplicates out."""
    found: dict[tuple[str, ...], Phrase] = {}
    for piece in _BREAK.split(_ADDRESS.sub(" . ", text)):
        run: list[str] = []
        for token in [*_TOKEN.findall(piece), ""]:
            low = token.lower()
            if token and low not in STOPWORDS and low not in VERBS and not _adverb(low):
                run.append(token)
                continue
            for phrase in _trim(run, longest):
                found.setdefault(phrase.stems, phrase)
            run = []
    return tuple(found.values())


def _adverb(low: str) -> bool:
    return (
        low.endswith("ly") and len(low) > 4 and low not in ("family", "reply", "supply", "anomaly")
    )


def _ends(run: list[str]) -> list[str]:
    """The run without words at either end with which no noun phrase begins or ends."""
    while run and (_weak(run[0]) or run[0].isdigit()):
        run = run[1:]
    while run and (_weak(run[-1]) or run[-1].isdigit() or (_loose_end(run[-1]) and len(run) > 1)):
        run = run[:-1]
    return run


def _trim(run: list[str], longest: int) -> list[Phrase]:
    run = _ends(run)
    if not run:
        return []
    pieces = [run] if len(run) <= longest else [_ends(run[:longest]), _ends(run[-longest:])]
    out = []
    for piece in pieces:
        if not piece:
            continue
        single = piece[0]
        if len(piece) == 1 and not (
            "-" in single or (single.isupper() and len(single) > 2) or len(single) > 6
        ):
            continue
        if len(piece) == 1 and "-" not in single and not single.isupper() and not noun_like(single):
            continue
        stems_of = tuple(stem(w) for token in piece for w in words(token))
        if stems_of and sum(len(t) for t in piece) > 4:
            out.append(Phrase(" ".join(piece), stems_of))
    return out


_NOUN_END: Final = re.compile(
    r"(?:tion|sion|ment|ness|ity|ance|ence|ism|ship|ure|cy|sis|logy|back|match|ary|ator|ifier|"
    r"[^su]s)s?$"
)


def noun_like(token: str) -> bool:
    """Whether a single word looks like a noun; without a tagger only its ending can tell."""
    low = token.lower()
    return bool(_NOUN_END.search(low)) and low not in ("sometimes", "always", "perhaps", "besides")


def _loose_end(token: str) -> bool:
    """An adjective or participle, with which no noun phrase ends."""
    low = token.lower()
    return low.endswith(("ed", "able", "ible", "ful", "ous", "less", "ically")) and len(low) > 4


def _weak(token: str) -> bool:
    return token.lower() in GENERIC or len(token) < 2


@lru_cache(maxsize=4096)
def all_stems(lines: tuple[str, ...]) -> frozenset[str]:
    """Stems of all words of these lines."""
    return frozenset(stem(w) for line in lines for w in words(line))


@lru_cache(maxsize=16384)
def topic_stems(text: str) -> frozenset[str]:
    """Content stems without the words that any abstract holds."""
    return frozenset(
        stem(w) for w in words(text) if w not in STOPWORDS and w not in GENERIC and len(w) > 2
    )


@lru_cache(maxsize=16384)
def adjacent_stems(text: str) -> frozenset[tuple[str, str]]:
    """Pairs of stems that stand side by side."""
    run = [stem(w) for w in words(text)]
    return frozenset(pairwise(run))


def lowered(text: str) -> str:
    """Words of a title in running text: capitals go where more than one word has them."""
    tokens = text.split(" ")
    titled = [bool(_TITLED.fullmatch(t)) for t in tokens]
    if len(tokens) > 1 and all(titled):
        return text.lower()
    return " ".join([tokens[0].lower() if titled[0] else tokens[0], *tokens[1:]])


_TITLED: Final = re.compile(r"[A-Z][a-z]+(?:-[A-Z]?[a-z]+)*")
