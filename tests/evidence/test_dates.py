"""Dates are intervals, and nothing is admitted whose latest moment lies after the cutoff."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.evidence.dates import Cutoff, Interval, parse_date

DAYS = st.dates(date(1600, 1, 1), date(2900, 12, 31))
MOMENTS = st.datetimes(datetime(1600, 1, 1), datetime(2900, 12, 31)).map(
    lambda m: m.replace(microsecond=0)
)
ZONES = st.integers(-12 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "earliest", "latest"),
    [
        ("2019-06-05", utc(2019, 6, 4, 10), utc(2019, 6, 6, 11, 59, 59, 999999)),
        ("2019-06", utc(2019, 5, 31, 10), utc(2019, 7, 1, 11, 59, 59, 999999)),
        ("2019", utc(2018, 12, 31, 10), utc(2020, 1, 1, 11, 59, 59, 999999)),
        ("2019-01-01", utc(2018, 12, 31, 10), utc(2020, 1, 1, 11, 59, 59, 999999)),
        ("1 January 2019", utc(2018, 12, 31, 10), utc(2020, 1, 1, 11, 59, 59, 999999)),
        ("2019-01", utc(2018, 12, 31, 10), utc(2019, 2, 1, 11, 59, 59, 999999)),
        ("2019-06-05T12:00:00Z", utc(2019, 6, 5, 12), utc(2019, 6, 5, 12)),
        ("2019-06-05T12:00:00+02:00", utc(2019, 6, 5, 10), utc(2019, 6, 5, 10)),
        ("2019-06-05 12:00", utc(2019, 6, 4, 22), utc(2019, 6, 6, 0)),
        (
            "2019-06-05T12:00:00.1234567Z",
            utc(2019, 6, 5, 12, 0, 0, 123456),
            utc(2019, 6, 5, 12, 0, 0, 123456),
        ),
        ("Mon, 2 Apr 2007 19:18:42 GMT", utc(2007, 4, 2, 19, 18, 42), utc(2007, 4, 2, 19, 18, 42)),
        ("2 Apr 2007", utc(2007, 4, 1, 10), utc(2007, 4, 3, 11, 59, 59, 999999)),
        ("April 2, 2007", utc(2007, 4, 1, 10), utc(2007, 4, 3, 11, 59, 59, 999999)),
        ("Sept. 2007", utc(2007, 8, 31, 10), utc(2007, 10, 1, 11, 59, 59, 999999)),
        ("2020-02-29", utc(2020, 2, 28, 10), utc(2020, 3, 1, 11, 59, 59, 999999)),
    ],
)
def test_known_forms_of_dates(text: str, earliest: datetime, latest: datetime) -> None:
    assert parse_date(text) == Interval(earliest, latest, text)


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "  ",
        "soon",
        "0000",
        "12345",
        "2019-13",
        "2019-02-30",
        "2019-00",
        "2019-6-31",
        "31 June 2019",
        "2019-06-05T25:00:00Z",
        "99 Foo 2019",
        "in press",
        "9999-12-31",
        "1234",
        "2019-06/05",
        "Mon, 99 Apr 2007 19:18:42 GMT",
        "2019-06-05T12:00:00+99:00",
    ],
)
def test_nonsense_is_no_date(text: str | None) -> None:
    assert parse_date(text) is None


@given(st.text(max_size=40))
def test_any_text_is_a_date_or_none(text: str) -> None:
    found = parse_date(text)
    assert found is None or found.earliest <= found.latest


@given(DAYS, ZONES)
def test_a_day_holds_its_every_moment_anywhere(day: date, zone: timezone) -> None:
    interval = parse_date(day.isoformat())
    assert interval is not None
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=zone)
    for moment in (noon.replace(hour=0), noon, noon.replace(hour=23, minute=59, second=59)):
        assert interval.earliest <= moment <= interval.latest


@given(DAYS, DAYS)
def test_day_against_day_compares_dates(day: date, cutoff: date) -> None:
    admitted = Cutoff.parse(cutoff.isoformat()).admits(parse_date(day.isoformat()))
    last = date(day.year, 12, 31) if (day.month, day.day) == (1, 1) else day
    assert admitted == (last <= cutoff)


@given(DAYS, DAYS)
def test_months_and_years_are_admitted_at_their_end(day: date, cutoff: date) -> None:
    limit = Cutoff.parse(cutoff.isoformat())
    tomorrow = cutoff + timedelta(days=1)
    whole_month = (day.year, day.month) < (tomorrow.year, tomorrow.month)
    assert limit.admits(parse_date(f"{day:%Y-%m}")) == whole_month
    assert limit.admits(parse_date(f"{day.year}")) == (day.year < tomorrow.year)


@given(MOMENTS, ZONES, MOMENTS, ZONES)
def test_timestamps_are_themselves(
    at: datetime, zone: timezone, cutoff: datetime, cutoff_zone: timezone
) -> None:
    paper, limit = at.replace(tzinfo=zone), cutoff.replace(tzinfo=cutoff_zone)
    assert Cutoff.parse(limit.isoformat()).admits(parse_date(paper.isoformat())) == (paper <= limit)


@given(st.one_of(DAYS.map(str), DAYS.map(lambda d: f"{d:%Y-%m}"), MOMENTS.map(str)), DAYS)
def test_nothing_with_a_later_moment_is_admitted(text: str, cutoff: date) -> None:
    interval, limit = parse_date(text), Cutoff.parse(str(cutoff))
    assert interval is not None
    assert limit.admits(interval) == (interval.latest <= limit.moment)


def test_a_timestamp_without_zone_reaches_no_further_than_its_day() -> None:
    naive, day = Cutoff.parse("2021-03-04T23:59:59"), Cutoff.parse("2021-03-04")
    assert naive.moment <= day.moment
    assert naive.admits(parse_date("2021-03-04T23:59:59"))
    assert naive.day == day.day == "2021-03-04"


def test_no_date_is_not_admitted() -> None:
    assert not Cutoff.parse("2021-03-04").admits(None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2021",
        "2021-03",
        "yesterday",
        "2021-02-30",
        "04.03.2021",
        "2021-03-04T99:00Z",
        "9999-12-31",
        "2021/03/04",
        "x" * 500,
    ],
)
def test_a_nonsense_cutoff_is_one_clear_line(text: str) -> None:
    with pytest.raises(ValueError, match="is no date: give a day as YYYY-MM-DD") as caught:
        Cutoff.parse(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 160
