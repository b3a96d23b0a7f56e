"""What a model folder holds, and one clear line for each that cannot be used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ideatrail.embeddings.embedder import EmbeddingError, load
from ideatrail.embeddings.error import package
from ideatrail.embeddings.folder import DEFAULT_TOKENS, look

STEPS = ("models.Transformer", "models.Pooling", "models.Normalize")


def put(folder: Path, **files: object) -> Path:
    """Writes JSON files; `__` in a name is a slash, and the suffix is .json."""
    for name, value in files.items():
        file = folder / f"{name.replace('__', '/')}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value), "utf-8")
    return folder


def steps(*kinds: str) -> list[dict[str, object]]:
    return [
        {"idx": i, "name": str(i), "path": "" if i == 0 else f"{i}_{k.split('.')[-1]}", "type": k}
        for i, k in enumerate(f"sentence_transformers.{kind}" for kind in kinds)
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An ONNX folder of which nothing is loaded."""
    (tmp_path / "model.onnx").write_bytes(b"graph")
    return put(tmp_path, tokenizer={})


def test_plain_onnx_folder_has_defaults(folder: Path) -> None:
    found = look(folder)
    assert (found.kind, found.pooling, found.max_tokens) == ("onnx", "mean", DEFAULT_TOKENS)
    assert found.name.startswith(f"{folder.name}@")
    assert len(found.name.split("@")[1]) == 12


def test_graph_may_lie_in_a_folder_of_its_own(folder: Path) -> None:
    (folder / "onnx").mkdir()
    moved = (folder / "model.onnx").rename(folder / "onnx/model.onnx")
    assert look(folder).weights == (moved,)


def test_name_changes_with_the_weights(folder: Path) -> None:
    before = look(folder).name
    assert look(folder).name == before
    (folder / "model.onnx_data").write_bytes(b"numbers beside the graph")
    assert look(folder).name != before


@pytest.mark.parametrize(
    ("config", "pooling"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}, "mean"),
        ({"pooling_mode": "cls"}, "cls"),
        ({}, "mean"),
    ],
)
def test_pooling_is_what_its_configuration_says(
    folder: Path, config: dict[str, object], pooling: str
) -> None:
    assert look(put(folder, **{"1_Pooling__config": config})).pooling == pooling


@pytest.mark.parametrize(
    ("files", "tokens"),
    [
        ({"sentence_bert_config": {"max_seq_length": 128}}, 128),
        ({"sentence_bert_config": {}, "tokenizer_config": {"model_max_length": 512}}, 512),
        ({"tokenizer_config": {"model_max_length": 1e30}}, DEFAULT_TOKENS),
    ],
)
def test_length_is_what_its_configuration_says(
    folder: Path, files: dict[str, object], tokens: int
) -> None:
    assert look(put(folder, **files)).max_tokens == tokens


def test_onnx_is_taken_where_both_forms_lie(folder: Path) -> None:
    put(folder, modules=steps(*STEPS), config={})
    (folder / "model.safetensors").write_bytes(b"")
    assert look(folder).kind == "onnx"


def test_steps_beyond_the_graph_need_the_other_form(folder: Path) -> None:
    put(folder, modules=steps(*STEPS, "models.Dense"))
    with pytest.raises(EmbeddingError, match="steps that an ONNX graph leaves out"):
        look(folder)
    (folder / "pytorch_model.bin").write_bytes(b"")
    assert look(folder).kind == "sentence-transformers"


def one_line(folder: Path, saying: str) -> None:
    """Loading fails with one line that names the place, what is wrong, and what to do."""
    with pytest.raises(EmbeddingError, match=saying) as caught:
        load(folder)
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith(str(folder))
    assert said.count(": ") >= 2
    assert len(said) < 400 + len(str(folder))


def test_missing_folder_is_one_line(tmp_path: Path) -> None:
    one_line(tmp_path / "none", "does not exist")


def test_file_for_a_folder_is_one_line(folder: Path) -> None:
    one_line(folder / "model.onnx", "is a file")


def test_empty_folder_is_one_line(tmp_path: Path) -> None:
    one_line(tmp_path, "neither model.onnx")


def test_missing_tokenizer_is_one_line(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    one_line(folder, r"tokenizer\.json is missing")


def test_missing_weights_are_one_line(tmp_path: Path) -> None:
    one_line(put(tmp_path, modules=steps(*STEPS), config={}), "without model.safetensors")


def test_unknown_pooling_is_one_line(folder: Path) -> None:
    config = {"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True}
    one_line(put(folder, **{"1_Pooling__config": config}), "pooling by mean and max|max and mean")


@pytest.mark.parametrize("name", ["modules", "sentence_bert_config", "1_Pooling__config"])
def test_broken_configuration_is_one_line(folder: Path, name: str) -> None:
    put(folder, **{name: 0})
    one_line(folder, r"copy the file from the model again")
    (folder / f"{name.replace('__', '/')}.json").write_bytes(b"\xff{")
    one_line(folder, r"copy the file from the model again")


def test_missing_package_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)  # as Python marks an absent module
    one_line(folder, r"needs onnxruntime.*pip install 'ideatrail\[onnx\]'")


def test_missing_sentence_transformers_names_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    put(tmp_path, modules=steps(*STEPS), config={})
    (tmp_path / "model.safetensors").write_bytes(b"")
    one_line(tmp_path, r"sentence_transformers.*pip install 'ideatrail\[embeddings\]'")


def test_package_gives_the_module(tmp_path: Path) -> None:
    assert package("numpy", tmp_path).__name__ == "numpy"


def test_import_brings_no_heavy_package() -> None:
    heavy = ("onnxruntime", "tokenizers", "sentence_transformers", "torch", "transformers")
    program = (
        "import sys; import ideatrail.embeddings.cached, ideatrail.embeddings.near; "
        f"sys.exit(any(name in sys.modules for name in {heavy}))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
