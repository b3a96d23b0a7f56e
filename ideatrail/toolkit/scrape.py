"""Scraper: a page from the evidence world, saved whole and shown by its beginning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol

from ideatrail.toolkit.document import Document
from ideatrail.toolkit.outcome import Outcome, RefusedError
from ideatrail.toolkit.search import Dated
from ideatrail.toolkit.sources import FOLDER, Source, Sources, file_name
from ideatrail.toolkit.wording import byline, cut, field, latest, one_line
from ideatrail.toolkit.workspace import Workspace

HEAD_CHARS: Final = 1_500
"""How much of the text a call shows (contract, "The record")."""

LINE_CHARS: Final = 8_000
"""A longer paragraph is broken between words: View must be able to reach all of it."""

_ADDRESS: Final = re.compile(r"https?://[^\s/][^\s]*", re.IGNORECASE)
_HEADER_LINES: Final = 7
"""Title, Authors, Venue, Date, URL, Saved as, and a blank line."""


class ScrapedPage(Protocol):
    """One page, as the tools read it."""

    @property
    def title(self) -> str: ...
    @property
    def authors(self) -> tuple[str, ...]: ...
    @property
    def venue(self) -> str: ...
    @property
    def date(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def paragraphs(self) -> tuple[str, ...]: ...
    @property
    def published(self) -> Dated: ...


class ScrapeWorld(Protocol):
    """The half of the evidence world that fetches."""

    async def scrape(self, url: str) -> ScrapedPage:
        """The page at `url`; raises EvidenceError where there is none to be had."""
        ...


def check_address(arguments: Mapping[str, Any]) -> str:
    """The address a call asks for. Raises RefusedError where it is none."""
    url = str(arguments["url"]).strip()
    if not _ADDRESS.fullmatch(url) or not url.isprintable():
        raise RefusedError("this is no full address: it must begin with http:// or https://.")
    return url


def save(
    workspace: Workspace, sources: Sources, home: str, call_id: str, url: str, page: ScrapedPage
) -> Outcome:
    """Saves `page`, which `url` led to, under `home`, unless it is saved already.

    Raises OSError where the workspace cannot be written.
    """
    known = sources.of(page.url)
    if known is not None:
        sources.add(known, url)
        return again(workspace, call_id, known)

    folder = f"{home}/{FOLDER}"
    name = file_name(
        page.authors,
        page.date,
        page.title,
        page.url,
        lambda name: workspace.kind(f"{folder}/{name}") != "absent",
    )
    source = Source(f"{folder}/{name}", latest([page.published.latest]))
    text = _whole(page, source.path)
    workspace.write(source.path, text.encode())
    sources.add(source, url, page.url)
    return Outcome(
        call_id,
        "Scraper",
        _head(text, source.path),
        date_latest=source.date_latest,
        source_file=source.path,
        observed=True,
        saved=(source.path, text),
    )


def again(workspace: Workspace, call_id: str, source: Source) -> Outcome:
    """The outcome for a page that stands in the workspace already. Raises RefusedError."""
    document = Document.decode(workspace.read(source.path))
    if document is None:
        raise RefusedError(f"{source.path} is not readable as text any more.")
    return Outcome(
        call_id,
        "Scraper",
        f"{_head(document.text, source.path)}\n(This page was saved before; no new file was made.)",
        date_latest=source.date_latest,
        source_file=source.path,
        observed=True,
    )


def restore(workspace: Workspace, sources: Sources, source: Source, url: str, text: str) -> None:
    """Puts a page back that `save` once saved: `text` is what its outcome held."""
    workspace.write(source.path, text.encode())
    stated = next((line for line in text.splitlines() if line.startswith("URL: ")), "")
    sources.add(source, url, stated.removeprefix("URL: "))


def _whole(page: ScrapedPage, path: str) -> str:
    """The saved file: header, blank line, one paragraph a line."""
    header = [
        f"Title: {field(page.title, 'Untitled')}",
        f"Authors: {byline(page.authors)}",
        f"Venue: {field(page.venue, 'unknown venue')}",
        f"Date: {field(page.date, 'no date')}",
        f"URL: {field(page.url, 'no address')}",
        f"Saved as: {path}",
        "",
    ]
    body = [line for paragraph in page.paragraphs for line in _lines(one_line(paragraph))]
    return "\n".join([*header, *body]) + "\n"


def _lines(paragraph: str) -> Iterator[str]:
    """The paragraph on one line, or on as few as LINE_CHARS allows."""
    while paragraph:
        piece = cut(paragraph, LINE_CHARS)
        yield piece
        paragraph = paragraph[len(piece) :].lstrip()


def _head(text: str, path: str) -> str:
    """What a call shows of a saved file: its header, and the beginning of its text."""
    lines = text.split("\n")
    header, body = lines[:_HEADER_LINES], "\n".join(lines[_HEADER_LINES:]).rstrip("\n")
    shown = cut(body, HEAD_CHARS)
    out = "\n".join([*header, shown])
    if len(shown) < len(body):
        line = _HEADER_LINES + 1 + shown.count("\n")
        # Where the cut fell between two paragraphs, the next one is where to read on.
        line += body[len(shown)] == "\n"
        out += f"\n(The text goes on: View {path} with offset {line}.)"
    return out
