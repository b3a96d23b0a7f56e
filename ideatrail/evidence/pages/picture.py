"""A PDF page as it is drawn: what leaves no ink there is no text."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium

CONTRAST: Final = 14
"""Of 255: less than this no eye tells apart."""
_DARK: Final = 128
"""Ink below this is looked for on any paper."""
_MAX_OBJECTS: Final = 40_000
_MAX_IMAGE: Final = 60_000_000
_MAX_PIXELS: Final = 2_000_000

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The page in shades of grey."""

    pixels: memoryview
    width: int
    height: int
    stride: int
    scale: float
    left: float
    top: float

    @classmethod
    def of(cls, page: pypdfium2.PdfPage, bounds: Box) -> Picture | None:
        """None where drawing it would take too much."""
        if pdfium.FPDFPage_CountObjects(page) > _MAX_OBJECTS or _image_pixels(page) > _MAX_IMAGE:
            return None
        wide, high = bounds[2] - bounds[0], bounds[3] - bounds[1]
        if not (0 < wide < 20_000 and 0 < high < 20_000):
            return None
        scale = min(1.5, math.sqrt(_MAX_PIXELS / (wide * high)))
        turned = page.get_rotation()
        # Drawn as it lies, so that places on the page are places in the picture.
        bitmap = page.render(
            scale=scale, rotation=(360 - turned) % 360, grayscale=True, may_draw_forms=False
        )
        if bitmap.n_channels != 1:
            return None
        data = memoryview(bytes(bitmap.buffer))
        return cls(data, bitmap.width, bitmap.height, bitmap.stride, scale, bounds[0], bounds[3])

    def shows(self, box: Box, light: float) -> bool:
        """Whether anything of a run in a colour of this lightness is seen in its box."""
        x0 = max(0, math.floor((box[0] - self.left) * self.scale))
        x1 = min(self.width, math.ceil((box[2] - self.left) * self.scale) + 1)
        y0 = max(0, math.floor((self.top - box[3]) * self.scale))
        y1 = min(self.height, math.ceil((self.top - box[1]) * self.scale) + 1)
        if x0 >= x1 or y0 >= y1:
            return False
        lines = [self.pixels[y * self.stride + x0 : y * self.stride + x1] for y in range(y0, y1)]
        darkest, lightest = min(map(min, lines)), max(map(max, lines))
        if lightest - darkest < CONTRAST:
            return False
        if light < _DARK:
            return True
        # Light ink needs paper of another shade: other text in the same place is not enough.
        alike = _alike(round(light))
        same = sum(line.tobytes().translate(alike).count(1) for line in lines)
        return same * 2 < len(lines) * (x1 - x0)


@lru_cache(maxsize=128)
def _alike(light: int) -> bytes:
    """For each shade whether it looks like this one: 1 or 0."""
    return bytes(abs(shade - light) <= CONTRAST for shade in range(256))


def objects(page: pypdfium2.PdfPage) -> Iterator[Any]:
    """The page's own objects, not those inside of others."""
    for i in range(min(pdfium.FPDFPage_CountObjects(page), _MAX_OBJECTS)):
        yield pdfium.FPDFPage_GetObject(page, i)


def _image_pixels(page: pypdfium2.PdfPage) -> int:
    total = 0
    wide, high = ctypes.c_uint(), ctypes.c_uint()
    for thing in objects(page):
        if pdfium.FPDFPageObj_GetType(thing) == pdfium.FPDF_PAGEOBJ_IMAGE:
            got = pdfium.FPDFImageObj_GetImagePixelSize(
                thing, ctypes.byref(wide), ctypes.byref(high)
            )
            total += wide.value * high.value if got else 0
    return total
