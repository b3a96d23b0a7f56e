"""Goes through a run's evidence again, from what is stored of it and with no source at hand.

Each call of the trail runs again, in order, over a fresh workspace; the world answers from the
run's own store. What comes out must be what the Generator was shown, byte for byte.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ideatrail.evidence.observations import Observations, content_hash
from ideatrail.evidence.stored import NotStoredError, StoredWorld
from ideatrail.models.ledger import UsageLedger
from ideatrail.nodes.brief import topic_slug
from ideatrail.run.codec import Codec
from ideatrail.run.folder import RunFolder
from ideatrail.run.log import replay as replay_log
from ideatrail.toolkit.definitions import check_arguments
from ideatrail.toolkit.kit import EvidenceWorld, Toolkit
from ideatrail.toolkit.outcome import RefusedError
from ideatrail.toolkit.scrape import check_address
from ideatrail.toolkit.search import DEFAULT_RESULTS, query_of
from ideatrail.toolkit.workspace import Workspace
from ideatrail.trail.turn import RETRIEVAL, Call, Result, Trail, Turn


@dataclass(frozen=True)
class Difference:
    """A call whose result is not what the record says."""

    call_id: str
    tool: str
    recorded: str
    """SHA-256 of what the Generator was shown."""
    replayed: str
    """SHA-256 of what came out now; empty where no answer is stored."""
    why: str


@dataclass(frozen=True)
class Replay:
    """How a replay went."""

    calls: int
    observations: int
    """Of the calls, those that the evidence world answers."""
    differences: tuple[Difference, ...]


class ReplayError(ValueError):
    """A run cannot be replayed at all: one clear line."""


def load_trail(root: Path) -> Trail:
    """The trail of a run's folder. Raises ReplayError, LogError, OSError."""
    folder = RunFolder(root)
    if not folder.log.is_file():
        raise ReplayError(f"{root} is no run: it has no log.jsonl")
    state, _ = replay_log(folder.log, Codec(Observations(folder.observations)), UsageLedger())
    trail: Trail | None = state.get("trail")
    if trail is None or not trail.turns:
        raise ReplayError(f"{root} has no finished turn to replay")
    return trail


async def replay(root: Path, world: EvidenceWorld | None = None) -> Replay:
    """Run all calls of a trail again.

    Args:
        root: the run's folder. Nothing in it is changed.
        world: what answers; None: the run's own store.

    Raises:
        ReplayError, LogError: the folder holds nothing to replay.
        OSError: it cannot be read.
    """
    trail = load_trail(root)
    stored = StoredWorld(Observations(RunFolder(root).evidence))
    differences: list[Difference] = []
    calls = 0
    with tempfile.TemporaryDirectory() as place:
        toolkit = Toolkit(world or stored, Workspace(Path(place)), topic_slug(trail))
        for turn in trail.turns:
            calls += len(turn.results)
            stored.failing = _failing(turn)
            try:
                outcomes = await toolkit.run(turn.draft.calls)
            except NotStoredError as error:
                differences += [_missing(result, str(error)) for result in turn.results]
                return Replay(calls, _observed(trail), tuple(differences))
            for result, outcome in zip(turn.results, outcomes, strict=True):
                if outcome.content != result.content or outcome.status != result.status:
                    differences.append(_difference(result, outcome.content))
    return Replay(calls, _observed(trail), tuple(differences))


def _failing(turn: Turn) -> frozenset[str]:
    """Requests to the world that failed in this turn."""
    return frozenset(
        key
        for call, result in turn.pairs
        if result.status != "ok" and (key := _request_key(call)) is not None
    )


def _request_key(call: Call) -> str | None:
    if call.name not in RETRIEVAL:
        return None
    try:
        arguments: dict[str, Any] = check_arguments(call.name, call.parsed)
        if call.name == "WebSearch":
            most = arguments.get("max_results", DEFAULT_RESULTS)
            return StoredWorld.key("search", query_of(arguments), most)
        return StoredWorld.key("scrape", check_address(arguments))
    except RefusedError:
        return None


def _observed(trail: Trail) -> int:
    return sum(result.observed for _, _, result in trail.calls)


def _missing(result: Result, why: str) -> Difference:
    return Difference(result.call_id, result.name, result.sha256, "", why)


def _difference(result: Result, content: str) -> Difference:
    at = next(
        (n for n, (a, b) in enumerate(zip(result.content, content, strict=False)) if a != b),
        min(len(result.content), len(content)),
    )
    why = f"differs from character {at} on"
    return Difference(result.call_id, result.name, result.sha256, content_hash(content), why)
