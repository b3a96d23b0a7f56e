"""Vectors kept by text, so that a sentence of a trail is encoded once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Final

import numpy as np

from ideatrail.embeddings.embedder import Embedder, Vectors

CAPACITY: Final = 20_000
"""Texts: a trail has some thousands of sentences; 30 MB at 384 numbers each."""


class Cached(Embedder):
    """An Embedder before another one, which remembers the `capacity` texts used last."""

    def __init__(self, inner: Embedder, capacity: int = CAPACITY) -> None:
        """Raises ValueError for a capacity below 1."""
        if capacity < 1:
            raise ValueError(f"a cache holds at least one text, not {capacity}")
        self._inner = inner
        self._capacity = capacity
        self._kept: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    def __len__(self) -> int:
        """Texts remembered."""
        return len(self._kept)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See Embedder; the inner one sees each unknown text once, the shortest first."""
        with self._lock:
            found = {text: self._kept[text] for text in texts if text in self._kept}
        new = sorted({text for text in texts if text not in found}, key=lambda t: (len(t), t))
        if new:
            # Copies, or each row would keep the whole batch it came from in memory.
            rows = (row.copy() for row in self._inner.encode(new))
            found.update(zip(new, rows, strict=True))
        with self._lock:
            for text in texts:
                self._kept[text] = found[text]
                self._kept.move_to_end(text)
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([found[t] for t in texts])
