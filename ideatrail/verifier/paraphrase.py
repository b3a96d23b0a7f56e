"""The leakage ladder's rung for other words: sentences near a closed atom in a model's space.

A sentence is judged by the cosine to a sentence of an atom, and by the share of the atom's unseen
content words that it holds, weighted by rarity: paraphrases keep some of them, a chance likeness
none. A sentence that some observed sentence is as near to says what was observed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ideatrail.trail.oracle import Oracle
from ideatrail.trail.stage import Stage, stage_rank
from ideatrail.trail.text import sentences
from ideatrail.verifier.means import LexiconLike
from ideatrail.verifier.suspicion import nearest_sentences
from ideatrail.verifier.terms import analyse
from ideatrail.verifier.view import View

if TYPE_CHECKING:
    from ideatrail.embeddings.embedder import Embedder

WORDS: Final = 6
"""Shorter sentences say too little to be near anything."""
SHARE_WEIGHT: Final = 0.5
"""What the share of unseen words counts beside the cosine."""
THRESHOLD: Final = 0.9
MARGIN: Final = 0.05
"""How much nearer to the atom than to anything observed a sentence has to be."""
_OBSERVED: Final = 12
"""Observed sentences that a suspicious one is held against: those that share most words with it."""


@dataclass(frozen=True)
class _Reference:
    """A sentence of an atom."""

    atom: str
    text: str
    opens: Stage


@dataclass(frozen=True)
class Likeness:
    """A sentence of the draft that says what a closed atom says."""

    atom: str
    sentence: str
    score: float


class Paraphrase:
    """Sentences of an oracle's atoms, ready to be compared with."""

    def __init__(
        self,
        oracle: Oracle,
        opens: dict[str, Stage],
        embedder: Embedder,
        lexicon: LexiconLike | None,
    ) -> None:
        """`opens`: atom → the stage from which on it may be said."""
        from ideatrail.embeddings.near import Near

        self._embedder = embedder
        self._lexicon = lexicon
        self._references = tuple(
            _Reference(atom.id, sentence, opens[atom.id])
            for atom in oracle.atoms
            if atom.kind != "artifact"
            for sentence in sentences(atom.text)
            if len(sentence.split()) >= WORDS
        )
        pairs = [(str(n), r.text) for n, r in enumerate(self._references)]
        self._near = Near(embedder, pairs) if pairs else None

    def near(self, texts: Sequence[str], stage: Stage, view: View) -> Iterator[Likeness]:
        """Sentences of `texts` that say what an atom says that is closed in `stage`."""
        closed = [
            n for n, r in enumerate(self._references) if stage_rank(stage) < stage_rank(r.opens)
        ]
        said = list(
            dict.fromkeys(
                sentence
                for text in texts
                for sentence in sentences(text)
                if len(sentence.split()) >= WORDS and not view.shown.verbatim(sentence)
            )
        )
        if self._near is None or not closed or not said:
            return
        for sentence, row in zip(said, self._near.scores(said), strict=True):
            best, number = max(
                (float(row[n]) + SHARE_WEIGHT * self._share(sentence, n, view), n) for n in closed
            )
            if best >= THRESHOLD and not self._observed(sentence, float(row[number]), view):
                yield Likeness(self._references[number].atom, sentence, best)

    def _share(self, sentence: str, number: int, view: View) -> float:
        """Weighted share of a reference's unseen content words that stand in `sentence`."""
        wanted = set(analyse(self._references[number].text).content) - view.shown.stems
        held = set(analyse(sentence).content)
        whole = sum(map(self._weight, sorted(wanted)))
        return sum(map(self._weight, sorted(wanted & held))) / whole if whole else 0.0

    def _weight(self, stem: str) -> float:
        if self._lexicon is None:
            return 1.0
        return math.log((self._lexicon.size + 1) / (self._lexicon.frequency(stem) + 1))

    def _observed(self, sentence: str, score: float, view: View) -> bool:
        """Whether something that was observed, or the direction, is about as near."""
        from ideatrail.embeddings.near import Near

        known = nearest_sentences([sentence], view.observed_texts, _OBSERVED)
        known += [s for s in sentences(view.direction) if len(s.split()) >= WORDS]
        if not known:
            return False
        near = Near(self._embedder, [(str(n), text) for n, text in enumerate(known)])
        return near.best([sentence])[0][0] > score - MARGIN
