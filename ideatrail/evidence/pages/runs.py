"""Text of a PDF page as runs: characters that follow each other, with their place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(slots=True)
class Run:
    """Characters that follow each other on one line. Points; y grows upwards."""

    text: str
    x0: float
    x1: float
    y: float
    """Of the baseline. It and x are as a reader has them who turned the page upright."""
    size: float
    bold: bool = False
    mono: bool = False
    """Set as code is."""
    turn: int = 0
    """Quarter turns of the text against the page, clockwise."""
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Left, bottom, right, top on the page as it lies."""


_GAP: Final = 1.0
"""In sizes: what is further apart is not one line of text but two cells, or two columns."""
_SPACE: Final = 0.15
_BASELINE: Final = 0.45
"""In sizes: how far raised and lowered characters stand from their line."""


def rows(runs: list[Run]) -> list[list[Run]]:
    """Runs by lines, from the top down, each line from the left; runs that touch are one."""
    found: list[list[Run]] = []
    for run in sorted(runs, key=lambda one: (-one.y, one.x0)):
        for row in reversed(found[-4:]):
            lead = row[0]
            if abs(lead.y - run.y) <= _BASELINE * max(lead.size, run.size):
                row.append(run)
                break
        else:
            found.append([run])
    return [_joined(sorted(row, key=lambda one: one.x0)) for row in found]


def _joined(row: list[Run]) -> list[Run]:
    out = [row[0]]
    for run in row[1:]:
        last = out[-1]
        size = max(last.size, run.size)
        gap = run.x0 - last.x1
        if gap > _GAP * size or gap < -2 * size:
            out.append(run)
            continue
        apart = gap > _SPACE * size and not last.text.endswith(" ")
        main = last if len(last.text) >= len(run.text) else run
        out[-1] = replace(
            main,
            text=last.text + (" " if apart else "") + run.text,
            x0=last.x0,
            x1=max(last.x1, run.x1),
        )
    return out
