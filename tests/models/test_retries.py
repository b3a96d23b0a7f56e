"""What is tried again, how long we wait, and that nothing used is lost on the way."""

from __future__ import annotations

import time
from dataclasses import replace
from email.utils import format_datetime

import pytest
from fault_server import QUICK

from ideatrail.models.endings import EndingError
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.protocol import ModelError, Request, Usage, message
from ideatrail.models.wire import retry_after

ASK = Request((message("user", "Hello?"),))


@pytest.mark.parametrize(
    "fault",
    ["status:429:0.05", "status:429", "status:500", "status:529", "reset", "html", "invalid_json"],
)
async def test_passing_failures_are_tried_again(connect, server, fault) -> None:
    server.faults = [fault, fault]
    answer = await connect("chat").answer(ASK)
    assert answer.text == "Hello."
    assert answer.attempts == 3
    assert len(server.requests) == 3
    assert server.requests[0] == server.requests[2]


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
async def test_settled_refusals_are_never_tried_again(connect, server, status) -> None:
    server.faults = [f"status:{status}"] * 5
    with pytest.raises(EndingError):
        await connect("chat").answer(ASK)
    assert len(server.requests) == 1


async def test_retry_after_is_obeyed_by_all(connect, server) -> None:
    model = connect("chat")
    server.faults = ["status:429:0.4"]
    started = time.monotonic()
    await model.answer(ASK)
    assert 0.4 <= time.monotonic() - started < 1.5

    server.faults = ["status:429:0.4"]
    started = time.monotonic()
    with pytest.raises(EndingError):
        await connect("chat", base_url="http://127.0.0.1:9/v1", patience={"attempts": 1}).answer(
            ASK
        )
    first = await model.limiter.enter(1)
    model.limiter.slow_down(first, 0.3)
    model.limiter.leave(first)
    await model.limiter.enter(1)
    assert time.monotonic() - started >= 0.3


async def test_a_wait_beyond_patience_ends_the_call(connect, server) -> None:
    server.faults = ["status:429:7200"]
    started = time.monotonic()
    with pytest.raises(EndingError, match="7200 s") as caught:
        await connect("chat").answer(ASK)
    assert caught.value.resumable
    assert time.monotonic() - started < 2


async def test_an_answer_that_stays_empty_is_not_asked_for_forever(connect, server) -> None:
    server.faults = ["empty_choices"] * 50
    with pytest.raises(EndingError, match="empty answer"):
        await connect("chat", patience={"attempts": 20, "first_wait": 0.001}).answer(ASK)
    assert len(server.requests) == 3


async def test_attempts_are_bounded(connect, server) -> None:
    server.faults = ["status:500"] * 50
    with pytest.raises(EndingError) as caught:
        await connect("chat").answer(ASK)
    assert len(server.requests) == QUICK.attempts
    assert caught.value.spent is not None
    assert caught.value.spent.attempts == QUICK.attempts


async def test_usage_is_summed_over_attempts(connect, server) -> None:
    server.faults = ["empty_choices", "", "empty"]
    model = connect("chat")
    answer = await model.answer(ASK)
    assert (answer.usage.input, answer.usage.output) == (80, 24)
    answer = await model.answer(ASK)
    assert (answer.usage.input, answer.usage.output) == (80, 24)
    assert server.told["input"] == 160


async def test_usage_of_a_failure_reaches_the_ledger(connect, server) -> None:
    server.faults = ["empty_choices"] * 4
    ledger = UsageLedger()
    with pytest.raises(ModelError) as caught:
        await connect("chat").answer(ASK)
    ledger.add_failure("generator", caught.value)
    assert ledger.total("input") == server.told["input"] == 120
    assert ledger.roles["generator"].attempts == 3


async def test_a_broken_stream_tells_what_it_had_told(connect, server) -> None:
    server.faults = ["reset_midway"]
    answer = await connect("messages", stream=True).answer(ASK)
    assert answer.usage.input == 80
    assert answer.unmetered == 1
    assert answer.usage.output == server.told["output"]


async def test_a_prompt_beyond_the_window_is_never_sent(connect, server) -> None:
    model = connect("chat", context_window=300, max_output=200)
    with pytest.raises(EndingError) as caught:
        await model.answer(Request((message("user", "word " * 400),)))
    assert caught.value.ending == "context_overflow"
    assert not server.requests


async def test_the_answer_is_kept_within_the_window(connect, server) -> None:
    await connect("chat", context_window=2000, max_output=1900).answer(ASK)
    assert server.requests[0]["max_tokens"] < 1940
    await connect("chat", max_output=1900).answer(replace(ASK, max_tokens=50))
    assert server.requests[1]["max_tokens"] == 50


def test_retry_after_is_read_in_every_form() -> None:
    from datetime import UTC, datetime

    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    now = moment.timestamp() - 20
    assert retry_after({"retry-after": "1.5"}) == 1.5
    assert retry_after({"retry-after-ms": "250", "retry-after": "9"}) == 0.25
    assert retry_after({"retry-after": format_datetime(moment, usegmt=True)}, now) == 20
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None


def test_unknown_with_anything_is_unknown() -> None:
    from ideatrail.models.endpoint import plus

    total = plus(Usage(1, None, 2, 3), Usage(1, 1, None, 3))
    assert total == Usage(input=2, cached=None, output=None, reasoning=6, cache_write=None)
