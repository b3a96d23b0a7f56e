"""generate: one assistant message, from public channels alone (paper, section 4.8)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, Literal

import orjson
from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.models.adapter import prompt_tokens
from ideatrail.models.endings import EndingError, ending_of
from ideatrail.models.protocol import Answer, Message, Request, message
from ideatrail.nodes.brief import Thinking, last_turn, stage_line, verdict_line
from ideatrail.nodes.history import fit, history, kept_parts
from ideatrail.nodes.rooms import GeneratorRoom
from ideatrail.state import PublicVerdict, State
from ideatrail.trail.turn import Call, Draft, Trail

REASONING_BLANK: Final = "blank reasoning"
OVERFLOWS: Final = 3
"""How often a request that the endpoint finds too long is made shorter before it is given up."""
SHORTER: Final = 0.6
"""Share of its length to which it is made shorter each time."""

_TAGGED: Final = re.compile(
    r"\s*<(thinking|think|thought|reasoning)>(.*?)(?:</\1>|\Z)\s*", re.DOTALL | re.IGNORECASE
)
_LOST: Final = {
    "cut_off": "the answer was cut off at its largest length",
    "spent_on_reasoning": "the answer's largest length was spent on reasoning",
    "refused": "the model refused to answer",
}


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
    given: set[str] = set()
    for index, part in enumerate(answer.calls):
        parsed: dict[str, Any] = {}
        fault = ""
        if not part.name:
            fault = "empty tool name"
        elif part.name not in tool_names:
            fault = f"unknown tool {part.name!r}"
        elif part.id and part.id in given:
            fault = f"the id {part.id!r} of another call"
        given.add(part.id)
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
    lost = _LOST.get(ending_of(answer))
    if lost:
        faults.append(lost)
    reasoning, content = answer.reasoning.strip(), answer.text.strip()
    source: Thinking = "native"
    tagged = _TAGGED.match(content)
    if reasoning and tagged:
        # It was asked to think in the text, and thought apart as well.
        reasoning += "\n\n" + tagged.group(2).strip()
        content = content[tagged.end() :].strip()
    if not reasoning:
        # Where an endpoint hides its reasoning the prompt asks for visible thinking instead.
        reasoning, content = visible_thinking(content, closing=not calls)
        source = "visible" if reasoning else "native"
    if not reasoning:
        faults.append(REASONING_BLANK)
    return Draft(
        reasoning,
        content,
        tuple(calls),
        tuple(faults),
        faulty,
        source,
        kept_parts(answer, first_id),
    )


def visible_thinking(text: str, *, closing: bool) -> tuple[str, str]:
    """Thinking that was written into the text, and the rest of it.

    It stands in tags. Without tags all text before calls is thinking, and of a closing message all
    but its last paragraph.
    """
    tagged = _TAGGED.match(text)
    if tagged:
        return tagged.group(2).strip(), text[tagged.end() :].strip()
    if not closing:
        return text, ""
    before, _, last = text.rpartition("\n\n")
    return before.strip(), last.strip()


def thinking_of(trail: Trail, verdict: PublicVerdict | None, *, hidden: bool) -> Thinking:
    """Whether to ask for visible thinking: where the endpoint is known to hide its own, where it
    has been found in the text before, and where the last draft came without any."""
    lost = (
        verdict is not None
        and verdict.code == "malformed_call"
        and verdict.pointer.part == "reasoning"
    )
    found = any(turn.draft.reasoning_source == "visible" for turn in trail.turns)
    return "visible" if hidden or found or lost else "native"


async def generate(state: State, runtime: Runtime[GeneratorRoom]) -> Command[Literal["verify"]]:
    """Ask the Generator for one message. The state's `verdict` is all it hears of a lost draft."""
    room = runtime.context
    trail, verdict = state["trail"], state.get("verdict")
    line = stage_line(
        room.pen.roles,
        state["stage"],
        state["turn"],
        state["budget"],
        state.get("artifacts", {}),
        thinking_of(trail, verdict, hidden=room.pen.traits.hides_reasoning),
    )
    if verdict is not None:
        line += "\n" + verdict_line(room.pen.roles, verdict)
    room.pen.events.emit(
        "stage",
        stage=state["stage"],
        turn=state["turn"],
        of=last_turn(state["stage"], state["budget"]),
    )
    rest = Request(
        messages=(message("user", line),),
        tools=tuple(room.tools),
        seed=room.pen.seed(state["turn"], state.get("attempt", 0)),
    )
    answer = await _ask(room, trail, rest)
    draft = to_draft(
        answer,
        {t["function"]["name"] for t in room.tools},
        first_id=1 + last_id(trail),
    )
    room.pen.events.emit(
        "draft", turn=state["turn"], attempt=state.get("attempt", 0), calls=len(draft.calls)
    )
    return Command(update={"draft": draft}, goto="verify")


async def _ask(room: GeneratorRoom, trail: Trail, rest: Request) -> Answer:
    """Send the history and `rest`; shorter where it nears the window, or where the endpoint finds
    it too long: windows may be unknown, and our count of tokens is not the endpoint's."""
    traits = room.pen.traits
    allowed = None if traits.window is None else traits.window - traits.answer_room
    for _ in range(OVERFLOWS):
        told = history(trail) if allowed is None else fit(trail, rest, allowed)
        request = _with(rest, told)
        try:
            return await room.pen.send(request)
        except EndingError as error:
            if error.ending != "context_overflow":
                raise
            allowed = int(SHORTER * min(prompt_tokens(request), allowed or prompt_tokens(request)))
    return await room.pen.send(_with(rest, fit(trail, rest, allowed or 0)))


def _with(rest: Request, told: list[Message]) -> Request:
    return replace(rest, messages=(*told, *rest.messages))
