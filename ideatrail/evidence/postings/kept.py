"""A corpus's index, opened from beside the corpus or built there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings import arrays
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.postings.collection import Collection, Part
from ideatrail.evidence.postings.invert import invert
from ideatrail.evidence.postings.keys import KeyTable
from ideatrail.evidence.postings.opened import NEEDED, Opened, Stored
from ideatrail.evidence.postings.parts import MARK, build_parts, load_part
from ideatrail.evidence.postings.segment import FORMAT, Segment
from ideatrail.evidence.postings.works import Succession

if TYPE_CHECKING:
    from ideatrail.evidence.corpus import Corpus

KEPT_ON_DISK: Final = 20_000
"""Papers from which on a small corpus's index is kept beside it; below, it is built in a second."""
_INDEX: Final = f"index-v{FORMAT}"


def collection_of(corpus: Corpus) -> Collection:
    """The collection of a corpus; what is missing of it is built, and kept where that can be."""
    if corpus.segments is not None:
        return _large(corpus.segments)
    if corpus.folder is None or len(corpus.papers) < KEPT_ON_DISK:
        return Collection.of(corpus.papers)
    folder = corpus.folder / f"{_INDEX}-{corpus.hash[:16]}"
    held = _kept(folder, lambda out: arrays.save(out, _all(corpus.papers)))
    return _small(held or _all(corpus.papers), corpus.papers)


def _all(papers: Sequence[Paper]) -> dict[str, Array]:
    table = KeyTable()
    for paper in papers:
        table.add(paper)
    return invert(papers) | table.arrays()


def _small(held: dict[str, Array], papers: Sequence[Paper]) -> Collection:
    return Collection([Part(Segment(held, papers), {name: held[name] for name in NEEDED})])


def build_index(opened: Opened) -> None:
    """Builds the postings that a large corpus lacks. Raises OSError and RuntimeError."""
    build_parts(opened, _INDEX, "index")


def _large(opened: Opened) -> Collection:
    with suppress(OSError):  # the folder cannot be written: what is missing is built in memory
        build_index(opened)
    parts = [_part(stored) for stored in opened.parts]
    place = opened.folder / f"works-v{FORMAT}-{opened.about.hash[:16]}"
    held = _kept(place, lambda out: _save_works(out, Collection(parts).succession))
    if held is None:
        return Collection(parts)
    for stale in opened.folder.glob(f"works-v{FORMAT}-*"):
        if stale != place:
            shutil.rmtree(stale, ignore_errors=True)
    return Collection(parts, Succession(held["members"], held["work"], held["until"]))


def _part(stored: Stored) -> Part:
    held = load_part(stored.folder / _INDEX) or invert(stored.papers)
    table = {name: stored.array(name) for name in NEEDED}
    return Part(Segment(held, stored.papers), table, stored.dropped)


def _save_works(out: Path, works: Succession) -> None:
    arrays.save(out, {"members": works.members, "work": works.work, "until": works.until})


def _kept(folder: Path, build: Callable[[Path], None]) -> dict[str, Array] | None:
    """The arrays of a folder, which is built where it is missing; None where it cannot be."""
    if not (folder / MARK).is_file():
        fresh = folder.with_name(f".{folder.name}.{os.getpid()}")
        try:
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir()
            build(fresh)
            (fresh / MARK).touch()
            shutil.rmtree(folder, ignore_errors=True)
            fresh.rename(folder)
        except OSError:
            shutil.rmtree(fresh, ignore_errors=True)
            if not (folder / MARK).is_file():  # else another process was quicker
                return None
    return load_part(folder)
