"""Whether a claim is borne by its quotes, as far as words alone can tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

from ideatrail.trail.text import STOPWORDS, stem, words
from ideatrail.verifier.terms import analyse

OVERLAP: Final = 0.1
"""Least share of a claim's content stems that its quotes, or their titles, have to hold."""
CLOSE: Final = 0.6
"""Share of a claim's content words that stand in a quote in their order, from which on the two say
the same thing, so that what they differ in must not turn it round."""
_TAIL: Final = 4
"""Words at either end that may differ and still belong to what agrees."""
_LEAD: Final = re.compile(
    r"^(?:(?:In|As)\b[^,]{3,80},\s*|.{0,80}?\b(?:report|show|find|found|argue|state|note|observe|suggest"
    r"|claim|say|demonstrate|conclude|write)(?:s|ed)? that\s+)",
    re.IGNORECASE,
)
"""Whose words a claim gives: `Lee et al. (2020) report that`."""
_NEGATIONS: Final = frozenset(
    "not no never without neither nor cannot hardly scarcely rarely seldom barely".split()
)
_SHORT: Final = re.compile(r"(?<=n)['’]t\b|\bcan['’]t\b")
_UP: Final = frozenset(
    stem(w)
    for w in (
        "increase improve improvement gain higher high better best more most outperform"
        " exceed surpass raise boost enhance larger large faster fast stronger strong superior"
        " rise grow growth above advantage benefit beneficial effective success succeed able"
        " sufficient consistent significant accurate reliable robust helpful help useful"
        " easier possible similar same always positive win agree support correct capable"
        " enable full complete many".split()
    )
)
_DOWN: Final = frozenset(
    stem(w)
    for w in (
        "decrease reduce reduction decline loss lose lower low worse worst less least fewer"
        " underperform drop degrade degradation harm hurt smaller small slower slow weaker"
        " weak inferior fall shrink below disadvantage detrimental ineffective failure fail"
        " unable insufficient inconsistent insignificant inaccurate unreliable brittle useless"
        " harder impossible different never negative disagree contradict incorrect incapable"
        " prevent partial incomplete few hinder deteriorate lag trail worsen lack".split()
    )
)


def borne(claim: str, quotes: Iterable[str], titles: Iterable[str]) -> bool:
    """Whether claim and quotes share any substance."""
    said = set(analyse(claim).content)
    if len(said) < 4:
        return True
    held = {s for text in (*quotes, *titles) for s in analyse(text).content}
    return len(said & held) >= OVERLAP * len(said)


def turned(claim: str, quotes: Iterable[str]) -> str:
    """What is turned round in `claim` against the quote that says nearly the same; empty where
    nothing is, or where no quote is that near.

    Claim and quote are laid side by side, word by word. Where the words between two that agree
    differ, a negation on one side alone, or words of opposite direction, turn the claim round; what
    the quote says before or after the part that the claim takes from it does not.
    """
    told = ""
    nearest = CLOSE
    said = _words(_LEAD.sub("", claim))
    weight = sum(w not in STOPWORDS for w, _ in said)
    if weight < 3:
        return ""
    for quote in quotes:
        held = _words(quote)
        blocks = _agreeing(said, held)
        shared = sum(said[i][0] not in STOPWORDS for a, _, n in blocks for i in range(a, a + n))
        if shared / weight >= nearest:
            nearest = shared / weight
            told = _twist(said, held, blocks)
    return told


def _words(text: str) -> list[tuple[str, str]]:
    """(folded word, stem) of a text; `n't` stands as `not`."""
    plain = _SHORT.sub(" not", text.replace("can't", "can not").replace("cannot", "can not"))
    return [(w, stem(w)) for w in words(plain)]


def _agreeing(
    said: Sequence[tuple[str, str]], held: Sequence[tuple[str, str]]
) -> list[tuple[int, int, int]]:
    matcher = SequenceMatcher(None, [s for _, s in said], [s for _, s in held], autojunk=False)
    return [(b.a, b.b, b.size) for b in matcher.get_matching_blocks() if b.size]


def _twist(
    said: Sequence[tuple[str, str]],
    held: Sequence[tuple[str, str]],
    blocks: Sequence[tuple[int, int, int]],
) -> str:
    """The first gap between agreeing words that turns the one against the other."""
    ends = [*blocks]
    if blocks:
        # Where both go on a little before the first or after the last word that agrees, that is a
        # gap as well; a long rest is a part of the quote that the claim did not take.
        if blocks[0][0] <= _TAIL and blocks[0][1] <= _TAIL:
            ends.insert(0, (0, 0, 0))
        a, b, size = blocks[-1]
        if len(said) - a - size <= _TAIL and len(held) - b - size <= _TAIL:
            ends.append((len(said), len(held), 0))
    for (a, b, size), (c, d, _) in pairwise(ends):
        ours, theirs = said[a + size : c], held[b + size : d]
        negated = [w for w, _ in ours if w in _NEGATIONS]
        denied = [w for w, _ in theirs if w in _NEGATIONS]
        if len(negated) != len(denied):
            return f"negation: {' '.join(negated) or 'only in the quote'}"
        counted = [w for w, _ in ours if w.isdigit()]
        found = [w for w, _ in theirs if w.isdigit()]
        if counted and found and counted != found:
            return f"{' '.join(counted)} against {' '.join(found)}"
        up, down = ({s for _, s in ours} & one for one in (_UP, _DOWN))
        high, low = ({s for _, s in theirs} & one for one in (_UP, _DOWN))
        if (up and low and not down and not high) or (down and high and not up and not low):
            return f"{' '.join(sorted(up | down))} against {' '.join(sorted(high | low))}"
    return ""
