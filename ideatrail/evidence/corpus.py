"""A corpus: the papers that an index is built from, and its folder on disk.

A small corpus is a folder with `papers.jsonl.zst`, one paper a line in the order of ids, and
`corpus.json`, which says what that file must be; it is read whole. A large one has `segments/`
instead, each with such a file in frames, and only what is asked for is read (see `postings`). A
corpus holds papers of any date; what may be seen of it is the world's business.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

import orjson
import zstandard

from ideatrail import resources
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.about import (
    ABOUT,
    BAD_LINES_KEPT,
    FORMAT,
    SEGMENTED,
    About,
    BadLineModel,
    CorpusError,
    read_about,
)
from ideatrail.evidence.postings.append import append
from ideatrail.evidence.postings.opened import Opened, open_segments
from ideatrail.evidence.postings.papers import PAPERS, line_of
from ideatrail.evidence.postings.spill import merge
from ideatrail.evidence.postings.writer import (
    CorpusWriter,
    beside,
    replace,
    replaceable,
    write_about,
)
from ideatrail.evidence.readers import BadLine, SourceError, expand, read
from ideatrail.evidence.urls import canonical
from ideatrail.evidence.works import work_count
from ideatrail.trail.text import words

__all__ = [
    "ABOUT",
    "PAPERS",
    "About",
    "BadLineModel",
    "Corpus",
    "CorpusError",
    "CorpusWriter",
    "append",
    "build",
    "merge",
    "read_about",
]

Reader = Callable[[Path, Callable[[BadLine], None]], Iterator[Paper]]
"""Gives the papers of a file, and tells of its bad lines."""

SMALL: Final = 100_000
"""Papers up to which `build` makes a small corpus."""
_TICKS: Final = 10_000
"""Papers read between two calls of `on_progress`."""


@dataclass(frozen=True)
class Corpus:
    """Papers in a fixed order (a small corpus: that of their ids), with the hash of their
    content."""

    papers: Sequence[Paper]
    """Of a large corpus, a sequence that reads them from disk."""
    hash: str
    folder: Path | None = None
    """Where it lies, for caches beside it; None for a corpus in memory."""
    bad: tuple[BadLine, ...] = field(default=(), compare=False)
    segments: Opened | None = field(default=None, compare=False)
    """The segments of a large corpus."""

    @classmethod
    def of(cls, papers: Iterable[Paper]) -> Corpus:
        """A corpus in memory; duplicates are dropped as in `build`."""
        kept = merge(papers)
        return cls(kept, _digest(_lines(kept)))

    @classmethod
    def bundled(cls) -> Corpus:
        """The annotated bibliography that ships with the package, read into memory."""
        folder = resources.folder("data") / "bibliography"
        bad: list[BadLine] = []
        try:
            papers = [p for f in sorted(folder.glob("*.jsonl")) for p in read(f, bad.append)]
        except SourceError as fault:
            raise CorpusError(str(fault)) from fault
        if not papers:
            raise CorpusError(f"the bundled bibliography {folder} holds no paper: install again")
        kept = merge(papers)
        return cls(kept, _digest(_lines(kept)), bad=tuple(bad))

    @classmethod
    def open(cls, folder: Path) -> Corpus:
        """The corpus of a folder. Raises CorpusError where it is missing, broken or of another
        format; nothing is repaired silently. Of a large corpus the papers themselves are checked
        as they are read."""
        about = read_about(folder)
        if about.format_version == SEGMENTED:
            opened = open_segments(folder, about)
            return cls(opened.papers, about.hash, folder, segments=opened)
        try:
            packed = (folder / PAPERS).read_bytes()
        except OSError as fault:
            raise CorpusError(f"{folder} has no readable {PAPERS}: build it again") from fault
        try:
            with zstandard.ZstdDecompressor().stream_reader(packed) as stream:
                raw = stream.read()
        except zstandard.ZstdError as fault:
            raise CorpusError(f"{folder / PAPERS} is broken ({fault}): build it again") from fault
        if hashlib.sha256(raw).hexdigest() != about.hash:
            raise CorpusError(f"{folder / PAPERS} does not match {ABOUT}: build it again")
        try:
            papers = tuple(Paper.from_row(orjson.loads(line)) for line in raw.split(b"\n")[:-1])
        except (ValueError, KeyError, IndexError, TypeError) as fault:
            raise CorpusError(f"{folder / PAPERS} has a line that is no paper: {fault}") from fault
        return cls(papers, about.hash, folder)

    @cached_property
    def _by_key(self) -> dict[str, Paper]:
        found: dict[str, Paper] = {}
        for paper in self.papers:
            for key in (paper.id, *paper.aliases, " ".join(words(paper.title))):
                found.setdefault(key, paper)
        return found

    def find(self, text: str) -> Paper | None:
        """The paper with this id, address, DOI or whole title, whatever its date. Advisor side."""
        for key in (text.strip(), canonical(text), " ".join(words(text))):
            if not key:
                continue
            if self.segments is not None:
                found = self.segments.named(key)
                if found:
                    return found[0]
            elif key in self._by_key:
                return self._by_key[key]
        return None


def build(
    sources: list[Path],
    out: Path,
    *,
    on_progress: Callable[[int], None] = lambda count: None,
    reader: Reader = read,
) -> About:
    """Reads `sources` into a corpus folder at `out`, whole or not at all.

    An earlier corpus at `out` is replaced; anything else that is there, but for an empty folder, is
    refused. Bad lines are skipped and stand in the result. `on_progress` hears of every 10,000
    papers. `reader` reads one file (see `staging`). Raises CorpusError where a source cannot be
    read or holds no paper, and OSError where
    `out` cannot be written; what was at `out` is then as it was.
    """
    if out.exists() and not replaceable(out):
        raise CorpusError(f"{out} is there and is no corpus: give --out another folder")
    bad: list[BadLine] = []
    papers: list[Paper] = []
    count = 0
    with ExitStack() as stack:
        writer: CorpusWriter | None = None
        try:
            files = expand(sources)
            for source in files:
                for paper in reader(source, bad.append):
                    papers.append(paper)
                    count += 1
                    if count % _TICKS == 0:
                        on_progress(count)
                    if writer is None and count > SMALL:
                        writer = stack.enter_context(CorpusWriter(out))
                    if writer is not None and len(papers) >= _TICKS:
                        writer.add(papers)
                        papers = []
        except SourceError as fault:
            raise CorpusError(str(fault)) from fault
        if not count:
            first = f": line {bad[0].line} of {bad[0].source}: {bad[0].why}" if bad else ""
            raise CorpusError(f"no paper found in {', '.join(map(str, sources))}{first}")
        if writer is not None:
            writer.add(papers)
            return writer.finish(sources=[f.name for f in files], bad=bad)
    kept = merge(papers)
    about, packed = _pack(kept, files, bad, duplicates=len(papers) - len(kept))
    _write(out, packed, about)
    return about


def _lines(papers: Iterable[Paper]) -> bytes:
    return b"".join(map(line_of, papers))


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _pack(
    papers: tuple[Paper, ...], files: list[Path], bad: list[BadLine], *, duplicates: int
) -> tuple[About, bytes]:
    raw = _lines(papers)
    shown = [p.shown for p in papers if p.shown]
    about = About(
        format_version=FORMAT,
        hash=_digest(raw),
        papers=len(papers),
        works=work_count(papers),
        undated=len(papers) - len(shown),
        earliest=min(i.earliest for i in shown).isoformat() if shown else None,
        latest=max(i.latest for i in shown).isoformat() if shown else None,
        kinds=dict(sorted(Counter(p.kind for p in papers).items())),
        sources=[f.name for f in files],
        duplicates=duplicates,
        bad_lines=len(bad),
        bad=[BadLineModel(source=b.source, line=b.line, why=b.why) for b in bad[:BAD_LINES_KEPT]],
    )
    return about, zstandard.ZstdCompressor(level=6, write_checksum=True).compress(raw)


def _write(out: Path, packed: bytes, about: About) -> None:
    """A small corpus in the place of `out`."""
    out = out.absolute()
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = beside(out, "new")
    fresh.mkdir()
    try:
        with (fresh / PAPERS).open("wb") as handle:
            handle.write(packed)
            handle.flush()
            os.fsync(handle.fileno())
        write_about(fresh, about)
        replace(out, fresh)
    finally:
        beside(out, "new")
