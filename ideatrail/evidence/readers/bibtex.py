"""BibTeX files, parsed by bibtexparser: a broken entry is told, and reading goes on behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Final

from bibtexparser.entrypoint import parse_string
from bibtexparser.model import DuplicateBlockKeyBlock, Entry

from ideatrail.evidence.latex import plain
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.urls import arxiv_url, doi_url

_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)


def read_bibtex(file: IO[bytes]) -> Iterator[tuple[int, Paper | str]]:
    """(line, paper) for each entry, or (line, why) for one that holds none. An entry without an
    abstract is a paper with its title alone."""
    library = parse_string(file.read().decode("utf-8", "replace"))
    for block in library.blocks:
        line = (block.start_line or 0) + 1
        if isinstance(block, DuplicateBlockKeyBlock):
            entry = block.ignore_error_block
            yield line, _paper(entry) if isinstance(entry, Entry) else "a key that was there before"
        elif isinstance(block, Entry):
            yield line, _paper(block)
        elif block in library.failed_blocks:
            yield line, "a broken entry"


def _paper(entry: Entry) -> Paper | str:
    fields = {field.key.casefold(): str(field.value) for field in entry.fields}

    def text(name: str) -> str:
        return " ".join(plain(fields.get(name, "").strip('{}"')).split())

    title = text("title")
    if not title:
        return "an entry without a title"
    doi, url = text("doi"), text("url")
    arxiv = text("eprint") if text("archiveprefix").casefold() in ("arxiv", "") else ""
    address = url or (doi_url(doi) if doi else arxiv_url(arxiv) if arxiv else "")
    if not address:
        return "an entry without an address, a DOI or an arXiv id"
    aliases = [arxiv_url(arxiv)] if arxiv else []
    abstract = text("abstract")
    return Paper.make(
        id=entry.key,
        title=title,
        body=[abstract] if abstract else [],
        authors=_names(fields.get("author", "")),
        venue=text("booktitle") or text("journal"),
        date=text("date") or _date(text("year"), text("month")),
        url=address,
        doi=doi or None,
        kind="abstract",
        aliases=aliases,
    )


def _names(text: str) -> list[str]:
    names = []
    for name in " ".join(text.strip('{}"').split()).split(" and "):
        family, comma, given = plain(name).partition(",")
        whole = f"{given} {family}" if comma else family
        if whole.strip() and whole.strip() != "others":
            names.append(" ".join(whole.split()))
    return names


def _date(year: str, month: str) -> str:
    head = month.casefold()[:3]
    if not year or not month:
        return year
    number = _MONTHS.index(head) + 1 if head in _MONTHS else int(month) if month.isdigit() else 0
    return f"{year}-{number:02}" if 1 <= number <= 12 else year
