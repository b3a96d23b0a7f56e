"""The leakage ladder's rung for other words: sentences near a closed atom in a model's space.

A sentence is judged by the cosine to a sentence of an atom, and by the share of the atom's content
words that it holds of those which nothing has shown, weighted by rarity: a paraphrase keeps some of
them, a chance likeness none. What some observed sentence is as near to is free. The bounds
were set on one draw of the benchmark (`python -m benchmarks.verifier`) and tried on another.
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
COSINE: Final = 0.5
"""Least cosine to a sentence of a closed atom."""
SHARE: Final = 0.35
"""Least share of its unseen words, by weight, and one of them at least."""
CONCLUSIONS: Final = frozenset({"thesis", "method", "novelty", "evaluation", "decision_rule"})
"""Kinds of atoms that say something. A baseline or a problem is known to everybody."""


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
            if atom.kind in CONCLUSIONS
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
            for number in sorted(closed, key=lambda n: -float(row[n])):
                score = float(row[number])
                if score < COSINE:
                    break
                if self._holds(sentence, number, view):
                    if self._restates(sentence, score, view):
                        break
                    yield Likeness(self._references[number].atom, sentence, score)
                    break

    def _holds(self, sentence: str, number: int, view: View) -> bool:
        """Whether `sentence` holds enough of a reference's words that nothing has shown."""
        wanted = set(analyse(self._references[number].text).content) - view.shown.stems
        held = wanted & set(analyse(sentence).content)
        if not held:
            return False
        whole = sum(map(self._weight, sorted(wanted)))
        return sum(map(self._weight, sorted(held))) >= SHARE * whole

    def _restates(self, sentence: str, score: float, view: View) -> bool:
        """Whether something that was observed, or the first message, is as near as the atom."""
        from ideatrail.embeddings.near import Near

        known = nearest_sentences([sentence], view.observed_texts, _OBSERVED)
        known += [s for s in sentences(view.direction) if len(s.split()) >= WORDS]
        if not known:
            return False
        near = Near(self._embedder, [(str(n), text) for n, text in enumerate(known)])
        return near.best([sentence])[0][0] >= score

    def _weight(self, stem: str) -> float:
        if self._lexicon is None:
            return 1.0
        return math.log((self._lexicon.size + 1) / (self._lexicon.frequency(stem) + 1))
