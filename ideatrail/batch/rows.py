"""The rows of a list: CSV, JSON lines, or one name a line; what is wrong is told by line.

Nothing is opened but the list itself: what a row names is looked at by whoever does the row.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

NAME: Final = "input"
"""The column that every row has: a file, an id, a DOI or an address."""
_COMMENT: Final = "#"
_MOST_TOLD: Final = 20


class ListError(ValueError):
    """A list cannot be used: one clear line, or a line for each bad row."""


@dataclass(frozen=True)
class BadRow:
    """A row that cannot be used."""

    line: int
    why: str


@dataclass(frozen=True)
class Row:
    """One job to do."""

    line: int
    """Of the list, from 1."""
    name: str
    """What it names."""
    values: Mapping[str, Any]
    """The other columns that hold anything."""

    @property
    def key(self) -> str:
        """Stable for equal rows, wherever they stand in a list."""
        text = orjson.dumps([self.name, dict(self.values)], option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(text).hexdigest()[:16]


@dataclass(frozen=True)
class RowList:
    """A list as read."""

    rows: tuple[Row, ...]
    bad: tuple[BadRow, ...]

    def told(self) -> str:
        """The bad rows, a line each."""
        lines = [f"line {one.line}: {one.why}" for one in self.bad[:_MOST_TOLD]]
        if len(self.bad) > _MOST_TOLD:
            lines.append(f"and {len(self.bad) - _MOST_TOLD} more")
        return "\n".join(lines)


def read_list(path: Path, columns: Sequence[str]) -> RowList:
    """The rows of the list at `path`; `columns` may stand beside `input`.

    `.csv` has a header line, `.jsonl` an object a line, anything else a name a line; empty lines
    and those that begin with `#` are left out of the last two.

    Raises ListError where the list as a whole cannot be used.
    """
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ListError(f"{path}: not UTF-8 text (byte {error.start})") from error
    except OSError as error:
        raise ListError(f"{path}: {error.strerror or error}") from error
    match path.suffix.lower():
        case ".csv":
            found = _csv(path, text, columns)
        case ".jsonl":
            found = _json_lines(text)
        case _:
            found = _plain(text)
    rows: list[Row] = []
    bad: list[BadRow] = []
    first: dict[str, int] = {}
    for line, given in found:
        if isinstance(given, str):
            bad.append(BadRow(line, given))
            continue
        fault = _fault(given, columns)
        if fault:
            bad.append(BadRow(line, fault))
            continue
        rest = {k: v for k, v in given.items() if k != NAME and v not in ("", None)}
        row = Row(line, str(given[NAME]).strip(), rest)
        if row.key in first:
            bad.append(BadRow(line, f"the same as line {first[row.key]}"))
            continue
        first[row.key] = line
        rows.append(row)
    if not rows and not bad:
        raise ListError(f"{path}: no row in it")
    return RowList(tuple(rows), tuple(bad))


def _csv(
    path: Path, text: str, columns: Sequence[str]
) -> Iterator[tuple[int, dict[str, Any] | str]]:
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [name.strip() for name in next(reader)]
    except StopIteration:
        return
    if NAME not in header:
        raise ListError(f"{path}:1: no column {NAME!r}; the columns are {', '.join(header)}")
    unknown = [name for name in header if name not in (NAME, *columns)]
    if unknown:
        raise ListError(
            f"{path}:1: unknown column {unknown[0]!r}; there are {', '.join((NAME, *columns))}"
        )
    if len(set(header)) < len(header):
        raise ListError(f"{path}:1: a column stands there twice")
    start = reader.line_num + 1
    try:
        for values in reader:
            line, start = start, reader.line_num + 1
            if not any(v.strip() for v in values):
                continue
            if len(values) != len(header):
                yield line, f"{len(values)} values for {len(header)} columns"
            else:
                yield line, dict(zip(header, (v.strip() for v in values), strict=True))
    except csv.Error as error:
        yield reader.line_num, str(error)


def _json_lines(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    # A line ends with a newline and nothing else: U+2028 may stand inside one.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith(_COMMENT):
            continue
        try:
            given = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            yield number, f"not JSON: {error}"
            continue
        yield number, given if isinstance(given, dict) else "not a JSON object"


def _plain(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith(_COMMENT):
            yield number, {NAME: line.strip()}


def _fault(given: Mapping[str, Any], columns: Sequence[str]) -> str:
    unknown = [str(k) for k in given if k not in (NAME, *columns)]
    if unknown:
        return f"unknown key {unknown[0]!r}; there are {', '.join((NAME, *columns))}"
    name = given.get(NAME)
    if not isinstance(name, str) or not name.strip():
        return f"no {NAME}"
    return ""
