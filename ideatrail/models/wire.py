"""One HTTP exchange with an endpoint, through a provider's SDK: bytes there, bytes back.

The SDK knows addresses, headers and credentials; its request and answer models are left aside: they
take a millisecond of a call's one and a half, and we read more shapes than they do. Its retries are
off: ours know the endpoint's other callers.
"""

from __future__ import annotations

import asyncio
import email.utils
import json
import ssl
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Protocol

import aiohttp
import httpx2
import orjson

from ideatrail.models.cassette import Cassette, NotRecordedError
from ideatrail.models.endings import EndingError, EndingName, by_status, error_text
from ideatrail.models.options import EndpointOptions

_MOST_CONNECTIONS: Final = 4096
"""More than any limiter admits: the limiter alone decides how many are in flight."""
_KEEP_ALIVE: Final = 30.0
_SHOWN: Final = 200


class SdkClient(Protocol):
    """What both SDKs' async clients have in common."""

    async def post(self, path: str, **kwargs: Any) -> Any:
        """Send a POST request."""
        ...

    async def close(self) -> None:
        """Close its connections."""
        ...


@dataclass(frozen=True)
class SdkErrors:
    """An SDK's exceptions."""

    status: type[Exception]
    """The endpoint answered with a status that is no success."""
    connection: type[Exception]
    """No answer, or none in time."""


@dataclass(frozen=True)
class Reply:
    """A successful answer's bytes, whole and decoded."""

    content_type: str
    body: bytes


class Wire:
    """Exchanges with one endpoint. Connections are kept for each event loop and shared by all."""

    def __init__(
        self,
        make_client: Callable[[httpx2.AsyncClient, httpx2.Timeout], SdkClient],
        errors: SdkErrors,
        options: EndpointOptions,
        base_url: str,
        cassette: Cassette | None = None,
    ) -> None:
        self._make_client = make_client
        self._secure = base_url.startswith("https:")
        self._errors = errors
        self._options = options
        self._cassette = cassette
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, SdkClient] = (
            weakref.WeakKeyDictionary()
        )

    async def post(self, path: str, body: Mapping[str, Any]) -> Reply:
        """Send one request. Raises EndingError."""
        received = bytearray()
        try:
            async with asyncio.timeout(self._options.patience.total):
                response = await self._client().post(
                    path,
                    cast_to=httpx2.Response,
                    content=orjson.dumps(body),
                    options={"headers": {"Content-Type": "application/json"}},
                    stream=True,
                    stream_cls=None,
                )
                try:
                    await self._read(response, received)
                finally:
                    await response.aclose()
        except self._errors.status as error:
            raise _refused(error) from error
        except NotRecordedError as error:
            raise EndingError("not_recorded", str(error)) from error
        except httpx2.DecodingError as error:
            raise self._broken("body_not_json", f"undecodable: {error}", received) from error
        except TimeoutError as error:
            why = f"no whole answer in {self._options.patience.total:g} s"
            raise self._broken("timed_out", why, received) from error
        except (self._errors.connection, httpx2.HTTPError, aiohttp.ClientError, OSError) as error:
            name, detail = _by_exception(error)
            raise self._broken(name, detail, received) from error
        return Reply(response.headers.get("content-type", "").lower(), bytes(received))

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    def _client(self) -> SdkClient:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            patience = self._options.patience
            timeout = httpx2.Timeout(
                connect=patience.connect, read=patience.silence, write=patience.silence, pool=None
            )
            client = self._make_client(self._http_client(timeout), timeout)
            self._clients[loop] = client
        return client

    def _http_client(self, timeout: httpx2.Timeout) -> httpx2.AsyncClient:
        limits = httpx2.Limits(
            max_connections=_MOST_CONNECTIONS,
            max_keepalive_connections=_MOST_CONNECTIONS,
            keepalive_expiry=_KEEP_ALIVE,
        )
        # A redirect would carry prompts, perhaps keys, to a place that nobody chose.
        chosen: dict[str, Any] = {"timeout": timeout, "limits": limits, "follow_redirects": False}
        chosen["verify"] = _tls() if self._secure else False
        from openai import DefaultAioHttpClient

        if self._cassette is None:
            return DefaultAioHttpClient(**chosen)
        return self._cassette.client(DefaultAioHttpClient, chosen)

    async def _read(self, response: httpx2.Response, received: bytearray) -> None:
        most = self._options.largest_answer
        async for chunk in response.aiter_bytes():
            received += chunk
            if len(received) > most:
                raise EndingError("answer_too_large", f"more than {most:,} bytes", unmetered=True)

    @staticmethod
    def _broken(name: EndingName, detail: str, received: bytearray) -> EndingError:
        # Before its first byte an answer may have been begun all the same, and be charged.
        unmetered = name not in ("connection_failed", "not_recorded")
        return EndingError(name, detail, unmetered=unmetered, partial=bytes(received))


