"""What makes a draft worth a judge's time: rare words of a closed atom that nothing has shown.

Rules find every surface form. A paraphrase has none, but it is hardly written without a few of the
atom's own rare words; a draft that shares none of them need not be read by a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ideatrail.trail.oracle import Atom, Oracle
from ideatrail.trail.stage import stage_rank
from ideatrail.trail.text import sentences
from ideatrail.verifier.case import Case
from ideatrail.verifier.means import LexiconLike
from ideatrail.verifier.terms import analyse
from ideatrail.verifier.view import View

SHARED: Final = 2
"""Rare stems of an atom in one text of the draft, not shown before, that raise suspicion."""
RARE: Final = 0.02
"""Share of papers up to which a stem is rare."""


def suspects(
    case: Case, view: View, oracle: Oracle, lexicon: LexiconLike | None
) -> tuple[Atom, ...]:
    """Closed atoms that a draft may paraphrase, most suspicious first."""
    found: list[tuple[int, int, Atom]] = []
    said = [set(analyse(spot.text).content) for spot in case.spots if spot.kind != "old"]
    for number, atom in enumerate(oracle.atoms):
        if atom.kind == "artifact":
            continue
        if stage_rank(case.stage) >= stage_rank(oracle.opens(atom)):
            continue
        fresh = {s for s in analyse(atom.text).content if s not in view.shown.stems}
        telling = {s for s in fresh if _rare(s, lexicon)}
        most = max((len(telling & text) for text in said), default=0)
        if most >= SHARED:
            found.append((-most, number, atom))
    return tuple(atom for _, _, atom in sorted(found, key=lambda one: one[:2]))


def nearest_sentences(
    texts: Sequence[str], observed: Iterable[tuple[str, str]], most: int
) -> list[str]:
    """Sentences of (call id, text) pairs that share most content stems with any of `texts`."""
    wanted = [set(analyse(text).content) for text in texts]
    scored: dict[str, int] = {}
    for _, text in observed:
        for sentence in sentences(text):
            held = set(analyse(sentence).content)
            score = max((len(held & one) for one in wanted), default=0)
            if score:
                scored[sentence] = score
    return sorted(scored, key=lambda one: (-scored[one], one))[:most]


def _rare(stem: str, lexicon: LexiconLike | None) -> bool:
    if lexicon is None:
        return len(stem) > 4
    return lexicon.frequency(stem) <= max(2.0, RARE * lexicon.size)
