"""Holds all trails of a process to what a host asks of its guests.

Requests are counted in every window of the stated length, not on average. First come, first
served.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from ideatrail.evidence.source import EvidenceError


@dataclass(frozen=True, slots=True)
class HostLimit:
    """What one host bears."""

    requests: int
    """Requests that may start within any `seconds`."""
    seconds: float
    concurrency: int
    """Requests in flight."""
    group: str = ""
    """Entries with the same name share one limit."""

    def __post_init__(self) -> None:
        if self.requests < 1 or self.seconds < 0 or self.concurrency < 1:
            raise ValueError(f"a limit that lets nothing through: {self}")


LIMITS: Final[Mapping[str, HostLimit]] = {
    # "no more than one request every three seconds, and limit requests to a single connection at
    # a time", for all of its APIs together: https://info.arxiv.org/help/api/tou.html
    "export.arxiv.org": HostLimit(1, 3.0, 1, group="arxiv"),
    "oaipmh.arxiv.org": HostLimit(1, 3.0, 1, group="arxiv"),
    # "Crawl-delay: 15" in its robots.txt (June 2026); programs are asked to use export.arxiv.org.
    "arxiv.org": HostLimit(1, 15.0, 1),
    # One a second with a key; without one, all the world shares a pool, so no faster.
    # https://www.semanticscholar.org/product/api
    "api.semanticscholar.org": HostLimit(1, 1.05, 1),
    # Ten a second for years, a hundred since 2026, then within a daily allowance that is larger
    # with a key: https://developers.openalex.org/api-reference/authentication
    "api.openalex.org": HostLimit(10, 1.05, 5),
    # Five a second, one at a time, for those who do not say who they are: Crossref, December 2025.
    "api.crossref.org": HostLimit(5, 1.05, 1),
    # The archive publishes no limits. Its CDX servers are known to stop at 24 a minute since 2026
    # (release notes of edgi's `wayback` 0.5.1), and to shut an address out for an hour if it goes
    # on after a 429; so a little below. Replay is another service, with a wider limit.
    "web.archive.org/cdx": HostLimit(20, 60.0, 1, group="web.archive.org/cdx"),
    "web.archive.org/web/timemap": HostLimit(20, 60.0, 1, group="web.archive.org/cdx"),
    "web.archive.org": HostLimit(30, 60.0, 4),
    # 250 a minute for its CDX and search: https://github.com/arquivo/pwa-technologies/wiki/APIs
    "arquivo.pt": HostLimit(200, 60.0, 4),
}
"""Host, or host and the head of a path, → what its service states. The longest fitting entry
counts."""

OTHERS: Final = HostLimit(4, 1.0, 4)
"""For a host that states nothing."""

LOCAL: Final = HostLimit(10_000, 1.0, 64)
"""For hosts on this machine that were opened by the allow-list."""


_LONGEST_PAUSE: Final = 3600.0
"""Seconds for which one answer can keep a process from a host."""


class HostLimiter:
    """Admission to one host. Serves one event loop at a time."""

    def __init__(self, limit: HostLimit) -> None:
        self.limit = limit
        self.in_flight = 0
        self._starts: deque[float] = deque()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._closed_until = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def turn(self, patience: float) -> AsyncIterator[None]:
        """Hold one of the host's places.

        Args:
            patience: seconds one would wait for a host that has asked for quiet.

        Raises:
            EvidenceError: `rate_limited`, where it asked for more.
        """
        await self._enter(patience)
        try:
            yield
        finally:
            self._leave()

    def pause(self, seconds: float) -> None:
        """The host asked for quiet: nobody starts a request before it is over, or an hour."""
        until = time.monotonic() + min(seconds, _LONGEST_PAUSE)
        self._closed_until = max(self._closed_until, until)

    async def _enter(self, patience: float) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            # Another loop ran before: whatever waited or flew in it is gone with it.
            self._loop, self._wake, self.in_flight = loop, None, 0
            self._waiting.clear()
        if self._closed_until - time.monotonic() > patience:
            raise EvidenceError("rate_limited", detail="the host has asked for a longer pause")
        mine: asyncio.Future[None] = loop.create_future()
        self._waiting.append(mine)
        self._admit()
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self._leave()
            else:
                self._admit()  # drops it from the queue, and lets the next one in
            raise

    def _leave(self) -> None:
        self.in_flight -= 1
        self._admit()

    def _admit(self) -> None:
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        while self._waiting:
            if self._waiting[0].done():
                self._waiting.popleft()
                continue
            if self.in_flight >= self.limit.concurrency:
                return  # the next to leave comes back here
            now = time.monotonic()
            ready = self._closed_until
            while self._starts and self._starts[0] <= now - self.limit.seconds:
                self._starts.popleft()
            if len(self._starts) >= self.limit.requests:
                ready = max(ready, self._starts[-self.limit.requests] + self.limit.seconds)
            if ready > now:
                assert self._loop is not None
                self._wake = self._loop.call_later(ready - now, self._admit)
                return
            self.in_flight += 1
            self._starts.append(now)
            self._waiting.popleft().set_result(None)


class Limiters:
    """The limiters of all hosts."""

    def __init__(self) -> None:
        self._by_key: dict[str, HostLimiter] = {}

    def of(self, key: str, limit: HostLimit) -> HostLimiter:
        """The one limiter under `key`; a new limit takes the place of the old."""
        limiter = self._by_key.get(key)
        if limiter is None:
            limiter = self._by_key[key] = HostLimiter(limit)
        limiter.limit = limit
        return limiter


SHARED: Final = Limiters()
"""Those of this process: clients made in different places stay within one limit a host."""


def fitting(host: str, path: str, limits: Mapping[str, HostLimit]) -> tuple[str, HostLimit] | None:
    """The limiter's name and limit for a host (`host` or `host:port`) and path: those of the entry
    with the longest path."""
    best: tuple[str, HostLimit] | None = None
    for key, limit in limits.items():
        name, slash, head = key.partition("/")
        if (
            name == host
            and path.startswith(f"/{head}" if slash else "/")
            and (best is None or len(key) > len(best[0]))
        ):
            best = key, limit
    return None if best is None else (best[1].group or best[0], best[1])
