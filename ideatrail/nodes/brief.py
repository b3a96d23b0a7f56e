"""What the Generator is told: the brief, the passing stage line, the verdict's fixed wording.

Everything here is made from public channels alone (design, section 3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal

from ideatrail.roles import Roles
from ideatrail.state import PublicVerdict
from ideatrail.trail.artifacts import parse
from ideatrail.trail.stage import STAGE_ARTIFACT, ArtifactName, Endpoint, Stage, stage_ends
from ideatrail.trail.text import STOPWORDS, words
from ideatrail.trail.turn import Trail
from ideatrail.trail.verdict import Pointer

PROMPT_VALUES: Final[tuple[str, ...]] = (
    "slug",
    "form",
    "last_turn",
    "due",
    "code",
    "where",
    "thinking",
)
"""Names that the Generator's prompts are given besides the channels its card sees."""

Thinking = Literal["native", "visible"]
"""Where the model's thinking is found: in what the endpoint returns apart, or in the text."""

CLOSING_TURNS: Final = 2
"""Turns that a finished stage may take beyond its end to close."""

_SLUG_WORDS: Final = 6
_TOPIC: Final = re.compile(r"research_topics/([a-z0-9-]+)/")


def slug(topic: str) -> str:
    """Folder name of a topic phrase: at most six words of it, hyphenated ASCII."""
    kept = [w for w in words(topic) if w not in STOPWORDS and w.isascii()][:_SLUG_WORDS]
    return "-".join(kept) or "research-question"


def topic_slug(trail: Trail) -> str:
    """The topic folder that a trail's brief names."""
    match = _TOPIC.search(trail.system)
    if match is None:
        raise ValueError("the brief names no research_topics/<slug>/ folder")
    return match.group(1)


def brief(roles: Roles, topic: str, cutoff: str, portrait: str | None, form: Endpoint) -> str:
    """The system prompt, in its idea or its proposal form.

    The date is the first ISO date in it, by which readers know the cutoff.
    """
    return roles.prompt(
        "generator", "system", slug=topic, cutoff=cutoff, portrait=portrait, form=form
    )


def last_turn(stage: Stage, budget: int) -> int:
    """The turn by which the stage's endpoint must stand: the idea's, or the proposal's."""
    return stage_ends(budget)["propose" if stage == "propose" else "ideate"]


def stage_line(
    roles: Roles,
    stage: Stage,
    turn: int,
    budget: int,
    artifacts: Mapping[ArtifactName, str],
    thinking: Thinking = "native",
) -> str:
    """The line that ends each request. For `visible` thinking it asks for it in the text."""
    file = STAGE_ARTIFACT[stage]
    due = ""
    if file is not None:
        state = parse(file, artifacts.get(file)).state
        wanted = {"absent": "begun", "skeleton": "filled", "draft": "filled"}.get(state, "final")
        due = f"{file} should be {wanted}." if state != "final" else f"{file} is final."
    return roles.prompt(
        "generator",
        "stage_line",
        stage=stage,
        turn=turn,
        last_turn=last_turn(stage, budget),
        due=due,
        thinking=thinking,
    )


def place(pointer: Pointer) -> str:
    """A pointer in words; calls are counted from 1."""
    where: str = pointer.part
    if pointer.part == "call" and pointer.call is not None:
        where = f"call {pointer.call + 1}"
    if pointer.section:
        where += f", {pointer.section}"
    return where


def verdict_line(roles: Roles, verdict: PublicVerdict) -> str:
    """What the Generator reads of a draft that was not taken."""
    values: dict[str, Any] = {"code": verdict.code, "where": place(verdict.pointer)}
    return roles.prompt("generator", "verdict", **values)
