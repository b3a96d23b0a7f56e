"""What a model folder holds: its weights, its tokenizer, and how it makes one vector of many."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ideatrail.embeddings.error import EmbeddingError

DEFAULT_TOKENS: Final = 256
"""Tokens kept of a text where the folder names no number."""
_NO_LIMIT: Final = 1_000_000
"""Tokenizer configurations write 1e30 for "no limit"."""
_PLAIN_STEPS: Final = frozenset({"Transformer", "Pooling", "Normalize"})
"""Steps after which a vector is what this package makes of the model's output by itself."""

Pooling = Literal["mean", "cls"]
Kind = Literal["onnx", "sentence-transformers"]


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Step(_Lenient):
    """One entry of modules.json."""

    type: str
    path: str = ""


class _PoolingConfig(_Lenient):
    """1_Pooling/config.json; newer folders say `pooling_mode`, older ones have a flag a mode."""

    pooling_mode: str | None = None
    pooling_mode_cls_token: bool = False
    pooling_mode_mean_tokens: bool = False
    pooling_mode_max_tokens: bool = False
    pooling_mode_mean_sqrt_len_tokens: bool = False
    pooling_mode_weightedmean_tokens: bool = False
    pooling_mode_lasttoken: bool = False

    def modes(self) -> list[str]:
        """The modes that are on; their vectors are concatenated where there are several."""
        if self.pooling_mode:
            return [self.pooling_mode]
        flags = self.model_dump(exclude={"pooling_mode"})
        return [
            name.removeprefix("pooling_mode_").removesuffix("_tokens").removesuffix("_token")
            for name, on in flags.items()
            if on
        ]


class _LengthConfig(_Lenient):
    """sentence_bert_config.json."""

    max_seq_length: int | None = None
    do_lower_case: bool = False


class _TokenizerConfig(_Lenient):
    """tokenizer_config.json, of which only the length counts here."""

    model_max_length: float | None = None


@dataclass(frozen=True)
class ModelFolder:
    """A folder that can be loaded, as `look` found it."""

    path: Path
    kind: Kind
    weights: tuple[Path, ...]
    """The files of the weights, in order of their names; for ONNX the graph is the first."""
    pooling: Pooling
    """Of ONNX folders; the other kind pools by itself."""
    max_tokens: int
    """Tokens kept of a text, special tokens counted."""
    lower: bool
    """Whether texts are made lower case before the tokenizer sees them."""

    @property
    def name(self) -> str:
        """The folder's name and the first 12 hex digits of the weights' sha256.

        Reads all weights once: about 0.1 s for 100 MB.
        """
        digest = hashlib.sha256()
        for file in self.weights:
            with file.open("rb") as stream:
                while block := stream.read(1 << 20):
                    digest.update(block)
        return f"{self.path.resolve().name}@{digest.hexdigest()[:12]}"


def look(path: Path) -> ModelFolder:
    """What `path` holds; ONNX is taken where both forms lie there, as the lighter one.

    Raises EmbeddingError for a folder that is absent, incomplete or unreadable.
    """
    if not path.is_dir():
        state = "is a file" if path.exists() else "does not exist"
        raise EmbeddingError(
            f"{path}: the model folder {state}: name a folder with model.onnx and tokenizer.json, "
            "or one that sentence-transformers saved"
        )
    steps = _steps(path)
    graph = next((f for f in (path / "model.onnx", path / "onnx/model.onnx") if f.is_file()), None)
    weights = _safetensors(path) if (path / "modules.json").is_file() else ()
    length = _read(path / "sentence_bert_config.json", _LengthConfig) or _LengthConfig()
    plain = all(step.type.rsplit(".", 1)[-1] in _PLAIN_STEPS for step in steps)
    if graph and plain and (path / "tokenizer.json").is_file():
        beside = sorted(f for f in graph.parent.glob("model.onnx?data*") if f.is_file())
        return ModelFolder(
            path=path,
            kind="onnx",
            weights=(graph, *beside),
            pooling=_pooling(path, steps),
            max_tokens=_max_tokens(path, length),
            lower=length.do_lower_case,
        )
    if weights:
        return ModelFolder(
            path, "sentence-transformers", weights, "mean", _max_tokens(path, length), False
        )
    raise EmbeddingError(_lacking(path, graph, plain))


def _lacking(path: Path, graph: Path | None, plain: bool) -> str:
    if graph and not plain:
        return (
            f"{path}: modules.json has steps that an ONNX graph leaves out, and the weights that "
            "sentence-transformers would need are not there: save the whole model there"
        )
    if graph:
        return f"{path}: tokenizer.json is missing beside {graph.name}: copy it from the model"
    if (path / "modules.json").is_file():
        return (
            f"{path}: modules.json is there without model.safetensors or pytorch_model.bin: "
            "copy the weights there"
        )
    return (
        f"{path}: neither model.onnx (or onnx/model.onnx) nor modules.json is there: name a folder "
        "of an ONNX export or one that sentence-transformers saved"
    )


def _safetensors(path: Path) -> tuple[Path, ...]:
    """The torch weights; of older folders in pickles, which torch reads as weights only."""
    found = sorted(path.glob("model*.safetensors")) or sorted(path.glob("pytorch_model*.bin"))
    return tuple(found)


def _steps(path: Path) -> list[_Step]:
    file = path / "modules.json"
    if not file.is_file():
        return []
    try:
        return TypeAdapter(list[_Step]).validate_json(file.read_bytes())
    except ValidationError as error:
        raise _unreadable(file, error) from error


def _pooling(path: Path, steps: list[_Step]) -> Pooling:
    places = [step.path for step in steps if step.type.endswith(".Pooling")] or ["1_Pooling"]
    file = path / places[0] / "config.json"
    modes = (_read(file, _PoolingConfig) or _PoolingConfig()).modes()
    if modes in ([], ["mean"]):
        return "mean"
    if modes == ["cls"]:
        return "cls"
    raise EmbeddingError(
        f"{file}: pooling by {' and '.join(modes)} is not known for ONNX (mean and cls are): "
        "take another model, or its sentence-transformers folder without model.onnx"
    )


def _max_tokens(path: Path, length: _LengthConfig) -> int:
    if length.max_seq_length:
        return length.max_seq_length
    said = (
        _read(path / "tokenizer_config.json", _TokenizerConfig) or _TokenizerConfig()
    ).model_max_length
    return int(said) if said and 0 < said < _NO_LIMIT else DEFAULT_TOKENS


_Config = TypeVar("_Config", bound=BaseModel)


def _read(file: Path, shape: type[_Config]) -> _Config | None:
    """The configuration in `file`; None where there is no such file."""
    if not file.is_file():
        return None
    try:
        return shape.model_validate_json(file.read_bytes())
    except ValidationError as error:
        raise _unreadable(file, error) from error


def _unreadable(file: Path, error: ValidationError) -> EmbeddingError:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "the file"
    return EmbeddingError(f"{file}: {place}: {first['msg']}: copy the file from the model again")
