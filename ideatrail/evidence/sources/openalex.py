"""OpenAlex. (https://docs.openalex.org)

What changes from day to day is not taken over: citation counts, related works, concepts.
"""

from __future__ import annotations

import os
import re
from typing import Any, Final
from urllib.parse import quote, urlencode

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.source import EvidenceError, Found
from ideatrail.evidence.sources.answers import dated, get_json, text, unpadded
from ideatrail.evidence.urls import canonical, doi_url
from ideatrail.evidence.web.client import Client

API: Final = "https://api.openalex.org"
KEY: Final = "OPENALEX_API_KEY"
MAILTO: Final = "OPENALEX_MAILTO"
"""Environment variables: a key, and the address that the service asks its users to give."""

_SELECT: Final = (
    "id,doi,title,display_name,publication_year,publication_date,ids,authorships,locations,"
    "primary_location,abstract_inverted_index,type"
)
_PAGE: Final = 100
_WORK: Final = re.compile(r"https://openalex\.org/(W\d+)", re.IGNORECASE)
_DOI: Final = re.compile(r"https://doi\.org/(.+)")
_ARXIV: Final = re.compile(r"https://arxiv\.org/abs/(.+)")
_WORDS: Final = 20_000
"""Words of an abstract; more are a broken index."""


class OpenAlex:
    """See `Source`."""

    name = "openalex"

    def __init__(self, client: Client, url: str = API) -> None:
        """`url` is what stands before `/works`."""
        self._client = client
        self._base = f"{url.rstrip('/')}/works"

    async def search(self, query: str, limit: int, cutoff: Cutoff) -> Found:
        """See `Source.search`. Dates are asked for, and checked again here."""
        said = _plain(query)
        if not said:
            return Found(())
        found: list[Paper] = []
        page, partial = 1, False
        while len(found) < limit:
            asked = {
                "search": said,
                "filter": f"to_publication_date:{cutoff.moment.date().isoformat()}",
                "per-page": min(_PAGE, limit),
                "page": page,
            }
            try:
                rows = await self._rows(asked)
            except EvidenceError:
                if not found:
                    raise
                partial = True
                break
            found += [p for p in map(paper_of, rows) if p is not None and cutoff.admits(p.shown)]
            if len(rows) < min(_PAGE, limit) or page >= 2:
                break
            page += 1
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
            return (paper,) if paper is not None else ()
        said = _plain(text)
        if not said:
            return ()
        rows = await self._rows({"filter": f"title.search:{said}", "per-page": 25})
        return tuple(p for p in map(paper_of, rows) if p is not None)

    async def _one(self, address: str) -> Paper | None:
        name = ""
        if match := _WORK.fullmatch(address):
            name = match[1]
        elif match := _DOI.fullmatch(address):
            name = f"https://doi.org/{match[1]}"
        elif match := _ARXIV.fullmatch(address):
            name = f"https://doi.org/10.48550/arxiv.{match[1]}"
        if not name:
            return None
        answer = await self._get(f"/{quote(name, safe=':/')}", {})
        return paper_of(answer) if answer else None

    async def _rows(self, asked: dict[str, Any]) -> list[dict[str, Any]]:
        answer = await self._get("", asked)
        rows = answer.get("results") if answer else None
        return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []

    async def _get(self, path: str, asked: dict[str, Any]) -> dict[str, Any] | None:
        whole = {**asked, "select": _SELECT}
        for variable, name in ((KEY, "api_key"), (MAILTO, "mailto")):
            value = os.environ.get(variable, "").strip()
            if value:
                whole[name] = value
        return await get_json(self._client, f"{self._base}{path}?{urlencode(whole)}")


def paper_of(row: dict[str, Any]) -> Paper | None:
    """A record of the API; None where it lacks an id or a title."""
    identifier = text(row.get("id")).rpartition("/")[2]
    title = text(row.get("display_name")) or text(row.get("title"))
    if not identifier or not title:
        return None
    doi = text(row.get("doi"))
    places = row.get("locations")
    pages = [p for p in places if isinstance(p, dict)] if isinstance(places, list) else []
    found = [text(p.get(key)) for p in pages for key in ("landing_page_url", "pdf_url")]
    aliases = [f"https://openalex.org/{identifier}", *(a for a in found if a)]
    preprint = any(canonical(a).startswith("https://arxiv.org/") for a in aliases)
    elsewhere = any(a and not canonical(a).startswith("https://arxiv.org/") for a in [doi, *found])
    stated = unpadded(text(row.get("publication_date")))
    primary = row.get("primary_location")
    source = primary.get("source") if isinstance(primary, dict) else None
    venue = text(source.get("display_name")) if isinstance(source, dict) else ""
    abstract = _abstract(row.get("abstract_inverted_index"))
    people = row.get("authorships")
    named = [p.get("author") for p in people or () if isinstance(p, dict)]
    authors = [text(a.get("display_name")) for a in named if isinstance(a, dict)]
    return Paper.make(
        id=identifier,
        title=title,
        body=[abstract] if abstract else [],
        authors=[a for a in authors if a],
        venue=venue,
        date=stated or text(str(row.get("publication_year") or "")),
        url=doi_url(doi) if doi else aliases[0],
        doi=doi.removeprefix("https://doi.org/") or None,
        kind="abstract",
        aliases=aliases,
        versions=dated(stated, row.get("publication_year"), merged=preprint and elsewhere),
    )


def _abstract(index: Any) -> str:
    """The text of an inverted index: word → places."""
    if not isinstance(index, dict):
        return ""
    words: dict[int, str] = {}
    for word, places in index.items():
        for place in places if isinstance(places, list) else ():
            if isinstance(place, int) and 0 <= place < _WORDS:
                words[place] = str(word)
    return " ".join(words[place] for place in sorted(words))


def _plain(query: str) -> str:
    """A query without what the service takes for operators and separators."""
    return " ".join(re.sub(r"[,|!&()*~?^\"\\<>\[\]{}\x00-\x1f]", " ", query).split())[:300]
