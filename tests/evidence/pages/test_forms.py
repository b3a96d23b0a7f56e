"""What a body is, and which charset it has."""

from __future__ import annotations

import pytest

from ideatrail.evidence.pages.charset import decode
from ideatrail.evidence.pages.plain import read_text
from ideatrail.evidence.pages.sniff import sniff
from ideatrail.evidence.source import EvidenceError

URL = "https://x.example/page"


@pytest.mark.parametrize(
    ("body", "said", "form"),
    [
        (b"%PDF-1.5 x", None, "pdf"),
        (b"\r\n%PDF-1.5 x", "text/html", "pdf"),
        (b"<!DOCTYPE html><p>x", None, "html"),
        (b"\xef\xbb\xbf \n<!-- c --><HTML><p>x", "text/plain", "html"),
        ("<html>x".encode("utf-16"), "text/html", "html"),
        (b"<?xml version='1.0'?><html xmlns='x'><p>x", "application/xhtml+xml", "html"),
        (b"plain words, no markup", "text/html", "html"),
        (b"# Words", "text/markdown; charset=utf-8", "markdown"),
        (b"words", "text/plain", "text"),
        (b"words", None, "text"),
        (b"BMW is a brand of cars", None, "text"),
        (b"PK is a pair of letters", "text/plain", "text"),
        ("Слова и ещё слова".encode("cp1251"), "text/plain", "text"),
        (b"words", "application/octet-stream", "text"),
    ],
)
def test_bytes_count_before_headers(body: bytes, said: str | None, form: str) -> None:
    assert sniff(body, said, URL) == form


def test_a_markdown_file_by_its_name() -> None:
    assert sniff(b"words", "text/plain", f"{URL}/README.md?raw=1") == "markdown"


@pytest.mark.parametrize(
    ("body", "said", "ending"),
    [
        (b"", "text/html", "partial"),
        (b"\x00\x00\n ", None, "partial"),
        (b"\x89PNG\r\n\x1a\nxxxx", "text/html", "refused"),
        (b"GIF89axxxx", None, "refused"),
        (b"RIFF1234WEBPxx", None, "refused"),
        (b"\x00\x00\x00\x20ftypisom", "text/html", "refused"),
        (b"PK\x03\x04xxxxxxxx", "application/pdf", "refused"),
        (b"\x1f\x8b\x08xxxx", "text/html", "refused"),
        (b"\x7fELF\x02\x01", "text/plain", "refused"),
        (b"MZ\x90\x00\x03\x00\x00\x00\x04", None, "refused"),
        (b"ID3\x03\x00\x00\x00\x00\x00\x01", "audio/mpeg", "refused"),
        (b'{"a": 1}', "application/json", "refused"),
        (b'{"a": 1}', None, "refused"),
        (b"<?xml version='1.0'?><feed/>", "application/atom+xml", "refused"),
        (b"not a pdf", "application/pdf", "refused"),
        (bytes(range(256)) * 4, "text/html", "refused"),
        (b"{\\rtf1 words}", "text/plain", "refused"),
    ],
)
def test_what_is_no_page_for_readers(body: bytes, said: str | None, ending: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        sniff(body, said, URL)
    assert caught.value.ending == ending
    assert caught.value.detail
    assert "x.example" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "said", "text"),
    [
        ("Die mööse sind da".encode("latin-1"), None, "Die mööse sind"),
        (b"<meta charset=iso-8859-1>m\xf6\xf6se", "text/html", "mööse"),
        (b"<meta charset=utf-8>m\xf6\xf6se", "text/html; charset=latin-1", "mööse"),
        ("mööse".encode(), "text/html; charset=latin-1", "mööse"),
        (b"<meta charset=utf-16>caf\xc3\xa9", "text/html", "café"),
        (b"\x93quoted\x94", "text/html; charset=iso-8859-1", "“quoted”"),
        ("привет, мир".encode("koi8-r"), "text/html; charset=koi8-r", "привет, мир"),
        ("日本語の文".encode("shift_jis"), "text/html; charset=Shift_JIS", "日本語の文"),
        ("日本語の文".encode("iso2022_jp"), "text/html; charset=iso-2022-jp", "日本語の文"),
        ("中文".encode("gb18030"), "text/html; charset=gb2312", "中文"),
        ("wörter".encode("utf-16"), None, "wörter"),
        ("wörter".encode("utf-16-be"), None, "wörter"),
        (("é" * 40).encode() + b" caf\xe9", "text/html; charset=utf-8", "é café"),
    ],
)
def test_charsets_by_mark_header_page_and_content(body: bytes, said: str | None, text: str) -> None:
    assert text in decode(body, said, markup=True)[0]


@pytest.mark.parametrize(
    "label", ["utf-7", "base64", "rot13", "punycode", "unicode_escape", "x-no"]
)
def test_charsets_that_are_none(label: str) -> None:
    body = f"<meta charset={label}>+ADw-script+AD4- \\u003cb\\u003e caf\xe9".encode("latin-1")
    text, _ = decode(body, f"text/html; charset={label}", markup=True)
    assert "+ADw-script+AD4- \\u003cb\\u003e café" in text


def test_what_had_to_be_mended_is_noted() -> None:
    _, notes = decode(("é" * 40).encode() + b" caf\xe9", None, markup=True)
    assert notes == ["bytes read as Windows-1252 (1)"]


def test_text_keeps_what_was_not_wrapped() -> None:
    body = (
        b"A Long Enough Title\r\n\r\nFirst line of a paragraph that is wrapped\r\n"
        b"goes on here.\r\n\r\n1. one\r\n2. two\r\n\r\nSee https://arxiv.org/pdf/1706.03762v2.\r\n"
    )
    page = read_text(body, "text/plain", URL, markdown=False)
    assert page.title == "A Long Enough Title"
    assert page.paragraphs == (
        "A Long Enough Title",
        "First line of a paragraph that is wrapped goes on here.",
        "1. one",
        "2. two",
        "See https://arxiv.org/pdf/1706.03762v2.",
    )
    assert page.links == ("https://arxiv.org/abs/1706.03762",)


def test_markdown_drops_what_is_not_drawn() -> None:
    body = (
        b'Title\n=====\n\nWords [with a link](https://a.example/b "Ignore this title") and\n'
        b"![a picture of orders](x.png) more.\n<!-- CANARY\nCANARY -->\n"
        b"<script>CANARY()</script>\n\nPart\n----\n\n* one\n  goes on\n* two\n\n"
        b"[ref]: https://c.example/d 'CANARY'\n\n~~~python\nif x:\n    # kept\n~~~\n"
    )
    page = read_text(body, "text/markdown", URL, markdown=True)
    assert page.title == "Title"
    assert page.paragraphs == (
        "Words with a link and more.",
        "### Part",
        "- one goes on",
        "- two",
        "if x:",
        "    # kept",
    )
    assert page.links == ("https://a.example/b", "https://c.example/d")
    assert page.notes == ("comments left out (1 place)",)
