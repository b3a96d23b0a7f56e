"""Runs of three words of titles, and which papers have them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.postings.keys import hashed
from ideatrail.evidence.titles import _GRAM, _grams, _slack
from ideatrail.evidence.withheld import main_title
from ideatrail.evidence.works import SHORT_TITLE
from ideatrail.trail.text import words


def gram_table(papers: Iterable[Paper]) -> dict[str, Array]:
    """The table of a segment: `grams` (uint64, ascending) with their `rows` (uint32), and the
    `least` number of a title's runs (uint8, by row) that a text with it has."""
    hashes: list[int] = []
    rows: list[int] = []
    least: list[int] = []
    for row, paper in enumerate(papers):
        said = words(paper.title)
        found = (
            {hashed(" ".join(gram)) for gram in _grams(said)} if len(said) >= SHORT_TITLE else ()
        )
        hashes.extend(found)
        rows.extend([row] * len(found))
        lengths = [len(said), len(words(main_title(paper.title)))]
        needed = [_needed(length) for length in lengths if length >= SHORT_TITLE]
        least.append(min(needed, default=255))
    values, where = np.array(hashes, dtype=np.uint64), np.array(rows, dtype=np.uint32)
    order = np.lexsort((where, values))
    return {
        "grams": values[order],
        "rows": where[order],
        "least": np.minimum(least, 255).astype(np.uint8),
    }


def gram_hashes(said: list[str]) -> Array:
    """The hashes of all runs of a text's words, in order."""
    return np.array([hashed(" ".join(gram)) for gram in _grams(said)], dtype=np.uint64)


def _needed(length: int) -> int:
    """Runs that a text has of a title of this many words, at least (see `Titles.within`)."""
    return max(1, length - _GRAM + 1 - _GRAM * _slack(length))
