"""causal_order: an atom before all that it needs has appeared or been observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ideatrail.trail.oracle import Atom, Oracle
from ideatrail.trail.verdict import Code
from ideatrail.verifier.case import Case
from ideatrail.verifier.matcher import Matcher, Term, oracle_terms
from ideatrail.verifier.means import Bench, LexiconLike, Means, Need, Opinion
from ideatrail.verifier.terms import Seen, analyse
from ideatrail.verifier.view import View

DISTINCTIVE: Final = 8
"""Stems that stand for an atom: its rarest."""
APPEARS: Final = 0.75
"""Share of them, side by side, that makes an atom without locks appear."""
ENOUGH: Final = 0.5
"""Share of them, anywhere so far, from which on what an atom needs counts as there."""
WINDOW: Final = 60
"""Content words that count as side by side: two or three sentences."""


@dataclass(frozen=True)
class _Sign:
    """How an atom is known in text."""

    atom: Atom
    terms: tuple[Term, ...]
    stems: tuple[str, ...]


class CausalOrderCheck:
    """Conclusions before what they rest on."""

    name = "causal order"
    codes: frozenset[Code] = frozenset({"causal_order"})
    needs: frozenset[Need] = frozenset({"advisor"})

    def __init__(self, means: Means) -> None:
        self._signs: dict[str, _Sign] = {}
        self._matcher = Matcher(())
        if means.oracle:
            terms = oracle_terms(means.oracle, means.lexicon)
            self._matcher = Matcher(terms)
            self._signs = _signs(means.oracle, terms, means.lexicon)
        self._ran = means.oracle is not None

    def judge(self, case: Case, view: View) -> Opinion:
        """Atoms that this draft brings in, against those they need."""
        bench = Bench(self.name, "causal_order", ("forms", "stems"))
        if not self._ran:
            bench.skip("forms", "no oracle was given")
            bench.skip("stems", "no oracle was given")
            return bench.opinion()
        here: set[str] = set()
        """Atoms that stand earlier in this very draft."""
        for spot in case.spots:
            if spot.kind == "old":
                continue
            found = analyse(spot.text).content
            present = set(found)
            hits: dict[str, int] = {}
            for match in self._matcher.scan(spot.text):
                if not view.shown.verbatim(match.said):
                    hits.setdefault(match.term.atom, match.at)
            arrived: list[tuple[int, str, str]] = []
            for name, sign in self._signs.items():
                if name in hits:
                    arrived.append((hits[name], name, "forms"))
                elif not sign.terms and _dense(sign.stems, found, present):
                    first = min(found.index(s) for s in sign.stems if s in present)
                    arrived.append((first, name, "stems"))
            for _, name, layer in sorted(arrived):
                sign = self._signs[name]
                new = not (_named(sign, view.said) or _named(sign, view.shown))
                if new and sign.atom.needs:
                    lacking = [
                        n
                        for n in sign.atom.needs
                        if n in self._signs
                        and n not in here
                        and not _there(self._signs[n], view, present)
                    ]
                    if lacking:
                        bench.hit(layer, spot.pointer, f"{name} before {', '.join(lacking)}")
                here.add(name)
        return bench.opinion()


def _signs(oracle: Oracle, terms: Sequence[Term], lexicon: LexiconLike | None) -> dict[str, _Sign]:
    signs = {}
    for atom in oracle.atoms:
        if atom.kind == "artifact":
            continue
        stems = list(dict.fromkeys(s for s in analyse(atom.text).content if not s.isdigit()))
        if lexicon is not None:
            stems.sort(key=lambda s: (lexicon.frequency(s), s))
        else:
            stems.sort(key=lambda s: (-len(s), s))
        mine = tuple(t for t in terms if t.atom == atom.id)
        if stems:
            signs[atom.id] = _Sign(atom, mine, tuple(stems[:DISTINCTIVE]))
    return signs


def _named(sign: _Sign, seen: Seen) -> bool:
    """Whether the atom appeared in `seen`: a form of it, or nearly all of its stems."""
    if sign.terms:
        return any(t.known(seen) for t in sign.terms)
    held = sum(s in seen.stems for s in sign.stems)
    return held >= APPEARS * len(sign.stems)


def _there(sign: _Sign, view: View, present: set[str]) -> bool:
    """Whether what an atom needs is there: named, or half of its stems shown or said, those that
    this very text brings in counted with them."""
    if any(t.known(view.shown) or t.known(view.said) for t in sign.terms):
        return True
    held = sum(s in view.shown.stems or s in view.said.stems or s in present for s in sign.stems)
    return held >= ENOUGH * len(sign.stems)


def _dense(stems: Sequence[str], found: Sequence[str], present: set[str]) -> bool:
    """Whether APPEARS of `stems` stand within WINDOW words of each other."""
    wanted = {s for s in stems if s in present}
    need = max(3, APPEARS * len(stems))
    if len(wanted) < need:
        return False
    inside: dict[str, int] = {}
    for at, stem in enumerate(found):
        if stem in wanted:
            inside[stem] = at
            if sum(at - i < WINDOW for i in inside.values()) >= need:
                return True
    return False
