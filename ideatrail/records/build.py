"""Makes the record of a trail: a plain dict in one fixed order of keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Literal

from ideatrail.records.fault import RecordError
from ideatrail.records.schema import FORMAT_VERSION
from ideatrail.trail.stage import Endpoint
from ideatrail.trail.turn import Call, Result, Trail, Turn

UNGRADED = ""
"""`grade` of a trail that was not graded: the key is left out."""


def to_record(
    trail: Trail,
    *,
    sample_id: str,
    tools: Sequence[Mapping[str, Any]],
    cutoff: str,
    corpus: str,
    outcome: Literal["accepted", "rejected"],
    endpoint: Endpoint | None,
    metrics: Mapping[str, Any],
    grade: str,
    naturalness: float,
    ledger_bits: float,
    models: Mapping[str, str],
    usage: Mapping[str, Any],
    fingerprint: str,
    proposal_path: str,
    reasons: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The record of `trail`.

    Args:
        trail: the trail as it ended; every turn has one result a call.
        cutoff: a day or timestamp, ISO 8601.
        corpus: name or hash of the index; no path.
        grade: a letter, `"None"` (none earned) or UNGRADED.
        models: slot → `provider:name`; must hold `generator`.
        usage: tokens by role, plain values.
        proposal_path: workspace path of the proposal; carried by proposal trails alone.
        reasons: for rejected trails, `{code, layer, pointer}` each.

    Raises:
        RecordError: for a trail that breaks the record's own rules (blank reasoning, ids used
            twice, results that do not answer their calls, a tool message at the end of an
            accepted trail, a path that is not relative).
    """
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": trail.system},
        {"role": "user", "content": trail.user},
    ]
    at: list[int] = []
    for turn in trail.turns:
        at.append(len(messages))
        messages.append(_assistant(turn))
        messages.extend(_tool(call, result) for call, result in _pairs(turn))
    _check_whole(trail, messages, outcome)

    record: dict[str, Any] = {
        "sample_id": sample_id,
        "messages": messages,
        "tools": [dict(tool) for tool in tools],
        "parallel_tool_calls": True,
        "_src": f"ideatrail-{models['generator'].split(':', 1)[0]}",
    }
    if grade != UNGRADED:
        record["_grade"] = grade
    record["_naturalness"] = naturalness
    if endpoint == "proposal":
        record["_proposal_synth"] = True
        record["_proposal_path"] = _relative(proposal_path)
    record["_trail"] = {
        "format_version": FORMAT_VERSION,
        "outcome": outcome,
        "endpoint": endpoint,
        "cutoff": cutoff,
        "corpus": corpus,
        "stages": _stages(trail, at),
        "turns": [
            {"message": m, "stage": turn.stage, "retries": turn.retries}
            for m, turn in zip(at, trail.turns, strict=True)
        ],
        "results": {
            result.call_id: {
                "status": result.status,
                "sha256": result.sha256,
                "date_latest": result.date_latest,
            }
            for turn in trail.turns
            for result in turn.results
        },
        "metrics": dict(metrics),
        "ledger_bits": ledger_bits,
        "tier_reasons": [
            {"message": m, "reason": turn.tier_reason}
            for m, turn in zip(at, trail.turns, strict=True)
            if turn.tier is not None and turn.tier_reason
        ],
        "reasoning_source": _reasoning_source(trail),
        "models": dict(models),
        "usage": dict(usage),
        "fingerprint": fingerprint,
    }
    if reasons:
        record["_trail"]["reasons"] = [dict(reason) for reason in reasons]
    return record


def _assistant(turn: Turn) -> dict[str, Any]:
    if not turn.draft.reasoning.strip():
        raise RecordError(f"turn {turn.index} has no reasoning")
    message: dict[str, Any] = {
        "role": "assistant",
        "content": turn.draft.content,
        "reasoning_content": turn.draft.reasoning,
    }
    # An empty list of calls is refused by some endpoints and templates; an absent key by none.
    if turn.draft.calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in turn.draft.calls
        ]
    if turn.tier is not None:
        message["value_tier"] = turn.tier
    return message


def _tool(call: Call, result: Result) -> dict[str, Any]:
    return {
        "role": "tool",
        "tool_call_id": call.id,
        "name": call.name,
        "content": result.content,
    }


def _pairs(turn: Turn) -> list[tuple[Call, Result]]:
    called = [call.id for call in turn.draft.calls]
    answered = [result.call_id for result in turn.results]
    if called != answered:
        raise RecordError(f"turn {turn.index}: results {answered} do not answer calls {called}")
    for call in turn.draft.calls:
        if not call.name:
            raise RecordError(f"turn {turn.index}: call {call.id} names no tool")
    return list(turn.pairs)


def _check_whole(trail: Trail, messages: Sequence[Mapping[str, Any]], outcome: str) -> None:
    seen: set[str] = set()
    for turn in trail.turns:
        for call in turn.draft.calls:
            if call.id in seen:
                raise RecordError(f"call id {call.id} is used twice")
            seen.add(call.id)
    # A rejected trail may stop in the middle of things; a released one has an end.
    if outcome == "accepted" and messages[-1]["role"] != "assistant":
        raise RecordError(f"the trail ends with a {messages[-1]['role']} message")


def _stages(trail: Trail, at: Sequence[int]) -> list[dict[str, Any]]:
    marks: list[dict[str, Any]] = []
    for message, turn in zip(at, trail.turns, strict=True):
        if not marks or marks[-1]["stage"] != turn.stage:
            marks.append({"stage": turn.stage, "from_message": message})
    return marks


def _reasoning_source(trail: Trail) -> Literal["native", "visible"]:
    native = all(turn.draft.reasoning_source == "native" for turn in trail.turns)
    return "native" if native else "visible"


def _relative(path: str) -> str:
    parts = PurePosixPath(path)
    if not path or parts.is_absolute() or ".." in parts.parts or "\\" in path or ":" in path:
        raise RecordError(f"proposal path {path!r} is not a workspace path")
    return path
