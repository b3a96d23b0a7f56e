"""What a page says, once it is read."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ideatrail.evidence.paper import KINDS, Kind


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of one page. All of it is data from strangers."""

    title: str
    authors: tuple[str, ...]
    """In the order of the page, given name first."""
    venue: str
    date: str
    """Date of publication as the page states it; "" where it states none."""
    paragraphs: tuple[str, ...]
    """Each on one line: headings as `## Heading`, list items as `- item`, rows of tables as
    `a | b | c`, mathematics as `$…$`; where a PDF's page begins, `[page 3]`."""
    kind: Kind
    """`abstract` where the page has no more of the work than that."""
    aliases: tuple[str, ...] = ()
    """Canonical addresses that the page gives as its own: DOI, arXiv id, rel=canonical."""
    links: tuple[str, ...] = ()
    """Canonical addresses that its text links to, in their order."""
    notes: tuple[str, ...] = ()
    """What was left out or mended: `hidden text left out (3 places)`."""

    def row(self) -> dict[str, Any]:
        """The page as JSON has it; `from_row` reads it back."""
        return asdict(self)

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> PageText:
        """The page of a row. Raises KeyError, TypeError or ValueError where it is none."""
        if row["kind"] not in KINDS:
            raise ValueError(f"kind {row['kind']!r} is none of {', '.join(KINDS)}")
        return cls(
            title=str(row["title"]),
            authors=tuple(map(str, row["authors"])),
            venue=str(row["venue"]),
            date=str(row["date"]),
            paragraphs=tuple(map(str, row["paragraphs"])),
            kind=row["kind"],
            aliases=tuple(map(str, row["aliases"])),
            links=tuple(map(str, row["links"])),
            notes=tuple(map(str, row["notes"])),
        )
