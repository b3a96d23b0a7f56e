"""Text that names what lies after the cutoff is not shown, whatever its own date says.

A record's date is its source's word; an abstract that cites a later preprint, or speaks of a day
that had not come, was changed afterwards. A bare year is no sign: papers look ahead ("by 2030").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from ideatrail.evidence.dates import Cutoff, parse_date
from ideatrail.evidence.paper import arxiv_month

_NUMBER: Final = re.compile(r"\d{4}")
_ARXIV: Final = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf|html)/|\s*:\s*|\s+)(\d{4}\.\d{4,5})(?!\d)", re.IGNORECASE
)
_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_DATE: Final = re.compile(
    rf"(?<![\d-])\d{{4}}-\d{{2}}-\d{{2}}(?![\d-])"
    rf"|\b(?:\d{{1,2}}\s+)?{_MONTH},?\s+\d{{4}}\b|\b{_MONTH}\s+\d{{1,2}},\s*\d{{4}}\b"
)


def names_later(text: str, cutoff: Cutoff) -> bool:
    """Whether `text` names an arXiv id, a day or a month that begins after the cutoff."""
    return any(moment > cutoff.moment for moment in later_mentions(text))


def later_mentions(text: str) -> Iterator[datetime]:
    """The moments before which nobody could have written `text`: those at which the arXiv months,
    the days and the months that it names begin."""
    if not _NUMBER.search(text):  # most texts: no year and no id
        return
    for match in _ARXIV.finditer(text):
        opens = arxiv_month(f"https://arxiv.org/abs/{match[1]}")
        if opens:
            yield opens.latest
    for match in _DATE.finditer(text):
        date = parse_date(match[0])
        if date:
            yield date.earliest
