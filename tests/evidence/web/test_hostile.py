"""Every kind of hostile or broken server: one typed ending each, within its time and memory."""

from __future__ import annotations

import asyncio
import gzip
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import brotli
import pytest
import zstandard

from ideatrail.evidence.source import Ending, EvidenceError
from ideatrail.evidence.web.client import Caps, Response

if TYPE_CHECKING:
    from conftest import Servers, Talk

MEGABYTE = 2**20
SMALL = Caps(max_bytes=MEGABYTE, max_seconds=4)
"""A page of up to a megabyte."""
BRIEF = Caps(max_bytes=MEGABYTE, max_seconds=0.6)
"""For servers that take longer than anyone would wait."""


@contextmanager
def bounded(megabytes: float = 12, seconds: float = 5.0) -> Iterator[None]:
    """Holds what happens inside to a peak of memory and a time."""
    tracemalloc.start()
    began = time.monotonic()
    try:
        yield
        took, peak = time.monotonic() - began, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert took < seconds
    assert peak < megabytes * MEGABYTE


async def ending(servers: Servers, url: str, caps: Caps = SMALL, **settings: Any) -> Ending:
    """How a `get` ends that must end in an error."""
    client = servers.client(**settings)
    with bounded(), pytest.raises(EvidenceError) as caught:
        await client.get(url, caps=caps)
    return caught.value.ending


async def fetched(servers: Servers, url: str, **settings: Any) -> Response:
    """The answer of a `get` that must succeed."""
    client = servers.client(**settings)
    with bounded():
        return await client.get(url, caps=SMALL)


def bomb_gzip() -> bytes:
    return gzip.compress(bytes(200 * MEGABYTE), 9)


# Bodies that are too large


@pytest.mark.parametrize("coding", ["gzip", "deflate", "raw deflate", "br", "zstd"])
async def test_bomb_in_any_coding_is_refused(servers: Servers, coding: str) -> None:
    zeros = bytes(100 * MEGABYTE)
    if coding == "raw deflate":
        packer = zlib.compressobj(wbits=-15)
        packed = packer.compress(zeros) + packer.flush()
    else:
        pack: dict[str, Any] = {
            "gzip": gzip.compress,
            "deflate": zlib.compress,
            "br": lambda data: brotli.compress(data, quality=5),
            "zstd": zstandard.ZstdCompressor().compress,
        }
        packed = pack[coding](zeros)
    del zeros
    assert len(packed) < MEGABYTE

    async def script(talk: Talk) -> None:
        await talk.answer(200, packed, f"Content-Encoding: {coding.rpartition(' ')[2]}")

    server = await servers.start(script)
    assert await ending(servers, server.url) == "refused"
    assert len(server.talks) == 1


async def test_bomb_packed_twice_is_refused(servers: Servers) -> None:
    packed = gzip.compress(bomb_gzip(), 9)
    assert len(packed) < 10_000

    async def script(talk: Talk) -> None:
        await talk.answer(200, packed, "Content-Encoding: gzip, gzip")

    server = await servers.start(script)
    assert await ending(servers, server.url) == "refused"


async def test_bomb_that_unpacks_into_nothing_is_refused(servers: Servers) -> None:
    # Thousands of empty gzip members inside one: no byte of a body ever comes out.
    packed = gzip.compress(gzip.compress(b"") * 100_000, 9)
    assert len(packed) < MEGABYTE

    async def script(talk: Talk) -> None:
        await talk.answer(200, packed, "Content-Encoding: gzip", "Content-Encoding: gzip")

    server = await servers.start(script)
    assert await ending(servers, server.url) == "refused"


async def test_body_packed_many_times_is_refused(servers: Servers) -> None:
    body = b"hello"
    for _ in range(10):
        body = gzip.compress(body)

    async def script(talk: Talk) -> None:
        await talk.answer(200, body, "Content-Encoding: " + ", ".join(["gzip"] * 10))

    server = await servers.start(script)
    assert await ending(servers, server.url) == "refused"


