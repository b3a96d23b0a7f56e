"""Servers on loopback that answer with any bytes at all, and clients that may ask them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from ideatrail.evidence.web.client import Client, Patience
from ideatrail.evidence.web.limits import Limiters

Script = Callable[["Talk"], Awaitable[None]]

QUICK = Patience(attempts=3, first_wait=0.005, longest_wait=0.02, as_asked=1.2)


@dataclass
class Talk:
    """One request, as bytes, and the connection it came on."""

    request: bytes
    writer: asyncio.StreamWriter

    @property
    def path(self) -> str:
        return self.request.split(b" ", 2)[1].decode("latin-1")

    @property
    def sent(self) -> dict[str, str]:
        lines = self.request.decode("latin-1").split("\r\n")[1:]
        pairs = (line.partition(":") for line in lines if line)
        return {name.lower(): value.strip() for name, _, value in pairs}

    async def say(self, raw: bytes) -> None:
        self.writer.write(raw)
        await self.writer.drain()

    async def answer(self, status: int, body: bytes = b"", *headers: str) -> None:
        """A well-formed answer."""
        lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers]
        await self.say("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    def reset(self) -> None:
        """RST, not FIN."""
        self.writer.transport.abort()


@dataclass
class RawServer:
    """Runs a script for each request; counts connections and requests."""

    script: Script
    port: int = 0
    talks: list[Talk] = field(default_factory=list)
    connections: int = 0

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.place}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                talk = Talk(head, writer)
                self.talks.append(talk)
                await self.script(talk)
                if writer.transport.is_closing():
                    return
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            pass
        except asyncio.CancelledError:
            pass  # the test is over
        finally:
            writer.close()


class Servers:
    """Starts raw servers, and makes clients that may ask all of them."""

    def __init__(self, stack: contextlib.AsyncExitStack) -> None:
        self._stack = stack
        self.places: list[str] = []

    async def start(self, script: Script) -> RawServer:
        server = RawServer(script)
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        server.port = listening.sockets[0].getsockname()[1]
        self.places.append(server.place)

        async def stop() -> None:
            listening.close()
            for talk in server.talks:
                talk.writer.transport.abort()
            await asyncio.sleep(0)

        self._stack.push_async_callback(stop)
        return server

    def client(self, **settings: Any) -> Client:
        settings.setdefault("allow", self.places)
        settings.setdefault("patience", QUICK)
        settings.setdefault("limiters", Limiters())
        client = Client(**settings)
        self._stack.push_async_callback(client.aclose)
        return client


@pytest.fixture
async def servers() -> AsyncIterator[Servers]:
    async with contextlib.AsyncExitStack() as stack:
        yield Servers(stack)
