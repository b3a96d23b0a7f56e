"""A batch while it runs: one screen on a terminal, a line every 30 s elsewhere."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ideatrail.cli.progress import clock, printable, short

if TYPE_CHECKING:
    from ideatrail.batch.report import Report
    from ideatrail.batch.result import RowResult

PLAIN_EVERY: Final = 30.0
_SLOWEST: Final = 5


class BatchView:
    """Shows where a batch stands."""

    def __init__(
        self, asked: int, results: Mapping[str, RowResult], *, maximum: float | None = None
    ) -> None:
        """`results` grows as rows end; `maximum` is what may be spent, in USD."""
        self._asked = asked
        self._results = results
        self._maximum = maximum
        self._before = len(results)
        self._started = time.monotonic()
        self._said = time.monotonic()
        self._looks: Sequence[Mapping[str, Any]] = ()
        self._console = Console(stderr=True)
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live = Live(console=self._console, refresh_per_second=2, transient=True)
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, looks: Sequence[Mapping[str, Any]]) -> None:
        """Take in what the workers tell, and show it."""
        self._looks = looks
        if self._live is not None:
            self._live.update(screen(self.figures()))
        elif time.monotonic() - self._said >= PLAIN_EVERY:
            self._said = time.monotonic()
            print(line(self.figures()), file=sys.stderr, flush=True)  # noqa: T201

    def figures(self) -> dict[str, Any]:
        """Everything that is known, in plain data."""
        endings = Counter(r.ending for r in self._results.values())
        passed = time.monotonic() - self._started
        done = len(self._results) - self._before
        rows = [row for look in self._looks for row in look.get("rows", ())]
        left = self._asked - len(self._results)
        values: dict[str, Any] = {
            "asked": self._asked,
            "done": len(self._results),
            **{name: endings[name] for name in ("accepted", "rejected", "set_aside", "failed")},
            "in_hand": min(len(rows), left),
            "seconds": round(passed, 1),
            "trails_per_hour": round(3600 * done / passed, 1) if passed else 0.0,
            "seconds_left": round(left * passed / done) if done else None,
            "max_cost": self._maximum,
        }
        for name in ("turns", "calls", "verdicts", "retries", "tokens", "usd", "memory"):
            values[name] = round(sum(look.get(name, 0) for look in self._looks), 4)
        values["turns_per_second"] = round(values["turns"] / passed, 2) if passed else 0.0
        values["priced"] = all(look.get("priced", True) for look in self._looks)
        values["stages"] = dict(Counter(str(row["stage"]) for row in rows))
        codes: Counter[str] = Counter()
        for look in self._looks:
            codes.update(look.get("codes", {}))
        values["codes"] = dict(codes.most_common())
        values["slowest"] = sorted(rows, key=lambda r: -r["seconds"])[:_SLOWEST]
        return values


def line(values: Mapping[str, Any]) -> str:
    """One line."""
    left = values.get("seconds_left")
    parts = [
        f"{values['done']}/{values['asked']} rows",
        f"{values['accepted']} accepted, {values['rejected']} rejected, {values['failed']} failed",
        f"{values['in_hand']} in hand",
        f"{values['turns_per_second']} turns/s",
        f"{values['retries']} retries",
        _spent(values),
        f"{clock(values['seconds'])} gone",
        f"{clock(left)} left" if left is not None else "time left unknown",
    ]
    return " · ".join(parts)


def screen(values: Mapping[str, Any]) -> Group:
    """The whole screen."""
    head = Text(line(values))
    stages = ", ".join(f"{name} {count}" for name, count in values["stages"].items())
    codes = ", ".join(f"{name} {count}" for name, count in list(values["codes"].items())[:6])
    table = Table("line", "row", "stage", "turn", "retries", "time", box=None, pad_edge=False)
    for row in values["slowest"]:
        table.add_row(
            str(row["line"]),
            printable(str(row["name"]))[-48:],
            str(row["stage"]),
            f"{row['turn']}/{row['of']}",
            str(row["retries"]),
            clock(row["seconds"]),
        )
    return Group(
        head,
        Text(f"stages: {stages or 'none'}"),
        Text(f"verdicts: {codes or 'none'}"),
        Text(f"memory: {values['memory'] / 2**20:.0f} MiB"),
        table,
    )


def told(made: Report, out: Path) -> str:
    """A batch's report in words."""
    values = made.values()
    lines = [
        f"{out}: {made.accepted} of {made.asked} rows accepted",
        *(
            f"  {name:<10} {', '.join(f'{key} {count}' for key, count in values[name].items())}"
            for name in ("endpoints", "codes", "causes", "grades", "tiers")
            if values[name]
        ),
        f"  rejected {made.rejected}, set aside {made.set_aside}, failed {made.failed}, "
        f"owed {made.owed}",
        f"  {made.turns} turns, tokens {'unknown' if made.tokens is None else short(made.tokens)}, "
        f"cost {'unknown' if made.usd is None else f'{made.usd:.2f} USD'}, "
        f"{clock(made.seconds)}",
    ]
    return "\n".join(lines)


def _spent(values: Mapping[str, Any]) -> str:
    cost = f"{values['usd']:.2f} USD" if values["priced"] else "cost unknown"
    most = f" of {values['max_cost']:.2f}" if values.get("max_cost") else ""
    return f"{short(values['tokens'])} tokens, {cost}{most}"
