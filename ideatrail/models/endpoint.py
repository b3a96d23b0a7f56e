"""A model at an endpoint: cache, limiter, budget, retries and ledger around one adapter."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ideatrail.models.adapter import Adapter, prompt_tokens
from ideatrail.models.budget import Budget, BudgetReached
from ideatrail.models.cache import ResponseCache, cache_key, worth_keeping
from ideatrail.models.endings import EndingError
from ideatrail.models.limiter import Limiter
from ideatrail.models.options import EndpointOptions
from ideatrail.models.prices import Price
from ideatrail.models.protocol import Answer, Request, Traits, Usage
from ideatrail.models.tracing import traced

_MARGIN: Final = 64
"""Tokens of the window left free: our count is not the endpoint's."""
_LEAST_OUTPUT: Final = 256
"""Room for an answer below which a prompt fills the window."""

_ANSWER_SHARE: Final = 4

_NOTHING: Final = Usage(input=0, cached=0, output=0, reasoning=0, cache_write=0)


@dataclass
class _Spent:
    """What the attempts at one answer came to."""

    usage: Usage = _NOTHING
    cost: float | None = 0.0
    attempts: int = 0
    unmetered: int = 0

    def add(self, usage: Usage, price: Price | None) -> float | None:
        """Add one attempt's usage; returns its cost."""
        cost = None if price is None else price.cost(usage)
        self.usage = plus(self.usage, usage)
        self.cost = None if self.cost is None or cost is None else self.cost + cost
        return cost

    def onto(self, answer: Answer) -> Answer:
        """The answer with the sums of all its attempts."""
        return replace(
            answer,
            usage=self.usage,
            cost=self.cost,
            attempts=self.attempts,
            unmetered=self.unmetered,
        )


def plus(left: Usage, right: Usage) -> Usage:
    """The sum of two usages; unknown with anything is unknown."""

    def total(a: int | None, b: int | None) -> int | None:
        return None if a is None or b is None else a + b

    return Usage(
        input=total(left.input, right.input),
        cached=total(left.cached, right.cached),
        output=total(left.output, right.output),
        reasoning=total(left.reasoning, right.reasoning),
        cache_write=total(left.cache_write, right.cache_write),
    )


