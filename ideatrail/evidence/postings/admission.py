"""The moment from which on a paper may be seen: one number that says all a cutoff asks.

A cutoff admits a paper whose date ends at or before it and whose text names nothing that begins
after it. Both get true at one moment and stay so.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.tokens import is_odd
from ideatrail.evidence.postings.works import NEVER
from ideatrail.evidence.quarantine import later_mentions

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TICK: Final = timedelta(microseconds=1)
_MONTHS: Final = (
    "January February March April May June July August September October November December"
).split()
_SHAPES: Final = bytes(
    ord("0") if chr(byte).isdecimal() and byte < 0x80 else byte if chr(byte) in "-" else ord(" ")
    for byte in range(256)
)
"""What each byte of UTF-8 becomes where dates are looked for: a digit, a hyphen or neither."""


def ticks(moment: datetime) -> int:
    """Microseconds since 1970, exactly."""
    return (moment - _EPOCH) // _TICK


def latest(paper: Paper) -> int:
    """The end of the paper's date, in ticks; NEVER where it has none."""
    return ticks(paper.shown.latest) if paper.shown else NEVER


def admitted(paper: Paper) -> int:
    """The tick from which on cutoffs admit the paper; NEVER where none does."""
    if paper.shown is None:
        return NEVER
    found = paper.shown.latest
    for text in (paper.title, *paper.body):
        named = latest_named(text)
        if named and named > found:
            found = named
    return ticks(found)


def latest_named(text: str) -> datetime | None:
    """The last beginning of a day, month or arXiv month that `text` names: cutoffs before it put
    the text under quarantine (see `quarantine.names_later`)."""
    if not is_odd(text):  # a cheap look for what all dates and ids hold, before the costly one
        shape = text.encode().translate(_SHAPES)
        if b"0000" not in shape:
            return None
        named = "arxiv" in text.lower() or any(month in text for month in _MONTHS)
        if not named and b"-00-" not in shape:
            return None
    return max(later_mentions(text), default=None)
