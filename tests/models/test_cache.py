"""The response cache: the same request is paid for once, and nothing else hits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ideatrail.models.cache import ResponseCache
from ideatrail.models.protocol import Request, message

ASK = Request((message("system", "S"), message("user", "Hello?")), seed=7)


async def test_a_second_run_makes_no_call(connect, server, tmp_path: Path) -> None:
    server.said = replace(server.said, redacted="b3Bh", calls=(("t", "View", {"a": 1}),))
    for api in ("chat", "responses", "messages"):
        first = await connect(api, endpoints={"cache": ResponseCache(tmp_path)}).answer(ASK)
        again = await connect(api, endpoints={"cache": ResponseCache(tmp_path)}).answer(ASK)
        assert again.parts == first.parts
        assert (again.usage, again.finish, again.model) == (first.usage, first.finish, first.model)
        assert again.from_cache
        assert again.cost == 0.0
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "other",
    [
        replace(ASK, seed=8),
        replace(ASK, max_tokens=100),
        replace(ASK, messages=(*ASK.messages, message("user", "More."))),
        replace(ASK, tools=({"type": "function", "function": {"name": "f"}},)),
        replace(ASK, answer_schema={"title": "A", "type": "object"}),
    ],
)
async def test_whatever_shapes_the_answer_shapes_the_key(
    connect, server, tmp_path: Path, other: Request
) -> None:
    model = connect("chat", endpoints={"cache": ResponseCache(tmp_path)})
    await model.answer(ASK)
    await model.answer(other)
    assert len(server.requests) == 2


async def test_options_count_and_limits_do_not(connect, server, tmp_path: Path) -> None:
    cache = {"cache": ResponseCache(tmp_path)}
    await connect("chat", endpoints=cache).answer(ASK)
    await connect("chat", endpoints=cache, limits={"concurrency": 2}).answer(ASK)
    assert len(server.requests) == 1
    await connect("chat", endpoints=cache, temperature=0.3).answer(ASK)
    model = connect("chat", endpoints=cache)
    model.adapter.version = "chat-of-tomorrow"
    await model.answer(ASK)
    assert len(server.requests) == 3


@pytest.mark.parametrize("fault", ["cut_off", "refusal", "only_thought"])
async def test_what_may_go_otherwise_is_not_kept(connect, server, tmp_path, fault) -> None:
    server.faults = [fault]
    model = connect("chat", endpoints={"cache": ResponseCache(tmp_path)})
    await model.answer(ASK)
    await model.answer(ASK)
    assert len(server.requests) == 2


def tear(folder: Path, torn: bytes) -> None:
    (file,) = folder.rglob("*.json")
    file.write_bytes(torn)


@pytest.mark.parametrize("torn", [b"", b'{"format_version": 1', b'{"format_version": 9}'])
async def test_a_torn_answer_is_asked_for_anew(connect, server, tmp_path: Path, torn) -> None:
    model = connect("chat", endpoints={"cache": ResponseCache(tmp_path)})
    await model.answer(ASK)
    tear(tmp_path, torn)
    assert (await model.answer(ASK)).text == "Hello."
    assert (await model.answer(ASK)).from_cache
    assert len(server.requests) == 2


async def test_a_cache_that_cannot_be_written_loses_no_answer(
    connect, server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = ResponseCache(tmp_path / "cache")
    (tmp_path / "cache").rmdir()
    (tmp_path / "cache").write_text("a file in its place")
    model = connect("chat", endpoints={"cache": cache})
    cache.get = lambda key: None  # type: ignore[method-assign]
    assert (await model.answer(ASK)).text == "Hello."
    await model.answer(ASK)
    assert caplog.text.count("cannot be written") == 1
