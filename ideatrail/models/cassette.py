"""Raw HTTP exchanges on disk: recorded once with a paid model, replayed as often as one likes.

`exchanges.jsonl` holds one exchange a line, found again by method, path and body. Equal requests
get their answers in the order in which they were recorded. No credential is kept: request headers
are left out, answer headers pass by a list of names, and keys in use are taken out of both bodies.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import threading
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import httpx2
import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from ideatrail.models.refused import ModelSettingsError
from ideatrail.models.secrets import scrub_known

FILE: Final = "exchanges.jsonl"
FORMAT_VERSION: Final = 1

_KEPT_HEADERS: Final = frozenset({"content-type", "retry-after", "retry-after-ms", "location"})
"""What an answer's meaning depends on. Others tell of accounts and hosts."""


class CassetteError(ModelSettingsError):
    """A folder of exchanges cannot be used: one clear line."""


class NotRecordedError(Exception):
    """A replay was asked for an exchange that was not recorded."""


class Exchange(BaseModel):
    """One recorded exchange."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format_version: Literal[1] = FORMAT_VERSION
    key: str
    method: str
    path: str
    request: Any
    status: int
    headers: dict[str, str]
    text: str | None = None
    raw: str | None = None
    """The body in base64, where it is no UTF-8."""

    @property
    def body(self) -> bytes:
        """The answer's body."""
        if self.raw is not None:
            return base64.b64decode(self.raw)
        return (self.text or "").encode()


def exchange_key(method: str, path: str, body: bytes) -> str:
    """What finds an exchange again: not the host, so that a replay needs none."""
    text = scrub_known(body.decode("utf-8", "replace"))
    with contextlib.suppress(orjson.JSONDecodeError):
        text = orjson.dumps(orjson.loads(text), option=orjson.OPT_SORT_KEYS).decode()
    return hashlib.sha256(f"{method} {path}\n{text}".encode()).hexdigest()


class Cassette:
    """A folder of exchanges, being recorded or being replayed."""

    def __init__(self, folder: Path, mode: Literal["record", "replay"]) -> None:
        """Open the folder. Raises CassetteError or OSError."""
        self.mode: Literal["record", "replay"] = mode
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._left: dict[str, deque[Exchange]] = defaultdict(deque)
        if mode == "record":
            folder.mkdir(parents=True, exist_ok=True)
            return
        if not self._path.is_file():
            raise CassetteError(f"--replay {folder}: there is no {FILE} in it")
        for number, line in enumerate(self._path.read_bytes().split(b"\n"), start=1):
            if line:
                try:
                    exchange = Exchange.model_validate(orjson.loads(line))
                except (orjson.JSONDecodeError, ValidationError) as error:
                    where = f"{self._path}:{number}"
                    raise CassetteError(f"{where}: not a recorded exchange") from error
                self._left[exchange.key].append(exchange)

    def client(
        self, base: type[httpx2.AsyncClient], options: Mapping[str, Any]
    ) -> httpx2.AsyncClient:
        """An HTTP client whose exchanges go through this cassette."""
        cassette = self

        class CassetteClient(base):  # type: ignore[misc, valid-type]
            async def send(self, request: httpx2.Request, **kwargs: Any) -> httpx2.Response:
                if cassette.mode == "replay":
                    return cassette.play(request)
                response: httpx2.Response = await super().send(request, **kwargs)
                return cassette.watch(request, response)

        made: httpx2.AsyncClient = CassetteClient(**options)
        return made

    def play(self, request: httpx2.Request) -> httpx2.Response:
        """The next recorded answer to `request`. Raises NotRecordedError."""
        key = exchange_key(request.method, request.url.path, request.content)
        left = self._left.get(key)
        if not left:
            raise NotRecordedError(
                f"{self._path} holds no {'further ' if left is not None else ''}answer to this "
                f"request ({request.method} {request.url.path}, {key[:12]})"
            )
        exchange = left.popleft()
        return httpx2.Response(
            exchange.status, headers=exchange.headers, content=exchange.body, request=request
        )

    def watch(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
        """The same answer, which is recorded once it has been read to its end."""
        if response.is_stream_consumed:
            self._keep(request, response, response.content)
            return response
        headers = {k: v for k, v in response.headers.items() if k.lower() != "content-encoding"}
        return httpx2.Response(
            response.status_code,
            headers=headers,
            stream=_Watched(self, request, response),
            request=request,
            extensions=response.extensions,
        )

    def _keep(self, request: httpx2.Request, response: httpx2.Response, body: bytes) -> None:
        sent = scrub_known(request.content.decode("utf-8", "replace"))
        try:
            asked = orjson.loads(sent)
        except orjson.JSONDecodeError:
            asked = sent
        try:
            text, raw = scrub_known(body.decode()), None
        except UnicodeDecodeError:
            text, raw = None, base64.b64encode(body).decode()
        exchange = Exchange(
            key=exchange_key(request.method, request.url.path, request.content),
            method=request.method,
            path=request.url.path,
            request=asked,
            status=response.status_code,
            headers={k: v for k, v in response.headers.items() if k.lower() in _KEPT_HEADERS},
            text=text,
            raw=raw,
        )
        line = orjson.dumps(exchange.model_dump(mode="json", exclude_none=True)) + b"\n"
        with self._lock, self._path.open("ab") as file:
            file.write(line)


class _Watched(httpx2.AsyncByteStream):
    """An answer's decoded bytes, gathered as they pass."""

    def __init__(
        self, cassette: Cassette, request: httpx2.Request, response: httpx2.Response
    ) -> None:
        self._cassette = cassette
        self._request = request
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        gathered = bytearray()
        async for chunk in self._response.aiter_bytes():
            gathered += chunk
            yield chunk
        self._cassette._keep(self._request, self._response, bytes(gathered))

    async def aclose(self) -> None:
        await self._response.aclose()
