"""What a body is: by its first bytes, then by what its server called it."""

from __future__ import annotations

import re
from typing import Final, Literal

from ideatrail.evidence.source import EvidenceError

Form = Literal["html", "pdf", "markdown", "text"]

_MAGIC: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\x89PNG\r\n\x1a\n", "an image"),
    (b"GIF8", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"II*\x00", "an image"),
    (b"MM\x00*", "an image"),
    (b"BM", ""),  # too short a sign for itself; text may begin so
    (b"PK\x03\x04", "an archive or office file"),
    (b"PK\x05\x06", "an archive"),
    (b"\x1f\x8b", "a compressed file"),
    (b"BZh", ""),
    (b"\xfd7zXZ\x00", "a compressed file"),
    (b"\x28\xb5\x2f\xfd", "a compressed file"),
    (b"7z\xbc\xaf\x27\x1c", "an archive"),
    (b"Rar!\x1a\x07", "an archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", ""),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\x00asm", "a program"),
    (b"ID3", ""),
    (b"OggS", "sound or film"),
    (b"fLaC", "sound or film"),
    (b"\x1aE\xdf\xa3", "sound or film"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office file"),
    (b"SQLite format 3\x00", "a database"),
    (b"%!PS", "PostScript"),
    (b"{\\rtf", "an office file"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
)
_BINARY_TYPES: Final = re.compile(r"(?:image|audio|video|font)/")
_DATA_TYPES: Final = re.compile(r".*[/+](?:json|ld\+json|geo\+json|x-ndjson|jsonl|csv)")
_TAG: Final = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|table|div|p|h[1-6]|a|span"
    rb"|article|main|section|ul|ol|br|b|i|img|pre|frameset|iframe|font|center|form|svg)\b",
    re.IGNORECASE,
)
_START: Final = re.compile(rb"\s*(?:<\?xml[^>]{0,200}\?>\s*|<!--.{0,2000}?-->\s*)*", re.DOTALL)
_HEAD: Final = 4096
_BOMS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def media_type(content_type: str | None) -> str:
    """`text/html` of a Content-Type header; "" where there is none."""
    return (content_type or "").partition(";")[0].strip().casefold()


def sniff(body: bytes, content_type: str | None, url: str) -> Form:
    """What `body` is. Raises EvidenceError: `partial` where nothing came at all, since a page has
    bytes; `refused` for what holds no text for readers (images, archives, programs, data)."""
    if not body.strip(b"\x00 \t\r\n"):
        raise EvidenceError("partial", detail=f"an empty body from {url}")
    head = body[:_HEAD]
    if b"%PDF-" in head[:1024]:
        return "pdf"
    said = media_type(content_type)
    wide = head.startswith(_BOMS[1:])
    for magic, name in _MAGIC:
        if head.startswith(magic) and (name or _is_binary(head)) and not wide:
            raise EvidenceError("refused", detail=f"{name or 'no text'} at {url}")
    if head[4:8] == b"ftyp" or (head[:4] == b"RIFF" and head[8:12] in (b"WEBP", b"WAVE", b"AVI ")):
        raise EvidenceError("refused", detail=f"an image, sound or film at {url}")
    text = head.replace(b"\x00", b"")
    for bom in _BOMS:
        text = text.removeprefix(bom)
    start = _START.match(text)
    opening = text[start.end() :] if start else text
    if _TAG.match(opening):
        return "html"
    if not wide and _is_binary(head):
        raise EvidenceError("refused", detail=f"no text at {url} ({said or 'no type given'})")
    if said in ("text/html", "application/xhtml+xml"):
        return "html"
    path = url.partition("?")[0].partition("#")[0].casefold()
    if said in ("text/markdown", "text/x-markdown") or (
        said in ("", "text/plain", "application/octet-stream")
        and path.endswith((".md", ".markdown", ".mdown"))
    ):
        return "markdown"
    if said == "application/pdf":
        raise EvidenceError("refused", detail=f"no PDF, though called one, at {url}")
    if _DATA_TYPES.fullmatch(said) or (not said and opening[:1] in (b"{", b"[")):
        raise EvidenceError("refused", detail=f"data for programs at {url}")
    if said.endswith(("/xml", "+xml")) or text.lstrip().startswith(b"<?xml"):
        raise EvidenceError("refused", detail=f"XML for programs at {url}")
    if _BINARY_TYPES.match(said) and not _TAG.search(text):
        raise EvidenceError("refused", detail=f"{said} at {url}")
    if not said and len(_TAG.findall(text)) >= 3:
        return "html"
    return "text"


def _is_binary(head: bytes) -> bool:
    """Whether a tenth of the bytes are such as no text has (NULs of UTF-16 without BOM too: rare,
    and then mostly every second one)."""
    if not head:
        return False
    odd = sum(head.count(byte) for byte in (*range(9), *range(14, 27), *range(28, 32), 127))
    nuls = head.count(0)
    if nuls and abs(nuls * 2 - len(head)) <= len(head) * 0.1 and _alternates(head):
        return False
    return odd * 20 > len(head)


def _alternates(head: bytes) -> bool:
    even, odd = head[::2].count(0), head[1::2].count(0)
    return min(even, odd) * 20 <= max(even, odd)
