"""The lower rungs of the leakage ladder: the readings that a text can be given."""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_plus

_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{4,}={0,2}(?![A-Za-z0-9+/=])")
_HEX: Final = re.compile(r"(?<![0-9a-zA-Z])(?:0x)?((?:[0-9a-fA-F]{2}[ :,]?){5,})(?![0-9a-zA-Z])")
_PERCENT: Final = re.compile(r"%[0-9a-fA-F]{2}")
_ESCAPE: Final = re.compile(r"\\x([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\u\{([0-9a-fA-F]{1,6})\}")
_QUOTED: Final = re.compile(r"\\([^\w\s\\])")
"""A character that a search pattern takes for itself: `self\\-refine`."""
_ENTITY: Final = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|[A-Za-z]+);")
_LEET_WORD: Final = re.compile(r"(?<!\w)(?=[\w@$]*[A-Za-z])(?=[\w@$]*[013457@$])[\w@$]{3,}")
_SKELETON: Final = str.maketrans("0134578@$lLI", "oieastbasiii")
_APART: Final = re.compile(
    r"(?<![^\W_])[^\W_](?:(?:\.[^\W_]){3,}|(?:[·_-][^\W_]){3,}|(?: [^\W_]){3,})(?![^\W_])"
)
"""A word spelled letter by letter: `G S M 8 K`, `M.M.L.U`."""
_MARKUP: Final = re.compile(r"(?<=\w)(?:\*+|_{2,}|`+|~{2,}|</?[a-z]+>)(?=\w)")

# Whole words written in another alphabet's look-alikes; `text.fold` maps only those that stand
# beside Latin letters, so that real Greek and Cyrillic stay readable.
_ALIKE: Final = str.maketrans(
    "аеорсухіѕјԁһӏԛԝгпкмтвнАВЕКМНОРСТХҮІЈЅαορευικνωτΑΒΕΖΗΙΚΜΝΟΡΤΥΧɑɡıᴏꜱʏѵԍꞅ",
    "aeopcyxisjdhlqwrnkmtbhABEKMHOPCTXYIJSaopeuiknwtABEZHIKMNOPTYXagiosyvgr",
)
DEPTH: Final = 2
"""How often a text is decoded again: percent inside base64, say."""


def readings(text: str) -> Iterator[tuple[str, str]]:
    """(layer, reading) for each way to read `text`; the plain one first, equal ones left out."""
    seen = {text}
    yield "surface", text
    front = [text]
    for _ in range(DEPTH):
        found: list[str] = []
        for one in front:
            for reading in _decoded(one):
                if reading not in seen:
                    seen.add(reading)
                    found.append(reading)
                    yield "decoded", reading
        front = found
    for one in list(seen):
        for reading in _disguised(one):
            if reading not in seen:
                seen.add(reading)
                yield "lookalike", reading


def digits_for_letters(text: str) -> bool:
    """Whether a word of `text` may be spelled with digits for letters."""
    return bool(_LEET_WORD.search(text))


def skeleton(text: str) -> str:
    """`text` with characters that stand for each other made one: `S31f` and `Self` become equal."""
    return text.translate(_SKELETON)


def _decoded(text: str) -> Iterator[str]:
    if "&" in text and _ENTITY.search(text):
        yield html.unescape(text)
    if "%" in text and _PERCENT.search(text):
        yield unquote_plus(text)
    if "\\" in text and _ESCAPE.search(text):
        yield _ESCAPE.sub(_character, text)
    if "\\" in text and _QUOTED.search(text):
        yield _QUOTED.sub(r"\1", text)
    for match in _BASE64.finditer(text):
        word = match.group()
        # Prose is lower case, a title one capital a word: neither is worth decoding.
        if word.isalpha() and (word.islower() or word[1:].islower()):
            continue
        reading = _from_base64(word)
        if reading:
            yield reading
    for match in _HEX.finditer(text):
        # Words such as `be` are hex as well: each run is tried by itself, and all from each on.
        runs = re.findall(r"[0-9a-fA-F]+", match.group(1))
        for digits in dict.fromkeys(
            [*runs, *("".join(runs[n:]) for n in range(min(4, len(runs))))]
        ):
            reading = _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))
            if reading:
                yield reading


def _character(match: re.Match[str]) -> str:
    point = int(next(g for g in match.groups() if g), 16)
    return chr(point) if point < 0x110000 and not 0xD800 <= point < 0xE000 else " "


def _from_base64(word: str) -> str:
    body = word.rstrip("=").replace("-", "+").replace("_", "/")
    # A length of 1 over a multiple of 4 is no whole text: something was glued to its end.
    body = body[: len(body) - (len(body) % 4 == 1)]
    try:
        return _readable(base64.b64decode(body + "=" * (-len(body) % 4)))
    except (binascii.Error, ValueError):
        return ""


def _readable(data: bytes) -> str:
    """The text of `data` where it is one: UTF-8, nearly all letters, digits and spaces."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    plain = sum(c.isalnum() or c in " -_.,:;'" for c in text)
    return text if len(text) >= 3 and plain >= 0.9 * len(text) else ""


def _disguised(text: str) -> Iterator[str]:
    if not text.isascii():
        marks_off = "".join(
            c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)
        )
        yield marks_off.translate(_ALIKE)
    if _APART.search(text):
        yield _APART.sub(lambda m: re.sub(r"[ .·_-]+", "", m.group()), text)
        # `I` and `a` are words of one letter: the first or last may be no part of it.
        yield _APART.sub(lambda m: re.sub(r"[ .·_-]+", "", m.group()[:-2]) + m.group()[-2:], text)
        yield _APART.sub(lambda m: m.group()[:2] + re.sub(r"[ .·_-]+", "", m.group()[2:]), text)
    if _MARKUP.search(text):
        yield _MARKUP.sub("", text)
