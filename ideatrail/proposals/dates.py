"""The date that a proposal states as its own; never one that merely occurs in its prose."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

_MONTHS: Final[dict[str, int]] = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero",
            "february feb februar février fevrier febrero",
            "march mar märz maerz mars marzo",
            "april apr avril abril",
            "may mai mayo",
            "june jun juni juin junio",
            "july jul juli juillet julio",
            "august aug août aout agosto",
            "september sep sept septembre septiembre",
            "october oct oktober octobre octubre",
            "november nov novembre noviembre",
            "december dec dezember décembre decembre diciembre",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR: Final = r"(?:19|20)\d\d"
_FORMS: Final[tuple[re.Pattern[str], ...]] = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<y>{_YEAR})-(?P<m>\d\d?)-(?P<d>\d\d?)(?=$|[T\s,;.)\]*_|\"'])",
        rf"(?P<y>{_YEAR})/(?P<m>\d\d?)/(?P<d>\d\d?)(?!\d)",
        rf"(?P<y>{_YEAR})\s*年\s*(?P<m>\d\d?)\s*月(?:\s*(?P<d>\d\d?)\s*日)?",
        rf"(?P<d>\d\d?)(?:st|nd|rd|th|\.)?\s+(?:of\s+"
        rf"|de\s+)?(?P<n>{_MONTH})\.?,?\s+(?:de\s+)?(?P<y>{_YEAR})(?!\d)",
        rf"(?P<n>{_MONTH})\.?\s+(?P<d>\d\d?)(?:st|nd|rd|th)?,?\s+(?P<y>{_YEAR})(?!\d)",
        rf"(?P<n>{_MONTH})\.?,?\s+(?P<y>{_YEAR})(?!\d)",
        rf"(?P<y>{_YEAR})-(?P<m>\d\d)(?![\d-])",
        rf"(?<![\d/.-])(?P<y>{_YEAR})(?![\d/-])",
    )
)
_ONE: Final = "|".join(f"(?:{re.sub(r'[?]P<[a-z]>', '?:', form.pattern)})" for form in _FORMS)

_LABEL: Final = re.compile(
    r"""^[\W_]*(?:(?:version|v)\s*\.?\s*[\d.]+\w*[\s,;:(–—-]+)?
    (?:(?:first\s+|rough\s+|working\s+)?draft(?:ed)?(?:\s+of|\s+from|\s+on)?
      |date(?:d)?|datum|fecha|日期|last\s+(?:touched|updated?|modified|changed|revised|edited|edit)
      |(?:last_)?(?:updated|modified|revised|created|written|submitted|posted|prepared)
        (?:[ _](?:on|at))?
      |version\s+of|as\s+of|as\s+at|stand|status\s+as\s+of|notes\s+(?:from|of))
    [\W_]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_VERSION: Final = re.compile(r"^[\W_]*(?:version|v|draft)\s*\.?\s*[\d.]*\w*[\W_]*$", re.IGNORECASE)
_RANGE: Final = re.compile(r"^[\s*_]*(?:→|->|–|—|-|to|until|through|bis).{0,12}\d", re.IGNORECASE)

HEAD_LINES: Final = 15
"""Non-empty lines from the top in which a proposal states its date."""
TAIL_LINES: Final = 4
"""The same from the end, for labelled dates only: a footer."""
BARE_LINES: Final = 6
"""Lines from the top in which a date may stand alone, without a label."""


def parse_date(text: str) -> str | None:
    """The first date in `text` as `YYYY-MM-DD`, `YYYY-MM` or `YYYY`; None where there is none.

    `03/04/2024` is refused: which of the two is the month cannot be known.
    """
    found = [match for form in _FORMS if (match := form.search(text))]
    # The earliest, and of those the most exact form: an impossible day leaves no month behind.
    return _iso(min(found, key=lambda match: match.start())) if found else None


def _iso(match: re.Match[str]) -> str | None:
    parts = match.groupdict()
    year = int(parts["y"])
    month = _MONTHS[parts["n"].lower()] if parts.get("n") else int(parts.get("m") or 0)
    day = int(parts.get("d") or 0)
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        return None
    if day and month:
        return f"{year}-{month:02d}-{day:02d}"
    return f"{year}-{month:02d}" if month else str(year)


_ANY: Final = re.compile(_ONE, re.IGNORECASE)


def stated_date(text: str) -> str | None:
    """The date in the head or footer of `text` that it states as its own, or None.

    Labelled dates count in the first HEAD_LINES and last TAIL_LINES lines; a date alone on its
    line, perhaps beside a short name or version, in the first BARE_LINES. Ranges are no dates.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    for line in lines[:HEAD_LINES]:
        found = _labelled(line)
        if found:
            return found
    for line in lines[:BARE_LINES]:
        found = _alone(line)
        if found:
            return found
    for line in lines[-TAIL_LINES:]:
        found = _labelled(line)
        if found:
            return found
    return None


def _labelled(line: str) -> str | None:
    """The date of a line, or of a part of it, that opens with a label such as `Date:`."""
    for part in re.split(r"[|;·•]|(?<=[.)])\s|,\s(?=[a-z]+(?:\s[a-z]+)?:)", line):
        match = _ANY.search(part)
        if match and _LABEL.match(part[: match.start()]) and not _RANGE.match(part[match.end() :]):
            return parse_date(match.group())
    return None


def _alone(line: str) -> str | None:
    """The date of a line that holds a whole date and hardly anything else."""
    match = _ANY.search(line)
    if not match or _RANGE.match(line[match.end() :]) or re.fullmatch(_YEAR, match.group()):
        return None
    before, after = line[: match.start()], line[match.end() :]
    if _ANY.search(after):
        return None
    rest = re.sub(r"[\W_]+", " ", before + after).strip()
    if not rest or (_VERSION.match(before) and not re.sub(r"\W", "", after)):
        return parse_date(match.group())
    # A byline: `A. Writer, 3 May 2024`. No verb, no label of another thing fits in four words.
    named = re.fullmatch(r"[\W_]*(?:[A-Z][\w.'’-]*[\s,]*){1,4}[\W_]*", before)
    other = re.search(r"deadline|due|start|end|submission|workshop|conference|accessed", line, re.I)
    if (
        named
        and not re.sub(r"\W", "", after)
        and not other
        and before.rstrip().endswith((",", "—", "–", "-", "("))
    ):
        return parse_date(match.group())
    return None
