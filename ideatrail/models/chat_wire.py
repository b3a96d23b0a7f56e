"""What Chat Completions servers send, in all the shapes in which they send it.

Every field may be absent or null. Streams are folded into the message they spell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import orjson
from pydantic import BaseModel, ConfigDict, Field

from ideatrail.models.protocol import CallPart, Finish, Part, ReasoningPart, TextPart, Usage

_THINK: Final = re.compile(r"\s*<think>(.*?)</think>\s*", re.DOTALL)

FINISHES: Final[dict[str, Finish]] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "tool_use": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
    "error": "error",
}


class _Wire(BaseModel):
    model_config = ConfigDict(extra="ignore")


class WireFunction(_Wire):
    """A function call; arguments as JSON text, or as the object itself."""

    name: str | None = None
    arguments: Any = None


class WireCall(_Wire):
    """A tool call, or a stretch of one."""

    index: int | None = None
    id: str | int | None = None
    function: WireFunction | None = None


class WireMessage(_Wire):
    """A message, or a stretch of one. Reasoning goes by four names."""

    content: str | list[Any] | None = None
    reasoning_content: str | list[Any] | None = None
    reasoning: Any = None
    reasoning_details: list[dict[str, Any]] | None = None
    thinking: str | None = None
    tool_calls: list[WireCall] | None = None
    function_call: WireFunction | None = None
    refusal: str | None = None


class WireChoice(_Wire):
    """One choice; `error` is OpenRouter's."""

    message: WireMessage | None = None
    delta: WireMessage | None = None
    finish_reason: str | None = None
    error: Any = None


class _InputDetails(_Wire):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class _OutputDetails(_Wire):
    reasoning_tokens: int | None = None


class WireUsage(_Wire):
    """Tokens; `prompt_cache_hit_tokens` is DeepSeek's."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_cache_hit_tokens: int | None = None
    prompt_tokens_details: _InputDetails | None = None
    completion_tokens_details: _OutputDetails | None = None

    def to_usage(self) -> Usage:
        """Our figures; what is not told stays unknown."""
        inputs, outputs = self.prompt_tokens_details, self.completion_tokens_details
        cached = inputs.cached_tokens if inputs else None
        return Usage(
            input=self.prompt_tokens,
            cached=self.prompt_cache_hit_tokens if cached is None else cached,
            output=self.completion_tokens,
            reasoning=outputs.reasoning_tokens if outputs else None,
            cache_write=inputs.cache_write_tokens if inputs else None,
        )


class WireChat(_Wire):
    """A whole answer, or one event of a stream."""

    id: str | None = None
    model: str | None = None
    choices: list[WireChoice] | None = None
    usage: WireUsage | None = None
    error: Any = None


class Folded(_Wire):
    """A stream, folded."""

    message: WireMessage = Field(default_factory=WireMessage)
    finish_reason: str | None = None
    usage: WireUsage | None = None
    id: str | None = None
    model: str | None = None
    chosen: bool = False
    """Whether any event held a choice."""


def fold(events: Iterable[WireChat]) -> Folded:
    """The message that a stream spells; its last usage is the whole usage."""
    folded = Folded()
    content, named = list[str](), dict[str, list[str]]()
    details: list[dict[str, Any]] = []
    calls: list[WireCall] = []
    at: dict[int, WireCall] = {}
    for event in events:
        folded.id = folded.id or event.id
        folded.model = folded.model or event.model
        folded.usage = event.usage or folded.usage
        for choice in (event.choices or [])[:1]:
            folded.chosen = True
            folded.finish_reason = choice.finish_reason or folded.finish_reason
            delta = choice.delta or choice.message
            if delta is None:
                continue
            text, thought = split_content(delta.content)
            content.append(text)
            if thought:
                named.setdefault("reasoning_content", []).append(thought)
            for name in ("reasoning_content", "reasoning", "thinking", "refusal"):
                if text := plain(getattr(delta, name)):
                    named.setdefault(name, []).append(text)
            _fold_details(details, delta.reasoning_details or ())
            for part in delta.tool_calls or ():
                _fold_call(calls, at, part)
            if delta.function_call is not None:
                _fold_call(calls, at, WireCall(index=0, function=delta.function_call))
    folded.message = WireMessage(
        content="".join(content),
        reasoning_details=details or None,
        tool_calls=calls or None,
        **{name: "".join(texts) for name, texts in named.items()},  # type: ignore[arg-type]
    )
    return folded


def _fold_details(details: list[dict[str, Any]], more: Iterable[dict[str, Any]]) -> None:
    for detail in more:
        last = details[-1] if details else None
        same = (
            last is not None
            and last.get("type") == detail.get("type")
            and last.get("index") == detail.get("index")
        )
        if last is None or not same:
            details.append(dict(detail))
            continue
        for key, value in detail.items():
            if key in ("text", "summary") and isinstance(value, str):
                last[key] = (last.get(key) or "") + value
            elif value is not None:
                last[key] = value


def _fold_call(calls: list[WireCall], at: dict[int, WireCall], part: WireCall) -> None:
    """Add a stretch of a call.

    Some servers number every call 0, or number none: a new id with a name is then a new call.
    """
    function = part.function or WireFunction()
    known: WireCall | None
    if part.index is None:
        known = calls[-1] if calls and not function.name else None
    else:
        known = at.get(part.index)
        if known is not None and function.name and part.id not in (None, "", known.id):
            known = None
    if known is None:
        known = WireCall(index=part.index, id=part.id, function=WireFunction(name=""))
        calls.append(known)
        if part.index is not None:
            at[part.index] = known
    assert known.function is not None
    if function.name != known.function.name:  # some servers repeat it with every stretch
        known.function.name = (known.function.name or "") + (function.name or "")
    if isinstance(function.arguments, str):
        known.function.arguments = (known.function.arguments or "") + function.arguments
    elif function.arguments is not None:
        known.function.arguments = function.arguments


def plain(value: Any) -> str:
    """The text of a string, of a list of typed parts, or of an object that holds one."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(plain(item) for item in value)
    if isinstance(value, dict):
        for key in ("text", "content", "summary", "thinking"):
            if value.get(key):
                return plain(value[key])
    return ""


