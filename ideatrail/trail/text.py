"""Text as the checks and the engine compare it: folded, in sentences, words and stems."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

import snowballstemmer

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)
_INVISIBLE: Final = re.compile(
    "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:e\.g|i\.e|et al|cf|vs|Fig|Eq|Sec|Tab|No|Dr|Prof|resp|approx|ca)|\b[A-Z])\.$"
)
_BOUNDARY: Final = re.compile(r"(?<=[.!?])[\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z0-9\[])")

# Letters of other scripts that look like Latin ones, as used to slip a word past a match. A short
# list of the common Cyrillic and Greek ones: Unicode's confusables table is no part of the standard
# library, and whole scripts must stay readable as themselves.
_LOOKALIKE: Final = str.maketrans(
    "аеорсухіѕјԁһӏԛԝМТНВКЕАОРСХαοερτυικνΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxisjdhlqwmthbkeaopcxaoeptuiknabezhikmnoptyx",
)
_SUSPECT: Final = re.compile(f"[^ ]*[{''.join(map(chr, _LOOKALIKE))}][^ ]*")
_LATIN: Final = re.compile("[A-Za-z]")

STOPWORDS: Final[frozenset[str]] = frozenset(
    """
    a about above after again against all also although always among an and another any are as
    at be became because been before being below between both but by can cannot could did do
    does doing done down due during each either enough especially even ever every few for from
    further had has have having he her here hers him his how however i if in instead into is it
    its itself just least less let like made make makes many may me might more most much must my
    neither no nor not now of off often on once one only or other others our out over own per
    rather same shall she should since so some still such than that the their them themselves
    then there therefore these they this those three through thus to together too toward towards
    two under until up upon us use used uses using very via was we well were what when where
    whereas whether which while who whose why will with within without would yet you your
    """.split()
)


def fold(text: str) -> str:
    """NFKC, without invisible characters, look-alike letters made Latin, case folded."""
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    return text if text.isascii() else _SUSPECT.sub(_latin, text)


def _latin(match: re.Match[str]) -> str:
    """A word with its look-alikes made Latin, where it has Latin letters as well."""
    word = match.group()
    return word.translate(_LOOKALIKE) if _LATIN.search(word) else word


def words(text: str) -> list[str]:
    """The words of `text`, folded; punctuation and hyphens separate."""
    return _WORD.findall(fold(text))


_STEMMER: Final = snowballstemmer.stemmer("english")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The English Snowball stem of a folded word; words with digits stay as they are."""
    if not word.isalpha():
        return word
    return str(_STEMMER.stemWord(word))


def stems(text: str) -> list[str]:
    """Stems of the words of `text`, in order."""
    return [stem(w) for w in words(text)]


def content_stems(text: str) -> list[str]:
    """Stems without stop words and single letters, in order."""
    return [stem(w) for w in words(text) if w not in STOPWORDS and len(w) > 1]


def sentences(text: str) -> list[str]:
    """Sentences of running text; a newline always ends one."""
    out: list[str] = []
    for line in text.splitlines():
        start = 0
        for match in _BOUNDARY.finditer(line):
            piece = line[start : match.start()].strip()
            if _ABBREVIATION.search(piece):
                continue
            if piece:
                out.append(piece)
            start = match.end()
        rest = line[start:].strip()
        if rest:
            out.append(rest)
    return out


def squeeze(text: str) -> str:
    """White space joined and Unicode composed: how quotes are compared."""
    return " ".join(unicodedata.normalize("NFC", text).split())
