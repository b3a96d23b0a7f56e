"""Names of people as papers print them: initials, accents, order, particles."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

Likeness = Literal["same", "initials", "order", "none"]

_PARTICLES: Final = frozenset(
    "van von der den de del della di da dos das du la le el al bin ibn ter ten zu af".split()
)
_SUFFIXES: Final = frozenset("jr sr ii iii iv phd dr prof".split())
_LETTERS: Final = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
_WORD: Final = re.compile(r"[^\W\d_]+", re.UNICODE)


@dataclass(frozen=True)
class Name:
    """A name taken apart; all parts folded to plain letters."""

    given: tuple[str, ...]
    """Given names and initials, first one first; empty for a single word."""
    surname: str
    """With its particles, joined by spaces."""
    split: bool = False
    """Whether a comma told which part is the surname."""


def plain(text: str) -> str:
    """`text` in small letters without accents."""
    low = unicodedata.normalize("NFKC", text).casefold().translate(_LETTERS)
    parts = unicodedata.normalize("NFKD", low)
    return "".join(c for c in parts if not unicodedata.combining(c))


@lru_cache(maxsize=200_000)
def parse(text: str) -> Name:
    """The name in `text`: `John Smith`, `J. Smith`, `Smith, John`, `Vincent van Gogh`."""
    head, comma, tail = text.partition(",")
    if comma and not _SUFFIXES.issuperset(_WORD.findall(plain(tail)) or ["x"]):
        return Name(_given(tail), " ".join(_WORD.findall(plain(head))), split=True)
    found = [w for w in _pieces(head) if w not in _SUFFIXES]
    if len(found) < 2:
        return Name((), " ".join(found))
    start = len(found) - 1
    while start > 1 and found[start - 1] in _PARTICLES:
        start -= 1
    given = tuple(w for piece in found[:start] for w in _parts(piece))
    return Name(given, " ".join(w for piece in found[start:] for w in _WORD.findall(piece)))


def likeness(one: Name, other: Name) -> Likeness:
    """How two names may be one person's.

    `same`: equal but for accents, hyphens and middle names. `initials`: equal as far as an initial
    goes. `order`: given name and surname are exchanged. `none`: they are two people's.
    """
    if one.surname == other.surname and one.surname:
        return _given_alike(one.given, other.given)
    if len(one.given) == len(other.given) == 1 and not (one.split or other.split):
        swapped = one.given[0] == other.surname and other.given[0] == one.surname
        if swapped and min(len(one.given[0]), len(one.surname)) > 1:
            return "order"
    return "none"


def bears(wanted: Name, text: str) -> bool:
    """Whether the name `text` may be that of `wanted`."""
    return likeness(wanted, parse(text)) != "none"


def _given_alike(one: tuple[str, ...], other: tuple[str, ...]) -> Likeness:
    if "".join(one) == "".join(other):
        return "same" if any(len(w) > 1 for w in one) or not one else "initials"
    if not one or not other:
        return "none"  # a surname alone is nobody's in particular
    if not _meet(one[0], other[0]):
        return "none"
    short, long = sorted((one[1:], other[1:]), key=len)
    # Middle names may be left out, but not contradict each other.
    at = 0
    for word in short:
        while at < len(long) and not _meet(word, long[at]):
            at += 1
        if at == len(long):
            return "none"
        at += 1
    full = len(one[0]) > 1 and len(other[0]) > 1
    return "same" if full else "initials"


def _meet(one: str, other: str) -> bool:
    if len(one) == 1 or len(other) == 1:
        return one[0] == other[0]
    return one == other


def _pieces(text: str) -> list[str]:
    """Words with their hyphens: `kai-wei` is one piece of a name."""
    spaced = re.sub(r"\.(?=\S)", ". ", plain(text))
    return [p.strip(".-'’") for p in spaced.split() if _WORD.search(p)]


def _given(text: str) -> tuple[str, ...]:
    return tuple(w for piece in _pieces(text) for w in _parts(piece))


def _parts(piece: str) -> list[str]:
    """A hyphenated given name is one (`Wei-Chung` is no `Wei`), hyphenated initials are two."""
    found = _WORD.findall(piece)
    return found if all(len(w) == 1 for w in found) else ["".join(found)]
