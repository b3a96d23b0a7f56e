"""Which records of a large corpus are of one work, and from when on a later one stands for it.

The same rule as `ideatrail.evidence.works`, worked out once for all cutoffs: works only grow as
the cutoff moves on, so that a record which is no longer the newest of its work never is again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.about import SegmentModel
from ideatrail.evidence.postings.arrays import Array, mapped
from ideatrail.evidence.works import newness

NEVER: Final = 2**62
"""Microseconds that stand for no date: after everything."""
_PARTS: Final = 16
"""Parts of the range of keys that are looked at one after the other, to bound the memory."""


@dataclass(frozen=True, eq=False)
class Keys:
    """The sorted keys of one segment with their rows, and the rows that count no more."""

    keys: Array
    rows: Array
    size: int
    dropped: Sequence[int] = ()


@dataclass(frozen=True, eq=False)
class Ties:
    """Records that share a key with another one. Records are numbered through all segments."""

    shared: Array
    """Which key is shared, by number: each run of equal numbers is one key."""
    record: Array
    """Which record has it."""

    @cached_property
    def members(self) -> Array:
        """The records, ascending."""
        return np.unique(self.record)

    @cached_property
    def work(self) -> Array:
        """For each member, the number of its work: from 0, by its first record."""
        at = np.searchsorted(self.members, self.record)
        parent = list(range(len(self.members)))

        def root(one: int) -> int:
            while parent[one] != one:
                parent[one] = parent[parent[one]]
                one = parent[one]
            return one

        first = -1
        previous = -1
        for key, member in zip(self.shared.tolist(), at.tolist(), strict=True):
            if key != previous:
                previous, first = key, member
                continue
            low, high = sorted((root(first), root(member)))
            parent[high] = low
        roots = np.array([root(m) for m in range(len(parent))], dtype=np.int64)
        return np.unique(roots, return_inverse=True)[1]


def ties(tables: Sequence[Keys]) -> Ties:
    """Finds all shared keys."""
    shared: list[Array] = []
    record: list[Array] = []
    numbered = 0
    for part in range(_PARTS):
        keys, records = _part(tables, part)
        order = np.lexsort((records, keys))
        keys, records = keys[order], records[order]
        same = keys[1:] == keys[:-1]
        held = np.zeros(len(keys), dtype=bool)
        held[1:] |= same
        held[:-1] |= same
        begins = np.ones(len(keys), dtype=np.int64)
        begins[1:] = ~same
        numbers = np.cumsum(begins[held])
        shared.append(numbers + numbered)
        record.append(records[held])
        numbered += int(numbers[-1]) if len(numbers) else 0
    return Ties(np.concatenate(shared), np.concatenate(record))


def _part(tables: Sequence[Keys], part: int) -> tuple[Array, Array]:
    step = 2**64 // _PARTS
    keys: list[Array] = []
    records: list[Array] = []
    base = 0
    for table in tables:
        low = np.searchsorted(table.keys, np.uint64(part * step))
        last = part == _PARTS - 1
        high = (
            len(table.keys) if last else np.searchsorted(table.keys, np.uint64((part + 1) * step))
        )
        mine, rows = table.keys[low:high], table.rows[low:high].astype(np.int64)
        if len(table.dropped):
            kept = ~np.isin(rows, np.array(table.dropped, dtype=np.int64))
            mine, rows = mine[kept], rows[kept]
        keys.append(mine)
        records.append(rows + base)
        base += table.size
    return np.concatenate(keys), np.concatenate(records)


def count_works(folders: Sequence[Path], segments: Sequence[SegmentModel]) -> int:
    """Papers of these segments with the records of one work counted once."""
    tables = [
        Keys(mapped(f / "keys.npy"), mapped(f / "key_rows.npy"), s.papers, s.dropped)
        for f, s in zip(folders, segments, strict=True)
    ]
    found = ties(tables)
    works = int(found.work.max()) + 1 if len(found.members) else 0
    papers = sum(s.papers - len(s.dropped) for s in segments)
    return papers - len(found.members) + works


@dataclass(frozen=True, eq=False)
class Succession:
    """When records give way to newer ones of their works."""

    members: Array
    """Records that share a work with others, ascending."""
    work: Array
    """For each, the number of its work."""
    until: Array
    """For each, the moment (microseconds) from which on it does not stand for its work."""

    @cached_property
    def _by_work(self) -> tuple[Array, Array]:
        order = np.argsort(self.work, kind="stable")
        return self.members[order], self.work[order]

    def number(self, record: int) -> int | None:
        """The work of a record; None where it is the only one of it."""
        at = int(np.searchsorted(self.members, record))
        if at == len(self.members) or self.members[at] != record:
            return None
        return int(self.work[at])

    def records(self, work: int) -> list[int]:
        """All records of a work, of any date, ascending."""
        members, works = self._by_work
        low, high = np.searchsorted(works, work, "left"), np.searchsorted(works, work, "right")
        return [int(m) for m in members[low:high]]


def succession(
    found: Ties, admitted: Array, latest: Array, richness: Array, load: Callable[[int], Paper]
) -> Succession:
    """The succession of records.

    `admitted` has, for each record, the moment from which on it may be seen, `latest` the end of
    its date, both in microseconds, `richness` the rank of its kind; `load` reads a paper, which is
    needed where all these are equal.
    """
    until = np.full(len(found.members), NEVER, dtype=np.int64)
    place = {int(m): at for at, m in enumerate(found.members)}
    for records, shared in _works(found):
        _succeed(records, shared, admitted, _Newness(latest, richness, load), place, until)
    return Succession(found.members, found.work, until)


def _works(found: Ties) -> Iterator[tuple[list[int], dict[int, list[int]]]]:
    """Each work's records, and the shared keys of each record."""
    number = found.work[np.searchsorted(found.members, found.record)]
    order = np.argsort(number, kind="stable")
    works, keys, records = (a[order].tolist() for a in (number, found.shared, found.record))
    shared: dict[int, list[int]] = {}
    for at, (key, record) in enumerate(zip(keys, records, strict=True)):
        if at and works[at] != works[at - 1]:
            yield sorted(shared), shared
            shared = {}
        shared.setdefault(record, []).append(key)
    if shared:
        yield sorted(shared), shared


