"""What goes wrong with a model folder, said in one line."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

EXTRAS: Final = {
    "numpy": "onnx",
    "onnxruntime": "onnx",
    "tokenizers": "onnx",
    "sentence_transformers": "embeddings",
}
"""Package → the extra of ours that brings it."""


class EmbeddingError(ValueError):
    """A folder that gives no vectors: one line with what, where, and what to do."""


def package(name: str, folder: Path) -> Any:
    """The package `name`, imported now; `folder` is the model that asks for it.

    By name and not by an import statement, so that the types are checked alike with and without
    the extra. Raises EmbeddingError where it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        lacking = error.name or name
        raise EmbeddingError(
            f"{folder}: this model needs {lacking}, which is not installed: "
            f"pip install 'ideatrail[{EXTRAS[name]}]'"
        ) from error


@contextmanager
def reading(what: str, file: Path, advice: str) -> Iterator[None]:
    """Turns any failure of the library that reads `file` into one EmbeddingError.

    onnxruntime, tokenizers and safetensors derive their errors from Exception itself, so there is
    no narrower class to name; the cause stays attached.
    """
    try:
        yield
    except EmbeddingError:
        raise
    except Exception as error:
        said = " ".join(str(error).split())[:160] or type(error).__name__
        raise EmbeddingError(f"{file}: {what} cannot be used ({said}): {advice}") from error
