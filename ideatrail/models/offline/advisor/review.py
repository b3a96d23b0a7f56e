"""review_segment: a stretch of turns judged by its numbers (design, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ideatrail.models.offline.advisor.material import Material
from ideatrail.models.offline.advisor.rarity import Rarities
from ideatrail.trail.answers import SegmentReview
from ideatrail.trail.oracle import Atom
from ideatrail.trail.text import content_stems

_GROUNDED: Final = 0.8
_NATURAL: Final = 0.4
_DRIFTED: Final = 0.1
_HOPELESS_GROUNDING: Final = 0.4
_MET: Final = 0.5
"""Share of an atom's weight in words that has to stand in the stretch."""


def review_segment(material: Material) -> SegmentReview:
    """Judge `<numbers>`; where they leave progress open, `<atoms>` are looked for in `<stretch>`.

    A number that is missing is not held against the stretch. `ok` is False only where going on
    would waste the trail: claims without ground, or nothing left of the problem.
    """
    value = material.data("numbers")
    numbers: Mapping[str, Any] = value if isinstance(value, dict) else {}
    grounding = _number(numbers, "grounding")
    naturalness = _number(numbers, "naturalness")
    on_problem = _number(numbers, "on_target")
    progress = _number(numbers, "progress")
    if progress is None:
        progress = _progress(material)
    grounded = grounding is None or grounding >= _GROUNDED
    natural = naturalness is None or naturalness >= _NATURAL
    on_target = on_problem is None or on_problem > _DRIFTED
    ok = on_target and (grounding is None or grounding >= _HOPELESS_GROUNDING)
    said = {
        "grounding": grounding,
        "progress": progress,
        "on problem": on_problem,
        "naturalness": naturalness,
    }
    why = ", ".join(f"{k} {v:.2f}" for k, v in said.items() if v is not None)
    return SegmentReview(
        grounded=grounded,
        progress=min(max(progress, 0.0), 1.0),
        on_target=on_target,
        natural=natural,
        ok=ok,
        why=why or "no numbers were given",
    )


def _number(numbers: Mapping[str, Any], name: str) -> float | None:
    value = numbers.get(name)
    return float(value) if isinstance(value, int | float) else None


def _progress(material: Material) -> float:
    value = material.data("atoms")
    atoms = [Atom.model_validate(a) for a in value] if isinstance(value, list) else []
    if not atoms:
        return 1.0
    stretch = set(content_stems(material.text("stretch")))
    rarities = Rarities()
    met = 0
    for atom in atoms:
        wanted = dict.fromkeys(content_stems(atom.text))
        total = sum(rarities.weight(s) for s in wanted)
        held = sum(rarities.weight(s) for s in wanted if s in stretch)
        met += total > 0 and held / total >= _MET
    return met / len(atoms)
