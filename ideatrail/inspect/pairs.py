"""Accepted and rejected versions of one turn, as preference pairs.

A rejected draft lies on the Advisor's side, since it may hold what the Generator was not to know.
It is released only after the leakage and title checks ran on it anew, with the oracle; what they
find anything in is kept back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import orjson

from ideatrail.inspect.verify import Advisor
from ideatrail.records.reader import Row, read
from ideatrail.records.trails import message_of, to_trail
from ideatrail.trail.stage import Stage
from ideatrail.trail.turn import Call, Draft
from ideatrail.verifier.check import Verifier
from ideatrail.verifier.means import ArgumentCheck, LexiconLike


class PairsError(ValueError):
    """A run's folder gives no pairs: one clear line."""


@dataclass(frozen=True)
class Pair:
    """One turn twice, after the same messages."""

    sample_id: str
    turn: int
    attempt: int
    code: str
    """Why the rejected version was not taken."""
    prompt: list[dict[str, Any]]
    chosen: dict[str, Any]
    rejected: dict[str, Any]
    tools: list[dict[str, Any]]

    def row(self) -> dict[str, Any]:
        """The conversational preference form that trainers read: prompt, chosen, rejected."""
        return {
            "prompt": self.prompt,
            "chosen": [self.chosen],
            "rejected": [self.rejected],
            "tools": self.tools,
            "_pair": {
                "sample_id": self.sample_id,
                "turn": self.turn,
                "attempt": self.attempt,
                "code": self.code,
            },
        }


@dataclass(frozen=True)
class Withheld:
    """A rejected draft that makes no pair, and why: `leakage`, or `no accepted version`."""

    turn: int
    attempt: int
    why: str


def pairs_of(
    record: Path, advisor: Path, *, lexicon: LexiconLike | None, arguments: ArgumentCheck | None
) -> Iterator[Pair | Withheld]:
    """Each rejected draft of an accepted run, paired or withheld, in the order they were made.

    Args:
        record: the run's `trajectory.jsonl`.
        advisor: its Advisor's folder.
        lexicon: the index that it was verified with; None: titles cannot be checked, so that every
            draft is withheld.
        arguments: as for verification.

    Raises PairsError, AdvisorFilesError, LineError.
    """
    if not record.is_file():
        raise PairsError(f"{record}: no accepted trail is there")
    row = next(iter(read(record)))
    trail = to_trail(row.raw)
    oracle = Advisor.read(advisor)
    verifier = Verifier(
        cutoff=str((row.trail or {}).get("cutoff") or row.cutoff or "") or None,
        lexicon=lexicon,
        arguments=arguments,
        target_titles=oracle.titles,
    )
    marks = trail.marks
    for kept in sorted(_rejected(advisor / "rejected.jsonl"), key=lambda k: int(k["turn"])):
        turn, attempt = int(kept["turn"]), int(kept["attempt"])
        # After a rewind the same turn stands after other messages: that is no pair.
        if turn > len(trail.turns) or kept.get("after") != marks[turn - 1]:
            yield Withheld(turn, attempt, "no accepted version")
            continue
        draft = _draft(kept)
        verifier.follow(trail.rewind(turn - 1), oracle.oracle)
        if lexicon is None or verifier.leaks(draft, _stage(kept)):
            yield Withheld(turn, attempt, "leakage")
            continue
        yield _pair(row, turn, attempt, kept, draft)


def _rejected(path: Path) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        return
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            yield orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise PairsError(f"{path}:{number}: {error}") from error


def _draft(kept: Mapping[str, Any]) -> Draft:
    calls = []
    for number, call in enumerate(kept["calls"]):
        try:
            parsed = orjson.loads(call["arguments"])
        except orjson.JSONDecodeError:
            parsed = {}
        held = parsed if isinstance(parsed, dict) else {}
        calls.append(Call(f"rejected_{number}", call["name"], call["arguments"], held))
    return Draft(kept["reasoning"], kept["content"], tuple(calls))


def _stage(kept: Mapping[str, Any]) -> Stage:
    return next(s for s in get_args(Stage) if s == kept["stage"])


def _pair(row: Row, turn: int, attempt: int, kept: Mapping[str, Any], draft: Draft) -> Pair:
    at = message_of(row.raw, turn)
    messages = row.raw["messages"]
    rejected: dict[str, Any] = {
        "role": "assistant",
        "content": draft.content,
        "reasoning_content": draft.reasoning,
    }
    if draft.calls:
        rejected["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in draft.calls
        ]
    return Pair(
        sample_id=str(row.sample_id),
        turn=turn,
        attempt=attempt,
        code=str(kept["findings"][0]["code"]),
        prompt=messages[:at],
        chosen={k: v for k, v in messages[at].items() if k != "value_tier"},
        rejected=rejected,
        tools=row.raw.get("tools") or [],
    )
