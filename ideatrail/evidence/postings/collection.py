"""All segments of a corpus together, with what no segment knows alone: which works they share."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

import numpy as np

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.postings.invert import invert
from ideatrail.evidence.postings.keys import KeyTable, rows_of
from ideatrail.evidence.postings.papers import PaperFile
from ideatrail.evidence.postings.segment import Segment
from ideatrail.evidence.postings.works import Keys, Succession, succession, ties


@dataclass(frozen=True, eq=False)
class Part:
    """One segment with what its papers are found by."""

    segment: Segment
    table: dict[str, Array]
    """See `keys.KeyTable`."""
    dropped: frozenset[int] = frozenset()
    """Rows that count no more."""
    near: dict[str, list[int]] = field(default_factory=dict)
    """Rows of titles that may be nearly one, by its words: kept, since it is asked for again."""

    def named(self, key: str) -> list[int]:
        """Rows that may have this id or canonical address."""
        rows = rows_of(self.table["keys"], self.table["key_rows"], key)
        return [row for row in rows if row not in self.dropped]

    @cached_property
    def keys(self) -> Keys:
        return Keys(
            self.table["keys"], self.table["key_rows"], self.segment.size, sorted(self.dropped)
        )


class Collection:
    """Papers are numbered through all segments, by row ("record"). Safe to share."""

    def __init__(self, parts: Sequence[Part], known: Succession | None = None) -> None:
        """`known` is the succession where it was worked out before."""
        self.parts = tuple(parts)
        self._ends = list(accumulate(p.segment.size for p in self.parts))
        self._known = known

    @classmethod
    def of(cls, papers: Sequence[Paper]) -> Collection:
        """A collection in memory of any papers; `papers` in their order."""
        table = KeyTable()
        for paper in papers:
            table.add(paper)
        return cls([Part(Segment(invert(papers), papers), table.arrays())])

    @property
    def size(self) -> int:
        """All records, dropped ones among them."""
        return self._ends[-1] if self._ends else 0

    def base(self, number: int) -> int:
        """The first record of a part."""
        return self._ends[number - 1] if number else 0

    def where(self, record: int) -> tuple[int, int]:
        """The part and the doc of a record."""
        number = bisect_right(self._ends, record)
        return number, int(self.parts[number].segment.doc[record - self.base(number)])

    def record(self, number: int, doc: int) -> int:
        """The record of a doc of a part."""
        return self.base(number) + int(self.parts[number].segment.row[doc])

    def paper(self, record: int) -> Paper:
        """Reads a paper."""
        number = bisect_right(self._ends, record)
        return self.parts[number].segment.papers[record - self.base(number)]

    def papers(self, records: Sequence[int]) -> Iterator[tuple[int, Paper]]:
        """Reads papers; neighbours, in ascending order, share the work."""
        for number, part in enumerate(self.parts):
            base, papers = self.base(number), part.segment.papers
            mine = [r for r in records if base <= r < self._ends[number]]
            rows = (r - base for r in mine)
            if isinstance(papers, PaperFile):
                yield from zip(mine, papers.rows(rows), strict=True)
            else:
                yield from zip(mine, (papers[row] for row in rows), strict=True)

    def named(self, key: str) -> list[int]:
        """Records that may have this id or canonical address."""
        return [
            self.base(number) + row
            for number, part in enumerate(self.parts)
            for row in part.named(key)
        ]

    @cached_property
    def succession(self) -> Succession:
        """Which records share a work, and when they give way."""
        if self._known is not None:
            return self._known
        admitted, latest, richness = (
            np.concatenate([getattr(p.segment, name)[p.segment.doc] for p in self.parts])
            for name in ("admitted", "latest", "richness")
        )
        shared = ties([p.keys for p in self.parts])
        return succession(shared, admitted, latest, richness, self.paper)
