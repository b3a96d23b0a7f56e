"""What came of a batch, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from ideatrail.batch.result import RowResult


@dataclass(frozen=True)
class Report:
    """The figures of a batch, as far as it has come."""

    asked: int
    accepted: int
    rejected: int
    set_aside: int
    failed: int
    endpoints: dict[str, int] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    """Why trails were rejected."""
    causes: dict[str, int] = field(default_factory=dict)
    """Why rows failed or were set aside."""
    grades: dict[str, int] = field(default_factory=dict)
    tiers: dict[str, int] = field(default_factory=dict)
    turns: int = 0
    tokens: int | None = None
    usd: float | None = None
    seconds: float = 0.0
    """Wall time of this go."""

    @property
    def owed(self) -> int:
        """Rows without an end."""
        return self.asked - self.accepted - self.rejected - self.set_aside - self.failed

    @property
    def whole(self) -> bool:
        """Whether every row was made to its end."""
        return self.accepted + self.rejected == self.asked

    def values(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "owed": self.owed}


def report(asked: int, results: Iterable[RowResult], seconds: float) -> Report:
    """Count `results`, the last of each row."""
    endings: Counter[str] = Counter()
    counted: dict[str, Counter[str]] = {
        name: Counter() for name in ("endpoints", "codes", "causes", "grades", "tiers")
    }
    turns = 0
    tokens: list[int | None] = []
    usd: list[float | None] = []
    for result in results:
        endings[result.ending] += 1
        figures = result.figures
        if result.ending == "rejected":
            counted["codes"].update(result.codes)
        elif result.ending in ("failed", "set_aside"):
            counted["causes"][result.cause] += 1
        if result.ending == "accepted":
            counted["endpoints"][str(figures.get("endpoint"))] += 1
            counted["grades"][str(figures.get("grade"))] += 1
            counted["tiers"].update(figures.get("tiers") or {})
            turns += figures.get("turns") or 0
        if result.ending in ("accepted", "rejected"):
            tokens.append(figures.get("tokens"))
            usd.append(figures.get("usd"))
    return Report(
        asked=asked,
        accepted=endings["accepted"],
        rejected=endings["rejected"],
        set_aside=endings["set_aside"],
        failed=endings["failed"],
        **{name: dict(c.most_common()) for name, c in counted.items()},
        turns=turns,
        # A sum with an unknown part is unknown.
        tokens=None if None in tokens else sum(t for t in tokens if t is not None),
        usd=None if None in usd else round(sum(u for u in usd if u is not None), 4),
        seconds=round(seconds, 1),
    )
