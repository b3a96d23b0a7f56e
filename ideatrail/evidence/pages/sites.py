"""Sites whose pages need rules of their own, because what stands beside the work is more than it,
changes later, or is marked up as nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from bs4.element import Tag
from lxml.html import HtmlElement

from ideatrail.evidence.pages.blocks import Blocks
from ideatrail.evidence.pages.clean import one_line
from ideatrail.evidence.pages.facts import Facts
from ideatrail.evidence.pages.latexml import latexml
from ideatrail.evidence.pages.piece import Piece
from ideatrail.evidence.urls import locate

Rule = Callable[[BeautifulSoup, Facts, str], Piece | None]

_README: Final = ("article.markdown-body", "#readme .markdown-body", "#readme article", "#readme")
_FIELDS: Final = ("abstract", "tl;dr", "tldr", "keywords", "one-sentence summary")


def rule_for(root: HtmlElement, url: str) -> Rule | None:
    """The rule for a page, by its address and by its markup; None for most of the web."""
    parts = urlsplit(url)
    known = locate(url).url
    host = parts.hostname or ""
    if root.find_class("ltx_document") or root.find_class("ltx_page_main"):
        return latexml
    if known.startswith("https://arxiv.org/abs/") and parts.path.startswith("/abs/"):
        return arxiv_abstract
    if known.startswith("https://aclanthology.org/") and root.find_class("acl-abstract"):
        return acl
    if known.startswith("https://aclanthology.org/") and root.xpath("//*[@id='title']"):
        return acl
    if host == "openreview.net" and parts.path == "/forum":
        return openreview
    if host == "github.com" and parts.path.count("/") >= 2:
        return github
    return None


def arxiv_abstract(soup: BeautifulSoup, facts: Facts, url: str) -> Piece | None:
    """arXiv's page of a paper: the abstract alone. Comments, journal, subjects and the history of
    submissions change later; the tabs below are other people's."""
    block = soup.select_one("blockquote.abstract")
    abstract = ""
    if block is not None:
        for mark in block.select(".descriptor"):
            mark.extract()
        abstract = " ".join(Blocks.of(block).lines)
    title = soup.select_one("h1.title")
    if title is not None:
        for mark in title.select(".descriptor"):
            mark.extract()
    return _abstract(
        abstract or facts.abstract,
        title=facts.title if facts.scholarly else _text(title),
        authors=facts.authors or _names(soup.select(".authors a")),
        venue="arXiv",
        links=Blocks.of(block).links if block is not None else [],
    )


def acl(soup: BeautifulSoup, facts: Facts, url: str) -> Piece | None:
    """A paper's page of the ACL Anthology: the abstract."""
    block = soup.select_one(".acl-abstract span") or soup.select_one(".acl-abstract")
    abstract = " ".join(Blocks.of(block).lines) if block is not None else facts.abstract
    abstract = re.sub(r"^#+ Abstract\s+", "", abstract)
    title = soup.select_one("#title")
    return _abstract(
        abstract,
        title=_text(title) or facts.title,
        authors=max(facts.authors, _names(soup.select("#title ~ .lead a, p.lead a")), key=len),
        venue=facts.venue or _venue(soup),
        links=Blocks.of(block).links if block is not None else [],
    )


def _venue(soup: BeautifulSoup) -> str:
    for mark in soup.select("dt"):
        if mark.get_text().strip().startswith("Venue"):
            return _text(mark.find_next_sibling("dd"))
    return ""


def openreview(soup: BeautifulSoup, facts: Facts, url: str) -> Piece | None:
    """A forum of OpenReview: the submission's own fields. Reviews and replies come later."""
    lines: list[str] = []
    # The first one is the submission's; the others are replies to it.
    note = soup.select_one(".forum-note, .note_contents, #note_content, .note-content")
    for mark in note.select(".note-content-field, strong") if note is not None else []:
        label = one_line(mark.get_text())
        name, home = label.rstrip(":").casefold(), mark.parent
        if name in _FIELDS and home is not None:
            mark.extract()
            text = " ".join(Blocks.of(home).lines)
            lines.append(text if name == "abstract" else f"{label} {text}")
    if not lines and facts.abstract:
        lines = [facts.abstract]
    title = soup.select_one(".forum-title h2, .note_content_title, h2.citation_title")
    found = _abstract(
        lines[0] if lines else "",
        title=facts.title if facts.scholarly else _text(title) or facts.title,
        authors=facts.authors or _names(soup.select(".forum-authors a, .signatures a")),
        venue=facts.venue or "OpenReview",
        links=[],
    )
    if found is not None:
        found.lines = lines
    return found


def github(soup: BeautifulSoup, facts: Facts, url: str) -> Piece | None:
    """A repository: its README. Stars, commits and issues are of the day of the capture."""
    readme = next((found for path in _README if (found := soup.select_one(path))), None)
    if readme is None:
        return None
    for mark in readme.select("a.anchor, .octicon, clipboard-copy, .zeroclipboard-container"):
        mark.extract()
    blocks = Blocks.of(readme)
    name = "/".join(urlsplit(url).path.strip("/").split("/")[:2])
    heading = next((line for line in blocks.lines[:3] if line.startswith("#")), name)
    title = heading.lstrip("# ")
    return Piece(blocks.lines, blocks.links, title=title, venue="GitHub", kind="full text")


def _abstract(
    text: str, *, title: str, authors: tuple[str, ...], venue: str, links: list[str]
) -> Piece | None:
    if not text:
        return None
    return Piece([text], links, title=title, authors=authors, venue=venue, kind="abstract")


def _text(element: object) -> str:
    return one_line(element.get_text()) if isinstance(element, Tag) else ""


def _names(elements: list[Tag]) -> tuple[str, ...]:
    return tuple(filter(None, map(_text, elements)))
