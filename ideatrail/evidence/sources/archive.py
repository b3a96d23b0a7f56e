"""Pages of the web as they stood, out of a Memento archive.

Captures are chosen from the archive's index, which is asked for those up to the cutoff, and never
by its TimeGate, which gives the closest and so the later one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final
from urllib.parse import urlencode, urlsplit

from ideatrail.evidence.dates import Cutoff, parse_date
from ideatrail.evidence.pages import PageText, read_page
from ideatrail.evidence.paper import RICHNESS, Paper
from ideatrail.evidence.source import EvidenceError, Found
from ideatrail.evidence.sources.cdx import Capture, captures, looks_like_index
from ideatrail.evidence.sources.forms import Form, forms
from ideatrail.evidence.sources.replay import Played, Replay
from ideatrail.evidence.urls import canonical, locate
from ideatrail.evidence.web.client import Client
from ideatrail.evidence.web.response import Caps, Response

WAYBACK: Final = "https://web.archive.org/web/"
WAYBACK_CDX: Final = "https://web.archive.org/cdx/search/cdx"

_NEWEST: Final = 25
"""Captures that the index is asked for: the newest ones before the cutoff."""
_ALL: Final = 5_000
"""The same where a server cannot give the newest alone."""
_TRIES: Final = 5
"""Captures of one address that are played until one serves."""
_SMALL: Final = 50_000
"""Bytes of an index that are read in a moment."""
_INDEX_CAPS: Final = Caps(max_bytes=8 * 2**20, max_seconds=60.0)
_PAGE_CAPS: Final = Caps(max_bytes=32 * 2**20, max_seconds=60.0)


class Archive:
    """A Memento archive: the Wayback Machine, or any pywb or OpenWayback server."""

    name = "archive"

    def __init__(
        self,
        client: Client,
        url: str = WAYBACK,
        *,
        cdx: str | None = None,
        caps: Caps = _PAGE_CAPS,
    ) -> None:
        """
        Args:
            client: asks; its guard decides on every hop.
            url: what stands before timestamps in addresses of captures: `http://host/web/` for
                the collection `web` of a pywb server. A second address after a space is `cdx`.
            cdx: the index. By default that of the Wayback Machine, or `<url>cdx` as pywb has it;
                OpenWayback has no fixed place for it.
            caps: bounds for one page.
        """
        replay, _, index = url.strip().partition(" ")
        if urlsplit(replay).hostname == "web.archive.org":
            replay, index = WAYBACK, index or WAYBACK_CDX
        replay = f"{replay.rstrip('/')}/"
        self._client = client
        self._cdx = cdx or index.strip() or f"{replay}cdx"
        self._replay = Replay(client, replay, caps)

    async def search(self, query: str, limit: int, cutoff: Cutoff) -> Found:
        """Nothing: an archive is asked by address."""
        return Found(())

    async def records(self, text: str) -> tuple[Paper, ...]:
        """Nothing: an archive knows pages, not works."""
        return ()

    async def open(self, address: str, cutoff: Cutoff) -> Paper | None:
        """The page at `address` as the newest capture at or before the cutoff has it; for a
        scientific work the fullest text that was captured of it. See `Source.open`.

        Its `versions` hold the one moment of the capture, whatever date the page states.
        """
        best: Paper | None = None
        failure: EvidenceError | None = None
        for form in forms(address):
            try:
                paper = await self._page(form, address, cutoff)
            except EvidenceError as error:
                if error.ending in ("rate_limited", "unreachable"):
                    raise  # the archive itself; it would not be there for the next form either
                failure = failure or error
                continue
            if paper is not None and (best is None or RICHNESS[paper.kind] > RICHNESS[best.kind]):
                best = paper
            if best is not None and best.kind == "full text":
                break
        if best is None and failure is not None:
            raise failure
        return best

    async def _page(self, form: Form, address: str, cutoff: Cutoff) -> Paper | None:
        failure: EvidenceError | None = None
        for capture in (await self._captures(form, address, cutoff))[:_TRIES]:
            try:
                played = await self._replay.play(capture, cutoff)
                if played is not None:
                    return await _read(played, address)
            except EvidenceError as error:
                # One capture may be broken for good; an archive that fails twice is down.
                if error.ending == "rate_limited" or (failure and error.ending == "unreachable"):
                    raise
                failure = failure or error
        if failure is not None:
            raise failure
        return None

    async def _captures(self, form: Form, address: str, cutoff: Cutoff) -> list[Capture]:
        """Captures worth playing, best first. Raises EvidenceError."""
        for way in self._ways(form):
            rows = await self._index(form, cutoff, way)
            if len(rows) >= _NEWEST and not _newest_first(rows, way):
                continue
            found = _ranked(rows, address, cutoff)
            if found or len(rows) < _NEWEST:
                return found
        rows = await self._index(form, cutoff, {"limit": str(_ALL)})
        return await asyncio.to_thread(_ranked, rows, address, cutoff)

    def _ways(self, form: Form) -> Iterator[dict[str, str]]:
        """How this server may give the newest captures alone."""
        if form.prefix:
            return  # limits count over all the addresses, in their order
        if urlsplit(self._cdx).path.endswith("/cdx/search/cdx"):
            yield {"limit": f"-{_NEWEST}", "filter": "!statuscode:[45].."}
        else:
            # pywb takes a limit below zero for none at all.
            yield {"limit": str(_NEWEST), "sort": "reverse"}

    async def _index(
        self, form: Form, cutoff: Cutoff, limit: dict[str, str]
    ) -> tuple[Capture, ...]:
        """Rows of the index up to the cutoff. Raises EvidenceError."""
        query = {
            "url": form.url.replace("*", "%2A"),  # a wildcard at either end
            "matchType": "prefix" if form.prefix else "exact",
            "to": cutoff.moment.strftime("%Y%m%d%H%M%S"),
            "output": "json",
            **limit,
        }
        mark = "&" if "?" in self._cdx else "?"
        response = await self._client.get(
            f"{self._cdx}{mark}{urlencode(query)}", caps=_INDEX_CAPS, sound=_is_index
        )
        body = response.body
        found = captures(body) if len(body) < _SMALL else await asyncio.to_thread(captures, body)
        if response.status == 404 and found != ():  # older pywb: 404 with a message of its own
            raise EvidenceError("unreachable", detail=f"no index at {self._cdx}")
        if response.status == 400:
            raise EvidenceError("refused", detail=f"the index takes no {form.url}")
        if response.status not in (200, 404):
            raise EvidenceError("unreachable", detail=f"the index answered {response.status}")
        if found is None:
            raise EvidenceError("partial", detail=f"no index from {self._cdx}")
        return found


def _is_index(response: Response) -> bool:
    return response.status != 200 or looks_like_index(response.body)


def _newest_first(rows: Sequence[Capture], way: dict[str, str]) -> bool:
    """Whether a list cut off at its limit has the newest captures, and not the first: a server
    that does not know the order asked for gives its own."""
    return way["limit"].startswith("-") or rows[0].latest >= rows[-1].latest


def _is_root(url: str) -> bool:
    """A site's front page, where what is gone often leads, is no other address of a work."""
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query


