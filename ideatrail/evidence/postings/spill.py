"""Papers in any order, put aside on disk in heaps by id, so that records of one paper meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import zstandard

from ideatrail.evidence.paper import RICHNESS, Paper
from ideatrail.evidence.postings.papers import line_of, paper_of

HEAPS: Final = 256
_BUFFERED: Final = 32_000_000
"""Bytes of lines held before they go to disk."""


class Spill:
    """Heaps of lines in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._held: list[list[bytes]] = [[] for _ in range(HEAPS)]
        self._size = 0
        self.counts = [0] * HEAPS
        """Papers of each heap."""

    def add(self, papers: Iterable[Paper]) -> None:
        """Takes papers in any order; only a bounded number stays in memory."""
        for paper in papers:
            line = line_of(paper)
            raw = paper.id.encode("utf-8", "surrogatepass")
            heap = blake2b(raw, digest_size=1).digest()[0]
            self._held[heap].append(line)
            self.counts[heap] += 1
            self._size += len(line)
            if self._size >= _BUFFERED:
                self.flush()

    def flush(self) -> None:
        """Puts everything on disk."""
        packer = zstandard.ZstdCompressor(level=1)
        for heap, lines in enumerate(self._held):
            if lines:
                with (self._folder / f"{heap:03}").open("ab") as out:
                    out.write(packer.compress(b"".join(lines)))
                lines.clear()
        self._size = 0

    def groups(self, most: int) -> list[range]:
        """Neighbouring heaps, of about `most` papers together at most, and about as many each."""
        total = sum(self.counts)
        aim = total / max(1, -(-total // most))
        found: list[range] = []
        begin = size = 0
        for heap, count in enumerate(self.counts):
            if size and size + count / 2 > aim:
                found.append(range(begin, heap))
                begin, size = heap, 0
            size += count
        if size:
            found.append(range(begin, HEAPS))
        return found


def unspill(folder: Path, heaps: Iterable[int]) -> Iterator[tuple[list[Paper], int]]:
    """The papers of each heap, merged and in order, with the number of those dropped."""
    for heap in heaps:
        path = folder / f"{heap:03}"
        if not path.exists():
            continue
        with (
            path.open("rb") as file,
            zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as stream,
        ):
            lines = stream.read().split(b"\n")[:-1]
        kept = merge(map(paper_of, lines))
        yield list(kept), len(lines) - len(kept)


def merge(papers: Iterable[Paper]) -> tuple[Paper, ...]:
    """Papers in order, one for each id and date: the richest, then the longest.

    Records that differ in id or date stay apart, even of one work: which of them may stand for the
    work depends on the cutoff, so that the as-of index decides it (see `works`).
    """
    best: dict[tuple[Any, ...], Paper] = {}
    for paper in papers:
        key = paper.order[:2]
        held = best.get(key)
        if held is None or rank(paper) > rank(held):
            best[key] = paper
    return tuple(sorted(best.values(), key=lambda p: p.order))


def rank(paper: Paper) -> tuple[int, int, tuple[Any, ...]]:
    """Of two records of one paper and date, the greater is kept."""
    return RICHNESS[paper.kind], sum(map(len, paper.body)), paper.order
