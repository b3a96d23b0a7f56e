"""act: the calls of an accepted draft run side by side; the turn is closed (design, section 4).

Stages open here by public rules: the artifact before stands filled, or its share of turns is spent.
"""

from __future__ import annotations

from typing import Final, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.brief import CLOSING_TURNS, last_turn, stage_line
from ideatrail.nodes.rooms import ToolRoom
from ideatrail.state import State
from ideatrail.trail.artifacts import artifact_name, parse
from ideatrail.trail.stage import (
    STAGE_ARTIFACT,
    STAGES,
    ArtifactName,
    Stage,
    plan_public,
    stage_ends,
    stage_rank,
)
from ideatrail.trail.turn import ArtifactChange, Result, Trail, Turn

Exit = Literal["generate", "review_segment", "judge_convergence"]

_OPENS_NEXT: Final = ("filled", "final")


def artifacts_of(trail: Trail) -> dict[ArtifactName, str]:
    """The artifacts' text as the trail's changes leave them."""
    found: dict[ArtifactName, str] = {}
    for turn in trail.turns:
        for change in turn.changes:
            name = artifact_name(change.path)
            if name is not None:
                found[name] = change.after
    return found


def next_stage(stage: Stage, turn: int, budget: int, artifacts: dict[ArtifactName, str]) -> Stage:
    """Stage of the turn after `turn`; `propose` is opened by extend alone."""
    ends = stage_ends(budget)
    while stage not in ("ideate", "propose"):
        file = STAGE_ARTIFACT[stage]
        filled = file is not None and parse(file, artifacts.get(file)).state in _OPENS_NEXT
        if turn < ends[stage] and not filled:
            break
        stage = STAGES[stage_rank(stage) + 1]
        if filled:
            break  # one stage at a time: the next one has turns of its own
    return stage


def is_over(stage: Stage, turn: Turn, budget: int, artifacts: dict[ArtifactName, str]) -> bool:
    """Whether the trail has come to an endpoint, or to the end of its turns."""
    if not turn.draft.calls:
        return stage in ("ideate", "propose")
    last = last_turn(stage, budget)
    if turn.index < last:
        return False
    file = STAGE_ARTIFACT[stage]
    final = file is not None and parse(file, artifacts.get(file)).state == "final"
    return turn.index >= last + (CLOSING_TURNS if final else 0)


async def act(state: State, runtime: Runtime[ToolRoom]) -> Command[Exit]:
    """Run the draft's calls and append the turn."""
    room = runtime.context
    draft, trail = state["draft"], state["trail"]
    assert draft is not None
    for call in draft.calls:
        room.events.emit("call", turn=state["turn"], name=call.name, arguments=call.parsed)
    outcomes = await room.bench.run(trail, draft.calls)
    results: list[Result] = []
    changes: list[ArtifactChange] = []
    for call, outcome in zip(draft.calls, outcomes, strict=True):
        sha = room.observations.put(
            outcome.content, {"tool": call.name, "arguments": call.parsed}, outcome.date_latest
        )
        saved = None
        if outcome.saved is not None:
            saved = room.observations.put(
                outcome.saved[1], {"file": outcome.saved[0]}, outcome.date_latest
            )
        results.append(
            Result(
                call_id=call.id,
                name=call.name,
                content=outcome.content,
                status=outcome.status,
                sha256=sha,
                date_latest=outcome.date_latest,
                source_file=outcome.source_file,
                observed=outcome.observed,
                saved_sha256=saved,
            )
        )
        if outcome.change is not None:
            changes.append(outcome.change)
        room.events.emit(
            "result",
            turn=state["turn"],
            name=call.name,
            status=outcome.status,
            chars=len(outcome.content),
        )
    turn = Turn(
        index=state["turn"],
        stage=state["stage"],
        stage_line=stage_line(
            room.roles, state["stage"], state["turn"], state["budget"], state.get("artifacts", {})
        ),
        draft=draft,
        results=tuple(results),
        changes=tuple(changes),
        retries=state["attempt"],
    )
    longer = trail.append(turn)
    artifacts = artifacts_of(longer)
    budget, stage = state["budget"], state["stage"]
    over = is_over(stage, turn, budget, artifacts)
    goto: Exit = "generate"
    if over:
        goto = "judge_convergence"
    elif turn.index in {m.by_turn for m in plan_public(budget)}:
        goto = "review_segment"
    return Command(
        update={
            "trail": longer,
            "artifacts": artifacts,
            "stage": stage if over else next_stage(stage, turn.index, budget, artifacts),
            "turn": turn.index + 1,
            "attempt": 0,
            "draft": None,
            "verdict": None,
        },
        goto=goto,
    )
