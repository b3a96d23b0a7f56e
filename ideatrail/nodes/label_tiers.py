"""label_tiers: each turn gets its value tier and the reason (paper, section 5.2).

Provenance settles most. Where a turn stands on the border between high and normal and the judge is
a real model, it is asked, one turn at a time and blind to the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.rooms import AdvisorRoom, NoAnswerError, Pen
from ideatrail.state import State
from ideatrail.trail.answers import TierAnswer
from ideatrail.trail.turn import Trail, Turn
from ideatrail.verifier.tiers import Label, label, labels

PROMPT_VALUES: Final = ("turn_text",)
_OF_A_TEXT: Final = 4_000
"""Characters of a call's arguments that the judge is shown."""


async def label_tiers(state: State, runtime: Runtime[AdvisorRoom]) -> Command[Literal["grade"]]:
    """Label from provenance, and ask about the border."""
    trail, pen = state["trail"], runtime.context.pen
    found = labels(trail)
    if pen is not None and pen.real:
        found = await _judged(trail, found, pen)
    return Command(update={"trail": label(trail, found)}, goto="grade")


async def _judged(trail: Trail, found: Sequence[Label], pen: Pen) -> list[Label]:
    settled: list[Label] = []
    for turn, one in zip(trail.turns, found, strict=True):
        if one.border:
            try:
                answer = await pen.ask(TierAnswer, turn=turn.index, turn_text=turn_text(turn))
            except NoAnswerError:
                pass  # the rule's label stands
            else:
                one = replace(one, tier=answer.tier, reason=f"{one.reason}; judge: {answer.why}")
        settled.append(one)
    return settled


def turn_text(turn: Turn) -> str:
    """One turn as the judge reads it: its reasoning and what it asked its tools for."""
    lines = [turn.draft.reasoning, turn.draft.content]
    lines += [f"{call.name} {call.arguments[:_OF_A_TEXT]}" for call in turn.draft.calls]
    return "\n\n".join(line for line in lines if line)
