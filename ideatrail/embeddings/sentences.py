"""Folders that sentence-transformers saved, through that package (and torch under it)."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ideatrail.embeddings.error import package, reading
from ideatrail.embeddings.folder import ModelFolder

_BATCH: Final = 1
"""Texts in one run of the model. Batches are a third faster, but their padding reaches the last
bits, and a vector has to be the same whatever is encoded beside it."""


class SentenceEmbedder:
    """A model as sentence-transformers loads it, on the CPU."""

    def __init__(self, folder: ModelFolder) -> None:
        """Raises EmbeddingError where the package lacks or the folder is broken."""
        library = package("sentence_transformers", folder.path)
        self._folder = folder
        advice = "save it there again with sentence-transformers"
        # Its progress bars go nowhere; local files alone, and no code out of the folder.
        with reading("the model", folder.path, advice), contextlib.redirect_stderr(io.StringIO()):
            self._model = library.SentenceTransformer(
                str(folder.path), device="cpu", local_files_only=True, trust_remote_code=False
            )
        self._name = folder.name
        self._dimension = int(self._encode(["a"]).shape[1])

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See Embedder."""
        if not texts:
            return np.empty((0, self._dimension), dtype=np.float32)
        return self._encode(texts)

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        with reading("the model", self._folder.path, "try the texts in its own package"):
            rows = self._model.encode(
                list(texts),
                batch_size=_BATCH,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(rows, dtype=np.float32)