@dataclass
class EndpointModel:
    """A chat model at an endpoint. One instance serves all trails of the process."""

    name: str
    """`provider:name`, as it stands in records."""
    base_url: str
    adapter: Adapter = field(repr=False)
    options: EndpointOptions = field(repr=False)
    limiter: Limiter = field(repr=False)
    budget: Budget = field(repr=False)
    price: Price | None
    cache: ResponseCache | None = field(default=None, repr=False)
    hides_reasoning: bool = False
    """Whether reasoning never comes back apart."""
    waits: bool = True
    """False in replays: recorded refusals need no waiting."""
    jitter: random.Random = field(default_factory=random.Random, repr=False)

    async def answer(self, request: Request) -> Answer:
        """Answer `request`.

        Raises:
            BudgetReached: the run's budget cannot hold the call.
            EndingError: no answer can be had; `spent` tells what the attempts used.
        """
        key = None
        if self.cache is not None:
            key = cache_key(self.about(), request)
            found = self.cache.get(key)
            if found is not None:
                return found
        answer = await traced(self, request, self._ask(request))
        if self.cache is not None and key is not None and worth_keeping(answer):
            self.cache.put(key, answer)
        return answer

    @property
    def traits(self) -> Traits:
        """What requests must reckon with."""
        window = self.options.context_window
        if window is None:
            return Traits(hides_reasoning=self.hides_reasoning)
        # A small window is shared: a quarter of it at most is kept for the answer.
        room = min(self.options.max_output, window // _ANSWER_SHARE) + _MARGIN
        return Traits(window, room, self.hides_reasoning)

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        await self.adapter.aclose()

    def room(self, prompt: int) -> int:
        """Most tokens of an answer to a prompt of so many.

        Raises:
            EndingError: `context_overflow`, where the prompt fills the window.
        """
        window, most = self.options.context_window, self.options.max_output
        if window is None:
            return most
        left = window - prompt - _MARGIN
        if left < min(_LEAST_OUTPUT, most):
            raise EndingError(
                "context_overflow",
                f"{self.name}: a prompt of about {prompt:,} tokens leaves no room for an answer in "
                f"a window of {window:,}",
            )
        return min(left, most)

    async def _ask(self, request: Request) -> Answer:
        patience = self.options.patience
        prompt = prompt_tokens(request)
        output = min(self.room(prompt), request.max_tokens or self.options.max_output)
        spent = _Spent()
        failed, waited = 0, 0.0
        met: Counter[str] = Counter()
        while True:
            try:
                return spent.onto(await self._attempt(request, prompt, output, spent))
            except BudgetReached as error:
                error.spent = spent.onto(Answer(()))
                raise
            except EndingError as error:
                limited = error.ending == "rate_limited"
                failed += not limited
                wait = self._wait(error, failed if not limited else spent.attempts)
                waited += wait
                met[error.ending] += 1
                vain = error.attempts is not None and met[error.ending] >= error.attempts
                over = vain or failed >= patience.attempts or waited > patience.wait
                if not error.retried or over:
                    raise self._final(error, spent, waited if error.retried else None) from error
            if wait:
                await asyncio.sleep(wait)

    async def _attempt(self, request: Request, prompt: int, output: int, spent: _Spent) -> Answer:
        ticket = await self.limiter.enter(prompt + output, prompt)
        used: int | None = None
        fine = False
        try:
            hold = await self.budget.hold(prompt, output, self.price)
            usage: Usage | None = None
            cost: float | None = None
            try:
                spent.attempts += 1
                answer = await self.adapter.send(request, output)
                usage, fine = answer.usage, True
                cost = spent.add(usage, self.price)
                return answer
            except EndingError as error:
                spent.unmetered += error.unmetered
                usage = error.usage
                if usage is not None:
                    cost = spent.add(usage, self.price)
                if error.unmetered:
                    # It may have been charged to its largest answer: the budget counts it so.
                    usage, cost = Usage(), None
                if error.ending in ("rate_limited", "overloaded"):
                    self.limiter.slow_down(ticket, error.retry_after if self.waits else None)
                raise
            except asyncio.CancelledError:
                spent.unmetered += 1
                usage = Usage()
                raise
            finally:
                self.budget.settle(hold, usage, cost)
                if usage is None:
                    used = 0
                elif usage.input is not None and usage.output is not None:
                    used = usage.input + usage.output
        finally:
            self.limiter.leave(ticket, used, fine=fine)

    def _wait(self, error: EndingError, tries: int) -> float:
        """Seconds until the next attempt: as the server says, else doubled, with jitter."""
        patience = self.options.patience
        if not self.waits:
            return 0.0
        if error.retry_after:  # zero is no answer to how long
            # The limiter holds everyone back for as long; the jitter keeps us from coming at once.
            return error.retry_after + self.jitter.uniform(0, min(1.0, 0.1 * error.retry_after))
        doubled: float = patience.first_wait * 2.0 ** min(tries - 1, 30)
        return min(patience.longest_wait, doubled) * self.jitter.uniform(0.5, 1.0)

    def _final(self, error: EndingError, spent: _Spent, waited: float | None) -> EndingError:
        detail = f"{self.name}: {error.detail}"
        if waited is not None and error.retry_after is not None and spent.attempts == 1:
            detail += f"; it asks to wait {error.retry_after:g} s"
        elif spent.attempts > 1:
            detail += f"; {spent.attempts} attempts"
        final = EndingError(error.ending, detail, retry_after=error.retry_after)
        final.spent = spent.onto(Answer(()))
        return final

    def about(self) -> dict[str, Any]:
        """All that shapes an answer besides the request: for cache keys and fingerprints."""
        return {
            "model": self.name,
            "base_url": self.base_url,
            "adapter": self.adapter.version,
            "options": self.options.shaping(),
        }
