"""grade: the whole trail is measured and accepted or rejected (paper, sections 4.3 and 6)."""

from __future__ import annotations

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.rooms import AdvisorRoom
from ideatrail.state import Judgement, Metrics, Outcome, Reason, State
from ideatrail.verifier.grade import grade as grade_of
from ideatrail.verifier.metrics import measure


def _decided(state: State) -> Judgement | None:
    """The last convergence decision on the endpoint that the trail has."""
    endpoint = state["trail"].endpoint or "idea"
    return next(
        (
            j
            for j in reversed(state["judgements"])
            if j.node == "judge_convergence" and j.answer["endpoint"] == endpoint
        ),
        None,
    )


async def grade(state: State, runtime: Runtime[AdvisorRoom]) -> Command[Literal["release"]]:
    """Acceptance: leakage = 0, grounding >= eta, naturalness >= nu; gamma chose the endpoint."""
    room = runtime.context
    settings = room.settings
    own = _decided(state)
    convergence = own.answer["score"] if own else None
    values = measure(
        state["trail"],
        oracle=state["oracle"],
        convergence=convergence,
        ledger=state["ledger"],
        lexicon=room.lexicon,
        cutoff=room.world.cutoff,
        target_titles=room.world.withheld.titles,
    )
    outcome = state.get("outcome")
    if outcome is None:
        reasons: list[Reason] = []
        if values["leakage"] > 0:
            reasons.append(Reason("oracle_leakage", "whole trail"))
        if values["grounding"] < settings.eta:
            reasons.append(Reason("grounding", "metrics"))
        if values["naturalness"] < settings.nu:
            reasons.append(Reason("naturalness", "metrics"))
        outcome = Outcome(accepted=not reasons, reasons=tuple(reasons))
    metrics = Metrics(
        values=values,
        grade=grade_of(values, accepted=outcome.accepted),
        naturalness=values["naturalness"],
    )
    return Command(update={"metrics": metrics, "outcome": outcome}, goto="release")