class _Newness:
    """Compares records as `works.newness` does."""

    def __init__(self, latest: Array, richness: Array, load: Callable[[int], Paper]) -> None:
        self._latest, self._richness, self._load = latest, richness, load

    def _rough(self, record: int) -> tuple[int, int]:
        return int(self._latest[record]), int(self._richness[record])

    def newer(self, one: int, other: int) -> int:
        mine, theirs = self._rough(one), self._rough(other)
        if mine != theirs:
            return one if mine > theirs else other
        exact: list[tuple[Any, ...]] = [newness(self._load(one)), newness(self._load(other))]
        return one if exact[0] > exact[1] else other


def _succeed(
    records: list[int],
    shared: dict[int, list[int]],
    admitted: Array,
    newness_of: _Newness,
    place: dict[int, int],
    until: Array,
) -> None:
    """Lets the records of one work come in the order of their admission."""
    owner: dict[int, int] = {}
    parent: dict[int, int] = {}
    best: dict[int, int] = {}

    def root(one: int) -> int:
        while parent[one] != one:
            one = parent[one]
        return one

    for moment, record in sorted((int(admitted[r]), r) for r in records):
        if moment >= NEVER:
            break
        parent[record] = best[record] = record
        for key in shared[record]:
            other = root(owner.setdefault(key, record))
            mine = root(record)
            if other == mine:
                continue
            newest = newness_of.newer(best[other], best[mine])
            gone = best[mine] if newest == best[other] else best[other]
            until[place[gone]] = min(moment, int(until[place[gone]]))
            parent[mine] = other
            best[other] = newest
