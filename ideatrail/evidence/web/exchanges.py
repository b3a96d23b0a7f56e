"""Raw answers on disk: asked for once, read as often as one likes, replayed with no network.

`bodies/<ab>/<sha256>.zst` holds each body once; `index/<ab>/<key>.<n>.json` tells what was asked,
what led to the answer hop by hop, and which body it has. A file appears whole or not at all, and
an entry only after its body; what a killed process leaves is never read.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import threading
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal
from urllib.parse import unquote_plus

import orjson
import zstandard
from pydantic import BaseModel, ConfigDict, ValidationError

from ideatrail.evidence.source import Ending, EvidenceError
from ideatrail.evidence.web.response import Caps, Response

Mode = Literal["cache", "record", "replay"]

FORMAT_VERSION: Final = 1
SECRET_HEADERS: Final = frozenset({"authorization", "x-api-key", "api-key"})
SECRET_PARAMETERS: Final = frozenset({"api_key", "apikey", "api-key", "access_token", "mailto"})
_SHAPING: Final = frozenset({"accept", "accept-datetime", "accept-language", "range"})
"""Request headers on which an answer depends."""
_LEVEL: Final = 3
_SETTLED: Final = frozenset({404, 410})

_log = logging.getLogger(__name__)


class Hop(BaseModel):
    """One answer that pointed elsewhere."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]


