"""A little embedder that needs no model: counts of letter triples, hashed into a vector."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from ideatrail.embeddings.embedder import Embedder, Vectors


class Letters(Embedder):
    """Texts that share spelling are near; `asked` holds what it was asked to encode."""

    name = "letters@0"
    dimension = 64

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            padded = f"  {text} "
            for i in range(len(padded) - 2):
                row[zlib.crc32(padded[i : i + 3].encode()) % self.dimension] += 1
            row /= np.linalg.norm(row)
        return rows
