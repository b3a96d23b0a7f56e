"""Whether a claim is borne by its quotes, as far as words alone can tell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ideatrail.trail.text import stem, words
from ideatrail.verifier.terms import analyse

OVERLAP: Final = 0.1
"""Least share of a claim's content stems that its quotes, or their titles, have to hold."""
CLOSE: Final = 0.6
"""Share from which on claim and quote say the same thing, so that their signs must agree."""

_NEGATIONS: Final = frozenset(
    "not no never without neither nor cannot can't doesn't don't didn't isn't aren't wasn't weren't"
    " won't fail fails failed failing lack lacks lacking hardly scarcely unable".split()
)
_OPPOSITES: Final[tuple[tuple[str, str], ...]] = (
    ("increase", "decrease"),
    ("increase", "reduce"),
    ("raise", "lower"),
    ("higher", "lower"),
    ("better", "worse"),
    ("best", "worst"),
    ("improve", "degrade"),
    ("improve", "harm"),
    ("improve", "worsen"),
    ("more", "less"),
    ("more", "fewer"),
    ("most", "least"),
    ("larger", "smaller"),
    ("outperform", "underperform"),
    ("gain", "loss"),
    ("help", "hurt"),
    ("strong", "weak"),
    ("stronger", "weaker"),
    ("faster", "slower"),
    ("sufficient", "insufficient"),
    ("consistent", "inconsistent"),
    ("significant", "insignificant"),
    ("above", "below"),
)
_PAIRS: Final = tuple((stem(a), stem(b)) for a, b in _OPPOSITES)


def borne(claim: str, quotes: Iterable[str], titles: Iterable[str]) -> bool:
    """Whether claim and quotes share any substance."""
    said = set(analyse(claim).content)
    if len(said) < 4:
        return True
    held = {s for text in (*quotes, *titles) for s in analyse(text).content}
    return len(said & held) >= OVERLAP * len(said)


def turned(claim: str, quote: str) -> str:
    """What is turned round in `claim` against a quote that says the same otherwise; empty where
    nothing is, or where the two are too far apart to tell."""
    said, held = set(analyse(claim).content), set(analyse(quote).content)
    if len(said) < 4 or len(said & held) < CLOSE * len(said):
        return ""
    ours, theirs = [stem(w) for w in words(claim)], [stem(w) for w in words(quote)]
    for one, other in _PAIRS:
        for a, b in ((one, other), (other, one)):
            if a in ours and b in theirs and b not in ours and a not in theirs:
                return f"{a} against {b}"
    negated = [w for w in words(claim) if w.replace("’", "'") in _NEGATIONS]
    if bool(negated) != any(w.replace("’", "'") in _NEGATIONS for w in words(quote)) and (
        len(said & held) >= 0.8 * len(said)
    ):
        return f"negation: {negated[0] if negated else 'only in the quote'}"
    return ""
