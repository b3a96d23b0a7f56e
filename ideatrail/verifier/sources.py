"""What the public record holds on each source: facts, passages, and how much of it was seen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from ideatrail.trail.text import squeeze, words
from ideatrail.verifier.observation import Listing

Depth = Literal["snippet", "summary", "abstract", "full text"]

FULL_TEXT_CHARS: Final = 6_000
"""A page of more text is no abstract: of 53,299 in the ACL Anthology two are longer."""


@dataclass(frozen=True)
class Passage:
    """A stretch of one observation that speaks of one source."""

    call_id: str
    text: str
    """Squeezed: single spaces, NFC."""
    kind: Literal["snippet", "page"]


@dataclass
class SourceRecord:
    """One work as observed so far. Grows with the trail."""

    url: str
    """Canonical."""
    titles: set[str] = field(default_factory=set)
    """Folded words, joined by spaces."""
    shown_title: str = ""
    authors: tuple[str, ...] = ()
    years: set[str] = field(default_factory=set)
    venue: str = ""
    passages: list[Passage] = field(default_factory=list)
    summary: bool = False
    """Its page says that the text is not the authors' own."""
    page_chars: int = 0
    paged: bool = False
    """Its page was scraped or viewed, not only listed."""
    surnames: frozenset[str] = frozenset()
    """Folded last names of all authors, with every word of the first author's name."""

    def learn(self, fact: Listing) -> None:
        """Take in what a listing or a page's head says."""
        if fact.title:
            self.titles.add(" ".join(words(fact.title)))
            self.shown_title = self.shown_title or fact.title
        named = fact.authors and fact.authors != ("unknown authors",)
        if named and not self.authors:
            first = words(fact.authors[0])
            last = (w for a in fact.authors for w in words(a)[-1:])
            self.authors, self.surnames = fact.authors, frozenset([*first, *last])
        if fact.year:
            self.years.add(fact.year)
        self.venue = self.venue or fact.venue

    @property
    def depths(self) -> frozenset[Depth]:
        """What may be said of how much of it was read."""
        if not self.paged:
            return frozenset({"snippet"})
        if self.summary:
            return frozenset({"snippet", "summary"})
        if self.page_chars > FULL_TEXT_CHARS:
            return frozenset({"snippet", "abstract", "full text"})
        return frozenset({"snippet", "abstract"})

    def holds(self, quote: str) -> Passage | None:
        """The first passage that holds `quote` word for word, white space squeezed."""
        wanted = squeeze(quote)
        return next((p for p in self.passages if wanted in p.text), None)

    def first_author(self, written: str) -> bool:
        """Whether `written` names the first author: part of the name that ends or begins it."""
        if not self.authors:
            return True
        name = words(self.authors[0])
        given = words(_first_name(written))
        return bool(given) and set(given) <= set(name) and bool({name[-1], name[0]} & set(given))


def _first_name(written: str) -> str:
    return re.split(r"\s+(?:and|&)\s+|;", re.sub(r"\s+et al\.?$", "", written.strip()))[0]


def nearest(quote: str, passages: Iterable[Passage]) -> str:
    """The stretch of the passages that shares most words with `quote`; for reports."""
    wanted = set(words(quote))
    best, score = "", 0.0
    for passage in passages:
        for piece in re.split(r"(?<=[.!?]) ", passage.text):
            found = set(words(piece))
            common = len(wanted & found)
            value = common / (len(wanted | found) or 1)
            if value > score:
                best, score = piece, value
    return best[:300]


def squash(title: str) -> str:
    """A title as titles are compared."""
    return " ".join(words(title))
