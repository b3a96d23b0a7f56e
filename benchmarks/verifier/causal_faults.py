"""Faults of `causal_order`: a conclusion before anything that it rests on has appeared."""

from __future__ import annotations

import re
from typing import Final

from benchmarks.verifier.site import STAGES, Injected, Operator, Site, plain
from ideatrail.trail.oracle import Atom

CODE: Final = "causal_order"
ALSO: Final = ("oracle_leakage",)
"""Where its locks are closed as well, either code is right."""


def _seen_share(site: Site, text: str) -> float:
    """Share of the content words of `text` that the record before the turn holds, ours or not."""
    words = {w for w in plain(text).split() if len(w) > 3}
    said = plain(" ".join(t.draft.reasoning for t in site.before))
    held = f"{site.clean.shown_before[site.at]} {said} "
    return sum(f" {w} " in held for w in words) / len(words) if words else 1.0


def _early(site: Site) -> list[Atom]:
    """Atoms that need others of which hardly a word has appeared."""
    by_id = {a.id: a for a in site.oracle.atoms}
    return [
        atom
        for atom in site.oracle.atoms
        if atom.kind != "artifact"
        and atom.needs
        and len(atom.text.split()) > 12
        and any(n in by_id and _seen_share(site, by_id[n].text) < 0.35 for n in atom.needs)
        and _seen_share(site, atom.text) < 0.6
    ]


def _sentences(atom: Atom) -> str:
    return " ".join(re.split(r"(?<=[.!?])\s+", atom.text)[:3])


def _reasoning(site: Site) -> Injected:
    atoms = _early(site)
    return site.say(_sentences(site.rng.choice(atoms))) if atoms else None


def _notes(site: Site) -> Injected:
    """In a file of notes: the four artifacts are written when nearly all has been shown."""
    atoms = _early(site)
    if not atoms:
        return None
    text = _sentences(site.rng.choice(atoms))
    return site.call("Write", file_path=f"{site.home}/notes.md", content=f"# Notes\n\n{text}\n")


def _named(site: Site) -> Injected:
    """By a form of its lock alone."""
    early = {a.id for a in _early(site)}
    forms = [form for lock, _, form in site.closed_locks() if lock.atom in early and len(form) > 5]
    if not forms:
        return None
    return site.say(f"So I would settle on {site.rng.choice(sorted(set(forms)))} at once.")


def _query(site: Site) -> Injected:
    atoms = _early(site)
    if not atoms:
        return None
    words = _sentences(site.rng.choice(atoms)).split()[:30]
    return site.call("WebSearch", query=" ".join(words))


def _evaluation_first(site: Site) -> Injected:
    """How the idea is to be judged, before there is one."""
    if STAGES.index(site.stage) > 1:
        return None
    atoms = [a for a in _early(site) if a.kind in ("evaluation", "decision_rule")]
    return site.say(_sentences(site.rng.choice(atoms))) if atoms else None


_RULE: Final = "An atom appears only after all that it needs has appeared or been observed: "

OPERATORS: Final[tuple[Operator, ...]] = (
    Operator(
        "conclusion first, in the reasoning", CODE, f"{_RULE}reasoning.", _reasoning, also=ALSO
    ),
    Operator("conclusion first, in a file", CODE, f"{_RULE}files.", _notes, also=ALSO),
    Operator("conclusion first, by its name", CODE, f"{_RULE}its form alone.", _named, also=ALSO),
    Operator("conclusion first, in a query", CODE, f"{_RULE}queries.", _query, also=ALSO),
    Operator(
        "evaluation before there is an idea",
        CODE,
        f"{_RULE}a test of nothing.",
        _evaluation_first,
        also=ALSO,
    ),
)
