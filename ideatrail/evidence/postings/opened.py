"""The segments of a large corpus, opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.about import About, CorpusError, SegmentModel
from ideatrail.evidence.postings.arrays import Array, mapped
from ideatrail.evidence.postings.keys import find_key, rows_of
from ideatrail.evidence.postings.papers import PaperFile, StoredPapers


@dataclass(frozen=True, eq=False)
class Stored:
    """One segment on disk."""

    folder: Path
    about: SegmentModel
    papers: PaperFile

    @cached_property
    def dropped(self) -> frozenset[int]:
        """Rows that count no more."""
        return frozenset(self.about.dropped)

    def array(self, name: str) -> Array:
        """An array of the segment's key table (see `keys`)."""
        return mapped(self.folder / f"{name}.npy")

    @cached_property
    def keys(self) -> tuple[Array, Array]:
        """Hashed keys and their rows."""
        return self.array("keys"), self.array("key_rows")

    @cached_property
    def title_keys(self) -> tuple[Array, Array]:
        """Hashed titles and their rows."""
        return self.array("title_keys"), self.array("title_key_rows")


@dataclass(frozen=True, eq=False)
class Opened:
    """All segments of a corpus, in the order of their names."""

    folder: Path
    about: About
    parts: tuple[Stored, ...]

    @property
    def papers(self) -> StoredPapers:
        """All papers that count, read as they are asked for."""
        return StoredPapers([p.papers for p in self.parts], [p.about.dropped for p in self.parts])

    def named(self, key: str) -> list[Paper]:
        """Papers with this id, alias (in canonical form) or whole title (folded words joined by
        spaces), of any date, in order."""
        found = []
        for part in self.parts:
            rows = {*rows_of(*part.keys, key), *rows_of(*part.title_keys, key)} - part.dropped
            found += [p for p in part.papers.rows(sorted(rows)) if _bears(p, key)]
        return sorted(found, key=lambda p: p.order)


def _bears(paper: Paper, key: str) -> bool:
    return key == paper.id or key in paper.aliases or key == find_key(paper.title)


def open_segments(folder: Path, about: About) -> Opened:
    """The segments that `corpus.json` names. Raises CorpusError."""
    parts = []
    for segment in about.segments:
        place = folder / "segments" / segment.name
        try:
            parts.append(Stored(place, segment, PaperFile(place, segment.papers)))
            missing = [n for n in NEEDED if not (place / f"{n}.npy").is_file()]
        except (OSError, ValueError) as fault:
            raise CorpusError(f"{place} cannot be read ({fault}): build it again") from fault
        if missing:
            raise CorpusError(f"{place} lacks {', '.join(missing)}: build it again")
    return Opened(folder, about, tuple(parts))


NEEDED: Sequence[str] = (
    "keys",
    "key_rows",
    "title_keys",
    "title_key_rows",
    "folded",
    "folded_ends",
)
