"""arXiv through the `arxiv` package, and the version of each paper that stood on the cutoff.

The API gives the newest version's text under the first version's date. Where the newest is later
than the cutoff, the versions' dates are asked for, and then the version that stood by its number.
Fields that change later without a version (comment, journal reference, DOI) are not shown.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import arxiv
import requests
from lxml import etree
from requests.adapters import BaseAdapter

from ideatrail.evidence.dates import Cutoff, parse_date
from ideatrail.evidence.pages import read_page
from ideatrail.evidence.paper import Paper, arxiv_month
from ideatrail.evidence.source import EvidenceError, Found
from ideatrail.evidence.urls import arxiv_url, doi_url, locate
from ideatrail.evidence.web.client import Client
from ideatrail.evidence.web.response import Caps

API: Final = "https://export.arxiv.org/api/query"
OAI: Final = "https://oaipmh.arxiv.org/oai"
PAGES: Final = "https://export.arxiv.org"
"""Where pages of a version are read: the host that arXiv keeps for programs."""

_CAPS: Final = Caps(max_bytes=16 * 2**20, max_seconds=60.0)
_TEXT_CAPS: Final = Caps(max_bytes=32 * 2**20, max_seconds=90.0)
_OLDER: Final = 8
"""Papers of one search whose newest version is too late and whose earlier one is looked for: each
takes two requests, at three seconds each."""
_WITHDRAWN: Final = re.compile(
    r"(?:this|the) (?:paper|article|manuscript|submission|work|preprint)[^.]{0,60}"
    r"(?:has been|was|is|have been) (?:temporarily )?(?:withdrawn|retracted)|^\W*withdrawn\b",
    re.IGNORECASE,
)
_ID: Final = re.compile(r"\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?")
_WORD: Final = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_MOST_WORDS: Final = 24
_SPACE: Final = "{http://arxiv.org/OAI/arXivRaw/}"

logging.getLogger("arxiv").addHandler(logging.NullHandler())


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
        self._url = url.rstrip("?/")
        self._oai = oai or (OAI if url == API else f"{beside}/oai")
        self._pages = pages or (PAGES if url == API else beside)

    async def search(self, query: str, limit: int, cutoff: Cutoff) -> Found:
        """See `Source.search`. The first version's date is asked for, and checked again here."""
        asked = _query(query, cutoff)
        if not asked:
            return Found(())
        results, partial = await self._results(arxiv.Search(query=asked, max_results=limit))
        papers: list[Paper] = []
        older = 0
        for result in results:
            paper = _paper(result)
            if paper is None or not _may_stand(paper, cutoff):
                continue
            if not cutoff.admits(paper.shown):
                older += 1
                if older > _OLDER:
                    continue
                paper = await self._as_it_stood(_identifier(result), cutoff)
            if paper is not None and not _is_withdrawn(result, paper, cutoff):
                papers.append(paper)
        return Found(tuple(papers), partial)

    async def open(self, address: str, cutoff: Cutoff) -> Paper | None:
        """See `Source.open`: the whole text of the version that stood, else its abstract."""
        place = locate(address)
        identifier = place.url.removeprefix("https://arxiv.org/abs/")
        if identifier == place.url or not _announced(place.url, cutoff):
            return None
        paper = await self._as_it_stood(identifier, cutoff)
        if paper is None:
            return None
        return await self._with_text(paper, identifier) or paper

    async def records(self, text: str) -> tuple[Paper, ...]:
        """See `Source.records`."""
        place = locate(f"arXiv:{text.strip()}" if _ID.fullmatch(text.strip()) else text)
        identifier = place.url.removeprefix("https://arxiv.org/abs/")
        if identifier != place.url:
            asked = arxiv.Search(id_list=[identifier])
        elif "://" in place.url:
            return ()
        else:
            said = " ".join(_WORD.findall(text)[:_MOST_WORDS])
            if not said:
                return ()
            asked = arxiv.Search(query=f'ti:"{said}"', max_results=10)
        results, _ = await self._results(asked)
        return tuple(p for p in map(_paper, results) if p is not None)

    async def _as_it_stood(self, identifier: str, cutoff: Cutoff) -> Paper | None:
        """The newest version at or before the cutoff; None where there was none, or where it was
        withdrawn by then."""
        versions = await self._versions(identifier)
        standing = [v for v in versions if (d := parse_date(v[1])) and cutoff.admits(d)]
        if not standing:
            return None
        label = standing[-1][0]
        results, _ = await self._results(arxiv.Search(id_list=[f"{identifier}{label}"]))
        for result in results:
            paper = _paper(result, versions=standing)
            if paper is None or not cutoff.admits(paper.shown):
                return None
            return None if _is_withdrawn(result, paper, cutoff) else paper
        return None

    async def _versions(self, identifier: str) -> list[tuple[str, str]]:
        """(label, timestamp) of each version, oldest first. Raises EvidenceError."""
        url = (
            f"{self._oai}?verb=GetRecord&identifier=oai:arXiv.org:{identifier}"
            "&metadataPrefix=arXivRaw"
        )
        response = await self._client.get(url, caps=_CAPS)
        if response.status in (400, 404):
            return []
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
        try:
            root = etree.fromstring(response.body, parser)
        except etree.XMLSyntaxError as error:
            raise EvidenceError("partial", detail=f"arXiv's OAI answer: {error}") from error
        found: list[tuple[int, str]] = []
        for version in root.iter(f"{_SPACE}version"):
            label = str(version.get("version") or "")
            date = version.findtext(f"{_SPACE}date") or ""
            if re.fullmatch(r"v\d{1,3}", label):
                found.append((int(label[1:]), date.strip()))
        return [(f"v{number}", date) for number, date in sorted(found)]

    async def _with_text(self, paper: Paper, identifier: str) -> Paper | None:
        """The paper with the whole text of its last version; None where that cannot be had. The
        pages of a version never change, so that they may be read today."""
        label = paper.versions[-1][0]
        for form in ("html", "pdf"):
            url = f"{self._pages}/{form}/{identifier}{label}"
            try:
                response = await self._client.get(url, caps=_TEXT_CAPS)
                if response.status != 200 or not response.url.rstrip("/").endswith(label):
                    continue  # led to another version, or to none
                page = await read_page(response.body, response.header("content-type"), url)
            except EvidenceError:
                continue
            if page.kind == "full text":
                return Paper.make(
                    id=paper.id,
                    title=paper.title,
                    body=page.paragraphs,
                    authors=paper.authors,
                    venue=paper.venue,
                    date=paper.date,
                    url=paper.url,
                    doi=None,
                    kind="full text",
                    aliases=paper.aliases,
                    versions=paper.versions,
                )
        return None

    async def _results(self, asked: arxiv.Search) -> tuple[list[arxiv.Result], bool]:
        """The API's results, and whether it stopped short. Raises EvidenceError."""
        loop = asyncio.get_running_loop()
        bridge = _Bridge(self._client, loop)
        most = asked.max_results or 100

        def read() -> tuple[list[arxiv.Result], bool]:
            # Retries, waits and limits are our client's.
            client = arxiv.Client(page_size=min(100, most), delay_seconds=0, num_retries=2)
            client.query_url_format = f"{self._url}?{{}}"
            client._session = bridge.session()
            found: list[arxiv.Result] = []
            try:
                for result in client.results(asked):
                    found.append(result)
            except arxiv.HTTPError as error:
                if bridge.failure is not None:
                    raise bridge.failure from error
                if error.status == 400 and not found:
                    return [], False  # an id that is none
                if not found:
                    raise EvidenceError("unreachable", detail=f"arXiv: {error.status}") from error
                return found, True
            except arxiv.UnexpectedEmptyPageError as error:
                if not found:
                    raise EvidenceError("partial", detail="arXiv: an empty page") from error
                return found, True
            return found, False

        try:
            return await asyncio.to_thread(read)
        except (requests.RequestException, etree.XMLSyntaxError, ValueError) as error:
            if bridge.failure is not None:
                raise bridge.failure from error
            raise EvidenceError("partial", detail=f"arXiv: {error}") from error


