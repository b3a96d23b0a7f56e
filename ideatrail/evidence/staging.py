"""Reads sources so that a reading that was killed goes on where it was.

What has been read is kept beside the corpus to be, in parts: the papers as rows, and a journal of
how far each file has been read and which of its lines were bad. A part counts once the journal has
it. A file that has changed since is read again from its start.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import orjson
import zstandard

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.readers import Abstracts, BadLine, read_from

PART: Final = 20_000
"""Papers of a part."""
_HEAD: Final = 65_536
_JOURNAL: Final = "journal.jsonl"


class Staging:
    """The folder of one reading. `read` takes the place of `readers.read`."""

    def __init__(self, folder: Path, *, on_resumed: Callable[[int], None] = lambda papers: None):
        """`on_resumed` hears how many papers of a file were there already. Raises OSError."""
        self._folder = folder
        self._on_resumed = on_resumed
        folder.mkdir(parents=True, exist_ok=True)
        self._abstracts = Abstracts(folder / "abstracts.sqlite")
        self._parts: dict[str, list[dict[str, Any]]] = {}
        for line in self._journal():
            self._parts.setdefault(str(line["file"]), []).append(line)
        self._made = sum(map(len, self._parts.values()))

    def __enter__(self) -> Staging:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._abstracts.__exit__(kind, error, trace)

    def discard(self) -> None:
        """Take it away: the corpus stands."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def read(self, source: Path, on_bad: Callable[[BadLine], None]) -> Iterator[Paper]:
        """As `readers.read`, from what is staged as far as it goes."""
        name = fingerprint(source)
        after, papers = 0, 0
        for part in self._parts.get(name, ()):
            for bad in part["bad"]:
                on_bad(BadLine(**bad))
            for paper in self._rows(self._folder / part["part"]):
                papers += 1
                yield paper
            after = part["after"]
        if papers:
            self._on_resumed(papers)
        if self._parts.get(name) and self._parts[name][-1]["whole"]:
            return
        yield from self._fresh(source, name, after, on_bad)

    def _fresh(
        self, source: Path, name: str, after: int, on_bad: Callable[[BadLine], None]
    ) -> Iterator[Paper]:
        held: list[Paper] = []
        bad: list[BadLine] = []

        def keep(line: BadLine) -> None:
            bad.append(line)
            on_bad(line)

        for place, paper in read_from(source, keep, after=after, abstracts=self._abstracts):
            held.append(paper)
            yield paper
            if len(held) >= PART:
                self._keep(name, held, bad, place, whole=False)
                held, bad = [], []
            after = place
        self._keep(name, held, bad, after, whole=True)

    def _keep(
        self, name: str, held: list[Paper], bad: list[BadLine], after: int, *, whole: bool
    ) -> None:
        """Put a part on disk, and then into the journal."""
        self._abstracts.flush()
        part = f"{self._made:06}.jsonl.zst"
        self._made += 1
        raw = b"".join(orjson.dumps(p.row(), option=orjson.OPT_APPEND_NEWLINE) for p in held)
        _write(self._folder / part, zstandard.ZstdCompressor(level=1).compress(raw))
        line = {
            "file": name,
            "part": part,
            "after": after,
            "whole": whole,
            "bad": [asdict(b) for b in bad],
        }
        with (self._folder / _JOURNAL).open("ab") as journal:
            journal.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
            journal.flush()
            os.fsync(journal.fileno())

    def _journal(self) -> Iterator[dict[str, Any]]:
        """Whole lines; a torn last one is a part that is read again."""
        path = self._folder / _JOURNAL
        if not path.exists():
            return
        raw = path.read_bytes()
        kept = raw.rfind(b"\n") + 1
        if kept < len(raw):
            with path.open("r+b") as file:
                file.truncate(kept)
        for line in raw[:kept].split(b"\n")[:-1]:
            loaded: dict[str, Any] = orjson.loads(line)
            yield loaded

    def _rows(self, path: Path) -> Iterator[Paper]:
        raw = zstandard.ZstdDecompressor().decompress(path.read_bytes())
        for line in raw.split(b"\n")[:-1]:
            yield Paper.from_row(orjson.loads(line))


def staging_of(out: Path) -> Path:
    """The folder in which a corpus at `out` is staged."""
    out = out.absolute()
    return out.with_name(f".{out.name}.staging")


def fingerprint(source: Path) -> str:
    """What tells a file from another, or from itself when it has changed. Raises OSError."""
    about = source.stat()
    with source.open("rb") as file:
        head = hashlib.sha256(file.read(_HEAD)).hexdigest()
    return f"{source.absolute()}|{about.st_size}|{about.st_mtime_ns}|{head}"


def _write(path: Path, data: bytes) -> None:
    fresh = path.with_name(f".{path.name}")
    with fresh.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
