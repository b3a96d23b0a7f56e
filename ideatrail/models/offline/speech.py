"""The voice: says a discourse move in words that the trail has not worn out.

A sentence is refused where it stood before, or where its skeleton (what is left once quotes, names,
numbers and words of the observations are masked) has been used too often already. So a trail keeps
varying as long as the grammar has something left to say, and a move with nothing left is skipped.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import lru_cache
from typing import Final

from ideatrail.models.offline.grammar_pages import MOVES as PAGE_MOVES
from ideatrail.models.offline.grammar_search import MOVES as SEARCH_MOVES
from ideatrail.models.offline.grammar_writing import MOVES as WRITING_MOVES
from ideatrail.models.offline.restate import capitalise
from ideatrail.trail.text import STOPWORDS, fold, sentences

GRAMMAR: Final = {**SEARCH_MOVES, **PAGE_MOVES, **WRITING_MOVES}

USES: Final = 4
"""How often one skeleton may stand in a trail; the trail's readers accept twice as many."""

WORN: Final = 6
"""How often one way of phrasing may stand in a trail."""

MOST_SENTENCES: Final = 15
"""Moves of one message, at most; beyond that a thought is no longer followed."""

_ONCE: Final = frozenset(
    "doubt shift hunch cover cover_all next_read search_list page_weak page_missing careful "
    "audit_weak so_far expect use_page tally".split()
)
"""Moves that stand at most once in a message."""

_CHOICE: Final = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
_NUMBER_VERB: Final = re.compile(r"<([^<>|]*)\|([^<>|]*)>")
_SLOT: Final = re.compile(r"\{(\w+)\}")
_QUOTED: Final = re.compile(r"\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']*'(?!\w)")
_TOKEN: Final = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|_")
_COUNTS: Final = frozenset(
    """
    no none one two three four five six seven eight nine ten eleven twelve several many some
    most all
    """.split()
)
_ID: Final = re.compile(r"^[CI]\d+$")
_NUMBER_WORDS: Final = """
    no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty
    """.split()


@lru_cache(maxsize=2048)
def _own_words(template: str) -> str:
    pieces = re.split(r"\{\w+\}|\[[^\[\]]*\|[^\[\]]*\]|<[^<>]*\|[^<>]*>|\"", template)
    return max(pieces, key=len).strip(" .,:;").lower()


def number(count: int) -> str:
    """A small count in words."""
    return _NUMBER_WORDS[count] if 0 <= count < len(_NUMBER_WORDS) else str(count)


@lru_cache(maxsize=8192)
def _tokens(sentence: str) -> tuple[tuple[str, str], ...]:
    masked = _QUOTED.sub(" _ ", sentence)
    return tuple((t, fold(t)) for t in _TOKEN.findall(masked))


def skeleton(sentence: str, vocabulary: frozenset[str]) -> str:
    """What is left of a sentence after masking; runs of masks count as one."""
    out: list[str] = []
    for index, (token, low) in enumerate(_tokens(sentence)):
        hidden = (
            token == "_"
            or any(c.isdigit() for c in token)
            or low in _COUNTS
            or (index > 0 and token[0].isupper() and token != "I")
            or (low in vocabulary and low not in STOPWORDS)
        )
        if not hidden:
            out.append(low)
        elif not out or out[-1] != "_":
            out.append("_")
    return " ".join(out)


def listed(items: list[str], word: str = "and") -> str:
    """`a, b and c`."""
    items = [i for i in items if i]
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


