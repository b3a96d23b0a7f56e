"""Seats a node in the graph: its room as context, its writes held to the table, its step logged."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.rooms import (
    AdvisorRoom,
    GeneratorRoom,
    ReleaseRoom,
    Services,
    ToolRoom,
    need_generator_pen,
)
from ideatrail.state import NodeSpec

Node = Callable[..., Awaitable[Command[Any]]]


class TableError(AssertionError):
    """A node wrote a channel or took an exit that its row of the table does not have."""


def room(spec: NodeSpec, services: Services) -> Any:
    """What the node may reach besides its state."""
    if spec.name == "generate":
        card = services.roles["generator"]
        return GeneratorRoom(
            need_generator_pen(services),
            [t for t in services.tools if t["function"]["name"] in card.tools],
        )
    if spec.name in ("act", "finish", "extend"):
        return ToolRoom(services.bench, services.observations, services.events, services.roles)
    if spec.name == "release":
        return ReleaseRoom(services.sink)
    assert spec.role is not None
    return AdvisorRoom(
        pen=services.pen(spec.role),
        roles=services.roles,
        settings=services.settings,
        world=services.world,
        lexicon=services.lexicon,
        verifier=services.verifier,
        events=services.events,
        sample_id=services.sample_id,
        source=services.source,
        rejected=services.rejected,
    )


def seat(spec: NodeSpec, node: Node) -> Node:
    """`node` as the graph runs it."""

    @functools.wraps(node)
    async def seated(state: Any, runtime: Runtime[Services]) -> Command[Any]:
        services = runtime.context
        services.events.emit("node", name=spec.name)
        command = await node(state, runtime.override(context=room(spec, services)))
        update = dict(command.update or {})
        strange = sorted(set(update) - spec.writes)
        if strange:
            raise TableError(f"{spec.name} wrote {strange[0]!r}, which its row does not list")
        goto = str(command.goto)
        if goto not in spec.exits:
            raise TableError(f"{spec.name} went to {goto!r}, which its row does not list")
        services.steps.step(spec.name, update, goto)
        return command

    return seated
