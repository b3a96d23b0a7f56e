"""One budget for a whole run or batch, asked before each call.

A call in flight holds its prompt and its largest answer. A call that would fit but for what others
hold waits until they have settled; only what is spent, with the call's own share, ends a trail.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from ideatrail.models.endings import EndingError
from ideatrail.models.prices import Price
from ideatrail.models.protocol import Usage
from ideatrail.models.refused import ModelSettingsError

_CENT: Final = 0.005


class BudgetReached(EndingError):  # noqa: N818 - a planned end, not a fault
    """The budget is spent: the trail stops, resumable."""

    def __init__(self, detail: str) -> None:
        super().__init__("budget_reached", detail)


class BudgetFaultError(ModelSettingsError):
    """A budget that cannot be kept: one clear line."""


@dataclass(slots=True, eq=False)
class Hold:
    """What one call in flight holds."""

    tokens: int
    cost: float | None
    """USD; None where the price is unknown."""


class Budget:
    """Money and tokens, spent and held. None: no cap."""

    def __init__(self, max_cost: float | None = None, max_tokens: int | None = None) -> None:
        self.max_cost = max_cost
        self.max_tokens = max_tokens
        self.cost = 0.0
        """USD spent, as far as prices are known."""
        self.tokens = 0
        """Tokens spent: prompts and answers."""
        self.cost_unknown = False
        """Whether tokens were spent whose price or number is unknown."""
        self.held_tokens = 0
        self.held_cost = 0.0
        self._settled: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def check(self, name: str, price: Price | None) -> None:
        """Refuse a cap on money that could not be kept. Raises BudgetFaultError."""
        if self.max_cost is not None and price is None and self.max_tokens is None:
            raise BudgetFaultError(
                f"--max-cost cannot be kept: the price of {name} is unknown; "
                "give its price in a price file, or --max-tokens too"
            )

    def restore(self, tokens: int, cost: float | None) -> None:
        """Count what an earlier part of the run has spent."""
        self.tokens += tokens
        self.cost += cost or 0.0
        self.cost_unknown |= cost is None

    async def hold(self, prompt: int, output: int, price: Price | None) -> Hold:
        """Set aside what a call may use. Raises BudgetReached where it can never fit."""
        hold = Hold(prompt + output, None if price is None else price.most(prompt, output))
        while True:
            self._within(hold, held=False)
            if self._fits(hold):
                break
            loop = asyncio.get_running_loop()
            if self._settled is None or self._loop is not loop:
                self._settled, self._loop = asyncio.Event(), loop
            self._settled.clear()
            await self._settled.wait()
        self.held_tokens += hold.tokens
        self.held_cost += hold.cost or 0.0
        return hold

    def settle(self, hold: Hold, usage: Usage | None, cost: float | None) -> None:
        """A call has ended.

        Args:
            hold: what `hold` gave.
            usage: what it used; unknown figures count as all that was held; None: nothing.
            cost: USD; None: unknown, the held sum is counted where there is one.
        """
        self.held_tokens -= hold.tokens
        self.held_cost = max(0.0, self.held_cost - (hold.cost or 0.0))
        if usage is not None:
            if usage.input is None or usage.output is None:
                self.tokens += hold.tokens
                self.cost_unknown = True
            else:
                self.tokens += usage.input + usage.output
            if cost is None:
                self.cost_unknown = True
                self.cost += hold.cost or 0.0
            else:
                self.cost += cost
        if self._settled is not None:
            self._settled.set()

    def _fits(self, hold: Hold) -> bool:
        try:
            self._within(hold, held=True)
        except BudgetReached:
            return False
        return True

    def _within(self, hold: Hold, *, held: bool) -> None:
        tokens = self.tokens + (self.held_tokens if held else 0)
        if self.max_tokens is not None and tokens + hold.tokens > self.max_tokens:
            raise BudgetReached(
                f"{self.tokens:,} of {self.max_tokens:,} tokens are spent, and the next call may "
                f"use {hold.tokens:,}"
            )
        cost = self.cost + (self.held_cost if held else 0.0)
        if self.max_cost is not None and hold.cost is not None and cost + hold.cost > self.max_cost:
            raise BudgetReached(
                f"${self.cost:.2f} of ${self.max_cost:.2f} is spent, and the next call may cost "
                f"${max(hold.cost, _CENT):.2f}"
            )
