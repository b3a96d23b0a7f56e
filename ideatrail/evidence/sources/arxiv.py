"""arXiv through the `arxiv` package, and the version of each paper that stood on the cutoff."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

import arxiv

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.pages import read_page
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.source import EvidenceError, Found
from ideatrail.evidence.sources.arxiv_feed import Feeds
from ideatrail.evidence.sources.arxiv_record import announced, record_of, version_of
from ideatrail.evidence.sources.arxiv_versions import Versions
from ideatrail.evidence.sources.preprints import identifier_of
from ideatrail.evidence.sources.standing import Stood
from ideatrail.evidence.urls import locate
from ideatrail.evidence.web.client import Client
from ideatrail.evidence.web.response import Caps
from ideatrail.evidence.withheld import same_title

API: Final = "https://export.arxiv.org/api/query"
OAI: Final = "https://oaipmh.arxiv.org/oai"
PAGES: Final = "https://export.arxiv.org"
"""Where pages of a version are read: the host that arXiv keeps for programs."""

_TEXT_CAPS: Final = Caps(max_bytes=32 * 2**20, max_seconds=90.0)
_WORD: Final = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_MOST_WORDS: Final = 24
_VERSION: Final = re.compile(r"v\d+")
_BARE: Final = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?")


class Arxiv:
    """See `Source`."""

    name = "arxiv"

    def __init__(
        self, client: Client, url: str = API, *, oai: str | None = None, pages: str | None = None
    ) -> None:
        """
        Args:
            client: asks, under the limits that arXiv states.
            url: the query API.
            oai: the OAI-PMH service; by default arXiv's, or `/oai` beside another API.
            pages: what stands before `/pdf/` and `/html/`; the same way.
        """
        parts = urlsplit(url)
        beside = f"{parts.scheme}://{parts.netloc}"
        self._client = client
        self._pages = pages or (PAGES if url == API else beside)
        self._feeds = Feeds(client, url)
        self._versions = Versions(
            client, self._feeds, oai or (OAI if url == API else f"{beside}/oai")
        )

    async def search(self, query: str, limit: int, cutoff: Cutoff) -> Found:
        """See `Source.search`. The first version's date is asked for, and checked again here."""
        asked = _query(query, cutoff)
        if not asked or limit < 1:
            return Found(())
        results, partial = await self._feeds.results(arxiv.Search(query=asked, max_results=limit))
        stood = await self._versions.of(self._versions.learn(results), cutoff)
        return Found(tuple(stood.papers.values()), partial or stood.partial)

    async def open(self, address: str, cutoff: Cutoff) -> Paper | None:
        """See `Source.open`: the whole text of the version that stood, else its abstract. Where the
        address names a version that had stood by then, it is that one."""
        identifier = identifier_of(address)
        if identifier is None or not announced(identifier, cutoff):
            return None
        named = locate(address).version
        stood = await self._versions.of([identifier], cutoff, int(named[1:]) if named else None)
        paper = stood.papers.get(identifier)
        if paper is None and stood.partial:
            raise EvidenceError("partial", detail=f"arXiv tells no versions of {identifier}")
        return paper if paper is None else await self._with_text(paper)

    async def records(self, text: str) -> tuple[Paper, ...]:
        """See `Source.records`. Every version is a record: its title and authors may be others."""
        said = text.strip()
        identifier = identifier_of(f"arXiv:{said}" if _BARE.fullmatch(said) else said)
        if identifier is not None:
            return await self._versions.all_of(identifier)
        if "://" in locate(said).url:
            return ()
        words = list(dict.fromkeys(_WORD.findall(said)))[:_MOST_WORDS]
        if not words:
            return ()
        phrase = " ".join(_WORD.findall(said)[:_MOST_WORDS])
        each = " AND ".join(f'ti:"{word}"' for word in words)
        found: list[Paper] = []
        for query in (f'ti:"{phrase}"', each):
            results, _ = await self._feeds.results(arxiv.Search(query=query, max_results=10))
            self._versions.learn(results)
            for result in results:
                named = version_of(result)
                if named and same_title(result.title, said):
                    found += await self._versions.all_of(named[0])
                elif paper := record_of(result):
                    found.append(paper)
            if found:
                break
        return tuple(found)

    async def standing(self, identifiers: Iterable[str], cutoff: Cutoff) -> Stood:
        """See `Standing.standing`."""
        return await self._versions.of(identifiers, cutoff)

    async def _with_text(self, paper: Paper) -> Paper:
        """The paper with the whole text of its last version, where that can be had. The pages of a
        version never change, so that they may be read today."""
        label = paper.versions[-1][0]
        if not _VERSION.fullmatch(label):
            return paper
        for form in ("html", "pdf"):
            url = f"{self._pages}/{form}/{paper.id}{label}"
            try:
                response = await self._client.get(url, caps=_TEXT_CAPS)
                if response.status != 200 or not _is_of(response.url, paper.id, label):
                    continue
                page = await read_page(response.body, response.header("content-type"), url)
            except EvidenceError:
                continue
            if page.kind == "full text":
                return replace(paper, body=page.paragraphs, kind="full text")
        return paper


def _is_of(url: str, identifier: str, label: str) -> bool:
    """Whether the address that answered still names the paper and the version asked for."""
    place = locate(f"https://arxiv.org{urlsplit(url).path}")
    return identifier_of(place.url) == identifier and place.version == label


def _query(text: str, cutoff: Cutoff) -> str:
    """Any text as a query of the API, up to the cutoff; empty where it holds no word."""
    words = [w for w in _WORD.findall(text)[:_MOST_WORDS] if w not in ("AND", "OR", "ANDNOT")]
    if not words:
        return ""
    said = " OR ".join(f'all:"{word}"' for word in dict.fromkeys(words))
    last = cutoff.moment.strftime("%Y%m%d%H%M")
    return f"({said}) AND submittedDate:[199101010000 TO {last}]"
