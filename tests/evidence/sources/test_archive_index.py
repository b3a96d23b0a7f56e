"""Answers of an archive's index, whole and broken, in all their forms."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.evidence.sources.cdx import Capture, captures, last_second, looks_like_index

ROWS = (
    Capture("20180301120000", "http://example.org/page", 200, "text/html"),
    Capture("20180601000000", "http://example.org/page", None, "warc/revisit"),
    Capture("2019", "https://example.org/page?a=b", 302, "text/html"),
)


def _status(row: Capture) -> str:
    return "-" if row.status is None else str(row.status)


def wayback(rows: tuple[Capture, ...]) -> bytes:
    """As the Wayback Machine and OpenWayback have it."""
    head = ["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"]
    body = [["org,example)/", r.stamp, r.original, r.mime, _status(r), "ABC", "12"] for r in rows]
    return b"[" + b",\n".join(map(orjson.dumps, [head, *body])) + b"]\n"


def pywb(rows: tuple[Capture, ...]) -> bytes:
    """As pywb has it: no status where there is none."""
    lines = []
    for row in rows:
        said = {"urlkey": "org,example)/", "timestamp": row.stamp, "url": row.original}
        said |= {"mime": row.mime, "access": "allow"}
        if row.status is not None:
            said["status"] = str(row.status)
        lines.append(orjson.dumps(said))
    return b"\n".join(lines) + b"\n"


def cdxj(rows: tuple[Capture, ...]) -> bytes:
    lines = []
    for row in rows:
        said = {"url": row.original, "mime": row.mime, "status": _status(row)}
        lines.append(f"org,example)/ {row.stamp} ".encode() + orjson.dumps(said))
    return b"\n".join(lines)


def plain(rows: tuple[Capture, ...]) -> bytes:
    return "\n".join(
        f"org,example)/ {r.stamp} {r.original} {r.mime} {_status(r)} ABC 12" for r in rows
    ).encode()


FORMS = (wayback, pywb, cdxj, plain)


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_of_an_index_say_the_same(form):
    assert captures(form(ROWS)) == ROWS
    assert looks_like_index(form(ROWS))


def test_an_empty_index_is_no_broken_one():
    for empty in (b"", b"\n", b"[]", b"[]\n", b'[["urlkey","timestamp","original"]]'):
        assert captures(empty) == ()
        assert looks_like_index(empty)
    assert captures(b'{"message": "No Captures found for: example.org"}') == ()


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><html><body>504 Gateway Time-out</body></html>",
        b"org.archive.util.io.RuntimeIOException: java.net.SocketTimeoutException",
        b'{"error": "something failed"}',
        b'[["urlkey","timestamp","original"],["org,example)/","2018',
        b'[["org,example)/", "not a time", "http://example.org/"]]',
        b"\x00\xff\xfe",
    ],
)
def test_what_is_no_index_is_told_from_an_empty_one(body):
    assert captures(body) is None


def test_error_pages_are_seen_at_their_first_line():
    assert not looks_like_index(b"  <html>an error</html>")
    assert not looks_like_index(b"Internal Server Error\n")


def test_rows_without_a_header_and_rows_for_going_on_are_understood():
    body = orjson.dumps(
        [["org,example)/", "20180301120000", "http://example.org/page", "text/html", "200"],
         [], ["org%2Cexample%29%2F+20180301120001"]]
    )  # fmt: skip
    assert captures(body) == ROWS[:1]


@given(
    st.lists(st.tuples(st.sampled_from(ROWS), st.booleans(), st.binary(max_size=30)), max_size=8)
)
def test_a_broken_line_costs_only_itself(lines):
    """Cut lines, lines of garbage, between good ones."""
    body, wanted = [], []
    for row, broken, garbage in lines:
        line = pywb((row,)).strip()
        if broken:
            body += [line[: len(line) // 2], b"\x00 " + garbage.replace(b"\n", b"")]
        else:
            body.append(line)
            wanted.append(row)
    found = captures(b"\n".join(body))
    assert found == tuple(wanted) or (not wanted and found is None)


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_bytes_break_the_reader(body):
    for capture in captures(body) or ():
        assert capture.original
        assert capture.latest.tzinfo is UTC
    looks_like_index(body)


@given(st.recursive(
    st.none() | st.booleans() | st.integers(0, 2**60) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(
        st.sampled_from(["timestamp", "url", "original", "status", "mime", "x"]), inner, max_size=5
    ),
))  # fmt: skip
def test_no_json_breaks_the_reader(value):
    captures(orjson.dumps(value))
    captures(orjson.dumps([value]))


@pytest.mark.parametrize(
    ("stamp", "last"),
    [
        ("20180301120005", "2018-03-01T12:00:05"),
        ("201803011200", "2018-03-01T12:00:59"),
        ("20180301", "2018-03-01T23:59:59"),
        ("201802", "2018-02-28T23:59:59"),
        ("2016022", "2016-02-29T23:59:59"),
        ("2018", "2018-12-31T23:59:59"),
        ("20180301120005123", "2018-03-01T12:00:05"),
    ],
)
def test_a_short_timestamp_is_as_late_as_it_can_be(stamp, last):
    assert last_second(stamp).isoformat() == f"{last}+00:00"


@pytest.mark.parametrize(
    "stamp", ["", "201", "20181301000000", "20180230", "20180301250000", "0000", "2018x", "²⁰¹⁸"]
)
def test_no_timestamp_is_none(stamp):
    with pytest.raises(ValueError, match=r"timestamp|must be in|out of range"):
        last_second(stamp)


@given(st.datetimes(datetime(1000, 1, 1), datetime(9998, 1, 1)), st.integers(4, 14))
def test_a_cut_timestamp_never_ends_before_the_moment_it_came_from(moment, digits):
    moment = moment.replace(microsecond=0, tzinfo=UTC)
    stamp = moment.strftime("%Y%m%d%H%M%S").rjust(14, "0")[:digits]
    last = last_second(stamp)
    assert moment <= last
    assert last - moment <= timedelta(days=366)
