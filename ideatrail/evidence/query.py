"""Queries as people type them: words, and phrases in straight double quotes.

There is no syntax to get wrong. `AND`, `OR` and `NOT` are words that say little, a colon separates,
an open quote is no quote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ideatrail.evidence.engine import analyze, clean
from ideatrail.evidence.urls import canonical
from ideatrail.trail.text import STOPWORDS, words

LONGEST: Final = 64
"""Words of a query that count; nobody types more, and a pasted page must not take seconds."""

_QUOTED: Final = re.compile(r'"([^"]*)"')
_NAME: Final = re.compile(r"\S*\d\S*")


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """What a query asks for, in the index's own tokens."""

    terms: tuple[str, ...]
    """Any of these may stand in a hit, each once."""
    phrases: tuple[tuple[str, ...], ...]
    """Each of these has to stand in a hit, its words side by side."""
    names: tuple[str, ...]
    """Ids and addresses that a paper may be known by."""

    @property
    def empty(self) -> bool:
        """True where nothing is asked for."""
        return not (self.terms or self.phrases or self.names)


def parse_query(text: str) -> ParsedQuery:
    """Takes any text; what holds no word gives the empty query."""
    text = clean(text).replace("\0", " ")
    phrases = [tuple(analyze(q)[:LONGEST]) for q in _QUOTED.findall(text)]
    loose = _QUOTED.sub(" ", text)
    said = [w for w in words(loose)[:LONGEST] if w not in STOPWORDS]
    terms = analyze(" ".join(said))
    found = tuple(dict.fromkeys(p for p in phrases if p))
    if not terms and not found:  # nothing but small words: then they are what is meant
        terms = analyze(loose)[:LONGEST]
    names = [n for token in _NAME.findall(loose)[:LONGEST] for n in (token, canonical(token))]
    return ParsedQuery(tuple(dict.fromkeys(terms)), found, tuple(dict.fromkeys(names)))
