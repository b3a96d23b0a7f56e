"""Finds what of a collection is withheld without reading it all.

Candidates are looked up by ids and addresses, by the words that tell of the target, and in the
list of all titles; each is then judged by `Withheld` itself. No paper that it hides is missed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from ideatrail.evidence import engine
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.postings.collection import Collection, Part
from ideatrail.evidence.postings.invert import BODY, TITLE
from ideatrail.evidence.postings.keys import NEWLINE, hashed, rows_of
from ideatrail.evidence.postings.tokens import cut
from ideatrail.evidence.withheld import NEAR, Withheld
from ideatrail.evidence.works import SHORT_TITLE
from ideatrail.trail.text import _WORD, STOPWORDS, stem

_CHUNK: Final = 1 << 17
"""Bytes of titles that are looked through at a time: what is made of them stays in the cache."""


def spread(collection: Collection, withheld: Withheld) -> Withheld:
    """As `Withheld.spread` over all papers: with the addresses and titles of every record of the
    target, of any date, until none is added."""
    known = withheld
    while True:
        papers = [paper for _, paper in collection.papers(_targets(collection, known))]
        wider = known.spread(papers)
        if wider.key == known.key:
            return wider
        known = wider


def hidden(collection: Collection, withheld: Withheld, bounds: Sequence[int]) -> list[int]:
    """The records among the docs below `bounds` (one a part) that are hidden, ascending."""
    if not withheld.addresses and not withheld.titles:
        return []
    found = set(_targets(collection, withheld))
    for number, part in enumerate(collection.parts):
        base = collection.base(number)
        found.update(base + row for row in _telling(part, withheld))
    below = []
    for record in sorted(found):
        number, doc = collection.where(record)
        row = record - collection.base(number)
        if doc < bounds[number] and row not in collection.parts[number].dropped:
            below.append(record)
    return [record for record, paper in collection.papers(below) if withheld.hides(paper)]


def _targets(collection: Collection, withheld: Withheld) -> list[int]:
    """Candidates for records of the target."""
    found: set[int] = set()
    for address in withheld.addresses:
        found.update(collection.named(address))
    for number, part in enumerate(collection.parts):
        base = collection.base(number)
        for name in withheld._names:
            key = " ".join(name.words)
            if key not in part.near:
                part.near[key] = _near(part, name.probes, name.words)
            rows = {*part.near[key], *_beginning(part, name.coined)}
            found.update(base + row for row in rows if row not in part.dropped)
    return sorted(found)


def _near(part: Part, probes: frozenset[str], title: list[str]) -> list[int]:
    """Rows of titles that may be nearly a title, given by its words. They hold a third of its
    probes: `_Name` of `ideatrail.evidence.withheld` looks no closer at others."""
    ends = part.table["folded_ends"]
    if len(title) < SHORT_TITLE:  # such a one has to be equal
        return rows_of(part.table["title_keys"], part.table["title_key_rows"], " ".join(title))
    found: list[int] = []
    likeness = _Likeness(title)
    for first, chunk in _chunks(part):
        places = _Places(chunk)
        mine = ends[first : first + places.count] - (ends[first - 1] if first else 0)
        counts = np.zeros(places.count, dtype=np.int64)
        for probe in probes:
            at = places.of(probe.encode("utf-8", "surrogatepass"))
            counts[np.searchsorted(mine, at, "right")] += 1  # once, however often it stands there
        for row in np.flatnonzero(3 * counts >= len(probes)).tolist():
            begin = int(mine[row - 1]) if row else 0
            said = places.raw[begin : int(mine[row]) - 1].decode("utf-8", "surrogatepass")
            if likeness.may_be(_WORD.findall(said)):
                found.append(first + row)
    return found


class _Likeness:
    """A cheap look at what two titles have in common, for `_Name.is_title` costs a lot."""

    def __init__(self, title: list[str]) -> None:
        self._words = title
        self._stems = {stem(w) for w in title if w not in STOPWORDS and len(w) > 1}
        self._text = " ".join(title)
        self._letters = Counter(self._text)

    def may_be(self, theirs: list[str]) -> bool:
        """False where titles are surely not one: they do not begin alike, as with another subtitle
        they would; they differ in stems; and each has too many letters that the other lacks for
        their edit distance to be small."""
        if theirs[:SHORT_TITLE] == self._words[:SHORT_TITLE]:
            return True
        stems = {stem(w) for w in theirs if w not in STOPWORDS and len(w) > 1}
        if 2 * len(self._stems & stems) >= NEAR * (len(self._stems) + len(stems)) > 0:
            return True
        text = " ".join(theirs)
        most = int(max(len(text), len(self._text)) * (1 - NEAR) + 1e-9)
        if abs(len(text) - len(self._text)) > most:
            return False
        return (self._letters - Counter(text)).total() <= most


def _beginning(part: Part, coined: str) -> list[int]:
    """Rows whose title begins with a coined name."""
    if not coined:
        return []
    wanted = bytes([NEWLINE]) + coined.encode("utf-8", "surrogatepass")
    found: list[int] = []
    ends = part.table["folded_ends"]
    for first, chunk in _chunks(part):
        places = _Places(np.concatenate([np.array([NEWLINE], dtype=np.uint8), chunk]))
        mine = ends[first : first + places.count] - (ends[first - 1] if first else 0)
        found += (first + np.searchsorted(mine, places.of(wanted), "right")).tolist()
    return found


def _chunks(part: Part) -> Iterator[tuple[int, Array]]:
    """Stretches of whole titles: the row of the first, and their bytes."""
    folded, ends = part.table["folded"], part.table["folded_ends"]
    row = at = 0
    while row < len(ends):
        further = max(row + 1, int(np.searchsorted(ends, at + _CHUNK)))
        end = int(ends[further - 1])
        yield row, folded[at:end]
        row, at = further, end


class _Places:
    """Where short texts stand in a stretch of bytes."""

    def __init__(self, chunk: Array) -> None:
        self.count = int((chunk == NEWLINE).sum())
        self.raw = chunk.tobytes()
        padded = np.frombuffer(self.raw + bytes(3), dtype=np.uint8).astype(np.uint32)
        size = len(chunk)
        self._fours = sum(
            (padded[shift : size + shift] << np.uint32(8 * shift) for shift in range(1, 4)),
            start=padded[:size].copy(),
        )

    def of(self, wanted: bytes) -> Array:
        """All places of a text, ascending."""
        begin = int.from_bytes(wanted[:4].ljust(4, b"\0"), "little")
        if len(wanted) < 4:
            mask = (1 << 8 * len(wanted)) - 1
            return np.flatnonzero((self._fours & np.uint32(mask)) == np.uint32(begin))
        at = np.flatnonzero(self._fours == np.uint32(begin))
        if len(wanted) > 4:
            same = [self.raw.startswith(wanted, place) for place in at.tolist()]
            at = at[np.array(same, dtype=bool)]
        return at


def _telling(part: Part, withheld: Withheld) -> set[int]:
    """Rows of candidates for papers whose title or text tells of the target."""
    segment = part.segment
    told = (*withheld.told_titles, *withheld.told_names)
    if not told:
        return set()
    found = set(segment.odd.tolist())
    for text in told:
        said = [engine.analyze(word.decode()) for word in cut(text)]
        numbers = [segment.token(np.uint64(hashed(tokens[0]))) for tokens in said if tokens]
        if not numbers:  # signs alone: any text may hold them
            return set(range(segment.size))
        if len(numbers) < len(said):
            docs = segment.holding(numbers)
        else:
            lists = [segment.phrase(numbers, field, segment.size) for field in (TITLE, BODY)]
            held = [one.docs for one in lists if one is not None]
            docs = np.concatenate(held) if held else np.zeros(0, dtype=np.uint32)
        found.update(segment.row[docs].tolist())
    return found
