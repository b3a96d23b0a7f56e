"""arXiv's query API as the `arxiv` package speaks it, every request made by our own client.

The package writes queries, pages through results and reads Atom; waiting, retries, limits, caps and
the store of raw answers are our client's. The package is synchronous, and no thread waits for it
here: where it asks for an address whose answer is not at hand, it is broken off, the answer is
fetched, and it goes on from the results that it had.
"""

from __future__ import annotations

import logging
from typing import Any, Final

import arxiv
import requests
from lxml import etree
from requests.adapters import BaseAdapter

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.client import Client
from ideatrail.evidence.web.response import Caps, Response

_CAPS: Final = Caps(max_bytes=16 * 2**20, max_seconds=60.0)
_PAGE: Final = 100
"""Results of one request."""
_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_TOTALS: Final = "{http://a9.com/-/spec/opensearch/1.1/}"

logging.getLogger("arxiv").addHandler(logging.NullHandler())


class Feeds:
    """Asks the API. Safe to share by the tasks of one event loop."""

    def __init__(self, client: Client, url: str) -> None:
        self._client = client
        self._url = url.rstrip("?/")

    async def results(self, asked: arxiv.Search) -> tuple[list[arxiv.Result], bool]:
        """The results of a search, and whether the API stopped short of what it had.

        Raises EvidenceError: as the client does; `partial` for an answer that is no whole feed, or
        that is empty though there is more; `refused` for a query that the API does not take. An id
        that it does not take gives no result.
        """
        session = requests.Session()
        session.trust_env = False
        answers = _Answers()
        for scheme in ("https://", "http://"):
            session.mount(scheme, answers)
        package = arxiv.Client(
            page_size=min(_PAGE, asked.max_results or _PAGE), delay_seconds=0, num_retries=0
        )
        package.query_url_format = f"{self._url}?{{}}"
        package._session = session
        found: list[arxiv.Result] = []
        while True:
            try:
                for result in package.results(asked, offset=len(found)):
                    found.append(result)
                return found, False
            except _WantedError as wanted:
                try:
                    answers.held[wanted.url] = await self._client.get(
                        wanted.url, caps=_CAPS, sound=_is_feed
                    )
                except EvidenceError:
                    if not found:
                        raise
                    return found, True
            except (arxiv.ArxivError, ValueError) as error:
                if found:
                    return found, True
                if not isinstance(error, arxiv.HTTPError):
                    raise EvidenceError("partial", detail=f"arXiv: {error}") from error
                if error.status != 400:
                    raise EvidenceError("unreachable", detail=f"arXiv: {error}") from error
                if asked.id_list:
                    return [], False
                raise EvidenceError("refused", detail=f"arXiv takes no {asked.query}") from error


class _WantedError(Exception):
    """The package asks for an address whose answer is not at hand."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class _Answers(BaseAdapter):
    """Answers at hand, as `requests` takes them."""

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[str, Response] = {}

    def send(
        self, request: requests.PreparedRequest, *args: Any, **kwargs: Any
    ) -> requests.Response:
        url = str(request.url)
        if url not in self.held:
            raise _WantedError(url)
        response = requests.Response()
        response.request = request
        response.url = url
        response.status_code = self.held[url].status
        response._content = self.held[url].body
        return response

    def close(self) -> None:
        """Nothing is open."""


def _is_feed(response: Response) -> bool:
    """Whether an answer is a whole Atom feed, and not empty where it says that there is more. (The
    package mends what is cut short, and takes an empty first page for the end.)"""
    if response.status != 200:
        return True
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(response.body, parser)
    except etree.XMLSyntaxError:
        return False
    if root.tag != f"{_ATOM}feed":
        return False
    total, start = (
        (root.findtext(f"{_TOTALS}{name}") or "").strip() for name in ("totalResults", "startIndex")
    )
    if not total.isdecimal():
        return False
    more = int(total) > (int(start) if start.isdecimal() else 0)
    return not more or root.find(f"{_ATOM}entry") is not None
