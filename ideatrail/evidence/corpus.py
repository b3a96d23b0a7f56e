"""A corpus: the papers that an index is built from, and its folder on disk.

A corpus folder holds `papers.jsonl.zst`, one paper a line in the order of ids, and `corpus.json`,
which says what that file must be. A corpus holds papers of any date; what may be seen of it is the
world's business.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import orjson
import zstandard
from pydantic import BaseModel, ConfigDict, ValidationError

from ideatrail import resources
from ideatrail.evidence.paper import RICHNESS, Paper
from ideatrail.evidence.readers import BadLine, SourceError, expand, read
from ideatrail.evidence.urls import canonical
from ideatrail.evidence.works import work_count
from ideatrail.trail.text import words

FORMAT: Final = 1
PAPERS: Final = "papers.jsonl.zst"
ABOUT: Final = "corpus.json"
BAD_LINES_KEPT: Final = 1_000
"""Bad lines that `corpus.json` lists one by one; all are counted."""

_TICKS: Final = 10_000
"""Papers read between two calls of `on_progress`."""


class CorpusError(Exception):
    """A corpus cannot be read or built; the text is one line that says what to do."""


class BadLineModel(BaseModel):
    """A line that held no paper."""

    model_config = ConfigDict(extra="forbid")

    source: str
    line: int
    why: str


class About(BaseModel):
    """`corpus.json`."""

    model_config = ConfigDict(extra="forbid")

    format_version: int
    hash: str
    """SHA-256 of the lines of `papers.jsonl.zst`, unpacked."""
    papers: int
    """Lines of it."""
    works: int
    """Papers with the records of one work (preprint and proceedings, say) counted once."""
    undated: int
    """Papers without a readable date: they are kept, and never shown."""
    earliest: str | None
    """First moment that any paper's date can mean, ISO 8601."""
    latest: str | None
    kinds: dict[str, int]
    sources: list[str]
    """Names of the files it was built from."""
    duplicates: int
    """Records dropped because a richer one of the same paper and date was there."""
    bad_lines: int
    bad: list[BadLineModel]


@dataclass(frozen=True)
class Corpus:
    """Papers in the order of their ids, with the hash of their content."""

    papers: tuple[Paper, ...]
    hash: str
    folder: Path | None = None
    """Where it lies, for caches beside it; None for a corpus in memory."""
    bad: tuple[BadLine, ...] = field(default=(), compare=False)

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
        format; nothing is repaired silently."""
        about = read_about(folder)
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
            if key and key in self._by_key:
                return self._by_key[key]
        return None


def read_about(folder: Path) -> About:
    """`corpus.json` of a folder. Raises CorpusError."""
    if not folder.exists():
        raise CorpusError(f"there is no folder {folder}")
    if not folder.is_dir():
        raise CorpusError(f"{folder} is a file: a corpus is a folder made by `corpus build`")
    try:
        held: Any = orjson.loads((folder / ABOUT).read_bytes())
    except FileNotFoundError as fault:
        raise CorpusError(f"{folder} is no corpus: it has no {ABOUT}") from fault
    except (OSError, orjson.JSONDecodeError) as fault:
        raise CorpusError(f"{folder / ABOUT} cannot be read: build it again") from fault
    version = held.get("format_version") if isinstance(held, dict) else None
    if version != FORMAT:
        raise CorpusError(
            f"{folder} has format {version}, this program reads {FORMAT}: build again"
        )
    try:
        return About.model_validate(held)
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise CorpusError(f"{folder / ABOUT} is broken at {where!r}: build it again") from fault


def build(
    sources: list[Path],
    out: Path,
    *,
    on_progress: Callable[[int], None] = lambda count: None,
) -> About:
    """Reads `sources` into a corpus folder at `out`, whole or not at all.

    An earlier corpus at `out` is replaced; anything else that is there, but for an empty folder, is
    refused. Bad lines are skipped and stand in the result. `on_progress` hears of every 10,000
    papers. Raises CorpusError where a source cannot be read or holds no paper, and OSError where
    `out` cannot be written; what was at `out` is then as it was.
    """
    if out.exists() and not _replaceable(out):
        raise CorpusError(f"{out} is there and is no corpus: give --out another folder")
    bad: list[BadLine] = []
    papers: list[Paper] = []
    try:
        files = expand(sources)
        for source in files:
            for paper in read(source, bad.append):
                papers.append(paper)
                if len(papers) % _TICKS == 0:
                    on_progress(len(papers))
    except SourceError as fault:
        raise CorpusError(str(fault)) from fault
    if not papers:
        first = f": line {bad[0].line} of {bad[0].source}: {bad[0].why}" if bad else ""
        raise CorpusError(f"no paper found in {', '.join(map(str, sources))}{first}")
    kept = merge(papers)
    about, packed = _pack(kept, files, bad, duplicates=len(papers) - len(kept))
    _replace(out, {PAPERS: packed, ABOUT: orjson.dumps(about.model_dump(), option=_PRETTY)})
    return about


_PRETTY: Final = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


def merge(papers: Iterable[Paper]) -> tuple[Paper, ...]:
    """Papers in order, one for each id and date: the richest, then the longest.

    Records that differ in id or date stay apart, even of one work: which of them may stand for the
    work depends on the cutoff, so that the as-of index decides it (see `works`).
    """
    best: dict[tuple[Any, ...], Paper] = {}
    for paper in papers:
        key = paper.order[:2]
        held = best.get(key)
        if held is None or _rank(paper) > _rank(held):
            best[key] = paper
    return tuple(sorted(best.values(), key=lambda p: p.order))


def _rank(paper: Paper) -> tuple[int, int, tuple[Any, ...]]:
    return RICHNESS[paper.kind], sum(map(len, paper.body)), paper.order


def _lines(papers: Iterable[Paper]) -> bytes:
    return b"".join(orjson.dumps(p.row(), option=orjson.OPT_APPEND_NEWLINE) for p in papers)


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


def _replaceable(out: Path) -> bool:
    return out.is_dir() and ((out / ABOUT).is_file() or not any(out.iterdir()))


def _replace(out: Path, files: dict[str, bytes]) -> None:
    """Puts a folder with `files` in the place of `out`: readers see the old one or the new one."""
    out = out.absolute()
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = out.with_name(f".{out.name}.{os.getpid()}.new")
    stale = out.with_name(f".{out.name}.{os.getpid()}.old")
    for leftover in (fresh, stale):
        shutil.rmtree(leftover, ignore_errors=True)
    try:
        fresh.mkdir()
        for name, content in files.items():
            with (fresh / name).open("wb") as handle:
                handle.write(content)
                handle.flush()
                os.fsync(handle.fileno())
        if out.exists():
            out.rename(stale)
        fresh.rename(out)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(stale, ignore_errors=True)
