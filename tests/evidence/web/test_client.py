"""One client for many trails: what is in flight, what is given back, what it costs."""

from __future__ import annotations

import asyncio
import gzip
import random
import socket
import time
import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import aiohttp
import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from ideatrail import __version__
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.client import Caps, Client, HostLimit, Patience, retry_after
from ideatrail.evidence.web.limits import Limiters
from ideatrail.evidence.web.unpack import PIECE, Unpacker

if TYPE_CHECKING:
    from conftest import Servers, Talk


async def hello(talk: Talk) -> None:
    await talk.answer(200, b"hello")


async def test_many_trails_meet_many_faults(servers: Servers) -> None:
    dice = random.Random(7)

    async def script(talk: Talk) -> None:
        match dice.randrange(6):
            case 0:
                talk.reset()
            case 1:
                await talk.answer(503)
            case 2:
                await talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
                talk.writer.close()
            case 3:
                await talk.answer(429, b"", "Retry-After: 0")
            case _:
                await hello(talk)

    server = await servers.start(script)
    limiters = Limiters()
    limit = HostLimit(10_000, 1, 16)
    client = servers.client(limiters=limiters, limits={server.place: limit})

    async def trail() -> str:
        try:
            return (await client.get(server.url)).body.decode()
        except EvidenceError as error:
            return error.ending

    ends = await asyncio.gather(*(trail() for _ in range(300)))
    assert set(ends) <= {"hello", "unreachable", "partial", "rate_limited"}
    assert ends.count("hello") > 200
    assert limiters.of(server.place, limit).in_flight == 0


async def test_cancelled_in_the_middle_gives_its_place_back(servers: Servers) -> None:
    begun = asyncio.Event()

    async def script(talk: Talk) -> None:
        if len(server.talks) == 1:
            await talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
            begun.set()
            await asyncio.sleep(30)
        await hello(talk)

    server = await servers.start(script)
    client = servers.client(limits={server.place: HostLimit(1000, 1, 1)})
    task = asyncio.create_task(client.get(server.url))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(2):
        assert (await client.get(server.url)).body == b"hello"


async def test_connections_are_used_again(servers: Servers) -> None:
    server = await servers.start(hello)
    client = servers.client()
    for _ in range(5):
        await client.get(server.url)
    assert server.connections == 1
    assert server.talks[0].sent["user-agent"] == f"IdeaTrail/{__version__}"


def test_one_client_serves_one_loop_after_the_other() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        await writer.drain()
        writer.close()

    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{held.getsockname()[1]}"
        client = Client(allow=[place], limiters=Limiters())

        async def once() -> bytes:
            async with await asyncio.start_server(serve, sock=held.dup()):
                return (await client.get(f"http://{place}/")).body

        assert [asyncio.run(once()) for _ in range(2)] == [b"ok", b"ok"]


