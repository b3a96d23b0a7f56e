"""Structured answers of the Advisor-side roles; their JSON Schemas go into `schemas/`.

An offline model knows its task by the schema's `title`, a real one by the prompt.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from ideatrail.trail.oracle import Anchor, Atom, Lock, Milestone


class StructuredAnswer(BaseModel):
    """Base of every structured answer: unknown keys are an error."""

    model_config = ConfigDict(extra="forbid")


A = TypeVar("A", bound=StructuredAnswer)


class Asks(Protocol):
    """A role's way to its model; the nodes' `Pen` is one."""

    async def ask(
        self, answer_type: type[A], *, turn: int = 0, attempt: int = 0, **values: Any
    ) -> A:
        """A structured answer, validated against its schema."""
        ...


class OracleAnswer(StructuredAnswer):
    """build_oracle: final atoms, artifact atoms, dependencies and leakage locks."""

    atoms: list[Atom]
    locks: list[Lock]


class DirectionAnswer(StructuredAnswer):
    """write_direction: the user's message."""

    direction: str = Field(min_length=40)
    topic: str = Field(min_length=3, max_length=80)
    """A few words on the topic; the workspace folder is named after them."""


class AnchorsAnswer(StructuredAnswer):
    """build_anchors: the four anchor artifacts."""

    anchors: list[Anchor]


class MilestonesAnswer(StructuredAnswer):
    """plan_milestones: the public plan with atoms hung on it."""

    milestones: list[Milestone]


class SegmentReview(StructuredAnswer):
    """review_segment: whether a stretch of turns went as research does."""

    grounded: bool
    progress: float = Field(ge=0, le=1)
    """Share of the milestone's atoms that have been observed or written."""
    on_target: bool
    natural: bool
    ok: bool
    why: str


class ConvergenceAnswer(StructuredAnswer):
    """judge_convergence: does the idea or proposal share problem, mechanism and direction?"""

    core_problem: float = Field(ge=0, le=1)
    mechanism: float = Field(ge=0, le=1)
    direction: float = Field(ge=0, le=1)
    score: float = Field(ge=0, le=1)
    why: str


class TierAnswer(StructuredAnswer):
    """label_tiers: which side of the border between high and normal a turn stands on."""

    tier: Literal["high", "normal"]
    why: str


class LeakageAnswer(StructuredAnswer):
    """verify: whether a draft paraphrases what is hidden."""

    leaks: bool
    part: Literal["reasoning", "call", "file"]
    why: str


Slot = Literal["generator", "advisor", "judge"]
