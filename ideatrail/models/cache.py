"""Answers on disk, by everything that shapes them: the same request is paid for once."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ideatrail.models.protocol import (
    Answer,
    CallPart,
    Finish,
    Part,
    ReasoningPart,
    Request,
    TextPart,
    Usage,
)
from ideatrail.models.secrets import scrub_known

FORMAT_VERSION: Final = 1

_log = logging.getLogger(__name__)


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StoredText(_Stored):
    """Visible text."""

    kind: Literal["text"] = "text"
    text: str


class StoredReasoning(_Stored):
    """Reasoning, with what the provider wants back."""

    kind: Literal["reasoning"] = "reasoning"
    text: str
    signature: str | None = None
    redacted: str | None = None
    item: str | None = None


class StoredCall(_Stored):
    """A tool call."""

    kind: Literal["call"] = "call"
    id: str
    name: str
    arguments: str


class StoredAnswer(_Stored):
    """An answer as it lies on disk."""

    format_version: Literal[1] = FORMAT_VERSION
    parts: list[Annotated[StoredText | StoredReasoning | StoredCall, Field(discriminator="kind")]]
    usage: dict[str, int | None]
    finish: Finish
    model: str
    provider_id: str | None
    stop_reason: str | None


def cache_key(about: dict[str, Any], request: Request) -> str:
    """Hash of everything that shapes an answer.

    Args:
        about: model, address, options and adapter version.
        request: the request; messages, tools, schema, seed and limit all count.
    """
    whole = {"format": FORMAT_VERSION, "about": about, "request": asdict(request)}
    return hashlib.sha256(orjson.dumps(whole, option=orjson.OPT_SORT_KEYS)).hexdigest()


class ResponseCache:
    """A folder of answers. Many processes may use one."""

    def __init__(self, folder: Path) -> None:
        """Open the folder. Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._warned = False

    def get(self, key: str) -> Answer | None:
        """The answer under `key`; None where there is none that can be read."""
        try:
            raw = self._path(key).read_bytes()
        except FileNotFoundError:
            return None
        try:
            stored = StoredAnswer.model_validate_json(raw)
        except ValidationError:
            return None  # torn, or of another version: asked for anew and written over
        return Answer(
            parts=tuple(_load(part) for part in stored.parts),
            usage=Usage(**stored.usage),
            finish=stored.finish,
            model=stored.model,
            provider_id=stored.provider_id,
            stop_reason=stored.stop_reason,
            cost=0.0,
            from_cache=True,
        )

    def put(self, key: str, answer: Answer) -> None:
        """Keep an answer. A folder that cannot be written costs money, but no answer."""
        stored = StoredAnswer(
            parts=[_store(part) for part in answer.parts],
            usage=asdict(answer.usage),
            finish=answer.finish,
            model=answer.model,
            provider_id=answer.provider_id,
            stop_reason=answer.stop_reason,
        )
        path = self._path(key)
        torn = path.with_suffix(f".{os.getpid()}")
        try:
            path.parent.mkdir(exist_ok=True)
            torn.write_text(scrub_known(stored.model_dump_json()), "utf-8")
            torn.replace(path)
        except OSError as error:
            if not self._warned:
                _log.warning("the response cache %s cannot be written: %s", self._folder, error)
                self._warned = True
            with contextlib.suppress(OSError):
                torn.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def _store(part: Part) -> StoredText | StoredReasoning | StoredCall:
    match part:
        case TextPart():
            return StoredText(**asdict(part))
        case ReasoningPart():
            return StoredReasoning(**asdict(part))
        case CallPart():
            return StoredCall(**asdict(part))


def _load(part: StoredText | StoredReasoning | StoredCall) -> Part:
    values = part.model_dump(exclude={"kind"})
    match part:
        case StoredText():
            return TextPart(**values)
        case StoredReasoning():
            return ReasoningPart(**values)
        case StoredCall():
            return CallPart(**values)


def worth_keeping(answer: Answer) -> bool:
    """Whether an answer is settled: what was cut off or refused may go otherwise next time."""
    return answer.finish in ("stop", "tool_calls") and bool(answer.parts)
