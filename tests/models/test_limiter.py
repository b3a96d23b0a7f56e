"""One limiter an endpoint: windows are kept, order too, and concurrency follows the answers."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.models.endings import EndingError
from ideatrail.models.limiter import Limiter
from ideatrail.models.options import Limits


async def admitted(limiter: Limiter, sizes: list[int]) -> list[tuple[float, int]]:
    """When each request was let in, all asking at once."""
    times: list[tuple[float, int]] = []

    async def one(tokens: int) -> None:
        ticket = await limiter.enter(tokens)
        # The limiter's own reading: a busy machine may resume this task much later.
        times.append((ticket.admitted, tokens))
        await asyncio.sleep(0)
        limiter.leave(ticket)

    await asyncio.gather(*(one(tokens) for tokens in sizes))
    return times


@settings(max_examples=8)
@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=14), st.integers(2, 6), st.integers(50, 120)
)
def test_no_window_holds_more_than_it_may(sizes: list[int], requests: int, tokens: int) -> None:
    window = 0.08
    limits = Limits(requests_per_minute=requests, tokens_per_minute=tokens)
    times = asyncio.run(admitted(Limiter(limits, window=window), sizes))
    assert [size for _, size in times] == sizes, "first come, first served"
    for start, _ in times:
        inside = [size for at, size in times if start <= at < start + window * 0.999]
        assert len(inside) <= requests
        assert sum(inside) <= tokens


async def test_concurrency_is_bounded() -> None:
    limiter = Limiter(Limits(concurrency=3))
    tickets = [await limiter.enter(1) for _ in range(3)]
    late = asyncio.create_task(limiter.enter(1))
    await asyncio.sleep(0.01)
    assert not late.done()
    assert limiter.waiting == 1
    limiter.leave(tickets[0])
    await late
    assert limiter.in_flight == 3


async def test_concurrency_halves_once_a_round_and_grows_again() -> None:
    limiter = Limiter(Limits(concurrency=16))
    tickets = [await limiter.enter(1) for _ in range(16)]
    for ticket in tickets:
        limiter.slow_down(ticket, None)
        limiter.leave(ticket)
    assert limiter.concurrency == 8, "one round of refusals is one slowing"
    for _ in range(200):
        limiter.leave(await limiter.enter(1), fine=True)
    assert limiter.concurrency == 16


async def test_true_usage_takes_the_place_of_the_estimate() -> None:
    limiter = Limiter(Limits(tokens_per_minute=100), window=5)
    limiter.leave(await limiter.enter(90), 10)
    async with asyncio.timeout(1):
        await limiter.enter(90)


async def test_what_can_never_fit_is_told_at_once() -> None:
    limiter = Limiter(Limits(tokens_per_minute=100))
    with pytest.raises(EndingError) as caught:
        await limiter.enter(200, least=150)
    assert caught.value.ending == "never_fits"
    await limiter.enter(200, least=50)  # only its largest answer would not fit


async def test_a_cancelled_wait_leaves_no_place_taken() -> None:
    limiter = Limiter(Limits(concurrency=1))
    first = await limiter.enter(1)
    waiting = [asyncio.create_task(limiter.enter(1)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    limiter.leave(first)
    second = await waiting[1]
    waiting[2].cancel()
    ends = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(end) for end in ends[::2]] == [asyncio.CancelledError] * 2
    limiter.leave(second)
    assert (limiter.in_flight, limiter.waiting) == (0, 0)


async def test_cancelled_in_the_moment_of_admission() -> None:
    limiter = Limiter(Limits(concurrency=1))
    first = await limiter.enter(1)
    late = asyncio.create_task(limiter.enter(1))
    await asyncio.sleep(0)
    limiter.leave(first)  # admits `late`, which has not run yet
    late.cancel()
    await asyncio.gather(late, return_exceptions=True)
    assert limiter.in_flight == 0


def test_another_event_loop_finds_the_limiter_free() -> None:
    limiter = Limiter(Limits(concurrency=1))

    async def take() -> None:
        await limiter.enter(1)

    asyncio.run(take())
    asyncio.run(asyncio.wait_for(take(), 1))
