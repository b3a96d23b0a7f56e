"""Records that are nearly the same as one that is released already, by MinHash.

A trail's own words are compared, five at a time: what tools returned is often the same, and meant
to be. A signature is small and kept with a row's account, so that a batch that goes on need not
read its release again.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from datasketch import MinHash, MinHashLSH

SCHEME: Final = "affine32"
PERMUTATIONS: Final = 64
ALIKE: Final = 0.7
"""Estimated share of five-word stretches in common from which on two trails are nearly the same."""
_WORDS: Final = 5


def signature(record: Mapping[str, Any]) -> str:
    """The MinHash of what the assistant of a record says and writes, as text."""
    made = MinHash(num_perm=PERMUTATIONS, scheme=SCHEME)
    said = re.findall(r"\w+", "\n".join(_own_words(record)).casefold())
    stretches = {" ".join(said[n : n + _WORDS]) for n in range(len(said) - _WORDS + 1)}
    made.update_batch([s.encode() for s in sorted(stretches)])
    return base64.b64encode(made.hashvalues.astype("<u4").tobytes()).decode()


def _own_words(record: Mapping[str, Any]) -> Iterable[str]:
    for message in record.get("messages", ()):
        if message.get("role") == "assistant":
            yield str(message.get("reasoning_content") or "")
            yield str(message.get("content") or "")
            for call in message.get("tool_calls") or ():
                yield str(call["function"]["arguments"])


@dataclass(frozen=True)
class Twin:
    """Two rows whose trails are nearly the same."""

    row: str
    other: str
    likeness: float
    """Estimated Jaccard index."""


class Duplicates:
    """Signatures of what is released so far."""

    def __init__(self, threshold: float = ALIKE) -> None:
        self._threshold = threshold
        self._index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
        self._made: dict[str, MinHash] = {}

    def add(self, key: str, signed: str) -> Twin | None:
        """Take in a row's signature; the nearest earlier row, where one is nearly the same."""
        made = _read(signed)
        twin: Twin | None = None
        for other in sorted(self._index.query(made)):
            likeness = float(made.jaccard(self._made[other]))
            if likeness >= self._threshold and (twin is None or likeness > twin.likeness):
                twin = Twin(key, other, round(likeness, 3))
        self._index.insert(key, made)
        self._made[key] = made
        return twin

    def drop(self, key: str) -> None:
        """Forget a row that is not released after all."""
        self._index.remove(key)
        del self._made[key]


def _read(signed: str) -> MinHash:
    values = np.frombuffer(base64.b64decode(signed), "<u4")
    return MinHash(num_perm=PERMUTATIONS, hashvalues=values, scheme=SCHEME)
