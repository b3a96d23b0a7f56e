"""Pages made to break what reads them: each ends by a name, in time, and the next page is read."""

# ruff: noqa: E501 - markup is read best as it stands in pages

from __future__ import annotations

import io
import time
import zlib
from collections.abc import Callable

import pytest
import typeset
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from outcome import check_ending, outcome

from ideatrail.evidence.pages import read_page
from ideatrail.evidence.source import EvidenceError

URL = "https://x.example/page"
PARAGRAPH = b"<p>" + b"A sentence that a reader would want to have. " * 12 + b"</p>"


def pdf(*objects: bytes, root: int = 1) -> bytes:
    """A PDF of numbered objects, without a table of them: readers rebuild it."""
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, o) for n, o in enumerate(objects, 1))
    return b"%PDF-1.7\n" + body + b"trailer\n<< /Root %d 0 R >>\n%%%%EOF" % root


def stream(data: bytes, *, layers: int = 1) -> bytes:
    for _ in range(layers):
        data = zlib.compress(data, 9)
    filters = b"/FlateDecode " * layers
    head = b"<< /Length %d /Filter [%s] >>" % (len(data), filters)
    return head + b"\nstream\n" + data + b"\nendstream"


def locked() -> bytes:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, encrypt=StandardEncryption("secret", "owner", strength=128))
    canvas.drawString(100, 100, "A locked text")
    canvas.save()
    return out.getvalue()


PAGES = (
    b"<< /Type /Catalog /Pages 2 0 R >>",
    b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
)
KINDS: dict[str, Callable[[], tuple[bytes, str]]] = {
    "empty": lambda: (b"", "text/html"),
    "white space alone": lambda: (b" \n\t " * 99, "text/html"),
    "nested deeply": lambda: (b"<div>" * 100_000 + PARAGRAPH, "text/html"),
    "tables in tables": lambda: (b"<table><tr><td>" * 20_000 + PARAGRAPH, "text/html"),
    "tags never closed": lambda: (b"<b><i><u>" * 50_000 + PARAGRAPH, "text/html"),
    "one long line": lambda: (b"<p>" + b"a" * 30_000_000, "text/html"),
    "a million entities": lambda: (b"<p>" + b"&amp;&lt;" * 500_000, "text/html"),
    "entities of entities": lambda: (
        b'<!DOCTYPE html [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]><html><p>&b;</p>' + PARAGRAPH,
        "text/html",
    ),
    "attributes without end": lambda: (b"<p " + b"a=b " * 500_000 + b">x</p>", "text/html"),
    "an attribute without end": lambda: (b"<p title='" + b"x" * 10_000_000, "text/html"),
    "only scripts": lambda: (b"<html><script>" + b"a();" * 9_999 + b"</script></html>", "text/html"),
    "a frameset": lambda: (b"<html><frameset><frame src=a></frameset></html>", "text/html"),
    "styles without end": lambda: (b"<style>" + b"p{display:none}" * 99_999 + b"</style>" + PARAGRAPH,
                                   "text/html"),
    "selectors that explode": lambda: (
        b"<style>" + b"* * * * * *{display:none}" * 50 + b"</style>" + b"<div>" * 200 + PARAGRAPH,
        "text/html",
    ),
    "NULs inside": lambda: (b"<html><p>a\x00b</p>" + PARAGRAPH, "text/html"),
    "UTF-7": lambda: (b"<meta charset=utf-7>+ADw-script+AD4-x" + PARAGRAPH, "text/html"),
    "a charset that is none": lambda: (b"<meta charset=base64>" + PARAGRAPH, "text/html; charset=zip"),
    "broken UTF-8": lambda: (b"<p>\xff\xfe\xc3(" + PARAGRAPH, "text/html; charset=utf-8"),
    "surrogates": lambda: (b"<p>&#xD800;&#xDFFF;&#x110000;&#0;</p>" + PARAGRAPH, "text/html"),
    "a picture named a page": lambda: (b"\x89PNG\r\n\x1a\n" + b"x" * 999, "text/html"),
    "an archive": lambda: (b"PK\x03\x04" + b"x" * 999, "application/zip"),
    "a program": lambda: (b"\x7fELF" + b"\x00" * 999, "text/plain"),
    "binary": lambda: (bytes(range(256)) * 99, "text/plain"),
    "a PDF cut short": lambda: (typeset.pdf_paper(1, chars=5_000).body[:2_000], "application/pdf"),
    "a PDF of nothing": lambda: (b"%PDF-1.7\n", "application/pdf"),
    "a PDF with broken offsets": lambda: (
        typeset.pdf_paper(1, chars=5_000).body.replace(b"xref", b"xxxx"), "application/pdf"
    ),
    "a PDF bomb": lambda: (
        pdf(*PAGES, stream(b"(" + b"A" * 50_000_000 + b") Tj ")), "application/pdf"
    ),
    "a PDF bomb in layers": lambda: (
        pdf(*PAGES, stream(b"\x00" * 400_000_000, layers=3)), "application/pdf"
    ),
    "a PDF whose pages go in a circle": lambda: (
        pdf(PAGES[0], b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9999 >>"), "application/pdf"
    ),
    "a PDF that is its own parent": lambda: (
        pdf(b"<< /Type /Catalog /Pages 1 0 R /Kids [1 0 R] /Parent 1 0 R /Count 1 >>"),
        "application/pdf",
    ),
    "a PDF of a million pages": lambda: (
        pdf(PAGES[0], b"<< /Type /Pages /Kids [" + b"3 0 R " * 1_000_000 + b"] /Count 1000000 >>",
            PAGES[2], stream(b"")),
        "application/pdf",
    ),
    "a locked PDF": lambda: (locked(), "application/pdf"),
    "markdown without end": lambda: (b"#" * 3_000_000 + b" x\n" + b"- " * 999_999, "text/markdown"),
    "many short lines": lambda: (b"x\n\n" * 999_999, "text/plain"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
async def test_it_ends_by_a_name_or_honestly_and_in_time(kind) -> None:
    body, content_type = KINDS[kind]()
    began = time.monotonic()
    page = await outcome(read_page(body, content_type, URL))
    if isinstance(page, EvidenceError):
        check_ending(page)
    else:
        assert page.paragraphs
    assert time.monotonic() - began < 35
    after = await read_page(b"<html><body>" + PARAGRAPH, "text/html", URL)
    assert any("a reader would want" in p for p in after.paragraphs)


@given(
    st.one_of(
        st.binary(max_size=400),
        st.binary(max_size=200).map(lambda b: b"%PDF-1.4\n" + b),
        st.text(alphabet="<>/=\"'!-ptdivable &;#xstyle{}:0\n", max_size=400).map(
            lambda t: f"<html><body>{t}".encode()
        ),
    ),
    st.sampled_from([None, "text/html", "text/plain", "application/pdf", "text/markdown", "x/y"]),
)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
async def test_any_bytes_end_by_a_name_or_in_text(body, content_type) -> None:
    page = await outcome(read_page(body, content_type, URL))
    if isinstance(page, EvidenceError):
        check_ending(page)
    else:
        assert all(p == " ".join(p.split()) for p in page.paragraphs)
