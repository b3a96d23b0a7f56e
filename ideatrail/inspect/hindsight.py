"""How well the target can be guessed from what the Generator saw and said, turn by turn.

A trail made under an Advisor who knows the end may drift towards it by more than its evidence
allows, in ways that no single check sees. From each prefix of the visible text the target's text is
ranked among decoys; the same is done for a control trail that had no Advisor. What lies between the
two curves is the trail's hindsight. (A measure of our own; the paper has none.)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ideatrail.trail.text import content_stems
from ideatrail.trail.turn import Trail, Turn

_K1: Final = 1.2
_B: Final = 0.75


@dataclass(frozen=True)
class Curve:
    """Rank of the target after each turn, from 1; before the first turn at index 0."""

    ranks: tuple[int, ...]
    decoys: int

    @property
    def guesses(self) -> tuple[float, ...]:
        """1 where the target ranks first, 0 where it ranks last: the share of the bits that naming
        one of them takes which the prefix tells."""
        bits = math.log(self.decoys + 1)
        return tuple(1 - math.log(rank) / bits if bits else 1.0 for rank in self.ranks)


@dataclass(frozen=True)
class Hindsight:
    """A trail beside its control."""

    trail: Curve
    control: Curve

    @property
    def area(self) -> float:
        """Mean of what lies between the curves over the turns that both have; negative where the
        control comes nearer."""
        pairs = list(zip(self.trail.guesses[1:], self.control.guesses[1:], strict=False))
        return sum(a - b for a, b in pairs) / len(pairs) if pairs else 0.0


class Decoys:
    """The target's text among others, ready to be ranked by BM25."""

    def __init__(self, target: str, decoys: Sequence[str]) -> None:
        """`target` and `decoys` are whole texts. Raises ValueError without a decoy."""
        if not decoys:
            raise ValueError("there is no decoy to tell the target from")
        bags = [Counter(content_stems(text)) for text in (target, *decoys)]
        self.count = len(decoys)
        self._number = {t: n for n, t in enumerate(sorted({t for bag in bags for t in bag}))}
        counts = np.zeros((len(bags), len(self._number)), np.float32)
        for row, bag in enumerate(bags):
            for term, times in bag.items():
                counts[row, self._number[term]] = times
        lengths = counts.sum(axis=1, keepdims=True)
        norm = _K1 * (1 - _B + _B * lengths / max(float(lengths.mean()), 1.0))
        held = (counts > 0).sum(axis=0)
        idf = np.log(1 + (len(bags) - held + 0.5) / (held + 0.5))
        self._weights: npt.NDArray[np.float32] = (
            counts * (_K1 + 1) / (counts + norm) * idf
        ).astype(np.float32)

    def curve(self, trail: Trail) -> Curve:
        """The target's rank from each prefix of the visible text. Linear in the trail."""
        seen: Counter[str] = Counter(content_stems(f"{trail.user}"))
        ranks = [self._rank(seen)]
        for turn in trail.turns:
            seen.update(t for text in visible(turn) for t in content_stems(text))
            ranks.append(self._rank(seen))
        return Curve(tuple(ranks), self.count)

    def _rank(self, seen: Counter[str]) -> int:
        asked = np.zeros(len(self._number), np.float32)
        for term, times in seen.items():
            number = self._number.get(term)
            if number is not None:
                # A term said a hundred times is not a hundred times the sign that one is.
                asked[number] = math.log1p(times)
        scores = self._weights @ asked
        return 1 + int((scores[1:] > scores[0]).sum())


def visible(turn: Turn) -> Iterable[str]:
    """What a turn adds to the visible text: what was said, asked and observed."""
    yield turn.draft.reasoning
    yield turn.draft.content
    for call, result in turn.pairs:
        yield from (str(value) for value in call.parsed.values())
        yield result.content
