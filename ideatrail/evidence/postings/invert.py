"""Builds the postings of one segment: for each token the papers that hold it, in the order of
their admission, so that a cutoff leaves a beginning of every list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from ideatrail.evidence.paper import RICHNESS, Paper
from ideatrail.evidence.postings import admission
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.postings.lengths import codes
from ideatrail.evidence.postings.tokens import Vocabulary, is_odd
from ideatrail.evidence.postings.works import NEVER

FIELDS: Final = ("title", "body", "authors")
TITLE, BODY, AUTHORS = range(3)
MOST_TIMES: Final = 255
"""Times that a token counts in one text."""
_STEP: Final = 1_000_000
"""Words worked on at a time."""


def invert(papers: Iterable[Paper]) -> dict[str, Array]:
    """The arrays of a segment's postings. Papers come by row; in the postings they are numbered by
    admission, then row ("doc").

    Papers:
        admitted (docs, int64): tick from which on each may be seen, ascending.
        row (docs, uint32), doc (rows, uint32): one number from the other.
        place (docs, uint32): where each stands in the order of ids and dates.
        latest (docs, int64), richness (docs, uint8): see `works.newness`.
        odd (uint32): rows whose text Python and the engine cut differently.
        lengths (docs + 1, 3, int64): tokens of all papers before each, by field.
        begins (3, docs + 1, uint32): place of each paper's text in the stream of positions.
    Lists, numbered 3 * token + field:
        tokens (uint64): hashes of all tokens, sorted; a token's number is its place.
        starts (lists + 1, uint32): where each list begins in `docs` and `weights`.
        docs (uint32), weights (uint16: times << 8 | code of the text's length).
        best (lists, uint16): the most times and the shortest length in each, in the same form.
        position_starts (lists + 1, uint32), positions (uint32): where each token stands.
    """
    vocabulary = Vocabulary()
    moments: list[int] = []
    ends: list[int] = []
    rich: list[int] = []
    names: list[tuple[str, int]] = []
    odd: list[int] = []
    for row, paper in enumerate(papers):
        moments.append(admission.admitted(paper))
        ends.append(admission.latest(paper))
        rich.append(RICHNESS[paper.kind])
        names.append((paper.id, ends[-1] if paper.shown else -NEVER))
        texts = (paper.title, "\n".join(paper.body), "\n".join(paper.authors))
        if any(map(is_odd, texts[:2])):
            odd.append(row)
        for text in texts:
            vocabulary.read(text)
    size = len(moments)
    tokens, of_word = vocabulary.terms()
    by_row = np.array(moments, dtype=np.int64)
    rows = np.argsort(by_row, kind="stable").astype(np.uint32)
    doc = np.empty(size, dtype=np.uint32)
    doc[rows] = np.arange(size, dtype=np.uint32)
    order = np.array(sorted(range(size), key=names.__getitem__), dtype=np.int64)
    place = np.empty(size, dtype=np.uint32)
    place[doc[order]] = np.arange(size, dtype=np.uint32)
    arrays: dict[str, Array] = {
        "admitted": by_row[rows],
        "row": rows,
        "doc": doc,
        "place": place,
        "latest": np.array(ends, dtype=np.int64)[rows],
        "richness": np.array(rich, dtype=np.uint8)[rows],
        "odd": np.array(odd, dtype=np.uint32),
        "tokens": tokens,
    }
    words, counts = vocabulary.words()
    return arrays | _lists(words, counts.reshape(size, 3), of_word, arrays)


def _lists(
    words: Array, counts: Array, of_word: Array, papers: dict[str, Array]
) -> dict[str, Array]:
    """The lists; `words` are all words by row, field and place, `counts` their numbers."""
    row, size, lists = papers["row"], len(counts), 3 * len(papers["tokens"])
    spans = counts[row].T.reshape(-1) + 1  # by field, then doc; a gap parts two texts
    begins = np.concatenate(([0], np.cumsum(spans)))
    text_of = np.repeat(np.arange(3 * size, dtype=np.uint32), spans)
    positions, of_list = _in_order(words, counts, of_word, row, begins)
    del words
    text = text_of[positions]
    del text_of
    new = np.ones(len(text), dtype=bool)
    np.not_equal(text[1:], text[:-1], out=new[1:])
    new[1:] |= of_list[1:] != of_list[:-1]
    first = np.flatnonzero(new)
    del new
    text, of_list = text[first], of_list[first]
    times = np.diff(first, append=len(positions))
    lengths = np.zeros(3 * size, dtype=np.int64)
    np.add.at(lengths, text, times)
    times = np.minimum(times, MOST_TIMES).astype(np.uint16)
    code = codes(lengths)[text].astype(np.uint16)
    starts = np.searchsorted(of_list, np.arange(lists + 1, dtype=np.uint32)).astype(np.uint32)
    position_starts = np.append(first, len(positions)).astype(np.uint32)[starts]
    del first, of_list
    before = np.zeros((size + 1, 3), dtype=np.int64)
    before[1:] = np.cumsum(lengths.reshape(3, size).T, axis=0)
    of_field = [begins[f * size : (f + 1) * size + 1] for f in range(3)]
    return {
        "lengths": before,
        "begins": np.stack(of_field).astype(np.uint32),
        "starts": starts,
        "docs": text % np.uint32(max(size, 1)),
        "weights": times << 8 | code,
        "best": _best(starts, times, code),
        "position_starts": position_starts,
        "positions": positions,
    }


def _in_order(
    words: Array, counts: Array, of_word: Array, row: Array, begins: Array
) -> tuple[Array, Array]:
    """Places of all tokens, and the list of each, by list and place (both uint32)."""
    size = len(counts)
    # Where each word goes, from where it came: texts come by row and field. List and place are one
    # number, which is sorted.
    went = np.empty((size, 3), dtype=np.int64)
    went[row] = begins[:-1].reshape(3, size).T + (np.arange(3, dtype=np.int64) << 32)
    came = np.cumsum(counts.reshape(-1)) - counts.reshape(-1)
    keys = np.repeat(went.reshape(-1) - came, counts.reshape(-1))
    high = np.where(of_word < 0, -1, 3 * of_word << 32)
    for begin in range(0, len(words), _STEP):
        part = slice(begin, begin + _STEP)
        numbers = high[words[part]]
        keys[part] += np.arange(begin, begin + len(numbers))
        keys[part] += numbers
        keys[part][numbers < 0] = -1
    keys.sort(kind="stable")
    keys = keys[np.searchsorted(keys, 0) :]
    positions = (keys & 0xFFFFFFFF).astype(np.uint32)
    keys >>= 32
    return positions, keys.astype(np.uint32)


def _best(starts: Array, times: Array, code: Array) -> Array:
    best = np.zeros(len(starts) - 1, dtype=np.uint16)
    held = np.flatnonzero(starts[1:] > starts[:-1])
    if len(held):
        at = starts[held]
        best[held] = np.maximum.reduceat(times, at) << 8 | np.minimum.reduceat(code, at)
    return best
