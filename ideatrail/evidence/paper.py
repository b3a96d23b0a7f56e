"""A paper as the index holds it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, get_args

from ideatrail.evidence.dates import Interval, parse_date
from ideatrail.evidence.urls import canonical, doi_url

Kind = Literal["abstract", "summary", "full text"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

RICHNESS: Final[dict[Kind, int]] = {"summary": 0, "abstract": 1, "full text": 2}
"""Of two records of one paper, the richer is kept: the authors' own words before ours."""

_ARXIV: Final = re.compile(r"https://arxiv\.org/abs/(?:[a-z-]+/)?(\d\d)(\d\d)(?:\.\d+|\d+)")


@dataclass(frozen=True, slots=True)
class Paper:
    """One record of a paper. Two records of one work (preprint, proceedings) stay two papers here;
    the as-of index shows the newest of those that its cutoff admits."""

    id: str
    title: str
    body: tuple[str, ...]
    """Paragraphs, each on one line."""
    authors: tuple[str, ...]
    """Given name first, in the order of the paper."""
    venue: str
    date: str
    """Date of publication as the source gives it (for arXiv: the day of the first version)."""
    published: Interval | None
    """All the moments that `date` can mean, or those of the first version's timestamp."""
    url: str
    doi: str | None
    aliases: tuple[str, ...]
    """Its other addresses in canonical form, `url` and the DOI's among them."""
    kind: Kind
    """Whose words `body` holds: the authors' abstract or text, or a summary of our own."""
    versions: tuple[tuple[str, str], ...] = ()
    """(label, timestamp) of each version, oldest first, where the source has them."""
    shown: Interval | None = None
    """From publication to the latest moment that the text held here can date from. Where a source
    gives only its last version's text, that version's date counts. None: no date, never shown."""

    @classmethod
    def make(
        cls,
        *,
        id: str,
        title: str,
        body: Iterable[str],
        authors: Iterable[str],
        venue: str,
        date: str,
        url: str,
        doi: str | None,
        kind: Kind,
        aliases: Iterable[str] = (),
        versions: Iterable[tuple[str, str]] = (),
    ) -> Paper:
        """A paper with its intervals worked out from `date`, `versions` and its arXiv id.

        With versions, `published` is the first one's moment and `shown` runs to the last one's; if
        any version has no readable date, `shown` is None. An arXiv id names the month of its
        announcement, and no paper is shown before that month has begun.
        """
        address = canonical(url)
        also = [doi_url(doi)] if doi else []
        known = dict.fromkeys(key for key in (address, *also, *map(canonical, aliases)) if key)
        dated = tuple(versions)
        published, shown = _intervals(date, dated, address)
        return cls(
            id=id,
            title=title,
            body=tuple(body),
            authors=tuple(authors),
            venue=venue,
            date=date,
            published=published,
            url=url,
            doi=doi,
            aliases=tuple(known),
            kind=kind,
            versions=dated,
            shown=shown,
        )

    def row(self) -> dict[str, Any]:
        """The paper as a line of `papers.jsonl.zst`; `from_row` reads it back."""
        return {
            "id": self.id,
            "title": self.title,
            "body": self.body,
            "authors": self.authors,
            "venue": self.venue,
            "date": self.date,
            "url": self.url,
            "doi": self.doi,
            "aliases": self.aliases,
            "kind": self.kind,
            "versions": self.versions,
        }

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Paper:
        """The paper of a line. Raises KeyError, IndexError, TypeError or ValueError where it is
        none."""
        if row["kind"] not in KINDS:
            raise ValueError(f"kind {row['kind']!r} is none of {', '.join(KINDS)}")
        aliases = tuple(row["aliases"])
        versions = tuple((label, created) for label, created in row["versions"])
        published, shown = _intervals(row["date"], versions, aliases[0])
        return cls(
            id=row["id"],
            title=row["title"],
            body=tuple(row["body"]),
            authors=tuple(row["authors"]),
            venue=row["venue"],
            date=row["date"],
            published=published,
            url=row["url"],
            doi=row["doi"],
            aliases=aliases,
            kind=row["kind"],
            versions=versions,
            shown=shown,
        )

    @property
    def order(self) -> tuple[Any, ...]:
        """Where the paper stands among others: by id, by date, then by all that it holds, so that
        no two different papers stand in the same place."""
        latest = self.shown.latest.isoformat() if self.shown else ""
        said = (self.kind, self.title, self.body, self.authors, self.venue, self.date)
        return (self.id, latest, *said, self.url, self.aliases, self.versions)


def _intervals(
    date: str, versions: tuple[tuple[str, str], ...], address: str
) -> tuple[Interval | None, Interval | None]:
    """`published` and `shown` of a paper; `address` is its canonical one."""
    if not versions:
        published = parse_date(date)
        return published, published
    moments = [parse_date(created) for _, created in versions]
    published = shown = moments[0]
    for moment in (*moments[1:], arxiv_month(address) or published):
        shown = shown.until(moment) if shown and moment else None
    return published, shown


def arxiv_month(url: str) -> Interval | None:
    """The first moment (read at UTC-12, as cutoffs are) of the month that an arXiv id names."""
    match = _ARXIV.fullmatch(url)
    if match is None:
        return None
    year, number = int(match[1]), int(match[2])
    if not 1 <= number <= 12:
        return None
    year += 1900 if year >= 91 else 2000
    begins = datetime(year, number, 1, 12, tzinfo=UTC)
    return Interval(begins, begins, f"{year}-{number:02}")
