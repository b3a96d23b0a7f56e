"""Streams records from .jsonl, .jsonl.gz and .jsonl.zst in constant memory.

Lines end at `\\n` alone: U+2028, U+0085 and their like are ordinary characters of a string.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson
import zstandard

from ideatrail.records.fault import LineError, LineFault, LineFaultKind
from ideatrail.records.linkage import Linkage, pair
from ideatrail.records.message import calls_of, text_of
from ideatrail.records.schema import Record

ISO_DATE: Final = re.compile(r"(?<!\d)(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?!\d)")
TOPIC: Final = re.compile(r"research_topics/([^/\s\"'\\*?{}\[\]]+)")
PATH_KEYS: Final = ("file_path", "path")

_BOM: Final = b"\xef\xbb\xbf"
_BUFFER: Final = 1 << 20


@dataclass(frozen=True)
class Row:
    """One record as it stands in its file, valid or not."""

    path: Path
    line: int
    """From 1, in the unpacked file."""
    raw: dict[str, Any]
    """Every key as it is; write this back and nothing is lost."""
    size: int
    """Bytes of the line without its newline."""

    @property
    def sample_id(self) -> str | None:
        """The id, or None where there is none."""
        value = self.raw.get("sample_id")
        return value if isinstance(value, str) else None

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages; empty where the row has no list of them."""
        value = self.raw.get("messages")
        return [m for m in value if isinstance(m, dict)] if isinstance(value, list) else []

    @property
    def trail(self) -> Mapping[str, Any] | None:
        """Our own block, or None in other people's records."""
        value = self.raw.get("_trail")
        return value if isinstance(value, dict) else None

    @property
    def cutoff(self) -> str | None:
        """The first ISO date of the system prompt (contract, "The record")."""
        for message in self.messages:
            if message.get("role") == "system":
                found = ISO_DATE.search(text_of(message.get("content")))
                return found.group(1) if found else None
        return None

    @property
    def topic(self) -> str | None:
        """The folder under `research_topics/` in the first tool path that has one."""
        for message in self.messages:
            for call in calls_of(message):
                try:
                    arguments = orjson.loads(call.arguments)
                except orjson.JSONDecodeError:
                    continue
                if not isinstance(arguments, dict):
                    continue
                for key in PATH_KEYS:
                    found = TOPIC.search(str(arguments.get(key) or ""))
                    if found:
                        return found.group(1)
        return None

    def linkage(self) -> Linkage:
        """Calls and results, paired batch by batch."""
        return pair(self.messages)

    def record(self) -> Record:
        """The row as a typed record. Raises pydantic's ValidationError where it is none."""
        return Record.model_validate(self.raw)


def read(path: Path | str, on_fault: Callable[[LineFault], None] | None = None) -> Iterator[Row]:
    """Stream the rows of a file; blank lines are skipped.

    Args:
        path: a .jsonl file, plain, or packed as .gz or .zst (told by its first bytes).
        on_fault: is given each line that is no record, and reading goes on behind it.

    Raises:
        LineError: for the first such line, where there is no `on_fault`.
        OSError: where the file cannot be read.
    """
    path = Path(path)

    def fault(line: int, kind: LineFaultKind, why: str) -> None:
        found = LineFault(path, line, kind, why)
        if on_fault is None:
            raise LineError(found)
        on_fault(found)

    number = 0
    with _unpacked(path) as file:
        while True:
            number += 1
            try:
                line = file.readline()
            except (EOFError, zlib.error, gzip.BadGzipFile, zstandard.ZstdError) as error:
                fault(number, "torn", f"the packed data breaks off ({error})")
                return
            if not line:
                return
            whole = line.endswith(b"\n")
            body = line[:-1] if whole else line
            if number == 1:
                body = body.removeprefix(_BOM)
            if not body.strip():
                continue
            try:
                raw = orjson.loads(body)
            except orjson.JSONDecodeError as error:
                fault(number, *_why(body, whole, error))
                continue
            if not isinstance(raw, dict):
                fault(number, "not_object", f"a {type(raw).__name__}, not an object")
                continue
            yield Row(path, number, raw, len(body))


def _why(body: bytes, whole: bool, error: orjson.JSONDecodeError) -> tuple[LineFaultKind, str]:
    """What is wrong with a line that does not parse."""
    if not whole:
        return "torn", f"the file ends in the middle of a line ({error})"
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as wrong:
        return "not_utf8", f"byte {wrong.start} is not UTF-8"
    return "not_json", str(error)


@contextmanager
def _unpacked(path: Path) -> Iterator[BinaryIO]:
    with io.BufferedReader(path.open("rb", buffering=0), _BUFFER) as file:
        magic = file.peek(4)[:4]
        if magic.startswith(b"\x1f\x8b"):
            with gzip.open(file, "rb") as unpacked:
                yield io.BufferedReader(unpacked, _BUFFER)
        elif magic == b"\x28\xb5\x2f\xfd":
            reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
            yield io.BufferedReader(reader, _BUFFER)
        else:
            yield file
