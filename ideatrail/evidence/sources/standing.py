"""What tells how papers stood at arXiv on a date."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper


@dataclass(frozen=True, slots=True)
class Stood:
    """Papers as they stood."""

    papers: dict[str, Paper]
    """By id, in the order asked for; those of which nothing had stood, or whose notice of
    withdrawal stood, are missing."""
    partial: bool = False
    """Whether arXiv could not be asked about some."""


class Standing(Protocol):
    """Knows papers at arXiv as they stood."""

    async def standing(self, identifiers: Iterable[str], cutoff: Cutoff) -> Stood:
        """The papers of these ids. Raises EvidenceError where none could be asked about."""
        ...

    async def open(self, address: str, cutoff: Cutoff) -> Paper | None:
        """See `Source.open`."""
        ...
