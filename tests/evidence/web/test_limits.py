"""What a host asks of its guests is kept, in order, whoever leaves the queue."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.limits import LIMITS, HostLimit, HostLimiter, Limiters, fitting

if TYPE_CHECKING:
    from conftest import Servers, Talk


async def starts(limiter: HostLimiter, count: int, hold: float = 0.0) -> list[tuple[int, float]]:
    """(who, when) of `count` guests, in the order in which they were let in."""
    seen: list[tuple[int, float]] = []

    async def guest(number: int) -> None:
        async with limiter.turn(1):
            seen.append((number, time.monotonic()))
            await asyncio.sleep(hold)

    await asyncio.gather(*(guest(number) for number in range(count)))
    return seen


async def test_every_window_keeps_the_limit_and_the_order() -> None:
    seen = await starts(HostLimiter(HostLimit(3, 0.1, 100)), 10)
    assert [number for number, _ in seen] == list(range(10))
    times = [when for _, when in seen]
    assert all(later - earlier >= 0.1 for earlier, later in zip(times, times[3:], strict=False))
    assert times[-1] - times[0] < 0.6


async def test_concurrency_is_kept() -> None:
    limiter = HostLimiter(HostLimit(1000, 1, 2))
    most = 0

    async def guest() -> None:
        nonlocal most
        async with limiter.turn(1):
            most = max(most, limiter.in_flight)
            await asyncio.sleep(0.005)

    await asyncio.gather(*(guest() for _ in range(12)))
    assert most == 2
    assert limiter.in_flight == 0


async def test_who_gives_up_keeps_nobody_waiting() -> None:
    limiter = HostLimiter(HostLimit(1000, 1, 1))
    order: list[int] = []

    async def guest(number: int) -> None:
        async with limiter.turn(1):
            order.append(number)
            await asyncio.sleep(0.02)

    guests = [asyncio.create_task(guest(number)) for number in range(6)]
    await asyncio.sleep(0.005)
    guests[0].cancel()  # in flight
    guests[2].cancel()  # in the queue
    await asyncio.gather(*guests, return_exceptions=True)
    assert order == [0, 1, 3, 4, 5]
    assert limiter.in_flight == 0


async def test_cancelled_in_the_moment_of_admission_leaves_no_place_taken() -> None:
    limiter = HostLimiter(HostLimit(1000, 1, 1))

    async def guest() -> None:
        async with limiter.turn(1):
            await asyncio.sleep(10)

    first = asyncio.create_task(guest())
    second = asyncio.create_task(guest())
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)  # `first` leaves, `second` is admitted and has not run yet
    second.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    async with asyncio.timeout(1), limiter.turn(1):
        assert limiter.in_flight == 1


async def test_pause_holds_for_all_and_a_long_one_is_told() -> None:
    limiter = HostLimiter(HostLimit(1000, 1, 10))
    limiter.pause(0.1)
    began = time.monotonic()
    seen = await starts(limiter, 3)
    assert all(when - began >= 0.1 for _, when in seen)
    limiter.pause(100)
    with pytest.raises(EvidenceError) as caught:
        async with limiter.turn(5):
            pass
    assert caught.value.ending == "rate_limited"


def test_a_limiter_outlives_its_loop() -> None:
    limiter = HostLimiter(HostLimit(1000, 1, 1))

    async def abandoned() -> None:
        async def guest() -> None:
            async with limiter.turn(1):
                await asyncio.sleep(10)

        for _ in range(3):
            asyncio.ensure_future(guest())  # noqa: RUF006  (left behind on purpose)
        await asyncio.sleep(0)

    asyncio.run(abandoned())
    assert [number for number, _ in asyncio.run(starts(limiter, 3))] == [0, 1, 2]


def test_the_entry_with_the_longest_path_counts() -> None:
    def name(host: str, path: str) -> str | None:
        entry = fitting(host, path, LIMITS)
        return None if entry is None else entry[0]

    assert name("web.archive.org", "/cdx/search/cdx") == "web.archive.org/cdx"
    assert name("web.archive.org", "/web/timemap/link/x") == "web.archive.org/cdx"
    assert name("web.archive.org", "/web/2020id_/http://a.org/") == "web.archive.org"
    assert name("export.arxiv.org", "/api/query") == name("oaipmh.arxiv.org", "/oai") == "arxiv"
    assert name("a.org", "/") is None
    assert name("web.archive.org.evil.org", "/") is None


def test_one_limiter_a_name() -> None:
    limiters = Limiters()
    first = limiters.of("a.org", HostLimit(1, 1, 1))
    assert limiters.of("a.org", HostLimit(2, 1, 1)) is first
    assert first.limit.requests == 2


@pytest.mark.parametrize("wrong", [(0, 1, 1), (1, -1, 1), (1, 1, 0)])
def test_a_limit_lets_something_through(wrong: tuple[int, float, int]) -> None:
    with pytest.raises(ValueError, match="nothing"):
        HostLimit(*wrong)


@pytest.fixture
def clocked() -> list[float]:
    """Times at which a server was asked."""
    return []


async def test_clients_share_a_host_s_limit(servers: Servers, clocked: list[float]) -> None:
    async def script(talk: Talk) -> None:
        clocked.append(time.monotonic())
        await talk.answer(200, b"x")

    server = await servers.start(script)
    limiters = Limiters()
    limits = {server.place: HostLimit(1, 0.05, 1)}
    clients = [servers.client(limits=limits, limiters=limiters) for _ in range(3)]
    await asyncio.gather(*(client.get(server.url) for client in clients for _ in range(3)))
    assert len(clocked) == 9
    assert all(b - a >= 0.04 for a, b in pairwise(clocked))


async def test_retries_and_redirects_take_their_turns_too(
    servers: Servers, clocked: list[float]
) -> None:
    async def script(talk: Talk) -> None:
        clocked.append(time.monotonic())
        if talk.path == "/":
            await talk.answer(302, b"", "Location: /2")
        elif len(clocked) < 4:
            talk.reset()
        else:
            await talk.answer(200, b"x")

    server = await servers.start(script)
    client = servers.client(limits={server.place: HostLimit(1, 0.1, 1)})
    await client.get(server.url)
    assert len(clocked) == 4
    assert all(b - a >= 0.09 for a, b in pairwise(clocked))
