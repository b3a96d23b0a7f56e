"""The offline engine behind HTTP: the fault server, with answers by the engine.

It reads each request back from its form, asks the engine, and answers as that API does: Chat
Completions with `reasoning_content`, or Messages with signed thinking. Signatures that come back
are checked, and so is what goes between them.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson
from aiohttp import web
from fault_server import Api, Fault, FaultServer, Said, serving

from ideatrail.models.offline.model import OfflineModel
from ideatrail.models.protocol import (
    Answer,
    CallPart,
    Message,
    Part,
    ReasoningPart,
    Request,
    TextPart,
    message,
)

_SECRET = b"of this server alone"


def sign(thought: str) -> str:
    """A signature that only the server can make."""
    return hmac.new(_SECRET, thought.encode(), hashlib.sha256).hexdigest()


@dataclass
class EngineServer(FaultServer):
    """The server; `visible` puts reasoning into the text, as endpoints do that return none."""

    visible: bool = False
    per_answer: dict[str, int] = field(default_factory=dict)
    returned: int = 0
    """Signed thoughts that came back."""
    asked_visibly: int = 0
    seen: list[Request] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    async def _answer(
        self, request: web.Request, api: Api, body: dict[str, Any], fault: Fault
    ) -> web.StreamResponse:
        if not fault.startswith("status:"):
            asked = read_chat(body) if api == "chat" else self.read_messages(body)
            self.seen.append(asked)
            self.said = self._say(asked, body, await OfflineModel().answer(asked))
        # Nothing is awaited between here and where `said` is read.
        return await super()._answer(request, api, body, fault)

    def _say(self, asked: Request, body: dict[str, Any], answer: Answer) -> Said:
        calls = tuple((f"srv_{next(self._numbers)}", c.name, c.arguments) for c in answer.calls)
        text, reasoning = answer.text, answer.reasoning
        wrapped = answer_tool(body)
        if wrapped:
            calls, text = ((f"srv_{next(self._numbers)}", wrapped, answer.text),), ""
        self.asked_visibly += "<thinking>" in asked.messages[-1].text
        if self.visible and reasoning:
            asks = "<thinking>" in asked.messages[-1].text
            text, reasoning = f"<thinking>{reasoning}</thinking>\n{text}" if asks else text, ""
        prompt = len(orjson.dumps(body)) // 4
        output = (len(text) + len(reasoning) + sum(len(a) for _, _, a in calls)) // 4 + 1
        return Said(
            text=text,
            reasoning=reasoning,
            calls=calls,
            signature=sign(reasoning),
            redacted=hashlib.sha256(reasoning.encode()).hexdigest() if reasoning else None,
            prompt=prompt,
            output=output,
            thought=len(reasoning) // 4,
            cached=prompt // 2,
        )

    def read_messages(self, body: dict[str, Any]) -> Request:
        """A Messages request; fails where a thought came back other than it was given."""
        messages = [message("system", block["text"]) for block in body.get("system", ())]
        names: dict[str, str] = {}
        for turn in body["messages"]:
            parts: list[Part] = []
            thought = ""
            for block in turn["content"]:
                match block["type"]:
                    case "thinking":
                        thought = block["thinking"]
                        assert block["signature"] == sign(thought), "a changed thought"
                        self.returned += 1
                        parts.append(ReasoningPart(thought))
                    case "redacted_thinking":
                        given = hashlib.sha256(thought.encode()).hexdigest()
                        assert block["data"] == given, "a redacted block that stands elsewhere"
                    case "tool_use":
                        assert thought, "calls without the thought before them"
                        names[block["id"]] = block["name"]
                        arguments = orjson.dumps(block["input"]).decode()
                        parts.append(CallPart(block["id"], block["name"], arguments))
                    case "tool_result":
                        called = block["tool_use_id"]
                        text = (TextPart(block["content"]),)
                        messages.append(Message("tool", text, called, names[called]))
                    case "text" if turn["role"] == "user":
                        messages.append(message("user", block["text"]))
                    case "text":
                        parts.append(TextPart(block["text"]))
            if parts:
                messages.append(Message("assistant", tuple(parts)))
        tools = tuple(
            {
                "type": "function",
                "function": {
                    "name": t["name"],
                    "description": t["description"],
                    "parameters": t["input_schema"],
                },
            }
            for t in body.get("tools", ())
        )
        shape = body.get("output_config", {}).get("format")
        if answer_tool(body):
            shape, tools = {"schema": body["tools"][0]["input_schema"]}, ()
        return Request(tuple(messages), tools, shape["schema"] if shape else None)


def answer_tool(body: dict[str, Any]) -> str | None:
    """Name of the tool by which a structured answer is asked for, where it is."""
    tools = body.get("tools") or ()
    if len(tools) != 1:
        return None
    about = tools[0].get("function", tools[0])
    return about["name"] if about["description"] == "Give the answer." else None


def read_chat(body: dict[str, Any]) -> Request:
    """A Chat Completions request."""
    messages: list[Message] = []
    names: dict[str, str] = {}
    for told in body["messages"]:
        role, content = told["role"], told.get("content") or ""
        if role == "tool":
            called = told["tool_call_id"]
            messages.append(Message("tool", (TextPart(content),), called, names[called]))
            continue
        parts: list[Part] = []
        if told.get("reasoning_content"):
            parts.append(ReasoningPart(told["reasoning_content"]))
        if content or role != "assistant":
            parts.append(TextPart(content))
        for call in told.get("tool_calls") or ():
            function = call["function"]
            assert call["id"] not in names, "an id of another call"
            names[call["id"]] = function["name"]
            parts.append(CallPart(call["id"], function["name"], function["arguments"]))
        messages.append(Message(role, tuple(parts)))
    tools, schema = tuple(body.get("tools") or ()), None
    if answer_tool(body):
        tools, schema = (), tools[0]["function"]["parameters"]
    elif body.get("response_format", {}).get("type") == "json_schema":
        schema = body["response_format"]["json_schema"]["schema"]
    return Request(tuple(messages), tools, schema, seed=body.get("seed", 0))


@contextmanager
def in_background(server: FaultServer) -> Iterator[FaultServer]:
    """The server in a thread of its own, for commands that run their own event loop."""
    import asyncio

    up, loops, stop = threading.Event(), list[asyncio.AbstractEventLoop](), asyncio.Event()

    async def main() -> None:
        loops.append(asyncio.get_running_loop())
        async with serving(server):
            up.set()
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(main(),), daemon=True)
    thread.start()
    assert up.wait(20)
    try:
        yield server
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join(20)
