"""Papers in the HTML that LaTeXML writes: arXiv's own, and ar5iv's."""

from __future__ import annotations

import re
from typing import Final

from bs4 import BeautifulSoup
from bs4.element import Tag

from ideatrail.evidence.pages.blocks import Blocks
from ideatrail.evidence.pages.clean import one_line
from ideatrail.evidence.pages.facts import Facts
from ideatrail.evidence.pages.piece import Piece

_ASIDE: Final = (
    "nav, header.arxiv-html-header, .ltx_TOC, .ltx_page_navbar, .ltx_page_header, .ltx_page_footer,"
    " .ltx_page_logo, .ltx_pagination, .package-alerts, .ltx_tag_item, .ltx_role_newpage,"
    " .ltx_rule, .ltx_note_mark, .ltx_tag_note, .ltx_note_type, .ltx_bib_cited, .ltx_dates,"
    " .ar5iv-footer, #footer, .arxiv-watermark, #watermark-tr, .html-header-nav"
)
_AS_TABLES: Final = {"ltx_tabular": "table", "ltx_tr": "tr", "ltx_td": "td", "ltx_th": "th"}
_MARKS: Final = re.compile(r"[\d*†‡§¶,\s]+$")


def latexml(soup: BeautifulSoup, facts: Facts, url: str) -> Piece | None:
    """The whole paper: sections, equations, tables, notes, references."""
    root = soup.select_one("article.ltx_document, .ltx_document, .ltx_page_content")
    if root is None:
        return None
    for mark in root.select(_ASIDE):
        mark.extract()
    heading = root.select_one(".ltx_title_document")
    title = one_line(heading.get_text(" ")) if heading is not None else ""
    authors = facts.authors or _authors(root)
    for mark in root.select(".ltx_title_document, .ltx_authors"):
        mark.extract()
    _notes(soup, root)
    _equations(soup, root)
    # Tables inside of text and figures are made of spans.
    for name, tag in _AS_TABLES.items():
        for element in root.select(f"span.{name}, div.{name}"):
            element.name = tag
    for element in root.select(".ltx_bibitem"):
        element.name = "p"
    for element in root.select(".ltx_tag"):
        element.insert_after(" ")
    for element in root.select(".ltx_listingline, .ltx_theorem > .ltx_title"):
        element.name = "p"
    blocks = Blocks.of(root)
    notes = [f"invisible characters left out ({blocks.unseen})"] if blocks.unseen else []
    return Piece(
        blocks.lines,
        blocks.links,
        title=facts.title if facts.scholarly else title or facts.title,
        authors=authors,
        venue=facts.venue,
        kind="full text",
        notes=notes,
    )


def _authors(root: Tag) -> tuple[str, ...]:
    """Names as they stand under the title; marks of affiliations are left out. Empty where names
    cannot be told from addresses."""
    names: list[str] = []
    for person in root.select(".ltx_personname"):
        for mark in person.select("sup, .ltx_note, .ltx_Math, .ltx_contact"):
            mark.extract()
        text = person.get_text("\n").strip().partition("\n")[0]
        for name in re.split(r",|&|;|\band\b", text):
            name = _MARKS.sub("", one_line(re.sub(r"\$[^$]*\$", "", name)))
            if name and len(name.split()) <= 5 and "@" not in name:
                names.append(name)
    return tuple(names)


def _notes(soup: BeautifulSoup, root: Tag) -> None:
    """Footnotes stand in the middle of sentences: each becomes a paragraph after its own."""
    for note in root.select(".ltx_note, .ltx_note_outer"):
        if note.parent is None:
            continue  # inside of one that has been taken out
        text = one_line(note.get_text(" "))
        home = note.find_parent(["p", "li", "figure", "table", "section"])
        note.extract()
        if text and isinstance(home, Tag):
            made = soup.new_tag("p")
            made.string = f"[note] {text}"
            home.insert_after(made)


def _equations(soup: BeautifulSoup, root: Tag) -> None:
    """Displayed equations are tables of one row each, with the number in a cell."""
    for table in root.select("table.ltx_equation, table.ltx_equationgroup, table.ltx_eqn_table"):
        if table.parent is None:
            continue
        for row in table.select("tr"):
            made = soup.new_tag("p")
            made.string = one_line(row.get_text(" ")).replace("$ $", " ")
            table.insert_before(made)
        table.extract()
