"""Many calls at once: all come back, nothing is counted twice or lost."""

from __future__ import annotations

import asyncio
import random

from fault_server import at_random

from ideatrail.models.budget import Budget
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.options import Limits, Patience
from ideatrail.models.protocol import Request, message

FAULTS = [
    "status:429:0.02", "status:429", "status:500", "status:503", "status:529", "reset",
    "invalid_json", "html", "empty_choices", "empty", "error_body", "truncated_json",
]  # fmt: skip
STREAM_FAULTS = [*FAULTS[:9], "reset_midway", "cut_short", "error_event"]
STURDY = Patience(attempts=12, wait=60, first_wait=0.002, longest_wait=0.02, silence=5, total=30)


async def test_a_thousand_calls_a_hundred_at_a_time(connect, server) -> None:
    server.latency = 0.01
    budget = Budget(max_tokens=10_000_000)
    model = connect(
        "chat", endpoints={"budget": budget}, limits=Limits(concurrency=100), patience=STURDY
    )
    ledger = UsageLedger()

    async def one(n: int) -> None:
        request = Request((message("system", "Be brief."), message("user", f"{n}?")), seed=n)
        ledger.add_answer("generator", await model.answer(request))

    await asyncio.gather(*(one(n) for n in range(1000)))
    assert server.answered == len(server.requests) == 1000
    assert 50 <= server.most_in_flight <= 100
    assert ledger.total("input") == server.told["input"] == 40_000
    assert ledger.total("output") == server.told["output"] == 12_000
    assert budget.tokens == 52_000
    assert budget.held_tokens == 0
    assert sorted(body["seed"] for body in server.requests) == list(range(1000))


async def fifty(connect, server, api: str, *, stream: bool, faults: list[str]) -> None:
    server.otherwise = at_random(0.2, faults, seed=11)
    server.latency = 0.002
    model = connect(api, stream=stream, patience=STURDY, limits=Limits(concurrency=32))
    model.jitter = random.Random(5)
    ledger = UsageLedger()
    turns = 10

    async def trail(n: int) -> int:
        said = [message("system", "S"), message("user", f"Trail {n}.")]
        for _ in range(turns):
            answer = await model.answer(Request(tuple(said)))
            ledger.add_answer("generator", answer)
            said += [message("assistant", answer.text), message("user", "Go on.")]
        return n

    done = await asyncio.gather(*(trail(n) for n in range(50)))
    assert done == list(range(50))
    assert ledger.roles["generator"].calls == 50 * turns
    assert len(server.requests) > 50 * turns
    assert ledger.roles["generator"].attempts == len(server.requests)
    for name in ("input", "output", "cached"):
        assert ledger.total(name) == server.told[name], name


async def test_fifty_clients_finish_under_random_faults(connect, server) -> None:
    await fifty(connect, server, "chat", stream=False, faults=FAULTS)


async def test_fifty_streaming_clients_finish_under_random_faults(connect, server) -> None:
    await fifty(connect, server, "chat", stream=True, faults=STREAM_FAULTS)


async def test_fifty_messages_clients_finish_under_random_faults(connect, server) -> None:
    await fifty(connect, server, "messages", stream=True, faults=STREAM_FAULTS)


async def test_a_limit_is_learnt_from_refusals(connect, server) -> None:
    """A server that bears eight at once, and says so by 429 alone, is soon asked eight at once."""
    server.latency = 0.01
    server.otherwise = lambda: "status:429" if server.in_flight >= 8 else ""
    patience = Patience(attempts=4, wait=30, first_wait=0.01, longest_wait=0.05, silence=5)
    model = connect("chat", patience=patience, limits=Limits(concurrency=64))
    requests = [Request((message("user", f"{n}?"),)) for n in range(300)]
    answers = await asyncio.gather(*(model.answer(request) for request in requests))
    assert len(answers) == 300
    assert model.limiter.concurrency < 16
