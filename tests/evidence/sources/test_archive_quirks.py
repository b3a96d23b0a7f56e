"""The archive source against what other servers do: the Wayback Machine, OpenWayback, broken ones.

The server here is scripted; a real one is in `test_archive.py`.
"""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from email.utils import format_datetime
from typing import Any

import brotli
import orjson
import pytest
from aiohttp import web

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.sources.archive import Archive
from ideatrail.evidence.sources.cdx import last_second
from ideatrail.evidence.web.client import Client, Patience
from ideatrail.evidence.web.limits import Limiters
from ideatrail.evidence.web.response import Caps

CUTOFF = Cutoff.parse("2019-06-30")
PAGE = "http://example.org/page"
HEAD = ["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"]
FILLER = "A sentence about parsing rare languages that a reader of pages would take for text. " * 12

Row = tuple[str, str, str]
"""Timestamp, original, status."""
Answer = Callable[[], web.Response]


def html(said: str) -> bytes:
    return (
        f"<html><head><title>On {said}</title></head><body><article><h1>On {said}</h1>"
        f"<p>This page says {said}.</p><p>{FILLER}</p></article></body></html>"
    ).encode()


def memento(stamp: str, body: bytes | str = b"", status: int = 200, **headers: str) -> Answer:
    """What an archive plays."""
    said = {"Memento-Datetime": format_datetime(last_second(stamp), usegmt=True)}
    said |= {"Content-Type": "text/html; charset=utf-8"}
    said |= {name.replace("_", "-"): value for name, value in headers.items()}
    payload = html(body) if isinstance(body, str) else body
    return lambda: web.Response(status=status, body=payload, headers=said)


@dataclass
class Scripted:
    """An archive that answers by a script: rows of its index, and captures by `stamp/original`."""

    port: int = 0
    rows: list[Row] = field(default_factory=list)
    index: Callable[[web.Request], web.Response] | None = None
    plays: dict[str, Answer] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def wayback_index(self, request: web.Request) -> web.Response:
        """Rows in order of time, those at the end for a limit below zero."""
        limit, to = int(request.query["limit"]), request.query["to"]
        rows = sorted(row for row in self.rows if row[0] <= to)
        rows = rows[limit:] if limit < 0 else rows[:limit]
        table = [HEAD, *(["key", at, url, "text/html", said, "D", "1"] for at, url, said in rows)]
        return web.json_response(table if rows else [])

    async def serve(self, request: web.Request) -> web.StreamResponse:
        path = request.raw_path
        self.asked.append(path)
        if "/cdx" in request.path:
            return (self.index or self.wayback_index)(request)
        answer = self.plays.get(path.removeprefix("/web/").replace("id_/", "/", 1))
        if answer is None:
            return web.Response(status=404, text="<html>not in the archive</html>")
        return answer()

    @property
    def played(self) -> list[str]:
        return [path for path in self.asked if "id_/" in path]


@pytest.fixture
async def server() -> AsyncIterator[Scripted]:
    scripted = Scripted()
    app = web.Application()
    app.router.add_get("/{tail:.*}", scripted.serve)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    scripted.port = runner.addresses[0][1]
    yield scripted
    await runner.cleanup()


@pytest.fixture
async def client(server: Scripted) -> AsyncIterator[Client]:
    client = Client(
        allow=[f"127.0.0.1:{server.port}"],
        patience=Patience(attempts=2, first_wait=0.005, as_asked=0.2),
        limiters=Limiters(),
    )
    yield client
    await client.aclose()


@pytest.fixture
def archive(client: Client, server: Scripted) -> Archive:
    return Archive(client, f"{server.base}/web/", cdx=f"{server.base}/cdx/search/cdx")


Said = Callable[..., Awaitable[str | None]]


@pytest.fixture
def said(archive: Archive) -> Said:
    async def ask(url: str = PAGE, other: Archive | None = None) -> str | None:
        paper = await (other or archive).open(url, CUTOFF)
        if paper is None:
            return None
        assert CUTOFF.admits(paper.shown)
        return " ".join(paper.body).partition("This page says ")[2].partition(".")[0]

    return ask


async def ending(asked: Awaitable[Any]) -> str:
    with pytest.raises(EvidenceError) as error:
        await asked
    return error.value.ending


