"""The postings of one segment, opened: lists of papers by token, cut at a moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.postings.invert import BODY, MOST_TIMES, TITLE
from ideatrail.evidence.postings.lengths import codes

FORMAT: Final = 1
"""Of the arrays; raise it with any change of what they mean."""
_NONE: Final[Array] = np.zeros(0, dtype=np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Papers that hold a token or phrase in one field, and how."""

    docs: Array
    """uint32, ascending."""
    weights: Array
    """uint16: times << 8 | code of the text's length."""
    best: int
    """The most times and the shortest length among them, in the same form, or better ones."""


class Segment:
    """Immutable, and safe to share."""

    def __init__(self, arrays: dict[str, Array], papers: Sequence[Paper]) -> None:
        """`arrays` as `invert` makes them; `papers` by row."""
        self.papers = papers
        self.admitted = arrays["admitted"]
        self.row = arrays["row"]
        self.doc = arrays["doc"]
        self.place = arrays["place"]
        self.latest = arrays["latest"]
        self.richness = arrays["richness"]
        self.odd = arrays["odd"]
        self.lengths = arrays["lengths"]
        self._begins = arrays["begins"]
        self._tokens = arrays["tokens"]
        self._starts = arrays["starts"]
        self._docs = arrays["docs"]
        self._weights = arrays["weights"]
        self._best = arrays["best"]
        self._position_starts = arrays["position_starts"]
        self._positions = arrays["positions"]

    @property
    def size(self) -> int:
        """All papers."""
        return len(self.row)

    def before(self, moment: int) -> int:
        """How many papers may be seen at a tick: docs below this number."""
        return int(np.searchsorted(self.admitted, moment, "right"))

    def token(self, hashed: np.uint64) -> int:
        """The number of a token, -1 where no paper holds it."""
        at = int(np.searchsorted(self._tokens, hashed))
        return at if at < len(self._tokens) and self._tokens[at] == hashed else -1

    def postings(self, token: int, field: int, bound: int) -> Postings | None:
        """Papers below `bound` with a token, or None where there are none."""
        number = 3 * token + field
        low, high = int(self._starts[number]), int(self._starts[number + 1])
        if low == high:
            return None
        docs = self._docs[low:high]
        if bound < self.size:
            length = int(np.searchsorted(docs, np.uint32(bound)))
            if not length:
                return None
            docs, high = docs[:length], low + length
        return Postings(docs, self._weights[low:high], int(self._best[number]))

    def phrase(self, tokens: Sequence[int], field: int, bound: int) -> Postings | None:
        """Papers below `bound` in which tokens stand side by side."""
        if len(tokens) == 1:
            return self.postings(tokens[0], field, bound) if tokens[0] >= 0 else None
        if min(tokens) < 0:
            return None
        begins = self._begins[field]
        spans = [self._span(token, field, begins[bound]) for token in tokens]
        order = sorted(range(len(spans)), key=lambda at: len(spans[at]))
        # Places of the phrase's end: no phrase ends before its last word can stand.
        last = len(tokens) - 1
        held = spans[order[0]] + np.uint32(last - order[0])
        for at in order[1:]:
            if not len(held):
                break
            held = held[_among(held - np.uint32(last - at), spans[at])]
        if not len(held):
            return None
        docs = np.searchsorted(begins, held, "right").astype(np.uint32) - np.uint32(1)
        first = np.flatnonzero(np.diff(docs, prepend=docs[0] + np.uint32(1)))
        return self._made(docs[first], np.diff(first, append=len(docs)), field)

    def holding(self, tokens: Sequence[int]) -> Array:
        """Docs with all tokens in title or text, anywhere."""
        found: Array | None = None
        for token in tokens:
            if token < 0:
                return _NONE
            lists = [self.postings(token, field, self.size) for field in (TITLE, BODY)]
            docs = np.unique(np.concatenate([_NONE, *(p.docs for p in lists if p)]))
            found = docs if found is None else found[_among(found, docs)]
        return _NONE if found is None else found

    def _span(self, token: int, field: int, end: int) -> Array:
        number = 3 * token + field
        span = self._positions[self._position_starts[number] : self._position_starts[number + 1]]
        return span[: np.searchsorted(span, end)]

    def _made(self, docs: Array, times: Array, field: int) -> Postings:
        lengths = self.lengths[docs + 1, field] - self.lengths[docs, field]
        code = codes(lengths).astype(np.uint16)
        counted = np.minimum(times, MOST_TIMES).astype(np.uint16)
        best = int(counted.max()) << 8 | int(code.min())
        return Postings(docs, counted << 8 | code, best)


def _among(values: Array, ascending: Array) -> Array:
    """Which of `values` stand in an ascending array."""
    if not len(ascending):
        return np.zeros(len(values), dtype=bool)
    at = np.searchsorted(ascending, values)
    found: Array = ascending.take(at, mode="clip") == values
    return found
