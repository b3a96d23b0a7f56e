"""Parts of a page that are no part of the work, and change after it: what the site thinks goes
with it, who cites it, what visitors say, what it wants from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lxml.html import HtmlElement

_NAMES: Final = re.compile(
    r"(?:related|similar|recommend(?:ed|ation)?s?|suggested|trending|popular|latest|more)[-_ ]?"
    r"(?:papers?|articles?|posts?|contents?|reads?|readings?|items?|links|publications?|documents?"
    r"|stories|products|news|resources|preprints?|sidebar|widget|list|box|block|section)s?\b"
    r"|\brelated\b$|cited[-_ ]?by|citing[-_ ]|citedby|citation-?(?:count|metrics|tools)"
    r"|you[-_ ]?(?:may|might)|also[-_ ]?(?:like|read|viewed)|altmetric|article-metrics"
    r"|\bsocial|share[-_](?:bar|buttons?|links?|this|tools)|sharedaddy|addthis|\bcomments?\b"
    r"|disqus|cookies?\b|consent|gdpr|newsletter|subscribe|breadcrumb|\bsidebar|paywall|\bads?\b"
    r"|advert|sponsor|promo\b|site-?(?:header|footer|nav)|global-?(?:header|footer|nav)|skip-?link"
    r"|\bextra-services\b|\blabstabs\b|reference-?tools|download-?(?:links|buttons)",
    re.IGNORECASE,
)
_OWN: Final = re.compile(r"related[-_ ]?works?\b|ltx_", re.IGNORECASE)
"""Parts of a paper are called so too."""
_HEADING: Final = re.compile(
    r"(?:related (?:papers?|articles?|posts?|content|reading|publications?|stories|documents?)"
    r"|similar (?:papers?|articles?|publications?|content)"
    r"|recommended(?: for you| articles?| papers?| reading| content)?"
    r"|(?:people|readers|others) also .{0,30}|you (?:may|might)(?: also)? .{0,30}"
    r"|(?:articles |papers )?cited by(?: \(?\d+\)?)?|citing (?:articles?|papers?|literature)"
    r"|citations of this .{0,20}|more (?:like this|from .{0,40}|articles?|papers?)"
    r"|trending .{0,30}|latest (?:articles?|news|posts?)|most (?:read|cited).{0,20}"
    r"|share(?: this .{0,20})?|\d+ comments?|comments \(\d+\)|leave a (?:reply|comment)"
    r"|altmetric.{0,20}|bibliographic and citation tools|recommenders and search tools"
    r"|code, data and media associated .{0,30}|subscribe.{0,40}|newsletter.{0,20}"
    r"|about this site)[:.]?",
    re.IGNORECASE,
)
_NAMED_BY_HEADING: Final = frozenset("section h1 h2 h3 h4 h5 h6 p a span li".split())
"""Their ids are made from headings of the text (`#comments`, `#metrics-and-data`)."""
_ENOUGH: Final = 0.5
"""A part with more than this share of the page's text is the page, whatever it is called."""


def drop_related(root: HtmlElement) -> None:
    """Takes such parts out of the tree, by their names."""
    whole = len(root.text_content())
    doomed = []
    stack = [root]
    while stack:
        for element in stack.pop():
            if not isinstance(element.tag, str):
                continue
            name = element.get("class") or ""
            if element.tag not in _NAMED_BY_HEADING:
                name = f"{name} {element.get('id') or ''}"
            beside = element.tag == "nav" or (
                element.tag not in ("body", "main", "article")
                and _NAMES.search(name)
                and not _OWN.search(name)
            )
            if beside and len(element.text_content()) <= whole * _ENOUGH:
                doomed.append(element)
            else:
                stack.append(element)
    for element in doomed:
        element.drop_tree()


def without_related(lines: Sequence[str]) -> list[str]:
    """`lines` without the sections whose headings say that they are such."""
    kept: list[str] = []
    skipping = 0
    for line in lines:
        marks, _, text = line.partition(" ")
        level = len(marks) if marks and not marks.strip("#") else 0
        if level and (not skipping or level <= skipping):
            skipping = level if _HEADING.fullmatch(text) else 0
        if not skipping:
            kept.append(line)
    return kept
