"""What a reader of one form of page found in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ideatrail.evidence.paper import Kind


@dataclass(slots=True)
class Piece:
    """Text of a page before it is bounded and told apart from what its head states."""

    lines: list[str]
    links: list[str] = field(default_factory=list)
    title: str = ""
    authors: tuple[str, ...] = ()
    venue: str = ""
    date: str = ""
    aliases: list[str] = field(default_factory=list)
    kind: Kind | None = None
    """None: to be told from how much there is."""
    notes: list[str] = field(default_factory=list)
