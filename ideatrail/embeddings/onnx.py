"""ONNX folders: onnxruntime on one core, the tokenizer of the folder, pooling by us."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ideatrail.embeddings.error import EmbeddingError, package, reading
from ideatrail.embeddings.folder import ModelFolder

_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_AGAIN: Final = "copy the file from the model again, or export it anew"
_POOLED: Final = "sentence_embedding"
"""The output of exports that pool inside the graph; it is taken as it is."""
_TYPES: Final[dict[str, Any]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


class OnnxEmbedder:
    """A sentence encoder exported to ONNX."""

    def __init__(self, folder: ModelFolder) -> None:
        """Loads graph and tokenizer, about 0.3 s for 90 MB. Raises EmbeddingError."""
        runtime = package("onnxruntime", folder.path)
        tokenizers = package("tokenizers", folder.path)
        self._folder = folder
        self._graph = folder.weights[0]
        file = folder.path / "tokenizer.json"
        with reading("the tokenizer", file, _AGAIN):
            self._tokenizer = tokenizers.Tokenizer.from_str(file.read_text("utf-8"))
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(max_length=folder.max_tokens)
        options = runtime.SessionOptions()
        # One core and one order of work: sums of floats must not depend on how threads meet.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.execution_mode = runtime.ExecutionMode.ORT_SEQUENTIAL
        options.use_deterministic_compute = True
        options.log_severity_level = 4  # what goes wrong is raised; nothing is printed besides
        with reading("the graph", self._graph, _AGAIN):
            self._session = runtime.InferenceSession(
                str(self._graph), options, providers=["CPUExecutionProvider"]
            )
            self._types = {i.name: _TYPES.get(i.type) for i in self._session.get_inputs()}
            self._output, self._pooled = self._choose_output()
        strange = sorted(n for n, t in self._types.items() if n not in _INPUTS or t is None)
        if strange or "input_ids" not in self._types:
            raise EmbeddingError(
                f"{self._graph}: the graph asks for {', '.join(strange) or 'no input_ids'}, which "
                "no sentence encoder takes: export the encoder alone (feature extraction)"
            )
        self._name = folder.name
        self._dimension = int(self._one("a").shape[0])

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See Embedder. Each text is a batch of its own.

        On one core batches of 32, sorted by length, took a quarter longer (padding), and a vector
        computed alone is a function of its text, to the last bit.
        """
        rows = np.empty((len(texts), self._dimension), dtype=np.float32)
        for i, text in enumerate(texts):
            rows[i] = self._one(text)
        return rows

    def _one(self, text: str) -> NDArray[np.float32]:
        shown = text.lower() if self._folder.lower else text
        encoding = self._tokenizer.encode(shown)
        fields = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        feed = {name: np.asarray([fields[name]], dtype=t) for name, t in self._types.items()}
        with reading("the graph", self._graph, _AGAIN):
            (out,) = self._session.run([self._output], feed)
        found = np.asarray(out, dtype=np.float32)[0]
        return _unit(found if self._pooled else self._pool(found))

    def _pool(self, states: NDArray[np.float32]) -> NDArray[np.float32]:
        """(tokens, dimension) to (dimension,); nothing is padded, so every token counts."""
        pooled: NDArray[np.float32] = states[0] if self._folder.pooling == "cls" else states.mean(0)
        return pooled

    def _choose_output(self) -> tuple[str, bool]:
        outputs = self._session.get_outputs()
        for output in outputs:
            if output.name == _POOLED:
                return _POOLED, True
        for output in outputs:
            if len(output.shape) == 3:
                return output.name, False
        raise EmbeddingError(
            f"{self._graph}: the graph gives no vectors a token (batch, tokens, dimension): "
            "export the encoder alone (feature extraction)"
        )


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    length = float(np.linalg.norm(vector.astype(np.float64)))
    return vector if length == 0 else (vector / length).astype(np.float32)
