"""A model that turns texts into unit vectors, and how one is loaded from a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ideatrail.embeddings.error import EmbeddingError
from ideatrail.embeddings.folder import look
from ideatrail.embeddings.onnx import OnnxEmbedder
from ideatrail.embeddings.sentences import SentenceEmbedder

__all__ = ["Embedder", "EmbeddingError", "Vectors", "load"]

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Texts to unit vectors; equal texts give equal vectors, whatever stands beside them."""

    @property
    def name(self) -> str:
        """The model, so that a record can tell it: folder name, `@`, sha256 prefix of weights."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Rows of unit length in the order of `texts`: (n, dimension), (0, dimension) for none."""
        ...


def load(folder: Path) -> Embedder:
    """The model in `folder`: an ONNX export, or a folder that sentence-transformers saved.

    Raises EmbeddingError where the folder, a file in it or a package for it is lacking or broken.
    """
    found = look(folder)
    return OnnxEmbedder(found) if found.kind == "onnx" else SentenceEmbedder(found)
