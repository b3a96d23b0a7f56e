"""Holds all trails of a process to what one endpoint bears.

Requests and tokens a minute are kept in every window of that length, not only on average.
Concurrency halves at a 429 and grows by one for each full round of answers. First come, first
served: a large request waits its turn and is not overtaken by small ones for ever.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass

from ideatrail.models.endings import EndingError
from ideatrail.models.options import Limits


@dataclass(slots=True, eq=False)
class Ticket:
    """The right to have one request in flight."""

    tokens: int
    """Counted against the window: an estimate first, the true number from `leave` on."""
    admitted: float = 0.0


class Limiter:
    """Admission to one endpoint. Use one a process; it serves one event loop at a time."""

    def __init__(self, limits: Limits, *, window: float = 60.0) -> None:
        self._limits = limits
        self._window = window
        self._recent: deque[Ticket] = deque()
        self._tokens = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: deque[tuple[Ticket, asyncio.Future[None]]] = deque()
        self._wake: asyncio.TimerHandle | None = None
        self._paused_until = 0.0
        self._slowed_at = -1e9
        self.in_flight = 0
        self.concurrency = float(limits.concurrency)
        """Requests that may be in flight now."""

    @property
    def waiting(self) -> int:
        """Requests that wait for their turn."""
        return len(self._waiting)

    async def enter(self, tokens: int, least: int | None = None) -> Ticket:
        """Wait until a request may be sent.

        Args:
            tokens: prompt and largest answer.
            least: the prompt alone; what is above it gives way where a minute cannot hold it.

        Raises:
            EndingError: `never_fits`, where the prompt alone exceeds the tokens of a minute.
        """
        allowed = self._limits.tokens_per_minute
        if allowed is not None:
            if (tokens if least is None else least) > allowed:
                raise EndingError(
                    "never_fits",
                    f"a request of {tokens if least is None else least:,} tokens under a limit of "
                    f"{allowed:,} tokens a minute",
                )
            tokens = min(tokens, allowed)
        self._bind()
        assert self._loop is not None
        ticket = Ticket(tokens)
        turn: asyncio.Future[None] = self._loop.create_future()
        self._waiting.append((ticket, turn))
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(ticket, 0)
            elif (ticket, turn) in self._waiting:  # `_admit` may have dropped it since
                self._waiting.remove((ticket, turn))
            self._admit()
            raise
        return ticket

    def leave(self, ticket: Ticket, tokens: int | None = None, *, fine: bool = False) -> None:
        """Give the place back.

        Args:
            ticket: what `enter` gave.
            tokens: what the request really used; None leaves the estimate.
            fine: whether an answer came, on which the concurrency may grow.
        """
        self.in_flight -= 1
        if tokens is not None and ticket.admitted > time.monotonic() - self._window:
            self._tokens += tokens - ticket.tokens
            ticket.tokens = tokens
        if fine:
            most = self._limits.concurrency
            self.concurrency = min(most, self.concurrency + 1 / self.concurrency)
        self._admit()

    def slow_down(self, ticket: Ticket, retry_after: float | None) -> None:
        """The endpoint refused a request for its rate; waits as it says, for all requests.

        Refusals of requests that were sent before the last slowing tell nothing new.
        """
        now = time.monotonic()
        if ticket.admitted > self._slowed_at:
            self.concurrency = max(1.0, self.concurrency / 2)
            self._slowed_at = now
        if retry_after is not None:
            self._paused_until = max(self._paused_until, now + retry_after)

    def _bind(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is loop:
            return
        # Another loop ran before: whatever waited or flew in it is gone with it.
        self._loop, self._wake, self.in_flight = loop, None, 0
        self._waiting.clear()

    def _admit(self) -> None:
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        now = time.monotonic()
        self._forget(now)
        while self._waiting:
            ticket, turn = self._waiting[0]
            if turn.done():
                self._waiting.popleft()
                continue
            if self.in_flight >= int(self.concurrency):
                return  # the next `leave` comes back here
            ready = max(self._paused_until, self._room_at(ticket.tokens))
            if ready > now:
                assert self._loop is not None
                self._wake = self._loop.call_later(ready - now, self._admit)
                return
            self._waiting.popleft()
            self.in_flight += 1
            ticket.admitted = now
            if self._limits.requests_per_minute or self._limits.tokens_per_minute:
                self._recent.append(ticket)
                self._tokens += ticket.tokens
            turn.set_result(None)

    def _forget(self, now: float) -> None:
        while self._recent and self._recent[0].admitted <= now - self._window:
            self._tokens -= self._recent.popleft().tokens

    def _room_at(self, tokens: int) -> float:
        """When the window has room for one more request of so many tokens."""
        at = 0.0
        requests = self._limits.requests_per_minute
        if requests is not None and len(self._recent) >= requests:
            at = self._recent[len(self._recent) - requests].admitted + self._window
        allowed = self._limits.tokens_per_minute
        if allowed is not None and self._tokens + tokens > allowed:
            over = self._tokens + tokens - allowed
            for ticket in self._recent:
                at = max(at, ticket.admitted + self._window)
                over -= ticket.tokens
                if over <= 0:
                    break
        return at
