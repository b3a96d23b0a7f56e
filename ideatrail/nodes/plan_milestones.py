"""plan_milestones: atoms hung on the public plan (paper, section 4.7)."""

from __future__ import annotations

from typing import Final, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.rooms import AdvisorRoom, need_pen
from ideatrail.state import State, Tally
from ideatrail.trail.answers import MilestonesAnswer
from ideatrail.trail.leakage import LeakLedger
from ideatrail.trail.oracle import Milestone, MilestonePublic
from ideatrail.trail.stage import plan_public

PROMPT_VALUES: Final = ("plan",)


async def plan_milestones(
    state: State, runtime: Runtime[AdvisorRoom]
) -> Command[Literal["generate"]]:
    """Attach atoms to the plan; turns and public halves are the plan's own, whatever comes back."""
    room = runtime.context
    plan = [
        Milestone(
            id=f"M{number}",
            by_turn=step.by_turn,
            public=MilestonePublic(stage=step.stage, file=step.file, state=step.state),
        )
        for number, step in enumerate(plan_public(state["budget"]), start=1)
    ]
    answer = await need_pen(room).ask(
        MilestonesAnswer,
        plan=[m.model_dump() for m in plan],
        oracle=state["oracle"].model_dump(),
        anchors=[anchor.model_dump() for anchor in state["anchors"]],
    )
    hung = {m.id: m.atoms for m in answer.milestones}
    milestones = tuple(m.model_copy(update={"atoms": hung.get(m.id, [])}) for m in plan)
    return Command(
        update={
            "milestones": milestones,
            "stage": "explore",
            "turn": 1,
            "artifacts": {},
            "attempt": 0,
            "verdict": None,
            "draft": None,
            "judgements": (),
            "ledger": LeakLedger(cap=room.settings.leak_cap),
            "tally": Tally(),
        },
        goto="generate",
    )
