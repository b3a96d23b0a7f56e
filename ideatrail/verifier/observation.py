"""Tool texts read back: search results, pages, shown lines (contract, "The record").

Reading never raises: a text of another form simply yields less.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_ITEM: Final = re.compile(r"^(\d+)\. (.*\S)\s*$")
_YEAR: Final = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_HEADER: Final = re.compile(r"^(Title|Authors|Venue|Date|URL|Saved as): ?(.*)$")
_SHOWN: Final = re.compile(r"^ *(\d+)\t(.*)$")
_FOUND: Final = re.compile(r"^(research_topics/[^:\n]+):(\d+):(.*)$")
URL: Final = re.compile(r"https?://[^\s<>\"'`\])}|]+[^\s<>\"'`\])}|.,;:!?]")
_BARE_URL: Final = re.compile(
    r"(?<![\w/@.:-])(?:[a-z0-9-]+\.)+(?:org|com|io|net|edu|gov|ai|dev|co|app|info|eu|uk|de|fr|cn|jp)"
    r"/[^\s<>\"'`\])}|]*[^\s<>\"'`\])}|.,;:!?]",
    re.IGNORECASE,
)
SUMMARY: Final = re.compile(r"\b(?:ideatrail|not the authors' own words)\b", re.IGNORECASE)
"""Marks a page whose text is our own summary: it says so in its first paragraph."""


@dataclass(frozen=True)
class Listing:
    """What a search result or a page's head says of a paper."""

    title: str
    authors: tuple[str, ...]
    venue: str
    date: str
    url: str
    text: str = ""
    """The snippet, or the page's text without its head."""
    saved_as: str = ""

    @property
    def year(self) -> str:
        """The year of `date`, or an empty string."""
        match = _YEAR.search(self.date)
        return match.group() if match else ""


def split_authors(text: str) -> tuple[str, ...]:
    """Names of an author line, separated by commas, semicolons or `and`."""
    text = re.sub(r",?\s+et al\.?$", "", text.strip())
    separator = r";\s*" if ";" in text else r",\s*|\s+and\s+|\s+&\s+"
    return tuple(name.strip() for name in re.split(separator, text) if name.strip())


def read_search(text: str) -> list[Listing]:
    """The listings of a WebSearch result, in order."""
    found: list[Listing] = []
    title = ""
    lines: list[str] = []

    def close() -> None:
        if not title:
            return
        facts, url, rest = "", "", []
        for line in lines:
            if not url and line.startswith(("http://", "https://")):
                url = line
            elif not facts and not url and " | " in f" {line} ":
                facts = line
            else:
                rest.append(line)
        # An author may lack, or a venue: the form keeps both bars.
        parts = [p.strip() for p in facts.split("|")] if facts else ["", "", ""]
        authors, venue, date = parts[0], " | ".join(parts[1:-1]), parts[-1]
        found.append(Listing(title, split_authors(authors), venue, date, url, "\n".join(rest)))

    for line in text.splitlines():
        match = _ITEM.match(line)
        if match:
            close()
            title, lines = match.group(2), []
        elif title and line.startswith((" ", "\t")) and line.strip():
            lines.append(line.strip())
    close()
    return found


def read_page(text: str) -> Listing | None:
    """A Scraper result or a saved page: head and text. None where there is no head."""
    lines = text.split("\n")
    head: dict[str, str] = {}
    for number, line in enumerate(lines):
        match = _HEADER.match(line)
        if match:
            head.setdefault(match.group(1), match.group(2).strip())
        elif line.strip() or head:
            rest = "\n".join(lines[number:]).strip()
            break
    else:
        rest = ""
    if "Title" not in head and "URL" not in head:
        return None
    return Listing(
        head.get("Title", ""),
        split_authors(head.get("Authors", "")),
        head.get("Venue", ""),
        head.get("Date", ""),
        head.get("URL", ""),
        rest,
        head.get("Saved as", ""),
    )


@dataclass(frozen=True)
class Shown:
    """Lines of a file that View showed."""

    text: str
    first: int
    last: int
    """Line numbers from 1; 0 where nothing was shown."""
    more: bool
    """Whether the result ended with a word on how to read on."""


def read_view(text: str) -> Shown:
    """The lines in a View result."""
    lines = text.split("\n")
    kept: list[str] = []
    first = last = 0
    for line in lines:
        match = _SHOWN.match(line)
        if match:
            last = int(match.group(1))
            first = first or last
            kept.append(match.group(2))
    tail = next((line for line in reversed(lines) if line.strip()), "")
    return Shown("\n".join(kept), first, last, not _SHOWN.match(tail))


def read_grep(text: str) -> list[tuple[str, int, str]]:
    """(file, line number, line) of each hit that shows its line."""
    found = []
    for line in text.split("\n"):
        match = _FOUND.match(line)
        if match:
            found.append((match.group(1), int(match.group(2)), match.group(3)))
    return found


def urls_in(text: str) -> list[str]:
    """Addresses that stand in running text, in order; markdown's closing marks are no part. Those
    that are written without a scheme (`arxiv.org/abs/…`) are given one."""
    found = [(m.start(), m.group()) for m in URL.finditer(text)]
    if "/" in text:
        found += [(m.start(), f"https://{m.group()}") for m in _BARE_URL.finditer(text)]
    return [url for _, url in sorted(found)]
