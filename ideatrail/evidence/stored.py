"""What the world answered, kept beside a run, so that its evidence can be gone through again with
no source at hand: no network, no corpus.

Each answer is one observation of an `Observations` store: its text the answer as JSON, its request
what the toolkit asked. The toolkit makes of it, byte for byte, what the Generator was shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal, Protocol

import orjson
from pydantic import TypeAdapter

from ideatrail.evidence.observations import Observations
from ideatrail.evidence.source import MESSAGES, Ending, EvidenceError
from ideatrail.evidence.world import Page, Results

Ask = Literal["search", "scrape"]

_RESULTS: Final = TypeAdapter(Results)
_PAGE: Final = TypeAdapter(Page)


class Asked(Protocol):
    """The world as the toolkit asks it."""

    async def search(self, query: str, max_results: int = 10) -> Results:
        """As `World.search`."""
        ...

    async def scrape(self, url: str) -> Page:
        """As `World.scrape`."""
        ...


class RecordingWorld:
    """A world whose every answer is stored, failures too."""

    def __init__(self, world: Asked, store: Observations) -> None:
        self._world = world
        self._store = store

    async def search(self, query: str, max_results: int = 10) -> Results:
        """As `World.search`. Raises OSError where the answer cannot be stored."""
        request = _search(query, max_results)
        try:
            found = await self._world.search(query, max_results)
        except EvidenceError as error:
            self._keep_failure(request, error)
            raise
        latest = max((hit.published.latest.isoformat() for hit in found.hits), default=None)
        self._store.put(_RESULTS.dump_json(found).decode(), request, latest)
        return found

    async def scrape(self, url: str) -> Page:
        """As `World.scrape`. Raises OSError where the answer cannot be stored."""
        request = _scrape(url)
        try:
            page = await self._world.scrape(url)
        except EvidenceError as error:
            self._keep_failure(request, error)
            raise
        latest = page.published.latest.isoformat()
        self._store.put(_PAGE.dump_json(page).decode(), request, latest)
        return page

    def _keep_failure(self, request: dict[str, Any], error: EvidenceError) -> None:
        told = {"ending": error.ending, "message": error.message}
        self._store.put(orjson.dumps(told).decode(), request)


class NotStoredError(Exception):
    """The store holds no such answer: one clear line."""


class StoredWorld:
    """Gives stored answers again."""

    def __init__(self, store: Observations) -> None:
        self._answers: dict[str, list[str]] = {}
        """Hashes of the answers to a request, failures last."""
        for sha in store:
            about = store.about(sha)
            for asked in about.requests if about else ():
                self._answers.setdefault(_key(asked.request), []).append(sha)
        self._store = store
        self.failing: frozenset[str] = frozenset()
        """Keys of requests that ended in a failure where the trail now stands; one that failed
        once may have been answered later."""

    @staticmethod
    def key(ask: Ask, value: str, max_results: int = 10) -> str:
        """The key of a request, for `failing`."""
        return _key(_scrape(value) if ask == "scrape" else _search(value, max_results))

    async def search(self, query: str, max_results: int = 10) -> Results:
        """The stored answer. Raises EvidenceError as the world did, NotStoredError."""
        return _RESULTS.validate_json(self._answer(_search(query, max_results)))

    async def scrape(self, url: str) -> Page:
        """The stored answer. Raises EvidenceError as the world did, NotStoredError."""
        return _PAGE.validate_json(self._answer(_scrape(url)))

    def _answer(self, request: dict[str, Any]) -> str:
        key = _key(request)
        failed: EvidenceError | None = None
        answered: str | None = None
        for text in self._texts(key):
            failure = _failure(text)
            if failure is None:
                answered = text
            else:
                failed = failure
        if failed is not None and (answered is None or key in self.failing):
            raise failed
        if answered is None:
            raise NotStoredError(f"no answer is stored to {orjson.dumps(request).decode()}")
        return answered

    def _texts(self, key: str) -> Iterator[str]:
        for sha in self._answers.get(key, ()):
            try:
                yield self._store.get(sha)
            except (KeyError, ValueError) as error:
                raise NotStoredError(f"the stored answer {sha} cannot be read: {error}") from error


def _failure(text: str) -> EvidenceError | None:
    held: dict[str, Any] = orjson.loads(text)
    ending: Ending | None = held.get("ending")
    return EvidenceError(ending, held.get("message")) if ending in MESSAGES else None


def _search(query: str, max_results: int) -> dict[str, Any]:
    return {"ask": "search", "query": query, "max_results": max_results}


def _scrape(url: str) -> dict[str, Any]:
    return {"ask": "scrape", "url": url}


def _key(request: dict[str, Any]) -> str:
    return orjson.dumps(request, option=orjson.OPT_SORT_KEYS).decode("utf-8", "replace")
