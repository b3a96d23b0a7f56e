"""Usage by role: what every call used, summed over attempts. Unknown stays unknown, never zero."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from ideatrail.models.protocol import Answer, ModelError, Usage

_TOKENS: Final = tuple(f.name for f in fields(Usage))
_IN_RECORDS: Final = ("calls", *_TOKENS)
"""What records tell. Money and attempts vary from day to day and stand in the manifest alone."""


@dataclass
class RoleUsage:
    """Sums of one role; None once any call's figure was unknown."""

    calls: int = 0
    input: int | None = 0
    cached: int | None = 0
    output: int | None = 0
    reasoning: int | None = 0
    cache_write: int | None = 0
    attempts: int = 0
    """Requests sent, with those that failed."""
    unmetered: int = 0
    """Attempts that broke off before they told their usage: the sums are at least what stands."""
    cost: float | None = 0.0
    """USD; None once any call's cost was unknown."""
    paid: int = 0
    """Tokens that were sent for, as far as they were told: not those of cached answers."""

    def add(
        self, usage: Usage, *, cost: float | None = None, attempts: int = 1, unmetered: int = 0
    ) -> None:
        """Add one call."""
        self.calls += 1
        if attempts:
            self.paid += (usage.input or 0) + (usage.output or 0)
        self.attempts += attempts
        self.unmetered += unmetered
        self.cost = None if self.cost is None or cost is None else self.cost + cost
        for name in _TOKENS:
            mine, theirs = getattr(self, name), getattr(usage, name)
            setattr(self, name, None if mine is None or theirs is None else mine + theirs)


class UsageLedger:
    """Usage of one run by role."""

    def __init__(self) -> None:
        self.roles: dict[str, RoleUsage] = defaultdict(RoleUsage)

    def add(self, role: str, usage: Usage) -> None:
        """Add one call of `role` whose cost is unknown."""
        self.roles[role].add(usage)

    def add_answer(self, role: str, answer: Answer) -> None:
        """Add one answer with its cost and attempts."""
        self.roles[role].add(
            answer.usage,
            cost=answer.cost,
            attempts=0 if answer.from_cache else answer.attempts,
            unmetered=answer.unmetered,
        )

    def add_failure(self, role: str, error: ModelError) -> None:
        """Add what a call used that came to no answer."""
        if error.spent is not None and error.spent.attempts:
            self.add_answer(role, error.spent)

    def total(self, field_name: str) -> int | None:
        """Sum of a field over roles, None where any is unknown."""
        values = [getattr(r, field_name) for r in self.roles.values()]
        return None if any(v is None for v in values) else sum(values)

    def cost(self) -> float | None:
        """USD over all roles; None where any is unknown."""
        costs = [role.cost for role in self.roles.values()]
        return None if any(c is None for c in costs) else sum(c for c in costs if c is not None)

    def of(self, role: str) -> dict[str, Any]:
        """Sums of one role, for the log."""
        return {role: asdict(self.roles[role])} if role in self.roles else {}

    def restore(self, sums: Mapping[str, Mapping[str, Any]]) -> None:
        """Take over sums that `of` gave."""
        for role, values in sums.items():
            self.roles[role] = RoleUsage(**values)

    def as_dict(self) -> dict[str, Any]:
        """Tokens by role, for the record."""
        return {
            role: {name: getattr(used, name) for name in _IN_RECORDS}
            for role, used in sorted(self.roles.items())
        }

    def costs(self) -> dict[str, Any]:
        """Money and attempts by role, for the manifest."""
        return {role: _cost(used) for role, used in sorted(self.roles.items())}

    def paid(self) -> int:
        """Tokens that were sent for, as far as they were told, over all roles."""
        return sum(role.paid for role in self.roles.values())

    def everything(self) -> dict[str, Any]:
        """Sums of all roles, for the log."""
        return {role: asdict(used) for role, used in self.roles.items()}


def _cost(used: RoleUsage) -> dict[str, Any]:
    return {
        "usd": used.cost,
        "attempts": used.attempts,
        "unmetered": used.unmetered,
        "tokens_paid": used.paid,
    }
