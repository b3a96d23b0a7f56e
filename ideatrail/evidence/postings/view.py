"""A collection as it stood at a moment, without what is withheld."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Final

import numpy as np

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.postings.collection import Collection
from ideatrail.evidence.postings.invert import FIELDS
from ideatrail.evidence.postings.lengths import LENGTHS
from ideatrail.evidence.works import editions, newness

K1: Final = 1.2
B: Final = 0.75
"""BM25's constants, as most engines have them."""
_GRAIN: Final = 2.0**-18
"""Weights and factors are multiples of this, so that sums of their products are exact in 64-bit
floats: a score does not depend on the order in which its parts are added."""


class View:
    """What may be seen, and what follows from that alone: counts, lengths and weights.

    Of each segment a beginning is seen (docs below its bound), without a few papers in it that are
    hidden or stand for no work any more ("dead").
    """

    def __init__(self, collection: Collection, moment: int, hidden: Iterable[int]) -> None:
        """`moment` in ticks; `hidden` are the records withheld, as far as they are admitted."""
        self.collection = collection
        self.hidden = frozenset(hidden)
        self.bounds = [part.segment.before(moment) for part in collection.parts]
        self._moment = moment
        self.dead = self._dead()
        self._df: dict[tuple[int, int], int] = {}

    def _dead(self) -> list[Array]:
        """Dead docs of each part, ascending."""
        collection = self.collection
        known = collection.succession
        gone = known.until <= self._moment
        broken = {w for r in self.hidden if (w := known.number(r)) is not None}
        if broken:
            gone &= ~np.isin(known.work, np.array(sorted(broken), dtype=np.int64))
        records = [known.members[gone], np.array(sorted(self.hidden), dtype=np.int64)]
        for work in broken:
            seen = [r for r in known.records(work) if self.sees(r)]
            stand = self._editions(seen)
            records.append(np.array([r for r in seen if r not in stand], dtype=np.int64))
        dead = np.unique(np.concatenate(records))
        found = []
        for number, part in enumerate(collection.parts):
            base, segment = collection.base(number), part.segment
            rows = dead[np.searchsorted(dead, base) : np.searchsorted(dead, base + segment.size)]
            rows = np.concatenate([rows - base, np.array(sorted(part.dropped), dtype=np.int64)])
            docs = np.unique(segment.doc[rows])
            found.append(docs[docs < self.bounds[number]])
        return found

    def _editions(self, records: list[int]) -> dict[int, tuple[Paper, tuple[str, ...]]]:
        """The records among these that stand for their works, with the works' addresses."""
        papers = dict(self.collection.papers(records))
        ordered = sorted(papers, key=lambda r: papers[r].order)
        by_paper = {id(papers[r]): r for r in ordered}
        chosen = editions([papers[r] for r in ordered])
        return {by_paper[id(paper)]: (paper, aliases) for paper, aliases in chosen}

    def sees(self, record: int) -> bool:
        """Whether a record may be seen."""
        number, doc = self.collection.where(record)
        part = self.collection.parts[number]
        row = record - self.collection.base(number)
        return doc < self.bounds[number] and record not in self.hidden and row not in part.dropped

    @cached_property
    def live(self) -> list[Array | None]:
        """For each part, whether each doc is not dead; None where none is."""
        found: list[Array | None] = []
        for dead, bound in zip(self.dead, self.bounds, strict=True):
            mask = None
            if len(dead):
                mask = np.ones(bound, dtype=bool)
                mask[dead] = False
            found.append(mask)
        return found

    @cached_property
    def size(self) -> int:
        """Works."""
        return sum(self.bounds) - sum(map(len, self.dead))

    @cached_property
    def factors(self) -> list[Array]:
        """For each field, what a token's weight is multiplied with, by times << 8 | length."""
        return [self._factor(field) for field in range(len(FIELDS))]

    def _factor(self, field: int) -> Array:
        total = 0
        for part, bound, dead in zip(self.collection.parts, self.bounds, self.dead, strict=True):
            lengths = part.segment.lengths
            total += int(lengths[bound, field])
            total -= int((lengths[dead + 1, field] - lengths[dead, field]).sum())
        average = max(total, 1) / max(self.size, 1)
        slow = K1 * (1 - B + B * LENGTHS / average)
        times = np.arange(256, dtype=np.float64)[:, None]
        exact = times / (times + slow)
        grains = np.maximum(np.rint(exact / _GRAIN), times > 0)
        return (grains * _GRAIN).reshape(-1)

    def frequency(self, token: int, field: int) -> int:
        """Works with a token (by its hash) in a field."""
        held = self._df.get((token, field))
        if held is None:
            held = self._df[token, field] = sum(
                self._count(number, token, field) for number in range(len(self.bounds))
            )
        return held

    def _count(self, number: int, token: int, field: int) -> int:
        segment = self.collection.parts[number].segment
        at = segment.token(np.uint64(token))
        found = segment.postings(at, field, self.bounds[number]) if at >= 0 else None
        if found is None:
            return 0
        dead = self.dead[number]
        if not len(dead):
            return len(found.docs)
        if len(dead) < len(found.docs):
            at_dead = np.searchsorted(found.docs, dead)
            gone = int((found.docs.take(at_dead, mode="clip") == dead).sum())
        else:
            mask = self.live[number]
            gone = 0 if mask is None else len(found.docs) - int(mask[found.docs].sum())
        return len(found.docs) - gone

    def idf(self, count: int) -> float:
        """How much it tells that a paper is one of `count`."""
        return math.log(1 + (self.size - count + 0.5) / (count + 0.5))

    def edition(
        self, record: int, paper: Paper | None = None
    ) -> tuple[int, Paper, tuple[str, ...]]:
        """The record that stands for the work of one that is seen, its paper, and the addresses of
        all its records that are seen. `paper` is the record's where it was read before."""
        work = self.collection.succession.number(record)
        if work is None:
            paper = paper or self.collection.paper(record)
            return record, paper, paper.aliases
        seen = [r for r in self.collection.succession.records(work) if self.sees(r)]
        chosen = self._editions(seen)
        if record in chosen:
            return (record, *chosen[record])
        mine = set(self.collection.paper(record).aliases)
        for other, (standing, aliases) in chosen.items():
            if not mine.isdisjoint(aliases):
                return other, standing, aliases
        raise RuntimeError(f"no edition stands for record {record}")

    def page(self, address: str) -> Paper | None:
        """The newest record that is seen with this canonical address."""
        records = [r for r in self.collection.named(address) if self.sees(r)]
        found = [p for _, p in self.collection.papers(records) if address in p.aliases]
        return max(found, key=newness, default=None)


def grained(weight: float) -> float:
    """A weight as a multiple of the grain, above zero."""
    return max(round(weight / _GRAIN), 1) * _GRAIN
