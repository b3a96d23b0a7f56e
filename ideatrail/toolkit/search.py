"""WebSearch: ranked papers from the evidence world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

from ideatrail.evidence.source import EvidenceError
from ideatrail.toolkit.outcome import Outcome, RefusedError
from ideatrail.toolkit.wording import byline, field, latest, one_line

DEFAULT_RESULTS: Final = 10
PARTIAL: Final = "(A part of the literature could not be searched just now; there may be more.)"


class Dated(Protocol):
    """A date interval, as far as the tools need it."""

    @property
    def latest(self) -> datetime:
        """The latest moment the date can mean, with a time zone."""
        ...


class SearchHit(Protocol):
    """One hit, as the tools read it."""

    @property
    def title(self) -> str: ...
    @property
    def authors(self) -> tuple[str, ...]: ...
    @property
    def venue(self) -> str: ...
    @property
    def date(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def snippet(self) -> str: ...
    @property
    def published(self) -> Dated: ...


class SearchResults(Protocol):
    """What a search gave, as the tools read it."""

    @property
    def hits(self) -> Sequence[SearchHit]:
        """In order of rank."""
        ...

    @property
    def partial(self) -> bool:
        """Whether there may be more than could be looked for."""
        ...


class SearchWorld(Protocol):
    """The half of the evidence world that searches."""

    async def search(self, query: str, max_results: int = 10) -> SearchResults:
        """Raises EvidenceError where it could not look."""
        ...


async def search(world: SearchWorld, call_id: str, arguments: Mapping[str, Any]) -> Outcome:
    """Asks `world`. Raises RefusedError for a blank query."""
    query = query_of(arguments)
    found = await world.search(query, max_results=arguments.get("max_results", DEFAULT_RESULTS))
    hits = found.hits
    if not hits and found.partial:
        raise EvidenceError("partial")
    if not hits:
        # The query is not repeated here: an observation holds no word of the Generator's own.
        return Outcome(call_id, "WebSearch", "The search found nothing. Try other or fewer words.")
    return Outcome(
        call_id,
        "WebSearch",
        "\n".join(
            [
                *(_entry(number, hit) for number, hit in enumerate(hits, start=1)),
                *([PARTIAL] if found.partial else ()),
            ]
        ),
        date_latest=latest(hit.published.latest for hit in hits),
        observed=True,
    )


def query_of(arguments: Mapping[str, Any]) -> str:
    """The query of a call, on one line. Raises RefusedError for a blank one."""
    query = one_line(str(arguments["query"]))
    if not query:
        raise RefusedError("the query is empty.")
    return query


def _entry(number: int, hit: SearchHit) -> str:
    """One hit in the form that contract.md fixes ("The record")."""
    about = (byline(hit.authors), field(hit.venue, "unknown venue"), field(hit.date, "no date"))
    lines = [
        f"{number}. {field(hit.title, 'Untitled')}",
        # The bar separates fields, so it cannot stand inside one.
        "   " + " | ".join(part.replace("|", "/") for part in about),
        f"   {field(hit.url, 'no address')}",
        f"   {field(hit.snippet, '')}",
    ]
    return "\n".join(line for line in lines if line.strip())
