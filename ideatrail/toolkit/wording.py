"""Pieces of tool texts that several tools share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

AUTHORS_SHOWN: Final = 30
"""Collaborations have thousands; no reader wants more than these, nor do quotes need them."""

_BREAK: Final = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f\ud800-\udfff]")


def one_line(text: str) -> str:
    """`text` on one line, without characters that would make a file binary."""
    return _UNPRINTABLE.sub("", _BREAK.sub(" ", text)).strip()


def field(text: str, missing: str) -> str:
    """`text` squeezed to one line for a header, or `missing` where it is blank."""
    return " ".join(one_line(text).split()) or missing


def byline(authors: Sequence[str]) -> str:
    """Authors joined by commas, `et al.` after the first AUTHORS_SHOWN."""
    names = [" ".join(one_line(name).split()) for name in authors[:AUTHORS_SHOWN]]
    if len(authors) > AUTHORS_SHOWN:
        names.append("et al.")
    return ", ".join(name for name in names if name) or "unknown authors"


def cut(text: str, limit: int) -> str:
    """The first `limit` characters of `text` at most, ended between two words if it can be."""
    if len(text) <= limit:
        return text
    # A cut between a word and the space behind it needs no word to go.
    head = text[: limit + 1]
    space = max(head.rfind(" "), head.rfind("\n"))
    return head[:space].rstrip() if space > 0 else text[:limit]


def latest(moments: Iterable[datetime]) -> str | None:
    """The latest of `moments` in ISO 8601 and UTC; None where there is none."""
    found = max(moments, default=None)
    return None if found is None else found.astimezone(UTC).isoformat()