def split_content(content: str | list[Any] | None) -> tuple[str, str]:
    """Visible text and reasoning: Mistral's thinking models put both into typed parts."""
    if not isinstance(content, list):
        return content or "", ""
    text, thought = "", ""
    for item in content:
        kind = item.get("type") if isinstance(item, dict) else None
        if kind in ("thinking", "reasoning"):
            thought += plain(item)
        else:
            text += plain(item)
    return text, thought


def parts_of(message: WireMessage) -> tuple[Part, ...]:
    """A message as typed parts: reasoning, text, calls."""
    text, thought = split_content(message.content)
    details = message.reasoning_details or []
    # The same reasoning often comes under two names; the first that holds any is taken.
    reasoning = (
        plain(message.reasoning_content)
        or plain(message.reasoning)
        or plain(message.thinking)
        or thought
        or "\n".join(t for t in (plain(detail) for detail in details) if t)
    )
    if not reasoning and (inline := _THINK.match(text)):
        reasoning, text = inline.group(1).strip(), text[inline.end() :]
    parts: list[Part] = []
    if reasoning or details:
        item = orjson.dumps(details).decode() if details else None
        parts.append(ReasoningPart(reasoning, item=item))
    if text or message.refusal:
        parts.append(TextPart(text or message.refusal or ""))
    calls = list(message.tool_calls or ())
    if message.function_call is not None and not calls:
        calls.append(WireCall(function=message.function_call))
    parts += [_call(call) for call in calls]
    return tuple(parts)


def _call(call: WireCall) -> CallPart:
    function = call.function or WireFunction()
    arguments = function.arguments
    if not isinstance(arguments, str):
        arguments = "" if arguments is None else orjson.dumps(arguments).decode()
    return CallPart(
        id="" if call.id is None else str(call.id), name=function.name or "", arguments=arguments
    )
