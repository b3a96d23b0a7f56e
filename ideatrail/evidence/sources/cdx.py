"""A web archive's index of captures, in the forms in which its servers give it.

The Wayback Machine and OpenWayback answer with one JSON array of rows under a header, pywb with a
JSON object a line; all of them have the older form of words between spaces, too.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final

import orjson

_NAMES: Final = {
    "timestamp": "timestamp",
    "original": "original",
    "url": "original",
    "statuscode": "status",
    "status": "status",
    "mimetype": "mime",
    "mime": "mime",
}
_PLAIN: Final = ("urlkey", "timestamp", "original", "mimetype", "statuscode")
"""How a row begins that has no header."""
_NOTHING: Final = "no captures"
"""What older servers say in place of an empty list."""


@dataclass(frozen=True)
class Capture:
    """One capture of a page, as the index tells of it."""

    stamp: str
    """Its moment in UTC: 4 to 14 digits, `YYYYMMDDhhmmss` as far as they go."""
    original: str
    """The address captured, as it was asked for then."""
    status: int | None = None
    """None where the index does not say: a capture that repeats an earlier one."""
    mime: str = ""

    @cached_property
    def latest(self) -> datetime:
        """The last second that `stamp` can mean. Raises ValueError for a stamp that is none."""
        return last_second(self.stamp)


def last_second(stamp: str) -> datetime:
    """The last second, UTC, that digits of a timestamp can mean: `201802` is the end of February.

    An odd digit at the end is left out, and so is what goes beyond the second. Raises ValueError
    for what is no timestamp.
    """
    if not (stamp.isascii() and stamp.isdigit()) or len(stamp) < 4:
        raise ValueError(f"no timestamp: {stamp[:20]!r}")
    digits = stamp[: min(14, len(stamp) // 2 * 2)]
    given = [int(digits[:4])] + [int(digits[at : at + 2]) for at in range(4, len(digits), 2)]
    month = given[1] if len(given) > 1 else 12
    if not 1 <= month <= 12 or given[0] < 1:
        raise ValueError(f"no timestamp: {stamp}")
    whole = [given[0], month, monthrange(given[0], month)[1], 23, 59, 59]
    whole[: len(given)] = given
    return datetime(*whole, tzinfo=UTC)  # type: ignore[misc,arg-type]


def looks_like_index(body: bytes) -> bool:
    """Whether an answer can be an index at all; its first line is looked at alone.

    Archives give error pages and messages of exceptions with a status of 200.
    """
    head = body[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head[:1] in (b"", b"[", b"{"):
        return True
    return _words(head.split(b"\n", 1)[0].decode("utf-8", "replace")) is not None


def captures(body: bytes) -> tuple[Capture, ...] | None:
    """The captures of an answer, in its order; None where it is no index.

    A line or row that cannot be read is left out.
    """
    text = body.decode("utf-8-sig", "replace").strip()
    if not text:
        return ()
    rows: Iterable[object]
    if text.startswith("["):
        try:
            rows = orjson.loads(text)
        except orjson.JSONDecodeError:
            return None
        found = tuple(_of_rows(rows))
        return found if found or not any(_long(row) for row in rows) else None
    lines = [line for line in text.split("\n") if line.strip()]
    found = tuple(capture for line in lines if (capture := _of_line(line)) is not None)
    if found:
        return found
    return () if _NOTHING in text[:4096].casefold() and text.startswith("{") else None


def _long(row: object) -> bool:
    """Whether a row is more than a header, a resumption key or nothing."""
    if isinstance(row, list):
        return len(row) > 1 and "timestamp" not in row
    return isinstance(row, dict)


def _of_rows(rows: Iterable[object]) -> Iterator[Capture]:
    names: Sequence[object] = _PLAIN
    for row in rows:
        if isinstance(row, dict):
            capture = _capture(row)
        elif isinstance(row, list) and "timestamp" in row:
            names, capture = row, None
        elif isinstance(row, list):
            capture = _capture(dict(zip(map(str, names), row, strict=False)))
        else:
            capture = None
        if capture is not None:
            yield capture


def _of_line(line: str) -> Capture | None:
    line = line.strip()
    head, brace, _ = line.partition("{")
    if brace:
        try:
            said = orjson.loads(line[len(head) :])
        except orjson.JSONDecodeError:
            return None
        if not isinstance(said, dict):
            return None
        before = head.split()
        if len(before) == 2:  # CDXJ: key and timestamp stand before the object
            said.setdefault("timestamp", before[1])
        return _capture(said)
    words = _words(line)
    return None if words is None else _capture(dict(zip(_PLAIN, words, strict=False)))


def _words(line: str) -> list[str] | None:
    """A line of the older form, or None."""
    words = line.split()
    if len(words) < 3 or not (words[1].isascii() and words[1].isdigit() and len(words[1]) >= 4):
        return None
    return words


def _capture(said: dict[str, Any]) -> Capture | None:
    held = {_NAMES[name]: value for name, value in said.items() if name in _NAMES}
    stamp, original = str(held.get("timestamp") or ""), str(held.get("original") or "")
    status = str(held.get("status") or "")
    try:
        last_second(stamp)
    except ValueError:
        return None
    if not original or any(c.isspace() for c in original):
        return None
    return Capture(
        stamp[:14],
        original,
        int(status) if status.isascii() and status.isdigit() and len(status) == 3 else None,
        str(held.get("mime") or ""),
    )
