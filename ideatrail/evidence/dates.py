"""Dates as intervals, and the cutoff that they are held against.

A date is taken for the whole stretch of time it can mean. Evidence is admitted only where the
*latest* moment of that stretch is at or before the cutoff.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Final

FIRST_YEAR: Final = 1500
LAST_YEAR: Final = 2999
"""Years outside are taken for nonsense: page numbers and counts come as dates, too."""

_EAST: Final = timedelta(hours=14)
_WEST: Final = timedelta(hours=12)
_TICK: Final = timedelta(microseconds=1)
_AOE: Final = timezone(-_WEST)

_MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_YEAR: Final = re.compile(r"(\d{4})")
_MONTH: Final = re.compile(r"(\d{4})[-/](\d{1,2})")
_DAY: Final = re.compile(r"(\d{4})([-/])(\d{1,2})\2(\d{1,2})")
_STAMP: Final = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ]"
    r"(\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s?"
    r"(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?",
    re.IGNORECASE,
)
_RFC: Final = re.compile(
    r"(?:[A-Za-z]{3},?\s+)?\d{1,2}\s+[A-Za-z]{3}\s+\d{4}\s+\d{2}:\d{2}(?::\d{2})?"
    r"(?:\s+(?:[+-]\d{4}|[A-Z]{1,4}))?(?:\s+\([^()]*\))?"
)
_DAY_MONTH: Final = re.compile(r"(?:(\d{1,2})(?:st|nd|rd|th)?\s+)?([A-Za-z]{3,9})\.?,?\s+(\d{4})")
_MONTH_DAY: Final = re.compile(r"([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")


@dataclass(frozen=True, slots=True)
class Interval:
    """All the moments that a date can mean."""

    earliest: datetime
    """Aware, UTC."""
    latest: datetime
    """Aware, UTC, at or after `earliest`; the moment that counts for admission."""
    text: str
    """The date as its source gave it."""

    def until(self, other: Interval) -> Interval:
        """From this date to the end of `other` or its own, whichever is later."""
        return Interval(self.earliest, max(self.latest, other.latest), self.text)


def days(first: date, last: date, text: str) -> Interval:
    """From the first moment of one day (UTC+14) to the last moment of another (UTC-12)."""
    begin = datetime(first.year, first.month, first.day, tzinfo=UTC) - _EAST
    return Interval(begin, _day_end(last), text)


def month(year: int, number: int, text: str) -> Interval:
    """A whole month; `number` counts from 1."""
    last = monthrange(year, number)[1]
    return days(date(year, number, 1), date(year, number, last), text)


@lru_cache(maxsize=16_384)
def parse_date(text: str | None) -> Interval | None:
    """The interval of a date in one of the forms that sources give, or None.

    Known forms: a year; a year and month; a day; the same with English month names; an ISO 8601
    timestamp; an RFC 2822 one, as arXiv dates versions. 1 January with no time of day is taken for
    the year, since databases fill year-only dates up that way. A timestamp without a zone can be
    anywhere on earth. Anything else, an impossible day among it, is None: no date.
    """
    if text is None or not (text := text.strip()):
        return None
    try:
        return _numeric(text) or _stamp(text) or _named(text)
    except (ValueError, OverflowError):
        return None


def _numeric(text: str) -> Interval | None:
    if match := _YEAR.fullmatch(text):
        return _year(int(match[1]), text)
    if match := _MONTH.fullmatch(text):
        _check(int(match[1]))
        return month(int(match[1]), int(match[2]), text)
    if match := _DAY.fullmatch(text):
        return _day(int(match[1]), int(match[3]), int(match[4]), text)
    return None


def _stamp(text: str) -> Interval | None:
    moment = _moment(text)
    if moment is None and _RFC.fullmatch(text):
        moment = parsedate_to_datetime(text)
    if moment is None:
        return None
    _check(moment.year)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
        return Interval(moment - _EAST, moment + _WEST, text)
    moment = moment.astimezone(UTC)
    return Interval(moment, moment, text)


def _named(text: str) -> Interval | None:
    if match := _DAY_MONTH.fullmatch(text):
        day, name, year = match[1], match[2], int(match[3])
    elif match := _MONTH_DAY.fullmatch(text):
        day, name, year = match[2], match[1], int(match[3])
    else:
        return None
    number = _month_number(name)
    if number is None:
        return None
    _check(year)
    return month(year, number, text) if day is None else _day(year, number, int(day), text)


def _month_number(name: str) -> int | None:
    name = "sep" if name.casefold() == "sept" else name.casefold()
    for number, full in enumerate(_MONTHS, start=1):
        if name in (full, full[:3]):
            return number
    return None


def _year(year: int, text: str) -> Interval:
    _check(year)
    return days(date(year, 1, 1), date(year, 12, 31), text)


def _day(year: int, number: int, day: int, text: str) -> Interval:
    _check(year)
    if (number, day) == (1, 1):
        return _year(year, text)
    return days(date(year, number, day), date(year, number, day), text)


def _check(year: int) -> None:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError(f"no year of a publication: {year}")


def _day_end(day: date) -> datetime:
    """The last microsecond of `day` at UTC-12, where it ends last, in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1) + _WEST - _TICK


def _moment(text: str) -> datetime | None:
    """The moment of an ISO 8601 timestamp, naive where it has no zone; None for other forms."""
    match = _STAMP.fullmatch(text)
    if match is None:
        return None
    clock = match[2].replace(",", ".")
    if "." in clock:  # more digits than a microsecond has are cut
        clock = clock[: clock.index(".") + 7]
    zone = (match[3] or "").upper()
    if zone in ("UTC", "GMT"):
        zone = "Z"
    return datetime.fromisoformat(f"{match[1]}T{clock}{zone}")


@dataclass(frozen=True, slots=True)
class Cutoff:
    """The moment after which nothing may be known."""

    moment: datetime
    """Aware, UTC. Evidence is admitted up to and including it."""
    day: str
    """The day as the user wrote it, `YYYY-MM-DD`: what prompts and records carry."""
    text: str
    """The cutoff as the user wrote it."""

    @classmethod
    def parse(cls, text: str) -> Cutoff:
        """A day (its end at UTC-12) or a timestamp (itself).

        A timestamp without a zone is read at UTC-12, as a day is: so the same wall-clock time on a
        paper and on the cutoff compares as equal, and never reaches past the end of its own day.
        Raises ValueError, one line, for anything else: a month or a year does not say which end of
        it is meant.
        """
        given = text.strip()
        refusal = ValueError(
            f"cutoff {given[:40]!r} is no date: give a day as YYYY-MM-DD, or an ISO 8601 timestamp"
        )
        match = _DAY.fullmatch(given)
        try:
            if match and match[2] == "-":
                day = date(int(match[1]), int(match[3]), int(match[4]))
                _check(day.year)
                return cls(_day_end(day), day.isoformat(), given)
            moment = _moment(given)
            if moment is None:
                raise refusal
            _check(moment.year)
        except (ValueError, OverflowError):
            raise refusal from None
        aware = moment if moment.tzinfo else moment.replace(tzinfo=_AOE)
        return cls(aware.astimezone(UTC), moment.date().isoformat(), given)

    def admits(self, interval: Interval | None) -> bool:
        """Whether everything that the date can mean lies at or before the cutoff. No date: no."""
        return interval is not None and interval.latest <= self.moment
