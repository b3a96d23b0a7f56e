"""Answers are kept once, told again to the byte, and hold no secret."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.client import Caps, Client, Response
from ideatrail.evidence.web.exchanges import Asked, Exchanges, public, secrets

if TYPE_CHECKING:
    from conftest import Servers, Talk


async def hello(talk: Talk) -> None:
    await talk.answer(200, b"hello " + talk.path.encode(), "Content-Type: text/plain")


def files(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern))


def everything(folder: Path) -> bytes:
    """All that lies in a folder, names and unpacked contents."""
    held = b"".join(
        exchange.model_dump_json().encode() + body for exchange, body in Exchanges(folder, "replay")
    )
    return held + "".join(sorted(str(path) for path in folder.rglob("*"))).encode()


async def test_cache_asks_once(servers: Servers, tmp_path: Path) -> None:
    server = await servers.start(hello)
    first = await servers.client(exchanges=Exchanges(tmp_path, "cache")).get(f"{server.url}/a")
    again = await servers.client(exchanges=Exchanges(tmp_path, "cache")).get(f"{server.url}/a#top")
    assert first == again
    assert first.body == b"hello /a"
    assert len(server.talks) == 1


async def test_equal_requests_at_once_are_one(servers: Servers, tmp_path: Path) -> None:
    async def script(talk: Talk) -> None:
        await asyncio.sleep(0.03)
        await hello(talk)

    server = await servers.start(script)
    client = servers.client(exchanges=Exchanges(tmp_path, "cache"))
    answers = await asyncio.gather(*(client.get(f"{server.url}/a") for _ in range(8)))
    assert len({answer.body for answer in answers}) == 1
    assert len(server.talks) == 1
    assert not client._turns


async def test_headers_that_shape_an_answer_tell_requests_apart(
    servers: Servers, tmp_path: Path
) -> None:
    server = await servers.start(hello)
    client = servers.client(exchanges=Exchanges(tmp_path, "cache"))
    for headers in ({}, {"Accept": "text/html"}, {"accept": "text/html"}, {"X-Api-Key": "a" * 9}):
        await client.get(server.url, headers=headers)
    await client.get(server.url, follow=False)
    assert len(server.talks) == 3


@pytest.mark.parametrize("status", [404, 410])
async def test_cache_keeps_that_there_is_none(
    servers: Servers, tmp_path: Path, status: int
) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(status, b"gone")

    server = await servers.start(script)
    client = servers.client(exchanges=Exchanges(tmp_path, "cache"))
    assert [(await client.get(server.url)).status for _ in range(2)] == [status, status]
    assert len(server.talks) == 1


@pytest.mark.parametrize("status", [400, 403, 429, 500])
async def test_cache_keeps_no_failure(servers: Servers, tmp_path: Path, status: int) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(status if len(server.talks) <= 3 else 200, b"x")

    server = await servers.start(script)
    client = servers.client(exchanges=Exchanges(tmp_path, "cache"))
    while len(server.talks) < 3:
        if status == 400:
            await client.get(server.url)
            continue
        with pytest.raises(EvidenceError):
            await client.get(server.url)
    assert (await client.get(server.url)).status == 200
    assert len(list(Exchanges(tmp_path, "cache"))) == 1


async def test_unsound_answer_in_the_cache_is_asked_for_again(
    servers: Servers, tmp_path: Path
) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(200, b"full" if len(server.talks) > 1 else b"")

    server = await servers.start(script)
    client = servers.client(exchanges=Exchanges(tmp_path, "cache"))
    assert (await client.get(server.url)).body == b""
    assert (await client.get(server.url, sound=lambda got: bool(got.body))).body == b"full"
    assert (await client.get(server.url)).body == b"full"
    assert len(server.talks) == 2


async def outcomes(client: Client, urls: list[str]) -> list[Response | tuple[str, str]]:
    """Answers and endings, one after the other."""
    told: list[Response | tuple[str, str]] = []
    for url in urls:
        try:
            told.append(await client.get(url, caps=Caps(max_bytes=100_000)))
        except EvidenceError as error:
            told.append((error.ending, error.detail))
    return told


async def test_replay_tells_the_same_without_a_network(servers: Servers, tmp_path: Path) -> None:
    counts: dict[str, int] = {}

    async def script(talk: Talk) -> None:
        count = counts[talk.path] = counts.get(talk.path, 0) + 1
        match talk.path:
            case "/redirect":
                await talk.answer(302, b"", "Location: /end", "Set-Cookie: a=b", "X-Hop: 1")
            case "/changing":
                await talk.answer(200, f"version {count}".encode())
            case "/recovers" if count <= 3:
                await talk.answer(500, b"")
            case "/limited":
                await talk.answer(429, b"", "Retry-After: 10000")
            case "/large":
                await talk.answer(200, bytes(200_000))
            case "/cut":
                await talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                talk.writer.close()
            case "/missing":
                await talk.answer(404, b"no")
            case "/closed":
                await talk.answer(403, b"no")
            case _:
                await talk.answer(200, bytes(range(256)) * 300, "X-Odd: caf\xe9 \xff")

    server = await servers.start(script)
    paths = (
        "/end /redirect /changing /changing /recovers /recovers /large /cut /missing /closed "
        "/limited /limited /changing"
    ).split()
    urls = [server.url + path for path in paths]
    urls += ["http://10.0.0.1/", "http://10.0.0.1/x", "ftp://a.org/", "http://me:pw@a.org/"]
    live = await outcomes(servers.client(exchanges=Exchanges(tmp_path, "record")), urls)
    asked = len(server.talks)

    async def lookup(host: str, port: int) -> list[str]:
        raise AssertionError("a name was looked up in a replay")

    replayed = Client(exchanges=Exchanges(tmp_path, "replay"), lookup=lookup)
    assert await outcomes(replayed, urls) == live
    assert len(server.talks) == asked
    assert not replayed._transport._sessions
    endings = [told[0] if isinstance(told, tuple) else told.status for told in live]
    assert endings == [
        200, 200, 200, 200, "unreachable", 200, "refused", "partial", 404, "refused",
        "rate_limited", "rate_limited", "rate_limited", "refused", "refused", "refused", "refused",
    ]  # fmt: skip


async def test_replay_without_a_record_is_unreachable(tmp_path: Path) -> None:
    client = Client(exchanges=Exchanges(tmp_path / "none", "replay"))
    with pytest.raises(EvidenceError) as caught:
        await client.get("https://a.org/")
    assert caught.value.ending == "unreachable"
    assert "replay" in caught.value.detail
    assert not (tmp_path / "none").exists()


async def test_record_fetches_anew_and_keeps_in_order(servers: Servers, tmp_path: Path) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(200, str(len(server.talks)).encode())

    server = await servers.start(script)
    recorder = servers.client(exchanges=Exchanges(tmp_path, "record"))
    assert [(await recorder.get(server.url)).body for _ in range(3)] == [b"1", b"2", b"3"]
    player = servers.client(exchanges=Exchanges(tmp_path, "replay"))
    assert [(await player.get(server.url)).body for _ in range(4)] == [b"1", b"2", b"3", b"3"]


async def test_record_may_take_answers_from_a_cache(servers: Servers, tmp_path: Path) -> None:
    server = await servers.start(hello)
    cache = Exchanges(tmp_path / "cache", "cache")
    client = servers.client(exchanges=Exchanges(tmp_path / "one", "record", behind=cache))
    first = await client.get(server.url)
    other = client.keeping(Exchanges(tmp_path / "two", "record", behind=cache))
    assert await other.get(server.url) == first
    assert len(server.talks) == 1
    for name in ("one", "two", "cache"):
        player = Client(exchanges=Exchanges(tmp_path / name, "replay"))
        assert await player.get(server.url) == first
    assert len(list(cache)) == 1


async def test_kept_answers_obey_the_caps_of_who_asks(servers: Servers, tmp_path: Path) -> None:
    server = await servers.start(hello)
    client = servers.client(exchanges=Exchanges(tmp_path, "cache"))
    await client.get(server.url)
    with pytest.raises(EvidenceError) as caught:
        await client.get(server.url, caps=Caps(max_bytes=3))
    assert caught.value.ending == "refused"


async def test_a_cached_answer_opens_no_closed_address(servers: Servers, tmp_path: Path) -> None:
    server = await servers.start(hello)
    await servers.client(exchanges=Exchanges(tmp_path, "cache")).get(server.url)
    with pytest.raises(EvidenceError) as caught:
        await servers.client(exchanges=Exchanges(tmp_path, "cache"), allow=[]).get(server.url)
    assert caught.value.ending == "refused"


async def test_no_secret_is_kept_or_told(servers: Servers, tmp_path: Path) -> None:
    async def script(talk: Talk) -> None:
        if talk.path.startswith("/search"):
            await talk.answer(302, b"", f"Location: /end?{talk.path.partition('?')[2]}&b=2")
        else:
            await talk.answer(200, talk.request, "X-Echo: key sesame-open-1", "Set-Cookie: s=3")

    server = await servers.start(script)
    url = (
        f"{server.url}/search?a=1&api_key=sesame-open-1&mailto=me%40home.org&API_KEY=sesame-open-2"
    )
    headers = {"X-API-Key": "sesame-open-3", "Authorization": "Bearer sesame-open-4"}
    client = servers.client(exchanges=Exchanges(tmp_path, "record"))
    response = await client.get(url, headers=headers)
    assert b"sesame-open-1" in server.talks[-1].request
    assert server.talks[-1].sent["authorization"] == "Bearer sesame-open-4"
    told = repr(response).encode() + everything(tmp_path)
    for secret in (b"sesame", b"me%40home.org&", b"Set-Cookie"):
        assert secret not in told.replace(b"mailto=me%40home.org", b"")
    assert response.url == f"{server.url}/end?a=1&b=2"
    player = servers.client(exchanges=Exchanges(tmp_path, "replay"))
    assert await player.get(f"{server.url}/search?a=1") == response


@pytest.mark.parametrize("raw", [b"no HTTP\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: " + b"x" * 9999, b""])
async def test_no_secret_is_told_in_an_error(servers: Servers, tmp_path: Path, raw: bytes) -> None:
    async def script(talk: Talk) -> None:
        await talk.say(raw)
        talk.reset()

    server = await servers.start(script)
    client = servers.client(exchanges=Exchanges(tmp_path, "record"))
    headers = {"X-API-Key": "sesame-open-3"}
    with pytest.raises(EvidenceError) as caught:
        await client.get(f"{server.url}/?api_key=sesame-open-1", headers=headers)
    assert caught.value.detail
    assert b"sesame" not in caught.value.detail.encode() + everything(tmp_path)


def test_public_addresses_keep_everything_else() -> None:
    assert public("https://a.org/x?q=%20a&api_key=1&&b") == "https://a.org/x?q=%20a&&b"
    assert public("https://a.org/x?mailto=a@b.c") == "https://a.org/x"
    assert public("https://a.org/x?api%5Fkey=1") == "https://a.org/x"
    assert secrets("https://a.org/?api_key=12345678&mailto=someone@home.org", {}) == ("12345678",)


async def test_equal_bodies_are_stored_once(servers: Servers, tmp_path: Path) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(200, b"same " * 1000)

    server = await servers.start(script)
    client = servers.client(exchanges=Exchanges(tmp_path, "cache"))
    for number in range(5):
        await client.get(f"{server.url}/{number}")
    (body,) = files(tmp_path, "bodies/*/*")
    assert body.stat().st_size < 200
    assert len(files(tmp_path, "index/*/*")) == 5


@pytest.mark.parametrize("damage", ["torn body", "no body", "torn entry", "other version"])
async def test_what_is_damaged_is_asked_for_again(
    servers: Servers, tmp_path: Path, damage: str
) -> None:
    server = await servers.start(hello)
    client = servers.client(exchanges=Exchanges(tmp_path, "cache"))
    first = await client.get(server.url)
    (body,) = files(tmp_path, "bodies/*/*.zst")
    (entry,) = files(tmp_path, "index/*/*.json")
    match damage:
        case "torn body":
            body.write_bytes(body.read_bytes()[:-5])
        case "no body":
            body.unlink()
        case "torn entry":
            entry.write_bytes(entry.read_bytes()[:40])
        case "other version":
            entry.write_bytes(entry.read_bytes().replace(b"{", b'{"format_version":2,', 1))
    with pytest.raises(EvidenceError):
        await servers.client(exchanges=Exchanges(tmp_path, "replay")).get(server.url)
    assert await client.get(server.url) == first
    assert await client.get(server.url) == first
    assert len(server.talks) == 2


async def test_a_cache_that_cannot_be_written_costs_no_answer(
    servers: Servers, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = await servers.start(hello)
    (tmp_path / "index").write_text("in the way")
    client = servers.client(exchanges=Exchanges(tmp_path, "cache"))
    for _ in range(2):
        assert (await client.get(server.url)).body == b"hello /"
    assert caplog.text.count("cannot be written") == 1


def answered(number: int) -> tuple[Asked, Response]:
    url = f"https://a.org/{number % 50}"
    body = f"answer {number % 7} ".encode() * 20_000
    return Asked(url, {}, True), Response(url, 200, (("X", str(number)),), body)


def write_for_ever(folder: Path) -> None:
    store = Exchanges(folder, "record")
    number = 0
    while True:
        asked, response = answered(number)
        store.keep(asked.answered((), response), response.body)
        number += 1


def test_killed_writers_leave_nothing_half(tmp_path: Path) -> None:
    start = multiprocessing.get_context("spawn")
    writers = [start.Process(target=write_for_ever, args=(tmp_path,)) for _ in range(2)]
    for writer in writers:
        writer.start()
    deadline = time.monotonic() + 30
    while sum(1 for _ in tmp_path.glob("index/*/*.json")) < 100:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    for writer in writers:
        assert writer.pid is not None
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
    store = Exchanges(tmp_path, "replay")
    whole = list(store)
    assert len(whole) == sum(1 for _ in tmp_path.glob("index/*/[!.]*.json"))
    for number in range(20):
        asked, response = answered(number)
        found = store.find(asked)
        assert found is not None
        assert found[0].response(found[1], Caps()).url == response.url
