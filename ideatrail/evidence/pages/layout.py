"""Lines of a page in the order in which they are read: title, left column, right column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ideatrail.evidence.pages.runs import Run, rows

_LABEL: Final = re.compile(
    r"[•▪◦●■–*·\u0095-]|\(?[0-9]{1,3}[.)]?|\[[\w+-]{1,12}\]|[A-Z]\.?|[IVX]+\."
)
_NUMBER: Final = re.compile(r"\([A-Z]?\d{1,3}(?:\.\d+)*[a-z]?\)")
_SECTION: Final = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){0,3}|[IVX]+)\.?")


@dataclass(slots=True)
class Line:
    """One line of one column."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    mono: bool
    page: int
    """From 1."""
    left: float = 0.0
    """Edges of its column."""
    right: float = 0.0
    column: int = 0
    """Counts all columns of the document, in order of reading."""
    cells: int = 1
    """More than one: it is a row of a table, its cells parted by ` | `."""


def lines_of(runs: list[Run], page: int, first_column: int) -> list[Line]:
    """The lines of one page; columns are counted from `first_column`."""
    if not runs:
        return []
    table = rows(runs)
    gutter = _gutter(table)
    bands: list[list[list[Run]]] = [table]
    if gutter is not None:
        bands = list(_bands(table, gutter))
    found: list[Line] = []
    column = first_column
    for band in bands:
        made = [_line(row, page, column) for row in band]
        if not made:
            continue
        left, right = _edges(made)
        for line in made:
            line.left, line.right = left, right
        found += made
        column += 1
    return found


def _gutter(table: list[list[Run]]) -> float | None:
    """Where the space between two columns runs; None where there is but one column."""
    segments = [run for row in table for run in row]
    left = _share((run.x0 for run in segments), 0.02)
    right = _share((run.x1 for run in segments), 0.98)
    width = right - left
    if width <= 0 or len(segments) < 12:
        return None
    best: tuple[int, float] | None = None
    free: list[float] = []
    step = width / 200
    for number in range(60, 141):
        x = left + number * step
        crossing = sum(run.x0 < x < run.x1 for run in segments)
        if best is None or crossing < best[0]:
            best, free = (crossing, x), [x]
        elif crossing == best[0]:
            free.append(x)
    if best is None:
        return None
    # The widest stretch without text, and its middle.
    stretch: list[float] = []
    longest: list[float] = []
    for x in free:
        stretch = [*stretch, x] if stretch and x - stretch[-1] < step * 1.5 else [x]
        longest = max(longest, stretch, key=len)
    gutter = (longest[0] + longest[-1]) / 2
    filled = [0, 0]
    for run in segments:
        if run.x1 <= gutter:
            filled[0] += run.x1 - run.x0 > 0.6 * (gutter - left)
        elif run.x0 >= gutter:
            filled[1] += run.x1 - run.x0 > 0.6 * (right - gutter)
    if min(filled) < 4 and (min(filled) < 1 or max(filled) < 20):
        return None
    return gutter if best[0] <= 0.4 * sum(filled) + 4 else None


def _bands(table: list[list[Run]], gutter: float) -> Iterable[list[list[Run]]]:
    """Columns in order: what runs over both parts those above from those below."""
    left: list[list[Run]] = []
    right: list[list[Run]] = []
    whole: list[list[Run]] = []
    for row in table:
        if any(run.x0 < gutter - 1 and run.x1 > gutter + 1 for run in row):
            if left or right:
                yield from (left, right)
                left, right = [], []
            whole.append(row)
            continue
        if whole:
            yield whole
            whole = []
        for side, part in (
            (left, [run for run in row if run.x1 <= gutter + 1]),
            (right, [run for run in row if run.x1 > gutter + 1]),
        ):
            if part:
                side.append(part)
    yield from (whole, left, right)


def _line(row: list[Run], page: int, column: int) -> Line:
    texts = [run.text.strip() for run in row]
    texts = [text for text in texts if text] or [""]
    cells = len(texts)
    if cells > 1 and _NUMBER.fullmatch(texts[-1]):
        texts[-2:] = [f"{texts[-2]} {texts[-1]}"]  # the number of an equation
    if len(texts) == 2 and (_LABEL.fullmatch(texts[0]) or _SECTION.fullmatch(texts[0])):
        texts = [" ".join(texts)]
    weight = sum(len(run.text) for run in row) or 1
    main = max(row, key=lambda run: len(run.text))
    return Line(
        text=" | ".join(texts),
        x0=row[0].x0,
        x1=row[-1].x1,
        y=main.y,
        size=main.size,
        bold=sum(len(run.text) for run in row if run.bold) > 0.8 * weight,
        mono=sum(len(run.text) for run in row if run.mono) > 0.8 * weight,
        page=page,
        column=column,
        cells=len(texts),
    )


def _edges(lines: list[Line]) -> tuple[float, float]:
    """Where most lines of a column begin, and where full ones end."""
    wide = [line for line in lines if line.cells == 1] or lines
    starts = Counter(round(line.x0) for line in wide)
    most = max(starts.values())
    left = min(x for x, count in starts.items() if count * 3 >= most)
    return float(left), _share((line.x1 for line in wide), 0.9)


def _share(values: Iterable[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
