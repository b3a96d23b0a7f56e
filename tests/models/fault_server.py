"""A chat server on loopback that speaks three APIs and fails in every way that servers fail.

It counts the tokens that it told, so that a ledger can be held to it.
"""

from __future__ import annotations

import asyncio
import gzip
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import orjson
from aiohttp import web

from ideatrail.models.options import Patience

Api = Literal["chat", "responses", "messages"]
APIS: dict[str, Api] = {
    "/v1/chat/completions": "chat",
    "/v1/responses": "responses",
    "/v1/messages": "messages",
}
QUICK = Patience(attempts=4, wait=20, first_wait=0.005, longest_wait=0.05, silence=2, total=15)
"""Waits that fit a test."""
STALL = 30.0
"""Longer than any test waits."""


@dataclass(frozen=True)
class Said:
    """What the server's model says."""

    text: str = "Hello."
    reasoning: str = "They greet me."
    calls: tuple[tuple[str, str, Any], ...] = ()
    """(id, name, arguments)."""
    signature: str = "c2lnbmVkIGhlcmU="
    redacted: str | None = None
    finish: str | None = None
    prompt: int = 40
    output: int = 12
    thought: int = 5
    cached: int = 8
    written: int = 0


Fault = str
"""Name of a fault; empty is none. `status:<n>` and `status:<n>:<seconds>` are refusals."""


