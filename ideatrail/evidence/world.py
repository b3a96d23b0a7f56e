"""The world of evidence as it stood on the cutoff, without the target.

It is built before the graph runs, and the Generator's side reaches it only through tool results.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff, Interval
from ideatrail.evidence.index import AsOfIndex, Ranked, as_of
from ideatrail.evidence.paper import Kind, Paper
from ideatrail.evidence.snippet import snippet
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.urls import canonical
from ideatrail.evidence.withheld import NOTHING_WITHHELD, Withheld

SUMMARY_NOTE: Final = "Summary written by the IdeaTrail project; not the authors' own words."
"""Opens the text of every page whose words are ours."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result."""

    id: str
    title: str
    authors: tuple[str, ...]
    venue: str
    date: str
    """As the source gives it."""
    url: str
    snippet: str
    """At most 240 characters of the text, verbatim but for an ellipsis at either end."""
    published: Interval
    """From publication to the latest moment that the text can date from."""
    aliases: tuple[str, ...]
    """All canonical addresses of the work, as far as admitted records tell them."""
    kind: Kind


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is scraped."""

    title: str
    authors: tuple[str, ...]
    venue: str
    date: str
    url: str
    paragraphs: tuple[str, ...]
    """Each on one line. A summary's first one is `note`."""
    kind: Kind
    published: Interval
    note: str
    """SUMMARY_NOTE for a summary, else empty."""


@dataclass(frozen=True)
class World:
    """Search and pages under one cutoff. Immutable; shared by as many trails as have the same."""

    corpus: Corpus
    cutoff: Cutoff
    withheld: Withheld = NOTHING_WITHHELD

    @cached_property
    def index(self) -> AsOfIndex:
        """The papers that can be seen. Built on first use."""
        return as_of(self.corpus, self.cutoff, self.withheld)

    async def search(self, query: str, max_results: int = 10) -> tuple[Hit, ...]:
        """The best hits for `query`, which may be any text. Takes about a millisecond, so that it
        runs where it is called."""
        return tuple(self._hit(query, found) for found in self.index.search(query, max_results))

    async def scrape(self, url: str) -> Page:
        """The page of an address in any of its forms.

        Raises EvidenceError, with one ending and one text for all addresses without a page here.
        """
        paper = self.index.page(canonical(url))
        if paper is None or paper.shown is None:
            raise EvidenceError("nothing_found")
        return page_of(paper, paper.shown)

    def _hit(self, query: str, found: Ranked) -> Hit:
        paper = found.paper
        if paper.shown is None:
            raise RuntimeError(f"an undated paper was admitted: {paper.id}")
        return Hit(
            id=paper.id,
            title=paper.title,
            authors=paper.authors,
            venue=paper.venue,
            date=paper.date,
            url=paper.url,
            snippet=snippet(paper.body, query, self.index.weight),
            published=paper.shown,
            aliases=found.aliases,
            kind=paper.kind,
        )


def page_of(paper: Paper, published: Interval) -> Page:
    """A paper as a page."""
    note = SUMMARY_NOTE if paper.kind == "summary" else ""
    return Page(
        title=paper.title,
        authors=paper.authors,
        venue=paper.venue,
        date=paper.date,
        url=paper.url,
        paragraphs=(note, *paper.body) if note else paper.body,
        kind=paper.kind,
        published=published,
        note=note,
    )
