"""One ranked list of works out of the lists that several sources gave.

Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): scores of different engines cannot be
compared, ranks can. The records of one work, found under different ids, become one result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.works import groups, newness

DAMPING: Final = 60
"""The constant of reciprocal rank fusion: how little the first rank outweighs the tenth."""


@dataclass(frozen=True, slots=True)
class Work:
    """A work found: the record of it to show, and all its addresses."""

    paper: Paper
    aliases: tuple[str, ...]
    lists: tuple[int, ...] = ()
    """Numbers of the lists that it stood in."""


def fuse(lists: Sequence[Iterable[Paper]]) -> tuple[Work, ...]:
    """Works, best first, ties in the order of their records.

    `lists` hold admitted records, best first; a record's `aliases` may already name other records
    of the work. A work counts once a list, by its best rank there.
    """
    records: list[Paper] = []
    ranks: list[tuple[int, int]] = []
    """(list, rank) of each record."""
    for number, papers in enumerate(lists):
        for rank, paper in enumerate(papers):
            records.append(paper)
            ranks.append((number, rank))
    found: list[tuple[float, Work]] = []
    for group in groups(records):
        best: dict[int, int] = {}
        for at in group:
            number, rank = ranks[at]
            best[number] = min(rank, best.get(number, rank))
        score = sum(1 / (DAMPING + rank) for _, rank in sorted(best.items()))
        newest = max((records[at] for at in group), key=newness)
        also = dict.fromkeys(
            [*newest.aliases, *sorted(a for at in group for a in records[at].aliases)]
        )
        found.append((score, Work(newest, tuple(also), tuple(sorted(best)))))
    found.sort(key=lambda pair: (-pair[0], pair[1].paper.order))
    return tuple(work for _, work in found)


def described(text: Paper, record: Paper) -> Paper:
    """The whole text that a page gave, under what a record says of the same work.

    Pages state their title, authors and date poorly or not at all; readers cite by them.
    """
    return replace(
        text,
        id=record.id,
        title=record.title,
        authors=record.authors or text.authors,
        venue=record.venue or text.venue,
        date=record.date,
        url=record.url,
        doi=record.doi,
        aliases=tuple(dict.fromkeys([*record.aliases, *text.aliases])),
        published=record.published,
        shown=record.shown.until(text.shown) if record.shown and text.shown else None,
    )
