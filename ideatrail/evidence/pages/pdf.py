"""PDF files: all pages, in paragraphs, with `[page 3]` where a page begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pypdfium2

from ideatrail.evidence.pages.clean import clean, one_line
from ideatrail.evidence.pages.finish import MAX_CHARS, finish
from ideatrail.evidence.pages.flow import Paragraph, paragraphs
from ideatrail.evidence.pages.furniture import without_furniture
from ideatrail.evidence.pages.glyphs import PageRuns, page_runs
from ideatrail.evidence.pages.layout import Line, lines_of
from ideatrail.evidence.pages.library import start_afresh
from ideatrail.evidence.pages.page import PageText
from ideatrail.evidence.pages.piece import Piece
from ideatrail.evidence.pages.runs import Run
from ideatrail.evidence.source import Ending, EvidenceError
from ideatrail.evidence.urls import arxiv_url

MAX_PAGES: Final = 2_000
_BARE: Final = re.compile(r"https?://[^\s<>\"'()\[\]{}|\\^`]{3,500}(?<![.,;:!?])")
_STAMP: Final = re.compile(r"arXiv:\s*(\S{7,25}?)(v\d+)?\s+\[[\w.\- ]+\]\s+(\d{1,2} \w{3} \d{4})")
_NO_TITLE: Final = re.compile(
    r"untitled.*|microsoft word.*|.*\.(?:dvi|tex|docx?|pdf|indd)|title|paper|layout \d+", re.I
)
_PASSWORD: Final = 4
_PREFIX: Final = 1024


def read_pdf(body: bytes, url: str) -> PageText:
    """The text of a PDF.

    Raises EvidenceError: `refused` where it is locked, holds pictures only or cannot be read;
    `partial` where it cannot be read and its end is missing.
    """
    whole = b"%%EOF" in body[-2048:]
    failure: Ending = "refused" if whole else "partial"
    start = max(0, body[:_PREFIX].find(b"%PDF-"))
    start_afresh()
    try:
        document = pypdfium2.PdfDocument(body[start:])
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD:
            raise EvidenceError("refused", detail=f"a locked PDF at {url}") from error
        raise EvidenceError(failure, detail=f"a broken PDF at {url}: {error}") from error
    with closing(document):
        piece = _piece(document, whole)
    if piece is None:
        raise EvidenceError(failure, detail=f"no text in {url}")
    return finish(piece, scholarly=False)


def _piece(document: pypdfium2.PdfDocument, whole: bool) -> Piece | None:
    """None where nothing stands in it."""
    number = len(document)
    pages, notes = _pages(document, min(number, MAX_PAGES))
    if number > MAX_PAGES:
        notes.append(f"cut after {MAX_PAGES} pages of {number}")
    if not whole:
        notes.append("the end of the file is missing")
    stamp = _take_stamp(pages[0].runs) if pages else None
    kept = without_furniture([page.runs for page in pages], [page.height for page in pages])
    lines: list[Line] = []
    for index, runs in enumerate(kept):
        lines += _lines(runs, index + 1, lines[-1].column + 1 if lines else 0)
    found = paragraphs(lines)
    if not found:
        return None
    title = _title(found, document)
    piece = Piece(
        lines=list(_marked(found, len(pages))),
        links=[link for page in pages for link in page.links],
        title=title,
        authors=_authors(found, document),
        kind="full text",
        notes=notes,
    )
    for line in piece.lines:
        piece.links += _BARE.findall(line)
    if stamp is not None:
        piece.aliases.append(arxiv_url(stamp[1]))
        # The stamp bears the day of its version; of the first one that is the paper's own.
        piece.date = stamp[3] if stamp[2] in (None, "v1") else ""
    return piece


def _pages(document: pypdfium2.PdfDocument, number: int) -> tuple[list[PageRuns], list[str]]:
    pages: list[PageRuns] = []
    broken = size = 0
    for index in range(number):
        try:
            page = page_runs(document, index)
        except pypdfium2.PdfiumError:
            page = PageRuns()
            broken += 1
        pages.append(page)
        size += sum(len(run.text) for run in page.runs)
        if size > MAX_CHARS:
            break
    hidden, unseen = (sum(getattr(page, n) for page in pages) for n in ("hidden", "unseen"))
    scanned, unchecked, skewed = (
        sum(bool(getattr(page, n)) for page in pages) for n in ("scanned", "unchecked", "skewed")
    )
    said = (
        (hidden, f"hidden text left out ({hidden} place{'s' * (hidden != 1)})"),
        (unseen, f"invisible characters left out ({unseen})"),
        (scanned, f"text recognised in pictures of pages ({scanned})"),
        (unchecked, f"pages too heavy to be looked through for hidden text ({unchecked})"),
        (skewed, f"text at an angle left out ({skewed} pages)"),
        (broken, f"pages that cannot be read ({broken})"),
    )
    return pages, [note for count, note in said if count]


def _lines(runs: list[Run], page: int, column: int) -> list[Line]:
    """Upright text first; then, as its own columns, what stands on its side."""
    found: list[Line] = []
    sizes = {turn: sum(len(r.text) for r in runs if r.turn == turn) for turn in range(4)}
    for turn in sorted(sizes, key=lambda t: (-sizes[t], t)):
        part = [run for run in runs if run.turn == turn]
        found += lines_of(part, page, found[-1].column + 1 if found else column)
    return found


def _take_stamp(runs: list[Run]) -> re.Match[str] | None:
    """arXiv's stamp on the margin of a first page, taken out of its runs."""
    beside = [run for run in runs if run.turn]
    text = one_line(" ".join(run.text for run in beside))
    match = _STAMP.search(text)
    if match is not None:
        runs[:] = [run for run in runs if not run.turn]
    return match


def _marked(found: list[Paragraph], pages: int) -> Iterator[str]:
    page = 0
    for one in found:
        while page < one.page:
            page += 1
            yield f"[page {page}]"
        yield one.line
    while page < pages:
        page += 1
        yield f"[page {page}]"


def _title(found: list[Paragraph], document: pypdfium2.PdfDocument) -> str:
    """What stands largest at the top of the first page; what the file says of itself if the page
    bears it out."""
    first = [one for one in found if one.page == 1]
    said = _metadata(document, "Title")
    if len(said) > 7 and not _NO_TITLE.fullmatch(said):
        top = _folded(" ".join(one.text for one in first[:10]))
        if _folded(said) in top:
            return said
    large = [one for one in first[:12] if one.kind == "heading" and len(one.text) > 7]
    if large:
        return one_line(max(large, key=lambda one: one.size).text)
    return next((one_line(one.text)[:200] for one in first if len(one.text) > 7), "")


def _authors(found: list[Paragraph], document: pypdfium2.PdfDocument) -> tuple[str, ...]:
    """Those that the file names, if the first page does too."""
    top = _folded(" ".join(one.text for one in found if one.page == 1)[:5_000])
    names = re.split(r"\s*(?:[,;]|\band\b)\s*", _metadata(document, "Author"))
    return tuple(name for name in names if len(name) > 3 and _folded(name) in top)


def _metadata(document: pypdfium2.PdfDocument, key: str) -> str:
    return one_line(clean(str(document.get_metadata_value(key))[:2_000])[0])


def _folded(text: str) -> str:
    return "".join(re.findall(r"\w", text.casefold()))
