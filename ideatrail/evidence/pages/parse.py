"""Reads a page where it stands: no caps on time and memory but those of the process around it."""

from __future__ import annotations

from typing import Any

from ideatrail.evidence.pages.hypertext import read_html
from ideatrail.evidence.pages.page import PageText
from ideatrail.evidence.pages.pdf import read_pdf
from ideatrail.evidence.pages.plain import read_text
from ideatrail.evidence.pages.sniff import sniff
from ideatrail.evidence.source import EvidenceError


def parse_page(body: bytes, content_type: str | None, url: str) -> dict[str, Any]:
    """`{"page": row}`, or `{"ending": …, "detail": …}`: what crosses between processes."""
    try:
        return {"page": read(body, content_type, url).row()}
    except EvidenceError as error:
        return {"ending": error.ending, "detail": error.detail}
    except (MemoryError, RecursionError) as error:
        return {"ending": "refused", "detail": f"{type(error).__name__} while reading {url}"}


def read(body: bytes, content_type: str | None, url: str) -> PageText:
    """The page. Raises EvidenceError."""
    form = sniff(body, content_type, url)
    if form == "pdf":
        return read_pdf(body, url)
    if form == "html":
        return read_html(body, content_type, url)
    return read_text(body, content_type, url, markdown=form == "markdown")
