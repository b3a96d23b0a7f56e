"""From what a reader found to what the page says: bounded, cleaned, without repeats."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ideatrail.evidence.pages.clean import clean, one_line
from ideatrail.evidence.pages.page import PageText
from ideatrail.evidence.pages.piece import Piece
from ideatrail.evidence.paper import Kind
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.urls import canonical

MAX_CHARS: Final = 2_000_000
"""Of the text in all: a thesis has half of it."""
MAX_LINKS: Final = 1_000
_MAX_TITLE: Final = 400
_MAX_NAMES: Final = 3_000
_SPACES: Final = re.compile(r"\s+")
_LETTERS: Final = re.compile(r"\w")
_ABSTRACT: Final = 6_000
"""Characters up to which a paper's page is taken for an abstract with its surroundings."""


def finish(piece: Piece, *, scholarly: bool) -> PageText:
    """Raises EvidenceError (`refused`) where there is no text at all."""
    notes = list(piece.notes)
    title, authors = _line(piece.title)[:_MAX_TITLE], piece.authors[:_MAX_NAMES]
    lines, cut = _bounded(_without_title(piece.lines, title))
    if cut:
        notes.append(f"cut after {MAX_CHARS:,} characters")
    if not any(map(_LETTERS.search, lines)):
        raise EvidenceError("refused", detail="a page without text")
    links = dict.fromkeys(canonical(link)[:2_000] for link in piece.links)
    return PageText(
        title=title,
        authors=tuple(name for name in (_line(a)[:_MAX_TITLE] for a in authors) if name),
        venue=_line(piece.venue)[:_MAX_TITLE],
        date=_line(piece.date)[:40],
        paragraphs=tuple(lines),
        kind=piece.kind or _kind(lines, scholarly),
        aliases=tuple(dict.fromkeys(filter(None, piece.aliases)))[:50],
        links=tuple(link for link in links if link.startswith("http"))[:MAX_LINKS],
        notes=tuple(dict.fromkeys(notes)),
    )


def _line(text: str) -> str:
    return one_line(clean(text)[0])


def _bounded(lines: Iterable[str]) -> tuple[list[str], bool]:
    kept: list[str] = []
    left = MAX_CHARS
    for line in lines:
        if "\n" in line or "\r" in line or not line.isprintable():
            # Code keeps its spaces; everything else is a line break in disguise.
            line = "".join(c if c.isprintable() or c == " " else " " for c in line).rstrip()
        if len(line) > left:
            kept.append(line[:left].rstrip())
            return [one for one in kept if one], True
        left -= len(line)
        if line:
            kept.append(line)
    return kept, False


def _without_title(lines: list[str], title: str) -> list[str]:
    """The title is told apart from the text."""
    plain = title.casefold()
    for number, line in enumerate(lines[:5]):
        text = line.lstrip("# ").casefold()
        if line.startswith("#") and text and (text == plain or plain.startswith(f"{text} |")):
            return lines[:number] + lines[number + 1 :]
    return lines


def _kind(lines: list[str], scholarly: bool) -> Kind:
    if scholarly and sum(map(len, lines)) < _ABSTRACT:
        sections = sum(line.startswith("#") for line in lines)
        return "full text" if sections > 5 else "abstract"
    return "full text"
