"""What a node may reach besides its state: one room a kind of node.

The state's projection keeps secrets out of a node's input; rooms keep them out of its hands. The
Generator's room holds a model and the texts it is prompted with, no tool, no index, no verifier.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeVar

import orjson
from pydantic import ValidationError

from ideatrail.events import EventStream
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.evidence.observations import Observations
from ideatrail.evidence.world import World
from ideatrail.models.endings import AnswerEnding, EndingError, ending_of
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.protocol import (
    Answer,
    ChatModel,
    Message,
    ModelError,
    Request,
    Traits,
    message,
    traits_of,
)
from ideatrail.nodes.bench import Bench
from ideatrail.proposals.source import Proposal
from ideatrail.roles import CardError, Roles
from ideatrail.settings import Settings
from ideatrail.state import Metrics, Outcome
from ideatrail.trail.answers import Slot, StructuredAnswer
from ideatrail.trail.leakage import LeakLedger
from ideatrail.trail.turn import Trail
from ideatrail.verifier.check import Verifier

OFFLINE: Final = "offline"
A = TypeVar("A", bound=StructuredAnswer)

STRUCTURED_ATTEMPTS: Final = 3
"""Answers asked for before a structured answer that does not validate is given up."""


_FED_BACK: Final = 4_000
"""Characters of an answer that is fed back with what is wrong in it."""
_NO_ANSWER: Final[Mapping[AnswerEnding, str]] = {
    "cut_off": "That answer was cut off at its largest length. Give it again, shorter.",
    "spent_on_reasoning": "All room was spent on thinking and none was left for the answer. "
    "Think briefly, then give the answer.",
    "refused": "That was no answer. Give the answer that was asked for.",
}
"""What is fed back where the answer is missing, by how it ended; else it does not fit."""


class NoAnswerError(ModelError):
    """A model gave no structured answer that holds, however often it was asked."""

    def __init__(self, role: str, line: str) -> None:
        super().__init__(line, resumable=False)
        self.role = role


class InputRefused(Exception):  # noqa: N818 - it is a refusal, not a failure
    """The input cannot become a trail; nothing is left on disk. One clear line."""


@dataclass(frozen=True)
class Pen:
    """A role's way to its model: prompts rendered, usage on the ledger, seeds derived."""

    role: str
    roles: Roles
    model: ChatModel
    usage: UsageLedger
    events: EventStream
    base_seed: int
    """Equal for equal settings and input; everything random descends from it."""

    def prompt(self, use: str, **values: Any) -> str:
        """Render the prompt that the role's card names for `use`."""
        return self.roles.prompt(self.role, use, **values)

    def seed(self, turn: int, attempt: int) -> int:
        """Seed of one call, by (trail, turn, role, attempt)."""
        text = f"{self.base_seed}:{turn}:{self.role}:{attempt}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")

    async def send(self, request: Request) -> Answer:
        """Ask the model. A model that has nothing to say gives an answer without parts.

        Raises:
            ModelError: there is no answer.
        """
        try:
            answer = await self.model.answer(request)
        except ModelError as error:
            self.usage.add_failure(self.role, error)
            if isinstance(error, EndingError) and error.ending == "empty_answer":
                return error.spent or Answer(())
            raise
        self.usage.add_answer(self.role, answer)
        self.events.emit("usage", role=self.role, usage=answer.usage, cost=answer.cost)
        return answer

    @property
    def real(self) -> bool:
        """Whether a model answers, and not the offline engine's rules: what rules can settle is
        settled by the checks already."""
        return self.model.name != OFFLINE

    @property
    def traits(self) -> Traits:
        """What requests to the model must reckon with."""
        return traits_of(self.model)

    async def ask(
        self, answer_type: type[A], *, turn: int = 0, attempt: int = 0, **values: Any
    ) -> A:
        """A structured answer: validated in the loop, the error fed back.

        Raises:
            NoAnswerError: after STRUCTURED_ATTEMPTS answers that do not validate.
            ModelError: there is no answer at all.
        """
        asked = (
            message("system", self.prompt("system", **values)),
            message("user", self.prompt("user", **values)),
        )
        schema = answer_type.model_json_schema()
        feedback: tuple[Message, ...] = ()
        error = ""
        for trial in range(STRUCTURED_ATTEMPTS):
            request = Request(
                messages=asked + feedback,
                answer_schema=schema,
                seed=self.seed(turn, attempt * STRUCTURED_ATTEMPTS + trial),
            )
            try:
                answer = await self.send(request)
            except EndingError as ended:
                if ended.ending != "context_overflow" or not feedback:
                    raise
                answer = await self.send(replace(request, messages=asked))
            try:
                return answer_type.model_validate(orjson.loads(answer.text))
            except (ValidationError, orjson.JSONDecodeError) as wrong:
                error, told = _what_is_wrong(answer, wrong)
                given = answer.text[:_FED_BACK]
                # An empty message is refused by some endpoints.
                feedback += (message("assistant", given),) if given.strip() else ()
                feedback += (message("user", told),)
        raise NoAnswerError(
            self.role,
            f"{self.role}: {self.model.name} gave no {answer_type.__name__} in "
            f"{STRUCTURED_ATTEMPTS} answers; the last one: {error}",
        )


