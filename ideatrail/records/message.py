"""Reads single messages as the wild has them: parts for content, objects for arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True)
class WildCall:
    """A tool call as it stands in any file."""

    id: str
    name: str
    arguments: str
    """JSON text; arguments that were an object are written out."""


def text_of(value: Any) -> str:
    """Text of a `content` that is a string, a list of parts, or null.

    Parts that hold no text (images, calls) add nothing; texts are joined without anything between
    them, as providers do when they stream them.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_part_text(part) for part in value)
    return ""


def reasoning_of(message: Mapping[str, Any]) -> str:
    """Reasoning under any of its known keys: `reasoning_content`, `reasoning`, thinking parts."""
    for key in ("reasoning_content", "reasoning"):
        value = message.get(key)
        if isinstance(value, str) and value:
            return value
    content = message.get("content")
    if isinstance(content, list):
        return "".join(
            part["thinking"]
            for part in content
            if isinstance(part, Mapping) and isinstance(part.get("thinking"), str)
        )
    return ""


def calls_of(message: Mapping[str, Any]) -> tuple[WildCall, ...]:
    """The calls of an assistant message; an entry that is no call at all is left out."""
    entries = message.get("tool_calls")
    if not isinstance(entries, list):
        return ()
    return tuple(_call(entry) for entry in entries if isinstance(entry, Mapping))


def answered_ids(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Ids that a tool message says it answers; some writers use a plural key."""
    found: list[str] = []
    one = message.get("tool_call_id")
    if isinstance(one, str):
        found.append(one)
    many = message.get("tool_call_ids")
    if isinstance(many, list):
        found.extend(i for i in many if isinstance(i, str))
    return tuple(found)


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping) and isinstance(part.get("text"), str):
        return str(part["text"])
    return ""


def _call(entry: Mapping[str, Any]) -> WildCall:
    function = entry.get("function")
    inner: Mapping[str, Any] = function if isinstance(function, Mapping) else entry
    arguments = inner.get("arguments")
    if isinstance(arguments, str):
        text = arguments
    elif arguments is None:
        text = ""
    else:
        text = orjson.dumps(arguments).decode()
    return WildCall(str(entry.get("id") or ""), str(inner.get("name") or ""), text)