class Exchange(BaseModel):
    """What was asked and how it ended."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format_version: Literal[1] = FORMAT_VERSION
    key: str
    method: Literal["GET"] = "GET"
    url: str
    """As asked for, without secrets."""
    sent: dict[str, str]
    """Request headers that shape the answer, names in lower case."""
    hops: tuple[Hop, ...] = ()
    """The redirects followed."""
    fetched: str
    """ISO 8601, UTC. Nothing that is made of an answer may depend on it."""
    final: str = ""
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    sha256: str = ""
    """Of the unpacked body."""
    ending: Ending | None = None
    """Set where there was no answer; then nothing is there of the four fields above."""
    detail: str = ""

    def response(self, body: bytes, caps: Caps) -> Response:
        """The answer. Raises EvidenceError where there was none or it breaks a cap."""
        if self.ending is not None:
            raise EvidenceError(self.ending, detail=self.detail)
        if len(body) > caps.max_bytes:
            raise EvidenceError("refused", detail=f"a body of more than {caps.max_bytes} bytes")
        if len(self.hops) > caps.max_redirects:
            raise EvidenceError("refused", detail=f"more than {caps.max_redirects} redirects")
        passed = tuple(hop.url for hop in self.hops)
        return Response(self.final, self.status, self.headers, body, passed)

    @property
    def settled(self) -> bool:
        """Whether asking again is bound to give the same: an answer, or that there is none."""
        if self.ending is not None:
            return False
        stored = any(name.lower() == "memento-datetime" for name, _ in self.headers)
        return self.status < 400 or self.status in _SETTLED or stored


@dataclass(frozen=True, slots=True)
class Asked:
    """A request without its secrets."""

    url: str
    sent: Mapping[str, str]
    follow: bool

    @classmethod
    def of(cls, url: str, headers: Mapping[str, str], follow: bool) -> Asked:
        """What of a request shapes its answer."""
        sent = {name.lower(): value for name, value in headers.items()}
        return cls(public(url), {k: sent[k] for k in sorted(sent) if k in _SHAPING}, follow)

    @property
    def key(self) -> str:
        """What finds the exchange again."""
        whole = [FORMAT_VERSION, "GET", self.url, sorted(self.sent.items()), self.follow]
        return hashlib.sha256(orjson.dumps(whole)).hexdigest()

    def answered(self, hops: Sequence[Hop], response: Response) -> Exchange:
        """The exchange that ended in an answer."""
        return Exchange(
            key=self.key,
            url=self.url,
            sent=dict(self.sent),
            hops=tuple(hops),
            fetched=_now(),
            final=response.url,
            status=response.status,
            headers=response.headers,
            sha256=hashlib.sha256(response.body).hexdigest(),
        )

    def failed(self, hops: Sequence[Hop], failure: EvidenceError) -> Exchange:
        """The exchange that ended in none."""
        return Exchange(
            key=self.key,
            url=self.url,
            sent=dict(self.sent),
            hops=tuple(hops),
            fetched=_now(),
            ending=failure.ending,
            detail=failure.detail,
        )


def public(url: str) -> str:
    """`url` without parameters that tell of an account."""
    head, mark, query = url.partition("?")
    if not mark:
        return url
    kept = [part for part in query.split("&") if not _is_secret(part)]
    return f"{head}?{'&'.join(kept)}" if kept else head


def secrets(url: str, headers: Mapping[str, str]) -> tuple[str, ...]:
    """Keys that a request carries; an address to write to is none."""
    parts = [part for part in url.partition("?")[2].split("&") if _is_secret(part)]
    found = [unquote_plus(p.partition("=")[2]) for p in parts if not p.startswith("mailto")]
    for name, value in headers.items():
        if name.lower() in SECRET_HEADERS:
            found += [value, value.rpartition(" ")[2]]
    return tuple(sorted({value for value in found if len(value) >= 8}, key=len, reverse=True))


def _is_secret(parameter: str) -> bool:
    return unquote_plus(parameter.partition("=")[0]).lower() in SECRET_PARAMETERS


class Exchanges:
    """A folder of exchanges. Threads and processes may share one.

    Modes: `cache` takes an answer that is there and keeps settled ones; `record` takes none, and
    keeps everything, failures too, in the order of asking; `replay` gives the same in the same
    order, and fails where nothing was recorded.
    """

    def __init__(self, folder: Path, mode: Mode, *, behind: Exchanges | None = None) -> None:
        """
        Args:
            folder: made when the first exchange is kept.
            mode: see above.
            behind: for `record`: a cache from which answers may come instead of the network.
        """
        self.mode: Mode = mode
        self._folder = folder
        self._behind = behind
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._warned = False

    def find(self, asked: Asked) -> tuple[Exchange, bytes] | None:
        """The exchange that this mode gives for a request; None where it is to be made.

        Raises EvidenceError (`unreachable`) in a replay without one.
        """
        if self.mode == "record":
            return self._behind.find(asked) if self._behind else None
        key = asked.key
        if self.mode == "cache":
            # The last one: an answer that its reader found wanting is asked for again.
            settled = [found for found in self._all(key) if found[0].settled]
            return settled[-1] if settled else None
        with self._lock:
            turn = self._asked[key]
            self._asked[key] += 1
        while turn and not self._entry(key, turn).exists():
            turn -= 1  # asked for more often than it was recorded: the last one again
        if not self._entry(key, turn).exists():
            raise EvidenceError("unreachable", detail=f"replay: no exchange for {asked.url}")
        found = self._read(key, turn)
        if found is None:
            raise EvidenceError("unreachable", detail=f"replay: {self._entry(key, turn)} is broken")
        return found

    def keep(self, exchange: Exchange, body: bytes, *, adopted: bool = False) -> None:
        """Store what was fetched, as far as this mode keeps it.

        Raises OSError in record mode. A cache that cannot be written costs time, but no answer.
        """
        if self.mode == "replay" or (self.mode == "cache" and not exchange.settled):
            return
        try:
            if exchange.ending is None:
                self._put_body(exchange.sha256, body)
            held = orjson.dumps(exchange.model_dump(exclude_defaults=True)) + b"\n"
            self._put_entry(exchange.key, held)
        except OSError as error:
            if self.mode == "record":
                raise
            if not self._warned:
                _log.warning("the evidence cache %s cannot be written: %s", self._folder, error)
                self._warned = True
            return
        if self._behind is not None and not adopted:
            self._behind.keep(exchange, body)

    def adopt(self, exchange: Exchange, body: bytes) -> None:
        """Store what `find` gave from the cache behind a record. Raises OSError."""
        if self.mode == "record":
            self.keep(exchange, body, adopted=True)

    def __iter__(self) -> Iterator[tuple[Exchange, bytes]]:
        """All whole exchanges, by key and then in the order of asking."""
        heads = {path.name.partition(".")[0] for path in self._folder.glob("index/??/[!.]*.json")}
        for key in sorted(heads):
            yield from self._all(key)

    def _all(self, key: str) -> Iterator[tuple[Exchange, bytes]]:
        """The readable exchanges of a key, in the order in which they were kept."""
        number = 0
        while self._entry(key, number).exists():
            if (found := self._read(key, number)) is not None:
                yield found
            number += 1

    def _read(self, key: str, number: int) -> tuple[Exchange, bytes] | None:
        """An exchange; None where it, or its body, is broken or of another version."""
        try:
            exchange = Exchange.model_validate_json(self._entry(key, number).read_bytes())
        except (OSError, ValidationError):
            return None
        body = b"" if exchange.ending is not None else self._body(exchange.sha256)
        return None if body is None else (exchange, body)

    def _body(self, sha: str) -> bytes | None:
        path = self._body_path(sha)
        try:
            packed = path.read_bytes()
        except OSError:
            return None
        try:
            body = zstandard.ZstdDecompressor().decompress(packed)
        except zstandard.ZstdError:
            body = None
        if body is None or hashlib.sha256(body).hexdigest() != sha:
            _log.warning("%s is broken", path)
            return None
        return body

    def _put_body(self, sha: str, body: bytes) -> None:
        path = self._body_path(sha)
        if path.exists() and self._body(sha) is not None:
            return
        fresh = _fresh(path, zstandard.ZstdCompressor(level=_LEVEL).compress(body))
        fresh.replace(path)

    def _put_entry(self, key: str, content: bytes) -> None:
        number = 0
        fresh = _fresh(self._entry(key, 0), content)
        try:
            while True:
                try:
                    os.link(fresh, self._entry(key, number))  # fails where there is one
                except FileExistsError:
                    number += 1
                else:
                    return
        finally:
            fresh.unlink(missing_ok=True)

    def _entry(self, key: str, number: int) -> Path:
        return self._folder / "index" / key[:2] / f"{key}.{number}.json"

    def _body_path(self, sha: str) -> Path:
        return self._folder / "bodies" / sha[:2] / f"{sha}.zst"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _fresh(beside: Path, content: bytes) -> Path:
    """A whole file that nobody reads yet, in the folder of `beside`. Raises OSError."""
    beside.parent.mkdir(parents=True, exist_ok=True)
    path = beside.parent / f".{uuid.uuid4().hex}"
    try:
        path.write_bytes(content)
    except OSError:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        raise
    return path
