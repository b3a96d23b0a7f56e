"""Reasoning is kept whole, under every name, and goes back as each endpoint wants it."""

from __future__ import annotations

import orjson
import pytest
from fault_server import REASONING_NAMES

from ideatrail.models.openai_compatible import ChatCompletions
from ideatrail.models.options import EndpointOptions
from ideatrail.models.protocol import (
    CallPart,
    Message,
    ReasoningPart,
    Request,
    TextPart,
    message,
)
from ideatrail.models.wire import Reply

ASK = Request((message("user", "Hello?"),))
TOOL = {
    "type": "function",
    "function": {"name": "View", "description": "Read.", "parameters": {"type": "object"}},
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", [*REASONING_NAMES, "typed_parts"])
async def test_reasoning_is_read_under_every_name(connect, server, name, stream) -> None:
    server.faults = [name]
    answer = await connect("chat", stream=stream).answer(ASK)
    assert answer.reasoning == "They greet me."
    assert answer.text == "Hello."


@pytest.mark.parametrize("stream", [False, True])
async def test_content_as_parts_is_joined(connect, server, stream) -> None:
    server.faults = ["parts"]
    assert (await connect("chat", stream=stream).answer(ASK)).text == "Hello."


@pytest.mark.parametrize("stream", [False, True])
async def test_an_answer_without_reasoning_has_none(connect, server, stream) -> None:
    server.faults = ["no_reasoning"]
    answer = await connect("chat", stream=stream).answer(ASK)
    assert answer.reasoning == ""
    assert answer.text == "Hello."


def history(*thoughts: ReasoningPart) -> Request:
    call = CallPart("call_1", "View", '{"file_path": "a"}')
    result = Message("tool", (TextPart("1\tline"),), tool_call_id="call_1", name="View")
    return Request(
        (
            message("system", "S"),
            message("user", "U"),
            Message("assistant", (*thoughts, call)),
            result,
            message("user", "Stage: audit."),
        ),
        tools=(TOOL,),
    )


@pytest.mark.parametrize(
    ("echo", "field"),
    [("none", None), ("reasoning_content", "reasoning_content"), ("reasoning", "reasoning")],
)
async def test_reasoning_goes_back_by_policy(connect, server, echo, field) -> None:
    await connect("chat", echo=echo).answer(history(ReasoningPart("I look.")))
    sent = server.requests[0]["messages"][2]
    names = {"reasoning_content", "reasoning", "reasoning_details"} & set(sent)
    assert names == ({field} if field else set())
    if field:
        assert sent[field] == "I look."
    assert sent["tool_calls"][0]["function"]["arguments"] == '{"file_path": "a"}'


async def test_reasoning_details_go_back_as_they_came(connect, server) -> None:
    model = connect("chat", echo="reasoning_details", stream=True)
    server.faults = ["reasoning_details"]
    answer = await model.answer(ASK)
    thought = answer.parts[0]
    assert isinstance(thought, ReasoningPart)
    await model.answer(history(thought))
    detail = server.requests[1]["messages"][2]["reasoning_details"]
    assert detail == [
        {"type": "reasoning.text", "text": "They greet me.", "signature": "s", "index": 0}
    ]


@pytest.mark.parametrize("stream", [False, True])
async def test_response_items_go_back_as_they_came(connect, server, stream) -> None:
    model = connect("responses", stream=stream)
    thought = (await model.answer(ASK)).parts[0]
    assert isinstance(thought, ReasoningPart)
    await model.answer(history(thought))
    sent = server.requests[1]
    assert sent["store"] is False
    assert "reasoning.encrypted_content" in sent["include"]
    kinds = [item.get("type", item.get("role")) for item in sent["input"]]
    assert kinds == ["system", "user", "reasoning", "function_call", "function_call_output", "user"]
    assert sent["input"][2]["encrypted_content"] == "b3BhcXVl"
    assert sent["input"][2]["id"] == "rs_1"
    assert sent["input"][4] == {
        "type": "function_call_output",
        "call_id": "call_1",
        "output": "1\tline",
    }


REAL = {
    "deepseek-reasoner_1.json": ("reasoning_content", True),
    "openrouter-deepseek_1.json": ("reasoning", True),
    "openai_1.json": ("", False),
    "openai_2.json": ("", False),
}


@pytest.mark.shared
@pytest.mark.parametrize("file", sorted(REAL))
def test_real_answers_parse(shared_data, file) -> None:
    raw = (shared_data / "trajectories" / "llm_responses" / file).read_bytes()
    name, thinks = REAL[file]
    adapter = ChatCompletions("m", "http://127.0.0.1/v1", EndpointOptions(), None)  # type: ignore[arg-type]
    answer = adapter.read(Reply("application/json", raw))
    known = orjson.loads(raw)
    told = known["choices"][0]["message"]
    assert answer.text == told["content"]
    assert answer.reasoning == (told[name] if thinks else "")
    assert answer.usage.input == known["usage"]["prompt_tokens"]
    assert answer.usage.output == known["usage"]["completion_tokens"]
    assert answer.finish == "stop"
    assert answer.model == known["model"]
