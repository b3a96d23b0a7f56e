"""Papers as web pages and PDFs, made from given sentences; what stands in them is known exactly.

Tests and benchmarks import it.
"""

from __future__ import annotations

import html
import io
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

SECTIONS = (
    "Introduction", "Related Work", "Method", "Data", "Experiments", "Results", "Analysis",
    "Limitations", "Conclusion",
)  # fmt: skip
SUBJECTS = (
    "The decoder",
    "Each annotator",
    "Our estimate",
    "The weaker baseline",
    "A held-out set",
)
VERBS = ("changes", "loses", "keeps", "separates", "recovers", "ignores")
OBJECTS = (
    "most of the margin",
    "rare labels",
    "the source order",
    "longer spans",
    "its own errors",
)
TAILS = (
    "when the domain shifts", "under a fixed budget", "across all five languages",
    "although training data doubles", "before any tuning is done", "in both directions",
)  # fmt: skip


@dataclass
class Made:
    """A page's bytes and what a reader should find in it."""

    body: bytes
    content_type: str
    title: str
    authors: tuple[str, ...]
    sections: list[tuple[str, list[str]]] = field(default_factory=list)

    @property
    def paragraphs(self) -> list[str]:
        """The text without headings."""
        return [p for _, paragraphs in self.sections for p in paragraphs]


def sentences_for(seed: int, count: int) -> list[str]:
    """Sentences that say different things."""
    rng = random.Random(seed)
    return [
        f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)} {rng.choice(TAILS)}, "
        f"by {rng.randint(1, 99)}.{rng.randint(0, 9)} points in run {number}."
        for number in range(count)
    ]


def text_of(
    seed: int, chars: int = 30_000, sentences: Sequence[str] | None = None
) -> list[tuple[str, list[str]]]:
    """Sections with paragraphs, of `chars` characters and more. Given sentences are recombined."""
    rng = random.Random(seed)
    pool = list(sentences) if sentences else sentences_for(seed, 400)
    sections: list[tuple[str, list[str]]] = []
    each = chars // len(SECTIONS) + 1
    for name in SECTIONS:
        paragraphs: list[str] = []
        length = 0
        while length < each:
            paragraph = " ".join(rng.choice(pool) for _ in range(rng.randint(3, 6)))
            paragraphs.append(paragraph)
            length += len(paragraph)
        sections.append((name, paragraphs))
    return sections


def html_paper(
    seed: int = 0,
    chars: int = 30_000,
    *,
    title: str = "Counting What Readers Leave Out",
    authors: Sequence[str] = ("Ada Example", "Bo Sample"),
    date: str = "2018/05/04",
    doi: str = "",
    sentences: Sequence[str] | None = None,
    abstract: str = "",
    beside: bool = True,
    inside: str = "",
) -> Made:
    """A publisher's page; `inside` is markup put in the middle of the text."""
    sections = text_of(seed, chars, sentences)
    if abstract:
        sections.insert(0, ("Abstract", [abstract]))
    out = [
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'>",
        f"<title>{html.escape(title)} | The Journal</title>",
        f"<meta name='citation_title' content='{html.escape(title, quote=True)}'>",
        *(f"<meta name='citation_author' content='{html.escape(a)}'>" for a in authors),
        f"<meta name='citation_publication_date' content='{date}'>",
        "<meta name='citation_journal_title' content='The Journal of Examples'>",
        f"<meta name='citation_doi' content='{doi}'>" if doi else "",
        "</head><body>",
    ]
    if beside:
        out.append(
            "<header><nav><ul><li><a href='/'>Home</a></li><li><a href='/issues'>Issues</a></li>"
            "</ul></nav></header><div class='cookie'>We use cookies to improve the site.</div>"
        )
    out.append(f"<main><article><h1>{html.escape(title)}</h1>")
    for number, (name, paragraphs) in enumerate(sections):
        out.append(f"<section><h2>{html.escape(name)}</h2>")
        out += [f"<p>{html.escape(p)}</p>" for p in paragraphs]
        if number == len(sections) // 2:
            out.append(inside)
        out.append("</section>")
    out.append("</article></main>")
    if beside:
        out.append(
            "<aside class='related'><h3>Related articles</h3><ul><li>Some Later Paper Nobody "
            "Asked For</li></ul></aside><footer>Copyright. Privacy. Imprint.</footer>"
        )
    out.append("</body></html>")
    body = "\n".join(out).encode()
    return Made(body, "text/html; charset=utf-8", title, tuple(authors), sections)


