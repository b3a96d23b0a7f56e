"""The papers that may be read for a portrait: as they stood at the cutoff, without the target."""

from __future__ import annotations

import difflib
import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.quarantine import names_later
from ideatrail.evidence.withheld import Withheld
from ideatrail.evidence.works import editions
from ideatrail.portraits.names import Name, bears, parse, plain
from ideatrail.trail.text import stems

SAMPLE: Final = 12_000
"""Papers by which it is judged how common a phrase is: the share is then good to half a percent."""
_SPARE: Final = 500
_LONGEST: Final = 5
"""Stems of the longest phrase that is counted."""
_NEAR: Final = 3


class PortraitError(ValueError):
    """No portrait can be made: one clear line."""


@dataclass(frozen=True)
class Shelf:
    """What the as-of view holds of an author, and of everybody's writing."""

    name: Name
    papers: tuple[Paper, ...]
    """One record a work, oldest first; by anybody who bears the name."""
    sample: tuple[Paper, ...]
    """Admitted papers in an order that rests on their ids alone."""
    bearers: Counter[str]
    """Papers by author, as names are printed; all admitted papers."""

    @cached_property
    def sample_size(self) -> int:
        """Papers among which phrases are counted."""
        return len(self.sample)

    def frequencies(self, phrases: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
        """In how many papers of the sample, the author's own left out, each run of stems stands."""
        wanted = {p for p in phrases if 0 < len(p) <= _LONGEST}
        first = {p[0] for p in wanted}
        sizes = sorted({len(p) for p in wanted})
        own = {p.id for p in self.papers}
        found: Counter[tuple[str, ...]] = Counter()
        for paper, run in zip(self.sample, self._runs, strict=True):
            if paper.id in own:
                continue
            here: set[tuple[str, ...]] = set()
            for at, word in enumerate(run):
                if word in first:
                    here.update(g for n in sizes if (g := run[at : at + n]) in wanted)
            found.update(here)
        return {p: found[p] for p in wanted}

    @cached_property
    def _runs(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(stems(text_of(p))) for p in self.sample)


def text_of(paper: Paper) -> str:
    """Title and text, a sentence apart."""
    return "\n".join((paper.title, *paper.body))


def open_shelf(corpus: Corpus, cutoff: Cutoff, withheld: Withheld, author: str) -> Shelf:
    """All that a portrait of `author` may rest on.

    The target, its other editions and every text that tells of it are left out, as are papers from
    after the cutoff and texts that speak of later things: nothing made from the shelf can hold
    them.

    Raises:
        PortraitError: nobody of that name has a paper there.
    """
    name = parse(author)
    if not name.surname:
        raise PortraitError(f"{author!r} is no name: give one as papers print it")
    withheld = withheld.spread(corpus.papers) if withheld.titles or withheld.addresses else withheld
    mine: list[Paper] = []
    later: list[Paper] = []
    bearers: Counter[str] = Counter()
    dated: list[tuple[bytes, int, Paper]] = []
    for at, paper in enumerate(corpus.papers):
        wanted = any(bears(name, a) for a in paper.authors)
        if not cutoff.admits(paper.shown):
            if wanted:
                later.append(paper)
            continue
        bearers.update(dict.fromkeys(paper.authors, 1))
        if wanted and _may_be_read(paper, cutoff, withheld):
            mine.append(paper)
        _keep(dated, (_mark(paper), -at, paper))
    if not mine:
        raise PortraitError(_nobody(author, name, later, bearers, cutoff, withheld))
    works = [paper for paper, _ in editions(sorted(mine, key=lambda p: p.order))]
    chosen = (p for _, _, p in sorted(dated, reverse=True))
    sample = [p for p in chosen if _may_be_read(p, cutoff, withheld)][:SAMPLE]
    return Shelf(name, tuple(sorted(works, key=age)), tuple(sample), bearers)


def age(paper: Paper) -> tuple[str, str]:
    """Sorts papers, the oldest first."""
    when = paper.published or paper.shown
    return (when.earliest.isoformat() if when else "", paper.id)


def _may_be_read(paper: Paper, cutoff: Cutoff, withheld: Withheld) -> bool:
    if withheld.hides(paper) or any(withheld.hides_url(a) for a in paper.aliases):
        return False
    return not any(names_later(text, cutoff) for text in (paper.title, *paper.body))


def _mark(paper: Paper) -> bytes:
    return hashlib.sha256(paper.id.encode("utf-8", "surrogatepass")).digest()[:8]


def _keep(held: list[tuple[bytes, int, Paper]], one: tuple[bytes, int, Paper]) -> None:
    """Keep the largest marks: which papers they are depends on no other corpus, no later paper."""
    if len(held) < SAMPLE + _SPARE:
        heapq.heappush(held, one)
    else:
        heapq.heappushpop(held, one)


def _nobody(
    author: str,
    name: Name,
    later: list[Paper],
    bearers: Counter[str],
    cutoff: Cutoff,
    withheld: Withheld,
) -> str:
    known = [p for p in later if not withheld.hides(p) and p.shown is not None]
    if known:
        first = min(known, key=age)
        return (
            f"the first paper of {author} in this corpus is of {first.date}, after the cutoff "
            f"{cutoff.text}: give a later --cutoff"
        )
    near = list(_near(author, name, bearers))
    hint = f"; near names: {', '.join(near)}" if near else "; no name comes near"
    return f"no paper up to {cutoff.text} in this corpus names {author!r} as an author{hint}"


def _near(author: str, name: Name, bearers: Counter[str]) -> Iterator[str]:
    """Names that may have been meant, likeliest first."""
    forms: dict[str, str] = {}
    for bearer, _ in sorted(bearers.items(), key=lambda b: (-b[1], b[0])):
        forms.setdefault(plain(bearer), bearer)
    same = [f for f in forms if parse(forms[f]).surname == name.surname]
    wanted = plain(author)
    ranked = sorted(same, key=lambda f: -difflib.SequenceMatcher(None, wanted, f).ratio())
    close = difflib.get_close_matches(wanted, forms, n=_NEAR, cutoff=0.75)
    yield from (forms[f] for f in list(dict.fromkeys([*close, *ranked]))[:_NEAR])
