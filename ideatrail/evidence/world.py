"""The world of evidence as it stood on the cutoff, without the target.

It is built before the graph runs, and the Generator's side reaches it only through tool results.
What sources give is held against the cutoff, the withheld set and the quarantine here, once for
all of them, whatever they promise.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff, Interval
from ideatrail.evidence.fusion import Work, described, fuse
from ideatrail.evidence.index import AsOfIndex, Ranked, as_of
from ideatrail.evidence.paper import RICHNESS, Kind, Paper
from ideatrail.evidence.quarantine import names_later
from ideatrail.evidence.snippet import snippet
from ideatrail.evidence.source import EvidenceError, Source
from ideatrail.evidence.urls import canonical, locate
from ideatrail.evidence.withheld import NOTHING_WITHHELD, Withheld
from ideatrail.trail.text import content_stems

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
    sources: tuple[str, ...] = ("index",)
    """Names of the sources that gave it. The Generator is not told."""


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


@dataclass(frozen=True, slots=True)
class Results:
    """What a search gave."""

    hits: tuple[Hit, ...]
    partial: bool = False
    """Whether a source could not be asked, or stopped short: there may be more."""


_SMALL: Final = 20_000
"""Papers up to which a search runs where it is called."""
_SPARE: Final = 15
"""Results that a source is asked for beyond those wanted: what is hidden must leave no gap."""
_FORMS: Final = 4
"""Addresses of a work under which its text is looked for."""
_SAME: Final = 0.6
"""Share of a title's stems that a page must hold to be taken for the work's text."""
_FAR: Final = 6_000
"""Characters of a page in which its title must stand."""


@dataclass(frozen=True)
class World:
    """Search and pages under one cutoff. Immutable; shared by as many trails as have the same."""

    corpus: Corpus
    cutoff: Cutoff
    withheld: Withheld = NOTHING_WITHHELD
    sources: tuple[Source, ...] = ()
    """Asked besides the corpus's index, in this order where they are equally good."""
    indexed: bool = True
    """Whether the corpus's index is asked at all."""

    @cached_property
    def index(self) -> AsOfIndex:
        """The papers of the corpus that can be seen. Built on first use."""
        return as_of(self.corpus, self.cutoff, self.withheld)

    async def search(self, query: str, max_results: int = 10) -> Results:
        """The best hits for `query`, which may be any text.

        The index takes about a millisecond, so that it runs where it is called; sources are asked
        side by side. Raises EvidenceError where none of them could look.
        """
        lists: list[Sequence[Paper]] = []
        names: list[str] = []
        if self.indexed:
            ranked = await self._ranked(query, max_results)
            lists.append([replace(r.paper, aliases=r.aliases) for r in ranked])
            names.append("index")
        wanted = max_results + _SPARE
        answers = await asyncio.gather(
            *(source.search(query, wanted, self.cutoff) for source in self.sources),
            return_exceptions=True,
        )
        failures: list[EvidenceError] = []
        partial = False
        for source, answer in zip(self.sources, answers, strict=True):
            if isinstance(answer, EvidenceError):
                failures.append(answer)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                partial |= answer.partial
                lists.append(self._admitted(answer.papers))
                names.append(source.name)
        works = fuse(lists)[:max_results]
        if not works and failures:
            raise failures[0]
        hits = tuple(self._hit(query, work, names) for work in works)
        return Results(hits, partial=partial or bool(failures))

    async def _ranked(self, query: str, max_results: int) -> tuple[Ranked, ...]:
        """The index's hits. A small one takes a millisecond; a large one would hold up the loop."""
        if len(self.corpus.papers) <= _SMALL:
            return self.index.search(query, max_results)
        return await asyncio.to_thread(lambda: self.index.search(query, max_results))

    async def scrape(self, url: str) -> Page:
        """The page of an address in any of its forms, with the whole text where a source has it.

        Raises EvidenceError, with one ending and one text for all addresses without a page here.
        """
        place = locate(url)
        address = place.url
        if self.withheld.hides_url(address):
            raise EvidenceError("nothing_found")
        record = self.index.page(address) if self.indexed else None
        paper, failure = record, None
        if self.sources and (record is None or record.kind != "full text"):
            # A version that was asked for by its number is that one, where it had stood.
            asked = f"{address}{place.version}" if place.version else address
            paper, failure = await self._opened(asked, record)
        if paper is not None and paper.shown is not None:
            return page_of(paper, paper.shown)
        raise failure or EvidenceError("nothing_found")

    async def _opened(
        self, address: str, record: Paper | None
    ) -> tuple[Paper | None, EvidenceError | None]:
        """The richest that any source has of a page, no poorer than `record`; and why a source
        could not look, where one could not."""
        forms = list(dict.fromkeys([address, canonical(address)]))
        if record is not None:
            known = (a for a in record.aliases if not self.withheld.hides_url(a))
            forms += [a for a in known if a not in forms]
        best, failure = record, None
        for source in self.sources:
            for form in forms[:_FORMS]:
                try:
                    found = await source.open(form, self.cutoff)
                except EvidenceError as error:
                    # An answer that there is none is no failure; what one form lacks another has.
                    failure = failure or (error if error.ending != "nothing_found" else None)
                    continue
                if found is None or not self._admitted([found]):
                    continue
                if record is not None:
                    if not _is_text_of(record, found):
                        continue
                    found = described(found, record)
                if best is None or RICHNESS[found.kind] > RICHNESS[best.kind]:
                    best = found
                if best.kind == "full text":
                    return best, None
        return best, failure

    def _admitted(self, papers: Iterable[Paper]) -> list[Paper]:
        """Those that may be seen. Records of the target under ids that only these records tell are
        hidden with it."""
        records = list(papers)
        withheld = self.withheld.spread(records)
        return [
            paper
            for paper in records
            if self.cutoff.admits(paper.shown)
            and not withheld.hides(paper)
            and not any(withheld.hides_url(a) for a in paper.aliases)
            and not any(names_later(text, self.cutoff) for text in (paper.title, *paper.body))
        ]

    def _hit(self, query: str, work: Work, names: Sequence[str]) -> Hit:
        paper = work.paper
        if paper.shown is None:
            raise RuntimeError(f"an undated paper was admitted: {paper.id}")
        return Hit(
            id=paper.id,
            title=paper.title,
            authors=paper.authors,
            venue=paper.venue,
            date=paper.date,
            url=paper.url,
            snippet=snippet(paper.body, query, self._weight),
            published=paper.shown,
            aliases=work.aliases,
            kind=paper.kind,
            sources=tuple(names[at] for at in work.lists),
        )

    def _weight(self, token: str) -> float:
        return self.index.weight(token) if self.indexed else 1.0


def _is_text_of(record: Paper, page: Paper) -> bool:
    """Whether a page is of the work that `record` tells of, and says more than it: archives also
    keep log-in walls and error pages under a paper's address."""
    if sum(map(len, page.body)) <= sum(map(len, record.body)):
        return False
    stems = set(content_stems(record.title))
    begun = f"{page.title} {' '.join(page.body)}"[:_FAR]
    return len(stems & set(content_stems(begun))) >= _SAME * len(stems)


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
