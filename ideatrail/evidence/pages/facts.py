"""What a page states of itself in its head: citation_*, Dublin Core, Open Graph, schema.org."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import orjson
from lxml.html import HtmlElement

from ideatrail.evidence.pages.clean import clean, one_line
from ideatrail.evidence.urls import arxiv_url, canonical, doi_url

_TITLE: Final = ("citation_title", "dc.title", "dcterms.title", "bepress_citation_title")
_AUTHOR: Final = ("citation_author", "dc.creator", "dcterms.creator", "bepress_citation_author")
_VENUE: Final = (
    "citation_conference_title",
    "citation_journal_title",
    "citation_inbook_title",
    "prism.publicationname",
    "dc.source",
)
_DATE: Final = (
    "citation_publication_date",
    "citation_date",
    "citation_online_date",
    "prism.publicationdate",
    "dc.date",
    "dcterms.issued",
    "dc.date.issued",
    "article:published_time",
    "bepress_citation_date",
)
_DOI: Final = ("citation_doi", "prism.doi", "dc.identifier", "dcterms.identifier", "doi")
_ARTICLES: Final = frozenset(
    "ScholarlyArticle Article NewsArticle BlogPosting TechArticle MedicalScholarlyArticle Report"
    " CreativeWork PublicationIssue WebPage".split()
)
_IS_DOI: Final = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+", re.I)
_LONGEST: Final = 400
_MOST_AUTHORS: Final = 3_000


@dataclass(frozen=True, slots=True)
class Facts:
    """All are "" or empty where nothing is stated."""

    title: str
    authors: tuple[str, ...]
    venue: str
    date: str
    abstract: str
    """By a meta tag, which no reader sees: for sites that are known to tell the truth there."""
    aliases: tuple[str, ...]
    scholarly: bool
    """Whether it calls itself a paper."""


def facts(root: HtmlElement, url: str) -> Facts:
    """Reads the head of a page that was fetched from `url`."""
    said: dict[str, list[str]] = {}
    for meta in root.iter("meta"):
        name = (meta.get("name") or meta.get("property") or meta.get("itemprop") or "").casefold()
        value = _value(meta.get("content") or "")
        if name and value:
            said.setdefault(name, []).append(value)
    data = list(_linked_data(root))

    def first(names: Iterable[str]) -> str:
        return next((said[name][0] for name in names if name in said), "")

    authors = next((said[name] for name in _AUTHOR if name in said), [])
    if len(authors) == 1 and ";" in authors[0]:
        authors = authors[0].split(";")
    if not authors:
        authors = [name for item in data for name in _names(item.get("author"))]
    title = first(_TITLE) or _text(data, "headline", "name") or first(("og:title",))
    heading = next(root.iter("title"), None)
    if not title and heading is not None:
        title = _value(heading.text_content())
        # Sites put their own name there, too.
        shown = [_value(one.text_content()) for one in list(root.iter("h1"))[:20]]
        title = next((one for one in shown if len(one) > 7 and one in title), title)
    return Facts(
        title=title,
        authors=tuple(filter(None, map(_natural, authors[:_MOST_AUTHORS]))),
        venue=first(_VENUE) or _text(data, "isPartOf"),
        date=first(_DATE) or _text(data, "datePublished"),
        abstract=_long(root, "citation_abstract", "og:description", "dc.description"),
        aliases=tuple(dict.fromkeys(_aliases(root, url, said, data))),
        scholarly="citation_title" in said
        or any(str(item.get("@type")) == "ScholarlyArticle" for item in data),
    )


def same_site(one: str, other: str) -> bool:
    """Whether two addresses are of one host or of hosts below one name."""
    hosts = [(urlsplit(url).hostname or "").removeprefix("www.") for url in (one, other)]
    if not all(hosts):
        return False
    return hosts[0] == hosts[1] or any(
        a.endswith(f".{b}") and b.count(".") >= 1 for a, b in (hosts, hosts[::-1])
    )


def join(base: str, target: str) -> str:
    """`target` as seen from `base`; "" for what is no address of the web."""
    try:
        whole = urljoin(base, target.strip())
        parts = urlsplit(whole)
    except ValueError:
        return ""
    return whole if parts.scheme in ("http", "https") and parts.hostname else ""


def _aliases(
    root: HtmlElement, url: str, said: dict[str, list[str]], data: list[dict[str, Any]]
) -> Iterator[str]:
    for name in _DOI:
        yield from (doi_url(value) for value in said.get(name, ()) if _IS_DOI.fullmatch(value))
    yield from (arxiv_url(value) for value in said.get("citation_arxiv_id", ())[:1])
    for item in data:
        for key in ("@id", "sameAs", "identifier", "url"):
            values = item.get(key)
            for value in values if isinstance(values, list) else [values]:
                if isinstance(value, dict):
                    value = value.get("value")
                if isinstance(value, str) and _IS_DOI.fullmatch(value.strip()):
                    yield doi_url(value.strip())
    for link in root.iter("link"):
        rel = (link.get("rel") or "").casefold().split()
        target = join(url, link.get("href") or "") if "canonical" in rel else ""
        if target:
            yield canonical(target)
    for value in said.get("og:url", ())[:1]:
        target = join(url, value)
        if target and same_site(target, url):
            yield canonical(target)


def _linked_data(root: HtmlElement) -> Iterator[dict[str, Any]]:
    """Objects of schema.org that describe an article."""
    for script in list(root.iter("script"))[:200]:
        if script.get("type", "").casefold() != "application/ld+json":
            continue
        try:
            found = orjson.loads((script.text or "")[:200_000].strip())
        except orjson.JSONDecodeError:
            continue
        items = found if isinstance(found, list) else [found]
        for item in items[:20]:
            graph = item.get("@graph") if isinstance(item, dict) else None
            for one in [item, *(graph if isinstance(graph, list) else [])][:50]:
                kind = one.get("@type") if isinstance(one, dict) else None
                kinds = kind if isinstance(kind, list) else [kind]
                if any(isinstance(k, str) and k in _ARTICLES for k in kinds):
                    yield one


def _text(data: list[dict[str, Any]], *keys: str) -> str:
    for item in data:
        for key in keys:
            value = item.get(key)
            if isinstance(value, dict):
                value = value.get("name")
            if isinstance(value, str) and value.strip():
                return _value(value)
    return ""


def _names(value: Any) -> Iterator[str]:
    for one in value if isinstance(value, list) else [value]:
        name = one.get("name") if isinstance(one, dict) else one
        if isinstance(name, str) and name.strip():
            yield _value(name)


def _natural(name: str) -> str:
    """`Ada Example` of `Example, Ada`."""
    family, comma, given = one_line(name).partition(",")
    if (
        comma
        and given
        and "," not in given
        and not given.strip().casefold().startswith(("jr", "i"))
    ):
        return f"{given.strip()} {family.strip()}"
    return one_line(name)


def _long(root: HtmlElement, *names: str) -> str:
    for name in names:
        for meta in root.iter("meta"):
            if name in (
                (meta.get("name") or "").casefold(),
                (meta.get("property") or "").casefold(),
            ):
                text = one_line(clean(meta.get("content") or "")[0])[:10_000]
                if text:
                    return text
    return ""


def _value(text: str) -> str:
    return one_line(clean(text[: _LONGEST * 10])[0])[:_LONGEST]
