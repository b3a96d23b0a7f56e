"""More pages made to break what reads them; see test_hostile."""

# ruff: noqa: E501 - markup is read best as it stands in pages

from __future__ import annotations

import io
import time
import zlib
from collections.abc import Callable

import maker
import pytest
from outcome import check_ending, outcome
from reportlab.pdfgen.canvas import Canvas
from test_hostile import PAGES, PARAGRAPH, pdf, stream

from ideatrail.evidence.pages import read_page
from ideatrail.evidence.pages.finish import MAX_CHARS
from ideatrail.evidence.source import EvidenceError

URL = "https://x.example/page"
HTML = "text/html"
PDF = "application/pdf"
IMAGE = (
    b"<< /Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace"
    b" /DeviceGray /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream"
)
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources"
    b" << /XObject << /X 5 0 R >> /Font << /F 6 0 R >> >> >>"
)
WORDS = b"BT /F 12 Tf 50 700 Td (A sentence on a hostile page.) Tj ET "


def large_image() -> bytes:
    packed = zlib.compress(b"\x00" * 1_000_000)
    image = IMAGE % (len(packed), packed)
    return pdf(*PAGES[:2], PAGE, stream(WORDS + b"500 0 0 500 0 0 cm /X Do"), image, FONT)


def form_in_itself() -> bytes:
    form = (
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /X 5 0 R"
        b" >> >> /Length 5 >>\nstream\n/X Do\nendstream"
    )
    return pdf(*PAGES[:2], PAGE, stream(WORDS + b"/X Do"), form, FONT)


def huge_numbers() -> bytes:
    text = b"1e38 0 0 -1e38 1e38 0 cm " + WORDS + b"BT /F 1e30 Tf (x) Tj ET"
    return pdf(*PAGES[:2], PAGE, stream(text), FONT, FONT)


def many_paths() -> bytes:
    return pdf(*PAGES[:2], PAGE, stream(b"0 0 m 9 9 l S " * 400_000 + WORDS), FONT, FONT)


def many_letters() -> bytes:
    line = b"BT /F 1 Tf 5 700 Td (" + b"all work " * 3_000 + b") Tj ET "
    return pdf(*PAGES[:2], PAGE, stream(line * 100), FONT, FONT)


def xref_in_a_circle() -> bytes:
    body = maker.pdf_paper(1, 4_000)
    at = body.rindex(b"startxref")
    return body.replace(b"/Size", b"/Prev %d /Size" % body.rindex(b"xref", 0, at), 1)


def nested_page(width: bytes) -> bytes:
    return pdf(PAGES[0], PAGES[1], b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s 9] /Contents"
               b" 4 0 R >>" % width, stream(WORDS))  # fmt: skip


def locked_for_reading_only() -> bytes:
    from reportlab.lib.pdfencrypt import StandardEncryption

    out = io.BytesIO()
    canvas = Canvas(out, encrypt=StandardEncryption("", "owner", strength=128, canCopy=0))
    canvas.drawString(100, 100, "Readers need no password for this sentence.")
    canvas.save()
    return out.getvalue()


