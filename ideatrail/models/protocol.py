"""The chat-model protocol: a request of typed messages, an answer of typed parts.

Everything a model may know stands in its `Request`. Answers keep reasoning as a typed part with
its signature; nothing is glued into strings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant", "tool"]
Finish = Literal["stop", "tool_calls", "length", "refusal", "error"]


@dataclass(frozen=True)
class TextPart:
    """Visible text."""

    text: str


@dataclass(frozen=True)
class ReasoningPart:
    """Reasoning, with what the provider needs to accept it back."""

    text: str
    signature: str | None = None
    redacted: str | None = None
    """Opaque data of a redacted block, byte for byte."""
    item: str | None = None
    """The provider's own item as JSON text, where it wants that back and not the text (the
    Responses API's reasoning items, OpenRouter's reasoning details)."""


@dataclass(frozen=True)
class CallPart:
    """A tool call as the model wrote it; `arguments` is its JSON text and may be malformed."""

    id: str
    name: str
    arguments: str


Part = TextPart | ReasoningPart | CallPart


@dataclass(frozen=True)
class Message:
    """One message of a request."""

    role: Role
    parts: tuple[Part, ...]
    tool_call_id: str | None = None
    """For tool messages: the call they answer."""
    name: str | None = None
    """For tool messages: the tool."""

    @property
    def text(self) -> str:
        """All visible text of the message."""
        return "".join(p.text for p in self.parts if isinstance(p, TextPart))

    @property
    def reasoning(self) -> str:
        """All reasoning text of the message."""
        return "".join(p.text for p in self.parts if isinstance(p, ReasoningPart))

    @property
    def calls(self) -> tuple[CallPart, ...]:
        """The tool calls of the message."""
        return tuple(p for p in self.parts if isinstance(p, CallPart))


def message(role: Role, text: str) -> Message:
    """A message of plain text."""
    return Message(role, (TextPart(text),))


@dataclass(frozen=True)
class Request:
    """All that a model is given."""

    messages: tuple[Message, ...]
    tools: tuple[dict[str, Any], ...] = ()
    """OpenAI function definitions."""
    answer_schema: dict[str, Any] | None = None
    """JSON Schema (with a `title`) that the answer's text must satisfy, or free form."""
    seed: int = 0
    max_tokens: int | None = None


@dataclass(frozen=True)
class Usage:
    """Tokens of one answer. None means unknown, never zero."""

    input: int | None = None
    """The whole prompt, with what was read from and written to the provider's cache."""
    cached: int | None = None
    """The part of `input` that was read from the provider's cache."""
    output: int | None = None
    """The whole answer, reasoning with it."""
    reasoning: int | None = None
    """The part of `output` that was spent on reasoning."""
    cache_write: int | None = None
    """The part of `input` that was written to the provider's cache."""


@dataclass(frozen=True)
class Answer:
    """What a model gave back."""

    parts: tuple[Part, ...]
    usage: Usage = field(default_factory=Usage)
    finish: Finish = "stop"
    model: str = ""
    provider_id: str | None = None
    stop_reason: str | None = None
    """The provider's own word for why it stopped."""
    cost: float | None = None
    """USD of all attempts; None where a price or a usage is unknown."""
    attempts: int = 1
    """Requests sent for this answer. `usage` is the sum over all that told theirs."""
    unmetered: int = 0
    """Attempts that were broken off before they told their usage: the sum is at least `usage`."""
    from_cache: bool = False
    """Whether it was read from the response cache: nothing was sent, nothing was paid."""

    @property
    def text(self) -> str:
        """All visible text."""
        return "".join(p.text for p in self.parts if isinstance(p, TextPart))

    @property
    def reasoning(self) -> str:
        """All reasoning text."""
        return "\n".join(p.text for p in self.parts if isinstance(p, ReasoningPart))

    @property
    def calls(self) -> tuple[CallPart, ...]:
        """The tool calls, in order."""
        return tuple(p for p in self.parts if isinstance(p, CallPart))


class ModelError(Exception):
    """A model could not answer. `resumable` tells an outage from a settled refusal."""

    def __init__(
        self, message: str, *, resumable: bool = True, spent: Answer | None = None
    ) -> None:
        super().__init__(message)
        self.resumable = resumable
        self.spent = spent
        """An answer without parts: usage, cost and attempts of what failed; None: nothing known."""


@dataclass(frozen=True)
class Traits:
    """What a request to a model must reckon with."""

    window: int | None = None
    """Tokens that prompt and answer share; None: unknown, or without end."""
    answer_room: int = 0
    """Tokens of the window to leave free for an answer."""
    hides_reasoning: bool = False
    """Whether reasoning never comes back apart, so that the prompt asks for visible thinking."""


def traits_of(model: ChatModel) -> Traits:
    """The traits that a model tells of itself; none where it tells nothing."""
    told = getattr(model, "traits", None)
    return told if isinstance(told, Traits) else Traits()


class ChatModel(Protocol):
    """Anything that answers requests. Instances are shared by all trails of a process."""

    @property
    def name(self) -> str:
        """`provider:name`, as it stands in records."""
        ...

    async def answer(self, request: Request) -> Answer:
        """Answer `request`; raises ModelError where no answer can be had."""
        ...