async def test_coding_that_cannot_be_undone_is_refused(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(200, b"\x1f\x9d\x90", "Content-Encoding: compress")

    server = await servers.start(script)
    assert await ending(servers, server.url) == "refused"


async def test_endless_body_is_refused(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            await talk.say(b"x" * 65_536)

    server = await servers.start(script)
    assert await ending(servers, server.url, Caps(MEGABYTE, 5)) == "refused"


async def test_endless_chunks_are_refused(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            await talk.say(b"1000\r\n" + b"x" * 4096 + b"\r\n")

    server = await servers.start(script)
    assert await ending(servers, server.url, Caps(MEGABYTE, 5)) == "refused"


async def test_stated_length_above_the_cap_is_refused_unread(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
        await asyncio.sleep(30)

    server = await servers.start(script)
    began = time.monotonic()
    assert await ending(servers, server.url) == "refused"
    assert time.monotonic() - began < 2


# Servers that take their time


async def test_slow_drip_is_cut_off(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while True:
            await talk.say(b"x")
            await asyncio.sleep(0.02)

    server = await servers.start(script)
    assert await ending(servers, server.url, BRIEF) == "unreachable"


async def test_stall_before_headers_is_cut_off(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await asyncio.sleep(30)

    server = await servers.start(script)
    assert await ending(servers, server.url, BRIEF) == "unreachable"


async def test_drip_of_headers_is_cut_off(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(b"HTTP/1.1 200 OK\r\nX: ")
        while True:
            await talk.say(b"x")
            await asyncio.sleep(0.02)

    server = await servers.start(script)
    assert await ending(servers, server.url, BRIEF) == "unreachable"


async def test_endless_interim_answers_are_cut_off(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        while True:
            await talk.say(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
            await asyncio.sleep(0.001)

    server = await servers.start(script)
    assert await ending(servers, server.url, BRIEF) == "unreachable"


async def test_attempts_share_one_time(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await asyncio.sleep(0.25)
        talk.reset()

    server = await servers.start(script)
    began = time.monotonic()
    assert await ending(servers, server.url, BRIEF) == "unreachable"
    assert time.monotonic() - began < 1.5


# Bodies that end too early


async def test_reset_in_the_middle_is_partial(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
        await asyncio.sleep(0.01)
        talk.reset()

    server = await servers.start(script)
    assert await ending(servers, server.url) == "partial"
    assert len(server.talks) == 3


async def test_truncated_content_length_is_partial(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
        talk.writer.close()

    server = await servers.start(script)
    assert await ending(servers, server.url) == "partial"


async def test_chunked_without_its_end_is_partial(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
        talk.writer.close()

    server = await servers.start(script)
    assert await ending(servers, server.url) == "partial"


@pytest.mark.parametrize("pause", [0, 0.05])
async def test_chunked_garbage_is_partial(servers: Servers, pause: float) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        await asyncio.sleep(pause)
        await talk.say(b"zz\r\nhalf\r\n")
        talk.writer.close()

    server = await servers.start(script)
    assert await ending(servers, server.url, Caps(MEGABYTE, 5)) == "partial"


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
async def test_packed_body_cut_short_is_partial(servers: Servers, coding: str) -> None:
    text = " ".join(map(str, range(20_000))).encode()
    pack: dict[str, Any] = {
        "gzip": gzip.compress,
        "br": brotli.compress,
        "zstd": zstandard.ZstdCompressor().compress,
    }
    packed = pack[coding](text)

    async def script(talk: Talk) -> None:
        await talk.answer(200, packed[:-100], f"Content-Encoding: {coding}")

    server = await servers.start(script)
    assert await ending(servers, server.url) == "partial"


async def test_packed_body_broken_in_the_middle_is_partial(servers: Servers) -> None:
    packed = gzip.compress(" ".join(map(str, range(50_000))).encode())
    middle = len(packed) // 2
    broken = packed[:middle] + bytes(40) + packed[middle + 40 :]

    async def script(talk: Talk) -> None:
        await talk.answer(200, broken, "Content-Encoding: gzip")

    server = await servers.start(script)
    assert await ending(servers, server.url) == "partial"


async def test_unasked_206_is_partial(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(206, b"hel", "Content-Range: bytes 0-2/5")

    server = await servers.start(script)
    assert await ending(servers, server.url) == "partial"
    client = servers.client()
    asked = await client.get(server.url, headers={"Range": "bytes=0-2"})
    assert asked.status == 206


# What is no HTTP, or nearly none


@pytest.mark.parametrize(
    "raw",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"<html>HTTP/0.9 says hello</html>",
        b"\x00\x01\x02\xff\xfe" * 100,
        b"HTTP/1.1 banana OK\r\n\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nbody",
        b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nbody",
        b"HTTP/1.1 999 OK\r\nContent-Length: 0\r\n\r\n",
        b"",
    ],
    ids=[
        "ssh", "http 0.9", "binary", "no status", "version", "no colon", "negative length",
        "wordy length", "two lengths", "status 999", "nothing",
    ],
)  # fmt: skip
async def test_no_http_is_unreachable(servers: Servers, raw: bytes) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(raw)
        talk.writer.close()

    server = await servers.start(script)
    assert await ending(servers, server.url) == "unreachable"


async def test_tls_to_a_plain_port_is_unreachable(servers: Servers) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        place = f"127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        url = f"https://{place}/"
        assert await ending(servers, url, Caps(MEGABYTE, 5), allow=[place]) == "unreachable"


async def test_refused_connection_is_unreachable(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(200)

    server = await servers.start(script)
    assert await ending(servers, "http://127.0.0.1:1/", allow=["127.0.0.1:1"]) == "unreachable"
    assert not server.talks


async def test_reset_before_an_answer_is_unreachable_after_three_attempts(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        talk.reset()

    server = await servers.start(script)
    assert await ending(servers, server.url) == "unreachable"
    assert len(server.talks) == 3


async def test_name_without_address_is_unreachable(servers: Servers) -> None:
    async def lookup(host: str, port: int) -> list[str]:
        raise OSError("no such name")

    assert await ending(servers, "http://gone.example/", lookup=lookup) == "unreachable"


async def test_lookup_that_hangs_is_unreachable(servers: Servers) -> None:
    async def lookup(host: str, port: int) -> list[str]:
        await asyncio.sleep(30)
        return []

    assert await ending(servers, "http://slow.example/", BRIEF, lookup=lookup) == "unreachable"


# Headers


async def test_huge_header_is_refused(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(200, b"x", "X-Large: " + "a" * 200_000)

    server = await servers.start(script)
    assert await ending(servers, server.url) == "refused"


async def test_endless_header_is_refused(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(b"HTTP/1.1 200 OK\r\nX: ")
        while True:
            await talk.say(b"x" * 65_536)

    server = await servers.start(script)
    assert await ending(servers, server.url, Caps(MEGABYTE, 5)) == "refused"


async def test_endless_headers_are_refused(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(b"HTTP/1.1 200 OK\r\n")
        while True:
            await talk.say(b"X-More: and more\r\n" * 100)

    server = await servers.start(script)
    assert await ending(servers, server.url, Caps(MEGABYTE, 5)) == "refused"


async def test_odd_headers_are_taken_as_they_are(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(
            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
            b"Content-Type: text/html; charset=\xff\xfe;;=\r\n"
            b"X-Latin: caf\xe9\r\nX-Utf: caf\xc3\xa9\r\nContent-Encoding: utf-8\r\n\r\nok"
        )

    server = await servers.start(script)
    response = await fetched(servers, server.url)
    assert response.body == b"ok"
    assert response.header("x-latin") == response.header("X-UTF") == "café"
    assert response.header("content-type") == "text/html; charset=ÿþ;;="


async def test_missing_content_type_and_binary_body_are_an_answer(servers: Servers) -> None:
    body = bytes(range(256)) * 100

    async def script(talk: Talk) -> None:
        await talk.answer(200, body)

    server = await servers.start(script)
    response = await fetched(servers, server.url)
    assert response.body == body
    assert response.header("content-type") is None


async def test_gzip_that_is_none_is_taken_as_it_is(servers: Servers) -> None:
    # Archives replay stored headers over bodies that were unpacked long ago.
    async def script(talk: Talk) -> None:
        await talk.answer(200, b"<p>plain", "Content-Encoding: " + talk.path[1:])

    server = await servers.start(script)
    for coding in ("gzip", "deflate", "br", "zstd", "x-gzip", "none"):
        response = await fetched(servers, f"{server.url}/{coding}")
        assert response.body == b"<p>plain", coding


async def test_body_beyond_the_stated_length_is_not_the_next_answer(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        smuggled = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        await talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood" + smuggled)

    server = await servers.start(script)
    client = servers.client()
    for _ in range(3):
        assert (await client.get(server.url)).body == b"good"


# Statuses


@pytest.mark.parametrize("status", [401, 403, 407, 451])
async def test_refusals_are_refused_at_once(servers: Servers, status: int) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(status, b"no")

    server = await servers.start(script)
    assert await ending(servers, server.url) == "refused"
    assert len(server.talks) == 1


@pytest.mark.parametrize(("status", "attempts"), [(500, 3), (502, 3), (504, 3), (501, 1), (505, 1)])
async def test_server_errors_are_unreachable(servers: Servers, status: int, attempts: int) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(status, b"oh")

    server = await servers.start(script)
    assert await ending(servers, server.url) == "unreachable"
    assert len(server.talks) == attempts


async def test_server_error_that_passes_is_an_answer(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(503 if len(server.talks) < 3 else 200, b"here")

    server = await servers.start(script)
    assert (await fetched(servers, server.url)).body == b"here"


async def test_429_without_retry_after_is_rate_limited(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(429)

    server = await servers.start(script)
    assert await ending(servers, server.url) == "rate_limited"
    assert len(server.talks) == 3


async def test_429_with_a_short_retry_after_is_waited_out(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        if len(server.talks) == 1:
            await talk.answer(429, b"", "Retry-After: 1")
        else:
            await talk.answer(200, b"now")

    server = await servers.start(script)
    began = time.monotonic()
    assert (await fetched(servers, server.url)).body == b"now"
    assert time.monotonic() - began >= 1


async def test_429_with_a_long_retry_after_is_rate_limited_at_once_for_all(
    servers: Servers,
) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(429, b"", "Retry-After: Fri, 01 Jan 2100 00:00:00 GMT")

    server = await servers.start(script)
    client = servers.client()
    for _ in range(2):
        with bounded(seconds=1.0), pytest.raises(EvidenceError) as caught:
            await client.get(server.url)
        assert caught.value.ending == "rate_limited"
    assert len(server.talks) == 1


async def test_503_with_retry_after_is_waited_out_then_unreachable(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(503, b"", "Retry-After: 1")

    server = await servers.start(script)
    assert await ending(servers, server.url) == "unreachable"
    assert len(server.talks) == 2


@pytest.mark.parametrize("status", [200, 204, 304, 400, 404, 410])
async def test_answers_are_answers(servers: Servers, status: int) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(status, b"" if status in (204, 304) else b"text")

    server = await servers.start(script)
    response = await fetched(servers, server.url)
    assert response.status == status
    assert response.body == (b"" if status in (204, 304) else b"text")


@pytest.mark.parametrize("status", [403, 429, 503])
async def test_capture_of_a_failure_is_an_answer(servers: Servers, status: int) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(status, b"then", "Memento-Datetime: Fri, 01 Jan 2021 00:00:00 GMT")

    server = await servers.start(script)
    response = await fetched(servers, server.url)
    assert (response.status, response.body) == (status, b"then")


async def test_unsound_answer_is_asked_for_again(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(200, b"" if len(server.talks) < 2 else b"full")

    server = await servers.start(script)
    client = servers.client()
    response = await client.get(server.url, sound=lambda got: bool(got.body))
    assert response.body == b"full"
    with pytest.raises(EvidenceError) as caught:
        await client.get(server.url, sound=lambda got: False)
    assert caught.value.ending == "partial"
