"""Writes large corpora: folders of immutable segments, whole or not at all, and adds to them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

import orjson

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings import worker
from ideatrail.evidence.postings.about import (
    ABOUT,
    BAD_LINES_KEPT,
    SEGMENTED,
    About,
    BadLineModel,
    CorpusError,
    SegmentModel,
)
from ideatrail.evidence.postings.spill import Spill
from ideatrail.evidence.postings.stored import Tally
from ideatrail.evidence.postings.works import count_works
from ideatrail.evidence.readers import BadLine

SEGMENTS: Final = "segments"
LARGEST: Final = 131_072
"""Papers of a segment: a column of scores for them fits a core's own cache."""
_PRETTY: Final = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


class CorpusWriter:
    """Takes papers of any number in any order, in bounded memory.

    with CorpusWriter(out, sources=["arxiv.jsonl"]) as writer:
        writer.add(papers)      # as often as there are some
        about = writer.finish()

    Nothing stands at `out` before `finish`, and what stood there stays where it is not reached.
    """

    def __init__(self, out: Path, *, sources: Iterable[str] = (), largest: int = LARGEST) -> None:
        """`sources` are names of the files that the papers come from. Raises CorpusError where
        `out` is there and is no corpus, OSError where it cannot be written."""
        if out.exists() and not replaceable(out):
            raise CorpusError(f"{out} is there and is no corpus: give --out another folder")
        self._out = out.absolute()
        self._sources = list(sources)
        self._largest = largest
        self._fresh = beside(self._out, "new")
        self._fresh.mkdir(parents=True)
        self._spilled = beside(self._out, "spill")
        self._spill = Spill(self._spilled)

    def __enter__(self) -> CorpusWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Takes away what is not finished."""
        for leftover in (self._fresh, self._spilled):
            shutil.rmtree(leftover, ignore_errors=True)

    @property
    def papers(self) -> int:
        """Papers taken so far, duplicates among them."""
        return sum(self._spill.counts)

    def add(self, papers: Iterable[Paper]) -> None:
        """Takes papers. Records of one id and date are merged at the end (see `merge`)."""
        self._spill.add(papers)

    def finish(
        self,
        *,
        sources: Iterable[str] = (),
        bad: Sequence[BadLine] = (),
        bad_lines: int | None = None,
    ) -> About:
        """Writes the corpus and puts it in its place. `sources` are further names of files;
        `bad_lines` is the number of bad ones where `bad` does not hold all. Raises CorpusError
        where there is no paper, and OSError."""
        self._sources += sources
        if not self.papers:
            raise CorpusError(f"no paper for {self._out}: nothing was written")
        self._spill.flush()
        groups = self._spill.groups(self._largest)
        places = [self._fresh / SEGMENTS / f"{n:03}" for n in range(len(groups))]
        for place in places:
            place.mkdir(parents=True)
        jobs = [
            ("store", {"spilled": str(self._spilled), "heaps": list(heaps), "out": str(place)})
            for heaps, place in zip(groups, places, strict=True)
        ]
        total, segments = Tally(), []
        for place, answer in zip(places, worker.run(jobs), strict=True):
            segments.append(named(place, answer.pop("hash"), answer["papers"]))
            total += Tally(**answer)
        about = about_of(self._fresh, segments, total, self._sources, bad, bad_lines)
        write_about(self._fresh, about)
        replace(self._out, self._fresh)
        self.close()
        return about


def named(place: Path, digest: str, papers: int) -> SegmentModel:
    """A written segment under the name that its content gives it."""
    name = digest[:16]
    place.rename(place.with_name(name))
    return SegmentModel(name=name, hash=digest, papers=papers)


def about_of(
    folder: Path,
    segments: list[SegmentModel],
    total: Tally,
    sources: list[str],
    bad: Sequence[BadLine],
    bad_lines: int | None,
) -> About:
    """What `corpus.json` says of the segments in a folder."""
    segments = sorted(segments, key=lambda s: s.name)
    said = [[s.hash, s.papers, s.dropped] for s in segments]
    return About(
        format_version=SEGMENTED,
        hash=hashlib.sha256(orjson.dumps(said)).hexdigest(),
        papers=total.papers,
        works=count_works([folder / SEGMENTS / s.name for s in segments], segments),
        undated=total.undated,
        earliest=total.earliest,
        latest=total.latest,
        kinds=dict(sorted((k, n) for k, n in total.kinds.items() if n)),
        sources=sources,
        duplicates=total.duplicates,
        bad_lines=len(bad) if bad_lines is None else bad_lines,
        bad=[BadLineModel(source=b.source, line=b.line, why=b.why) for b in bad[:BAD_LINES_KEPT]],
        segments=segments,
    )


def write_about(folder: Path, about: About) -> None:
    """Writes `corpus.json`: readers see the old one or the new one."""
    fresh = folder / f".{ABOUT}.{os.getpid()}"
    with fresh.open("wb") as file:
        file.write(orjson.dumps(about.model_dump(), option=_PRETTY))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / ABOUT)


def replaceable(out: Path) -> bool:
    """Whether a corpus may be put there: it is an empty folder, or a corpus."""
    return out.is_dir() and ((out / ABOUT).is_file() or not any(out.iterdir()))


def beside(out: Path, what: str) -> Path:
    """A name next to `out` for what is not finished; what an earlier process left there is taken
    away."""
    found = out.with_name(f".{out.name}.{os.getpid()}.{what}")
    shutil.rmtree(found, ignore_errors=True)
    return found


def replace(out: Path, fresh: Path) -> None:
    """Puts a folder in the place of `out`: readers see the old one or the new one."""
    stale = beside(out, "old")
    try:
        if out.exists():
            out.rename(stale)
        fresh.rename(out)
    finally:
        shutil.rmtree(stale, ignore_errors=True)
