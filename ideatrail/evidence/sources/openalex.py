"""OpenAlex. (https://docs.openalex.org)

What changes from day to day is not asked for: citation counts, related works, concepts. How its
dates are taken, `bounds` tells.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.source import EvidenceError, Found
from ideatrail.evidence.sources.answers import field, get_json, rows, text
from ideatrail.evidence.sources.bounds import (
    acl_of,
    doi_year,
    has_banner,
    is_preprint,
    moments,
    unpadded,
    whole_year,
)
from ideatrail.evidence.sources.preprints import arxiv_id, as_they_stood, joined
from ideatrail.evidence.urls import arxiv_url, canonical, doi_url
from ideatrail.evidence.web.client import Client

if TYPE_CHECKING:
    from ideatrail.evidence.sources.standing import Standing

API: Final = "https://api.openalex.org"
KEY: Final = "OPENALEX_API_KEY"
MAILTO: Final = "OPENALEX_MAILTO"
"""Environment variables: a key, and the address that the service asks its users to give."""

_SELECT: Final = (
    "id,doi,title,display_name,publication_year,publication_date,ids,authorships,locations,"
    "primary_location,abstract_inverted_index,type,updated_date"
)
_PAGE: Final = 100
_PAGES: Final = 3
_LONGEST: Final = 300
_NAMES: Final = (
    (re.compile(r"https://openalex\.org/(W\d+)"), "{}"),
    (re.compile(r"https://doi\.org/(.+)"), "https://doi.org/{}"),
    (re.compile(r"https://arxiv\.org/abs/(.+)"), "https://doi.org/10.48550/arxiv.{}"),
    (re.compile(r"https://aclanthology\.org/([^/]+)"), "https://doi.org/10.18653/v1/{}"),
    (re.compile(r"https://pubmed\.ncbi\.nlm\.nih\.gov/(\d+)"), "pmid:{}"),
    (re.compile(r"https://pmc\.ncbi\.nlm\.nih\.gov/articles/(PMC\d+)"), "pmcid:{}"),
)
"""Canonical addresses → how the API names the works there."""
_WORDS: Final = 20_000
"""Words of an abstract; more are a broken index."""


class OpenAlex:
    """See `Source`."""

    name = "openalex"

    def __init__(self, client: Client, url: str = API, *, arxiv: Standing | None = None) -> None:
        """
        Args:
            client: asks, under the limits that the service states.
            url: what stands before `/works`.
            arxiv: tells how papers at arXiv stood; without it they are shown only where OpenAlex
                last touched its record before the cutoff.
        """
        self._client = client
        self._base = f"{url.rstrip('/')}/works"
        self._arxiv = arxiv

    async def search(self, query: str, limit: int, cutoff: Cutoff) -> Found:
        """See `Source.search`. Dates are asked for, and checked again here."""
        said = _plain(query)
        found: list[Paper] = []
        size, partial = min(_PAGE, 2 * limit), False
        for page in range(1, _PAGES + 1 if said else 1):
            if len(found) >= limit:
                break
            asked = {
                "search": said,
                "filter": f"to_publication_date:{cutoff.moment.date().isoformat()}",
                "per-page": size,
                "page": page,
            }
            try:
                answer = await self._get("", asked, absent=())
                held = rows(field(answer, "results"))
                made = [p for p in map(paper_of, held) if p is not None]
                stood, missing = await as_they_stood(made, self._arxiv, cutoff)
            except EvidenceError:
                if page == 1:
                    raise
                partial = True
                break
            found += stood
            partial |= missing
            count = field(answer, "meta", "count")
            if len(held) < size:
                partial |= isinstance(count, int) and count > (page - 1) * size + len(held)
                break
        return Found(tuple(found[:limit]), partial)

    async def open(self, address: str, cutoff: Cutoff) -> Paper | None:
        """See `Source.open`: the abstract; of a paper at arXiv, what that has."""
        paper = await self._one(canonical(address))
        if paper is None:
            return None
        identifier = arxiv_id(paper)
        if identifier is not None and self._arxiv is not None:
            stood = await self._arxiv.open(arxiv_url(identifier), cutoff)
            if stood is not None:
                return joined(stood, paper)
        return paper if cutoff.admits(paper.shown) else None

    async def records(self, text: str) -> tuple[Paper, ...]:
        """See `Source.records`."""
        address = canonical(text)
        if "://" in address:
            paper = await self._one(address)
            return (paper,) if paper is not None else ()
        said = _plain(text)
        if not said:
            return ()
        answer = await self._get("", {"filter": f"title.search:{said}", "per-page": 25}, absent=())
        made = map(paper_of, rows(field(answer, "results")))
        return tuple(paper for paper in made if paper is not None)

    async def _one(self, address: str) -> Paper | None:
        for pattern, form in _NAMES:
            match = pattern.fullmatch(address)
            if match:
                answer = await self._get(f"/{quote(form.format(match[1]), safe=':/')}", {})
                return paper_of(answer) if answer else None
        return None

    async def _get(self, path: str, asked: dict[str, Any], **options: Any) -> dict[str, Any] | None:
        whole = {**asked, "select": _SELECT}
        for variable, name in ((KEY, "api_key"), (MAILTO, "mailto")):
            value = os.environ.get(variable, "").strip()
            if value:
                whole[name] = value
        return await get_json(self._client, f"{self._base}{path}?{urlencode(whole)}", **options)


def paper_of(row: dict[str, Any]) -> Paper | None:
    """A record of the API; None where it lacks an id or a title."""
    identifier = text(row.get("id")).rpartition("/")[2]
    title = text(row.get("display_name")) or text(row.get("title"))
    if not identifier or not title:
        return None
    doi = text(row.get("doi"))
    places = rows(row.get("locations"))
    pages = [text(p.get(key)) for p in places for key in ("landing_page_url", "pdf_url")]
    more = [text(field(row, "ids", name)) for name in ("doi", "pmid", "pmcid")]
    aliases = [f"https://openalex.org/{identifier}", *(a for a in [*pages, *more] if a)]
    if acl := acl_of(doi):
        aliases.append(f"https://aclanthology.org/{acl}")
    stated, year = text(row.get("publication_date")), whole_year(row.get("publication_year"))
    venue = text(field(row, "primary_location", "source", "display_name"))
    abstract = _abstract(row.get("abstract_inverted_index"))
    people = [p.get("author") for p in rows(row.get("authorships"))]
    open_ended = (
        any(canonical(a).startswith("https://arxiv.org/") for a in [*aliases, doi])
        or any(text(p.get("version")) == "submittedVersion" for p in places)
        or text(row.get("type")) == "preprint"
        or is_preprint(doi, (venue,))
        or has_banner(title, abstract)
    )
    return Paper.make(
        id=identifier,
        title=title,
        body=[abstract] if abstract else [],
        authors=[a for p in people if (a := text(field(p, "display_name")))],
        venue=venue,
        date=unpadded(stated) or (str(year) if year is not None else ""),
        url=doi_url(doi) if doi else aliases[0],
        doi=doi.removeprefix("https://doi.org/") or None,
        kind="abstract",
        aliases=aliases,
        versions=moments(
            stated,
            (year, doi_year(doi.removeprefix("https://doi.org/"))),
            open_ended=open_ended,
            touched=text(row.get("updated_date")),
        ),
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
    return " ".join(" ".join(words[place] for place in sorted(words)).split())


def _plain(query: str) -> str:
    """A query without what the service takes for operators and separators."""
    said = re.sub(r"[,|!&()*~?^\"\\<>\[\]{}\x00-\x1f]", " ", query).split()
    return " ".join(w.lower() if w in ("AND", "OR", "NOT") else w for w in said)[:_LONGEST]
