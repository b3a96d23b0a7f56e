"""What the Messages API sends: blocks, events, usage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from ideatrail.models.endings import EndingError, by_error_body, error_text
from ideatrail.models.protocol import CallPart, Finish, Part, ReasoningPart, TextPart, Usage
from ideatrail.models.wire import parse_json, read_events

FINISHES: Final[Mapping[str, Finish]] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "pause_turn": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class _Wire(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Thought(_Wire):
    thinking_tokens: int | None = None


class WireUsage(_Wire):
    """Tokens."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens_details: _Thought | None = None

    def to_usage(self) -> Usage:
        """Our figures: `input_tokens` leaves out what the cache read and wrote, ours has it."""
        read, written = self.cache_read_input_tokens, self.cache_creation_input_tokens
        details = self.output_tokens_details
        fresh = self.input_tokens
        return Usage(
            input=None if fresh is None else fresh + (read or 0) + (written or 0),
            cached=read,
            output=self.output_tokens,
            reasoning=details.thinking_tokens if details else None,
            cache_write=written,
        )


class WireMessage(_Wire):
    """A whole answer."""

    id: str | None = None
    model: str | None = None
    content: list[dict[str, Any]] | None = None
    stop_reason: str | None = None
    usage: WireUsage | None = None
    error: Any = None


def parts_of(block: Mapping[str, Any]) -> list[Part]:
    """A block as a typed part; kinds that we did not ask for are left out."""
    match block.get("type"):
        case "thinking":
            signature = block.get("signature")
            text = str(block.get("thinking") or "")
            return [ReasoningPart(text, signature=None if signature is None else str(signature))]
        case "redacted_thinking":
            return [ReasoningPart("", redacted=str(block.get("data") or ""))]
        case "text":
            text = str(block.get("text") or "")
            return [TextPart(text)] if text else []
        case "tool_use":
            given = block.get("input")
            arguments = given if isinstance(given, str) else orjson.dumps(given or {}).decode()
            return [CallPart(str(block.get("id") or ""), str(block.get("name") or ""), arguments)]
    return []


def events_of(body: bytes, *, broken: bool = False) -> list[dict[str, Any]]:
    """The events of a stream. Raises EndingError for an error event, unless it was `broken` off."""
    found: list[dict[str, Any]] = []
    for name, data in read_events(body):
        try:
            event = parse_json(data)
        except EndingError:
            if broken:
                break
            raise
        if not isinstance(event, dict):
            continue
        if (name == "error" or event.get("type") == "error") and not broken:
            told = fold(found).usage
            usage = told.to_usage() if told else None
            raise EndingError(
                by_error_body(event), error_text(event), usage=usage, unmetered=usage is not None
            )
        found.append(event)
    return found


def fold(events: Iterable[Mapping[str, Any]]) -> WireMessage:
    """The message that a stream spells."""
    message: dict[str, Any] = {}
    usage: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    inputs: dict[int, list[str]] = {}
    for event in events:
        index = int(event.get("index") or 0)
        match event.get("type"):
            case "message_start":
                message = dict(event.get("message") or {})
                usage = dict(message.get("usage") or {})
            case "content_block_start":
                blocks[index] = dict(event.get("content_block") or {})
            case "content_block_delta":
                block, delta = blocks.setdefault(index, {}), event.get("delta") or {}
                for key in ("text", "thinking", "signature"):
                    if isinstance(delta.get(key), str):
                        block[key] = (block.get(key) or "") + delta[key]
                if isinstance(delta.get("partial_json"), str):
                    inputs.setdefault(index, []).append(delta["partial_json"])
            case "message_delta":
                reason = (event.get("delta") or {}).get("stop_reason")
                message["stop_reason"] = reason or message.get("stop_reason")
                told = event.get("usage") or {}
                usage |= {key: value for key, value in told.items() if value is not None}
    for index, pieces in inputs.items():
        if text := "".join(pieces):
            blocks[index]["input"] = text  # as the model wrote it; it may be cut off
    message["content"] = [blocks[index] for index in sorted(blocks)]
    message["usage"] = usage or None
    return parse_message(message)


def parse_message(value: Any) -> WireMessage:
    """A whole answer. Raises EndingError where it has another shape."""
    try:
        return WireMessage.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise EndingError(
            "malformed_answer", f"{where or 'the answer'}: {first['msg']}", unmetered=True
        ) from error
