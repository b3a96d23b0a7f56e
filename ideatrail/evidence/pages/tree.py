"""HTML to a tree of bounded size and depth."""

from __future__ import annotations

import re
from typing import Final, cast

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from ideatrail.evidence.source import EvidenceError

MAX_TAGS: Final = 800_000
"""Opening and closing ones. A long paper has 200,000, nearly all of them in formulas."""
MAX_ELEMENTS: Final = 120_000
"""That are left once formulas are text and hidden parts are gone."""
MAX_BYTES: Final = 16 * 2**20
DEPTH: Final = 150
"""Levels that are kept as such; what is nested deeper is text of the level above."""

_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ue000-\ue002\ufffe\uffff]")
"""What a tree takes from a page (as `&#8;`), and does not take back; and our own marks."""


def parse(text: str) -> tuple[HtmlElement, list[str]]:
    """The tree of a page, and notes.

    Raises EvidenceError (`refused`) for what is too large or no markup at all.
    """
    text = _NOT_XML.sub("", text)
    size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    if size > MAX_BYTES or text.count("<") > MAX_TAGS:
        raise EvidenceError("refused", detail=f"a page of {size} bytes, {text.count('<')} tags")
    # With `huge_tree` the parser goes down 2,048 levels, else 256.
    parser = HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        root = document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError, IndexError, TypeError) as error:
        raise EvidenceError("refused", detail=f"no HTML: {error}") from error
    if "&#" in text:
        _storable(root)
    cut = any("Excessive depth" in entry.message for entry in parser.error_log)
    return root, ["nested too deeply: what follows is left out"] if cut else []


def _storable(root: HtmlElement) -> None:
    """Takes characters out that make the tree refuse its own text."""
    for element in root.iter():
        if element.text and isinstance(element.tag, str) and _NOT_XML.search(element.text):
            element.text = _NOT_XML.sub("", element.text)
        if element.tail and _NOT_XML.search(element.tail):
            element.tail = _NOT_XML.sub("", element.tail)


def flatten(root: HtmlElement) -> None:
    """Turns what lies deeper than DEPTH into text of the element above it.

    Raises EvidenceError (`refused`) for more elements than a paper has.
    """
    count = sum(1 for _ in root.iter())
    if count > MAX_ELEMENTS:
        raise EvidenceError("refused", detail=f"a page of {count} elements")
    level: list[HtmlElement] = [root]
    for _ in range(DEPTH):
        level = [child for element in level for child in element if isinstance(child.tag, str)]
        if not level:
            return
    for element in level:
        text = " ".join(cast("str", piece) for piece in element.itertext())
        tail = element.tail
        element.clear()
        element.text, element.tail = text, tail
