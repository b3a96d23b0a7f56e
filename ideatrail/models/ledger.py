"""Usage by role: what every call used, summed over attempts. Unknown stays unknown, never zero."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from ideatrail.models.protocol import Usage


@dataclass
class RoleUsage:
    """Sums of one role; None once any call's figure was unknown."""

    calls: int = 0
    input: int | None = 0
    cached: int | None = 0
    output: int | None = 0
    reasoning: int | None = 0

    def add(self, usage: Usage) -> None:
        """Add one call."""
        self.calls += 1
        for f in fields(Usage):
            mine, theirs = getattr(self, f.name), getattr(usage, f.name)
            setattr(self, f.name, None if mine is None or theirs is None else mine + theirs)


class UsageLedger:
    """Usage of one run by role."""

    def __init__(self) -> None:
        self.roles: dict[str, RoleUsage] = defaultdict(RoleUsage)

    def add(self, role: str, usage: Usage) -> None:
        """Add one call of `role`."""
        self.roles[role].add(usage)

    def total(self, field_name: str) -> int | None:
        """Sum of a field over roles, None where any is unknown."""
        values = [getattr(r, field_name) for r in self.roles.values()]
        return None if any(v is None for v in values) else sum(values)

    def of(self, role: str) -> dict[str, Any]:
        """Sums of one role, for the log."""
        return {role: asdict(self.roles[role])} if role in self.roles else {}

    def restore(self, sums: Mapping[str, Mapping[str, Any]]) -> None:
        """Take over sums that `of` gave."""
        for role, values in sums.items():
            self.roles[role] = RoleUsage(**values)

    def as_dict(self) -> dict[str, Any]:
        """Plain figures for the manifest."""
        return {role: asdict(used) for role, used in sorted(self.roles.items())}