def pdf_paper(
    seed: int = 0,
    chars: int = 30_000,
    *,
    title: str = "Counting What Readers Leave Out",
    authors: Sequence[str] = ("Ada Example", "Bo Sample"),
    sentences: Sequence[str] | None = None,
    abstract: str = "",
    columns: int = 2,
    head: str = "The Journal of Examples, vol. 3",
    hidden: Sequence[tuple[str, str]] = (),
) -> Made:
    """A typeset paper. `hidden` is (how, text) on the first page: `white`, `invisible`, `tiny`,
    `outside`."""
    sections = text_of(seed, chars, sentences)
    if abstract:
        sections.insert(0, ("Abstract", [abstract]))
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=True)
    canvas.setTitle("Template for the proceedings")
    page = _Page(canvas, columns, head)
    page.heading(title, 17)
    page.line(", ".join(authors), 11)
    for how, text in hidden:
        page.hide(how, text)
    for number, (name, paragraphs) in enumerate(sections):
        page.heading(f"{number + 1} {name}", 13)
        for paragraph in paragraphs:
            page.paragraph(paragraph)
    canvas.showPage()
    canvas.save()
    return Made(out.getvalue(), "application/pdf", title, tuple(authors), sections)


class _Page:
    """Sets lines into columns, with hyphens at some line ends, running heads and page numbers."""

    def __init__(self, canvas: Canvas, columns: int, head: str) -> None:
        self._canvas, self._head, self._columns = canvas, head, columns
        self._width = (A4[0] - 100 - 20 * (columns - 1)) / columns
        self._number = 0
        self._turn()

    def _turn(self) -> None:
        if self._number:
            self._canvas.showPage()
        self._number += 1
        self._canvas.setFont("Times-Italic", 9)
        self._canvas.drawString(50, A4[1] - 30, self._head)
        self._canvas.drawCentredString(A4[0] / 2, 25, str(self._number))
        self._column, self._y = 0, A4[1] - 60

    def line(self, text: str, size: float = 10, indent: float = 0) -> None:
        if self._y < 60:
            self._column += 1
            self._y = A4[1] - 60
            if self._column == self._columns:
                self._turn()
        x = 50 + self._column * (self._width + 20)
        self._canvas.setFont("Times-Roman", size)
        self._canvas.drawString(x + indent, self._y, text)
        self._y -= size * 1.2

    def heading(self, text: str, size: float) -> None:
        self._y -= 8
        for piece in self._broken(text, size):
            self.line(piece, size)
        self._y -= 4

    def paragraph(self, text: str) -> None:
        for number, piece in enumerate(self._broken(text, 10, first=12)):
            self.line(piece, 10, 12 if number == 0 else 0)

    def hide(self, how: str, text: str) -> None:
        canvas = self._canvas
        canvas.saveState()
        x, y, size = 60.0, 300.0, 10.0
        drawing = canvas.beginText()
        if how == "white":
            drawing.setFillColorRGB(1, 1, 1)
        elif how == "invisible":
            drawing.setTextRenderMode(3)
        elif how == "tiny":
            size = 0.5
        elif how == "outside":
            x = -900.0
        drawing.setTextOrigin(x, y)
        drawing.setFont("Times-Roman", size)
        drawing.textLine(text)
        canvas.drawText(drawing)
        canvas.restoreState()

    def _broken(self, text: str, size: float, first: float = 0) -> list[str]:
        lines: list[str] = []
        held = ""
        for word in text.split():
            room = self._width - (first if not lines else 0)
            wider = f"{held} {word}".strip()
            if self._canvas.stringWidth(wider, "Times-Roman", size) <= room:
                held = wider
                continue
            cut = len(word) // 2
            part = f"{held} {word[:cut]}-".strip()
            whole = len(word) > 8 and word.isalpha() and size == 10
            if whole and self._canvas.stringWidth(part, "Times-Roman", size) <= room:
                lines.append(part)
                held = word[cut:]
            else:
                lines.append(held)
                held = word
        return [*lines, held]
