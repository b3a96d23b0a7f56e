"""Papers on disk: lines in small compressed frames, so that any one is read without the others."""

from __future__ import annotations

import hashlib
import mmap
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Final, overload

import numpy as np
import orjson
import zstandard

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings import arrays

PAPERS: Final = "papers.jsonl.zst"
FRAMES: Final = "frames.npy"
ROWS: Final = 4
"""Papers of a frame: few, since a search unpacks a frame for each paper that it finds."""
_LEVEL: Final = 3


def line_of(paper: Paper) -> bytes:
    """The paper as a line."""
    return orjson.dumps(paper.row(), option=orjson.OPT_APPEND_NEWLINE)


def paper_of(line: bytes) -> Paper:
    """The paper of a line. Raises KeyError, IndexError, TypeError or ValueError."""
    return Paper.from_row(orjson.loads(line))


def write_papers(folder: Path, lines: Iterable[bytes]) -> tuple[str, int]:
    """Writes a segment's papers; gives the SHA-256 of their lines and their number.

    The file is a plain .jsonl.zst that any tool reads; `frames.npy` says where each frame ends.
    """
    digest = hashlib.sha256()
    packer = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
    ends: list[int] = []
    count = at = 0
    with (folder / PAPERS).open("wb") as out:

        def flush(held: list[bytes]) -> int:
            raw = b"".join(held)
            digest.update(raw)
            return out.write(packer.compress(raw))

        held: list[bytes] = []
        for line in lines:
            held.append(line)
            count += 1
            if len(held) == ROWS:
                at += flush(held)
                ends.append(at)
                held = []
        if held:
            at += flush(held)
            ends.append(at)
    arrays.save(folder, {"frames": np.array(ends, dtype=np.uint64)})
    return digest.hexdigest(), count


class PaperFile(Sequence[Paper]):
    """The papers of one segment, by row. Safe to share by threads."""

    def __init__(self, folder: Path, count: int) -> None:
        """Raises OSError or ValueError where the files are missing or damaged."""
        self._folder = folder
        self._count = count
        self._ends = [int(e) for e in np.load(folder / FRAMES, allow_pickle=False)]
        size = (folder / PAPERS).stat().st_size
        if (self._ends[-1] if self._ends else 0) != size or len(self._ends) != -(-count // ROWS):
            raise ValueError(f"{folder / PAPERS} does not match {FRAMES}")

    @cached_property
    def _raw(self) -> mmap.mmap:
        with (self._folder / PAPERS).open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def __len__(self) -> int:
        return self._count

    def _frame(self, number: int) -> list[bytes]:
        start = self._ends[number - 1] if number else 0
        raw = zstandard.ZstdDecompressor().decompress(self._raw[start : self._ends[number]])
        return raw.split(b"\n")[:-1]

    @overload
    def __getitem__(self, row: int) -> Paper: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Paper]: ...
    def __getitem__(self, row: int | slice) -> Paper | Sequence[Paper]:
        if isinstance(row, slice):
            return list(self.rows(range(*row.indices(self._count))))
        if row < 0:
            row += self._count
        if not 0 <= row < self._count:
            raise IndexError(row)
        return paper_of(self._frame(row // ROWS)[row % ROWS])

    def rows(self, rows: Iterable[int]) -> Iterator[Paper]:
        """The papers of these rows; neighbours share the work."""
        number, frame = -1, list[bytes]()
        for row in rows:
            if row // ROWS != number:
                number = row // ROWS
                frame = self._frame(number)
            yield paper_of(frame[row % ROWS])

    def lines(self) -> Iterator[bytes]:
        """All lines in order, without their ends."""
        for number in range(len(self._ends)):
            yield from self._frame(number)

    def __iter__(self) -> Iterator[Paper]:
        return map(paper_of, self.lines())


class StoredPapers(Sequence[Paper]):
    """The papers of all segments, one after the other, without those dropped. Held on disk."""

    def __init__(self, files: Sequence[PaperFile], dropped: Sequence[Iterable[int]]) -> None:
        """`dropped` has the rows of each file that count no more."""
        self._files = files
        self._dropped = [frozenset(rows) for rows in dropped]
        sizes = (len(f) - len(d) for f, d in zip(files, self._dropped, strict=True))
        self._ends = list(accumulate(sizes))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Paper]:
        for file, dropped in zip(self._files, self._dropped, strict=True):
            for row, line in enumerate(file.lines()):
                if row not in dropped:
                    yield paper_of(line)

    @overload
    def __getitem__(self, at: int) -> Paper: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Paper]: ...
    def __getitem__(self, at: int | slice) -> Paper | Sequence[Paper]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        if at < 0:
            at += len(self)
        if not 0 <= at < len(self):
            raise IndexError(at)
        number = bisect_right(self._ends, at)
        row = at - (self._ends[number - 1] if number else 0)
        for gone in sorted(self._dropped[number]):
            row += gone <= row
        return self._files[number][row]
