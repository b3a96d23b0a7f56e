"""Bytes to text: by byte order mark, by header, by the page's own word, by what the bytes say."""

from __future__ import annotations

import codecs
import re
from typing import Final

from charset_normalizer import from_bytes

_KNOWN: Final = re.compile(
    r"utf-8|utf-16(?:-[lb]e)?|iso8859-\d+|cp(?:125\d|437|85\d|86\d|874|932|949|1006)|koi8-[rut]"
    r"|gb2312|gbk|gb18030|hz|big5(?:hkscs)?|euc_(?:jp|jis_2004|jisx0213|kr)|shift_jis\w*"
    r"|iso2022_(?:jp\w*|kr)|johab|mac-\w+|tis-620|ptcp154"
)
"""Codecs that browsers take, by Python's names. UTF-7 is none of them: markup hides in it; nor are
those of Python that are no charsets (`rot13`, `punycode`, `unicode_escape`)."""
_META: Final = re.compile(
    rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.+-]{2,40})"
    rb"|<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([A-Za-z0-9_:.+-]{2,40})",
    re.IGNORECASE,
)
_HEADER: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w:.+-]{2,40})", re.IGNORECASE)
_SAMPLE: Final = 65_536
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_STRAY: Final = "ideatrail.stray"


def _stray(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are no UTF-8, as Windows-1252 has them: passages pasted into pages in UTF-8."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    piece = error.object[error.start : error.end]
    return piece.decode("cp1252", "replace"), error.end


codecs.register_error(_STRAY, _stray)


def decode(body: bytes, content_type: str | None, *, markup: bool) -> tuple[str, list[str]]:
    """The text of `body`, without NULs, and notes on what had to be mended. Never raises.

    Args:
        body: any bytes.
        content_type: the header, with its charset if it has one.
        markup: whether the page may name its charset itself, as HTML does.
    """
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace").replace("\x00", ""), []
    nul = body[:_SAMPLE].count(0)
    if nul * 3 > len(body[:_SAMPLE]):
        wide = "utf-16-le" if body[1:_SAMPLE:2].count(0) * 2 > nul else "utf-16-be"
        return body.decode(wide, "replace").replace("\x00", ""), []
    stated = _stated(body, content_type, markup)
    text, notes = _decoded(body, stated)
    return text.replace("\x00", ""), notes


def _stated(body: bytes, content_type: str | None, markup: bool) -> str:
    """Python's name of the charset that header or page state; "" for none that is known."""
    header = _HEADER.search(content_type or "")
    meta = _META.search(body[:_SAMPLE]) if markup else None
    labels = [header[1] if header else "", (meta[1] or meta[2]).decode("ascii") if meta else ""]
    for label in labels:
        try:
            name = codecs.lookup(label).name if label else ""
        except (LookupError, ValueError):
            continue
        # A page whose charset was read out of its own bytes is not in UTF-16.
        if name.startswith("utf-16") and label == labels[1]:
            return "utf-8"
        if name in ("iso8859-1", "ascii"):
            return "cp1252"  # as browsers read them
        if _KNOWN.fullmatch(name):
            return name
    return ""


def _decoded(body: bytes, stated: str) -> tuple[str, list[str]]:
    if not _HIGH.search(body) and not stated.startswith(("iso2022", "hz", "utf-16")):
        return body.decode("ascii", "replace"), []
    try:
        # Text that is UTF-8 by chance hardly exists, whatever was stated of it.
        text = body.decode("utf-8")
        if not stated.startswith(("iso2022", "hz", "utf-16")):
            return text, []
    except UnicodeDecodeError:
        pass
    if stated and stated != "utf-8":
        text = body.decode(stated, "replace")
        wrong = text.count("\ufffd")
        if wrong * 200 <= len(text):
            return text, [f"characters that could not be read ({wrong})"] if wrong else []
    stray = body.decode("utf-8", "replace").count("\ufffd")
    high = len(_HIGH.findall(body))
    if stray * 4 <= high or (stated == "utf-8" and stray * 2 <= high):
        return body.decode("utf-8", _STRAY), [f"bytes read as Windows-1252 ({stray})"]
    guess = _guess(body)
    return body.decode(guess, "replace"), [f"charset guessed: {guess}"]


def _guess(body: bytes) -> str:
    """By content. A sample that begins at the first high byte tells most.

    Accents in Latin letters stand alone and tell little; what the web has there is Windows-1252.
    """
    runs = re.findall(rb"[\x80-\xff]+", body[: _SAMPLE * 4])
    if sum(len(run) > 2 for run in runs) * 5 < len(runs):
        return "cp1252"
    first = _HIGH.search(body)
    start = max(0, (first.start() if first else 0) - 200)
    best = from_bytes(body[start : start + _SAMPLE // 4]).best()
    name = codecs.lookup(best.encoding).name if best else "cp1252"
    return name if _KNOWN.fullmatch(name) and not name.startswith("utf-16") else "cp1252"