async def test_the_wayback_machine_is_asked_for_the_last_ones(server, said):
    server.rows = [("20180301120000", PAGE, "200"), ("20180401120000", PAGE, "200")]
    server.plays["20180401120000/" + PAGE] = memento("20180401120000", "the second")
    assert await said() == "the second"
    asked = server.asked[0]
    assert "to=20190701115959" in asked
    assert "limit=-25" in asked
    assert "filter=%21statuscode" in asked


async def test_pywb_is_asked_in_reverse(server, client, said):
    """A limit below zero gives none at all there."""

    def index(request: web.Request) -> web.Response:
        assert int(request.query["limit"]) > 0
        assert request.query["sort"] == "reverse"
        row = {"timestamp": "20180301120000", "url": PAGE, "status": "200"}
        return web.Response(body=orjson.dumps(row) + b"\n", content_type="text/x-ndjson")

    server.index = index
    server.plays["20180301120000/" + PAGE] = memento("20180301120000", "it")
    for other in (
        Archive(client, f"{server.base}/web"),
        Archive(client, f"{server.base}/web/ {server.base}/elsewhere/cdx?map=all"),
    ):
        assert await said(other=other) == "it"
    assert server.asked[-2].startswith("/elsewhere/cdx?map=all&url=")


async def test_a_server_that_ignores_order_and_cutoff_gives_nothing_later(server, client, said):
    """The first captures of all, and some after the cutoff."""
    stamps = [f"2018{month:02}{day:02}000000" for month in (1, 2) for day in range(1, 21)]
    server.rows = [(stamp, PAGE, "200") for stamp in (*stamps, "20200101000000")]

    def index(request: web.Request) -> web.Response:
        rows = server.rows[: int(request.query["limit"])]
        return web.json_response([HEAD, *(["k", at, url, "m", "200"] for at, url, _ in rows)])

    server.index = index
    server.plays["20180220000000/" + PAGE] = memento("20180220000000", "the newest")
    server.plays["20200101000000/" + PAGE] = memento("20200101000000", "what came later")
    assert await said(other=Archive(client, f"{server.base}/web/")) == "the newest"
    assert len(server.played) == 1


async def test_failures_among_the_newest_do_not_hide_the_page(server, client, said):
    """Of a server that takes no filter."""
    server.rows = [("20180101000000", PAGE, "200")]
    server.rows += [(f"201802{day:02}000000", PAGE, "404") for day in range(1, 28)]

    def index(request: web.Request) -> web.Response:
        rows = sorted(server.rows, reverse=True)[: int(request.query["limit"])]
        return web.json_response([HEAD, *(["k", at, url, "m", code] for at, url, code in rows)])

    server.index = index
    server.plays["20180101000000/" + PAGE] = memento("20180101000000", "the page")
    assert await said(other=Archive(client, f"{server.base}/web/")) == "the page"


@pytest.mark.parametrize(
    "location",
    [
        "{base}/web/20180302000000id_/http://example.org/new",
        "/web/20180302000000id_/http://example.org/new",
        "{base}/web/20180302000000/http:/example.org/new",
        "{base}/web/20180302000000im_/example.org/new",
        "/web/201803020000000/http://example.org/new",
    ],
)
async def test_redirects_that_the_archive_has_rewritten_are_followed(server, said, location):
    server.rows = [("20180301120000", PAGE, "302")]
    to = location.format(base=server.base)
    server.plays["20180301120000/" + PAGE] = memento("20180301120000", b"", 302, Location=to)
    stamp = to.partition("/web/")[2].partition("/")[0].rstrip("dim_")[:14]
    server.plays[f"{stamp}/http://example.org/new"] = memento("20180302000000", "the new place")
    assert await said() == "the new place"


async def test_a_redirect_to_the_exact_moment_of_a_capture_is_followed(server, said):
    server.rows = [("201803011200", PAGE, "200")]
    server.plays["201803011200/" + PAGE] = lambda: web.Response(
        status=302, headers={"Location": "/web/20180301120042id_/" + PAGE}
    )
    server.plays["20180301120042/" + PAGE] = memento("20180301120042", "it")
    assert await said() == "it"


