"""JSON records of papers, each known by its own keys."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import orjson

from ideatrail.evidence.dates import parse_date
from ideatrail.evidence.latex import plain
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.sources import openalex, semantic_scholar

_PARAGRAPH: Final = re.compile(r"\n\s*\n")
_NESTED: Final = re.compile(r"\([^()]*\)")
_AND: Final = re.compile(r"\s*[,;]\s*and\s+|\s*[,;]\s*|\s+and\s+|\s+&\s+", re.IGNORECASE)
_SUFFIX: Final = re.compile(r"(?:jr|sr|i{2,3}|iv)\.?", re.IGNORECASE)


class NoPaperError(ValueError):
    """A sound line that is no paper by itself: an abstract that stands apart."""


class Abstracts:
    """Semantic Scholar's abstracts, which come in files of their own: kept on disk until their
    papers come."""

    def __init__(self, path: Path) -> None:
        """Raises sqlite3.Error where the file cannot be made."""
        self._held = sqlite3.connect(path)
        self._held.execute("pragma journal_mode=wal")
        self._held.execute("pragma synchronous=off")
        self._held.execute(
            "create table if not exists abstract (id integer primary key, text text)"
        )
        self._waiting: list[tuple[int, str]] = []

    def __enter__(self) -> Abstracts:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.flush()
        self._held.close()

    def put(self, identifier: int, text: str) -> None:
        """Keep one."""
        self._waiting.append((identifier, text))
        if len(self._waiting) >= 5_000:
            self.flush()

    def get(self, identifier: int) -> str:
        """The abstract of a paper; empty where there is none."""
        self.flush()
        found = self._held.execute("select text from abstract where id = ?", (identifier,))
        row = found.fetchone()
        return str(row[0]) if row else ""

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            self._held.executemany("insert or replace into abstract values (?, ?)", self._waiting)
            self._held.commit()
            self._waiting.clear()


def reason(fault: Exception) -> str:
    """What is wrong with a line, in words."""
    if isinstance(fault, orjson.JSONDecodeError):
        return f"not JSON: {fault}"
    if isinstance(fault, KeyError):
        return f"the field {fault.args[0]!r} is missing"
    return str(fault)


def paper_of(record: Any, abstracts: Abstracts | None = None) -> Paper:
    """The paper of a record. Raises ValueError, KeyError, TypeError, AttributeError where it is
    none, NoPaperError for one that belongs to a paper elsewhere."""
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    if "body" in record and "kind" in record:
        return Paper.from_row(record)
    if "corpusid" in record:
        return scholar(record, abstracts)
    if str(record.get("id", "")).startswith("https://openalex.org/"):
        found = openalex.paper_of(record)
        if found is None:
            raise ValueError("an OpenAlex work without a title")
        return found
    if "versions" in record and "abstract" in record:
        return arxiv(record)
    if "summary" in record:
        return bibliography(record)
    if "abstract" in record:
        return acl(record)
    raise ValueError("no known record: it has neither `abstract` nor `summary`")


def scholar(record: dict[str, Any], abstracts: Abstracts | None) -> Paper:
    """A line of Semantic Scholar's bulk files: a paper, or an abstract of one."""
    number = record["corpusid"]
    if not isinstance(number, int):
        raise ValueError("the field 'corpusid' is no number")
    if "title" not in record:
        text = record.get("abstract")
        if abstracts is None or not isinstance(text, str):
            raise NoPaperError
        abstracts.put(number, text)
        raise NoPaperError
    held = record.get("externalids")
    given = record.get("abstract")
    row = {
        "paperId": f"CorpusID:{number}",
        "title": record.get("title"),
        "abstract": given or (abstracts.get(number) if abstracts is not None else ""),
        "authors": record.get("authors"),
        "venue": record.get("venue"),
        "journal": record.get("journal"),
        "year": record.get("year"),
        "publicationDate": record.get("publicationdate"),
        "externalIds": held if isinstance(held, dict) else {},
    }
    found = semantic_scholar.paper_of(row)
    if found is None:
        raise ValueError("a paper without a title")
    return found


def acl(record: dict[str, Any]) -> Paper:
    """An ACL Anthology record. `ingest_date`, perhaps years later, is no date of the paper."""
    return Paper.make(
        id=_text(record, "id"),
        title=_text(record, "title"),
        body=paragraphs(_text(record, "abstract")),
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
        body=paragraphs(_text(record, "summary")),
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
        body=[plain(p) for p in paragraphs(_text(record, "abstract"))],
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


def paragraphs(text: str) -> list[str]:
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
