"""What a paper can be found by without reading it: hashed ids, addresses and titles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

import numpy as np

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.works import keys
from ideatrail.trail.text import fold, words

NEWLINE: Final = 10


def hashed(key: str) -> int:
    """A key as 64 bits. What is found by it is held against the paper itself wherever a false hit
    would be seen."""
    raw = key.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8).digest(), "little")


def find_key(title: str) -> str:
    """The key of a whole title, however it is written."""
    return " ".join(words(title))


class KeyTable:
    """Collects the keys of papers in the order of their rows."""

    def __init__(self) -> None:
        self._work: list[int] = []
        self._work_rows: list[int] = []
        self._title: list[int] = []
        self._folded: list[bytes] = []

    def add(self, paper: Paper) -> None:
        row = len(self._title)
        found = {hashed(key) for key in keys(paper)}
        self._work.extend(found)
        self._work_rows.extend([row] * len(found))
        self._title.append(hashed(find_key(paper.title)))
        folded = fold(paper.title).replace("\n", " ")
        self._folded.append(folded.encode("utf-8", "surrogatepass") + b"\n")

    def arrays(self) -> dict[str, Array]:
        """`keys`, sorted, with `key_rows`: what records of one work share (see `works.keys`).
        `title_keys`, sorted, with `title_key_rows`. `folded`: all titles, folded, each ended by a
        newline, as bytes, with `folded_ends`."""
        table = dict(zip(("keys", "key_rows"), _sorted(self._work, self._work_rows), strict=True))
        titles = _sorted(self._title, range(len(self._title)))
        table |= dict(zip(("title_keys", "title_key_rows"), titles, strict=True))
        table["folded"] = np.frombuffer(b"".join(self._folded), dtype=np.uint8)
        table["folded_ends"] = np.cumsum([len(f) for f in self._folded], dtype=np.int64)
        return table


def _sorted(hashes: list[int], rows: Sequence[int] | Iterable[int]) -> tuple[Array, Array]:
    values = np.array(hashes, dtype=np.uint64)
    where = np.fromiter(rows, np.uint32, len(hashes))
    order = np.lexsort((where, values))
    return values[order], where[order]


def rows_of(keys: Array, rows: Array, key: str) -> list[int]:
    """Rows under a key in a sorted table, ascending."""
    wanted = np.uint64(hashed(key))
    low, high = np.searchsorted(keys, wanted, "left"), np.searchsorted(keys, wanted, "right")
    return [int(r) for r in rows[low:high]]
