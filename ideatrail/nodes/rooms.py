"""What a node may reach besides its state: one room a kind of node.

The state's projection keeps secrets out of a node's input; rooms keep them out of its hands. The
Generator's room holds a model and the texts it is prompted with, no tool, no index, no verifier.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import orjson
from pydantic import ValidationError

from ideatrail.events import EventStream
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.evidence.observations import Observations
from ideatrail.evidence.world import World
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.protocol import Answer, ChatModel, ModelError, Request, message
from ideatrail.nodes.bench import Bench
from ideatrail.proposals.source import Proposal
from ideatrail.roles import CardError, Roles
from ideatrail.settings import Settings
from ideatrail.state import Metrics, Outcome
from ideatrail.trail.answers import Slot, StructuredAnswer
from ideatrail.trail.leakage import LeakLedger
from ideatrail.trail.turn import Trail
from ideatrail.verifier.check import Verifier

A = TypeVar("A", bound=StructuredAnswer)

STRUCTURED_ATTEMPTS = 3
"""Answers asked for before a structured answer that does not validate is given up."""


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
        """Ask the model. Raises ModelError."""
        try:
            answer = await self.model.answer(request)
        except ModelError as error:
            self.usage.add_failure(self.role, error)
            raise
        self.usage.add_answer(self.role, answer)
        self.events.emit("usage", role=self.role, usage=answer.usage)
        return answer

    async def ask(
        self, answer_type: type[A], *, turn: int = 0, attempt: int = 0, **values: Any
    ) -> A:
        """A structured answer: validated in the loop, the error fed back.

        Raises:
            ModelError: after STRUCTURED_ATTEMPTS answers that do not validate.
        """
        messages = [message("system", self.prompt("system", **values))]
        messages.append(message("user", self.prompt("user", **values)))
        schema = answer_type.model_json_schema()
        error = ""
        for trial in range(STRUCTURED_ATTEMPTS):
            answer = await self.send(
                Request(
                    messages=tuple(messages),
                    answer_schema=schema,
                    seed=self.seed(turn, attempt * STRUCTURED_ATTEMPTS + trial),
                )
            )
            try:
                return answer_type.model_validate(orjson.loads(answer.text))
            except (ValidationError, orjson.JSONDecodeError) as wrong:
                error = str(wrong)
                messages.append(message("assistant", answer.text))
                messages.append(
                    message("user", f"That answer does not fit the schema: {error}\nGive it again.")
                )
        raise ModelError(
            f"{self.role}: {self.model.name} gave no {answer_type.__name__} in "
            f"{STRUCTURED_ATTEMPTS} answers; the last one: {error.splitlines()[0]}"
        )


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
