"""What stands on one PDF page, as far as it is seen.

What leaves no ink is no text: a run counts only if the page, once drawn, shows something where it
stands. That finds white, transparent, covered and clipped text by one rule, whatever the way.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium

from ideatrail.evidence.pages.clean import clean
from ideatrail.evidence.pages.picture import CONTRAST, Box, Picture, objects
from ideatrail.evidence.pages.runs import Run

MAX_CHARS: Final = 200_000
"""Of one page."""
_TINY: Final = 2.5
"""Points; below this no one reads it in print."""
_MAX_LINKS: Final = 500
_UNSEEN_MODES: Final = (3, 7)
"""Neither filled nor stroked; clipping alone."""
_STROKED: Final = (1, 5)
_BOLD: Final = re.compile(r"bold|black|heavy|demi|medi(?!um)|cmbx|cmssbx|-bd|sfbx", re.IGNORECASE)
_MONO: Final = re.compile(r"mono|courier|typewriter|consol|menlo|cmtt|sftt|lmtt", re.IGNORECASE)
_LETTERS: Final = {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl"}
_LETTERS.update({"\ufb05": "st", "\ufb06": "st", "\x02": "-", "\u00a0": " "})


@dataclass(slots=True)
class PageRuns:
    """What one page holds."""

    runs: list[Run] = field(default_factory=list)
    height: float = 0.0
    hidden: int = 0
    """Runs left out because no one sees them."""
    unseen: int = 0
    """Characters without a shape that were left out."""
    scanned: bool = False
    """Whether its text is what was recognised in a picture of the page."""
    unchecked: bool = False
    """Whether it was too heavy to be drawn, so that only colours and modes were looked at."""
    skewed: int = 0
    """Runs left out because they stand at an angle: stamps across the page."""
    links: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Ink:
    """How one text object is drawn."""

    seen: bool
    """Not transparent, and not too small to be read."""
    invisible: bool
    """By its mode: neither filled nor stroked."""
    light: float
    """Of its colour, 0 to 255."""
    size: float
    """In points, as it is drawn."""
    bold: bool
    mono: bool
    turn: int | None
    """None: at an angle."""


def page_runs(document: pypdfium2.PdfDocument, number: int) -> PageRuns:
    """The text of page `number`, from 0. Raises pypdfium2.PdfiumError where it cannot be loaded."""
    page = document[number]
    bounds = page.get_bbox()
    found = PageRuns(height=bounds[3] - bounds[1])
    read = _read(page)
    invisible = [run for run, ink in read if ink.invisible]
    drawn = [(run, ink) for run, ink in read if not ink.invisible]
    size = sum(len(run.text) for run, _ in drawn)
    if sum(len(run.text) for run in invisible) > 10 * size and _has_picture(page, bounds):
        # Nearly all of it lies unseen over a picture: recognised text, the only one there is.
        found.scanned = True
        drawn, invisible = read, []
    found.hidden = len(invisible)
    picture = None if found.scanned or not drawn else Picture.of(page, bounds)
    found.unchecked = picture is None and bool(drawn) and not found.scanned
    for run, ink in drawn:
        shown = found.scanned or (ink.seen and _inside(run.box, bounds))
        if ink.turn is None:
            found.skewed += 1
        elif not shown or (picture is not None and not picture.shows(run.box, ink.light)):
            found.hidden += 1
        else:
            run.text, unseen = clean(run.text)
            found.unseen += unseen
            found.runs.append(run)
    found.links = list(_links(document, page))
    page.close()
    return found


def _read(page: pypdfium2.PdfPage) -> list[tuple[Run, _Ink]]:
    text = page.get_textpage()
    inks: dict[int, _Ink] = {}
    found: list[tuple[Run, _Ink]] = []
    x, y, rect = ctypes.c_double(), ctypes.c_double(), pdfium.FS_RECTF()
    to_x, to_y, to_rect = ctypes.byref(x), ctypes.byref(y), ctypes.byref(rect)
    raw = text.raw
    space = broken = True
    run, last = Run("", 0.0, 0.0, 0.0, 0.0), None
    for i in range(min(text.count_chars(), MAX_CHARS)):
        char = chr(pdfium.FPDFText_GetUnicode(raw, i))
        if pdfium.FPDFText_IsGenerated(raw, i) == 1:
            space, broken = True, broken or char in "\r\n"
            continue
        if char.isspace():
            space = True
            continue
        if char in "\x00\ufffe\uffff":
            continue
        thing = pdfium.FPDFText_GetTextObject(raw, i)
        key = ctypes.addressof(thing.contents) if thing else 0
        ink = inks.get(key)
        if ink is None:
            ink = inks[key] = _ink(thing, raw, i)
        pdfium.FPDFText_GetLooseCharBox(raw, i, to_rect)
        pdfium.FPDFText_GetCharOrigin(raw, i, to_x, to_y)
        box = (rect.left, rect.bottom, rect.right, rect.top)
        x0, x1, base = _upright(box, x.value, y.value, ink.turn or 0)
        char = _LETTERS.get(char, char)
        step, size = x0 - run.x1, ink.size
        joins = not broken and ink == last and -0.5 * size < step < size
        if joins and abs(base - run.y) < 0.2 * size:
            run.text += f" {char}" if space else char
            run.x1 = max(run.x1, x1)
            run.box = (*run.box[:2], *box[2:]) if not ink.turn else _around(run.box, box)
        elif math.isfinite(x0 + x1 + base + size):
            if space and not broken:
                run.text += " "
            run = Run(char, x0, x1, base, size, ink.bold, ink.mono, ink.turn or 0, box)
            found.append((run, ink))
            last = ink
        space = broken = False
    text.close()
    return found


def _ink(thing: Any, text: Any, index: int) -> _Ink:
    angle = math.degrees(pdfium.FPDFText_GetCharAngle(text, index)) % 360
    quarters = round(angle / 90)
    turn = quarters % 4 if abs(angle - quarters * 90) < 5 else None
    matrix = pdfium.FS_MATRIX()
    scale = 1.0
    if pdfium.FPDFText_GetMatrix(text, index, ctypes.byref(matrix)):
        scale = math.hypot(matrix.c, matrix.d)
    size = pdfium.FPDFText_GetFontSize(text, index) * scale
    if not thing:
        return _Ink(size >= _TINY, False, 0.0, size, False, False, turn)
    mode = pdfium.FPDFTextObj_GetTextRenderMode(thing)
    parts = [ctypes.c_uint(0) for _ in range(4)]
    get = pdfium.FPDFPageObj_GetStrokeColor if mode in _STROKED else pdfium.FPDFPageObj_GetFillColor
    known = get(thing, *map(ctypes.byref, parts))
    red, green, blue, alpha = (part.value for part in parts) if known else (0, 0, 0, 255)
    light = 0.299 * red + 0.587 * green + 0.114 * blue
    font = pdfium.FPDFTextObj_GetFont(thing)
    name = ""
    if font:
        buffer = ctypes.create_string_buffer(200)
        pdfium.FPDFFont_GetBaseFontName(font, buffer, 200)
        name = buffer.value.decode("latin-1")
    bold, mono = bool(_BOLD.search(name)), bool(_MONO.search(name))
    seen = alpha > CONTRAST and size >= _TINY
    return _Ink(seen, mode in _UNSEEN_MODES, light, size, bold, mono, turn)


def _upright(box: Box, x: float, y: float, turn: int) -> tuple[float, float, float]:
    """Left, right and baseline as the text's own reader has them."""
    left, bottom, right, top = box
    if turn == 1:
        return -top, -bottom, x
    if turn == 2:
        return -right, -left, -y
    return (bottom, top, -x) if turn == 3 else (left, right, y)


