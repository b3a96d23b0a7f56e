"""Tool texts read back into values: search hits, pages, numbered lines (contract, "The record").

Everything here is a pure function of one tool text and is cached by it, so that a request which
repeats the whole history costs little more than its newest messages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_NUMBERED: Final = re.compile(r"^(\d+)\. (.*\S)\s*$")
_URL: Final = re.compile(r"^https?://\S+$")
_HEADER: Final = re.compile(r"^(Title|Authors|Venue|Date|URL|Saved as|Note|Kind): ?(.*)$")
_YEAR: Final = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_VIEWED: Final = re.compile(r"^\s*(\d+)\t(.*)$")
_OWN_WORDS: Final = re.compile(
    r"not the authors'? own|summary (?:is )?(?:written|made|prepared) by|own words", re.IGNORECASE
)
_PARTICLES: Final = frozenset(
    ["de", "van", "von", "der", "den", "di", "da", "del", "la", "le", "el", "al", "bin", "ter"]
)


@dataclass(frozen=True)
class Hit:
    """One search result as it stood in the list."""

    title: str
    authors: tuple[str, ...]
    venue: str
    date: str
    url: str
    snippet: str
    rank: int
    """Position in its list, from 1."""

    @property
    def year(self) -> str:
        """Year of the date, or `n.d.`."""
        return year_of(self.date)


@dataclass(frozen=True)
class Page:
    """A scraped page: its header and what was shown of its text."""

    title: str
    authors: tuple[str, ...]
    venue: str
    date: str
    url: str
    path: str
    lines: tuple[str, ...]
    """Paragraphs shown, in order, the header and notes of the tools left out."""
    summary: bool
    """True where the page says that its text is not the authors' own."""
    more: bool
    """True where the tool said that the saved file holds more than was shown."""
    more_from: int
    """First line of the saved file that was not shown whole, from 1; 0 where unknown."""

    @property
    def year(self) -> str:
        """Year of the date, or `n.d.`."""
        return year_of(self.date)

    @property
    def first_author(self) -> str:
        """The first author as the page gives the name."""
        return self.authors[0] if self.authors else "Unknown"

    @property
    def short(self) -> str:
        """`Family et al.`, `Family and Family` or `Family`, as papers cite."""
        return short_names(self.authors)

    @property
    def cite(self) -> str:
        """`Family et al. (year)`."""
        return f"{self.short} ({self.year})"


def year_of(date: str) -> str:
    """The first year that stands in `date`, or `n.d.`."""
    match = _YEAR.search(date)
    return match.group(1) if match else "n.d."


def family(name: str) -> str:
    """The family name of a full name, with its particles."""
    parts = name.split()
    if len(parts) < 2:
        return name
    start = len(parts) - 1
    if parts[start].rstrip(".").lower() in ("jr", "ii", "iii") and start > 1:
        start -= 1
    while start > 1 and parts[start - 1].lower() in _PARTICLES:
        start -= 1
    return " ".join(parts[start:])


def short_names(authors: tuple[str, ...]) -> str:
    """How a paper by `authors` is called in running text."""
    if not authors:
        return "the authors"
    if len(authors) == 1:
        return family(authors[0])
    if len(authors) == 2:
        return f"{family(authors[0])} and {family(authors[1])}"
    return f"{family(authors[0])} et al."


def split_authors(text: str) -> tuple[str, ...]:
    """Names of an author line, `, ` or `; ` between them, `et al.` dropped."""
    text = re.sub(r",? *(?:et al\.?|and \d+ others?|\.\.\.|…)\s*$", "", text.strip())
    pieces = re.split(r"\s*;\s*" if ";" in text else r"\s*,\s*(?:and )?", text)
    return tuple(p for p in pieces if p)


@lru_cache(maxsize=4096)
def parse_hits(text: str) -> tuple[Hit, ...]:
    """The hits of a WebSearch text; none where it says that nothing was found."""
    hits: list[Hit] = []
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        match = _NUMBERED.match(lines[index])
        if not match or lines[index][:1].isspace():
            index += 1
            continue
        block: list[str] = []
        index += 1
        while index < len(lines) and (lines[index][:1].isspace() or not lines[index].strip()):
            if lines[index].strip():
                block.append(lines[index].strip())
            index += 1
        url_at = next((i for i, line in enumerate(block) if _URL.match(line)), None)
        if url_at is None:
            continue
        about = " ".join(block[:url_at]).split(" | ")
        about += [""] * (3 - len(about))
        hits.append(
            Hit(
                title=match.group(2),
                authors=split_authors(about[0]),
                venue=" | ".join(about[1:-1]),
                date=about[-1].strip(),
                url=block[url_at],
                snippet=" ".join(block[url_at + 1 :]),
                rank=int(match.group(1)),
            )
        )
    return tuple(hits)


@lru_cache(maxsize=4096)
def parse_page(text: str) -> Page | None:
    """The page of a Scraper text, or None where it is a refusal or holds no URL."""
    if text.startswith("Error:"):
        return None
    lines = text.split("\n")
    head: dict[str, str] = {}
    body_at = 0
    for number, line in enumerate(lines):
        match = _HEADER.match(line)
        if match and match.group(1) not in head:
            head[match.group(1)] = match.group(2).strip()
            body_at = number + 1
        elif head:
            break
    if "URL" not in head:
        return None
    path = head.get("Saved as", "").split(" ")[0]
    shown: list[str] = []
    more, more_from = False, 0
    for line in lines[body_at:]:
        stripped = line.strip()
        if not stripped:
            continue
        if _is_note(stripped, path):
            offset = re.search(r"(?:offset|line)\D{0,3}(\d+)", stripped)
            more = more or "View" in stripped
            more_from = int(offset.group(1)) if offset else more_from
            continue
        shown.append(stripped)
    summary = bool(shown) and bool(_OWN_WORDS.search(shown[0])) and len(shown[0]) < 300
    if summary:
        shown = shown[1:]
    if more and shown:
        # The head is cut at a word: its last line may lack its end, and is read with View.
        shown[-1] = shown[-1].removesuffix("…").removesuffix("...").rstrip()
    return Page(
        title=head.get("Title", ""),
        authors=split_authors(head.get("Authors", "")),
        venue=head.get("Venue", ""),
        date=head.get("Date", ""),
        url=head["URL"],
        path=path,
        lines=tuple(shown),
        summary=summary,
        more=more,
        more_from=more_from,
    )


def _is_note(line: str, path: str) -> bool:
    """A line of the tool and not of the page."""
    if path and path in line:
        return True
    return line.startswith(("(The text goes on", "(This page was saved"))


@lru_cache(maxsize=4096)
def parse_view(text: str) -> tuple[tuple[int, str], ...]:
    """The (number, line) pairs of a View text."""
    found = []
    for line in text.split("\n"):
        match = _VIEWED.match(line)
        if match:
            found.append((int(match.group(1)), match.group(2)))
    return tuple(found)


@lru_cache(maxsize=4096)
def parse_grep(text: str) -> tuple[tuple[str, int, str], ...]:
    """The (file, line number, line) triples of a Grep text in content mode."""
    found = []
    for line in text.split("\n"):
        match = re.match(r"^(\S+?):(\d+):(.*)$", line)
        if match:
            found.append((match.group(1), int(match.group(2)), match.group(3)))
    return tuple(found)


def is_refusal(text: str) -> bool:
    """Whether a tool text says that the call was not carried out."""
    return text.startswith("Error:")
