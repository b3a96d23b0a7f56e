"""Recorded exchanges: a trail made with a paid model becomes a test that runs for free."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from fault_server import FaultServer, serving

from ideatrail.models.cassette import FILE, Cassette, CassetteError
from ideatrail.models.endings import EndingError
from ideatrail.models.endpoints import Endpoints
from ideatrail.models.options import EndpointOptions
from ideatrail.models.protocol import Request, message

ASKS = [Request((message("user", f"Question {n}?"),), seed=n) for n in range(3)]
EVERYWHERE = [(api, stream) for api in ("chat", "responses", "messages") for stream in (0, 1)]


@pytest.mark.parametrize(("api", "stream"), EVERYWHERE)
async def test_replay_gives_the_recorded_answers(
    connect, server, tmp_path: Path, api, stream, monkeypatch
) -> None:
    server.said = replace(server.said, text="“é” \u2028 x", calls=(("t", "View", {"a": 1}),))
    options = {"stream": bool(stream)}
    server.faults = ["", "gzip", "status:429:0.3", ""]
    model = connect(api, endpoints={"cassette": Cassette(tmp_path, "record")}, **options)
    recorded = [await model.answer(ask) for ask in ASKS]
    count = len(server.requests)
    assert count == 4

    # Another host, no server, no key.
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name)
    options["base_url"] = "https://api.anthropic.com" if api == "messages" else None
    if api != "messages":
        options["base_url"] = "http://192.0.2.1/v1"
    model = connect(api, endpoints={"cassette": Cassette(tmp_path, "replay")}, **options)
    started = time.monotonic()
    replayed = [await model.answer(ask) for ask in ASKS]
    assert [a.parts for a in replayed] == [a.parts for a in recorded]
    assert [a.usage for a in replayed] == [a.usage for a in recorded]
    assert replayed[2].attempts == 2, "the recorded refusal is met again"
    assert time.monotonic() - started < 0.25, "and needs no waiting"
    assert len(server.requests) == count


async def test_equal_requests_get_their_answers_in_order(connect, server, tmp_path) -> None:
    model = connect("chat", endpoints={"cassette": Cassette(tmp_path, "record")})
    for text in ("one", "two"):
        server.said = replace(server.said, text=text)
        await model.answer(ASKS[0])
    model = connect("chat", endpoints={"cassette": Cassette(tmp_path, "replay")})
    assert [(await model.answer(ASKS[0])).text for _ in range(2)] == ["one", "two"]
    with pytest.raises(EndingError, match="no further answer") as caught:
        await model.answer(ASKS[0])
    assert caught.value.ending == "not_recorded"


async def test_what_was_not_recorded_is_said(connect, server, tmp_path: Path) -> None:
    await connect("chat", endpoints={"cassette": Cassette(tmp_path, "record")}).answer(ASKS[0])
    model = connect("chat", endpoints={"cassette": Cassette(tmp_path, "replay")})
    with pytest.raises(EndingError, match="holds no answer"):
        await model.answer(ASKS[1])


async def test_a_recording_tells_no_secret_and_no_host(tmp_path: Path, planted_keys) -> None:
    async with serving(FaultServer(faults=["", "echo_key"])) as server:
        options = {"openai:m": EndpointOptions(base_url=server.base_url)}
        endpoints = Endpoints(options=options, cassette=Cassette(tmp_path, "record"))
        key = planted_keys["OPENAI_API_KEY"]
        await endpoints.model("openai:m").answer(ASKS[0])
        with pytest.raises(EndingError):
            await endpoints.model("openai:m").answer(Request((message("user", f"Is {key} it?"),)))
        await endpoints.aclose()
        assert server.headers[0]["Authorization"] == f"Bearer {key}", "it was really sent"
        text = (tmp_path / FILE).read_text()
        assert key not in text
        assert "uthorization" not in text
        assert server.url not in text
        assert len(text.splitlines()) == 2


def test_a_bad_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match=FILE):
        Cassette(tmp_path, "replay")
    (tmp_path / FILE).write_bytes(orjson.dumps({"key": "x"}) + b"\n")
    with pytest.raises(CassetteError, match=":1: not a recorded exchange"):
        Cassette(tmp_path, "replay")
