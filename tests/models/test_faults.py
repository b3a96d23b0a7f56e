"""Every way in which a server fails, in every API, whole and streamed, and what it is called."""

from __future__ import annotations

import pytest
from fault_server import FaultServer

from ideatrail.models.endings import EndingError, ending_of
from ideatrail.models.protocol import CallPart, Request, message
from ideatrail.nodes.generate import to_draft

ASK = Request((message("system", "Be brief."), message("user", "Hello?")))
ONCE = {"attempts": 1, "wait": 0.2, "first_wait": 0.005, "silence": 0.3, "total": 5}

EVERYWHERE = [(api, stream) for api in ("chat", "responses", "messages") for stream in (0, 1)]

FAILURES = [
    ("status:429", "rate_limited"),
    ("status:429:30", "rate_limited"),
    ("status:500", "server_error"),
    ("status:502", "server_error"),
    ("status:503", "overloaded"),
    ("status:529", "overloaded"),
    ("status:400", "bad_request"),
    ("status:401", "unauthorized"),
    ("status:402", "quota_exhausted"),
    ("status:403", "forbidden"),
    ("status:404", "not_found"),
    ("no_credit", "quota_exhausted"),
    ("overflow", "context_overflow"),
    ("redirect", "redirected"),
    ("reset", "connection_lost"),
    ("reset_midway", "connection_lost"),
    ("stall", "timed_out"),
    ("invalid_json", "body_not_json"),
    ("html", "wrong_content_type"),
    ("no_body", "empty_answer"),
    ("empty_choices", "empty_answer"),
    ("empty", "empty_answer"),
    ("huge", "answer_too_large"),
]
WHOLE_FAILURES = [
    ("truncated_json", "body_truncated"),
    ("wrong_shape", "malformed_answer"),
    ("error_body", "overloaded"),
]
STREAM_FAILURES = [("cut_short", "stream_cut_short"), ("error_event", "overloaded")]


async def ending(connect, server: FaultServer, api: str, stream: bool, fault: str) -> EndingError:
    server.faults = [fault] * 50
    model = connect(api, stream=bool(stream), patience=ONCE)
    with pytest.raises(EndingError) as caught:
        await model.answer(ASK)
    return caught.value


@pytest.mark.parametrize(("api", "stream"), EVERYWHERE)
@pytest.mark.parametrize(("fault", "name"), FAILURES)
async def test_failure_has_its_name(connect, server, api, stream, fault, name) -> None:
    error = await ending(connect, server, api, stream, fault)
    assert error.ending == name
    assert "\n" not in str(error)
    assert str(error).startswith(name.replace("_", " "))


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
@pytest.mark.parametrize(("fault", "name"), WHOLE_FAILURES)
async def test_failure_of_a_whole_answer_has_its_name(connect, server, api, fault, name) -> None:
    assert (await ending(connect, server, api, False, fault)).ending == name


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
@pytest.mark.parametrize(("fault", "name"), STREAM_FAILURES)
async def test_failure_of_a_stream_has_its_name(connect, server, api, fault, name) -> None:
    error = await ending(connect, server, api, True, fault)
    assert error.ending == name
    assert error.spent is not None
    assert error.spent.unmetered == 1


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
async def test_a_stream_cut_within_an_event_is_no_answer(connect, server, api) -> None:
    error = await ending(connect, server, api, True, "truncated_json")
    assert error.ending in ("body_truncated", "stream_cut_short")


async def test_connection_refused_has_its_name(connect) -> None:
    model = connect("chat", base_url="http://127.0.0.1:9/v1", patience=ONCE)
    with pytest.raises(EndingError) as caught:
        await model.answer(ASK)
    assert caught.value.ending == "connection_failed"
    assert caught.value.resumable


async def test_a_large_answer_within_the_bound_is_read(connect, server) -> None:
    server.faults = ["huge"]
    model = connect("chat", largest_answer=20_000_000)
    assert len((await model.answer(ASK)).text) == 10_000_000


@pytest.mark.parametrize(("api", "stream"), EVERYWHERE)
@pytest.mark.parametrize("fault", ["", "gzip", "text_plain", "keep_alive_blanks"])
async def test_harmless_oddities_change_nothing(connect, server, api, stream, fault) -> None:
    server.faults = [fault]
    answer = await connect(api, stream=bool(stream)).answer(ASK)
    assert (answer.text, answer.reasoning, answer.finish) == ("Hello.", "They greet me.", "stop")
    assert (answer.usage.input, answer.usage.output) == (40, 12)
    assert (answer.usage.cached, answer.usage.reasoning) == (8, 5)
    assert answer.model == "m-1"
    assert answer.provider_id in ("chatcmpl-1", "resp_1", "msg_1")