KINDS: dict[str, Callable[[], tuple[bytes, str | None]]] = {
    "fifty megabytes in one line": lambda: (b"word " * 10_000_000, "text/plain"),
    "seventy megabytes": lambda: (b"<p>word " * 9_000_000, HTML),
    "a million line breaks": lambda: (PARAGRAPH + b"<br>" * 700_000, HTML),
    "a million comments": lambda: (b"<!-- a b c d e f -->" * 300_000 + PARAGRAPH, HTML),
    "lists in lists": lambda: (b"<ul><li>" * 1_900 + PARAGRAPH, HTML),
    "formulas in formulas": lambda: (b"<math><mrow>" * 1_500 + b"x" + PARAGRAPH, HTML),
    "related parts in related parts": lambda: (
        b"<div class=related-articles>" * 1_000 + PARAGRAPH * 300,
        HTML,
    ),
    "a class of ten megabytes": lambda: (
        b"<p class='" + b"ad " * 3_000_000 + b"'>" + PARAGRAPH,
        HTML,
    ),
    "media rules in media rules": lambda: (
        b"<style>" + b"@media screen{" * 30_000 + b"</style>" + PARAGRAPH,
        HTML,
    ),
    "selectors without end": lambda: (
        b"<style>" + b".a " * 90_000 + b"{color:red}" + b"a," * 90_000 + b"</style>" + PARAGRAPH,
        HTML,
    ),
    "rules within rules": lambda: (
        b"<style>" + b"@a{}" * 40_000 + b"@a" * 100_000 + b"</style>" + PARAGRAPH,
        HTML,
    ),
    "markdown of headings and rules without end": lambda: (
        b"# x" + b" " * 400_000 + b"y\n\n" + b"-" * 400_000 + b"x\n|" + b"|" * 400_000 + b"x\n",
        "text/markdown",
    ),
    "colours without end": lambda: (
        b"<p style='color:" + b"rgb(" * 100_000 + b"'>" + PARAGRAPH,
        HTML,
    ),
    "bombs of entities in XHTML": lambda: (
        b'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "aaaaaaaaaa">'
        + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12))
        + b"]><html><body><p>&a11;</p>"
        + PARAGRAPH,
        "application/xhtml+xml",
    ),
    "a file of the machine by an entity": lambda: (
        b'<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><p>&x;</p>' + PARAGRAPH,
        "application/xhtml+xml",
    ),
    "one letter with a million marks": lambda: (
        b"<p>a" + "\u0301".encode() * 1_000_000 + PARAGRAPH,
        HTML,
    ),
    "tag characters alone": lambda: ("\U000e0041".encode() * 100_000, "text/plain"),
    "markdown of open brackets": lambda: (b"[" * 500_000 + b"](" * 100_000, "text/markdown"),
    "markdown of open comments": lambda: (b"<!-- " * 200_000, "text/markdown"),
    "markdown of open scripts": lambda: (b"<script " * 100_000 + b"\nx", "text/markdown"),
    "a compressed page": lambda: (b"\x1f\x8b\x08\x00" + b"\x00" * 999, HTML),
    "data for programs": lambda: (b'{"a": [1, 2]}' * 9, "application/json"),
    "a PDF with an image of gigabytes": lambda: (large_image(), PDF),
    "a PDF that draws itself": lambda: (form_in_itself(), PDF),
    "a PDF of numbers without measure": lambda: (huge_numbers(), PDF),
    "a PDF of half a million lines": lambda: (many_paths(), PDF),
    "a PDF of millions of letters": lambda: (many_letters(), PDF),
    "a PDF whose tables go in a circle": lambda: (xref_in_a_circle(), PDF),
    "a PDF page as wide as a town": lambda: (nested_page(b"14400000"), PDF),
    "a PDF page without width": lambda: (nested_page(b"0"), PDF),
    "a PDF of arrays in arrays": lambda: (pdf(b"[" * 500_000), PDF),
    "a PDF locked against copies": lambda: (locked_for_reading_only(), PDF),
    "a PDF after a page of HTML": lambda: (PARAGRAPH + maker.pdf_paper(1, 4_000), PDF),
}
READ = {
    "a million comments", "related parts in related parts",
    "media rules in media rules", "rules within rules", "selectors without end", "colours without end",
    "bombs of entities in XHTML", "a file of the machine by an entity",
    "a PDF with an image of gigabytes", "a PDF that draws itself", "a PDF of half a million lines",
    "a PDF locked against copies", "a PDF whose tables go in a circle",
}  # fmt: skip
"""Those of which a reader sees the text in full."""


@pytest.mark.parametrize("kind", KINDS)
async def test_more_of_them_end_by_a_name_or_honestly_and_in_time(kind: str) -> None:
    body, content_type = KINDS[kind]()
    began = time.monotonic()
    page = await outcome(read_page(body, content_type, URL))
    if isinstance(page, EvidenceError):
        check_ending(page)
        assert kind not in READ, page.detail
    else:
        text = " ".join(page.paragraphs)
        assert len(text) <= MAX_CHARS * 1.1
        assert "root:" not in text
        if kind in READ and "PDF" not in kind:
            assert "a reader would want" in text
    assert time.monotonic() - began < 32
    after = await read_page(b"<html><body>" + PARAGRAPH, HTML, URL)
    assert any("a reader would want" in line for line in after.paragraphs)
