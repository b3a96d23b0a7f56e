"""Anthropic's Messages API: thinking blocks with their signatures, byte for byte, both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson

from ideatrail.models.adapter import model_told, sampling_limit
from ideatrail.models.anthropic_wire import FINISHES, events_of, fold, parse_message, parts_of
from ideatrail.models.endings import EndingError, by_error_body, error_text
from ideatrail.models.options import EndpointOptions, SchemaMode
from ideatrail.models.protocol import (
    Answer,
    CallPart,
    Message,
    Part,
    ReasoningPart,
    Request,
    TextPart,
    Usage,
)
from ideatrail.models.structured import instruction, schema_name, unwrap
from ideatrail.models.wire import Reply, Wire, is_stream, read_json

VERSION: Final = 1

_CACHED: Final = {"cache_control": {"type": "ephemeral"}}
_LEAST_THINKING: Final = 1024
"""The least budget that the API takes."""


class Messages:
    """Requests as Messages, and answers back."""

    def __init__(self, model: str, base_url: str, options: EndpointOptions, wire: Wire) -> None:
        self._model = model
        self._options = options
        self._wire = wire
        self._stream = options.stream is not False
        self.schema_mode: SchemaMode = options.schema_mode or "native"
        self.version = f"messages-{VERSION}"

    async def send(self, request: Request, output: int) -> Answer:
        """One request, one answer. Raises EndingError, with the usage where one was told."""
        try:
            reply = await self._wire.post("/v1/messages", self.body(request, output))
        except EndingError as error:
            if error.partial:
                told = fold(events_of(error.partial, broken=True)).usage
                error.usage = told.to_usage() if told else None
                # The prompt is known; what was made of the answer before the break is not.
                error.unmetered = True
            raise
        answer = self.read(reply)
        if request.answer_schema is not None:
            answer = unwrap(answer, request.answer_schema, self.schema_mode)
        return answer

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        await self._wire.aclose()

    def body(self, request: Request, output: int) -> dict[str, Any]:
        """The request's JSON."""
        options = self._options
        most = sampling_limit(request, options, output)
        system = [m.text for m in request.messages if m.role == "system"]
        body: dict[str, Any] = {
            "model": self._model,
            "max_tokens": most,
            "messages": _turns(m for m in request.messages if m.role != "system"),
        }
        if any(system):
            body["system"] = [{"type": "text", "text": text} for text in system if text]
        if request.tools:
            body["tools"] = [_tool(tool["function"]) for tool in request.tools]
            if options.parallel_tool_calls is False:
                body["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
        thinking = self._thinking(most)
        if thinking is not None:
            body["thinking"] = thinking
        elif options.temperature is not None:
            body["temperature"] = options.temperature
        if options.reasoning_effort is not None:
            body["output_config"] = {"effort": options.reasoning_effort}
        if request.answer_schema is not None:
            self._ask_for_structure(body, request.answer_schema, thinking is not None)
        if options.prompt_cache:
            _mark_prefix(body)
        if self._stream:
            body["stream"] = True
        return body | options.extra_body

    def _thinking(self, most: int) -> dict[str, Any] | None:
        chosen = self._options.thinking
        if chosen == "off":
            return None
        if isinstance(chosen, int):
            # The budget must leave room for the answer itself.
            budget = max(_LEAST_THINKING, min(chosen, most - 1))
            return {"type": "enabled", "budget_tokens": budget} if budget < most else None
        return {"type": "adaptive", "display": "summarized"}

    def _ask_for_structure(
        self, body: dict[str, Any], schema: Mapping[str, Any], thinking: bool
    ) -> None:
        if self.schema_mode == "native":
            from anthropic import transform_schema

            shape = {"type": "json_schema", "schema": transform_schema(dict(schema))}
            body["output_config"] = {**body.get("output_config", {}), "format": shape}
            return
        if self.schema_mode == "tool":
            name = schema_name(schema)
            body["tools"] = [
                {"name": name, "description": "Give the answer.", "input_schema": dict(schema)}
            ]
            if not thinking:
                body["tool_choice"] = {"type": "tool", "name": name}
                return
            # The API refuses forced tool choice together with thinking: ask in words.
            _add_text(body, f"Give your answer by calling the tool {name} once.")
            return
        _add_text(body, instruction(schema))

    def read(self, reply: Reply) -> Answer:
        """The answer that a reply's bytes hold. Raises EndingError."""
        if is_stream(reply):
            message = fold(events_of(reply.body))
            if message.stop_reason is None:
                told = message.usage.to_usage() if message.usage else None
                raise EndingError("stream_cut_short", "no stop reason", usage=told, unmetered=True)
        else:
            message = parse_message(read_json(reply))
        usage = message.usage.to_usage() if message.usage else None
        if message.error:
            body = {"error": message.error}
            raise EndingError(by_error_body(body), error_text(body), usage=usage)
        if message.content is None:
            raise EndingError(
                "malformed_answer", "an answer without content", usage=usage, unmetered=True
            )
        parts = tuple(part for block in message.content for part in parts_of(block))
        finish = FINISHES.get(message.stop_reason or "", "stop")
        if not parts and finish in ("stop", "tool_calls"):
            raise EndingError(
                "empty_answer", "an answer without a block", usage=usage, unmetered=usage is None
            )
        return Answer(
            parts=parts,
            usage=usage or Usage(),
            finish=finish,
            model=model_told(message.model, self._model),
            provider_id=message.id,
            stop_reason=message.stop_reason,
        )


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": function["name"],
        "description": function.get("description", ""),
        "input_schema": function.get("parameters") or {"type": "object", "properties": {}},
    }


