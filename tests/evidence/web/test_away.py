"""A host that is not there is not waited for again and again."""

from __future__ import annotations

import asyncio
import time

import pytest

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.client import Client, Patience
from ideatrail.evidence.web.limits import Limiters


async def test_after_three_in_vain_a_host_is_left_alone_for_a_while() -> None:
    patience = Patience(attempts=2, first_wait=0.05, gives_up=3, comes_back=0.4)
    client = Client(allow=["127.0.0.1:9"], patience=patience, limiters=Limiters())
    took = []
    for _ in range(5):
        began = time.monotonic()
        with pytest.raises(EvidenceError) as caught:
            await client.get("http://127.0.0.1:9/x")
        assert caught.value.ending == "unreachable"
        took.append(time.monotonic() - began)
    assert min(took[:3]) > 0.02
    assert max(took[3:]) < 0.02
    await asyncio.sleep(0.45)
    began = time.monotonic()
    with pytest.raises(EvidenceError):
        await client.get("http://127.0.0.1:9/x")
    assert time.monotonic() - began > 0.02, "it is tried again"
    await client.aclose()


async def test_an_answer_ends_the_count() -> None:
    answers = iter([b"", b"", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", b"", b"", b""])

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(next(answers))
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        client = Client(
            allow=[f"127.0.0.1:{port}"],
            patience=Patience(attempts=1, gives_up=3),
            limiters=Limiters(),
        )
        told = []
        for _ in range(6):
            try:
                told.append((await client.get(f"http://127.0.0.1:{port}/")).status)
            except EvidenceError as error:
                told.append("moment ago" in error.detail)
        assert told == [False, False, 200, False, False, False]
        await client.aclose()
