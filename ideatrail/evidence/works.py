"""Which records are of one work: a preprint and its proceedings paper, two snapshots of one id.

Groups are made among admitted papers only. A later record may carry the link between two earlier
ones; were it looked at, its existence could be read from the results.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ideatrail.evidence.paper import RICHNESS, Paper
from ideatrail.trail.text import words

SHORT_TITLE = 4
"""Titles of fewer words name a topic as often as a work, and tie no records together."""


def keys(paper: Paper) -> Iterable[str]:
    """What two records of one work share at least one of: id, address, DOI, title and author."""
    yield paper.id
    yield from paper.aliases
    title = words(paper.title)
    if paper.authors and len(title) >= SHORT_TITLE:
        surname = words(paper.authors[0])[-1:]
        yield f"title:{' '.join(title)}|{''.join(surname)}"


def groups(papers: Sequence[Paper]) -> list[list[int]]:
    """Positions of the papers of each work, both levels in ascending order."""
    parent = list(range(len(papers)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    first: dict[str, int] = {}
    for at, paper in enumerate(papers):
        for key in keys(paper):
            other = first.setdefault(key, at)
            if other != at:
                low, high = sorted((root(other), root(at)))
                parent[high] = low
    found: dict[int, list[int]] = {}
    for at in range(len(papers)):
        found.setdefault(root(at), []).append(at)
    return list(found.values())


def work_count(papers: Sequence[Paper]) -> int:
    """How many works the papers are."""
    return len(groups(papers))


def editions(papers: Sequence[Paper]) -> list[tuple[Paper, tuple[str, ...]]]:
    """One paper a work, the newest of its records, with the addresses of all of them.

    `papers` are admitted ones with a date, in order; so are the results.
    """
    chosen: list[tuple[Paper, tuple[str, ...]]] = []
    for group in groups(papers):
        if len(group) == 1:
            paper = papers[group[0]]
            chosen.append((paper, paper.aliases))
            continue
        records = [papers[at] for at in group]
        newest = max(records, key=newness)
        also = dict.fromkeys([*newest.aliases, *(a for r in records for a in r.aliases)])
        chosen.append((newest, tuple(also)))
    chosen.sort(key=lambda pair: pair[0].order)
    return chosen


def newness(paper: Paper) -> tuple[Any, ...]:
    """Sorts the records of a work, the one to show last."""
    latest = paper.shown.latest.isoformat() if paper.shown else ""
    return (latest, RICHNESS[paper.kind], paper.order)
