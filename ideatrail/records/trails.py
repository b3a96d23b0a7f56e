"""Reads a record back as a trail: what checks, metrics and the provenance graph work on.

Built from the public record alone, and lenient: other people's records have ids that come again,
calls without a name, results that are missing. What is wrong with a message becomes a fault of its
draft, never an exception.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

import orjson

from ideatrail.records.linkage import Batch, pair
from ideatrail.records.message import WildCall, calls_of, reasoning_of, text_of
from ideatrail.trail.artifacts import artifact_name
from ideatrail.trail.simulate import normal_path, simulate
from ideatrail.trail.stage import STAGES, ArtifactName, Stage, stage_rank
from ideatrail.trail.turn import ArtifactChange, Call, Draft, Result, Status, Trail, Turn

REFUSAL: Final = "Error: "
"""How the text of a refusal begins (contract, "The record")."""

_SAVED: Final = re.compile(r"^Saved as: (\S.*?)\s*$", re.MULTILINE)
_HIT: Final = re.compile(r"^\d+\. \S", re.MULTILINE)
_READS: Final = frozenset({"View", "Grep"})
_OPENED_BY: Final[Mapping[ArtifactName, Stage]] = {
    "claim_audit.md": "audit",
    "synthesis.md": "synthesize",
    "idea_candidates.md": "ideate",
    "research_proposal.md": "propose",
}


def to_trail(raw: Mapping[str, Any]) -> Trail:
    """The trail of a record, ours or anybody's.

    Each assistant message is a turn. Stages, retries and what became of a call are taken from
    `_trail` where it is there, else worked out: a stage opens with the first change of its
    artifact, a result that begins `Error: ` was refused. Call ids that come again are numbered.
    """
    held = raw.get("messages")
    messages = [m for m in held if isinstance(m, Mapping)] if isinstance(held, list) else []
    reader = _Reader(messages, raw.get("_trail"))
    return Trail(
        system=_first(messages, "system"),
        user=_first(messages, "user"),
        turns=tuple(reader.turns()),
    )


def message_of(raw: Mapping[str, Any], turn: int) -> int:
    """Index in `messages` of a turn's assistant message; turns count from 1."""
    held = raw.get("messages")
    messages = [m for m in held if isinstance(m, Mapping)] if isinstance(held, list) else []
    at = [n for n, m in enumerate(messages) if m.get("role") == "assistant"]
    return at[turn - 1]


def _first(messages: Sequence[Mapping[str, Any]], role: str) -> str:
    return next((text_of(m.get("content")) for m in messages if m.get("role") == role), "")


