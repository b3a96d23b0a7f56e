"""ingest: the proposal becomes a seed (paper, section 4.4)."""

from __future__ import annotations

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.rooms import AdvisorRoom, InputRefused
from ideatrail.proposals.seed import make_seed
from ideatrail.state import State


async def ingest(state: State, runtime: Runtime[AdvisorRoom]) -> Command[Literal["build_oracle"]]:
    """Parse `proposal`; nothing that does not stand there is filled in.

    Raises:
        InputRefused: the run goes on from a log that began with another text.
    """
    source = runtime.context.source
    if source.text != state["proposal"]:
        raise InputRefused(f"{source.path} is not what it was when this trail was begun: --force")
    seed = make_seed(source, proposal_id=runtime.context.sample_id)
    return Command(update={"seed": seed}, goto="build_oracle")
