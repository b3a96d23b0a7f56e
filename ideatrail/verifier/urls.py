"""fake_url: an address scraped or cited that was never observed.

Addresses are compared in canonical form. Links inside texts of pages count as observed: that is how
people read; scrapes that rest on one are counted apart (`metrics.linked_scrapes`).
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from ideatrail.evidence.urls import canonical
from ideatrail.trail.verdict import Code, Pointer
from ideatrail.verifier.case import Case
from ideatrail.verifier.means import Bench, Means, Need, Opinion
from ideatrail.verifier.observation import urls_in
from ideatrail.verifier.view import View

_ARXIV: Final = re.compile(r"\barxiv:\s?(\d{4}\.\d{4,5})(?:v\d+)?", re.IGNORECASE)
_DOI: Final = re.compile(r"(?<![\w/.])(?:doi:\s?)?(10\.\d{4,9}/[^\s\"'<>)\]},;]+[^\s\"'<>)\]},;.])")


class UrlCheck:
    """Addresses that nothing led to."""

    name = "urls"
    codes: frozenset[Code] = frozenset({"fake_url"})
    needs: frozenset[Need] = frozenset()

    def __init__(self, means: Means) -> None:
        pass

    def judge(self, case: Case, view: View) -> Opinion:
        """Scraper's addresses, and those in reasoning and files."""
        bench = Bench(self.name, "fake_url", ("scraped", "cited", "identifier"))
        for index, call in enumerate(case.draft.calls):
            url = call.parsed.get("url") if isinstance(call.parsed, dict) else None
            if call.name == "Scraper" and isinstance(url, str) and not view.observed(url):
                bench.hit("scraped", Pointer("call", index), url)
        for spot in case.spots:
            if spot.kind in ("url", "old", "pattern", "path"):
                continue
            urls = urls_in(spot.text)
            for url in urls:
                if not view.observed(url) and not (_bare(url) and view.observed_host(url)):
                    bench.hit("cited", spot.pointer, url)
            if "10." not in spot.text and "rxiv" not in spot.text.lower():
                continue
            rest = spot.text
            for url in urls:
                rest = rest.replace(url, " ")
            for match in _ARXIV.finditer(rest):
                known = view.observed(f"https://arxiv.org/abs/{match.group(1)}")
                if not known and match.group(1) not in view.shown.tokens:
                    bench.hit("identifier", spot.pointer, match.group())
            for match in _DOI.finditer(rest):
                known = view.observed(canonical(match.group(1)))
                if not known and not view.shown.verbatim(match.group(1)):
                    bench.hit("identifier", spot.pointer, match.group(1))
        return bench.opinion()


def _bare(url: str) -> bool:
    """A host alone names a site, not a work: it is free once anything of that site was seen."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.path in ("", "/") and not parts.query