def _around(one: Box, other: Box) -> Box:
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def _inside(box: Box, bounds: Box) -> bool:
    """Whether the middle of a run is on the page."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return bounds[0] <= x <= bounds[2] and bounds[1] <= y <= bounds[3]


def _has_picture(page: pypdfium2.PdfPage, bounds: Box) -> bool:
    """Whether an image covers half of the page."""
    area = (bounds[2] - bounds[0]) * (bounds[3] - bounds[1])
    edges = [ctypes.c_float() for _ in range(4)]
    for thing in objects(page):
        if pdfium.FPDFPageObj_GetType(thing) != pdfium.FPDF_PAGEOBJ_IMAGE:
            continue
        if pdfium.FPDFPageObj_GetBounds(thing, *map(ctypes.byref, edges)):
            left, bottom, right, top = (edge.value for edge in edges)
            if (right - left) * (top - bottom) >= area / 2:
                return True
    return False


def _links(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage) -> Iterator[str]:
    """Addresses of the page's link annotations."""
    start = ctypes.c_int(0)
    link = pdfium.FPDF_LINK()
    buffer = ctypes.create_string_buffer(2_048)
    for _ in range(_MAX_LINKS):
        if not pdfium.FPDFLink_Enumerate(page, ctypes.byref(start), ctypes.byref(link)):
            return
        action = pdfium.FPDFLink_GetAction(link)
        if action and pdfium.FPDFAction_GetURIPath(document, action, buffer, 2_048):
            yield buffer.value.decode("utf-8", "replace")
