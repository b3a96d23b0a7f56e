"""release: the record is written, or the rejected trail is kept with its reasons."""

from __future__ import annotations

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.rooms import ReleaseRoom
from ideatrail.state import State


async def release(state: State, runtime: Runtime[ReleaseRoom]) -> Command[Literal["__end__"]]:
    """Hand the finished trail to the run's sink."""
    runtime.context.sink.release(
        state["trail"], state["cutoff"], state["ledger"], state["outcome"], state["metrics"]
    )
    return Command(goto="__end__")
