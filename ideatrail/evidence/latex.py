"""LaTeX accents and letters of names and titles, made Unicode. Mathematics stays as it is."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_COMBINING: Final[dict[str, str]] = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "d": "\u0323",
    "c": "\u0327",
    "k": "\u0328",
    "b": "\u0331",
}
_LETTERS: Final[dict[str, str]] = {
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "dh": "ð",
    "DH": "Ð",
    "dj": "đ",
    "DJ": "Đ",
    "th": "þ",
    "TH": "Þ",
    "i": "ı",
    "j": "ȷ",
}
_MATH: Final = re.compile(r"(\$[^$]*\$)")
# An accent that is punctuation takes the next letter at once; a letter needs a brace or a space.
_ACCENT: Final = re.compile(
    r"""\{?\\(?:(?P<mark>[`'^~="\.])\s*|(?P<letter>[uvHtckdbr])(?=[\s{\\])\s*)"""
    r"""(?:\{\s*\\?(?P<braced>[^\W\d_])\s*\}|\\(?P<dotless>[ij])(?![A-Za-z])|(?P<bare>[^\W\d_]))"""
    r"""(?P<close>\})?"""
)
_LETTER: Final = re.compile(
    r"\{\\(" + "|".join(sorted(_LETTERS, key=len, reverse=True)) + r")\s*\}"
    r"|\\(" + "|".join(sorted(_LETTERS, key=len, reverse=True)) + r")(?![A-Za-z])(?:\{\}|[ ])?"
)
_FONT: Final = re.compile(
    r"\\(?:emph|text(?:it|bf|sc|rm|sf|tt|sl)|mbox)\s*(?=\{)"
    r"|\\(?:it|em|bf|rm|sl|sc|sf|tt)(?![A-Za-z])\s*"
)
_ESCAPED: Final = re.compile(r"\\([&%#_{} ])")
_GROUP: Final = re.compile(r"(?<!\\)\{([^{}\\$]*)\}")


def plain(text: str) -> str:
    """`text` on one line, its accents decoded outside of `$…$`."""
    pieces = _MATH.split(" ".join(text.split()))
    return "".join(p if i % 2 else _decode(p) for i, p in enumerate(pieces))


def _decode(text: str) -> str:
    if "\\" not in text and "{" not in text:
        return text
    text = _ACCENT.sub(_accent, _FONT.sub("", text))
    text = _LETTER.sub(lambda m: _LETTERS[m[1] or m[2]], text)
    return _ESCAPED.sub(r"\1", _GROUP.sub(r"\1", text))


def _accent(match: re.Match[str]) -> str:
    letter = match["braced"] or match["dotless"] or match["bare"]
    mark = _COMBINING.get(match["mark"] or match["letter"])
    made = unicodedata.normalize("NFC", letter + mark) if mark else letter
    opened, closed = match[0].startswith("{"), match["close"] is not None
    # A brace that belongs to a longer group is put back.
    return ("{" if opened and not closed else "") + made + ("}" if closed and not opened else "")
