"""Writes records: one line each, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from ideatrail.records.fault import RecordError


def encode(record: Mapping[str, Any]) -> bytes:
    """One line without its newline; U+2028 and its like stay as they are, `\\n` is escaped.

    Raises RecordError for what JSON cannot hold (a lone surrogate, a number beyond 64 bits).
    """
    try:
        return orjson.dumps(record)
    except TypeError as error:
        name = record.get("sample_id", "record")
        raise RecordError(f"{name} cannot be written as JSON: {error}") from error


def write(path: Path, record: Mapping[str, Any]) -> None:
    """Make `path` hold exactly this record: temporary file, fsync, rename.

    Raises RecordError before anything is touched, OSError where the disk does not take it; what
    stood at `path` before is then still there.
    """
    replace(path, encode(record) + b"\n")


def replace(path: Path, data: bytes) -> None:
    """Make `path` hold exactly `data`, durably, or leave what stood there. Raises OSError."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def append(path: Path, record: Mapping[str, Any]) -> None:
    """Add the record as the last line of `path`, in one write, and force it to disk.

    A torn last line, left by a process that died in the middle of it, is owed work and no
    record: it is cut off. A whole last record that lacks only its newline gets one. One writer
    a file. Raises RecordError and OSError; a line that the disk takes half of is cut off again.
    """
    data = encode(record) + b"\n"
    new = not path.exists()
    with path.open("r+b" if not new else "x+b") as file:
        end = _mend_tail(file.fileno())
        try:
            file.seek(end)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            os.ftruncate(file.fileno(), end)
            raise
    if new:
        _sync_folder(path.parent)


def _mend_tail(descriptor: int) -> int:
    """Where the next line starts, after mending what stands behind the last newline."""
    size = os.fstat(descriptor).st_size
    tail = b""
    start = size
    while start > 0 and b"\n" not in tail:
        step = min(start, 1 << 16)
        start -= step
        tail = os.pread(descriptor, step, start) + tail
    cut = start + tail.rfind(b"\n") + 1 if b"\n" in tail else 0
    rest = tail[cut - start :]
    if not rest:
        return size
    try:
        orjson.loads(rest)
    except orjson.JSONDecodeError:
        os.ftruncate(descriptor, cut)
        return cut
    os.pwrite(descriptor, b"\n", size)
    return size + 1


def _sync_folder(folder: Path) -> None:
    """Makes a rename or a new file last; where folders cannot be synced, they need not be."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
