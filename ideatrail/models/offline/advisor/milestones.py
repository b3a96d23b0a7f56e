"""plan_milestones: atoms hung on the public plan (paper, section 4.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ideatrail.models.offline.advisor.material import Material
from ideatrail.models.protocol import ModelError
from ideatrail.trail.answers import MilestonesAnswer
from ideatrail.trail.oracle import Atom, AtomKind, Milestone
from ideatrail.trail.stage import Stage, artifact_stage, stage_rank

_STAGE_OF: Final[dict[AtomKind, Stage]] = {
    "other": "explore",
    "thesis": "synthesize",
    "method": "ideate",
    "novelty": "ideate",
    "risk": "ideate",
    "evaluation": "propose",
    "decision_rule": "propose",
    "artifact": "audit",  # replaced by its artifact's own stage
}


def plan_milestones(material: Material) -> MilestonesAnswer:
    """The milestones of `<plan>`, each with the atoms of `<oracle>` due by then.

    An atom stands at the last milestone of its stage; artifact atoms of a stage with a skeleton
    milestone begin there. None stands before one that it needs.
    """
    plan = material.data("plan")
    if not isinstance(plan, list):
        raise ModelError("the request holds no <plan>", resumable=False)
    milestones = [Milestone.model_validate(row) for row in plan]
    if not milestones:
        return MilestonesAnswer(milestones=[])
    atoms = material.oracle.atoms
    places: dict[str, int] = {}
    for atom in _ordered(atoms):
        wanted = _place(atom, milestones)
        needed = [places[n] for n in atom.needs if n in places]
        places[atom.id] = max([wanted, *needed])
    return MilestonesAnswer(
        milestones=[
            m.model_copy(update={"atoms": [a.id for a in atoms if places[a.id] == index]})
            for index, m in enumerate(milestones)
        ]
    )


def _place(atom: Atom, milestones: Sequence[Milestone]) -> int:
    stage = artifact_stage(atom.artifact) if atom.artifact else _STAGE_OF[atom.kind]
    rank = stage_rank(stage)
    own = [i for i, m in enumerate(milestones) if m.public.stage == stage]
    if own:
        return own[0] if atom.artifact and atom.id.endswith("-1") else own[-1]
    later = [i for i, m in enumerate(milestones) if stage_rank(m.public.stage) > rank]
    return later[0] if later else len(milestones) - 1


def _ordered(atoms: Sequence[Atom]) -> list[Atom]:
    """Atoms after what they need; a circle is cut where it is met."""
    by_id = {a.id: a for a in atoms}
    done: dict[str, Atom] = {}
    for atom in atoms:
        stack = [atom]
        while stack:
            top = stack[-1]
            ids = {a.id for a in stack}
            open_needs = [
                by_id[n] for n in top.needs if n in by_id and n not in done and n not in ids
            ]
            if open_needs:
                stack.append(open_needs[0])
            else:
                done.setdefault(top.id, top)
                stack.pop()
    return list(done.values())
