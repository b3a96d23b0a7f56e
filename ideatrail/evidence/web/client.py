"""The client through which all evidence from the web comes."""

from __future__ import annotations

import asyncio
import copy
import random
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from ideatrail import __version__
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.exchanges import (
    SECRET_HEADERS,
    Asked,
    Exchanges,
    Hop,
    public,
    secrets,
)
from ideatrail.evidence.web.guard import Guard, Lookup, Target, read, refusal
from ideatrail.evidence.web.limits import (
    LIMITS,
    LOCAL,
    OTHERS,
    SHARED,
    HostLimit,
    HostLimiter,
    Limiters,
    fitting,
)
from ideatrail.evidence.web.response import DEFAULT, Caps, Response
from ideatrail.evidence.web.transport import Answer, TransientError, Transport

__all__ = ["Caps", "Client", "HostLimit", "Patience", "Response"]

Sound = Callable[[Response], bool]
"""Whether an answer is what was asked for, as far as its reader can tell."""

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_REFUSALS: Final = frozenset({401, 403, 407, 451})
_BUSY: Final = frozenset({420, 429})
_PASSING: Final = frozenset({408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_OURS: Final = frozenset(
    {"cookie", "host", "connection", "content-length", "transfer-encoding", "proxy-authorization"}
)
"""Request headers that a caller does not set."""
_LEAST: Final = 0.01
"""Seconds with which an attempt is still worth making."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long a failure is waited out."""

    attempts: int = 3
    first_wait: float = 0.5
    """Seconds before the second attempt, twice that before the third, and so on; each is drawn
    between half and one and a half of it."""
    gives_up: int = 3
    """Requests to one host that must have found nobody there, one after the other, until others are
    not even made."""
    comes_back: float = 60.0
    """Seconds after which such a host is tried again."""
    longest_wait: float = 20.0
    """Seconds one waits where no server says how long."""
    as_asked: float = 60.0
    """Seconds one waits because a server says so (Retry-After), all attempts together."""

    def wait(self, attempt: int) -> float:
        """Seconds between the attempt of this number, from 1, and the next."""
        doubled = self.first_wait * 2.0 ** min(attempt - 1, 30)
        return min(self.longest_wait, doubled) * (0.5 + random.random())


@dataclass(slots=True)
class _Journey:
    """One `get` under way."""

    target: Target
    headers: dict[str, str]
    left: float
    """Seconds that may still be spent on the network."""
    hops: list[Hop] = field(default_factory=list)
    attempt: int = 1
    waited: float = 0.0
    """Seconds that servers have asked for."""


class Client:
    """Asks the web; shared by all trails of a process."""

    def __init__(
        self,
        *,
        exchanges: Exchanges | None = None,
        allow: Iterable[str] = (),
        limits: Mapping[str, HostLimit] | None = None,
        patience: Patience = Patience(),
        user_agent: str = f"IdeaTrail/{__version__}",
        lookup: Lookup | None = None,
        limiters: Limiters = SHARED,
    ) -> None:
        """
        Args:
            exchanges: where raw answers are kept and taken from.
            allow: `host:port` entries that may be asked although they are not public.
            limits: by host, or host and head of a path, over those the services state.
            patience: with failures that may pass.
            user_agent: as sent.
            lookup: resolves names, in place of the system.
            limiters: where the limiters live; those of the process by default.

        Raises:
            ValueError: an entry of `allow` is no `host:port`.
        """
        self._exchanges = exchanges
        self._guard = Guard(allow)
        self._limits = {**LIMITS, **(limits or {})}
        self._limiters = limiters
        self._patience = patience
        self._transport = Transport(self._guard, user_agent=user_agent, lookup=lookup)
        self._turns: dict[tuple[asyncio.AbstractEventLoop, str], tuple[asyncio.Lock, int]] = {}
        self._away: dict[str, tuple[int, float]] = {}
        """Place → requests in a row that found nobody there, and when the last one did."""

    def keeping(self, exchanges: Exchanges | None) -> Client:
        """This client with another store: connections and limits stay the same ones."""
        other = copy.copy(self)
        other._exchanges = exchanges
        other._turns = {}
        return other

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        caps: Caps = DEFAULT,
        follow: bool = True,
        sound: Sound | None = None,
    ) -> Response:
        """Ask for an address.

        Args:
            url: http or https.
            headers: of the request. Keys in them are never stored, and do not follow a redirect
                to another host.
            caps: bounds.
            follow: whether redirects are followed; else they are answers.
            sound: an answer for which this is false is asked for again, like a failure that may
                pass, and comes to `partial`.

        Raises:
            EvidenceError: `rate_limited` (429, after waiting as asked, within a bound);
                `refused` (401, 403, 407, 451, an address that is not public, another scheme, too
                large, too many redirects); `partial` (the body was cut short or broken);
                `unreachable` (5xx, no connection, a time-out, what is no HTTP; nothing recorded
                in a replay).
            ValueError: a header that callers do not set.
        """
        sent = _sendable(headers or {})
        target = read(url)
        journey = _Journey(target, sent, caps.max_seconds)
        kept = self._exchanges
        if kept is None:
            return await self._fetch(journey, caps, follow, sound)
        asked = Asked.of(str(target.url), sent, follow)
        async with self._turn(asked.key):
            try:
                if kept.mode != "replay":
                    self._guard.check(target)
                found = await asyncio.to_thread(kept.find, asked)
                if found is not None:
                    response = found[0].response(found[1], caps)
                    if kept.mode == "replay" or sound is None or sound(response):
                        await asyncio.to_thread(kept.adopt, *found)
                        return response
                response = await self._fetch(journey, caps, follow, sound)
            except EvidenceError as failure:
                await asyncio.to_thread(kept.keep, asked.failed(journey.hops, failure), b"")
                raise
            exchange = asked.answered(journey.hops, response)
            await asyncio.to_thread(kept.keep, exchange, response.body)
            return response

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        await self._transport.aclose()

    async def _fetch(
        self, journey: _Journey, caps: Caps, follow: bool, sound: Sound | None
    ) -> Response:
        """Travel until there is an answer. Raises EvidenceError."""
        place = journey.target.place
        times, last = self._away.get(place, (0, 0.0))
        if times >= self._patience.gives_up:
            if time.monotonic() - last < self._patience.comes_back:
                raise EvidenceError("unreachable", detail=f"{place} was not there a moment ago")
            times = 0
        try:
            response = await self._travel(journey, caps, follow, sound)
        except EvidenceError as error:
            if error.ending == "unreachable" and journey.target.place == place:
                self._away[place] = times + 1, time.monotonic()
            raise
        self._away.pop(place, None)
        return response

    async def _travel(
        self, journey: _Journey, caps: Caps, follow: bool, sound: Sound | None
    ) -> Response:
        keys = secrets(str(journey.target.url), journey.headers)
        while True:
            target = journey.target
            self._guard.check(target)
            limiter = self._limiter(target)
            wait: float | None = None
            async with limiter.turn(self._patience.as_asked):
                began = time.monotonic()
                try:
                    answer = await self._transport.send(
                        target, journey.headers, seconds=journey.left, most=caps.max_bytes
                    )
                except TransientError as error:
                    answer, failure = None, error.ending
                finally:
                    journey.left -= time.monotonic() - began
            if answer is not None:
                if follow and answer.status in _REDIRECTS and answer.header("location"):
                    self._redirect(journey, answer, keys, caps)
                    continue
                verdict = _verdict(answer, journey)
                if verdict is None:
                    response = _response(journey, answer, keys)
                    if sound is None or sound(response):
                        return response
                    verdict = EvidenceError("partial", detail=f"{target.place}: unsound answer")
                failure = verdict
                wait = retry_after(answer.header("retry-after"))
            await self._pause(journey, limiter, failure, wait)

    def _redirect(
        self, journey: _Journey, answer: Answer, keys: tuple[str, ...], caps: Caps
    ) -> None:
        here = journey.target
        if len(journey.hops) >= caps.max_redirects:
            raise refusal(f"more than {caps.max_redirects} redirects, the last from {here.place}")
        journey.target = read(here.join(answer.header("location") or ""))
        if journey.target.url.origin() != here.url.origin():
            journey.headers = {
                k: v for k, v in journey.headers.items() if k.lower() not in SECRET_HEADERS
            }
        journey.hops.append(
            Hop(
                url=_hidden(public(str(here.url)), keys),
                status=answer.status,
                headers=_hidden_headers(answer, keys),
            )
        )

    async def _pause(
        self, journey: _Journey, limiter: HostLimiter, failure: EvidenceError, wait: float | None
    ) -> None:
        """Wait before the next attempt. Raises the failure where there is none."""
        final = isinstance(failure, _FinalError)
        if wait is not None and not final:
            limiter.pause(wait)  # for others too, though this be the last attempt
            journey.waited += wait
        if (
            final
            or journey.attempt >= self._patience.attempts
            or journey.left < _LEAST
            or journey.waited > self._patience.as_asked
        ):
            raise failure
        if wait is None:
            wait = self._patience.wait(journey.attempt)
            if failure.ending == "rate_limited":
                limiter.pause(wait)
            else:
                await asyncio.sleep(wait)
        journey.attempt += 1

    def _limiter(self, target: Target) -> HostLimiter:
        host = target.host if target.url.is_default_port() else target.place
        entry = fitting(host, target.url.raw_path, self._limits)
        if entry is None:
            entry = host, LOCAL if self._guard.allows(target.host, target.port) else OTHERS
        return self._limiters.of(*entry)

    @asynccontextmanager
    async def _turn(self, key: str) -> AsyncIterator[None]:
        """One at a time for equal requests: the second finds what the first has kept, and a
        record has them in the order in which they were asked."""
        place = asyncio.get_running_loop(), key
        lock, users = self._turns.get(place) or (asyncio.Lock(), 0)
        self._turns[place] = lock, users + 1
        try:
            async with lock:
                yield
        finally:
            lock, users = self._turns.pop(place)
            if users > 1:
                self._turns[place] = lock, users - 1


class _FinalError(EvidenceError):
    """A failure that another attempt would not change."""


def _verdict(answer: Answer, journey: _Journey) -> EvidenceError | None:
    """What an answer that is no redirect fails in; None where it is an answer."""
    status, where = answer.status, f"{journey.target.place} answered {answer.status}"
    if not 200 <= status < 600:
        return _FinalError("unreachable", detail=where)
    if status == 206 and not any(name.lower() == "range" for name in journey.headers):
        return _FinalError("partial", detail=where)
    if answer.header("memento-datetime") is not None:
        return None  # an archive's capture of a failure is no failure of the archive
    if status in _BUSY:
        return EvidenceError("rate_limited", detail=where)
    if status in _REFUSALS:
        return _FinalError("refused", detail=where)
    if status in _PASSING:
        return EvidenceError("unreachable", detail=where)
    return _FinalError("unreachable", detail=where) if status >= 500 else None


def _response(journey: _Journey, answer: Answer, keys: tuple[str, ...]) -> Response:
    body = answer.body
    for key in keys:
        body = body.replace(key.encode(), b"[removed]")
    return Response(
        url=_hidden(public(str(journey.target.url)), keys),
        status=answer.status,
        headers=_hidden_headers(answer, keys),
        body=body,
        redirects=tuple(hop.url for hop in journey.hops),
    )


def _hidden(text: str, keys: tuple[str, ...]) -> str:
    for key in keys:
        text = text.replace(key, "[removed]")
    return text


def _hidden_headers(answer: Answer, keys: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, _hidden(public(value) if name.lower() == "location" else value, keys))
        for name, value in answer.headers
    )


def _sendable(headers: Mapping[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        if name.lower() in _OURS or any(c in name + value for c in "\r\n\0"):
            raise ValueError(f"not a header to set: {name!r}")
    return dict(headers)


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds that a Retry-After header asks for, in either of its forms; None where it is in
    neither."""
    if value is None:
        return None
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - (now or datetime.now(UTC))).total_seconds())
