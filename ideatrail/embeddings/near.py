"""The nearest of some reference texts, by the cosine of their vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ideatrail.embeddings.embedder import Embedder, Vectors


class Near:
    """Reference texts under their keys, ready to be compared with."""

    def __init__(self, embedder: Embedder, references: Sequence[tuple[str, str]]) -> None:
        """Encodes the texts of `references` (key, text); a key may have several texts.

        Raises ValueError for no references: nothing is nearest then.
        """
        if not references:
            raise ValueError("there is no reference text to compare with")
        self.keys: tuple[str, ...] = tuple(key for key, _ in references)
        """The key of each column of `scores`."""
        self._embedder = embedder
        self._matrix = embedder.encode([text for _, text in references])

    def scores(self, texts: Sequence[str]) -> Vectors:
        """Cosines, (texts, references), each in −1 to 1 but for rounding."""
        # einsum and not a matrix product: a BLAS kernel chosen by shape would let a score depend
        # on the texts beside it, in its last bit.
        scores: Vectors = np.einsum(
            "nd,md->nm", self._embedder.encode(texts), self._matrix, optimize=False
        )
        return scores

    def best(self, texts: Sequence[str]) -> list[tuple[float, str]]:
        """For each text the highest cosine and the key it belongs to; the first of equals."""
        scores = self.scores(texts)
        places = scores.argmax(axis=1) if len(scores) else []
        return [(float(row[i]), self.keys[i]) for row, i in zip(scores, places, strict=True)]