def _what_is_wrong(
    answer: Answer, wrong: ValidationError | orjson.JSONDecodeError
) -> tuple[str, str]:
    """Why an answer was not taken: its name for us, and what the model is told."""
    ending = ending_of(answer)
    if ending in _NO_ANSWER:
        return ending.replace("_", " "), _NO_ANSWER[ending]
    if isinstance(wrong, ValidationError):
        error = "; ".join(
            f"{'.'.join(str(p) for p in e['loc']) or 'the answer'}: {e['msg']}"
            for e in wrong.errors()[:8]
        )
    else:
        error = f"not JSON: {wrong}"
    return error, f"That answer does not fit the schema: {error}\nGive it again."


class Sink(Protocol):
    """Where release puts a finished trail; `ideatrail.run` implements it."""

    def release(
        self, trail: Trail, cutoff: str, ledger: LeakLedger, outcome: Outcome, metrics: Metrics
    ) -> None:
        """Write the record."""
        ...


class Steps(Protocol):
    """Where finished steps are recorded; `ideatrail.run.log` implements it."""

    def step(self, node: str, update: Mapping[str, Any], goto: str) -> None:
        """Append one step; on disk when it returns."""
        ...


class RejectedDrafts(Protocol):
    """Where verify keeps what it did not take, on the Advisor's side."""

    def keep(self, values: Mapping[str, Any]) -> None:
        """Append one rejected draft."""
        ...


@dataclass(frozen=True)
class GeneratorRoom:
    """Generator side: a pen and the tool definitions its card allows."""

    pen: Pen
    tools: Sequence[dict[str, Any]]


@dataclass(frozen=True)
class ToolRoom:
    """Tool side: the seven tools and the store of what they returned."""

    bench: Bench
    observations: Observations
    events: EventStream
    roles: Roles


@dataclass(frozen=True)
class AdvisorRoom:
    """Advisor side: a pen, the rules, and the full index's statistics."""

    pen: Pen | None
    """None for roles that work by rules alone."""
    roles: Roles
    settings: Settings
    world: World
    lexicon: Lexicon
    verifier: Verifier
    events: EventStream
    sample_id: str
    source: Proposal
    """The file behind the `proposal` channel, as it was read at the start."""
    rejected: RejectedDrafts | None = None


def need_pen(room: AdvisorRoom) -> Pen:
    """The room's pen. Raises CardError where the role's card names no model slot."""
    if room.pen is None:
        raise CardError("a role that writes needs a model slot: give its card a `slot`")
    return room.pen


@dataclass(frozen=True)
class ReleaseRoom:
    """Where the finished trail goes."""

    sink: Sink


@dataclass(frozen=True)
class Services:
    """Everything a run has; `room` hands each node its share."""

    roles: Roles
    settings: Settings
    models: Mapping[Slot, ChatModel]
    tools: Sequence[dict[str, Any]]
    bench: Bench
    observations: Observations
    world: World
    lexicon: Lexicon
    verifier: Verifier
    usage: UsageLedger
    events: EventStream
    base_seed: int
    sink: Sink
    rejected: RejectedDrafts
    steps: Steps
    sample_id: str
    source: Proposal

    def pen(self, role: str) -> Pen | None:
        """The pen of a role, or None where its card names no model slot."""
        slot = self.roles[role].slot
        if slot is None:
            return None
        return Pen(role, self.roles, self.models[slot], self.usage, self.events, self.base_seed)


def need_generator_pen(services: Services) -> Pen:
    """The Generator's pen. Raises CardError where its card names no model slot."""
    pen = services.pen("generator")
    if pen is None:
        raise CardError("agents/generator.toml: the generator needs a `slot`")
    return pen
