"""anachronism: a year, id, name or term from after the cutoff that no observation held.

Plain words are free, whenever they first stood in a paper; names, acronyms and coined terms are
not. The verdict names a part only, since the index it rests on holds later papers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ideatrail.evidence.dates import Cutoff
from ideatrail.trail.text import STOPWORDS
from ideatrail.trail.verdict import Code
from ideatrail.verifier.case import Case, Spot
from ideatrail.verifier.known_names import late_names
from ideatrail.verifier.means import Bench, Means, Need, Opinion
from ideatrail.verifier.view import View

_MONTHS: Final = (
    "january february march april may june july august september october november december".split()
)
_MONTH: Final = "|".join([*_MONTHS, *(m[:3] for m in _MONTHS), "sept"])
_ISO: Final = re.compile(
    r"(?<![\d.-])(20\d\d)[-/](0[1-9]|1[0-2])(?:[-/](0[1-9]|[12]\d|3[01]))?(?![\d-])"
)
_NAMED: Final = re.compile(
    rf"\b({_MONTH})\.?,? (?:of )?(?:\d{{1,2}}(?:st|nd|rd|th)?,? )?(20\d\d)\b", re.I
)
_EDITION: Final = re.compile(r"\b[A-Z][A-Za-z]{1,11} ?['’](\d\d)\b")
"""`ACL'25`, an edition by its last two digits."""
_YEAR: Final = re.compile(
    r"(?<![\w.,/%$€£-])(?:late[ -]|mid[ -]|early[ -])?(20\d\d)(?![\w%]|[.,]\d|[-/]\d)"
)
_COUNTED: Final = re.compile(
    r"^[- ](?:[a-z]+ed |[a-z]+ing |[a-z]*al |[a-z]+-?)?[a-z-]{3,}(?:s|data|px|ms|gb|mb|kb|bits?)\b"
)
_DATED_BEFORE: Final = re.compile(
    r"(?:\b(?:[Ii]n|[Ss]ince|[Bb]y|[Ff]rom|[Uu]ntil|till|[Dd]uring|[Bb]efore|[Aa]fter|year|early|late|mid)"
    r"|\(|\b[A-Z][A-Za-z]+)\s*$"
)
_MATHS_BEFORE: Final = re.compile(
    r"(?:[=<>≤≥~≈×x*+^]|\b(?:about|roughly|around|over|than|only|all|up to))\s*$", re.I
)
_ARXIV: Final = re.compile(
    r"(?<![\w.])(?:arxiv[:/]\s?(?:abs/|pdf/)?)?(\d{2})(0[1-9]|1[0-2])\.(\d{5})(?:v\d+)?(?![\w.]\d)",
    re.I,
)
_ANTHOLOGY: Final = re.compile(r"(?<!\w)(20\d\d)\.[a-z0-9_]+-[a-z0-9_]+\.\d+", re.IGNORECASE)
_NAME: Final = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?:\.\d+)?(?![\w-])")
_RUN: Final = re.compile(
    r"(?<=[a-z,;(] )[A-Z][a-z]+(?:[ -](?:of|for|and|the|in|to|with))?(?:[ -][A-Z][a-z]+){1,5}"
)

FARTHEST: Final = 15
"""Years after the cutoff up to which a number is taken for a year: 2048 is a size."""


class AnachronismCheck:
    """What nobody could have known by the cutoff."""

    name = "anachronism"
    codes: frozenset[Code] = frozenset({"anachronism"})
    needs: frozenset[Need] = frozenset({"corpus"})

    def __init__(self, means: Means) -> None:
        self._cutoff = means.cutoff
        self._lexicon = means.lexicon
        self._late: dict[str, bool] = {}

    def judge(self, case: Case, view: View) -> Opinion:
        """Years, ids and names in every text of the draft."""
        layers = ("date", "identifier", "known name", "first seen")
        bench = Bench(self.name, "anachronism", layers)
        if self._cutoff is None:
            for layer in layers:
                bench.skip(layer, "no cutoff was given")
            return bench.opinion()
        if self._lexicon is None:
            bench.skip("first seen", "no paper index was given")
        for spot in case.spots:
            if spot.kind == "old":
                continue
            for layer, words in self._late_in(spot, self._cutoff):
                if not view.shown.verbatim(words):
                    bench.hit(layer, spot.pointer, words)
        return bench.opinion()

    def _late_in(self, spot: Spot, cutoff: Cutoff) -> Iterator[tuple[str, str]]:
        text = spot.text
        for words in _dates(text, cutoff):
            yield "date", words
        for match in _ARXIV.finditer(text):
            if f"20{match.group(1)}-{match.group(2)}" > cutoff.day[:7]:
                yield "identifier", ".".join((match.group(1) + match.group(2), match.group(3)))
        for match in _ANTHOLOGY.finditer(text):
            if match.group(1) > cutoff.day[:4]:
                yield "identifier", match.group()
        for name in late_names(text, cutoff):
            yield "known name", name
        if self._lexicon is not None:
            for name in self._names(text):
                if self._is_late(name, cutoff):
                    yield "first seen", name

    def _names(self, text: str) -> dict[str, None]:
        """Candidates in order: coined words, acronyms, names inside sentences, compounds."""
        found: dict[str, None] = {}
        for match in _NAME.finditer(text):
            word = match.group()
            if len(word) < 3 or word.casefold() in STOPWORDS:
                continue
            capitals = sum(c.isupper() for c in word)
            digits = any(c.isdigit() for c in word)
            made = capitals > 1 or (capitals and digits) or (word.islower() and "-" in word)
            before = text[max(0, match.start() - 2) : match.start()]
            if made or (word[0].isupper() and before.endswith(_INSIDE)):
                found[word] = None
        for match in _RUN.finditer(text):
            found[match.group()] = None
        return found

    def _is_late(self, name: str, cutoff: Cutoff) -> bool:
        """Whether the index has `name` often, and only after the cutoff. One paper is no use of a
        name: a trail may coin the same."""
        if name not in self._late:
            self._late[name] = self._judge_name(name, cutoff)
        return self._late[name]

    def _judge_name(self, name: str, cutoff: Cutoff) -> bool:
        lexicon = self._lexicon
        if lexicon is None:
            return False
        coined = sum(c.isupper() for c in name) > 1 and " " not in name
        if coined or any(c.isdigit() for c in name):
            # Papers spell a coined name in more ways than one; by all of them it has to be late.
            if max(lexicon.name_frequency(name), lexicon.frequency(name)) < 2:
                return False
            first = lexicon.first_name(name)
            folded = lexicon.first(name)
            if folded is not None and cutoff.admits(folded):
                return False
        else:
            if lexicon.frequency(name) < (5 if name.islower() else 3):
                return False
            first = lexicon.first(name)
        return first is not None and not cutoff.admits(first)


_INSIDE: Final = tuple(f"{c} " for c in "abcdefghijklmnopqrstuvwxyz,;")


def _dates(text: str, cutoff: Cutoff) -> Iterator[str]:
    last = int(cutoff.day[:4])
    for match in _ISO.finditer(text):
        day = "-".join(g for g in match.groups() if g)
        if day > cutoff.day[: len(day)] and int(match.group(1)) <= last + FARTHEST:
            yield match.group()
    for match in _NAMED.finditer(text):
        number = next(i for i, m in enumerate(_MONTHS, 1) if m[:3] == match.group(1).lower()[:3])
        if f"{match.group(2)}-{number:02}" > cutoff.day[:7]:
            yield match.group()
    for match in _EDITION.finditer(text):
        if last < 2000 + int(match.group(1)) <= last + FARTHEST:
            yield match.group()
    for match in _YEAR.finditer(text):
        if last < int(match.group(1)) <= last + FARTHEST:
            before, after = text[: match.start()][-20:], text[match.end() :][:40]
            if _MATHS_BEFORE.search(before):
                continue
            if _COUNTED.match(after) and not _DATED_BEFORE.search(before):
                continue
            yield match.group(1)
