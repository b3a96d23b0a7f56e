"""Messages: blocks go there and back byte for byte; caching and tool choice as the API wants."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fault_server import Said
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.models.anthropic_messages import Messages
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

TOOL = {
    "type": "function",
    "function": {"name": "View", "description": "Read.", "parameters": {"type": "object"}},
}
SCHEMA = {
    "title": "Sum",
    "type": "object",
    "properties": {"sum": {"type": "integer", "minimum": 0}},
    "required": ["sum"],
    "additionalProperties": False,
}


def result(call_id: str, text: str) -> Message:
    return Message("tool", (TextPart(text),), tool_call_id=call_id, name="View")


@pytest.mark.parametrize("stream", [False, True])
async def test_thinking_goes_back_byte_for_byte_across_tool_use(connect, server, stream) -> None:
    signature = "EqQBCkYIBRgC+/=="
    calls = (("toolu_1", "View", '{"file_path": "a"}'), ("toolu_2", "View", '{"file_path": "b"}'))
    server.said = Said(
        text="I look at both.",
        reasoning="First a, “then” b.\n\n— fine\t",
        signature=signature,
        redacted="b3BhcXVlIGJ5dGVz+/==",
        calls=calls,
    )
    model = connect("messages", stream=stream)
    asked = (message("system", "S"), message("user", "U"))
    answer = await model.answer(Request(asked, tools=(TOOL,)))
    again = (
        *asked,
        Message("assistant", answer.parts),
        result("toolu_1", "one"),
        result("toolu_2", "two"),
        message("user", "Stage: audit."),
    )
    await model.answer(Request(again, tools=(TOOL,)))
    sent = server.requests[1]["messages"]
    assert [turn["role"] for turn in sent] == ["user", "assistant", "user"]
    assert sent[1]["content"][:3] == [
        {
            "type": "thinking",
            "thinking": "First a, “then” b.\n\n— fine\t",
            "signature": signature,
        },
        {"type": "redacted_thinking", "data": "b3BhcXVlIGJ5dGVz+/=="},
        {"type": "text", "text": "I look at both."},
    ]
    assert [block["type"] for block in sent[1]["content"][3:]] == ["tool_use", "tool_use"]
    assert sent[1]["content"][3]["input"] == {"file_path": "a"}
    kinds = [block["type"] for block in sent[2]["content"]]
    assert kinds == ["tool_result", "tool_result", "text"]


def adapter(**options) -> Messages:
    return Messages("m", "https://api.anthropic.com", EndpointOptions(**options), None)  # type: ignore[arg-type]


@given(st.text(), st.text(min_size=1), st.text(min_size=1))
def test_any_block_comes_back_as_it_was(thinking: str, signature: str, data: str) -> None:
    import orjson

    content = [
        {"type": "thinking", "thinking": thinking, "signature": signature},
        {"type": "redacted_thinking", "data": data},
        {"type": "tool_use", "id": "t", "name": "View", "input": {"a": thinking}},
    ]
    raw = orjson.dumps({"content": content, "stop_reason": "tool_use"})
    answer = adapter().read(Reply("application/json", raw))
    history = (message("user", "U"), Message("assistant", answer.parts), result("t", "one"))
    sent = adapter(prompt_cache=False).body(Request(history), 4000)["messages"]
    assert sent[1]["content"] == content


async def test_stable_prefix_is_marked_for_the_cache(connect, server) -> None:
    history = (
        message("system", "S"),
        message("user", "U"),
        Message("assistant", (CallPart("t", "View", "{}"),)),
        result("t", "one"),
        message("user", "Stage: audit. Turn 3."),
    )
    await connect("messages").answer(Request(history, tools=(TOOL,)))
    sent = server.requests[0]
    mark = {"type": "ephemeral"}
    assert sent["system"][-1]["cache_control"] == mark
    last = sent["messages"][-1]["content"]
    assert last[0]["cache_control"] == mark
    assert "cache_control" not in last[-1], "the stage line passes: no cache ends with it"
    assert str(sent).count("cache_control") <= 4


@pytest.mark.parametrize(
    ("thinking", "forced"), [("adaptive", False), (4000, False), ("off", True)]
)
async def test_forced_tool_choice_is_not_combined_with_thinking(
    connect, server, thinking, forced
) -> None:
    server.said = replace(server.said, calls=(("t", "Sum", {"sum": 42}),))
    model = connect("messages", thinking=thinking, schema_mode="tool", max_output=8000)
    answer = await model.answer(Request((message("user", "17+25?"),), answer_schema=SCHEMA))
    sent = server.requests[0]
    assert ("tool_choice" in sent) is forced
    assert ("thinking" in sent) is not forced
    assert answer.text == '{"sum":42}'
    assert not answer.calls
    assert answer.finish == "stop"


async def test_schema_is_given_in_the_shape_the_api_takes(connect, server) -> None:
    server.said = replace(server.said, text='{"sum": 42}')
    await connect("messages").answer(Request((message("user", "?"),), answer_schema=SCHEMA))
    shape = server.requests[0]["output_config"]["format"]
    assert shape["type"] == "json_schema"
    assert "minimum" not in shape["schema"]["properties"]["sum"]


def test_thinking_budget_leaves_room_for_the_answer() -> None:
    body = adapter(thinking=30_000).body(Request((message("user", "U"),)), 8_000)
    assert body["thinking"]["budget_tokens"] < body["max_tokens"] == 8_000
    body = adapter(thinking=30_000).body(Request((message("user", "U"),), max_tokens=500), 8_000)
    assert "thinking" not in body


def test_usage_counts_the_whole_prompt() -> None:
    raw = b"""{"content": [{"type": "text", "text": "x"}], "stop_reason": "end_turn", "usage": {
        "input_tokens": 10, "cache_read_input_tokens": 200, "cache_creation_input_tokens": 30,
        "output_tokens": 7}}"""
    usage = adapter().read(Reply("application/json", raw)).usage
    assert (usage.input, usage.cached, usage.cache_write, usage.output) == (240, 200, 30, 7)
    assert usage.reasoning is None


def test_unsigned_reasoning_stays_out() -> None:
    history = (message("user", "U"), Message("assistant", (ReasoningPart("x"), TextPart("y"))))
    sent = adapter().body(Request((*history, message("user", "V"))), 4000)["messages"]
    assert [block["type"] for block in sent[1]["content"]] == ["text"]
