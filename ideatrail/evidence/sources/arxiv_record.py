"""One version of a paper at arXiv, as a record."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import arxiv

from ideatrail.evidence.dates import Cutoff, Interval, parse_date
from ideatrail.evidence.paper import Paper, arxiv_month
from ideatrail.evidence.sources.preprints import HEAD, identifier_of
from ideatrail.evidence.urls import doi_url, locate

_NOTICE: Final = re.compile(
    r"(?:^|[.;:!?()]\s*)(?:(?:this|the|our)\s+)?(?:\w+\s+)?"
    r"(?:(?:papers?|articles?|manuscripts?|submissions?|work|preprint|version|note)\s+)?"
    r"(?:(?:has|have|had)\s+been|is|was|were|being)?\s*(?:\w+ly\s+)?(?:being\s+)?"
    r"(?:withdrawn|retracted|removed\s+by\s+arxiv)\b(?!\s+(?:article|paper|publication)s)",
    re.IGNORECASE,
)
"""A sentence that opens with the notice: `Paper withdrawn by the author`, `This has been withdrawn
by arXiv administrators`. Studies of retractions speak of them further in."""


def version_of(result: arxiv.Result) -> tuple[str, int | None] | None:
    """Id and number of the version that a result is; None where it is no paper (the API tells
    errors as entries)."""
    place = locate(f"{HEAD}{result.get_short_id()}")
    identifier = identifier_of(place.url)
    if identifier is None:
        return None
    return identifier, int(place.version[1:]) if place.version else None


def record_of(
    result: arxiv.Result, versions: Iterable[tuple[str, str]] = (), aliases: Iterable[str] = ()
) -> Paper | None:
    """A result as a record; None where it is no paper.

    `published` is the day of the first version and dates the record; `updated` is the day of the
    version at hand, the newest where none was asked for, and dates the text. What changes without a
    version (comment, journal reference, categories) is left out. So is the DOI, often registered
    years later: it is kept among the aliases, by which records are merged and withheld, and which
    nobody is shown.

    Args:
        versions: label and timestamp of those that stood, oldest first, where they are known.
        aliases: more addresses of the work.
    """
    named = version_of(result)
    if named is None:
        return None
    identifier, number = named
    first, last = result.published.isoformat(), result.updated.isoformat()
    made = list(versions)
    if not made:
        made = [("v1", first)]
        if number not in (None, 1) or last != first:
            made.append((f"v{number}" if number else "newest", last))
    return Paper.make(
        id=identifier,
        title=" ".join(result.title.split()),
        body=[" ".join(result.summary.split())],
        authors=[" ".join(author.name.split()) for author in result.authors],
        venue="arXiv",
        date=first[:10],
        url=f"{HEAD}{identifier}",
        doi=None,
        kind="abstract",
        aliases=[*([doi_url(result.doi)] if result.doi else []), *aliases],
        versions=made,
    )


def written(result: arxiv.Result) -> Interval | None:
    """The moment of the version at hand."""
    return parse_date(result.updated.isoformat())


def announced(identifier: str, cutoff: Cutoff) -> bool:
    """Whether the month that the id names had begun by the cutoff."""
    month = arxiv_month(f"{HEAD}{identifier}")
    return month is None or month.latest <= cutoff.moment


def is_withdrawn(result: arxiv.Result, newest: arxiv.Result | None = None) -> bool:
    """Whether the version at hand is a notice that the paper is withdrawn.

    Args:
        newest: the newest version, where that is another one. A comment that both have says nothing
            of the older one: comments can be changed afterwards.
    """
    if _NOTICE.match(result.summary.strip()):
        return True
    comment = (result.comment or "").strip()
    if newest is not None and comment == (newest.comment or "").strip():
        return False
    return bool(_NOTICE.search(comment))