class _Reader:
    def __init__(self, messages: Sequence[Mapping[str, Any]], block: Any) -> None:
        self._messages = messages
        block = block if isinstance(block, Mapping) else {}
        marks = block.get("turns")
        self._marks: dict[int, Mapping[str, Any]] = {
            int(m["message"]): m
            for m in (marks if isinstance(marks, list) else ())
            if isinstance(m, Mapping) and isinstance(m.get("message"), int)
        }
        results = block.get("results")
        self._results: Mapping[str, Any] = results if isinstance(results, Mapping) else {}
        self._batches: dict[int, Batch] = {b.message: b for b in pair(messages).batches}
        self._uses: Counter[str] = Counter()
        self._files: dict[str, str] = {}
        self._saved: set[str] = set()
        self._stage: Stage = "explore"

    def turns(self) -> Iterator[Turn]:
        number = 0
        for at, message in enumerate(self._messages):
            if message.get("role") != "assistant":
                continue
            number += 1
            yield self._turn(number, at, message)

    def _turn(self, number: int, at: int, message: Mapping[str, Any]) -> Turn:
        calls, faults = self._calls(calls_of(message))
        batch = self._batches.get(at)
        results: list[Result] = []
        for index, call in enumerate(calls):
            link = batch.links[index] if batch and index < len(batch.links) else None
            if link is None or link.result is None:
                faults.append((index, f"call {index} has no result"))
                results.append(_no_result(call))
                continue
            results.append(self._result(call, link.id, self._messages[link.result]))
        changes = tuple(self._changes(calls, results))
        mark = self._marks.get(at, {})
        self._stage = self._stage_of(mark, changes)
        tier = message.get("value_tier")
        return Turn(
            index=number,
            stage=self._stage,
            stage_line="",
            draft=Draft(
                reasoning=reasoning_of(message),
                content=text_of(message.get("content")),
                calls=calls,
                faults=tuple(text for _, text in faults),
                faulty_call=min((n for n, _ in faults), default=None),
            ),
            results=tuple(results),
            changes=changes,
            retries=int(mark.get("retries") or 0),
            tier=tier if tier in ("high", "normal", "low") else None,
        )

    def _calls(self, wild: Sequence[WildCall]) -> tuple[tuple[Call, ...], list[tuple[int, str]]]:
        calls: list[Call] = []
        faults: list[tuple[int, str]] = []
        inside: set[str] = set()
        for index, one in enumerate(wild):
            if not one.name:
                faults.append((index, f"call {index} has no name"))
            if one.id and one.id in inside:
                faults.append((index, f"call {index} has the id of another of its message"))
            inside.add(one.id)
            parsed: dict[str, Any] = {}
            try:
                loaded = orjson.loads(one.arguments)
            except orjson.JSONDecodeError:
                faults.append((index, f"the arguments of call {index} are no JSON"))
            else:
                if isinstance(loaded, dict):
                    parsed = loaded
                else:
                    faults.append((index, f"the arguments of call {index} are no object"))
            self._uses[one.id] += 1
            again = self._uses[one.id]
            name = one.id or "call"
            calls.append(
                Call(name if again == 1 and one.id else f"{name}#{again}", one.name,
                     one.arguments, parsed)
            )  # fmt: skip
        return tuple(calls), faults

    def _result(self, call: Call, id: str, message: Mapping[str, Any]) -> Result:
        content = text_of(message.get("content"))
        mark = self._results.get(id)
        mark = mark if isinstance(mark, Mapping) else {}
        guessed: Status = "refused" if content.startswith(REFUSAL) else "ok"
        status: Status = mark["status"] if mark.get("status") in get_args(Status) else guessed
        date = mark.get("date_latest")
        file = self._source_file(call, content) if status == "ok" else None
        return Result(
            call_id=call.id,
            name=call.name,
            content=content,
            status=status,
            sha256=_sha(content),
            date_latest=date if isinstance(date, str) else None,
            source_file=file,
            observed=status == "ok" and self._observed(call, content, file),
        )

    def _source_file(self, call: Call, content: str) -> str | None:
        """The scraped file that a result saved or shows."""
        if call.name == "Scraper":
            match = _SAVED.search(content)
            if match is None:
                return None
            self._saved.add(normal_path(match[1]))
            return normal_path(match[1])
        path = call.parsed.get("file_path" if call.name == "View" else "path")
        if call.name in _READS and isinstance(path, str) and normal_path(path) in self._saved:
            return normal_path(path)
        return None

    def _observed(self, call: Call, content: str, file: str | None) -> bool:
        """Whether the evidence world speaks (contract, "The record")."""
        match call.name:
            case "WebSearch":
                return bool(_HIT.search(content))
            case "Scraper":
                return True
            case "View":
                return file is not None
            case "Grep":
                return any(path in content for path in self._saved)
        return False

    def _changes(
        self, calls: Sequence[Call], results: Sequence[Result]
    ) -> Iterator[ArtifactChange]:
        done = [c for c, r in zip(calls, results, strict=True) if r.status == "ok"]
        for edited in simulate(self._files, done):
            self._files[edited.path] = edited.after
            yield ArtifactChange(done[edited.call].id, edited.path, edited.before, edited.after)

    def _stage_of(self, mark: Mapping[str, Any], changes: Sequence[ArtifactChange]) -> Stage:
        told = mark.get("stage")
        for stage in STAGES:
            if stage == told:
                return stage
        stage = self._stage
        for change in changes:
            name = artifact_name(change.path)
            if name is not None and stage_rank(_OPENED_BY[name]) > stage_rank(stage):
                stage = _OPENED_BY[name]
        return stage


def _no_result(call: Call) -> Result:
    return Result(call.id, call.name, "", "error", _sha(""))


def _sha(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
