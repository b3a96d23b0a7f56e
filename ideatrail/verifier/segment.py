"""Numbers of a stretch of turns, for the reviewing role."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ideatrail.evidence.urls import canonical
from ideatrail.trail.oracle import Atom
from ideatrail.trail.provenance import build
from ideatrail.trail.turn import Trail, Turn
from ideatrail.verifier.drift import COMMON
from ideatrail.verifier.metrics import grounding
from ideatrail.verifier.naturalness import components, naturalness
from ideatrail.verifier.terms import analyse

MET: Final = 0.5
"""Share of an atom's content stems, observed or written, from which on it counts as found."""
ON_TARGET: Final = 2
"""Content stems of the direction that a turn's own words share, to be about it."""


def segment_numbers(trail: Trail, turns: Sequence[Turn], atoms: Sequence[Atom]) -> dict[str, Any]:
    """What the stretch `turns` of `trail` comes to.

    grounding: of the whole trail so far; None before the first claim.
    progress: share of `atoms` found so far, observed or written; None without atoms.
    on_target: share of the stretch's turns whose reasoning and arguments share ON_TARGET content
        stems with the direction.
    drift: 1 - on_target.
    naturalness and naturalness_*: of the stretch alone.
    """
    graph = build(trail, canonical=canonical)
    parts = components(turns, graph)
    claims = graph.artifacts["claim_audit.md"].claims
    sourced = any(c.sources for c in claims)
    target = _on_target(trail.user, turns)
    numbers: dict[str, Any] = {
        "turns": len(turns),
        "calls": sum(len(t.draft.calls) for t in turns),
        "claims": len(claims),
        "grounding": grounding(graph) if sourced else None,
        "progress": _progress(trail, atoms),
        "on_target": target,
        "drift": None if target is None else 1 - target,
        "naturalness": naturalness(parts),
        **{f"naturalness_{name}": value for name, value in parts.items()},
    }
    return {k: round(v, 4) if isinstance(v, float) else v for k, v in numbers.items()}


def _on_target(direction: str, turns: Sequence[Turn]) -> float | None:
    asked = set(analyse(direction).content) - COMMON
    if not asked or not turns:
        return None
    need = min(ON_TARGET, len(asked))
    about = 0
    for turn in turns:
        texts = [turn.draft.reasoning, *(c.arguments for c in turn.draft.calls)]
        said = {s for text in texts for s in analyse(text).content}
        about += len(said & asked) >= need
    return about / len(turns)


def _progress(trail: Trail, atoms: Sequence[Atom]) -> float | None:
    if not atoms:
        return None
    held: set[str] = set()
    for turn in trail.turns:
        for result in turn.results:
            if result.observed:
                held.update(analyse(result.content).content)
        for change in turn.changes:
            held.update(analyse(change.after).content)
    found = 0
    for atom in atoms:
        stems = set(analyse(atom.text).content)
        found += len(stems & held) >= MET * len(stems)
    return found / len(atoms)