@pytest.mark.parametrize("stamp", ["2018", "2018030", "201803011200", "20180301120042"])
async def test_a_moment_that_is_told_in_part_is_played(server, said, stamp):
    server.rows = [(stamp, PAGE, "200"), ("201801", PAGE, "200")]
    server.plays[f"{stamp}/{PAGE}"] = memento("20180301120042", "it")
    assert await said() == "it"
    server.plays[f"{stamp}/{PAGE}"] = memento("20170301120042", "another")
    server.plays[f"201801/{PAGE}"] = memento("20180131235959", "an older one")
    assert await said() == "an older one"


@pytest.mark.parametrize(
    "location",
    [
        "/web/20200302000000id_/" + PAGE,  # later
        "/web/2019id_/" + PAGE,  # may be later
        "/web/" + PAGE,  # a TimeGate
        "/web/2018*/" + PAGE,  # a calendar
        PAGE,  # the live page
        "https://elsewhere.example.net/web/20180301120001id_/" + PAGE,
        "/web/20180301120001id_/http://example.org/other",  # another page
        "/web/20189901120001id_/" + PAGE,  # no moment
        "/web/20180301120000id_/" + PAGE,  # itself
        "http://[broken",
    ],
)
async def test_an_archive_does_not_lead_us_out_of_what_stood(server, said, location):
    """The redirect is the archive's own. What it leads to would answer."""
    server.rows = [("20180301120000", PAGE, "200"), ("20180101000000", PAGE, "200")]
    server.plays["20180301120000/" + PAGE] = lambda: web.Response(
        status=302, headers={"Location": location}
    )
    server.plays["20180101000000/" + PAGE] = memento("20180101000000", "an older one")
    for stamp in ("20200302000000", "2019", "20180301120001"):
        for url in (PAGE, "http://example.org/other"):
            server.plays[f"{stamp}/{url}"] = memento("20180301120001", "a trap")
    server.plays[PAGE] = memento("20180301120001", "a trap")
    assert await said() == "an older one"
    assert len(server.played) == 2


async def test_the_moment_played_counts_and_not_the_one_asked_for(server, said):
    server.rows = [("20180301120000", PAGE, "200"), ("20180201120000", PAGE, "200")]
    server.plays["20180301120000/" + PAGE] = memento("20200101000000", "a later one")
    server.plays["20180201120000/" + PAGE] = memento("20180201120000", "the right one")
    assert await said() == "the right one"
    server.plays["20180301120000/" + PAGE] = memento("20170101000000", "an earlier one")
    assert await said() == "the right one"
    server.plays["20180301120000/" + PAGE] = memento(
        "20180301120000", "a later one",
        Content_Location=f"{server.base}/web/20200101000000id_/{PAGE}",
    )  # fmt: skip
    assert await said() == "the right one"


@pytest.mark.parametrize("value", [None, "", "yesterday", "Thu, 99 Mar 2018 12:00:00 GMT"])
async def test_a_capture_without_a_moment_is_not_shown(server, said, value):
    """Its address has one, but servers put others in its place."""
    server.rows = [("20180301120000", PAGE, "200")]
    headers = {"Content-Type": "text/html"} | ({} if value is None else {"Memento-Datetime": value})
    server.plays["20180301120000/" + PAGE] = lambda: web.Response(
        body=html("something"), headers=headers
    )
    assert await ending(said()) == "refused"


@pytest.mark.parametrize("coding", ["gzip", "br", "x-unheard-of"])
@pytest.mark.parametrize("packed", [True, False])
async def test_packing_told_of_under_another_name_is_undone(server, said, coding, packed):
    """Whether the archive has undone it or not."""
    body = html("packed words")
    if packed and coding == "gzip":
        body = gzip.compress(body)
    elif packed and coding == "br":
        body = brotli.compress(body)
    server.rows = [("20180301120000", PAGE, "200")]
    server.plays["20180301120000/" + PAGE] = memento(
        "20180301120000", body, X_Archive_Orig_Content_Encoding=coding
    )
    assert await said() == "packed words"


