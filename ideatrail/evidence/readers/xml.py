"""XML files: the ACL Anthology's own, and arXiv's OAI-PMH answers. Read element by element."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any, Final

from lxml import etree

from ideatrail.evidence.latex import plain
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.readers.records import arxiv, paragraphs

_MONTH: Final = re.compile(
    r"(january|february|march|april|may|june|july|august|september|october|november|december)",
    re.IGNORECASE,
)
_MONTHS: Final = (
    "january february march april may june july august september october november december".split()
)
_RAW: Final = "{http://arxiv.org/OAI/arXivRaw/}"
_SITE: Final = "https://aclanthology.org/"
Found = Iterator[tuple[int, Paper | str]]


def read_xml(file: IO[bytes]) -> Found:
    """(entry, paper) for each paper, or (entry, why) for an entry that holds none. Entries count
    from 1. No entity is resolved, no other file is read."""
    number = 0
    volume: dict[str, str] = {}
    collection = ""
    try:
        for event, element in etree.iterparse(
            file, events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False
        ):
            if event == "start":
                if element.tag == "collection":
                    collection = str(element.get("id") or "")
                elif element.tag == "volume":
                    volume = {"id": str(element.get("id") or "")}
                continue
            if element.tag == "meta":
                volume |= _meta(element)
                element.clear()
            elif element.tag in ("paper", "frontmatter"):
                if element.tag == "paper":
                    number += 1
                    yield number, _acl(element, collection, volume)
                element.clear()
            elif element.tag == f"{_RAW}arXivRaw":
                number += 1
                yield number, _raw(element)
                element.clear()
    except etree.XMLSyntaxError as error:
        yield number + 1, f"the file is damaged from here on ({error})"


def _meta(element: Any) -> dict[str, str]:
    return {
        "venue": _flat(element.find("booktitle")),
        "year": (element.findtext("year") or "").strip(),
        "month": (element.findtext("month") or "").strip(),
    }


def _acl(element: Any, collection: str, volume: dict[str, str]) -> Paper | str:
    """A paper of a volume. `ingest-date` is no date of the paper."""
    title, abstract = _flat(element.find("title")), _flat(element.find("abstract"))
    if element.find("retracted") is not None:
        return "retracted"
    if not title:
        return "a paper without a title"
    identifier = (element.findtext("url") or "").strip().removeprefix(_SITE).strip("/")
    if not identifier or "://" in identifier:
        old = len(collection) == 3  # P17: the volume's digits and the paper's stand in one number
        width = 3 if collection[:1] == "W" else 4
        number = str(element.get("id") or "")
        volume_id = volume.get("id", "")
        identifier = (
            f"{collection}-{volume_id}{number.zfill(width - len(volume_id) + (width == 3))}"
            if old
            else f"{collection}-{volume_id}.{number}"
        )
    names = [
        " ".join(part for key in ("first", "last") if (part := (who.findtext(key) or "").strip()))
        for who in element.findall("author")
    ]
    return Paper.make(
        id=identifier,
        title=title,
        body=paragraphs(abstract),
        authors=[n for n in names if n],
        venue=volume.get("venue", ""),
        date=_date(
            (element.findtext("year") or "").strip() or volume.get("year", ""),
            (element.findtext("month") or "").strip() or volume.get("month", ""),
        ),
        url=f"{_SITE}{identifier}/",
        doi=(element.findtext("doi") or "").strip() or None,
        kind="abstract",
    )


def _date(year: str, month: str) -> str:
    """`July-August` is over when its last month is."""
    named = _MONTH.findall(month)
    if not year.isdigit():
        return ""
    if not named:
        return f"{year}-{int(month):02}" if month.isdigit() and 1 <= int(month) <= 12 else year
    return f"{year}-{_MONTHS.index(named[-1].casefold()) + 1:02}"


def _flat(element: Any) -> str:
    """Text without markup; TeX stays as `$…$`."""
    if element is None:
        return ""
    out: list[str] = [element.text or ""]
    for child in element:
        inner = "".join(child.itertext()) if isinstance(child.tag, str) else ""
        out.append(f"${inner}$" if child.tag == "tex-math" else inner)
        out.append(child.tail or "")
    return " ".join("".join(out).split())


def _raw(element: Any) -> Paper | str:
    record = {
        "id": _child(element, "id"),
        "title": _child(element, "title"),
        "abstract": _child(element, "abstract"),
        "authors": _child(element, "authors"),
        "versions": [
            {"version": str(v.get("version")), "created": (v.findtext(f"{_RAW}date") or "").strip()}
            for v in element.findall(f"{_RAW}version")
        ],
    }
    try:
        return arxiv(record)
    except (ValueError, KeyError) as error:
        return str(error)


def _child(element: Any, name: str) -> str:
    return plain((element.findtext(f"{_RAW}{name}") or "").strip())
