"""judge_convergence: idea or proposal trail (paper, section 5.1; equation 6).

The score chooses the endpoint, it does not force one: at or above gamma an idea goes on to a
proposal, between delta and gamma it is kept as an idea, below delta the trail has drifted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.act import artifacts_of
from ideatrail.nodes.build_oracle import rarities
from ideatrail.nodes.rooms import AdvisorRoom, need_pen
from ideatrail.state import Judgement, Outcome, PublicVerdict, Reason, State
from ideatrail.trail.answers import ConvergenceAnswer
from ideatrail.trail.artifacts import Artifact, parse
from ideatrail.trail.leakage import BINARY_BITS
from ideatrail.trail.stage import ArtifactName
from ideatrail.trail.turn import Trail
from ideatrail.trail.verdict import Pointer

PROMPT_VALUES: Final = ("anchor", "candidate", "endpoint", "rarities")
Exit = Literal["finish", "extend", "generate", "review_trail", "label_tiers"]


def candidate_text(idea: Artifact, audit: Artifact) -> dict[str, Any]:
    """The selected idea with the claims it rests on, as the judge reads it."""
    chosen = idea.selected
    if chosen is None:
        return {}
    claims = {c.id: c.text for c in audit.claims}
    return {
        "name": chosen.name,
        "mechanism": chosen.mechanism,
        "novelty": chosen.novelty,
        "risk": chosen.risk,
        "decision": chosen.decision,
        "rests_on": [claims[i] for i in chosen.rests_on if i in claims],
    }


async def judge_convergence(state: State, runtime: Runtime[AdvisorRoom]) -> Command[Exit]:
    """Choose the endpoint, repair once, cut back, or reject."""
    room = runtime.context
    trail, proposing = state["trail"], state["stage"] == "propose"
    settings, tally = room.settings, state["tally"]
    name: ArtifactName = "research_proposal.md" if proposing else "idea_candidates.md"
    texts = artifacts_of(trail)
    artifact = parse(name, texts.get(name))
    closed = bool(trail.turns) and not trail.turns[-1].draft.calls
    if artifact.state != "final" or not closed:
        if proposing:
            return Command(update={}, goto="finish")  # cut back to the idea endpoint
        return _incomplete(trail)

    anchor = next(a for a in state["anchors"] if a.artifact == name)
    candidate = (
        {s.heading: s.body for s in artifact.sections}
        if proposing
        else candidate_text(artifact, parse("claim_audit.md", texts.get("claim_audit.md")))
    )
    answer = await need_pen(room).ask(
        ConvergenceAnswer,
        turn=state["turn"],
        attempt=tally.repairs,
        direction=state["direction"],
        endpoint="proposal" if proposing else "idea",
        anchor=anchor.model_dump(),
        candidate=candidate,
        rarities=rarities(
            [str(v) for v in candidate.values()] + [s.text for s in anchor.sections], room.lexicon
        ),
    )
    # q is 1/2 for going on and 1/4 each for keeping the idea and for dropping it.
    passed = answer.score >= settings.gamma
    told = BINARY_BITS if proposing or passed else 2 * BINARY_BITS
    ledger = state["ledger"].charge(told)
    decided = {"endpoint": "proposal" if proposing else "idea", **answer.model_dump()}
    judgement = Judgement("judge_convergence", trail.turns[-1].index, passed, decided)
    update: dict[str, Any] = {
        "ledger": ledger,
        "judgements": (*state["judgements"], judgement),
    }
    if ledger.spent:
        update["outcome"] = Outcome(False, (Reason("leak_cap", "ledger"),))
        return Command(update=update, goto="label_tiers")
    if proposing:
        if passed:
            return Command(update=update, goto="review_trail")
        if tally.repairs == 0:
            update["tally"] = replace(tally, repairs=1)
            update["verdict"] = PublicVerdict("target_drift", Pointer("file"))
            update["trail"] = trail.rewind(len(trail.turns) - 1)
            update["turn"] = trail.turns[-1].index
            return Command(update=update, goto="generate")
        return Command(update=update, goto="finish")
    if passed:
        return Command(update=update, goto="extend")
    if answer.score >= settings.delta:
        return Command(update=update, goto="finish")
    update["outcome"] = Outcome(
        False, (Reason("target_drift", "judge", Pointer("file", section=artifact_id(artifact))),)
    )
    return Command(update=update, goto="label_tiers")


def artifact_id(artifact: Artifact) -> str | None:
    """Id of the selected candidate, for the reason on record."""
    return artifact.selected.id if artifact.selected else None


def _incomplete(trail: Trail) -> Command[Exit]:
    pointer = Pointer("file", section=_unfinished(trail))
    outcome = Outcome(False, (Reason("incomplete", "artifacts", pointer),))
    return Command(update={"outcome": outcome}, goto="label_tiers")


def _unfinished(trail: Trail) -> str | None:
    """The first artifact that is not final."""
    texts = artifacts_of(trail)
    names: tuple[ArtifactName, ...] = ("claim_audit.md", "synthesis.md", "idea_candidates.md")
    return next((n for n in names if parse(n, texts.get(n)).state != "final"), None)
