"""Reads papers from the files that people have, one at a time; bad lines are told and skipped.

Known are JSON lines (`records`: ACL Anthology records, bibliography lines, the arXiv snapshot,
dumps of OpenAlex and Semantic Scholar, our own rows), the ACL Anthology's XML, arXiv's OAI-PMH
answers and BibTeX; plain, or packed by gzip, zstd or bzip2. Which it is, a file's content says.
"""

from __future__ import annotations

import bz2
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final, cast

import orjson
import zstandard

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.readers.bibtex import read_bibtex
from ideatrail.evidence.readers.line import BadLine, SourceError
from ideatrail.evidence.readers.records import Abstracts, NoPaperError, paper_of, reason
from ideatrail.evidence.readers.xml import read_xml

__all__ = [
    "SUFFIXES",
    "Abstracts",
    "BadLine",
    "SourceError",
    "expand",
    "holds_abstracts",
    "read",
    "read_from",
]

_PLAIN: Final = (".jsonl", ".json", ".xml", ".bib")
SUFFIXES: Final = tuple(
    f"{plain}{packed}" for plain in _PLAIN for packed in ("", ".gz", ".zst", ".bz2")
)
_PARTS: Final = (".gz", ".zst", ".bz2")
"""Dumps come in parts without any other suffix (`part_000.gz`)."""
_HEAD: Final = 4_096
_LONGEST: Final = 1 << 20
_BROKEN: Final = (EOFError, zlib.error, zstandard.ZstdError, gzip.BadGzipFile)


def read(source: Path, on_bad: Callable[[BadLine], None]) -> Iterator[Paper]:
    """The papers of one file, in its order; `on_bad` hears of every line that holds none.

    Lines end at LF alone: titles and abstracts may hold U+2028. A damaged compressed file is a bad
    line where the damage lies; what stood before it is kept. Raises SourceError if the file cannot
    be opened.
    """
    for _, paper in read_from(source, on_bad):
        yield paper


def read_from(
    source: Path,
    on_bad: Callable[[BadLine], None],
    *,
    after: int = 0,
    abstracts: Abstracts | None = None,
) -> Iterator[tuple[int, Paper]]:
    """(place, paper) for what stands after a place, places being lines or entries from 1.

    `abstracts` joins Semantic Scholar's abstracts with its papers: those are put into it, these
    take theirs out. Raises SourceError.
    """
    number = after
    try:
        with _open(source) as file:
            form = _form(file.peek(_HEAD)[:_HEAD])
            if form == "lines":
                for number, line in enumerate(file, start=1):
                    if number <= after or not line.strip():
                        continue
                    try:
                        yield number, paper_of(orjson.loads(line), abstracts)
                    except NoPaperError:
                        continue
                    except (ValueError, KeyError, TypeError, AttributeError) as fault:
                        on_bad(BadLine(source.name, number, reason(fault)))
            else:
                reader = read_bibtex if form == "bibtex" else read_xml
                for number, found in reader(file):
                    if number <= after:
                        continue
                    if isinstance(found, str):
                        on_bad(BadLine(source.name, number, found))
                    else:
                        yield number, found
    except _BROKEN as fault:
        on_bad(BadLine(source.name, number + 1, f"the file is damaged from here on ({fault})"))
    except OSError as fault:
        if fault.errno is None:  # bz2 says so of broken data
            on_bad(BadLine(source.name, number + 1, f"the file is damaged from here on ({fault})"))
            return
        raise SourceError(f"cannot read {source}: {fault.strerror or fault}") from fault


def expand(sources: list[Path]) -> list[Path]:
    """The files of `sources`: a folder stands for the files in it and below it that may hold
    papers, by name."""
    files: list[Path] = []
    for source in sources:
        if source.is_dir():
            inside = sorted(
                p
                for p in source.rglob("*")
                if p.is_file()
                and not p.name.startswith(".")
                and (p.name.endswith(SUFFIXES) or p.suffix in _PARTS)
            )
            if not inside:
                raise SourceError(f"{source} holds no .jsonl, .jsonl.gz or .jsonl.zst file")
            files += inside
        elif not source.exists():
            raise SourceError(f"there is no file {source}")
        else:
            files.append(source)
    return files


def holds_abstracts(source: Path) -> bool:
    """Whether a file is one of abstracts that come apart from their papers: those are read first.
    False for one that cannot be read; reading it says why."""
    try:
        with _open(source) as file:
            first: object = orjson.loads(file.readline(_LONGEST))
    except (*_BROKEN, OSError, orjson.JSONDecodeError):
        return False
    return isinstance(first, dict) and "corpusid" in first and "title" not in first


def _form(head: bytes) -> str:
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"<"):
        return "xml"
    if text.startswith((b"@", b"%")):
        return "bibtex"
    return "lines"


def _open(source: Path) -> io.BufferedReader:
    """The unpacked bytes; what packs them is told by the first ones."""
    plain = source.open("rb")
    head = plain.peek(4)[:4] if isinstance(plain, io.BufferedReader) else b""
    if head.startswith(b"\x1f\x8b"):
        return io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=plain)))
    if head == b"\x28\xb5\x2f\xfd":
        stream = zstandard.ZstdDecompressor().stream_reader(
            cast(IO[bytes], plain), read_across_frames=True, closefd=True
        )
        return io.BufferedReader(stream)
    if head.startswith(b"BZh"):
        return io.BufferedReader(cast(io.RawIOBase, bz2.BZ2File(plain)))
    return plain
