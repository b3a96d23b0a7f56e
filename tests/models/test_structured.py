"""Structured answers, asked for as each endpoint can give them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.models.options import EndpointOptions, known
from ideatrail.models.protocol import Answer, ReasoningPart, Request, TextPart, message
from ideatrail.models.structured import strict_ready, unwrap
from ideatrail.trail.answers import ConvergenceAnswer, OracleAnswer

SCHEMA = {
    "title": "Sum",
    "type": "object",
    "properties": {"sum": {"type": "integer"}},
    "required": ["sum"],
    "additionalProperties": False,
}
ASK = Request((message("user", "17 + 25?"),), answer_schema=SCHEMA)


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
@pytest.mark.parametrize("mode", ["native", "json_object", "tool", "prompt"])
async def test_every_mode_gives_the_text_of_the_answer(connect, server, api, mode) -> None:
    if mode == "tool":
        server.said = replace(server.said, text="", calls=(("t", "Sum", {"sum": 42}),))
    elif mode == "prompt":
        server.said = replace(server.said, text='Here:\n```json\n{"sum":42}\n```\nDone.')
    else:
        server.said = replace(server.said, text='{"sum":42}')
    answer = await connect(api, schema_mode=mode).answer(ASK)
    assert answer.text == '{"sum":42}'
    assert answer.reasoning == "They greet me."
    sent = server.requests[0]
    if mode in ("json_object", "prompt"):
        assert "JSON Schema" in str(sent.get("messages") or sent["input"])
    if mode == "native" and api == "chat":
        assert sent["response_format"]["json_schema"]["strict"] is True


def test_what_a_host_lacks_is_not_asked_of_it() -> None:
    assert known("https://api.deepseek.com/v1").schema_mode == "json_object"
    assert known("http://127.0.0.1:8000/v1").schema_mode == "native"
    assert known("https://api.openai.com/v1").max_output_field == "max_completion_tokens"
    assert EndpointOptions().schema_mode is None


def test_strict_only_for_schemas_that_strict_decoders_take() -> None:
    assert strict_ready(SCHEMA)
    assert not strict_ready({**SCHEMA, "required": []})
    assert not strict_ready({**SCHEMA, "additionalProperties": True})
    bounded = {"sum": {"type": "integer", "minimum": 0}}
    assert not strict_ready({**SCHEMA, "properties": bounded})
    assert not strict_ready(ConvergenceAnswer.model_json_schema()), "its scores are bounded"
    assert not strict_ready({**SCHEMA, "$defs": {"A": {"type": "object", "properties": {"x": {}}}}})
    named = {"properties": {"format": {"type": "string"}}, "required": ["format"]}
    assert strict_ready({**SCHEMA, **named}), "a property's name is no keyword"
    strict_ready(OracleAnswer.model_json_schema())


@given(st.text())
def test_text_without_an_object_stays_as_it_is(text: str) -> None:
    answer = Answer((ReasoningPart("r"), TextPart(text)))
    found = unwrap(answer, SCHEMA, "prompt")
    assert found.reasoning == "r"
    if "{" not in text:
        assert found is answer


@pytest.mark.parametrize(
    "text",
    [
        '{"sum": 1}',
        ' {"sum": 1}\n',
        'It is {"sum": 1}.',
        '```\n{"sum": 1}\n```',
        '```json\n{"sum": 1}```',
    ],
)
def test_the_object_is_found_where_models_put_it(text: str) -> None:
    assert unwrap(Answer((TextPart(text),)), SCHEMA, "native").text.strip() == '{"sum": 1}'
