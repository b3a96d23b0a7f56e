"""Chat Completions, as OpenAI and many other servers speak it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson
from pydantic import ValidationError

from ideatrail.models.adapter import model_told, no_choice, sampling_limit
from ideatrail.models.chat_wire import FINISHES, Folded, WireChat, fold, parts_of
from ideatrail.models.endings import EndingError, by_error_body, error_text
from ideatrail.models.options import Echo, EndpointOptions, SchemaMode, known
from ideatrail.models.protocol import Answer, CallPart, Message, ReasoningPart, Request, Usage
from ideatrail.models.structured import instruction, schema_name, strict_ready, unwrap
from ideatrail.models.wire import Reply, Wire, is_stream, parse_json, read_events, read_json

VERSION: Final = 1
"""Raised when what is sent or how answers are read changes: cached answers are then stale."""

_SEED_BITS: Final = 0x7FFFFFFF
"""Servers keep seeds in 32 signed bits or more."""


class ChatCompletions:
    """Requests as Chat Completions, and answers back."""

    def __init__(self, model: str, base_url: str, options: EndpointOptions, wire: Wire) -> None:
        about = known(base_url)
        self._model = model
        self._options = options
        self._wire = wire
        self._stream = bool(options.stream)
        self._echo: Echo = options.echo or about.echo
        self._limit_field = options.max_output_field or about.max_output_field
        self.schema_mode: SchemaMode = options.schema_mode or about.schema_mode
        self.version = f"chat-{VERSION}"

    async def send(self, request: Request, output: int) -> Answer:
        """One request, one answer. Raises EndingError, with the usage where one was told."""
        try:
            reply = await self._wire.post("/chat/completions", self.body(request, output))
        except EndingError as error:
            if error.partial:
                error.usage = _usage_told(error.partial)
                error.unmetered = error.unmetered and error.usage is None
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
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [_message(m, self._echo) for m in request.messages],
            self._limit_field: sampling_limit(request, options, output),
        }
        if options.temperature is not None:
            body["temperature"] = options.temperature
        if options.send_seed:
            body["seed"] = request.seed & _SEED_BITS
        if options.reasoning_effort is not None:
            body["reasoning_effort"] = options.reasoning_effort
        if request.tools:
            body["tools"] = list(request.tools)
            if options.parallel_tool_calls is not None:
                body["parallel_tool_calls"] = options.parallel_tool_calls
        if request.answer_schema is not None:
            self._ask_for_structure(body, request.answer_schema)
        if self._stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return body | options.extra_body

    def _ask_for_structure(self, body: dict[str, Any], schema: Mapping[str, Any]) -> None:
        name = schema_name(schema)
        match self.schema_mode:
            case "native":
                shape = {"name": name, "schema": schema, "strict": strict_ready(schema)}
                body["response_format"] = {"type": "json_schema", "json_schema": shape}
            case "tool":
                function = {"name": name, "description": "Give the answer.", "parameters": schema}
                body["tools"] = [{"type": "function", "function": function}]
                body["tool_choice"] = {"type": "function", "function": {"name": name}}
            case "json_object" | "prompt":
                if self.schema_mode == "json_object":
                    body["response_format"] = {"type": "json_object"}
                body["messages"].append({"role": "user", "content": instruction(schema)})

    def read(self, reply: Reply) -> Answer:
        """The answer that a reply's bytes hold. Raises EndingError."""
        if is_stream(reply):
            return self._read_stream(reply)
        chat = _chat(read_json(reply))
        usage = chat.usage.to_usage() if chat.usage else None
        if chat.error:
            raise _error(chat.error, usage)
        if not chat.choices:
            raise no_choice(usage)
        choice = chat.choices[0]
        message = choice.message or choice.delta
        if choice.error or choice.finish_reason == "error":
            raise _error(choice.error or "the server gave up on its answer", usage)
        if message is None:
            raise EndingError(
                "malformed_answer", "a choice without a message", usage=usage, unmetered=True
            )
        folded = Folded(
            message=message,
            finish_reason=choice.finish_reason,
            usage=chat.usage,
            id=chat.id,
            model=chat.model,
        )
        return self._answer(folded)

    def _read_stream(self, reply: Reply) -> Answer:
        chats: list[WireChat] = []
        for _, data in read_events(reply.body):
            chat = _chat(parse_json(data))
            chats.append(chat)
            failed = chat.error or next((c.error for c in chat.choices or () if c.error), None)
            if failed:
                told = fold(chats).usage
                raise _error(failed, told.to_usage() if told else None, midway=True)
        folded = fold(chats)
        usage = folded.usage.to_usage() if folded.usage else None
        done = b"[DONE]" in reply.body[-64:]
        if not folded.chosen:
            if done:
                raise no_choice(usage)
            raise EndingError(
                "stream_cut_short", "no choice in the stream", usage=usage, unmetered=True
            )
        if folded.finish_reason is None and not done:
            raise EndingError(
                "stream_cut_short", "no finish reason", usage=usage, unmetered=usage is None
            )
        if folded.finish_reason == "error":
            raise _error("the server gave up on its answer", usage)
        return self._answer(folded)

    def _answer(self, folded: Folded) -> Answer:
        message = folded.message
        parts = parts_of(message)
        usage = folded.usage.to_usage() if folded.usage else Usage()
        calls = any(isinstance(part, CallPart) for part in parts)
        reason = folded.finish_reason
        finish = FINISHES.get(reason or "", "tool_calls" if calls else "stop")
        if message.refusal:
            finish = "refusal"
        elif calls and finish == "stop":
            finish = "tool_calls"  # some servers say `stop` after calls
        if not parts and finish in ("stop", "tool_calls"):
            raise EndingError(
                "empty_answer",
                "neither text nor calls nor reasoning",
                usage=folded.usage.to_usage() if folded.usage else None,
                unmetered=folded.usage is None,
            )
        return Answer(
            parts=parts,
            usage=usage,
            finish=finish,
            model=model_told(folded.model, self._model),
            provider_id=folded.id,
            stop_reason=reason,
        )


def _message(message: Message, echo: Echo) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.text}
    if message.role != "assistant":
        return {"role": message.role, "content": message.text}
    calls = message.calls
    text = message.text or (None if calls else "")
    sent: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        sent["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ]
    thoughts = [part for part in message.parts if isinstance(part, ReasoningPart)]
    if thoughts and echo != "none":
        items = [part.item for part in thoughts if part.item]
        if echo == "reasoning_details" and items:
            sent["reasoning_details"] = [d for item in items for d in orjson.loads(item)]
        else:
            sent["reasoning" if echo == "reasoning_details" else echo] = message.reasoning
    return sent


def _chat(value: Any) -> WireChat:
    try:
        return WireChat.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise EndingError(
            "malformed_answer", f"{where or 'the answer'}: {first['msg']}", unmetered=True
        ) from error


def _error(body: Any, usage: Usage | None, *, midway: bool = False) -> EndingError:
    whole = {"error": body}
    unmetered = midway and usage is None
    return EndingError(by_error_body(whole), error_text(whole), usage=usage, unmetered=unmetered)


def _usage_told(partial: bytes) -> Usage | None:
    """The last usage of a stream that was broken off."""
    told: Usage | None = None
    for _, data in read_events(partial):
        try:
            usage = _chat(parse_json(data)).usage
        except EndingError:
            continue
        told = usage.to_usage() if usage else told
    return told