def _turns(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Messages by turns: results of tools are the user's, and neighbours of one role are one."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        if message.role == "tool":
            blocks = [
                {
                    "type": "tool_result",
                    "tool_use_id": message.tool_call_id,
                    "content": message.text,
                }
            ]
        else:
            blocks = [block for part in message.parts for block in _blocks(part)]
        if not blocks:
            continue
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
    return turns


def _blocks(part: Part) -> list[dict[str, Any]]:
    match part:
        case ReasoningPart(redacted=str() as data):
            return [{"type": "redacted_thinking", "data": data}]
        case ReasoningPart(text=text, signature=str() as signature):
            return [{"type": "thinking", "thinking": text, "signature": signature}]
        case ReasoningPart():
            return []  # without its signature the API refuses it
        case TextPart(text):
            return [{"type": "text", "text": text}] if text.strip() else []
        case CallPart(id=call_id, name=name, arguments=arguments):
            return [{"type": "tool_use", "id": call_id, "name": name, "input": _object(arguments)}]


def _object(arguments: str) -> dict[str, Any]:
    try:
        value = orjson.loads(arguments or "{}")
    except orjson.JSONDecodeError:
        value = None
    return value if isinstance(value, dict) else {"arguments": arguments}


def _add_text(body: dict[str, Any], text: str) -> None:
    turns = body["messages"]
    block = {"type": "text", "text": text}
    if turns and turns[-1]["role"] == "user":
        turns[-1]["content"].append(block)
    else:
        turns.append({"role": "user", "content": [block]})


def _mark_prefix(body: dict[str, Any]) -> None:
    """Mark what stays the same: tools and system, and the conversation but for its last block.

    The last block is the passing stage line; what stands before it comes again in the next turn.
    """
    if body.get("system"):
        body["system"][-1] |= _CACHED  # tools stand before the system prompt and are in its prefix
    elif body.get("tools"):
        body["tools"][-1] |= _CACHED
    blocks = [block for turn in body["messages"] for block in turn["content"]]
    for block in reversed(blocks[:-1]):
        if block["type"] in ("text", "tool_result", "tool_use"):  # thinking takes no mark
            block |= _CACHED
            break
