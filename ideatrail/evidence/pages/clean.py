"""Characters that no reader sees, taken out of text."""

from __future__ import annotations

import re
from typing import Final

_JOINERS: Final = re.compile(
    "(?<=[\u0600-\u08ff\u0900-\u0dff\u1780-\u17ff])[\u200c\u200d]"
    "(?=[\u0600-\u08ff\u0900-\u0dff\u1780-\u17ff])"
)
"""Where Arabic and Indic scripts need a joiner or a break, it is part of the word."""
_UNSEEN: Final = re.compile(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
"""Zero-width characters, bidirectional controls, variation selectors, fillers, tag characters."""
_OTHER: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
"""Control characters and soft hyphens: no one's message hides in them."""
_NO_STAND_INS: Final = {0xE000: None, 0xE001: None}
_JOINERS_AGAIN: Final = {0xE000: "\u200c", 0xE001: "\u200d"}


def clean(text: str) -> tuple[str, int]:
    """`text` without unseen characters, and how many of them could have carried something."""
    if text.isascii() and text.isprintable():
        return text, 0
    text = _JOINERS.sub(_kept, text.translate(_NO_STAND_INS))
    text, unseen = _UNSEEN.subn("", _OTHER.sub("", text))
    return text.translate(_JOINERS_AGAIN), unseen


def _kept(joiner: re.Match[str]) -> str:
    """A stand-in, so that it is not taken for one that hides something."""
    return "\ue000" if joiner[0] == "\u200c" else "\ue001"


def one_line(text: str) -> str:
    """`text` with every run of white space as one space; U+2028 and its like are white space."""
    return " ".join(text.split())
