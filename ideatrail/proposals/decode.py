"""Bytes to text: byte-order marks, encodings, line ends, and what is no text at all."""

from __future__ import annotations

import codecs
import re
from typing import Final

from ideatrail.proposals.error import ProposalError

_MAGIC: Final[tuple[tuple[bytes, str], ...]] = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive or an office document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office document"),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\x00", "a program"),
    (b"SQLite format 3\x00", "a database"),
    (b"%!PS", "a PostScript file"),
)

# The longer marks first: UTF-32's little-endian mark begins with UTF-16's.
_MARKS: Final[tuple[tuple[bytes, str], ...]] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_NEWLINES: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_INVISIBLE: Final = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f\x80-\x84\x86-\x9f]")

CONTROL_SHARE: Final = 0.02
"""Share of control characters above which a file is binary; prose has none."""


def decode(raw: bytes, where: str) -> tuple[str, tuple[str, ...]]:
    """The text of `raw`, with `\\n` line ends, and notes of what was done to get it.

    Raises ProposalError for an empty or a binary file; `where` names the file in the message.
    """
    if not raw.strip(b" \t\r\n\x0b\x0c\x00"):
        raise ProposalError(f"{where} is empty: give a file that holds a proposal")
    for magic, what in _MAGIC:
        if raw.startswith(magic):
            raise ProposalError(f"{where} is {what}, not text: save it as markdown or plain text")
    notes: list[str] = []
    text = _characters(raw, where, notes)
    if _CONTROL.search(text):
        clean = _CONTROL.sub("", text)
        if len(text) - len(clean) > CONTROL_SHARE * len(text):
            raise ProposalError(f"{where} is binary, not text: give markdown or plain text")
        text = clean
        notes.append("control characters removed")
    if _NEWLINES.search(text):
        text = _NEWLINES.sub("\n", text)
        notes.append("line ends made LF")
    if _INVISIBLE.search(text):
        text = _INVISIBLE.sub("", text)
        notes.append("invisible characters removed")
    if not text.strip():
        raise ProposalError(f"{where} is empty: give a file that holds a proposal")
    return text, tuple(notes)


def _characters(raw: bytes, where: str, notes: list[str]) -> str:
    """`raw` as characters, by its mark, as UTF-8, as unmarked UTF-16, or as windows-1252."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            try:
                text = raw[len(mark) :].decode(encoding)
            except UnicodeDecodeError as error:
                raise ProposalError(
                    f"{where} is marked as {encoding} but breaks at byte "
                    f"{error.start + len(mark)}: save it as UTF-8"
                ) from error
            notes.append(f"byte-order mark removed ({encoding})")
            return text
    wide = _unmarked_utf16(raw)
    if wide is not None:
        notes.append("decoded as UTF-16 without a mark")
        return wide
    if b"\x00" in raw:
        raise ProposalError(f"{where} is binary, not text: give markdown or plain text")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        text = raw.decode("cp1252")
        notes.append("not UTF-8, decoded as windows-1252")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
        notes.append("not UTF-8, decoded as latin-1")
    return text


def _unmarked_utf16(raw: bytes) -> str | None:
    """`raw` as UTF-16 where every other byte is mostly zero, as in Western text."""
    if len(raw) < 8 or len(raw) % 2:
        return None
    for zeros, encoding in ((raw[1::2], "utf-16-le"), (raw[0::2], "utf-16-be")):
        if zeros.count(0) > 0.7 * len(zeros):
            try:
                return raw.decode(encoding)
            except UnicodeDecodeError:
                return None
    return None
