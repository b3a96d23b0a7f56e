"""A turn and the trail of turns: `x = (b, u, o, Δa)` (paper, section 3.1, equation 1)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from ideatrail.trail.stage import Endpoint, Stage

Status = Literal["ok", "refused", "error"]
Tier = Literal["high", "normal", "low"]

AUTHORING: Final[frozenset[str]] = frozenset({"Write", "Edit"})
RETRIEVAL: Final[frozenset[str]] = frozenset({"WebSearch", "Scraper"})
DISCOVERY: Final[frozenset[str]] = frozenset({"Glob", "Grep"})


@dataclass(frozen=True)
class Call:
    """One tool call of an assistant message."""

    id: str
    """Minted by us, unique in the whole trail: `call_<n>`."""
    name: str
    arguments: str
    """The JSON text exactly as the record carries it."""
    parsed: dict[str, Any] = field(compare=False, repr=False)
    """`arguments` decoded; kept beside the text so that nobody decodes it twice."""


@dataclass(frozen=True)
class Result:
    """What a call gave back: the observation `o`, or our refusal."""

    call_id: str
    name: str
    content: str
    status: Status
    sha256: str
    """Hash of `content` in the observation store."""
    date_latest: str | None = None
    """Latest moment (ISO 8601, UTC) that any evidence in `content` can date from."""
    source_file: str | None = None
    """Workspace path of the scraped file that this result saved or showed, if it did."""
    saved_sha256: str | None = None
    """Hash of the whole text of the file that Scraper saved."""
    observed: bool = False
    """True where the evidence world speaks (contract, "The record"): search and scrape results,
    and View or Grep of files that Scraper saved."""


@dataclass(frozen=True)
class ArtifactChange:
    """One artifact before and after a call: the `Δa` of a turn. Equal texts mean no change."""

    call_id: str
    path: str
    before: str | None
    after: str


@dataclass(frozen=True)
class Draft:
    """An assistant message that has not been judged yet, or has passed and not yet run."""

    reasoning: str
    content: str
    calls: tuple[Call, ...]
    faults: tuple[str, ...] = ()
    """What was malformed in the model's answer, in words for the Advisor's log only."""
    faulty_call: int | None = None
    """Index of the first malformed call, where one can be named."""
    reasoning_source: Literal["native", "visible"] = "native"
    provider: tuple[dict[str, Any], ...] = field(default=(), compare=False, repr=False)
    """The message's parts as the endpoint gave them, for sending back byte for byte: signatures,
    redacted blocks, its own call ids. Empty where it wants nothing back but the text."""


@dataclass(frozen=True)
class Turn:
    """One accepted assistant message with its results and artifact changes."""

    index: int
    """From 1, in the trail as it stands (a rewound turn gives its number back)."""
    stage: Stage
    stage_line: str
    """The passing line that ended the request; never part of `messages`."""
    draft: Draft
    results: tuple[Result, ...] = ()
    """In the order of `draft.calls`."""
    changes: tuple[ArtifactChange, ...] = ()
    retries: int = 0
    tier: Tier | None = None
    tier_reason: str = ""

    @property
    def pairs(self) -> Iterator[tuple[Call, Result]]:
        """Each call with its result."""
        return zip(self.draft.calls, self.results, strict=True)


@dataclass(frozen=True)
class Trail:
    """The public record so far. Values are replaced, never changed in place."""

    system: str
    """The system prompt as the Generator reads it now."""
    user: str
    """The direction: the only user message."""
    turns: tuple[Turn, ...] = ()
    endpoint: Endpoint | None = None

    def append(self, turn: Turn) -> Trail:
        """The trail with `turn` at its end."""
        return replace(self, turns=(*self.turns, turn))

    def rewind(self, keep: int) -> Trail:
        """The trail with only its first `keep` turns."""
        return replace(self, turns=self.turns[:keep])

    @property
    def marks(self) -> tuple[str, ...]:
        """A digest of all that stands before each turn, and of the whole at the end: the first
        message, and each turn's own words and calls with what they gave back."""
        state = hashlib.sha256(self.user.encode("utf-8", "surrogatepass"))
        found = [state.hexdigest()]
        for turn in self.turns:
            said = (turn.draft.reasoning, turn.draft.content)
            called = [part for call in turn.draft.calls for part in (call.name, call.arguments)]
            for part in (*said, *called, *(r.sha256 for r in turn.results)):
                state.update(part.encode("utf-8", "surrogatepass") + b"\0")
            found.append(state.hexdigest())
        return tuple(found)

    @property
    def calls(self) -> Iterator[tuple[Turn, Call, Result]]:
        """Every call that ran, in order, with its turn and result."""
        for turn in self.turns:
            for call, result in turn.pairs:
                yield turn, call, result