class _Bridge(BaseAdapter):
    """Requests of the `arxiv` package, made by our client in its own event loop."""

    def __init__(self, client: Client, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._client = client
        self._loop = loop
        self.failure: EvidenceError | None = None

    def session(self) -> requests.Session:
        session = requests.Session()
        session.trust_env = False
        for scheme in ("https://", "http://"):
            session.mount(scheme, self)
        return session

    def send(
        self, request: requests.PreparedRequest, *args: Any, **kwargs: Any
    ) -> requests.Response:
        assert request.url is not None
        asked = self._client.get(request.url, caps=_CAPS)
        response = requests.Response()
        response.request = request
        response.url = request.url
        try:
            answer = asyncio.run_coroutine_threadsafe(asked, self._loop).result()
        except EvidenceError as error:
            self.failure = error
            raise requests.RequestException(str(error)) from error
        response.status_code = answer.status
        response._content = answer.body
        return response

    def close(self) -> None:
        """Nothing of ours is open."""


def _query(text: str, cutoff: Cutoff) -> str:
    """Any text as a query of the API, up to the cutoff; empty where it holds no word."""
    words = [w for w in _WORD.findall(text)[:_MOST_WORDS] if w not in ("AND", "OR", "ANDNOT")]
    if not words:
        return ""
    said = " OR ".join(f'all:"{word}"' for word in dict.fromkeys(words))
    last = cutoff.moment.strftime("%Y%m%d%H%M")
    return f"({said}) AND submittedDate:[199101010000 TO {last}]"


def _identifier(result: arxiv.Result) -> str:
    return arxiv_url(result.get_short_id()).removeprefix("https://arxiv.org/abs/")


def _paper(result: arxiv.Result, versions: Sequence[tuple[str, str]] | None = None) -> Paper | None:
    """A result as a record. Its text is of its last version, dated by `updated`; its date is that
    of its first, `published` (never `updated`)."""
    place = locate(f"https://arxiv.org/abs/{result.get_short_id()}")
    if not place.url.startswith("https://arxiv.org/abs/") or result.published is None:
        return None
    identifier = place.url.removeprefix("https://arxiv.org/abs/")
    first, last = result.published.isoformat(), (result.updated or result.published).isoformat()
    made = list(versions or ())
    if not made:
        made = [("v1", first)]
        if place.version not in (None, "v1"):
            made.append((str(place.version), last))
        elif last != first:
            made.append((place.version or "updated", last))
    return Paper.make(
        id=identifier,
        title=" ".join(result.title.split()),
        body=[" ".join(result.summary.split())],
        authors=[" ".join(author.name.split()) for author in result.authors],
        venue="arXiv",
        date=first[:10],
        url=place.url,
        doi=None,
        kind="abstract",
        aliases=[doi_url(result.doi)] if result.doi else [],
        versions=made,
    )


def _may_stand(paper: Paper, cutoff: Cutoff) -> bool:
    """Whether some version may have stood on the cutoff: the first one had."""
    return _announced(paper.url, cutoff) and cutoff.admits(paper.published)


def _announced(address: str, cutoff: Cutoff) -> bool:
    """Whether the month that the id names had begun."""
    month = arxiv_month(address)
    return month is None or month.latest <= cutoff.moment


def _is_withdrawn(result: arxiv.Result, paper: Paper, cutoff: Cutoff) -> bool:
    """Whether the version at hand is a notice that the paper is withdrawn. The comment is the
    newest version's and tells nothing of an older one."""
    if any(map(_WITHDRAWN.search, paper.body)):
        return True
    newest = result.updated is not None and cutoff.admits(parse_date(result.updated.isoformat()))
    return newest and bool(_WITHDRAWN.search(result.comment or ""))
