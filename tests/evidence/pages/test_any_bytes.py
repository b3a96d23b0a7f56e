"""Whatever comes, in whatever order: text within its caps, or an ending by its name."""

from __future__ import annotations

import asyncio

import maker
import maker_html
import maker_pdf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from outcome import check_ending, outcome

from ideatrail.evidence.pages import PageText, read_page
from ideatrail.evidence.pages.clean import clean, one_line
from ideatrail.evidence.pages.finish import MAX_CHARS
from ideatrail.evidence.pages.parse import read
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.urls import canonical

PAPERS = (
    maker.html_paper(1, 2_000, hidden=tuple(maker_html.HIDDEN)),
    maker.html_paper(2, 2_000, site="latexml"),
    maker.pdf_paper(3, 2_000, columns=2, hidden=maker_pdf.HIDDEN),
    b"# A title\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n",
)
PIECES = (
    b"<", b">", b"\x00", b"\xff\xfe", b"&#8;", b"&#xd800;", b"<math>", b"<table><td>", b"</body>",
    b"<style>*{color:", b"}", b"<br><br>", b"<base href='http://[::1'>", b"<a href='http://[x'>",
    b"<script type='math/tex'>\\x", b"endobj", b"stream", b"1e39 0 0 -1e39 0 0 cm ", b"<plaintext>",
    b"<meta charset=utf-16>", b"\xe2\x80\xae", b"\xf3\xa0\x81\x81", b"\xe2\x80\xa8", b"<!--",
    b"<h1>\x0b</h1>", b"<svg><title>", b" style='font-size:1e999px'", b"\xee\x80\x82",
)  # fmt: skip
URLS = (
    "https://x.example/a", "https://arxiv.org/abs/1706.03762v1", "https://aclanthology.org/P17-1001",
    "https://openreview.net/forum?id=a", "https://github.com/a/b", "not an address", "",
)  # fmt: skip
TYPES = (
    None,
    "",
    "text/html",
    "text/plain; charset=utf-7",
    "application/pdf",
    "text/markdown",
    "é",
)


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """A paper with pieces put in, cut out and turned over."""
    body = draw(st.sampled_from(PAPERS))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(body)))
        piece = draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=6)))
        gap = draw(st.sampled_from((0, 0, 1, 40, 800)))
        body = body[:at] + piece * draw(st.sampled_from((1, 1, 40))) + body[at + gap :]
    return body


def check(page: PageText) -> None:
    assert page.paragraphs
    assert sum(map(len, page.paragraphs)) <= MAX_CHARS * 1.1
    for line in (*page.paragraphs, *page.authors, page.title, page.venue, page.date, *page.notes):
        assert len(line.splitlines()) <= 1
        assert clean(line) == (line, 0)
        line.encode()
    assert all(one_line(line) for line in page.paragraphs)
    assert all(canonical(link) == link for link in (*page.aliases, *page.links))
    assert PageText.from_row(page.row()) == page


@given(
    st.one_of(bodies(), st.binary(max_size=300), st.text(max_size=300).map(str.encode)),
    st.sampled_from(TYPES),
    st.sampled_from(URLS),
)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_other_exception_and_no_more_than_the_caps(
    body: bytes, content_type: str | None, url: str
) -> None:
    try:
        page = read(body, content_type, url)
    except EvidenceError as error:
        check_ending(error)
        return
    check(page)
    assert read(body, content_type, url) == page


@given(bodies(), st.sampled_from(TYPES))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
async def test_the_same_across_the_process(body: bytes, content_type: str | None) -> None:
    got = await outcome(read_page(body, content_type, URLS[0]))
    here = await outcome(asyncio.to_thread(read, body, content_type, URLS[0]))
    if isinstance(here, EvidenceError):
        assert isinstance(got, EvidenceError)
        assert (got.ending, got.detail) == (here.ending, here.detail)
    else:
        assert got == here
