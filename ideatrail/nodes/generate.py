"""generate: one assistant message, from public channels alone (paper, section 4.8)."""

from __future__ import annotations

from typing import Any, Final, Literal

import orjson
from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.models.protocol import (
    Answer,
    CallPart,
    Message,
    Part,
    ReasoningPart,
    Request,
    TextPart,
    message,
)
from ideatrail.nodes.brief import last_turn, stage_line, verdict_line
from ideatrail.nodes.rooms import GeneratorRoom
from ideatrail.state import State
from ideatrail.trail.turn import Call, Draft, Trail

REASONING_BLANK: Final = "blank reasoning"


def history(trail: Trail) -> list[Message]:
    """The trail as the model reads it: brief, direction, then each turn with its results."""
    messages = [message("system", trail.system), message("user", trail.user)]
    for turn in trail.turns:
        parts: list[Part] = [ReasoningPart(turn.draft.reasoning)]
        if turn.draft.content:
            parts.append(TextPart(turn.draft.content))
        parts += [CallPart(c.id, c.name, c.arguments) for c in turn.draft.calls]
        messages.append(Message("assistant", tuple(parts)))
        messages += [
            Message("tool", (TextPart(r.content),), tool_call_id=r.call_id, name=r.name)
            for r in turn.results
        ]
    return messages


def last_id(trail: Trail) -> int:
    """Number of the trail's last call; a call that was dropped leaves a gap before it."""
    return max(
        (int(c.id.rpartition("_")[2]) for t in trail.turns for c in t.draft.calls), default=0
    )


def to_draft(answer: Answer, tool_names: set[str], first_id: int) -> Draft:
    """An answer as a draft: ids minted by us, malformed calls marked, never raised."""
    calls: list[Call] = []
    faults: list[str] = []
    faulty: int | None = None
    for index, part in enumerate(answer.calls):
        parsed: dict[str, Any] = {}
        fault = ""
        if not part.name:
            fault = "empty tool name"
        elif part.name not in tool_names:
            fault = f"unknown tool {part.name!r}"
        try:
            loaded = orjson.loads(part.arguments)
            if isinstance(loaded, dict):
                parsed = loaded
            else:
                fault = fault or "arguments are not a JSON object"
        except orjson.JSONDecodeError:
            fault = fault or "arguments are not JSON"
        if fault:
            faults.append(f"call {index}: {fault}")
            faulty = index if faulty is None else faulty
        calls.append(Call(f"call_{first_id + index}", part.name, part.arguments, parsed))
    if answer.finish == "length":
        faults.append("the answer was cut off at its largest length")
    reasoning, content = answer.reasoning.strip(), answer.text.strip()
    source: Literal["native", "visible"] = "native"
    if not reasoning and calls and content:
        # Where an endpoint hides its reasoning the prompt asks for visible thinking instead.
        reasoning, content, source = content, "", "visible"
    if not reasoning:
        faults.append(REASONING_BLANK)
    return Draft(reasoning, content, tuple(calls), tuple(faults), faulty, source)


async def generate(state: State, runtime: Runtime[GeneratorRoom]) -> Command[Literal["verify"]]:
    """Ask the Generator for one message. The state's `verdict` is all it hears of a lost draft."""
    room = runtime.context
    trail = state["trail"]
    messages = history(trail)
    line = stage_line(
        room.pen.roles,
        state["stage"],
        state["turn"],
        state["budget"],
        state.get("artifacts", {}),
    )
    verdict = state.get("verdict")
    if verdict is not None:
        line += "\n" + verdict_line(room.pen.roles, verdict)
    messages.append(message("user", line))
    room.pen.events.emit(
        "stage",
        stage=state["stage"],
        turn=state["turn"],
        of=last_turn(state["stage"], state["budget"]),
    )
    answer = await room.pen.send(
        Request(
            messages=tuple(messages),
            tools=tuple(room.tools),
            seed=room.pen.seed(state["turn"], state.get("attempt", 0)),
        )
    )
    draft = to_draft(
        answer,
        {t["function"]["name"] for t in room.tools},
        first_id=1 + last_id(trail),
    )
    room.pen.events.emit(
        "draft", turn=state["turn"], attempt=state.get("attempt", 0), calls=len(draft.calls)
    )
    return Command(update={"draft": draft}, goto="verify")
