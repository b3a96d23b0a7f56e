"""ingest: the proposal becomes a seed (paper, section 4.4)."""

from __future__ import annotations

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.rooms import AdvisorRoom
from ideatrail.proposals.seed import make_seed
from ideatrail.proposals.source import read_proposal
from ideatrail.state import State


async def ingest(state: State, runtime: Runtime[AdvisorRoom]) -> Command[Literal["build_oracle"]]:
    """Parse `proposal`; nothing that does not stand there is filled in."""
    proposal = read_proposal(runtime.context.settings.proposal)
    seed = make_seed(proposal, proposal_id=runtime.context.sample_id)
    return Command(update={"seed": seed}, goto="build_oracle")
