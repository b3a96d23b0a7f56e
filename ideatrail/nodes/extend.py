"""extend: the idea converged, so the trail goes on to the proposal (paper, section 5.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.brief import brief, topic_slug
from ideatrail.nodes.rooms import ToolRoom
from ideatrail.state import State


async def extend(state: State, runtime: Runtime[ToolRoom]) -> Command[Literal["generate"]]:
    """Open the proposal stage. The idea's closing message is set aside with `idea_end`."""
    trail = state["trail"]
    system = brief(
        runtime.context.roles,
        topic_slug(trail),
        state["cutoff"],
        state.get("portrait"),
        "proposal",
    )
    opened = replace(trail.rewind(len(trail.turns) - 1), system=system, endpoint="proposal")
    return Command(
        update={
            "trail": opened,
            "stage": "propose",
            "turn": trail.turns[-1].index,
            "idea_end": trail,
            "verdict": None,
        },
        goto="generate",
    )
