"""The pages that Scraper saved: which file holds which page, and what it is called."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

FOLDER: Final = "sources"
"""The folder of saved pages, inside the topic's."""

_TITLE_WORDS: Final = 5
_NAME_CHARS: Final = 80
_YEAR: Final = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


@dataclass(frozen=True)
class Source:
    """One saved page."""

    path: str
    """Where it is saved, relative to the workspace."""
    date_latest: str | None
    """Latest moment (ISO 8601, UTC) that the page can date from."""


class Sources:
    """Saved pages by path and by every address that led to them."""

    def __init__(self) -> None:
        self._by_path: dict[str, Source] = {}
        self._by_url: dict[str, Source] = {}

    def add(self, source: Source, *urls: str) -> None:
        """Takes `source` as saved, under `urls`."""
        self._by_path[source.path] = source
        for url in urls:
            self._by_url[url] = source

    def at(self, path: str) -> Source | None:
        """The page saved at `path`; None for every other file."""
        return self._by_path.get(path)

    def of(self, url: str) -> Source | None:
        """The page that `url` led to before."""
        return self._by_url.get(url)


def _plain(text: str) -> list[str]:
    """Words of `text` in lower-case ASCII letters and digits."""
    decomposed = unicodedata.normalize("NFKD", text)
    ascii_only = decomposed.encode("ascii", "ignore").decode()
    return re.findall(r"[a-z0-9]+", ascii_only.lower())


def _surname(authors: Sequence[str]) -> str:
    """The first author's surname, or nothing."""
    if not authors:
        return ""
    name = authors[0]
    words = _plain(name.split(",")[0] if "," in name else name)
    return ("".join(words) if "," in name else words[-1]) if words else ""


def file_name(
    authors: Sequence[str], date: str, title: str, url: str, taken: Callable[[str], bool]
) -> str:
    """`<surname>-<year>-<first title words>.md`, with `_2`, `_3` … where that is taken.

    Made from what the page itself says and from nothing else, so that a path tells the Generator
    no more than the page does. A title without Latin letters gives a hash of the address.
    """
    year = _YEAR.search(date)
    words = _plain(title)[:_TITLE_WORDS] or [hashlib.sha256(url.encode()).hexdigest()[:8]]
    parts = [_surname(authors) or "anon", year.group() if year else "undated", *words]
    stem = "-".join(parts)[:_NAME_CHARS].rstrip("-")
    name = f"{stem}.md"
    number = 2
    while taken(name):
        name = f"{stem}_{number}.md"
        number += 1
    return name
