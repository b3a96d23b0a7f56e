"""Papers as PDF files: `maker.pdf_paper` is the way in."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from typing import Final

from maker import CANARY, Block, Content
from reportlab.lib.colors import Color, white
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

WIDTH: Final = 595.0
HEIGHT: Final = 842.0
_MARGIN: Final = 60.0
_GUTTER: Final = 18.0
_LEADING: Final = 1.2
HIDDEN: Final = ("white", "invisible", "tiny", "off-page", "transparent", "covered", "clipped")
"""Text that no reader sees, by the way in which it is hidden."""

Piece = tuple[float, str]
"""Offset from the column's edge, and text."""


def fold(text: str) -> str:
    """`text` in the letters that the standard fonts have."""
    plain = text.replace("–", "-").replace("—", "-").replace("’", "'").replace("‘", "'")
    plain = plain.replace("“", '"').replace("”", '"')
    try:
        plain.encode("latin-1")
        return plain
    except UnicodeEncodeError:
        parts = unicodedata.normalize("NFKD", plain)
        return parts.encode("latin-1", "ignore").decode("latin-1")


def document(
    paper: Content, columns: int, hidden: Sequence[str], later: str, hyphens: bool
) -> bytes:
    """The whole file."""
    out = BytesIO()
    canvas = Canvas(out, pagesize=(WIDTH, HEIGHT), invariant=1)
    canvas.setTitle(paper.title)
    canvas.setAuthor(", ".join(paper.authors))
    setter = _Setter(canvas, paper.title, columns, hidden, hyphens)
    setter.front(paper)
    for number, block in enumerate(paper.blocks):
        if later and number == len(paper.blocks) // 2:
            setter.block(Block("paragraph", later))
        setter.block(block)
    setter.close()
    canvas.save()
    return out.getvalue()


class _Setter:
    """Sets lines into columns and pages."""

    def __init__(
        self, canvas: Canvas, head: str, columns: int, hidden: Sequence[str], hyphens: bool
    ) -> None:
        self._canvas = canvas
        self._head = fold(head)
        self._columns = columns
        self._hidden = list(hidden)
        self._hyphens = hyphens
        self._page = 1
        self._column = 0
        self._top = HEIGHT - _MARGIN
        self._y = self._top

    @property
    def _width(self) -> float:
        return (WIDTH - 2 * _MARGIN - _GUTTER * (self._columns - 1)) / self._columns

    def front(self, paper: Content) -> None:
        """Title, authors and abstract, over the whole width."""
        wide = WIDTH - 2 * _MARGIN
        for text, font, size in (
            (paper.title, "Times-Bold", 17.0),
            (", ".join(paper.authors), "Times-Roman", 11.0),
            ("Abstract", "Times-Bold", 11.0),
            (paper.abstract, "Times-Roman", 10.0),
        ):
            for line in _broken(fold(text), font, size, wide, 0.0, self._hyphens):
                self._canvas.setFont(font, size)
                self._y -= size * _LEADING
                self._canvas.drawString(_MARGIN, self._y, line[0][1])
            self._y -= 9
        self._top = self._y - 6
        self._y = self._top

    def block(self, block: Block) -> None:
        """One block, over as many columns as it needs."""
        text = fold(block.text)
        if block.tag == "heading":
            size = 12.0 if block.level == 2 else 10.5
            self._lines([[(0.0, text)]], "Times-Bold", size, before=8, keep=3)
        elif block.tag == "row":
            step = 0.6 * self._width / (len(block.cells) - 1)
            first, *others = map(fold, block.cells)
            cells = [(0.0, first)]
            cells += [(0.4 * self._width + step * i, cell) for i, cell in enumerate(others)]
            self._lines([cells], "Times-Roman", 9.0)
        else:
            indent = 12.0 if block.tag == "paragraph" else 0.0
            if block.tag == "item":
                text = f"\x95 {text}"  # the bullet of the standard encoding
            size = 9.0 if block.tag in ("caption", "reference") else 10.0
            before = 0.0 if block.tag == "paragraph" else 5.0
            lines = _broken(text, "Times-Roman", size, self._width, indent, self._hyphens)
            self._lines(list(lines), "Times-Roman", size, before=before)
            self._y -= 5.0 if block.tag in ("maths", "caption", "item") else 0.0

    def close(self) -> None:
        """Finishes the last page."""
        self._finish()

    def _lines(
        self, lines: list[list[Piece]], font: str, size: float, before: float = 0.0, keep: int = 1
    ) -> None:
        self._y -= before
        for line in lines:
            if self._y - size * _LEADING * keep < _MARGIN:
                self._turn()
            self._y -= size * _LEADING
            left = _MARGIN + self._column * (self._width + _GUTTER)
            self._canvas.setFont(font, size)
            for offset, text in line:
                self._canvas.drawString(left + offset, self._y, text)

    def _turn(self) -> None:
        if self._column + 1 < self._columns:
            self._column += 1
        else:
            self._finish()
            self._canvas.showPage()
            self._page += 1
            self._column = 0
            self._top = HEIGHT - _MARGIN
        self._y = self._top

    def _finish(self) -> None:
        canvas = self._canvas
        canvas.setFont("Times-Italic", 8.5)
        if self._page > 1:
            canvas.drawString(_MARGIN, HEIGHT - 38, self._head[:80])
        canvas.drawCentredString(WIDTH / 2, 30, str(self._page))
        if self._hidden:
            self._trap(self._hidden.pop(0))

    def _trap(self, name: str) -> None:
        """One line of hidden text below the body's, or where its way of hiding puts it."""
        canvas, text = self._canvas, f"{CANARY}-{name}."
        canvas.saveState()
        canvas.setFont("Times-Roman", 0.5 if name == "tiny" else 10)
        x, y = (-900.0, 400.0) if name == "off-page" else (_MARGIN, 46.0)
        if name == "white":
            canvas.setFillColor(white)
        elif name == "transparent":
            canvas.setFillColor(Color(0, 0, 0, alpha=0))
        elif name == "clipped":
            path = canvas.beginPath()
            path.rect(10, 10, 1, 1)
            canvas.clipPath(path, stroke=0)
        if name == "invisible":
            line = canvas.beginText(x, y)
            line.setTextRenderMode(3)
            line.textOut(text)
            canvas.drawText(line)
        else:
            canvas.drawString(x, y, text)
        if name == "covered":
            canvas.setFillColor(white)
            canvas.rect(x - 2, y - 4, 400, 15, stroke=0, fill=1)
        canvas.restoreState()


@lru_cache(maxsize=65_536)
def _wide(word: str, font: str, size: float) -> float:
    return float(stringWidth(word, font, size))


def _broken(
    text: str, font: str, size: float, width: float, indent: float, hyphens: bool
) -> Iterator[list[Piece]]:
    """`text` in lines; long words are broken at their middle where that fills a line."""
    space = _wide(" ", font, size)
    line: list[str] = []
    used = indent
    waiting = text.split(" ")[::-1]
    while waiting:
        word = waiting.pop()
        need = _wide(word, font, size)
        if used + need <= width:
            line.append(word)
            used += need + space
            continue
        half = len(word) // 2
        if hyphens and len(word) > 8 and word.isalpha() and word.islower():
            first = f"{word[:half]}-"
            if used + _wide(first, font, size) <= width:
                line.append(first)
                waiting.append(word[half:])
                word = ""
        if not line and word:
            yield [(indent, word)]
            indent, used = 0.0, 0.0
            continue
        yield [(indent, " ".join(line))]
        line, indent, used = [], 0.0, 0.0
        if word:
            waiting.append(word)
    if line:
        yield [(indent, " ".join(line))]
