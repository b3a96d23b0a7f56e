"""The one writer of a batch: records, failures, and the account of rows that resume reads.

A record is durable before its row is accounted for. What stands behind the last record that is
accounted for was torn or is owed, and is cut off: its job is finished on disk and gives the record
again. So every row is in the release exactly once, whenever the writer died.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson
import zstandard

from ideatrail.batch.result import SETTLED, RowResult

RELEASE: Final = "trajectories"
FAILURES: Final = "failures.jsonl"
ROWS: Final = "rows.jsonl"
_LEVEL: Final = 6


class BatchWriter:
    """Appends to a batch's folder. One a folder."""

    def __init__(self, folder: Path, *, shard: int | None = None) -> None:
        """Opens the folder's files and mends what a killed writer left.

        Args:
            folder: the batch's; it is there.
            shard: records a zstd shard holds; None: one `trajectories.jsonl`.

        Raises OSError.
        """
        self._folder = folder
        self._shard = shard
        self.results: dict[str, RowResult] = {}
        """The last result of each row by its key."""
        self._ends: dict[str, int] = {}
        self._held: dict[str, int] = {}
        rows = folder / ROWS
        for entry in _whole_lines(rows):
            result = RowResult.of(entry)
            self.results[result.key] = result
            if entry.get("file"):
                self._ends[entry["file"]] = int(entry["end"])
                self._held[entry["file"]] = self._held.get(entry["file"], 0) + 1
        self._rows = rows.open("ab")
        self._failures = self._mended(FAILURES)
        self._file: BinaryIO | None = None
        self._name = ""

    @property
    def settled(self) -> frozenset[str]:
        """Keys of rows that are done and stay so."""
        return frozenset(k for k, r in self.results.items() if r.ending in SETTLED)

    @staticmethod
    def settled_in(folder: Path) -> frozenset[str]:
        """As `settled`, of a folder that nobody has opened; nothing is mended."""
        path = folder / ROWS
        raw = path.read_bytes()[: _last_whole(path)] if path.exists() else b""
        last = {e["key"]: e["ending"] for e in map(orjson.loads, raw.split(b"\n")[:-1])}
        return frozenset(key for key, ending in last.items() if ending in SETTLED)

    def put(self, result: RowResult, record: bytes | None = None) -> None:
        """Keep a row's end: its record first, where it has one, then its account.

        `record` is one JSON line without its newline. Raises OSError; nothing half-written counts.
        """
        place: dict[str, Any] = {}
        if record is not None:
            file = self._release()
            data = record + b"\n"
            file.write(data if self._shard is None else _compressed(data))
            _sync(file)
            place = {"file": self._name, "end": file.tell()}
            self._ends[self._name] = file.tell()
            self._held[self._name] = self._held.get(self._name, 0) + 1
        if result.ending != "accepted":
            self._failures.write(orjson.dumps(result.row()) + b"\n")
            _sync(self._failures)
            place["failure"] = self._failures.tell()
        self._rows.write(orjson.dumps({**result.row(), **place}) + b"\n")
        _sync(self._rows)
        self.results[result.key] = result

    def close(self) -> None:
        """Close the files."""
        for file in (self._rows, self._failures, self._file):
            if file is not None:
                file.close()

    def _release(self) -> BinaryIO:
        """The file that the next record goes into."""
        if self._shard is None:
            name = f"{RELEASE}.jsonl"
        else:
            number = 0
            while self._held.get(_shard_name(number), 0) >= self._shard:
                number += 1
            name = _shard_name(number)
        if self._file is None or name != self._name:
            if self._file is not None:
                self._file.close()
            self._file = self._mended(name)
            self._name = name
        return self._file

    def _mended(self, name: str) -> BinaryIO:
        """A file opened at the end of what is accounted for; what stands behind it is cut off."""
        path = self._folder / name
        fresh = not path.exists()
        file = path.open("r+b" if not fresh else "w+b")
        end = self._ends.get(name, 0) if name != FAILURES else _last_whole(path)
        if end < path.stat().st_size:
            file.truncate(end)
        file.seek(min(end, path.stat().st_size))
        if fresh:
            _sync_folder(self._folder)
        return file


def _shard_name(number: int) -> str:
    return f"{RELEASE}-{number:05}.jsonl.zst"


def _compressed(data: bytes) -> bytes:
    """A frame of its own: a shard is whole after each record."""
    return zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(data)


def _whole_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """The account's lines; a torn last one is cut off."""
    if not path.exists():
        return
    end = _last_whole(path)
    raw = path.read_bytes()[:end]
    if end < path.stat().st_size:
        os.truncate(path, end)
    for line in raw.split(b"\n")[:-1]:
        yield orjson.loads(line)


def _last_whole(path: Path) -> int:
    """Bytes up to the end of the last whole line."""
    return path.read_bytes().rfind(b"\n") + 1 if path.exists() else 0


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
