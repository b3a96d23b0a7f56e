"""Tokens, stems, and the running index of what has been shown or said so far."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ideatrail.trail.text import STOPWORDS, fold, stem

_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)+%?|\d+%|[^\W_]+(?:['’][^\W_]+)?")


@dataclass(frozen=True)
class Words:
    """A text taken apart once; all tuples are in the order of the text."""

    tokens: tuple[str, ...]
    """Folded words; decimals and percentages stay whole (`0.85`, `12%`)."""
    stems: tuple[str, ...]
    """One a token."""
    content: tuple[str, ...]
    """Stems without stop words and single letters."""
    content_at: tuple[int, ...]
    """Index into `tokens` of each of `content`."""


def tokens(text: str) -> list[str]:
    """Folded words of `text`, possessive endings dropped, numbers whole."""
    found = _TOKEN.findall(fold(text))
    return [t[:-2] if t.endswith(("'s", "’s")) else t for t in found]


def is_content(token: str) -> bool:
    """Whether a token counts: no stop word, no single letter; every number does."""
    return token not in STOPWORDS and (len(token) > 1 or token.isdigit())


@lru_cache(maxsize=512)
def analyse(text: str) -> Words:
    """`text` taken apart. Cached: several checks read the same draft."""
    found = tokens(text)
    stemmed = [stem(t) for t in found]
    kept = [i for i, t in enumerate(found) if is_content(t)]
    return Words(tuple(found), tuple(stemmed), tuple(stemmed[i] for i in kept), tuple(kept))


class Seen:
    """What a stretch of text holds, growing: words, stems, phrases in any surface form.

    A phrase is looked for only in the texts that hold its rarest word, and of those only in the
    ones that came since it was last looked for: look-ups do not grow with the square of the text.
    """

    def __init__(self) -> None:
        self.tokens: set[str] = set()
        self.stems: set[str] = set()
        self._spaced: list[str] = []
        self._content: list[str] = []
        self._stemmed: list[str] = []
        self._by_token: dict[str, list[int]] = {}
        self._by_stem: dict[str, list[int]] = {}
        self._memo: dict[tuple[str, str], tuple[bool, int]] = {}

    def add(self, text: str) -> None:
        """Take in one more text; no phrase reaches from one text into the next."""
        if not text:
            return
        found = analyse(text)
        number = len(self._spaced)
        for words, index in (
            (set(found.tokens), self._by_token),
            (set(found.stems), self._by_stem),
        ):
            for word in words:
                index.setdefault(word, []).append(number)
        self.tokens.update(found.tokens)
        self.stems.update(found.stems)
        self._spaced.append(f" {' '.join(found.tokens)} ")
        self._content.append(f" {' '.join(found.content)} ")
        self._stemmed.append(f" {' '.join(found.stems)} ")

    def phrase(self, content: Iterable[str]) -> bool:
        """Whether these content stems stand in a row somewhere."""
        wanted = tuple(content)
        if len(wanted) == 1:
            return wanted[0] in self.stems
        return self._look("content", wanted, self._content, self._by_stem)

    def row(self, stems: Iterable[str]) -> bool:
        """Whether these stems, stop words with them, stand in a row somewhere."""
        return self._look("stemmed", tuple(stems), self._stemmed, self._by_stem)

    def joined(self, form: str) -> bool:
        """Whether `form`, a folded text without spaces, stands as a word or as words in a row."""
        if not form:
            return False
        if form in self.tokens:
            return True
        done = self._memo.get(("joined", form), (False, 0))
        if done[0]:
            return True
        if done[1] == len(self._spaced):
            return False
        pattern = re.compile(" " + " ?".join(map(re.escape, form)) + "(?:s|es)? ")
        found = any(pattern.search(chunk) for chunk in self._spaced[done[1] :])
        self._memo["joined", form] = (found, len(self._spaced))
        return found

    def verbatim(self, text: str) -> bool:
        """Whether the words of `text` stand in a row somewhere, stop words included."""
        return self._look("spaced", tuple(tokens(text)), self._spaced, self._by_token)

    def holding(self, text: str) -> list[int]:
        """Numbers of the texts that hold every word of `text`, in any order; texts count from 0 as
        they were added."""
        lists = [self._by_token.get(w) for w in dict.fromkeys(tokens(text))]
        if not lists or not all(lists):
            return []
        short, *rest = sorted((x for x in lists if x), key=len)
        others = [set(x) for x in rest]
        return [n for n in short if all(n in x for x in others)]

    def _look(
        self, kind: str, wanted: tuple[str, ...], chunks: list[str], index: dict[str, list[int]]
    ) -> bool:
        if not wanted:
            return False
        lists = [index.get(w) for w in wanted]
        if not all(lists):
            return False
        row = f" {' '.join(wanted)} "
        found, upto = self._memo.get((kind, row), (False, 0))
        if found or upto == len(chunks):
            return found
        short = min((x for x in lists if x), key=len)
        found = any(row in chunks[n] for n in short[bisect_left(short, upto) :])
        self._memo[kind, row] = (found, len(chunks))
        return found
