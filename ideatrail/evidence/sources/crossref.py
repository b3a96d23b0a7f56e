"""Crossref, where publishers register their DOIs. (https://api.crossref.org)

What changes from day to day is not asked for: citation counts, references. How its dates are taken,
`bounds` tells; of the several days of one publication the latest counts, for some publishers give
the issue's day before the one on which the paper was there.
"""

from __future__ import annotations

import html
import os
import re
from typing import Any, Final
from urllib.parse import quote, urlencode

from ideatrail.evidence.dates import Cutoff, parse_date
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.source import EvidenceError, Found
from ideatrail.evidence.sources.answers import field, get_json, rows, text, texts
from ideatrail.evidence.sources.bounds import (
    acl_of,
    doi_year,
    has_banner,
    is_preprint,
    moments,
    unpadded,
)
from ideatrail.evidence.urls import canonical, doi_url
from ideatrail.evidence.web.client import Client

API: Final = "https://api.crossref.org"
MAILTO: Final = "CROSSREF_MAILTO"
"""Environment variable: the address that the service asks its users to give."""

_SELECT: Final = (
    "DOI,title,author,container-title,abstract,type,published,published-print,published-online,"
    "issued,posted,deposited"
)
_DATES: Final = ("published-online", "published-print", "published", "issued", "posted")
_PAGE: Final = 100
_PAGES: Final = 3
_LONGEST: Final = 300
_DOI: Final = re.compile(r"https://doi\.org/(.+)")
_ACL: Final = re.compile(r"https://aclanthology\.org/([^/]+)")
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]{0,80}>")
_HEADING: Final = re.compile(r"<(jats:)?title>\s*abstract\s*</(jats:)?title>", re.IGNORECASE)


class Crossref:
    """See `Source`."""

    name = "crossref"

    def __init__(self, client: Client, url: str = API) -> None:
        """`url` is what stands before `/works`."""
        self._client = client
        self._base = f"{url.rstrip('/')}/works"

    async def search(self, query: str, limit: int, cutoff: Cutoff) -> Found:
        """See `Source.search`. Dates are asked for, and checked again here."""
        said = " ".join(query.split())[:_LONGEST]
        found: list[Paper] = []
        size, partial = min(_PAGE, 2 * limit), False
        for page in range(_PAGES if said else 0):
            if len(found) >= limit:
                break
            asked = {
                "query.bibliographic": said,
                "filter": f"until-pub-date:{cutoff.moment.date().isoformat()}",
                "select": _SELECT,
                "rows": size,
                "offset": page * size,
            }
            try:
                answer = await self._get("", asked, absent=())
            except EvidenceError:
                if page == 0:
                    raise
                partial = True
                break
            held = rows(field(answer, "message", "items"))
            made = [p for p in map(paper_of, held) if p is not None]
            found += [p for p in made if cutoff.admits(p.shown)]
            count = field(answer, "message", "total-results")
            if len(held) < size:
                partial |= isinstance(count, int) and count > page * size + len(held)
                break
        return Found(tuple(found[:limit]), partial)

    async def open(self, address: str, cutoff: Cutoff) -> Paper | None:
        """See `Source.open`: the abstract."""
        paper = await self._one(canonical(address))
        return paper if paper is not None and cutoff.admits(paper.shown) else None

    async def records(self, text: str) -> tuple[Paper, ...]:
        """See `Source.records`."""
        address = canonical(text)
        if "://" in address:
            paper = await self._one(address)
            return () if paper is None else (paper,)
        said = " ".join(text.split())[:_LONGEST]
        if not said:
            return ()
        asked = {"query.title": said, "select": _SELECT, "rows": 10}
        answer = await self._get("", asked, absent=())
        made = map(paper_of, rows(field(answer, "message", "items")))
        return tuple(paper for paper in made if paper is not None)

    async def _one(self, address: str) -> Paper | None:
        if match := _DOI.fullmatch(address):
            doi = match[1]
        elif match := _ACL.fullmatch(address):
            doi = f"10.18653/v1/{match[1]}"
        else:
            return None
        answer = await self._get(f"/{quote(doi, safe=':')}", {})
        held = field(answer, "message")
        return paper_of(held) if isinstance(held, dict) else None

    async def _get(self, path: str, asked: dict[str, Any], **options: Any) -> dict[str, Any] | None:
        mailto = os.environ.get(MAILTO, "").strip()
        whole = {**asked, "mailto": mailto} if mailto else asked
        tail = f"?{urlencode(whole)}" if whole else ""
        return await get_json(self._client, f"{self._base}{path}{tail}", **options)


def paper_of(row: dict[str, Any]) -> Paper | None:
    """A record of the API; None where it lacks a DOI or a title."""
    doi = text(row.get("DOI"))
    title = _plain(next(iter(texts(row.get("title"))), ""))
    if not doi or not title:
        return None
    venue = _plain(next(iter(texts(row.get("container-title"))), ""))
    abstract = _plain(_HEADING.sub(" ", text(row.get("abstract"))))
    stated = [date for name in _DATES if (date := _date(row.get(name)))]
    dated = [(found.latest, date) for date in stated if (found := parse_date(unpadded(date)))]
    last = max(dated)[1] if dated else ""
    first = min(dated)[1] if dated else ""
    acl = acl_of(doi)
    open_ended = (
        text(row.get("type")) == "posted-content"
        or is_preprint(doi, (venue,))
        or has_banner(title, abstract)
    )
    bound = moments(
        last,
        (doi_year(doi),),
        open_ended=open_ended,
        touched=text(field(row, "deposited", "date-time")),
    )
    return Paper.make(
        id=doi,
        title=title,
        body=[abstract] if abstract else [],
        authors=[name for person in rows(row.get("author")) if (name := _name(person))],
        venue=venue,
        date=unpadded(first),
        url=doi_url(doi),
        doi=doi,
        kind="abstract",
        aliases=[f"https://aclanthology.org/{acl}"] if acl else [],
        versions=bound,
    )


def _date(value: Any) -> str:
    """A date given in parts: a year, a month and a day, the later ones often missing."""
    parts = field(value, "date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    numbers = [p for p in first if isinstance(p, int)] if isinstance(first, list) else []
    return "-".join(f"{n:04}" if at == 0 else f"{n:02}" for at, n in enumerate(numbers[:3]))


def _name(person: dict[str, Any]) -> str:
    parts = (text(person.get("given")), text(person.get("family")), text(person.get("suffix")))
    return " ".join(p for p in parts if p) or text(person.get("name"))


def _plain(markup: str) -> str:
    """Text out of JATS and HTML."""
    return " ".join(html.unescape(_TAG.sub(" ", html.unescape(markup))).split())
