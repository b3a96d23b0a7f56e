"""Semantic Scholar's Graph API. (https://api.semanticscholar.org/api-docs/graph)

What changes from day to day is not asked for: citation counts, summaries by models, embeddings.
How its dates are taken, `bounds` tells.
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
    acl_year,
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

API: Final = "https://api.semanticscholar.org"
KEY: Final = "SEMANTIC_SCHOLAR_API_KEY"
"""Environment variable; without it all users share one rate."""

_FIELDS: Final = (
    "title,abstract,authors,venue,journal,year,publicationDate,externalIds,openAccessPdf"
)
_PAGE: Final = 100
"""Records of one request, at most."""
_PAGES: Final = 3
"""Requests of one search: the limit is one a second, for all the world where there is no key."""
_LONGEST: Final = 300
_NAMES: Final = (
    (re.compile(r"https://arxiv\.org/abs/(.+)"), "ARXIV:"),
    (re.compile(r"https://doi\.org/(.+)"), "DOI:"),
    (re.compile(r"https://aclanthology\.org/([^/]+)"), "ACL:"),
    (re.compile(r"https://pubmed\.ncbi\.nlm\.nih\.gov/(\d+)"), "PMID:"),
    (re.compile(r"https://pmc\.ncbi\.nlm\.nih\.gov/articles/PMC(\d+)"), "PMCID:"),
    (re.compile(r"https://semanticscholar\.org/paper/CorpusID:(\d+)"), "CorpusId:"),
    (re.compile(r"https://semanticscholar\.org/paper/([0-9a-f]{40})"), ""),
)
"""Canonical addresses → how the API names the papers there."""
_ALIASES: Final = (
    ("ArXiv", "https://arxiv.org/abs/{}"),
    ("ACL", "https://aclanthology.org/{}"),
    ("PubMed", "https://pubmed.ncbi.nlm.nih.gov/{}"),
    ("PubMedCentral", "https://pmc.ncbi.nlm.nih.gov/articles/PMC{}"),
    ("CorpusId", "https://api.semanticscholar.org/CorpusID:{}"),
)
"""Names of external ids → addresses."""


class SemanticScholar:
    """See `Source`."""

    name = "semantic_scholar"

    def __init__(self, client: Client, url: str = API, *, arxiv: Standing | None = None) -> None:
        """
        Args:
            client: asks, under the limits that the service states.
            url: what stands before `/graph/v1`.
            arxiv: tells how papers at arXiv stood; without it they are not shown.
        """
        self._client = client
        self._base = f"{url.rstrip('/')}/graph/v1/paper"
        self._arxiv = arxiv

    async def search(self, query: str, limit: int, cutoff: Cutoff) -> Found:
        """See `Source.search`. Dates are asked for, and checked again here."""
        # "Hyphenated query terms yield no matches (replace it with space to find matches)."
        said = " ".join(re.sub(r"[-\x00-\x1f]", " ", query).split())[:_LONGEST]
        found: list[Paper] = []
        offset, partial = 0, False
        for _ in range(_PAGES if said else 0):
            if len(found) >= limit:
                break
            asked = {
                "query": said,
                "publicationDateOrYear": f":{cutoff.moment.date().isoformat()}",
                "fields": _FIELDS,
                "offset": offset,
                "limit": min(_PAGE, 2 * limit),
            }
            try:
                answer = await self._get(f"/search?{urlencode(asked)}", absent=())
                made = [p for p in map(paper_of, rows(field(answer, "data"))) if p is not None]
                stood, missing = await as_they_stood(made, self._arxiv, cutoff)
            except EvidenceError:
                if offset == 0:
                    raise
                partial = True
                break
            found += stood
            partial |= missing
            following, total = field(answer, "next"), field(answer, "total")
            if not isinstance(following, int) or following <= offset:
                # An empty page although there is more is known to come.
                partial |= not made and isinstance(total, int) and total > offset
                break
            offset = following
        return Found(tuple(found[:limit]), partial)

    async def open(self, address: str, cutoff: Cutoff) -> Paper | None:
        """See `Source.open`: the abstract; of a paper at arXiv, what that has."""
        paper = await self._one(_name(canonical(address)))
        if paper is None:
            return None
        identifier = arxiv_id(paper)
        if identifier is not None and self._arxiv is not None:
            stood = await self._arxiv.open(arxiv_url(identifier), cutoff)
            return None if stood is None else joined(stood, paper)
        return paper if cutoff.admits(paper.shown) else None

    async def records(self, text: str) -> tuple[Paper, ...]:
        """See `Source.records`."""
        name = _name(canonical(text))
        if name is not None:
            paper = await self._one(name)
            return () if paper is None else (paper,)
        if not text.strip() or "://" in canonical(text):
            return ()
        asked = urlencode({"query": " ".join(text.split())[:_LONGEST], "fields": _FIELDS})
        answer = await self._get(f"/search/match?{asked}")
        made = map(paper_of, rows(field(answer, "data")))
        return tuple(paper for paper in made if paper is not None)

    async def _one(self, name: str | None) -> Paper | None:
        if name is None:
            return None
        asked = urlencode({"fields": _FIELDS})
        answer = await self._get(f"/{quote(name, safe=':/')}?{asked}")
        return paper_of(answer) if answer else None

    async def _get(self, path: str, **options: Any) -> dict[str, Any] | None:
        key = os.environ.get(KEY, "").strip()
        headers = {"x-api-key": key} if key else None
        return await get_json(self._client, f"{self._base}{path}", headers=headers, **options)


def paper_of(row: dict[str, Any]) -> Paper | None:
    """A record of the API; None where it lacks an id or a title."""
    identifier, title = text(row.get("paperId")), text(row.get("title"))
    if not identifier or not title:
        return None
    held = row.get("externalIds")
    ids = {k: v for k, v in held.items() if v is not None} if isinstance(held, dict) else {}
    doi = text(ids.get("DOI"))
    acl = text(ids.get("ACL")) or acl_of(doi)
    if acl:
        ids["ACL"] = acl
    own = f"https://www.semanticscholar.org/paper/{identifier}"
    pdf = canonical(text(field(row, "openAccessPdf", "url")))
    aliases = [own, *(form.format(ids[name]) for name, form in _ALIASES if name in ids)]
    if pdf.startswith("https://arxiv.org/abs/"):
        aliases.append(pdf)
    preprint = next((a for a in map(canonical, aliases) if a.startswith("https://arxiv.org/")), "")
    venue, journal = text(row.get("venue")), text(field(row, "journal", "name"))
    abstract = text(row.get("abstract"))
    stated, year = text(row.get("publicationDate")), whole_year(row.get("year"))
    open_ended = (
        bool(preprint)
        or is_preprint(doi, (venue, journal))
        or text(ids.get("DBLP")).startswith("journals/corr/")
        or has_banner(title, abstract)
    )
    return Paper.make(
        id=f"S2:{identifier}",
        title=title,
        body=[abstract] if abstract else [],
        authors=[a for p in rows(row.get("authors")) if (a := text(p.get("name")))],
        venue=venue or journal,
        date=unpadded(stated) or (str(year) if year is not None else ""),
        url=preprint or (doi_url(doi) if doi else own),
        doi=doi or None,
        kind="abstract",
        aliases=aliases,
        versions=moments(stated, (year, doi_year(doi), acl_year(acl)), open_ended=open_ended),
    )


def _name(address: str) -> str | None:
    """How the API names the paper at an address."""
    for pattern, prefix in _NAMES:
        match = pattern.fullmatch(address)
        if match:
            return f"{prefix}{match[1]}"
    return None