@cache
def _tls() -> ssl.SSLContext:
    """Certificates that we trust: a tenth of a second to read, the same for all endpoints."""
    return httpx2.create_ssl_context()


def _refused(error: Exception) -> EndingError:
    status = int(getattr(error, "status_code", 0))
    body = getattr(error, "body", None)
    response = getattr(error, "response", None)
    headers: Mapping[str, str] = getattr(response, "headers", {})
    name = by_status(status, body)
    detail = f"HTTP {status}"
    if name == "redirected":
        detail += f" to {headers.get('location', 'nowhere')}"
    elif text := error_text(body):
        detail += f", {text}"
    return EndingError(name, detail, retry_after=retry_after(headers))


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds that an answer's headers ask us to wait; None where they do not say."""
    exact = headers.get("retry-after-ms")
    if exact is not None:
        try:
            return max(0.0, float(exact) / 1000)
        except ValueError:
            pass
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, moment.timestamp() - (time.time() if now is None else now))


def _by_exception(error: BaseException) -> tuple[EndingName, str]:
    """The ending of a failed exchange.

    aiohttp's own exception decides where there is one: the SDK's transport takes a connection that
    was reset for one that could not be made in time.
    """
    cause: BaseException | None = error
    deepest = error
    while cause is not None:
        deepest = cause
        match cause:
            case aiohttp.ClientConnectorError():
                return "connection_failed", str(cause)
            case aiohttp.ServerTimeoutError():
                return "timed_out", str(cause) or "the server fell silent"
            case aiohttp.ClientError() | ConnectionError():
                return "connection_lost", str(cause) or type(cause).__name__
        cause = cause.__cause__
    match deepest:
        case httpx2.ConnectError() | httpx2.ProxyError() | httpx2.UnsupportedProtocol():
            return "connection_failed", str(deepest)
        case httpx2.TimeoutException() | TimeoutError():
            return "timed_out", str(deepest) or "the server fell silent"
    return "connection_lost", str(deepest) or type(deepest).__name__


def read_json(reply: Reply) -> Any:
    """The JSON value of a reply, whatever content type it claims. Raises EndingError."""
    return parse_json(reply.body, reply.content_type)


def parse_json(body: bytes, content_type: str = "application/json") -> Any:
    """Parse what a server sent; halves of surrogate pairs become U+FFFD. Raises EndingError."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    text = body.decode("utf-8", "replace").strip()
    if not text:
        raise EndingError("empty_answer", "an answer without a body", unmetered=True)
    try:
        # The standard library also takes lone surrogates and NaN, which models do produce.
        return orjson.loads(orjson.dumps(_mend(json.loads(text))))
    except json.JSONDecodeError as error:
        shown = text[:_SHOWN]
        if "json" not in content_type and not text.startswith(("{", "[")):
            kind = content_type or "no content type"
            raise EndingError("wrong_content_type", f"{kind}: {shown}", unmetered=True) from error
        cut = error.pos >= len(text) - 1 or error.msg.startswith("Unterminated string")
        name: EndingName = "body_truncated" if cut else "body_not_json"
        raise EndingError(name, f"{error.msg}: …{text[-_SHOWN:]}", unmetered=True) from error


def _mend(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mend(item) for item in value]
    if isinstance(value, dict):
        return {_mend(key): _mend(item) for key, item in value.items()}
    return value


def is_stream(reply: Reply) -> bool:
    """Whether a reply is a stream of events; some servers answer whole where one was asked for."""
    if "event-stream" in reply.content_type:
        return True
    return reply.body.lstrip()[:6] in (b"data: ", b"event:") or reply.body[:5] == b"data:"


def read_events(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Server-sent events as (event name, data); comments and the closing [DONE] are left out.

    An event that is cut off at the end of `body` is left out too.
    """
    name, data = "", list[bytes]()
    for line in body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"):
        if not line:
            if data:
                whole = b"\n".join(data)
                if whole and not whole.startswith(b"[DONE]"):
                    yield name, whole
            name, data = "", []
            continue
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            data.append(value)
        elif field == b"event":
            name = value.decode("utf-8", "replace")
