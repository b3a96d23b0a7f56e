"""Semantic Scholar's Graph API. (https://api.semanticscholar.org/api-docs/graph)

What changes from day to day is not taken over: citation counts, summaries by models, embeddings.
"""

from __future__ import annotations

import os
import re
from typing import Any, Final
from urllib.parse import quote, urlencode

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.source import EvidenceError, Found
from ideatrail.evidence.sources.answers import dated, get_json, text
from ideatrail.evidence.urls import arxiv_url, canonical, doi_url
from ideatrail.evidence.web.client import Client

API: Final = "https://api.semanticscholar.org"
KEY: Final = "SEMANTIC_SCHOLAR_API_KEY"
"""Environment variable; without it all users share one rate."""

_FIELDS: Final = "title,abstract,authors,venue,journal,year,publicationDate,externalIds,url"
_PAGE: Final = 100
_ARXIV: Final = re.compile(r"https://arxiv\.org/abs/(.+)")
_DOI: Final = re.compile(r"https://doi\.org/(.+)")
_ACL: Final = re.compile(r"https://aclanthology\.org/([^/]+)")
_OWN: Final = re.compile(r"https://semanticscholar\.org/paper/([0-9a-f]{40})")


class SemanticScholar:
    """See `Source`."""

    name = "semantic_scholar"

    def __init__(self, client: Client, url: str = API) -> None:
        """`url` is what stands before `/graph/v1`."""
        self._client = client
        self._base = f"{url.rstrip('/')}/graph/v1/paper"

    async def search(self, query: str, limit: int, cutoff: Cutoff) -> Found:
        """See `Source.search`. Dates are asked for, and checked again here."""
        if not query.strip():
            return Found(())
        found: list[Paper] = []
        offset, partial = 0, False
        while len(found) < limit:
            asked = {
                "query": " ".join(query.split())[:300],
                "publicationDateOrYear": f":{cutoff.moment.date().isoformat()}",
                "fields": _FIELDS,
                "offset": offset,
                "limit": min(_PAGE, limit),
            }
            try:
                answer = await self._get(f"/search?{urlencode(asked)}")
            except EvidenceError:
                if not found:
                    raise
                partial = True
                break
            rows = answer.get("data") if answer else None
            if not isinstance(rows, list) or not rows:
                break
            made = (paper_of(row) for row in rows if isinstance(row, dict))
            found += [p for p in made if p is not None and cutoff.admits(p.shown)]
            following = answer.get("next") if answer else None
            if not isinstance(following, int) or following <= offset or offset >= 2 * _PAGE:
                break
            offset = following
        return Found(tuple(found[:limit]), partial)

    async def open(self, address: str, cutoff: Cutoff) -> Paper | None:
        """See `Source.open`: the abstract."""
        name = _name(canonical(address))
        if name is None:
            return None
        answer = await self._get(f"/{quote(name, safe=':/')}?{urlencode({'fields': _FIELDS})}")
        paper = paper_of(answer) if answer else None
        return paper if paper is not None and cutoff.admits(paper.shown) else None

    async def records(self, text: str) -> tuple[Paper, ...]:
        """See `Source.records`."""
        name = _name(canonical(text))
        if name is not None:
            answer = await self._get(f"/{quote(name, safe=':/')}?{urlencode({'fields': _FIELDS})}")
            rows = [answer] if answer else []
        elif "://" in text:
            return ()
        else:
            asked = urlencode({"query": text, "fields": _FIELDS})
            answer = await self._get(f"/search/match?{asked}")
            held = answer.get("data") if answer else None
            rows = held if isinstance(held, list) else []
        made = (paper_of(row) for row in rows if isinstance(row, dict))
        return tuple(paper for paper in made if paper is not None)

    async def _get(self, path: str) -> dict[str, Any] | None:
        key = os.environ.get(KEY, "").strip()
        headers = {"x-api-key": key} if key else None
        return await get_json(self._client, f"{self._base}{path}", headers=headers)


def paper_of(row: dict[str, Any]) -> Paper | None:
    """A record of the API; None where it lacks an id or a title."""
    identifier, title = text(row.get("paperId")), text(row.get("title"))
    if not identifier or not title:
        return None
    held = row.get("externalIds")
    ids: dict[str, Any] = held if isinstance(held, dict) else {}
    doi, arxiv, acl = (text(ids.get(name)) for name in ("DOI", "ArXiv", "ACL"))
    own = f"https://www.semanticscholar.org/paper/{identifier}"
    aliases = [own]
    if arxiv:
        aliases.append(arxiv_url(arxiv))
    if acl:
        aliases.append(f"https://aclanthology.org/{acl}")
    published = bool(acl or (doi and "arxiv" not in doi.casefold()))
    stated = text(row.get("publicationDate"))
    journal = row.get("journal")
    venue = text(row.get("venue"))
    if not venue and isinstance(journal, dict):
        venue = text(journal.get("name"))
    people = row.get("authors")
    authors = [text(p.get("name")) for p in people or () if isinstance(p, dict)]
    abstract = text(row.get("abstract"))
    return Paper.make(
        id=f"S2:{identifier}",
        title=title,
        body=[abstract] if abstract else [],
        authors=[a for a in authors if a],
        venue=venue,
        date=stated or text(str(row.get("year") or "")),
        url=arxiv_url(arxiv) if arxiv else (doi_url(doi) if doi else own),
        doi=doi or None,
        kind="abstract",
        aliases=aliases,
        versions=dated(stated, row.get("year"), merged=bool(arxiv) and published),
    )


def _name(address: str) -> str | None:
    """How the API names the paper at an address."""
    for pattern, prefix in ((_ARXIV, "ARXIV:"), (_DOI, "DOI:"), (_ACL, "ACL:"), (_OWN, "")):
        match = pattern.fullmatch(address)
        if match:
            return f"{prefix}{match[1]}"
    return None
