"""OpenAI's Responses API: reasoning items go back as they came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from ideatrail.models.adapter import model_told, sampling_limit
from ideatrail.models.endings import EndingError, by_error_body, error_text
from ideatrail.models.options import EndpointOptions, SchemaMode, known
from ideatrail.models.protocol import (
    Answer,
    CallPart,
    Finish,
    Message,
    Part,
    ReasoningPart,
    Request,
    TextPart,
    Usage,
)
from ideatrail.models.structured import instruction, schema_name, strict_ready, unwrap
from ideatrail.models.wire import Reply, Wire, is_stream, parse_json, read_events, read_json

VERSION: Final = 1
_LAST: Final = ("response.completed", "response.incomplete", "response.failed")


class _Wire(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Cached(_Wire):
    cached_tokens: int | None = None


class _Thought(_Wire):
    reasoning_tokens: int | None = None


class _Usage(_Wire):
    input_tokens: int | None = None
    output_tokens: int | None = None
    input_tokens_details: _Cached | None = None
    output_tokens_details: _Thought | None = None

    def to_usage(self) -> Usage:
        inputs, outputs = self.input_tokens_details, self.output_tokens_details
        return Usage(
            input=self.input_tokens,
            cached=inputs.cached_tokens if inputs else None,
            output=self.output_tokens,
            reasoning=outputs.reasoning_tokens if outputs else None,
        )


class _Response(_Wire):
    id: str | None = None
    model: str | None = None
    status: str | None = None
    output: list[dict[str, Any]] | None = None
    usage: _Usage | None = None
    error: Any = None
    incomplete_details: dict[str, Any] | None = None


class Responses:
    """Requests as Responses, and answers back. Nothing is stored on the server."""

    def __init__(self, model: str, base_url: str, options: EndpointOptions, wire: Wire) -> None:
        self._model = model
        self._options = options
        self._wire = wire
        self.schema_mode: SchemaMode = options.schema_mode or known(base_url).schema_mode
        self.version = f"responses-{VERSION}"

    async def send(self, request: Request, output: int) -> Answer:
        """One request, one answer. Raises EndingError."""
        answer = self.read(await self._wire.post("/responses", self.body(request, output)))
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
            "input": [item for message in request.messages for item in _items(message)],
            "max_output_tokens": sampling_limit(request, options, output),
            "store": False,
            # Without it a request that is not stored gets no reasoning to send back.
            "include": ["reasoning.encrypted_content"],
        }
        if options.temperature is not None:
            body["temperature"] = options.temperature
        body["reasoning"] = {"summary": "auto"}
        if options.reasoning_effort is not None:
            body["reasoning"]["effort"] = options.reasoning_effort
        if request.tools:
            body["tools"] = [{"type": "function", **tool["function"]} for tool in request.tools]
            if options.parallel_tool_calls is not None:
                body["parallel_tool_calls"] = options.parallel_tool_calls
        if request.answer_schema is not None:
            self._ask_for_structure(body, request.answer_schema)
        if options.stream:
            body["stream"] = True
        return body | options.extra_body

    def _ask_for_structure(self, body: dict[str, Any], schema: Mapping[str, Any]) -> None:
        name = schema_name(schema)
        match self.schema_mode:
            case "native":
                shape = {"name": name, "schema": schema, "strict": strict_ready(schema)}
                body["text"] = {"format": {"type": "json_schema", **shape}}
            case "tool":
                body["tools"] = [{"type": "function", "name": name, "parameters": schema}]
                body["tool_choice"] = {"type": "function", "name": name}
            case "json_object" | "prompt":
                if self.schema_mode == "json_object":
                    body["text"] = {"format": {"type": "json_object"}}
                body["input"].append({"role": "user", "content": instruction(schema)})

    def read(self, reply: Reply) -> Answer:
        """The answer that a reply's bytes hold. Raises EndingError."""
        response = _response(self._last(reply) if is_stream(reply) else read_json(reply))
        usage = response.usage.to_usage() if response.usage else None
        if response.error or response.status == "failed":
            body = {"error": response.error or "the server gave up on its answer"}
            raise EndingError(by_error_body(body), error_text(body), usage=usage)
        parts = tuple(part for item in response.output or () for part in _parts(item))
        why = (response.incomplete_details or {}).get("reason")
        finish: Finish = "tool_calls" if any(isinstance(p, CallPart) for p in parts) else "stop"
        if response.status == "incomplete":
            finish = "refusal" if why == "content_filter" else "length"
        elif any(_refused(item) for item in response.output or ()):
            finish = "refusal"
        if not parts and finish in ("stop", "tool_calls"):
            raise EndingError(
                "empty_answer", "an answer without output", usage=usage, unmetered=usage is None
            )
        return Answer(
            parts=parts,
            usage=usage or Usage(),
            finish=finish,
            model=model_told(response.model, self._model),
            provider_id=response.id,
            stop_reason=why or response.status,
        )

    @staticmethod
    def _last(reply: Reply) -> Any:
        """The closing event's response: it holds the whole answer again."""
        for _, data in read_events(reply.body):
            event = parse_json(data)
            kind = event.get("type") if isinstance(event, dict) else None
            if kind == "error":
                raise EndingError(by_error_body(event), error_text(event), unmetered=True)
            if kind in _LAST:
                return event.get("response")
        raise EndingError("stream_cut_short", "no closing event", unmetered=True)


def _items(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        output = message.text
        return [{"type": "function_call_output", "call_id": message.tool_call_id, "output": output}]
    if message.role != "assistant":
        return [{"role": message.role, "content": message.text}]
    items: list[dict[str, Any]] = []
    for part in message.parts:
        match part:
            case ReasoningPart(item=str() as item):
                items.append(orjson.loads(item))
            case TextPart(text) if text:
                items.append({"role": "assistant", "content": text})
            case CallPart(id=call_id, name=name, arguments=arguments):
                call = {"call_id": call_id, "name": name, "arguments": arguments}
                items.append({"type": "function_call", **call})
    return items


def _parts(item: Mapping[str, Any]) -> list[Part]:
    match item.get("type"):
        case "reasoning":
            pieces = [*(item.get("summary") or ()), *(item.get("content") or ())]
            text = "\n\n".join(str(p.get("text") or "") for p in pieces if isinstance(p, Mapping))
            return [ReasoningPart(text.strip(), item=orjson.dumps(item).decode())]
        case "message":
            pieces = [p for p in item.get("content") or () if isinstance(p, Mapping)]
            text = "".join(str(p.get("text") or p.get("refusal") or "") for p in pieces)
            return [TextPart(text)] if text else []
        case "function_call":
            arguments = item.get("arguments")
            if not isinstance(arguments, str):
                arguments = "" if arguments is None else orjson.dumps(arguments).decode()
            call_id, name = str(item.get("call_id") or ""), str(item.get("name") or "")
            return [CallPart(call_id, name, arguments)]
    return []


def _refused(item: Mapping[str, Any]) -> bool:
    return any(isinstance(p, Mapping) and p.get("refusal") for p in item.get("content") or ())


def _response(value: Any) -> _Response:
    try:
        return _Response.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise EndingError(
            "malformed_answer", f"{where or 'the answer'}: {first['msg']}", unmetered=True
        ) from error
