"""Grade A, B, C or "None" by the rubric of five dimensions (paper, 6.2; the dimensions are ours).

grounding: claims and what cites them rest on observations.
causal order: steps rest on earlier ones.
naturalness: uncertainty, reading, revision, staged convergence.
convergence: nearness to the anchor; an idea trail may by nature be farther away.
usefulness: share of turns worth learning from.

Each dimension earns the best letter whose threshold it reaches. The grade is the worst letter of
the five, where one dimension may be one letter worse than the grade. Without acceptance, or with a
dimension below C, there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

LETTERS: Final = ("A", "B", "C")
THRESHOLDS: Final[Mapping[str, tuple[float, float, float]]] = {
    "grounding": (0.95, 0.9, 0.8),
    "causal_order": (0.98, 0.95, 0.9),
    "naturalness": (0.9, 0.8, 0.7),
    "convergence": (0.6, 0.5, 0.12),
    "usefulness": (0.6, 0.4, 0.2),
}
"""Least value for A, B and C. Those of C are the acceptance thresholds where one exists; B of
convergence is the one that parts proposal trails from idea trails."""


def rubric(values: Mapping[str, Any]) -> dict[str, str]:
    """Letter of each dimension, "None" below C; a dimension that was not measured is left out."""
    letters: dict[str, str] = {}
    for name, bounds in THRESHOLDS.items():
        value = values.get(name)
        if isinstance(value, int | float):
            reached = (x for x, least in zip(LETTERS, bounds, strict=True) if value >= least)
            letters[name] = next(reached, "None")
    return letters


def grade(values: Mapping[str, Any], *, accepted: bool) -> str:
    """The letter, or the string "None" where none was earned."""
    letters = list(rubric(values).values())
    if not accepted or not letters or "None" in letters:
        return "None"
    ranks = sorted((LETTERS.index(x) for x in letters), reverse=True)
    worst = ranks[0]
    second = ranks[1] if len(ranks) > 1 else worst
    return LETTERS[max(second, worst - 1)]
