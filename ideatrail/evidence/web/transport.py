"""One request on the wire and its answer: the place where aiohttp is spoken to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Final

import aiohttp
from aiohttp.http_exceptions import BadHttpMessage, LineTooLong

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.guard import (
    ForbiddenAddressError,
    Guard,
    GuardedResolver,
    Lookup,
    Target,
)
from ideatrail.evidence.web.unpack import (
    ACCEPTED,
    TooMuchError,
    UnknownCodingError,
    Unpacker,
    UnpackError,
)

_FRAMING: Final = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive",
     "trailer", "set-cookie", "set-cookie2"}
)  # fmt: skip
"""Headers that are no longer true of an unpacked body, and cookies."""
_SLACK: Final = 64 * 1024
"""Bytes by which a small body may grow when it is packed."""
_CONNECT: Final = 10.0
"""Seconds until a connection must stand."""
_TICK: Final = 0.25
"""Seconds of silence after which a read is begun anew."""
_BODILESS: Final = frozenset({204, 205, 304})


class TransientError(Exception):
    """A failure that may pass; `ending` is what it comes to if it does not."""

    def __init__(self, ending: EvidenceError) -> None:
        super().__init__(ending.detail)
        self.ending = ending


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to one request."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    """Unpacked; empty where it was not wanted."""

    def header(self, name: str) -> str | None:
        """The first value under a lower-case name."""
        return next((value for key, value in self.headers if key.lower() == name), None)


def wants_body(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an answer's body is read: not that of redirects and of failures that are no
    stored answers of an archive."""
    if status in _BODILESS:
        return False
    if status in (301, 302, 303, 307, 308) and "Location" in headers:
        return False
    failed = status in (401, 403, 407, 408, 425, 429, 451) or status >= 500
    return not failed or "Memento-Datetime" in headers


class Transport:
    """Connections to the world, one pool an event loop."""

    def __init__(self, guard: Guard, *, user_agent: str, lookup: Lookup | None = None) -> None:
        self._guard = guard
        self._user_agent = user_agent
        self._lookup = lookup
        self._sessions: dict[asyncio.AbstractEventLoop, aiohttp.ClientSession] = {}

    async def send(
        self, target: Target, headers: Mapping[str, str], *, seconds: float, most: int
    ) -> Answer:
        """Ask once, following nothing.

        Args:
            target: checked by the guard already; the numbers of its name are checked here.
            headers: of the request.
            seconds: for everything, the body's last byte included.
            most: bytes of the unpacked body.

        Raises:
            EvidenceError: what another attempt would not change.
            TransientError: what it may.
        """
        session = self._session()
        try:
            async with asyncio.timeout(seconds):
                async with session.get(target.url, headers=headers, allow_redirects=False) as got:
                    return await _read(got, most)
        except TimeoutError as error:
            raise TransientError(
                EvidenceError("unreachable", detail=f"{target.place} took too long")
            ) from error
        except (aiohttp.ClientError, OSError) as error:
            raise _ending(error, target) from error
        except ValueError as error:  # aiohttp gives some malformed answers away as this
            raise EvidenceError("unreachable", detail=f"{target.place}: {_told(error)}") from error

    async def aclose(self) -> None:
        """Close the connections of this loop."""
        session = self._sessions.pop(asyncio.get_running_loop(), None)
        if session is not None:
            await session.close()

    def _session(self) -> aiohttp.ClientSession:
        loop = asyncio.get_running_loop()
        session = self._sessions.get(loop)
        if session is not None:
            return session
        for other in [other for other in self._sessions if other.is_closed()]:
            self._sessions.pop(other).detach()  # its sockets went with its loop
        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=GuardedResolver(self._guard, self._lookup),
                use_dns_cache=False,  # each new connection rests on numbers checked for it
                limit=0,  # the limiters of hosts are in charge
                keepalive_timeout=15,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            middlewares=(_once,),
            auto_decompress=False,
            trust_env=False,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT),
            headers={"User-Agent": self._user_agent, "Accept-Encoding": ACCEPTED},
        )
        self._sessions[loop] = session
        return session


