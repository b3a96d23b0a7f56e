"""Redirects are followed hop by hop, each as suspicious as the first address."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.client import Caps

if TYPE_CHECKING:
    from conftest import Servers, Talk


def to(location: str, status: int = 302) -> Callable[[Talk], Awaitable[None]]:
    """A server that sends `/` elsewhere and answers the rest."""

    async def script(talk: Talk) -> None:
        if talk.path == "/":
            await talk.answer(status, b"moved", f"Location: {location}")
        else:
            await talk.answer(200, talk.path.encode())

    return script


async def refused(servers: Servers, location: str) -> int:
    """Requests that a server got which sends to a place that must not be asked."""
    server = await servers.start(to(location))
    with pytest.raises(EvidenceError) as caught:
        await servers.client().get(server.url)
    assert caught.value.ending == "refused"
    return len(server.talks)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_followed_and_told(servers: Servers, status: int) -> None:
    server = await servers.start(to("/there?a=b#c", status))
    response = await servers.client().get(server.url)
    assert response.body == b"/there?a=b"
    assert response.url == f"{server.url}/there?a=b"
    assert response.redirects == (f"{server.url}/",)


async def test_a_redirect_can_be_the_answer(servers: Servers) -> None:
    server = await servers.start(to("/there"))
    response = await servers.client().get(server.url, follow=False)
    assert (response.status, response.header("location")) == (302, "/there")
    assert len(server.talks) == 1


async def test_redirect_without_location_is_the_answer(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(302, b"where?")

    server = await servers.start(script)
    response = await servers.client().get(server.url)
    assert (response.status, response.body) == (302, b"where?")


async def test_redirect_to_a_place_that_is_not_opened_is_refused(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(200, b"secret")

    inner = await servers.start(script)
    servers.places.remove(inner.place)
    assert await refused(servers, f"{inner.url}/") == 1
    assert not inner.connections


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "//localhost/x",
        "http://2852039166/", "file:///etc/passwd", "ftp://a.org/x", "FILE:/etc/passwd",
        "data:text/html,hi", "javascript:alert(1)", "gopher://127.0.0.1:6379/_INFO",
        "http://user:pw@example.org/", "http://example.org\\@127.0.0.1/", "http://[::1/",
        "http://127.0.0.1:1/", "https:///x", "http://a.org\x0b/",
    ],
)  # fmt: skip
async def test_redirect_to_what_must_not_be_asked_is_refused(
    servers: Servers, location: str
) -> None:
    assert await refused(servers, location) == 1


async def test_header_injection_in_a_location_stays_in_the_path(servers: Servers) -> None:
    server = await servers.start(to("/x%0d%0aX-Evil:%201%0d%0a y"))
    response = await servers.client().get(server.url)
    assert response.body == b"/x%0d%0aX-Evil:%201%0d%0a%20y"
    assert "x-evil" not in server.talks[-1].sent


async def test_redirect_loop_is_refused(servers: Servers) -> None:
    assert await refused(servers, "/") == 6


@pytest.mark.parametrize(("hops", "fine"), [(5, True), (6, False)])
async def test_five_redirects_and_no_more(servers: Servers, hops: int, fine: bool) -> None:
    async def script(talk: Talk) -> None:
        done = int(talk.path[1:] or 0)
        if done < hops:
            await talk.answer(302, b"", f"Location: /{done + 1}")
        else:
            await talk.answer(200, b"there")

    server = await servers.start(script)
    client = servers.client()
    if fine:
        assert len((await client.get(server.url)).redirects) == 5
        with pytest.raises(EvidenceError):
            await client.get(server.url, caps=Caps(max_redirects=4))
    else:
        with pytest.raises(EvidenceError) as caught:
            await client.get(server.url)
        assert caught.value.ending == "refused"
        assert len(server.talks) == 6


async def test_hops_share_one_time(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await asyncio.sleep(0.15)
        await talk.answer(302, b"", f"Location: /{len(server.talks)}")

    server = await servers.start(script)
    with pytest.raises(EvidenceError) as caught:
        await servers.client().get(server.url, caps=Caps(max_seconds=0.4))
    assert caught.value.ending == "unreachable"
    assert len(server.talks) == 3


# What is never sent


async def test_cookies_are_never_sent_back(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        if talk.path == "/":
            await talk.answer(302, b"", "Set-Cookie: id=1; Path=/", "Location: /next")
        else:
            await talk.answer(200, b"x", "Set-Cookie: id=2")

    server = await servers.start(script)
    client = servers.client()
    for _ in range(2):
        response = await client.get(server.url)
        assert response.header("set-cookie") is None
    assert all("cookie" not in talk.sent for talk in server.talks)


async def test_keys_do_not_follow_to_another_place(servers: Servers) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(200, b"x")

    other = await servers.start(script)
    server = await servers.start(to(f"{other.url}/"))
    headers = {"X-Api-Key": "sesame-sesame", "Authorization": "Bearer sesame", "Accept": "text/x"}
    await servers.client().get(server.url, headers=headers)
    assert server.talks[0].sent["x-api-key"] == "sesame-sesame"
    assert other.talks[0].sent["accept"] == "text/x"
    assert not {"x-api-key", "authorization"} & set(other.talks[0].sent)


async def test_keys_follow_within_a_place(servers: Servers) -> None:
    server = await servers.start(to("/next"))
    await servers.client().get(server.url, headers={"X-Api-Key": "sesame-sesame"})
    assert server.talks[1].sent["x-api-key"] == "sesame-sesame"


async def test_surroundings_are_not_asked(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def script(talk: Talk) -> None:
        await talk.answer(200, b"x")

    server = await servers.start(script)
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password sesame\n", "utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    await servers.client(user_agent="Reader/1").get(server.url)
    sent = server.talks[0].sent
    assert set(sent) == {"host", "user-agent", "accept", "accept-encoding"}
    assert sent["user-agent"] == "Reader/1"


@pytest.mark.parametrize("name", ["Cookie", "Host", "Connection", "X\r\nY"])
async def test_some_headers_are_not_the_callers(servers: Servers, name: str) -> None:
    with pytest.raises(ValueError, match="header"):
        await servers.client().get("http://a.org/", headers={name: "x"})
