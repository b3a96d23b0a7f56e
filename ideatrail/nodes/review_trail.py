"""review_trail: the finished trail is checked once more, as a whole, before it is labelled.

Here more is known than when each turn was drafted: which titles the trail came to observe later.
A one-vote fault sends the trail back, once, to the last turn before it; both outcomes stand among
the judgements. A second fault rejects it, or cuts a proposal back to the idea that stood before.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.act import artifacts_of
from ideatrail.nodes.rooms import AdvisorRoom
from ideatrail.state import Judgement, Outcome, PublicVerdict, Reason, State
from ideatrail.trail.leakage import draft_bits
from ideatrail.trail.turn import Trail, Turn
from ideatrail.trail.verdict import Pointer, Verdict

NAME = "review_trail"
Exit = Literal["generate", "finish", "label_tiers"]


async def review_trail(state: State, runtime: Runtime[AdvisorRoom]) -> Command[Exit]:
    """Pass the trail on, send it back once, cut it back, or reject it."""
    trail, tally = state["trail"], state["tally"]
    fault = _first_fault(trail, state, runtime.context)
    judgement = Judgement(NAME, len(trail.turns), fault is None, _told(fault))
    update: dict[str, Any] = {"judgements": (*state["judgements"], judgement)}
    if fault is None:
        update["ledger"] = state["ledger"].charge(draft_bits(passed=True))
        return Command(update=update, goto="label_tiers")
    turn, verdict = fault
    finding = verdict.findings[0]
    if verdict.charged:
        # Where the trail is taken up again tells in which of its turns the fault lay.
        told = draft_bits(passed=False) + math.log2(len(trail.turns))
        update["ledger"] = state["ledger"].charge(told)
        if update["ledger"].spent:
            update["outcome"] = Outcome(False, (Reason("leak_cap", "ledger"),))
            return Command(update=update, goto="label_tiers")
    idea = state.get("idea_end")
    if tally.returns == 0:
        # The idea's closing message gave way to the proposal's first: up to there it is one trail.
        inside = idea is not None and turn.index >= len(idea.turns)
        base = trail if inside or idea is None else idea
        shorter = base.rewind(turn.index - 1)
        update |= {
            "tally": replace(tally, returns=1),
            "trail": shorter,
            "artifacts": artifacts_of(shorter),
            "stage": turn.stage,
            "turn": turn.index,
            "attempt": turn.retries + 1,
            "verdict": PublicVerdict(finding.code, Pointer(finding.pointer.part)),
            "draft": None,
        }
        if not inside:
            update["idea_end"] = None
        return Command(update=update, goto="generate")
    if trail.endpoint == "proposal" and idea is not None and turn.index >= len(idea.turns):
        return Command(update=update, goto="finish")
    reason = Reason(finding.code, finding.layer, finding.pointer)
    update["outcome"] = Outcome(False, (reason,))
    return Command(update=update, goto="label_tiers")


def _first_fault(trail: Trail, state: State, room: AdvisorRoom) -> tuple[Turn, Verdict] | None:
    judged = room.verifier.audit(trail, state["oracle"])
    return next(((turn, verdict) for turn, verdict in judged if not verdict.ok), None)


def _told(fault: tuple[Turn, Verdict] | None) -> dict[str, Any]:
    """What stands on the Advisor's record."""
    if fault is None:
        return {}
    turn, verdict = fault
    return {
        "turn": turn.index,
        "code": verdict.code,
        "charged": verdict.charged,
        "findings": [f"{f.code}: {f.detail or f.layer}" for f in verdict.findings],
    }