@dataclass
class FaultServer:
    """The server; `next` decides what the next request meets."""

    said: Said = field(default_factory=Said)
    faults: list[Fault] = field(default_factory=list)
    """Faults of the next requests, in order; then `otherwise`."""
    otherwise: Callable[[], Fault] = field(default=lambda: "")
    latency: float = 0.0
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    told: dict[str, int] = field(
        default_factory=lambda: {"input": 0, "output": 0, "cached": 0, "reasoning": 0}
    )
    answered: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    url: str = ""

    @property
    def base_url(self) -> str:
        """Base URL for OpenAI-compatible clients."""
        return f"{self.url}/v1"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        body = orjson.loads(await request.read())
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        fault = self.faults.pop(0) if self.faults else self.otherwise()
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            if self.latency:
                await asyncio.sleep(self.latency)
            return await self._answer(request, APIS[request.path], body, fault)
        finally:
            self.in_flight -= 1

    async def _answer(
        self, request: web.Request, api: Api, body: dict[str, Any], fault: Fault
    ) -> web.StreamResponse:
        if fault.startswith("status:"):
            return _refusal(api, *fault.split(":")[1:])
        if fault == "overflow":
            text = "This model's maximum context length is 8192 tokens, you asked for 9000."
            return _refusal(api, "400", message=text, code="context_length_exceeded")
        if fault == "no_credit":
            return _refusal(
                api, "429", message="You exceeded your quota", code="insufficient_quota"
            )
        if fault == "echo_key":
            key = request.headers.get("authorization", "") + request.headers.get("x-api-key", "")
            return _refusal(api, "401", message=f"Incorrect API key provided: {key}")
        if fault == "redirect":
            raise web.HTTPTemporaryRedirect("http://127.0.0.1:9/elsewhere")
        if fault == "stall":
            await asyncio.sleep(STALL)
        if fault == "reset":
            return _reset(request)
        if fault == "html":
            return web.Response(text="<html>Welcome to the proxy</html>", content_type="text/html")
        if fault == "invalid_json":
            return web.Response(body=b'{"id": nonsense, "x": 1}', content_type="application/json")
        if fault == "no_body":
            return web.Response(body=b"", content_type="application/json")
        said = bend(self.said, fault)
        stream = bool(body.get("stream"))
        if not stream:
            return await self._whole(request, api, said, fault)
        return await self._stream(request, api, said, fault)

    async def _whole(
        self, request: web.Request, api: Api, said: Said, fault: Fault
    ) -> web.StreamResponse:
        answer = whole(api, said, fault)
        raw = orjson.dumps(answer)
        if fault == "truncated_json":
            return web.Response(body=raw[: len(raw) // 2], content_type="application/json")
        if fault == "reset_midway":
            return await _cut(request, "application/json", [raw[:30]], len(raw))
        self._tell(api, answer.get("usage"), said)
        headers = {"content-type": "application/json"}
        if fault == "text_plain":
            headers["content-type"] = "text/plain; charset=utf-8"
        if fault == "keep_alive_blanks":
            raw = b"\n         \n" * 40 + raw
        if fault == "gzip":
            raw = gzip.compress(raw)
            headers["content-encoding"] = "gzip"
        self.answered += 1
        return web.Response(body=raw, headers=headers)

    async def _stream(
        self, request: web.Request, api: Api, said: Said, fault: Fault
    ) -> web.StreamResponse:
        events = list(stream_events(api, said, fault))
        if fault == "reset_midway":
            self._tell_part(api, said)
            return await _cut(request, "text/event-stream", events[: len(events) // 2], None)
        if fault == "cut_short":
            self._tell_part(api, said)
            events = events[: len(events) // 2]
        elif fault == "error_event":
            self._tell_part(api, said)
            events = [*events[: len(events) // 2], error_event(api)]
        else:
            self._tell(api, None if fault == "null_usage" else {}, said)
            self.answered += 1
        raw = b"".join(events)
        if fault == "truncated_json":
            raw = raw[: len(raw) // 2] + b"\n\n"
        headers = {"content-type": "text/event-stream"}
        if fault == "gzip":
            headers["content-encoding"] = "gzip"
            return web.Response(body=gzip.compress(raw), headers=headers)
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        for start in range(0, len(raw), 65_536):
            await response.write(raw[start : start + 65_536])
        return response

    def _tell(self, api: Api, usage: Any, said: Said) -> None:
        if usage is None:
            return
        self.told["input"] += said.prompt
        self.told["output"] += said.output
        self.told["cached"] += said.cached
        self.told["reasoning"] += said.thought

    def _tell_part(self, api: Api, said: Said) -> None:
        """What a stream that breaks off has told: Anthropic's begins with the prompt."""
        if api == "messages":
            self.told["input"] += said.prompt
            self.told["cached"] += said.cached
            self.told["output"] += 1


def bend(said: Said, fault: Fault) -> Said:
    """What is said under faults that lie in what is said."""
    look = ("call_1", "WebSearch", '{"query": "a"}')
    match fault:
        case "calls":
            return replace(said, calls=(look, ("call_2", "View", '{"file_path": "b"}')))
        case "one_id_twice":
            return replace(said, calls=(look, ("call_1", "View", '{"file_path": "b"}')))
        case "empty_name":
            return replace(said, calls=(("call_1", "", '{"query": "a"}'),))
        case "arguments_object":
            return replace(said, calls=(("call_1", "WebSearch", {"query": "a"}),))
        case "arguments_broken":
            return replace(said, calls=(("call_1", "WebSearch", '{"query": "a'),))
        case "missing_argument":
            return replace(said, calls=(("call_1", "WebSearch", '{"max_results": 3}'),))
        case "unknown_tool":
            return replace(said, calls=(("call_1", "RunShell", "{}"),))
        case "refusal":
            return replace(said, text="I cannot help with that.", finish="refusal")
        case "cut_off":
            return replace(said, text="It began to", finish="length")
        case "only_thought":
            return replace(said, text="", finish="length")
        case "huge":
            return replace(said, text="x" * 10_000_000)
        case "empty":
            return replace(said, text="", reasoning="", redacted=None, signature="")
        case "surrogate":
            return replace(said, text="SURROGATE")
        case "line_separator":
            return replace(said, text="one\u2028two <|endoftext|>")
        case "redacted":
            return replace(said, redacted="b3BhcXVlIGJ5dGVz+/==")
    return said


def usage_of(api: Api, said: Said, fault: Fault) -> Any:
    """The usage as this API tells it."""
    if fault == "null_usage":
        return None
    if api == "chat":
        return {
            "prompt_tokens": said.prompt,
            "completion_tokens": said.output,
            "prompt_tokens_details": {"cached_tokens": said.cached},
            "completion_tokens_details": {"reasoning_tokens": said.thought},
        }
    if api == "responses":
        return {
            "input_tokens": said.prompt,
            "output_tokens": said.output,
            "input_tokens_details": {"cached_tokens": said.cached},
            "output_tokens_details": {"reasoning_tokens": said.thought},
        }
    return {
        "input_tokens": said.prompt - said.cached - said.written,
        "cache_read_input_tokens": said.cached,
        "cache_creation_input_tokens": said.written,
        "output_tokens": said.output,
        "output_tokens_details": {"thinking_tokens": said.thought},
    }


REASONING_NAMES = ("reasoning_content", "reasoning", "thinking", "reasoning_details", "think_tags")


def chat_message(said: Said, fault: Fault) -> dict[str, Any]:
    """A Chat Completions message."""
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    if fault == "refusal":
        message |= {"content": None, "refusal": said.text}
    name = fault if fault in REASONING_NAMES else "reasoning_content"
    if fault == "parts":
        message["content"] = [{"type": "text", "text": said.text[:3]}, {"text": said.text[3:]}]
    if fault == "typed_parts":
        message["content"] = [
            {"type": "thinking", "thinking": [{"type": "text", "text": said.reasoning}]},
            {"type": "text", "text": said.text},
        ]
    elif fault == "no_reasoning":
        pass
    elif name == "reasoning_details":
        detail = {"type": "reasoning.text", "text": said.reasoning, "signature": "s", "index": 0}
        message |= {"reasoning": said.reasoning, "reasoning_details": [detail]}
    elif name == "think_tags":
        message["content"] = f"<think>\n{said.reasoning}\n</think>\n\n{said.text}"
    elif said.reasoning:
        message[name] = said.reasoning
    if said.calls:
        message["tool_calls"] = [
            {"id": i, "type": "function", "function": {"name": n, "arguments": a}}
            for i, n, a in said.calls
        ]
    return message


def chat_finish(said: Said) -> str:
    """The finish reason."""
    if said.finish == "refusal":
        return "stop"
    return said.finish or ("tool_calls" if said.calls else "stop")


def response_items(said: Said, fault: Fault) -> list[dict[str, Any]]:
    """A response's output items."""
    items: list[dict[str, Any]] = []
    if said.reasoning:
        summary = [{"type": "summary_text", "text": said.reasoning}]
        sealed = {"encrypted_content": "b3BhcXVl", "summary": summary}
        items.append({"type": "reasoning", "id": "rs_1", **sealed})
    if said.text:
        kind = "refusal" if fault == "refusal" else "text"
        piece = {"type": "refusal" if fault == "refusal" else "output_text", kind: said.text}
        items.append({"type": "message", "id": "m", "role": "assistant", "content": [piece]})
    for call_id, name, arguments in said.calls:
        call = {"call_id": call_id, "name": name, "arguments": arguments}
        items.append({"type": "function_call", "id": f"fc_{call_id}", **call})
    return items


def blocks(said: Said) -> list[dict[str, Any]]:
    """A Messages answer's content."""
    content: list[dict[str, Any]] = []
    if said.reasoning:
        thinking = {"thinking": said.reasoning, "signature": said.signature}
        content.append({"type": "thinking", **thinking})
    if said.redacted:
        content.append({"type": "redacted_thinking", "data": said.redacted})
    if said.text:
        content.append({"type": "text", "text": said.text})
    for call_id, name, arguments in said.calls:
        given = arguments
        if isinstance(arguments, str):
            try:
                given = orjson.loads(arguments)
            except orjson.JSONDecodeError:
                given = arguments
        content.append({"type": "tool_use", "id": call_id, "name": name, "input": given})
    return content


def stop_reason(said: Said) -> str:
    """The Messages API's stop reason."""
    named = {"length": "max_tokens", "refusal": "refusal"}
    return named.get(said.finish or "", "tool_use" if said.calls else "end_turn")


def whole(api: Api, said: Said, fault: Fault) -> dict[str, Any]:
    """A whole answer."""
    usage = usage_of(api, said, fault)
    if fault == "error_body":
        return {"error": {"message": "upstream is busy", "code": 503, "type": "overloaded_error"}}
    if api == "chat":
        if fault == "wrong_shape":
            return {"choices": "none", "usage": usage}
        message = chat_message(said, fault)
        choices = [{"index": 0, "message": message, "finish_reason": chat_finish(said)}]
        return {
            "id": "chatcmpl-1",
            "model": "m-1",
            "choices": [] if fault == "empty_choices" else choices,
            "usage": usage,
        }
    if api == "responses":
        answer: dict[str, Any] = {"id": "resp_1", "model": "m-1", "status": "completed"}
        if said.finish == "length":
            why = {"reason": "max_output_tokens"}
            answer |= {"status": "incomplete", "incomplete_details": why}
        items = [] if fault == "empty_choices" else response_items(said, fault)
        answer |= {"output": "none" if fault == "wrong_shape" else items, "usage": usage}
        return answer
    content: Any = [] if fault == "empty_choices" else blocks(said)
    return {
        "id": "msg_1",
        "type": "message",
        "model": "m-1",
        "content": "none" if fault == "wrong_shape" else content,
        "stop_reason": stop_reason(said),
        "usage": usage,
    }


def _event(value: Any, name: str | None = None) -> bytes:
    head = f"event: {name}\n".encode() if name else b""
    return head + b"data: " + orjson.dumps(value) + b"\n\n"


def error_event(api: Api) -> bytes:
    """An error in the midst of a stream."""
    error = {"type": "overloaded_error", "message": "Overloaded"}
    if api == "messages":
        return _event({"type": "error", "error": error}, "error")
    return _event({"error": error} if api == "chat" else {"type": "error", "error": error})


def stream_events(api: Api, said: Said, fault: Fault) -> Iterator[bytes]:
    """A stream's events."""
    if api == "chat":
        yield from _chat_events(said, fault)
    elif api == "responses":
        yield _event({"type": "response.created", "response": {"status": "in_progress"}})
        yield _event({"type": "response.output_text.delta", "delta": said.text[:100]})
        yield _event({"type": "response.completed", "response": whole(api, said, fault)})
    else:
        yield from _message_events(said, fault)


def _pieces(text: str) -> Iterator[str]:
    size = max(3, len(text) // 8)
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _chat_events(said: Said, fault: Fault) -> Iterator[bytes]:
    def delta(value: dict[str, Any], finish: str | None = None) -> bytes:
        choices = [{"index": 0, "delta": value, "finish_reason": finish}]
        return _event({"id": "chatcmpl-1", "model": "m-1", "choices": choices})

    yield b": keep-alive\n\n"
    if fault != "empty_choices":
        message = chat_message(said, fault)
        yield delta({"role": "assistant", "content": None})
        for name in ("reasoning_content", "reasoning", "thinking"):
            for piece in _pieces(message.get(name) or ""):
                yield delta({name: piece})
        for detail in message.get("reasoning_details") or ():
            for piece in _pieces(detail["text"]):
                yield delta({"reasoning_details": [{**detail, "text": piece, "signature": None}]})
            yield delta({"reasoning_details": [{**detail, "text": ""}]})
        content = message["content"]
        if isinstance(content, list):
            for item in content:
                yield delta({"content": [item]})
        else:
            for piece in _pieces(content or ""):
                yield delta({"content": piece})
        if message.get("refusal"):
            yield delta({"refusal": message["refusal"]})
        for index, call in enumerate(message.get("tool_calls") or ()):
            function = call["function"]
            place = {} if fault == "no_index" else {"index": 0 if fault == "index_0" else index}
            first = {"name": function["name"], "arguments": ""}
            yield delta({"tool_calls": [{**place, "id": call["id"], "function": first}]})
            given = function["arguments"]
            for piece in _pieces(given) if isinstance(given, str) else [given]:
                yield delta({"tool_calls": [{**place, "function": {"arguments": piece}}]})
        yield delta({}, chat_finish(said))
    yield _event({"id": "chatcmpl-1", "choices": [], "usage": usage_of("chat", said, fault)})
    yield b"data: [DONE]\n\n"


def _message_events(said: Said, fault: Fault) -> Iterator[bytes]:
    usage = usage_of("messages", said, fault)
    start = {"id": "msg_1", "model": "m-1", "content": [], "stop_reason": None}
    opening = (
        None if usage is None else {**usage, "output_tokens": 1, "output_tokens_details": None}
    )
    yield _event({"type": "message_start", "message": {**start, "usage": opening}}, "message_start")
    yield _event({"type": "ping"}, "ping")
    for index, block in enumerate([] if fault == "empty_choices" else blocks(said)):
        at = {"index": index}
        kind = block["type"]
        keys = {"thinking": ("thinking", "signature"), "text": ("text",)}.get(kind, ())
        opened = {k: ("" if k in keys else v) for k, v in block.items()}
        if kind == "tool_use":
            opened["input"] = {}
        name = "content_block_start"
        yield _event({"type": name, **at, "content_block": opened}, name)
        name = "content_block_delta"
        for key in keys:
            for piece in _pieces(block[key]):
                yield _event(
                    {"type": name, **at, "delta": {"type": f"{key}_delta", key: piece}}, name
                )
        if kind == "tool_use":
            given = block["input"]
            text = given if isinstance(given, str) else orjson.dumps(given).decode()
            for piece in _pieces(text):
                partial = {"type": "input_json_delta", "partial_json": piece}
                yield _event({"type": name, **at, "delta": partial}, name)
        yield _event({"type": "content_block_stop", **at}, "content_block_stop")
    closing = {"stop_reason": stop_reason(said)}
    done = None
    if usage is not None:
        done = {k: usage[k] for k in ("output_tokens", "output_tokens_details")}
    yield _event({"type": "message_delta", "delta": closing, "usage": done}, "message_delta")
    yield _event({"type": "message_stop"}, "message_stop")


def _refusal(
    api: Api, status: str, wait: str | None = None, *, message: str = "", code: str | None = None
) -> web.Response:
    error = {"type": code or "some_error", "code": code, "message": message or f"status {status}"}
    body = {"error": error} if api != "messages" else {"type": "error", "error": error}
    headers = {} if wait is None else {"retry-after": wait}
    return web.json_response(body, status=int(status), headers=headers)


def _reset(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def _cut(
    request: web.Request, kind: str, chunks: list[bytes], length: int | None
) -> web.StreamResponse:
    headers = {"content-type": kind}
    if length is not None:
        headers["content-length"] = str(length)
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    for chunk in chunks:
        await response.write(chunk)
    await asyncio.sleep(0.02)  # so that the chunks are on their way before the line is cut
    assert request.transport is not None
    request.transport.abort()
    return response


@asynccontextmanager
async def serving(server: FaultServer) -> AsyncIterator[FaultServer]:
    """Run `server` on a free port of the loopback."""
    app = web.Application(client_max_size=64_000_000)
    for path in APIS:
        app.router.add_post(path, server.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        await runner.cleanup()


def at_random(share: float, faults: list[Fault], seed: int = 0) -> Callable[[], Fault]:
    """Faults for a share of the requests, the same for one seed."""
    dice = random.Random(seed)
    return lambda: dice.choice(faults) if dice.random() < share else ""