async def test_a_call_costs_less_than_a_millisecond(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(200, b"x" * 20_000)

    server = await servers.start(script)
    client = servers.client(limits={server.place: HostLimit(10**6, 1, 10)})
    count = 200

    async with aiohttp.ClientSession() as bare:
        for _ in range(2):  # the first round warms both up
            began = time.process_time()
            for _ in range(count):
                async with bare.get(server.url) as got:
                    await got.read()
            plain = time.process_time() - began
            began = time.process_time()
            for _ in range(count):
                await client.get(server.url)
            ours = time.process_time() - began
    assert (ours - plain) / count < 0.01


@pytest.mark.parametrize("coding", ["gzip", "gzip, gzip", "br", "zstd", "empty members"])
async def test_the_loop_runs_on_while_a_bomb_is_defused(servers: Servers, coding: str) -> None:
    zeros, most = bytes(100 * 2**20), 60 * 2**20
    match coding:
        case "gzip":
            packed = gzip.compress(zeros)
        case "gzip, gzip":
            packed = gzip.compress(gzip.compress(zeros))
        case "br":
            packed = brotli.compress(zeros, quality=5)
        case "zstd":
            packed = zstandard.ZstdCompressor().compress(zeros)
        case _:
            packed, coding = gzip.compress(gzip.compress(b"") * 1_000_000), "gzip, gzip"
            most = 8 * 2**20

    async def script(talk: Talk) -> None:
        await talk.answer(200, packed, f"Content-Encoding: {coding}")

    server = await servers.start(script)
    gaps: list[float] = []

    async def watch() -> None:
        last = time.thread_time()  # of this thread's work: other processes do not count
        while True:
            await asyncio.sleep(0)
            gaps.append(time.thread_time() - last)
            last = time.thread_time()

    watcher = asyncio.create_task(watch())
    with pytest.raises(EvidenceError) as caught:
        await servers.client().get(server.url, caps=Caps(max_bytes=most, max_seconds=20))
    watcher.cancel()
    assert caught.value.ending == "refused"
    gaps.sort()
    assert gaps[int(len(gaps) * 0.99)] < 0.2
    assert gaps[-1] < 0.2  # memory that is moved


@given(
    st.binary(max_size=3000),
    st.lists(st.sampled_from(["gzip", "deflate", "raw", "br", "zstd"]), min_size=1, max_size=2),
    st.integers(1, 400),
)
def test_what_was_packed_is_unpacked_in_any_slices(
    data: bytes, codings: list[str], step: int
) -> None:
    packers = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "raw": lambda data: zlib.compress(data, wbits=-15),
        "br": brotli.compress,
        "zstd": zstandard.ZstdCompressor().compress,
    }
    packed = data
    for coding in codings:
        packed = packers[coding](packed)
    named = ", ".join("deflate" if coding == "raw" else coding for coding in codings)
    unpacker = Unpacker([named], 10**6)
    out = b"".join(
        piece
        for start in range(0, len(packed), step)
        for piece in unpacker.feed(packed[start : start + step])
    )
    out += b"".join(unpacker.finish())
    assert out == data


@pytest.mark.parametrize("body", [b"", b"x", b"<p", b"<p>", b"<p>plain"])
@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd"])
def test_short_bodies_that_are_not_packed_come_as_they_are(body: bytes, coding: str) -> None:
    unpacker = Unpacker([coding], 100)
    pieces = [piece for byte in body for piece in unpacker.feed(bytes([byte]))]
    assert b"".join([*pieces, *unpacker.finish()]) == body


@pytest.mark.parametrize("step", [1, 7, 10**6])
def test_members_and_frames_follow_each_other(step: int) -> None:
    parts = [b"one " * 100_000, b"", b"two"]
    frame = zstandard.ZstdCompressor().compress
    skipped = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc"
    for coding, packed in (
        ("gzip", b"".join(map(gzip.compress, parts)) + b"\x00" * 9),
        ("zstd", skipped + b"".join(map(frame, parts))),
    ):
        unpacker = Unpacker([coding], 10**6)
        pieces = [
            piece
            for start in range(0, len(packed), step)
            for piece in unpacker.feed(packed[start : start + step])
        ]
        pieces += unpacker.finish()
        assert b"".join(pieces) == b"".join(parts)
        assert max(map(len, pieces)) <= 10 * PIECE


NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0), (" 7 ", 7), ("Thu, 01 Jan 2026 00:01:00 GMT", 60),
        ("Thursday, 01-Jan-26 00:00:05 GMT", 5), ("Thu, 01 Jan 2026 00:00:00 +0200", 0),
        ("Wed, 31 Dec 2025 22:00:30 -0200", 30), ("-5", None), ("soon", None), ("", None),
        (None, None), ("1.5", None), ("٣", None),
    ],
)  # fmt: skip
def test_retry_after_in_both_forms(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


@given(st.text(max_size=40))
def test_retry_after_takes_any_text(text: str) -> None:
    told = retry_after(text, NOW)
    assert told is None or told >= 0


def test_waits_grow_within_bounds() -> None:
    patience = Patience(first_wait=1, longest_wait=4)
    for attempt, middle in ((1, 1), (2, 2), (3, 4), (4, 4), (500, 4)):
        waits = [patience.wait(attempt) for _ in range(200)]
        assert middle * 0.5 <= min(waits) < middle < max(waits) <= middle * 1.5
