"""Reads papers from the files that people have, a line at a time; bad lines are told and skipped.

Known lines: ACL Anthology records (`abstract`), bibliography lines (`summary`), and the arXiv
metadata snapshot (`versions`). Which it is, each line says by its own keys.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

import orjson
import zstandard

from ideatrail.evidence.dates import parse_date
from ideatrail.evidence.latex import plain
from ideatrail.evidence.paper import Paper

SUFFIXES: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".json", ".json.gz", ".json.zst")

_PARAGRAPH: Final = re.compile(r"\n\s*\n")
_NESTED: Final = re.compile(r"\([^()]*\)")
_AND: Final = re.compile(r"\s*[,;]\s*and\s+|\s*[,;]\s*|\s+and\s+|\s+&\s+", re.IGNORECASE)
_SUFFIX: Final = re.compile(r"(?:jr|sr|i{2,3}|iv)\.?", re.IGNORECASE)


class SourceError(ValueError):
    """A source cannot be read at all; the text is one line."""


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that holds no paper."""

    source: str
    line: int
    """From 1."""
    why: str


def read(source: Path, on_bad: Callable[[BadLine], None]) -> Iterator[Paper]:
    """The papers of one file, in its order; `on_bad` hears of every line that holds none.

    Lines end at LF alone: titles and abstracts may hold U+2028. A damaged compressed file is a bad
    line where the damage lies; what stood before it is kept. Raises SourceError if the file cannot
    be opened.
    """
    number = 0
    try:
        with _open(source) as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    yield _paper(line)
                except (ValueError, KeyError, TypeError, AttributeError) as fault:
                    on_bad(BadLine(source.name, number, _reason(fault)))
    except (EOFError, zlib.error, zstandard.ZstdError, gzip.BadGzipFile) as fault:
        on_bad(BadLine(source.name, number + 1, f"the file is damaged from here on ({fault})"))
    except OSError as fault:
        raise SourceError(f"cannot read {source}: {fault.strerror or fault}") from fault


def expand(sources: list[Path]) -> list[Path]:
    """The files of `sources`: a folder stands for the JSON lines files in it, by name."""
    files: list[Path] = []
    for source in sources:
        if source.is_dir():
            inside = sorted(p for p in source.iterdir() if p.name.endswith(SUFFIXES))
            if not inside:
                raise SourceError(f"{source} holds no .jsonl, .jsonl.gz or .jsonl.zst file")
            files += inside
        elif not source.exists():
            raise SourceError(f"there is no file {source}")
        else:
            files.append(source)
    return files


def _open(source: Path) -> IO[bytes]:
    if source.suffix == ".gz":
        return cast(IO[bytes], gzip.open(source, "rb"))
    if source.suffix == ".zst":
        stream = zstandard.ZstdDecompressor().stream_reader(
            source.open("rb"), read_across_frames=True, closefd=True
        )
        return io.BufferedReader(stream)
    return source.open("rb")


def _reason(fault: Exception) -> str:
    if isinstance(fault, orjson.JSONDecodeError):
        return f"not JSON: {fault}"
    if isinstance(fault, KeyError):
        return f"the field {fault.args[0]!r} is missing"
    return str(fault)


def _paper(line: bytes) -> Paper:
    record = orjson.loads(line)
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    if "versions" in record and "abstract" in record:
        return arxiv(record)
    if "summary" in record:
        return bibliography(record)
    if "abstract" in record:
        return acl(record)
    raise ValueError("no known record: it has neither `abstract` nor `summary`")


def acl(record: dict[str, Any]) -> Paper:
    """An ACL Anthology record. `ingest_date`, perhaps years later, is no date of the paper."""
    return Paper.make(
        id=_text(record, "id"),
        title=_text(record, "title"),
        body=_paragraphs(_text(record, "abstract")),
        authors=_names(record),
        venue=_optional(record, "venue") or "",
        date=_date(record),
        url=_text(record, "url"),
        doi=_optional(record, "doi"),
        kind="abstract",
    )


def bibliography(record: dict[str, Any]) -> Paper:
    """A bibliography line: facts of a paper, and a summary that is not its authors'."""
    return Paper.make(
        id=_text(record, "id"),
        title=_text(record, "title"),
        body=_paragraphs(_text(record, "summary")),
        authors=_names(record),
        venue=_optional(record, "venue") or "",
        date=_date(record),
        url=_text(record, "url"),
        doi=_optional(record, "doi"),
        kind="summary",
    )


def arxiv(record: dict[str, Any]) -> Paper:
    """A line of the arXiv metadata snapshot.

    Title, abstract and authors are the last version's, so that version's date counts. Comment,
    journal-ref, DOI and report number change without a new version, as do categories: they are left
    out, for they tell what became of the paper later.
    """
    identifier = _text(record, "id")
    versions = [(_text(v, "version"), _text(v, "created")) for v in record["versions"]]
    if not versions:
        raise ValueError("it has no version, and so no date")
    versions.sort(key=lambda v: int(v[0].removeprefix("v")))
    first = parse_date(versions[0][1])
    return Paper.make(
        id=identifier,
        title=plain(_text(record, "title")),
        body=[plain(p) for p in _paragraphs(_text(record, "abstract"))],
        authors=_arxiv_authors(record),
        venue="arXiv",
        date=first.latest.date().isoformat() if first else "",
        url=f"https://arxiv.org/abs/{identifier}",
        doi=None,
        kind="abstract",
        versions=versions,
    )


def _arxiv_authors(record: dict[str, Any]) -> list[str]:
    parsed = record.get("authors_parsed")
    if isinstance(parsed, list) and parsed:
        named = [[plain(str(part)) for part in entry] for entry in parsed]
        return [" ".join(p for p in (*n[1:2], n[0], *n[2:3]) if p) for n in named]
    text = plain(_text(record, "authors"))
    while (shorter := _NESTED.sub(" ", text)) != text:  # affiliations, parentheses within them too
        text = shorter
    names: list[str] = []
    for name in _AND.split(text):
        name = " ".join(name.split())
        if names and _SUFFIX.fullmatch(name):
            names[-1] = f"{names[-1]} {name}"
        elif name:
            names.append(name)
    return names


def _paragraphs(text: str) -> list[str]:
    joined = (" ".join(p.split()) for p in _PARAGRAPH.split(text))
    return [p for p in joined if p]


def _text(record: dict[str, Any], key: str) -> str:
    value = record[key]
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"the field {key!r} holds no text")
    return value if key in ("abstract", "summary") else " ".join(value.split())


def _optional(record: dict[str, Any], key: str) -> str | None:
    value = record.get(key)
    return " ".join(value.split()) or None if isinstance(value, str) else None


def _names(record: dict[str, Any]) -> list[str]:
    names = record["authors"]
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        raise ValueError("the field 'authors' is no list of names")
    return [" ".join(n.split()) for n in names if n.strip()]


def _date(record: dict[str, Any]) -> str:
    """`date`, or year and month where there is none; nothing where that is no date."""
    if given := _optional(record, "date"):
        return given
    year, month = record.get("year"), record.get("month")
    if isinstance(year, int) and isinstance(month, int):
        return f"{year:04}-{month:02}"
    return f"{year:04}" if isinstance(year, int) else ""