async def test_a_bomb_under_another_name_goes_off_outside(server, client, said):
    server.rows = [("20180301120000", PAGE, "200")]
    server.plays["20180301120000/" + PAGE] = memento(
        "20180301120000", gzip.compress(b"<p>x</p>" * 500_000),
        X_Archive_Orig_Content_Encoding="gzip",
    )  # fmt: skip
    small = Archive(
        client, f"{server.base}/web/", cdx=f"{server.base}/cdx/search/cdx",
        caps=Caps(max_bytes=1_000_000, max_seconds=10),
    )  # fmt: skip
    assert await ending(said(other=small)) == "refused"


async def test_one_capture_may_be_broken_but_not_two(server, said):
    server.rows = [(f"2018030{day}000000", PAGE, "200") for day in (1, 2, 3)]
    down: Answer = lambda: web.Response(status=503)  # noqa: E731
    server.plays[f"20180303000000/{PAGE}"] = down
    server.plays[f"20180302000000/{PAGE}"] = memento("20180302000000", "the second")
    server.plays[f"20180301000000/{PAGE}"] = memento("20180301000000", "the first")
    assert await said() == "the second"
    server.plays[f"20180302000000/{PAGE}"] = down
    assert await ending(said()) == "unreachable"


async def test_few_captures_are_tried(server, said):
    server.rows = [(f"201803{day:02}000000", PAGE, "200") for day in range(1, 20)]
    assert await said() is None
    assert len(server.played) == 5


@pytest.mark.parametrize(
    ("status", "body", "wanted"),
    [
        (200, b"<html><body>504 Gateway Time-out</body></html>", "partial"),
        (200, b"org.archive.wayback.exception: no", "partial"),
        (200, b'[["urlkey","timestamp","original"],["k","2018', "partial"),
        (400, b"Bad Request", "refused"),
        (403, b"Blocked Site Error", "refused"),
        (404, b"<html>not here</html>", "unreachable"),
        (429, b"slowly", "rate_limited"),
        (500, b"", "unreachable"),
        (503, b"", "unreachable"),
    ],
)
async def test_an_index_that_could_not_look_is_no_empty_one(server, said, status, body, wanted):
    server.index = lambda request: web.Response(status=status, body=body)
    assert await ending(said()) == wanted


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, b""), (200, b"[]"), (404, b'{"message": "No Captures found for: x"}'), (404, b"")],
)
async def test_an_empty_index_has_no_page(server, said, status, body):
    server.index = lambda request: web.Response(status=status, body=body)
    assert await said() is None


async def test_of_a_preprint_a_page_too_large_gives_way_to_the_next_form(server, client, said):
    place = "https://arxiv.org/{}/1801.00001"

    def index(request: web.Request) -> web.Response:
        url = request.query["url"]
        assert request.query["matchType"] == "prefix"
        return web.json_response([HEAD, ["k", "20180301120000", url, "m", "200"]])

    server.index = index
    for form, size in (("html", 3_000_000), ("pdf", 0)):
        server.plays["20180301120000/" + place.format(form)] = memento(
            "20180301120000", html(form) + b" " * size
        )
    small = Archive(
        client, f"{server.base}/web/", cdx=f"{server.base}/cdx",
        caps=Caps(max_bytes=2_000_000, max_seconds=10),
    )  # fmt: skip
    assert await said("https://arxiv.org/abs/1801.00001", small) == "pdf"


async def test_a_front_page_is_no_other_address_of_a_work(server, archive):
    """All that is gone from a site may lead there."""
    server.rows = [("20180301120000", PAGE, "302")]
    server.plays["20180301120000/" + PAGE] = memento("20180301120000", b"", 302, Location="/")
    server.plays["20180301120000/http://example.org/"] = memento("20180301120000", "welcome")
    paper = await archive.open(PAGE, CUTOFF)
    assert paper is not None
    assert paper.aliases == ("https://example.org/page",)


@pytest.mark.parametrize("url", ["https://web.archive.org", "http://web.archive.org/web/"])
async def test_the_wayback_machine_needs_no_second_address(url):
    """A lookup that fails shows what would have been asked."""
    asked: list[str] = []

    async def lookup(host: str, port: int) -> list[str]:
        asked.append(f"{host}:{port}")
        raise OSError

    client = Client(limiters=Limiters(), lookup=lookup, patience=Patience(attempts=1))
    assert await ending(Archive(client, url).open(PAGE, CUTOFF)) == "unreachable"
    assert asked == ["web.archive.org:443"]
    await client.aclose()
