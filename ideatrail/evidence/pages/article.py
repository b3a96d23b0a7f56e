"""The main text of a page of no site in particular."""

from __future__ import annotations

from copy import deepcopy
from typing import Final

from bs4 import BeautifulSoup
from lxml import etree
from lxml.html import HtmlElement
from trafilatura import extract

from ideatrail.evidence.pages.blocks import BREAK, Blocks
from ideatrail.evidence.pages.piece import Piece
from ideatrail.evidence.pages.related import drop_related, without_related

_ENOUGH: Final = 0.9
"""Of the text in the element that the page itself calls its main one, the extractor must find this
share; else the element is taken whole."""
_SHORT: Final = 200


def article(root: HtmlElement, url: str) -> Piece:
    """The main text. `root` is changed."""
    drop_related(root)
    _mark(root)
    main = _main(root)
    found = extract(
        deepcopy(root),
        url=url,
        include_comments=False,
        include_tables=True,
        include_links=True,
        include_formatting=True,
        favor_recall=True,
        output_format="html",
        with_metadata=False,
    )
    blocks = Blocks.of(BeautifulSoup(found or "", "lxml"))
    if main is not None:
        own = Blocks.of(BeautifulSoup(_html(main), "lxml"))
        if _size(blocks) < _ENOUGH * _size(own):
            blocks = own
    elif _size(blocks) < _SHORT:
        body = root.find("body")
        blocks = Blocks.of(BeautifulSoup(_html(root if body is None else body), "lxml"))
    notes = [f"invisible characters left out ({blocks.unseen})"] if blocks.unseen else []
    return Piece(without_related(blocks.lines), blocks.links, notes=notes)


def _mark(root: HtmlElement) -> None:
    """Makes plain what the extractor would lose: paragraphs parted by line breaks, captions of
    tables, sections whose ids (`related-work`) look like those of other parts of a site."""
    for element in list(root.iter("br")):
        following = element.getnext()
        if following is not None and following.tag == "br" and not (element.tail or "").strip():
            following.tail = BREAK + (following.tail or "")
    for caption in list(root.iter("caption")):
        table = caption.getparent()
        if table is not None and table.tag == "table" and table.getparent() is not None:
            caption.drop_tree()
            caption.tag, caption.tail = "p", None
            table.addprevious(caption)
    for element in root.iter("section", "h1", "h2", "h3", "h4", "h5", "h6"):
        element.attrib.pop("id", None)


def _main(root: HtmlElement) -> HtmlElement | None:
    """The element that the page itself calls its main one, if it has just one such."""
    for path in (
        "//*[@itemprop='articleBody']",
        "//article[not(ancestor::article)]",
        "//main",
        "//*[@role='main']",
    ):
        found = [one for one in root.xpath(path) if len(one.text_content()) > _SHORT]
        if len(found) == 1:
            return found[0]
    return None


def _html(element: HtmlElement) -> str:
    return str(etree.tostring(element, encoding="unicode", method="html", with_tail=False))


def _size(blocks: Blocks) -> int:
    return sum(map(len, blocks.lines))
