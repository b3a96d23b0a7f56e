"""label_tiers: each turn gets its value tier and the reason (paper, section 5.2)."""

from __future__ import annotations

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.rooms import AdvisorRoom
from ideatrail.state import State
from ideatrail.verifier.tiers import label


async def label_tiers(state: State, runtime: Runtime[AdvisorRoom]) -> Command[Literal["grade"]]:
    """Label from provenance alone."""
    return Command(update={"trail": label(state["trail"])}, goto="grade")
