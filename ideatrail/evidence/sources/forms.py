"""Under which addresses the text of one work stood on the web, the fullest first.

A canonical address names a work; its text lies beside it, and some hosts have moved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from ideatrail.evidence.urls import locate

ARXIV: Final = ("html", "pdf", "abs")
"""arXiv's pages of a paper. HTML keeps sections, tables and maths; a PDF has all the text; the
abstract is better than nothing."""

ACL: Final = (
    "https://aclanthology.org/{id}.pdf",
    "https://www.aclweb.org/anthology/{id}.pdf",
    "https://aclanthology.org/{id}",
    "https://www.aclweb.org/anthology/{id}",
)
"""The ACL Anthology's: the PDF, then the page with the abstract, where they are now and where they
were until 2021."""

OPENREVIEW: Final = ("https://openreview.net/pdf?id={id}", "https://openreview.net/forum?id={id}")

_ARXIV_ABS: Final = "https://arxiv.org/abs/"
_ACL_PAGE: Final = re.compile(r"https://aclanthology\.org/([^/?]*\d[^/?]*)")
_FORUM: Final = "https://openreview.net/forum?id="


@dataclass(frozen=True, slots=True)
class Form:
    """One place where a work's text may stand."""

    url: str
    prefix: bool = False
    """Whether the addresses that begin so are meant, versions of the work among them."""


def forms(address: str) -> tuple[Form, ...]:
    """Where to look for the text behind an address, best first; empty for what is no address of
    the web."""
    url = locate(address).url
    if url.startswith(_ARXIV_ABS):
        name = url.removeprefix(_ARXIV_ABS)
        return tuple(Form(f"https://arxiv.org/{page}/{name}", prefix=True) for page in ARXIV)
    if (match := _ACL_PAGE.fullmatch(url)) and not urlsplit(url).path.startswith("/volumes"):
        return tuple(Form(place.format(id=match[1])) for place in ACL)
    if url.startswith(_FORUM):
        return tuple(Form(place.format(id=url.removeprefix(_FORUM))) for place in OPENREVIEW)
    parts = urlsplit(url)
    return (Form(url),) if parts.scheme in ("http", "https") and parts.hostname else ()