@pytest.mark.parametrize(("api", "stream"), EVERYWHERE)
async def test_null_usage_is_unknown_and_not_zero(connect, server, api, stream) -> None:
    server.faults = ["null_usage"]
    usage = (await connect(api, stream=bool(stream)).answer(ASK)).usage
    assert (usage.input, usage.output) == (None, None)


@pytest.mark.parametrize(("api", "stream"), EVERYWHERE)
@pytest.mark.parametrize(
    ("fault", "name"),
    [
        ("", "complete"),
        ("calls", "calls"),
        ("cut_off", "cut_off"),
        ("only_thought", "spent_on_reasoning"),
        ("refusal", "refused"),
    ],
)
async def test_answers_end_by_name_too(connect, server, api, stream, fault, name) -> None:
    server.faults = [fault]
    answer = await connect(api, stream=bool(stream)).answer(ASK)
    assert ending_of(answer) == name


@pytest.mark.parametrize(("api", "stream"), EVERYWHERE)
async def test_calls_arrive_whole_and_in_order(connect, server, api, stream) -> None:
    server.faults = ["calls"]
    answer = await connect(api, stream=bool(stream)).answer(ASK)
    assert answer.finish == "tool_calls"
    names = [(call.id, call.name) for call in answer.calls]
    assert names == [("call_1", "WebSearch"), ("call_2", "View")]
    draft = to_draft(answer, {"WebSearch", "View"}, first_id=7)
    assert [(c.id, c.parsed) for c in draft.calls] == [
        ("call_7", {"query": "a"}),
        ("call_8", {"file_path": "b"}),
    ]
    assert not draft.faults


@pytest.mark.parametrize(("api", "stream"), EVERYWHERE)
async def test_two_calls_with_one_id_stay_two(connect, server, api, stream) -> None:
    server.faults = ["one_id_twice"]
    answer = await connect(api, stream=bool(stream)).answer(ASK)
    assert [call.name for call in answer.calls] == ["WebSearch", "View"]
    draft = to_draft(answer, {"WebSearch", "View"}, first_id=1)
    assert [call.id for call in draft.calls] == ["call_1", "call_2"]


@pytest.mark.parametrize(("api", "stream"), EVERYWHERE)
@pytest.mark.parametrize("fault", ["empty_name", "unknown_tool", "arguments_broken"])
async def test_a_malformed_call_is_data(connect, server, api, stream, fault) -> None:
    server.faults = [fault]
    answer = await connect(api, stream=bool(stream)).answer(ASK)
    assert len(answer.calls) == 1
    assert to_draft(answer, {"WebSearch", "View"}, first_id=1).faults


@pytest.mark.parametrize(("api", "stream"), EVERYWHERE)
async def test_arguments_given_as_an_object_are_taken(connect, server, api, stream) -> None:
    server.faults = ["arguments_object"]
    answer = await connect(api, stream=bool(stream)).answer(ASK)
    assert isinstance(answer.parts[-1], CallPart)
    assert not to_draft(answer, {"WebSearch"}, first_id=1).faults


@pytest.mark.parametrize("fault", ["no_index", "index_0"])
async def test_calls_that_a_stream_numbers_badly_stay_apart(connect, server, fault) -> None:
    from dataclasses import replace

    look = (("call_1", "WebSearch", '{"query": "a"}'), ("call_2", "View", '{"file_path": "b"}'))
    server.said = replace(server.said, calls=look)
    server.faults = [fault]
    answer = await connect("chat", stream=True).answer(ASK)
    assert [(c.name, c.arguments) for c in answer.calls] == [c[1:] for c in look]


@pytest.mark.parametrize(("api", "stream"), EVERYWHERE)
async def test_odd_characters_pass_whole(connect, server, api, stream) -> None:
    server.faults = ["line_separator"]
    answer = await connect(api, stream=bool(stream)).answer(ASK)
    assert answer.text == "one\u2028two <|endoftext|>"


def test_half_a_surrogate_pair_is_mended() -> None:
    from ideatrail.models.wire import parse_json

    assert parse_json(b'{"a": "x\\ud83d", "b": "\\ud83d\\ude00"}') == {"a": "x\ufffd", "b": "😀"}
