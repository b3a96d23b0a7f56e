"""How a row ended, as plain data: it crosses processes and is kept in `rows.jsonl`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

Ending = Literal["accepted", "rejected", "set_aside", "failed"]
"""`accepted`: its record is released. `rejected`: made to the end and not released. `set_aside`:
what it names cannot become a job. `failed`: it could not be made; a resume tries it again."""

SETTLED: Final[frozenset[Ending]] = frozenset({"accepted", "rejected", "set_aside"})
"""Endings that a resume leaves alone."""


@dataclass(frozen=True)
class RowResult:
    """How one row ended."""

    key: str
    """The row's (see `Row.key`)."""
    line: int
    name: str
    ending: Ending
    id: str = ""
    """What the job is called, where it came so far."""
    cause: str = ""
    """`rejected`, or a typed cause of a failure: `budget`, `endpoint`, `disk`, `defect`, …"""
    codes: tuple[str, ...] = ()
    """Why it was rejected."""
    why: str = ""
    """One line for people."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Numbers for the report: endpoint, tiers, usage, cost, seconds."""

    def row(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> RowResult:
        """The inverse of `row`; unknown keys are left out."""
        known = {k: v for k, v in values.items() if k in cls.__dataclass_fields__}
        known["codes"] = tuple(known.get("codes", ()))
        return cls(**known)
