"""review_segment: a milestone's stretch of turns is judged (design, section 4)."""

from __future__ import annotations

from typing import Final, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.rooms import AdvisorRoom, need_pen
from ideatrail.state import Judgement, Outcome, PublicVerdict, Reason, State
from ideatrail.trail.answers import SegmentReview
from ideatrail.trail.leakage import BINARY_BITS
from ideatrail.trail.turn import Turn
from ideatrail.trail.verdict import Pointer
from ideatrail.verifier.segment import segment_numbers

PROMPT_VALUES: Final = ("milestone", "atoms", "numbers", "stretch")
_CHARACTERS: Final = 24_000


def stretch_text(turns: tuple[Turn, ...]) -> str:
    """The stretch in brief: reasoning whole, calls with arguments, results by their first line."""
    lines: list[str] = []
    for turn in turns:
        lines.append(f"Turn {turn.index} ({turn.stage}): {turn.draft.reasoning}")
        for call, result in turn.pairs:
            first = result.content.split("\n", 1)[0][:160]
            lines.append(f"  {call.name} {call.arguments[:300]} -> {result.status}: {first}")
    return "\n".join(lines)[-_CHARACTERS:]


async def review_segment(
    state: State, runtime: Runtime[AdvisorRoom]
) -> Command[Literal["generate", "label_tiers"]]:
    """Charge one bit, keep the review, and let the trail go on, with a verdict where it failed."""
    room = runtime.context
    trail, oracle = state["trail"], state["oracle"]
    done = trail.turns[-1].index
    milestone = next(m for m in state["milestones"] if m.by_turn == done)
    before = max((m.by_turn for m in state["milestones"] if m.by_turn < done), default=0)
    turns = tuple(t for t in trail.turns if before < t.index <= done)
    wanted = set(milestone.atoms)
    atoms = [a for a in oracle.atoms if a.id in wanted]
    review = await need_pen(room).ask(
        SegmentReview,
        turn=done,
        milestone=milestone.model_dump(),
        atoms=[a.model_dump() for a in atoms],
        numbers=segment_numbers(trail, turns, atoms),
        stretch=stretch_text(turns),
    )
    ledger = state["ledger"].charge(BINARY_BITS)
    judgement = Judgement("review_segment", done, review.ok, review.model_dump())
    judgements = (*state["judgements"], judgement)
    if ledger.spent:
        outcome = Outcome(False, (Reason("leak_cap", "ledger"),))
        return Command(
            update={"ledger": ledger, "judgements": judgements, "outcome": outcome},
            goto="label_tiers",
        )
    verdict = None if review.ok else PublicVerdict("target_drift", Pointer("reasoning"))
    return Command(
        update={"ledger": ledger, "judgements": judgements, "verdict": verdict}, goto="generate"
    )
