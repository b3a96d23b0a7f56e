"""Finds the titles that may stand in a text, without holding all titles in memory.

For each run of three words in titles a table on disk says which papers have it. A text's own runs
point to the few titles with enough of them; those alone are then compared as `Titles` does.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import numpy as np

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.postings.grams import gram_hashes, gram_table
from ideatrail.evidence.postings.keys import find_key, rows_of
from ideatrail.evidence.postings.opened import Opened
from ideatrail.evidence.postings.parts import build_parts, load_part
from ideatrail.evidence.titles import Titles
from ideatrail.trail.text import words

FOLDER: Final = "titles-v1"


class TitleTable:
    """The titles of a large corpus, read as they are asked for."""

    def __init__(self, opened: Opened) -> None:
        """Builds what is missing of the tables, beside the corpus."""
        self._opened = opened
        with suppress(OSError):  # where nothing can be written, tables are made in memory
            build_parts(opened, FOLDER, "titles")
        self._tables = [
            load_part(part.folder / FOLDER) or gram_table(part.papers) for part in opened.parts
        ]

    def near(self, text: str) -> Titles:
        """All titles that `Titles.match` or `Titles.within` would find in a text, and some more."""
        said = words(text)
        runs = gram_hashes(said)
        found: list[Paper] = []
        for part, table in zip(self._opened.parts, self._tables, strict=True):
            rows = {*_rows(table, runs), *rows_of(*part.title_keys, " ".join(said))}
            found += part.papers.rows(sorted(rows - part.dropped))
        found.sort(key=lambda p: p.order)
        return Titles((p.id, p.title) for p in found)

    def bearers(self, title: str) -> tuple[str, ...]:
        """Ids of the papers with this title, its words folded and joined by single spaces."""
        found = self._opened.named(title)
        return tuple(p.id for p in found if find_key(p.title) == title)


def _rows(table: dict[str, Array], runs: Array) -> list[int]:
    """Rows of titles of which enough runs are among these."""
    if not len(runs):
        return []
    low = np.searchsorted(table["grams"], runs, "left")
    high = np.searchsorted(table["grams"], runs, "right")
    spans = [table["rows"][a:b] for a, b in zip(low.tolist(), high.tolist(), strict=True) if b > a]
    if not spans:
        return []
    rows, counts = np.unique(np.concatenate(spans), return_counts=True)
    enough = counts >= table["least"][rows]
    return [int(row) for row in rows[enough]]
