"""write_direction: the user's message, gated by the leakage check (paper, section 4.5)."""

from __future__ import annotations

from typing import Any, Final, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.brief import brief, slug
from ideatrail.nodes.rooms import AdvisorRoom, InputRefused, need_pen
from ideatrail.state import State
from ideatrail.trail.answers import DirectionAnswer
from ideatrail.trail.oracle import Oracle
from ideatrail.trail.turn import Trail
from ideatrail.verifier.check import Verifier

PROMPT_VALUES: Final = ("question", "context", "forbidden", "feedback")
REWRITES: Final = 3
_FINDS: Final = 20


async def write_direction(
    state: State, runtime: Runtime[AdvisorRoom]
) -> Command[Literal["build_anchors"]]:
    """Write the direction and open the trail.

    Raises:
        InputRefused: no direction passes the gate within REWRITES rewrites, or the literature
            under the cutoff holds too little to begin with.
    """
    room = runtime.context
    seed, oracle = state["seed"], state["oracle"]
    portrait = state.get("portrait") or ""
    told = room.verifier.direction_faults(portrait, oracle) if portrait else []
    if told and str(room.settings.portrait) == "auto":
        portrait, told = _without_telling(portrait, room.verifier, oracle), []
    if told:
        raise InputRefused(f"--portrait: it may not tell of the proposal's answer ({told[0]})")
    forbidden = [form for lock in oracle.locks for form in lock.forms]
    feedback: list[str] = []
    for attempt in range(REWRITES + 1):
        answer = await need_pen(room).ask(
            DirectionAnswer,
            attempt=attempt,
            question=seed.research_question or seed.extra.get("motivation", ""),
            context=_context(seed.extra),
            forbidden=forbidden,
            feedback=feedback,
        )
        faults = room.verifier.direction_faults(
            f"{answer.direction}\n{answer.topic}\n{slug(answer.topic).replace('-', ' ')}", oracle
        )
        if not faults:
            break
        feedback += [fault for fault in faults if fault not in feedback]
    else:
        raise InputRefused(
            "no starting message could be written that keeps the proposal's answer out of it; "
            "state the research question apart from the method"
        )
    # Quotes would ask for the phrase word by word; here the topic is meant.
    found = await room.world.search(answer.direction.replace('"', " "), _FINDS)
    hits = found.hits
    if len(hits) < room.settings.min_papers:
        raise InputRefused(
            f"the literature holds only {len(hits)} papers on this question up to "
            f"{state['cutoff']} (at least {room.settings.min_papers} are needed): "
            "give a later --cutoff or another --corpus"
        )
    system = brief(room.roles, slug(answer.topic), state["cutoff"], portrait, "idea")
    return Command(
        update={
            "direction": answer.direction,
            "trail": Trail(system, answer.direction),
            "portrait": portrait,
        },
        goto="build_anchors",
    )


def _without_telling(portrait: str, verifier: Verifier, oracle: Oracle) -> str:
    """A distilled portrait without the lines that tell of the answer; nothing, where it still
    tells without them."""
    kept = (line for line in portrait.split("\n") if not verifier.direction_faults(line, oracle))
    text = "\n".join(kept)
    return "" if verifier.direction_faults(text, oracle) else text


def _context(extra: dict[str, Any]) -> str:
    """What may be told of the setting: the motivation, never method, novelty or evaluation."""
    return str(extra.get("motivation", ""))
