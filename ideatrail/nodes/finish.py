"""finish: the trail ends as an idea trail."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.rooms import ToolRoom
from ideatrail.state import State


async def finish(state: State, runtime: Runtime[ToolRoom]) -> Command[Literal["review_trail"]]:
    """Settle the idea endpoint; a proposal that did not hold is cut back to its idea."""
    trail = state.get("idea_end") or state["trail"]
    runtime.context.bench.follow(trail)
    return Command(update={"trail": replace(trail, endpoint="idea")}, goto="review_trail")
