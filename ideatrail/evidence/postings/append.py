"""Adds papers to a large corpus without writing it anew.

New papers make a new segment. It takes in those segments that are hardly larger than itself, so
that a corpus grown by many small steps has few segments and no paper is written often.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.about import SEGMENTED, About, CorpusError, read_about
from ideatrail.evidence.postings.keys import hashed, rows_of
from ideatrail.evidence.postings.opened import Opened, Stored, open_segments
from ideatrail.evidence.postings.spill import Spill, rank, unspill
from ideatrail.evidence.postings.stored import Tally, write_segment
from ideatrail.evidence.postings.writer import (
    LARGEST,
    SEGMENTS,
    about_of,
    beside,
    named,
    write_about,
)


def append(
    folder: Path,
    papers: Iterable[Paper],
    *,
    sources: Iterable[str] = (),
    largest: int = LARGEST,
) -> About:
    """Adds papers of any number to a large corpus, and gives what it then is.

    Of two records of one id and date the richer one counts, whichever came first. Readers see the
    corpus as it was or as it is then; those who opened it before go on with what they have. Raises
    CorpusError where `folder` is no large corpus, OSError where it cannot be written.
    """
    about = read_about(folder)
    if about.format_version != SEGMENTED:
        raise CorpusError(f"{folder} is a small corpus: build it again with the new papers")
    held = open_segments(folder, about)
    spilled = beside(folder.absolute(), "spill")
    fresh = beside(folder.absolute(), "new")
    try:
        spill = Spill(spilled)
        spill.add(papers)
        spill.flush()
        if not sum(spill.counts):
            return about
        return _added(held, spill, spilled, fresh, [*about.sources, *sources], largest)
    finally:
        shutil.rmtree(spilled, ignore_errors=True)
        shutil.rmtree(fresh, ignore_errors=True)


def _added(
    held: Opened, spill: Spill, spilled: Path, fresh: Path, sources: list[str], largest: int
) -> About:
    total = _tally(held.about)
    gone = {part.about.name: set(part.about.dropped) for part in held.parts}
    kept = {part.about.name: part.about for part in held.parts}
    size = sum(spill.counts)
    taken = _small_enough(held, size, largest)
    groups = spill.groups(largest)
    for number, heaps in enumerate(groups):
        place = fresh / f"{number:03}"
        place.mkdir(parents=True)
        last = number == len(groups) - 1
        news = _News(held, gone, total)

        def rows(news: _News = news, heaps: range = heaps, last: bool = last) -> Iterator[Paper]:
            for merged, dropped in unspill(spilled, heaps):
                total.duplicates += dropped
                yield from news.of(merged)
            for part in taken if last else ():
                out = gone[part.about.name]
                alive = (row for row in range(len(part.papers)) if row not in out)
                yield from part.papers.rows(alive)

        digest, tally = write_segment(place, rows())
        if last:
            for part in taken:
                del kept[part.about.name]
        if not tally.papers:
            continue
        made = named(place, digest, tally.papers)
        target = held.folder / SEGMENTS / made.name
        if not target.exists():
            (fresh / made.name).rename(target)
        kept[made.name] = made
    segments = [
        s.model_copy(update={"dropped": sorted(gone.get(s.name, set()))}) for s in kept.values()
    ]
    about = about_of(held.folder, segments, total, sources, [], held.about.bad_lines)
    about = about.model_copy(update={"bad": held.about.bad})
    write_about(held.folder, about)
    for part in held.parts:
        if part.about.name not in kept:
            shutil.rmtree(part.folder, ignore_errors=True)
    return about


class _News:
    """Holds new papers against those that are there."""

    def __init__(self, held: Opened, gone: dict[str, set[int]], total: Tally) -> None:
        self._held, self._gone, self._total = held, gone, total

    def of(self, papers: list[Paper]) -> Iterator[Paper]:
        """Those that count; poorer ones that are there are marked as dropped."""
        hashes = np.array([hashed(p.id) for p in papers], dtype=np.uint64)
        known = np.zeros(len(papers), dtype=bool)
        for part in self._held.parts:
            keys = part.keys[0]
            at = np.minimum(np.searchsorted(keys, hashes), len(keys) - 1)
            known |= keys[at] == hashes
        for paper, seen in zip(papers, known.tolist(), strict=True):
            if seen and not self._counts(paper):
                self._total.duplicates += 1
                continue
            self._total.add(paper)
            yield paper

    def _counts(self, paper: Paper) -> bool:
        for part in self._held.parts:
            gone = self._gone[part.about.name]
            for row in rows_of(*part.keys, paper.id):
                other = part.papers[row]
                if row in gone or other.order[:2] != paper.order[:2]:
                    continue
                if rank(other) >= rank(paper):
                    return False
                gone.add(row)
                self._total.remove(other)
                self._total.duplicates += 1
        return True


def _small_enough(held: Opened, size: int, largest: int) -> list[Stored]:
    """Segments to be taken in: the smallest ones, as long as each is no larger than twice what has
    come together."""
    taken = []
    for part in sorted(held.parts, key=lambda p: (len(p.papers), p.about.name)):
        if len(part.papers) > 2 * size or size + len(part.papers) > largest:
            break
        taken.append(part)
        size += len(part.papers)
    return taken


def _tally(about: About) -> Tally:
    return Tally(
        about.papers,
        about.undated,
        about.duplicates,
        about.earliest,
        about.latest,
        dict(about.kinds),
    )
