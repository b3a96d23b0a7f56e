"""Running heads and page numbers: what stands in one place on page after page."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from ideatrail.evidence.pages.runs import Run

_EDGE: Final = 3
"""Lines from the top and from the bottom of a page that are looked at."""
_DIGITS: Final = re.compile(r"\d+")
_NUMBER: Final = re.compile(
    r"(?:page\s*)?[-–—|]?\s*(?:\d{1,4}|[ivxl]{1,6})\s*[-–—|]?(?:\s*(?:of|/)\s*\d{1,4})?", re.I
)
_MARGIN: Final = 0.08
"""Of the page's height: where a lone number is the page's, whatever other pages have."""

Row = tuple[float, str]
"""Height of a line above the page's lower edge, and its text."""


def without_furniture(pages: list[list[Run]], heights: list[float]) -> list[list[Run]]:
    """Each page's runs without what is the volume's and not the text's."""
    edges = [_edge(runs) for runs in pages]
    seen = Counter(key for edge in edges for key in {_key(row) for row in edge})
    enough = 3 if len(pages) > 5 else 2
    kept: list[list[Run]] = []
    for runs, edge, height in zip(pages, edges, heights, strict=True):
        doomed = {
            y for y, text in edge if seen[_key((y, text))] >= enough or _is_number(y, text, height)
        }
        kept.append([run for run in runs if run.turn or round(run.y) not in doomed])
    return kept


def _edge(runs: list[Run]) -> list[Row]:
    by_line: dict[int, list[Run]] = {}
    for run in runs:
        if not run.turn:
            by_line.setdefault(round(run.y), []).append(run)
    order = sorted(by_line)
    chosen = dict.fromkeys([*order[:_EDGE], *order[-_EDGE:]])
    return [
        (y, " ".join(run.text.strip() for run in sorted(by_line[y], key=lambda r: r.x0)))
        for y in chosen
    ]


def _key(row: Row) -> tuple[int, str]:
    return round(row[0] / 3), _DIGITS.sub("#", row[1].casefold())


def _is_number(y: float, text: str, height: float) -> bool:
    low, high = _MARGIN * height, (1 - _MARGIN) * height
    return (y < low or y > high) and _NUMBER.fullmatch(text.strip()) is not None