class _LostError(aiohttp.ClientError):
    """A connection that broke before an answer."""


async def _once(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """Keeps aiohttp from asking again by itself, past the host's limiter."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise _LostError(_told(error)) from error


async def _read(got: aiohttp.ClientResponse, most: int) -> Answer:
    headers = tuple(
        (_text(name), _text(value))
        for name, value in got.raw_headers
        if name.lower().decode("latin-1") not in _FRAMING
    )
    if not wants_body(got.status, got.headers):
        return Answer(got.status, headers, b"")
    try:
        unpacker = Unpacker(got.headers.getall("Content-Encoding", ()), most)
    except UnknownCodingError as error:
        raise EvidenceError("refused", detail=str(error)) from error
    if (got.content_length or 0) > most + _SLACK:  # packed to be larger than it is, or just large
        raise _too_large(most)
    return Answer(got.status, headers, await _body(got, unpacker, most))


async def _body(got: aiohttp.ClientResponse, unpacker: Unpacker, most: int) -> bytes:
    body = bytearray()
    packed = 0
    try:
        async for data in _pieces(got):
            packed += len(data)
            if packed > most + _SLACK:
                raise _too_large(most)
            first = True
            for piece in unpacker.feed(data):
                body += piece
                if len(body) > most:
                    raise _too_large(most)
                if not first:
                    await asyncio.sleep(0)  # the loop is not held for a whole bomb
                first = False
        for piece in unpacker.finish():
            body += piece
        if len(body) > most:
            raise _too_large(most)
    except TooMuchError:
        raise _too_large(most) from None
    except (aiohttp.ClientError, UnpackError, ConnectionError) as error:
        raise TransientError(
            EvidenceError("partial", detail=f"after {len(body)} bytes: {_told(error)}")
        ) from error
    return bytes(body)


async def _pieces(got: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """The body as it comes.

    A chunk that cannot be parsed makes aiohttp (3.14) close the connection and tell no reader who
    already waits, so one asks again when nothing has come for a while.
    """
    while True:
        try:
            async with asyncio.timeout(_TICK):
                data = await got.content.readany()
        except TimeoutError:
            continue
        except RuntimeError as error:  # aiohttp's word for a wait on a closed connection
            raise aiohttp.ClientPayloadError("the connection is closed") from error
        if not data:
            return
        yield data


def _too_large(most: int) -> EvidenceError:
    return EvidenceError("refused", detail=f"a body of more than {most} bytes")


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _told(error: BaseException) -> str:
    """An error in words; aiohttp's own would tell the whole request, keys and all."""
    if isinstance(error, aiohttp.ClientResponseError):
        return f"{type(error).__name__}: {error.status} {' '.join(error.message.split())}"
    return f"{type(error).__name__}: {error}"


def _ending(error: Exception, target: Target) -> Exception:
    """What an error before the body means."""
    where = target.place
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ForbiddenAddressError):
            return cause.refused
        if isinstance(cause, LineTooLong) or "Too many headers" in str(cause):
            return EvidenceError("refused", detail=f"{where}: headers too long")
        if isinstance(cause, BadHttpMessage) and "chunk" in str(cause).lower():
            # Told so when the first broken chunk came in one packet with the headers.
            return TransientError(EvidenceError("partial", detail=f"{where}: {_told(cause)}"))
        cause = cause.__cause__ or cause.__context__
    ending = EvidenceError("unreachable", detail=f"{where}: {_told(error)}")
    if isinstance(error, aiohttp.ClientSSLError | aiohttp.ClientResponseError | aiohttp.InvalidURL):
        return ending  # a wrong certificate or what is no HTTP stays so
    return TransientError(ending)