def _ranked(rows: Sequence[Capture], address: str, cutoff: Cutoff) -> list[Capture]:
    """The captures of a work up to the cutoff, as far as they can be pages, best first.

    That is the newest first; where addresses name versions, the highest that stood, then the
    newest. An address without a version showed the newest of its day, so at least what had been
    captured by then.
    """
    wanted = locate(address)
    fitting: list[tuple[Capture, int]] = []
    highest = 0
    for row in sorted(set(rows), key=lambda row: (row.latest, row.original)):
        # Keys of an index fold case and more: the page of another address may have the same one.
        place = locate(row.original)
        if (
            row.latest > cutoff.moment
            or (row.status is not None and row.status >= 400)
            or place.url != wanted.url
            or wanted.version not in (None, place.version)
        ):
            continue
        version = int(place.version[1:]) if place.version else 0
        highest = max(highest, version)
        fitting.append((row, version or highest))
    fitting.sort(key=lambda pair: pair[1])  # keeps the order in time
    return [row for row, _ in reversed(fitting)]


async def _read(played: Played, address: str) -> Paper:
    """Raises EvidenceError for what is no page of text."""
    page = await read_page(played.body, played.content_type, played.passed[-1])
    moment = played.moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    url = canonical(address)
    also = map(canonical, (*played.passed, *page.aliases))
    return Paper.make(
        id=url,
        title=page.title,
        body=page.paragraphs,
        authors=page.authors,
        venue=page.venue,
        date=_date(page, played.moment),
        url=url,
        doi=None,
        kind=page.kind,
        aliases=[alias for alias in also if not _is_root(alias)],
        versions=[("capture", moment)],
    )


def _date(page: PageText, moment: datetime) -> str:
    """The date of publication as the page states it; a date after the capture is none."""
    stated = parse_date(page.date)
    return page.date if stated is not None and stated.earliest <= moment else ""
