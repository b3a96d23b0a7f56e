"""The tables: recall by operator and by code with 95% intervals, alarms, layers, misses."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.verifier.injections import Shot
from benchmarks.verifier.site import Operator
from ideatrail.trail.verdict import ORACLE_CODES


def interval(hits: int, of: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share."""
    if not of:
        return 0.0, 1.0
    z = 1.959964
    share = hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    # A share of nothing has a lower end of nothing, whatever the rounding says.
    return (middle - half if hits else 0.0), (middle + half if hits < of else 1.0)


@dataclass(frozen=True)
class Line:
    """What came of one operator."""

    operator: Operator
    shots: tuple[Shot, ...]

    @property
    def hits(self) -> int:
        """Faults caught by a right code; of an innocent twin, alarms."""
        if not self.operator.code:
            return sum(bool(s.codes) for s in self.shots)
        return len(self.shots) - len(self.missed)

    def _caught(self, shot: Shot) -> bool:
        """By a right code; or, of faults that the oracle is asked about last, by a public check
        that found the draft at fault before."""
        if self.operator.code in ORACLE_CODES:
            return bool(shot.codes)
        return bool({self.operator.code, *self.operator.also} & set(shot.codes))

    @property
    def others(self) -> int:
        """Faults caught by another code alone."""
        right = {self.operator.code, *self.operator.also}
        return sum(self._caught(s) and not right & set(s.codes) for s in self.shots)

    @property
    def missed(self) -> list[Shot]:
        """Faults not caught by a right code; of an innocent twin, alarms."""
        if not self.operator.code:
            return [s for s in self.shots if s.codes]
        return [s for s in self.shots if not self._caught(s)]

    @property
    def layers(self) -> list[tuple[str, int]]:
        """The layers that hit most often."""
        return Counter(la for s in self.shots for la in s.layers).most_common(3)


def lines_of(operators: Sequence[Operator], shots: Sequence[Shot]) -> list[Line]:
    """One line an operator, in their order."""
    return [Line(o, tuple(s for s in shots if s.operator == o.name)) for o in operators]


def told(lines: Sequence[Line], missed: int) -> str:
    """The whole report as text; up to `missed` misses of each operator."""
    out: list[str] = []
    faults = [line for line in lines if line.operator.code]
    twins = [line for line in lines if not line.operator.code]
    for code in dict.fromkeys(line.operator.code for line in faults):
        mine = [line for line in faults if line.operator.code == code]
        out.append(f"\n{code}: {len(mine)} operators")
        out += [_row(line) for line in mine]
    out.append(f"\ninnocent twins: {len(twins)} operators (alarms)")
    out += [_row(line) for line in twins]
    out.append("\nover all operators")
    out.append(_sum("rule-decidable faults caught", [x for x in faults if not x.operator.subtle]))
    out.append(_sum("subtle faults caught", [x for x in faults if x.operator.subtle]))
    out.append(_sum("alarms on innocent twins", twins))
    for line in lines:
        for shot in line.missed[:missed]:
            what = "ALARM" if not line.operator.code else "MISSED"
            out.append(
                f"{what} {line.operator.name} ({shot.trail} turn {shot.turn}, said "
                f"{', '.join(shot.codes) or 'nothing'}): {shot.told[:600]}"
            )
    return "\n".join(out)


def _row(line: Line) -> str:
    of = len(line.shots)
    low, high = interval(line.hits, of)
    share = f"{line.hits / of:7.1%}" if of else "    n/a"
    where = ", ".join(f"{name} {count}" for name, count in line.layers)
    if line.operator.code and line.others:
        where += f"; by another code first {line.others}"
    mark = "~" if line.operator.subtle else " "
    return (
        f" {mark}{line.operator.name[:52]:<52} {line.hits:>4}/{of:<4} {share} "
        f"[{low:6.1%}, {high:6.1%}]  {where}"
    )


def _sum(what: str, lines: Sequence[Line]) -> str:
    hits, of = sum(x.hits for x in lines), sum(len(x.shots) for x in lines)
    low, high = interval(hits, of)
    share = hits / of if of else 0.0
    return f"  {what:<40} {hits:>5} of {of:<6} {share:8.3%} [{low:.3%}, {high:.3%}]"


def as_json(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """The same for programs, notebooks among them."""
    return [
        {
            "operator": line.operator.name,
            "code": line.operator.code,
            "subtle": line.operator.subtle,
            "definition": line.operator.definition,
            "hits": line.hits,
            "of": len(line.shots),
            "interval": interval(line.hits, len(line.shots)),
            "layers": dict(line.layers),
        }
        for line in lines
    ]
