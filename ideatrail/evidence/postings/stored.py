"""A segment as it is written: its papers, what they are found by, and what they come to."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings import arrays
from ideatrail.evidence.postings.keys import KeyTable
from ideatrail.evidence.postings.papers import PAPERS, line_of, write_papers


@dataclass
class Tally:
    """What papers come to; sums up over segments."""

    papers: int = 0
    undated: int = 0
    duplicates: int = 0
    earliest: str | None = None
    """ISO 8601, UTC."""
    latest: str | None = None
    kinds: dict[str, int] = field(default_factory=dict)

    def add(self, paper: Paper) -> None:
        self.papers += 1
        self.kinds[paper.kind] = self.kinds.get(paper.kind, 0) + 1
        if paper.shown is None:
            self.undated += 1
        else:
            self._span(paper.shown.earliest.isoformat(), paper.shown.latest.isoformat())

    def remove(self, paper: Paper) -> None:
        """Takes a dropped paper out; the span of dates stays as it was."""
        self.papers -= 1
        self.kinds[paper.kind] -= 1
        self.undated -= paper.shown is None

    def _span(self, earliest: str | None, latest: str | None) -> None:
        first = [datetime.fromisoformat(d) for d in (self.earliest, earliest) if d]
        last = [datetime.fromisoformat(d) for d in (self.latest, latest) if d]
        self.earliest = min(first).isoformat() if first else None
        self.latest = max(last).isoformat() if last else None

    def __add__(self, other: Tally) -> Tally:
        both = Counter(self.kinds) + Counter(other.kinds)
        total = Tally(
            self.papers + other.papers,
            self.undated + other.undated,
            self.duplicates + other.duplicates,
            self.earliest,
            self.latest,
            dict(both),
        )
        total._span(other.earliest, other.latest)
        return total

    def row(self) -> dict[str, Any]:
        return asdict(self)


def write_segment(folder: Path, papers: Iterable[Paper]) -> tuple[str, Tally]:
    """Writes papers, no two of one id and date, to an empty folder, each as it comes; gives the
    hash of their lines and what they come to."""
    table, tally = KeyTable(), Tally()

    def lines() -> Iterable[bytes]:
        for paper in papers:
            table.add(paper)
            tally.add(paper)
            yield line_of(paper)

    digest, _ = write_papers(folder, lines())
    arrays.save(folder, table.arrays())
    with (folder / PAPERS).open("rb+") as file:
        os.fsync(file.fileno())
    return digest, tally
