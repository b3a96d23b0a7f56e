"""State updates as plain JSON and back: what the log holds of a step.

Texts are stored once, by hash: a turn in the log names its observations. A trail is logged as what
it keeps of the trail before and what it adds, so that a log grows with the trail and not with its
square.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from functools import cache
from typing import Any

import orjson
from pydantic import BaseModel, TypeAdapter

from ideatrail.evidence.observations import Observations
from ideatrail.state import CHANNEL_TYPES
from ideatrail.trail.turn import ArtifactChange, Draft, Result, Trail, Turn

TRAILS = ("trail", "idea_end")


class Codec:
    """Encodes and decodes updates of one run, in order."""

    def __init__(self, store: Observations) -> None:
        self._store = store
        self._trails: dict[str, Trail] = {}

    def encode(self, update: Mapping[str, Any]) -> dict[str, Any]:
        """A node's update as JSON-ready values."""
        out: dict[str, Any] = {}
        for name, value in update.items():
            if isinstance(value, Trail):
                out[name] = self._encode_trail(name, value)
            elif isinstance(value, Draft):
                out[name] = _draft(value)
            else:
                out[name] = plain(value)
        return out

    def decode(self, update: Mapping[str, Any]) -> dict[str, Any]:
        """The inverse of encode. Raises pydantic.ValidationError for a log of another make."""
        out: dict[str, Any] = {}
        for name, value in update.items():
            if name in TRAILS and value is not None:
                out[name] = self._decode_trail(name, value)
            elif name == "draft" and value is not None:
                out[name] = _adapter("draft").validate_python(_with_parsed(value))
            else:
                out[name] = _adapter(name).validate_python(value)
        return out

    def _encode_trail(self, name: str, trail: Trail) -> dict[str, Any]:
        before = self._trails.get("trail", Trail("", ""))
        keep = _common(before, trail)
        if name == "trail":
            self._trails["trail"] = trail
        return {
            "system": trail.system,
            "user": trail.user,
            "endpoint": trail.endpoint,
            "keep": keep,
            "turns": [self._encode_turn(t) for t in trail.turns[keep:]],
        }

    def _decode_trail(self, name: str, value: Mapping[str, Any]) -> Trail:
        before = self._trails.get("trail", Trail("", ""))
        turns = before.turns[: value["keep"]] + tuple(self._decode_turn(t) for t in value["turns"])
        trail = Trail(value["system"], value["user"], turns, value["endpoint"])
        if name == "trail":
            self._trails["trail"] = trail
        return trail

    def _encode_turn(self, turn: Turn) -> dict[str, Any]:
        values = asdict(turn)
        values["draft"] = _draft(turn.draft)
        for result in values["results"]:
            del result["content"]
        for change in values["changes"]:
            for side in ("before", "after"):
                text = change.pop(side)
                change[side] = (
                    None if text is None else self._store.put(text, {"file": change["path"]})
                )
        return values

    def _decode_turn(self, values: Mapping[str, Any]) -> Turn:
        results = tuple(
            Result(content=self._store.get(r["sha256"]), **r) for r in values["results"]
        )
        changes = tuple(
            ArtifactChange(
                call_id=c["call_id"],
                path=c["path"],
                before=None if c["before"] is None else self._store.get(c["before"]),
                after=self._store.get(c["after"]),
            )
            for c in values["changes"]
        )
        draft = TypeAdapter(Draft).validate_python(_with_parsed(values["draft"]))
        rest = {k: v for k, v in values.items() if k not in ("draft", "results", "changes")}
        return Turn(draft=draft, results=results, changes=changes, **rest)


def plain(value: Any) -> Any:
    """A value of the state as JSON-ready data."""
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, Mapping):
        return {k: plain(v) for k, v in value.items()}
    return value


def _draft(draft: Draft) -> dict[str, Any]:
    values = asdict(draft)
    for call in values["calls"]:
        del call["parsed"]
    if not draft.provider:
        del values["provider"]
    return values


def _with_parsed(values: Mapping[str, Any]) -> dict[str, Any]:
    return {**values, "calls": [{**c, "parsed": _parsed(c["arguments"])} for c in values["calls"]]}


def _parsed(arguments: str) -> dict[str, Any]:
    try:
        loaded = orjson.loads(arguments)
    except orjson.JSONDecodeError:
        return {}
    return loaded if isinstance(loaded, dict) else {}


def _common(before: Trail, after: Trail) -> int:
    count = 0
    for one, other in zip(before.turns, after.turns, strict=False):
        if one is not other:
            break
        count += 1
    return count


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(CHANNEL_TYPES[name])
