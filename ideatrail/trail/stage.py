"""Stages and artifacts, in the order a trail passes through them (paper, section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Stage = Literal["explore", "audit", "synthesize", "ideate", "propose"]
ArtifactName = Literal[
    "claim_audit.md", "synthesis.md", "idea_candidates.md", "research_proposal.md"
]
ArtifactState = Literal["absent", "skeleton", "draft", "filled", "final"]
Endpoint = Literal["idea", "proposal"]

STAGES: Final[tuple[Stage, ...]] = ("explore", "audit", "synthesize", "ideate", "propose")
ARTIFACTS: Final[tuple[ArtifactName, ...]] = (
    "claim_audit.md",
    "synthesis.md",
    "idea_candidates.md",
    "research_proposal.md",
)
ARTIFACT_STATES: Final[tuple[ArtifactState, ...]] = (
    "absent",
    "skeleton",
    "draft",
    "filled",
    "final",
)

STAGE_ARTIFACT: Final[dict[Stage, ArtifactName | None]] = {
    "explore": None,
    "audit": "claim_audit.md",
    "synthesize": "synthesis.md",
    "ideate": "idea_candidates.md",
    "propose": "research_proposal.md",
}
"""The artifact that a stage is for; exploring has none."""

STAGE_SHARE: Final[dict[Stage, float]] = {
    "explore": 0.30,
    "audit": 0.30,
    "synthesize": 0.15,
    "ideate": 0.25,
}
"""Share of the turn budget after which the next stage opens even if the artifact is unfinished."""

PROPOSE_SHARE: Final[float] = 0.30
"""Turns of the proposal stage, on top of the budget, as a share of it."""


def stage_rank(stage: Stage) -> int:
    """Position of `stage` in the order of stages, from 0."""
    return STAGES.index(stage)


def artifact_stage(name: ArtifactName) -> Stage:
    """The stage in which `name` may first be written."""
    return STAGES[1 + ARTIFACTS.index(name)]


@dataclass(frozen=True)
class PublicMilestone:
    """What should stand by a turn, computed without the oracle (contract, "Stages and turns")."""

    by_turn: int
    """The last turn of the stretch, counted from 1."""
    stage: Stage
    file: ArtifactName | None
    state: ArtifactState


def stage_ends(turns: int) -> dict[Stage, int]:
    """Last turn of each stage for a budget of `turns`; `propose` ends after turns of its own."""
    ends: dict[Stage, int] = {}
    spent = 0.0
    for stage, share in STAGE_SHARE.items():
        spent += share
        ends[stage] = max(round(turns * spent), len(ends) + 1)
    ends["ideate"] = max(turns, ends["synthesize"] + 1)
    ends["propose"] = ends["ideate"] + max(4, round(turns * PROPOSE_SHARE))
    return ends


def plan_public(turns: int) -> tuple[PublicMilestone, ...]:
    """The public half of the plan: a pure function of the turn budget."""
    ends = stage_ends(turns)
    plan = [PublicMilestone(ends["explore"], "explore", None, "absent")]
    for stage in STAGES[1:]:
        before = ends[STAGES[stage_rank(stage) - 1]]
        file = STAGE_ARTIFACT[stage]
        middle = (before + ends[stage]) // 2
        if before < middle < ends[stage]:
            plan.append(PublicMilestone(middle, stage, file, "skeleton"))
        plan.append(PublicMilestone(ends[stage], stage, file, "final"))
    return tuple(plan)
