"""HTML pages."""

from __future__ import annotations

from bs4 import BeautifulSoup
from lxml import etree

from ideatrail.evidence.pages.article import article
from ideatrail.evidence.pages.charset import decode
from ideatrail.evidence.pages.facts import Facts, facts, join
from ideatrail.evidence.pages.finish import finish
from ideatrail.evidence.pages.hidden import drop_hidden
from ideatrail.evidence.pages.maths import mathematics_to_text
from ideatrail.evidence.pages.page import PageText
from ideatrail.evidence.pages.piece import Piece
from ideatrail.evidence.pages.sites import rule_for
from ideatrail.evidence.pages.styles import Styles
from ideatrail.evidence.pages.tree import flatten, parse


def read_html(body: bytes, content_type: str | None, url: str) -> PageText:
    """The page's text. Raises EvidenceError (`refused`) where it holds none, or is too large."""
    text, notes = decode(body, content_type, markup=True)
    root, cut = parse(text)
    notes += cut
    stated = facts(root, url)
    base = next((join(url, b.get("href")) for b in root.iter("base") if b.get("href")), "") or url
    styles = Styles(sheet.text or "" for sheet in root.iter("style"))
    hiding = mathematics_to_text(root)
    dropped = drop_hidden(root, styles)
    dropped.places += hiding
    notes += dropped.notes
    flatten(root)
    piece: Piece | None = None
    rule = rule_for(root, url)
    if rule is not None:
        page = etree.tostring(root, encoding="unicode", method="html")
        # A page of a known site may be another kind of page, or of a day before its rule.
        piece = rule(BeautifulSoup(page, "lxml"), stated, url)
    if piece is None:
        piece = article(root, url)
    return _merged(piece, stated, notes, base)


def _merged(piece: Piece, stated: Facts, notes: list[str], base: str) -> PageText:
    piece.title = piece.title or stated.title
    piece.authors = piece.authors or stated.authors
    piece.venue = piece.venue or stated.venue
    piece.date = piece.date or stated.date
    piece.aliases += stated.aliases
    piece.links = [join(base, link) for link in piece.links]
    piece.notes = notes + piece.notes
    return finish(piece, scholarly=stated.scholarly)
