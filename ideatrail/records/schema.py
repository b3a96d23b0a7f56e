"""The record as pydantic models: what `schemas/record.json` is generated from.

Keys are as the paper has them, ours under `_trail`. A key that is absent stays absent: dump with
`dump`, which leaves unset keys out, so that absent, null and the string `"None"` are three things.
Unknown keys survive a round trip where they begin with an underscore; any other is a mistake.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from ideatrail.trail.stage import Endpoint, Stage
from ideatrail.trail.turn import Status, Tier
from ideatrail.trail.verdict import Part

FORMAT_VERSION: Final = 1
"""Raised whenever a reader of the `_trail` block would have to know of a change."""

Grade = Annotated[str, Field(pattern=r"^([A-Z]|None)$")]
ISO_DAY: Final = r"^\d{4}-\d{2}-\d{2}"


def _no_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


def absent(**rules: Any) -> Any:
    """A key that may be left out. Null, as the wild has it, is kept; our schema knows no null."""
    return Field(default=None, json_schema_extra=_no_default, **rules)


class Keyed(BaseModel):
    """Base of every object of a record: own keys, and any more that begin with an underscore."""

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        use_attribute_docstrings=True,
        json_schema_extra={"additionalProperties": False, "patternProperties": {"^_": {}}},
    )

    @model_validator(mode="after")
    def _extras_are_underscored(self) -> Self:
        plain = sorted(k for k in self.__pydantic_extra__ or {} if not k.startswith("_"))
        if plain:
            raise ValueError(f"unknown key {plain[0]!r}; keys of your own begin with '_'")
        return self


class Function(Keyed):
    """What a call asks for."""

    name: str
    """A tool of `tools`. Never empty in our records; the wild has empty ones."""
    arguments: str
    """The arguments as JSON text, exactly as the model wrote them."""


class ToolCall(Keyed):
    """One call of an assistant message."""

    id: str
    """Unique in the whole record (in the wild: in its batch only)."""
    type: Literal["function"]
    function: Function


class SystemMessage(Keyed):
    """The first message: the Generator's brief. Its first ISO date is the cutoff."""

    role: Literal["system"]
    content: str


class UserMessage(Keyed):
    """The second message, and the only one of its kind: the direction."""

    role: Literal["user"]
    content: str


class AssistantMessage(Keyed):
    """One turn of the Generator."""

    role: Literal["assistant"]
    content: str
    """Visible text; mostly empty."""
    reasoning_content: str = Field(pattern=r"\S")
    """Reasoning of the turn; never blank."""
    tool_calls: list[ToolCall] | SkipJsonSchema[None] = absent()
    """Calls of the turn, in order; absent where the message makes none."""
    value_tier: Tier | SkipJsonSchema[None] = absent()
    """Worth of the turn as training data (paper, section 5.2); absent where not labelled."""


class ToolMessage(Keyed):
    """What one call gave back."""

    role: Literal["tool"]
    tool_call_id: str
    """The call of the assistant message just before that this answers."""
    name: str
    """The tool that was called."""
    content: str
    """The observation, or a refusal that begins `Error: `."""


Message = Annotated[
    SystemMessage | UserMessage | AssistantMessage | ToolMessage, Field(discriminator="role")
]


class StageMark(Keyed):
    """Where a stage begins."""

    stage: Stage
    from_message: int = Field(ge=2)
    """Index in `messages` of the first assistant message of the stage."""


class TurnMark(Keyed):
    """A turn, its stage, and what it took."""

    message: int = Field(ge=2)
    """Index in `messages` of the turn's assistant message."""
    stage: Stage
    retries: int = Field(ge=0)
    """Drafts of this turn that were not taken before this one."""


class ResultMark(Keyed):
    """What became of one call."""

    status: Status
    """`ok`; `refused` (settled: this call gives nothing); `error` (could not look)."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Hash of the tool message's content in UTF-8, in hex: its key in the observation store."""
    date_latest: str | None
    """Latest moment, ISO 8601 in UTC, that any evidence shown can date from; null: none shown."""


class TierReason(Keyed):
    """Why a turn has its tier."""

    message: int = Field(ge=2)
    """Index in `messages` of the assistant message."""
    reason: str


class ReasonPointer(Keyed):
    """A place in the Generator's own draft."""

    part: Part
    call: int | None = None
    """Index of the call in the draft, from 0."""
    section: str | None = None
    """A heading or id of the Generator's own text."""


class RejectionReason(Keyed):
    """Why a trail was rejected."""

    code: str
    """A one-vote code, or the acceptance rule that was missed."""
    layer: str
    """Which layer of the check found it."""
    pointer: ReasonPointer | None = None


class TrailBlock(Keyed):
    """`_trail`: what is ours. No wall-clock time stands in it."""

    format_version: Literal[1]
    """Version of this block's form."""
    outcome: Literal["accepted", "rejected"]
    """Only accepted records are released."""
    endpoint: Endpoint | None
    """Where the trail ends; null where a rejected one reached no end."""
    cutoff: str = Field(pattern=ISO_DAY)
    """Information horizon: a day (its end at UTC−12) or a timestamp."""
    corpus: str
    """Name or hash of the paper index that was searched."""
    stages: list[StageMark]
    """Stages in the order they opened."""
    turns: list[TurnMark]
    """One entry an assistant message, in order."""
    results: dict[str, ResultMark]
    """One entry a call, by call id, in the order of the calls."""
    metrics: dict[str, Any]
    """What the grader measured, by name."""
    ledger_bits: float = Field(ge=0)
    """Bits that oracle-dependent verdicts may have told (contract, "The leak ledger")."""
    tier_reasons: list[TierReason]
    """Why each labelled turn has its tier."""
    reasoning_source: Literal["native", "visible"]
    """`native`: reasoning as the provider returned it in every turn; `visible`: written as text."""
    models: dict[str, str]
    """Slot → `provider:name`."""
    usage: dict[str, Any]
    """Tokens by role; null is unknown, never zero."""
    fingerprint: str
    """Hash of everything that the record depends on."""
    reasons: list[RejectionReason] | SkipJsonSchema[None] = absent()
    """On rejected trails only: why."""


class Record(Keyed):
    """One JSONL line: one whole trail."""

    sample_id: str = Field(min_length=1)
    """Unique in a release; tells nothing of the target."""
    messages: list[Message] = Field(min_length=3)
    """System, user, then assistant and tool messages; the last is an assistant message."""
    tools: list[dict[str, Any]]
    """The tool definitions that the Generator was offered."""
    parallel_tool_calls: Literal[True]
    src: str = Field(alias="_src")
    """What made the record: `ideatrail-<model provider>`."""
    grade: Grade | SkipJsonSchema[None] = absent(alias="_grade")
    """A letter; the string `None`: graded, none earned; absent: not graded."""
    naturalness: float | SkipJsonSchema[None] = absent(alias="_naturalness")
    """Naturalness of the whole trail, from 0 to 1."""
    proposal_synth: Literal[True] | SkipJsonSchema[None] = absent(alias="_proposal_synth")
    """True on proposal trails, else absent."""
    proposal_path: str | SkipJsonSchema[None] = absent(alias="_proposal_path")
    """Workspace path of the proposal the trail wrote; absent on idea trails."""
    trail: TrailBlock | SkipJsonSchema[None] = absent(alias="_trail")
    """Ours; absent in the paper's own release."""


def dump(record: Record) -> dict[str, Any]:
    """The record as a plain dict with its own keys; what was absent stays absent."""
    return record.model_dump(by_alias=True, exclude_unset=True)