class Voice:
    """Composes the reasoning of one message."""

    def __init__(
        self,
        said: list[str],
        openings: list[str],
        vocabulary: frozenset[str],
        rng: random.Random,
        most: int = MOST_SENTENCES,
    ) -> None:
        self._most = most
        self._rng = rng
        self._vocabulary = vocabulary
        self._said = Counter(said)
        self._stretches = Counter(stretch for s in said for stretch in _stretches(s))
        self._skeletons = Counter(skeleton(s, vocabulary) for s in said)
        self._starts = Counter(_start(s) for s in openings)
        self._last_starts = {_start(s, 2) for s in openings[-6:]}
        self._paragraphs: list[list[str]] = [[]]
        self._moves: set[str] = set()
        self._templates: set[str] = set()
        self._chosen = ""
        self._told = "\n".join(said).lower()
        self._at = 0

    @property
    def sentences(self) -> int:
        """Sentences so far in this message."""
        return sum(len(sentences(s)) for p in self._paragraphs for s in p)

    @property
    def length(self) -> int:
        """Characters so far in this message."""
        return sum(len(s) for p in self._paragraphs for s in p)

    def paragraph(self) -> None:
        """Starts a new paragraph."""
        if self._paragraphs[-1]:
            self._paragraphs.append([])
        self._at = len(self._paragraphs) - 1

    def before_last(self) -> None:
        """Goes on before the last paragraph, where it is not the only one: a late thought that
        belongs ahead of what is planned."""
        if len([p for p in self._paragraphs if p]) > 1:
            self._paragraphs.insert(len(self._paragraphs) - 1, [])
            self._at = len(self._paragraphs) - 2

    def say(self, move: str, **slots: str) -> bool:
        """Says `move` with the slots filled; False where there is no fresh way to."""
        if self.sentences >= self._most or (move in _ONCE and move in self._moves):
            return False
        options = [t for t in GRAMMAR[move] if t not in self._templates and self._worn(t) < WORN]
        self._rng.shuffle(options)
        options.sort(key=self._worn)
        best: tuple[int, str] | None = None
        for template in options:
            if any(not slots.get(name) for name in _SLOT.findall(template)):
                continue
            text = self._fill(template, slots)
            uses = self._uses(text)
            if uses is None:
                continue
            if best is None or uses < best[0]:
                best = (uses, text)
                self._chosen = template
            if uses == 0:
                break
        if best is None:
            return False
        self._moves.add(move)
        self._templates.add(self._chosen)
        self._take(best[1])
        return True

    def add(self, text: str) -> bool:
        """Says `text` as it is, under the same conditions."""
        if self._uses(text) is None:
            return False
        self._take(text)
        return True

    def _take(self, text: str) -> None:
        self._stretches.update(_stretches(text))
        for piece in sentences(text):
            self._said[piece] += 1
            self._skeletons[skeleton(piece, self._vocabulary)] += 1
        self._paragraphs[self._at].append(text)

    def _worn(self, template: str) -> int:
        """How often the template's longest run of own words stands in the trail."""
        return self._told.count(_own_words(template))

    def _uses(self, text: str) -> int | None:
        pieces = sentences(text)
        if any(self._said[piece] for piece in pieces):
            return None
        if any(self._stretches[stretch] > 1 for stretch in _stretches(text)):
            return None
        used = max((self._skeletons[skeleton(p, self._vocabulary)] for p in pieces), default=0)
        if used >= USES:
            return None
        if not self.sentences and (
            self._starts[_start(text)] > 1 or _start(text, 2) in self._last_starts
        ):
            return None
        return used

    def _fill(self, template: str, slots: dict[str, str]) -> str:
        text = _CHOICE.sub(lambda m: self._rng.choice(m.group(1).split("|")), template)
        single = 1 if slots.get("single") else 0
        text = _NUMBER_VERB.sub(lambda m: m.group(1 + single), text)
        text = _SLOT.sub(lambda m: slots[m.group(1)].strip(), text)
        text = re.sub(r"\.([\"'])\.$", r".\1", text)
        text = re.sub(r"([?!])\.$", r"\1", text)
        return capitalise(re.sub(r"\s+", " ", text))

    def text(self) -> str:
        """The message's reasoning."""
        return "\n\n".join(" ".join(p) for p in self._paragraphs if p)


def _stretches(text: str) -> list[str]:
    """Whatever stands between two full stops, `et al.` or not: none of it is to be read again."""
    return [s for s in re.split(r"(?<=[.!?])\s+", text) if len(s.split()) >= 3]


def _start(sentence: str, count: int = 3) -> str:
    return " ".join(t for _, t in _tokens(sentence)[:count])
