"""The state's channels, and the table node × reads × writes × exits.

The table is the wall's plan: a node is given the channels it reads and nothing else (LangGraph's
`input_schema`), and may write the channels listed and no others. For a node with a role the reads
are what the role's card says; the table repeats them so that a change of a shipped card shows up
as a failing test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypedDict, get_type_hints

from ideatrail.roles import Card
from ideatrail.trail.leakage import LeakLedger
from ideatrail.trail.oracle import Anchor, Milestone, Oracle, Seed
from ideatrail.trail.stage import ArtifactName, Stage
from ideatrail.trail.turn import Draft, Trail
from ideatrail.trail.verdict import Code, Pointer


@dataclass(frozen=True)
class PublicVerdict:
    """All that the Generator hears of a draft that was not taken."""

    code: Code
    pointer: Pointer


@dataclass(frozen=True)
class Tally:
    """What has been spent on mending: bounded, so that a trail always ends."""

    retries: int = 0
    rewinds: int = 0
    repairs: int = 0
    returns: int = 0
    """Times that the finished trail was sent back by its last review."""
    dropped_calls: int = 0


@dataclass(frozen=True)
class Judgement:
    """One decision of the reviewer or the judge, for the Advisor's log."""

    node: str
    turn: int
    ok: bool
    answer: dict[str, Any]


@dataclass(frozen=True)
class Reason:
    """Why a trail was rejected: a one-vote code or the acceptance rule it missed."""

    code: str
    layer: str
    pointer: Pointer | None = None


@dataclass(frozen=True)
class Outcome:
    """How the trail ended."""

    accepted: bool
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class Metrics:
    """What grade measured; values are plain numbers, strings and lists."""

    values: dict[str, Any] = field(default_factory=dict)
    grade: str = "None"
    naturalness: float = 0.0


class State(TypedDict, total=False):
    """Every channel. Absent until a node has written it."""

    # public
    direction: str
    trail: Trail
    artifacts: Mapping[ArtifactName, str]
    stage: Stage
    turn: int
    budget: int
    cutoff: str
    portrait: str
    verdict: PublicVerdict | None
    attempt: int
    draft: Draft | None
    # Advisor-only
    proposal: str
    paper: dict[str, Any]
    seed: Seed
    oracle: Oracle
    anchors: tuple[Anchor, ...]
    milestones: tuple[Milestone, ...]
    judgements: tuple[Judgement, ...]
    ledger: LeakLedger
    tally: Tally
    idea_end: Trail | None
    outcome: Outcome
    metrics: Metrics


CHANNEL_TYPES: Final[Mapping[str, Any]] = get_type_hints(State)


@dataclass(frozen=True)
class NodeSpec:
    """One row of the table."""

    name: str
    reads: frozenset[str]
    writes: frozenset[str]
    exits: tuple[str, ...]
    role: str | None = None


def _row(name: str, role: str | None, reads: str, writes: str, exits: str) -> NodeSpec:
    return NodeSpec(
        name, frozenset(reads.split()), frozenset(writes.split()), tuple(exits.split()), role
    )


_ROWS: Final = (
    _row("ingest", "reader", "proposal cutoff", "seed", "build_oracle"),
    _row("build_oracle", "oracle_builder", "seed paper", "oracle", "write_direction"),
    _row(
        "write_direction",
        "director",
        "seed oracle paper cutoff portrait",
        "direction trail portrait",
        "build_anchors",
    ),
    _row("build_anchors", "anchor_builder", "seed oracle", "anchors", "plan_milestones"),
    _row(
        "plan_milestones",
        "planner",
        "oracle anchors budget",
        "milestones stage turn artifacts attempt verdict draft judgements ledger tally",
        "generate",
    ),
    _row(
        "generate",
        "generator",
        "direction trail artifacts stage turn budget cutoff portrait verdict attempt",
        "draft",
        "verify",
    ),
    _row(
        "verify",
        "verifier",
        "trail artifacts stage turn attempt draft oracle judgements ledger tally idea_end",
        "verdict attempt draft ledger tally trail turn stage artifacts outcome",
        "generate act finish label_tiers",
    ),
    _row(
        "act",
        None,
        "trail artifacts stage turn budget attempt draft",
        "trail artifacts stage turn attempt draft verdict",
        "generate review_segment judge_convergence",
    ),
    _row(
        "review_segment",
        "reviewer",
        "trail stage turn oracle milestones judgements ledger",
        "judgements ledger verdict outcome",
        "generate label_tiers",
    ),
    _row(
        "judge_convergence",
        "judge",
        "direction trail artifacts stage turn oracle anchors judgements ledger tally",
        "judgements ledger tally verdict trail turn outcome",
        "finish extend generate review_trail label_tiers",
    ),
    _row("finish", None, "trail idea_end", "trail", "review_trail"),
    _row("extend", None, "trail cutoff portrait", "trail stage turn idea_end verdict", "generate"),
    _row(
        "review_trail",
        "verifier",
        "trail artifacts stage turn attempt draft oracle judgements ledger tally idea_end",
        "verdict attempt draft judgements ledger tally trail turn stage artifacts idea_end outcome",
        "generate finish label_tiers",
    ),
    _row("label_tiers", "labeler", "trail", "trail", "grade"),
    _row(
        "grade",
        "grader",
        "trail seed oracle anchors judgements ledger outcome",
        "metrics outcome",
        "release",
    ),
    _row("release", None, "trail cutoff ledger outcome metrics", "", "__end__"),
)

TABLE: Final[Mapping[str, NodeSpec]] = {row.name: row for row in _ROWS}


def reads(spec: NodeSpec, cards: Mapping[str, Card]) -> frozenset[str]:
    """Channels that a node is given: by its role's card, or by the table where it has no role."""
    return spec.reads if spec.role is None else frozenset(cards[spec.role].sees)


def projection(spec: NodeSpec, cards: Mapping[str, Card]) -> type[Any]:
    """The `input_schema` of a node: a TypedDict of exactly the channels it reads."""
    names = sorted(reads(spec, cards))
    fields = {name: CHANNEL_TYPES[name] for name in names}
    return TypedDict(f"{spec.name}_input", fields, total=False)  # type: ignore[operator, no-any-return]
