"""The trail as the model reads it: whole, or with older turns in brief near the window's end.

What the endpoint gave goes back to it byte for byte and in order: signatures, redacted blocks,
items, its own call ids. The released trail knows nothing of either.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from ideatrail.models.adapter import prompt_tokens
from ideatrail.models.protocol import (
    Answer,
    CallPart,
    Message,
    Part,
    ReasoningPart,
    Request,
    TextPart,
    message,
)
from ideatrail.trail.turn import AUTHORING, Call, Draft, Result, Trail, Turn

LOW_WATER: Final = 0.7
"""Share of the room down to which observations are put in brief once it is full: not one a turn, or
the provider's cache of the prefix would be lost with each."""
OBSERVATIONS: Final = 1
WRITING: Final = 2
THINKING: Final = 3
ALL: Final = 4
LEVELS: Final = ALL
"""What is put in brief, one after the other: observations by their heads; what was written, for the
files have it; thinking; and observations down to where they stand."""

_SENDABLE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PAGE_HEADER: Final = 6
_SHORT: Final = 400
"""Characters below which nothing is gained by a brief form."""
_SHOWN: Final = 120


def history(trail: Trail, levels: Sequence[int] = ()) -> list[Message]:
    """Brief, direction, then each turn with its results.

    Args:
        trail: the trail so far.
        levels: how brief each turn is shown, from 0 (whole) to LEVELS; all whole where empty.
    """
    messages = [message("system", trail.system), message("user", trail.user)]
    used: set[str] = set()
    for number, turn in enumerate(trail.turns):
        messages += turn_messages(turn, used, levels[number] if levels else 0)
    return messages


def turn_messages(turn: Turn, used: set[str], level: int = 0) -> list[Message]:
    """One turn's messages; `used` holds the call ids sent so far and is added to."""
    draft = turn.draft
    ids = {call.id: _sent_id(call.id, given, used) for call, given in _provider_ids(draft)}
    parts = _parts(draft, ids, level)
    messages = [Message("assistant", tuple(parts))]
    for call, result in turn.pairs:
        content = in_brief(call, result, level)
        messages.append(
            Message("tool", (TextPart(content),), tool_call_id=ids[call.id], name=result.name)
        )
    return messages


def kept_parts(answer: Answer, first_id: int) -> tuple[dict[str, Any], ...]:
    """What an endpoint wants back of an answer, as plain values for the log.

    Empty where it is no more than the text and the calls themselves.
    """
    sealed = any(
        isinstance(p, ReasoningPart) and (p.signature or p.redacted or p.item) for p in answer.parts
    )
    if answer.provider_id is None and not sealed:
        return ()
    kept: list[dict[str, Any]] = []
    calls = 0
    for part in answer.parts:
        match part:
            case ReasoningPart():
                values = {"text": part.text, "signature": part.signature}
                values |= {"redacted": part.redacted, "item": part.item}
                kept.append(
                    {"kind": "reasoning", **{k: v for k, v in values.items() if v is not None}}
                )
            case TextPart(text):
                kept.append({"kind": "text", "text": text})
            case CallPart(id=given):
                kept.append({"kind": "call", "call": f"call_{first_id + calls}", "id": given})
                calls += 1
    return tuple(kept)


def fit(trail: Trail, rest: Request, room: int) -> list[Message]:
    """The history, with older turns in brief where it would not fit.

    Made anew from the trail each turn, and the same for the same trail: turns are added one by one,
    and whenever they fill the room the oldest are put in brief until LOW_WATER of it is left.

    Args:
        trail: the trail so far.
        rest: the request without the history: tools and the passing line.
        room: tokens that the prompt may have.
    """
    whole = history(trail)
    if prompt_tokens(rest) + prompt_tokens(Request(tuple(whole))) <= room:
        return whole
    total = prompt_tokens(rest) + prompt_tokens(Request(tuple(whole[:2])))
    levels = [0] * len(trail.turns)
    for number, newest in enumerate(trail.turns):
        total += _size(newest, 0)
        if total <= room:
            continue
        for level in range(1, LEVELS + 1):
            for at in range(number):
                if total <= LOW_WATER * room:
                    break
                if levels[at] < level:
                    total += _size(trail.turns[at], level) - _size(trail.turns[at], levels[at])
                    levels[at] = level
            if total <= room:
                break
        else:
            # The newest turn has just been answered and is shown whole while it can be.
            total += _size(newest, LEVELS) - _size(newest, 0)
            levels[number] = LEVELS
    return history(trail, levels)


def _size(turn: Turn, level: int) -> int:
    return prompt_tokens(Request(tuple(turn_messages(turn, set(), level))))


def in_brief(call: Call, result: Result, level: int = OBSERVATIONS) -> str:
    """An older observation: what it was, and where it stands whole."""
    content = result.content
    if level < OBSERVATIONS or len(content) <= _SHORT or result.status != "ok":
        return content
    if level >= ALL:
        whole = f" It stands in {result.source_file}." if result.source_file else ""
        return f"(Shown before.{whole})"
    lines = content.split("\n")
    if call.name == "Scraper" and result.source_file:
        head = "\n".join(lines[:_PAGE_HEADER])
        return f"{head}\n(Shown before. The whole text stands in {result.source_file}: View it.)"
    if call.name == "WebSearch":
        kept = [line for line in lines if re.match(r"\d+\. |   \S+://\S+$", line)]
        return "\n".join([*kept, "(Shown before, with snippets: search again to see them.)"])
    named = call.parsed.get("file_path") or call.parsed.get("path")
    where = result.source_file or (named if isinstance(named, str) else None)
    place = f"It stands in {where}: View it" if where else "Ask again"
    return f"{lines[0][:_SHOWN]}\n(Shown before, {len(lines)} lines. {place} to see it whole.)"


def _parts(draft: Draft, ids: Mapping[str, str], level: int) -> list[Part]:
    calls = {c.id: CallPart(ids[c.id], c.name, _arguments(c, level)) for c in draft.calls}
    if not draft.provider:
        visible = draft.reasoning_source == "visible"
        thought: Part = (TextPart if visible else ReasoningPart)(draft.reasoning)
        parts: list[Part] = [] if level >= THINKING and calls else [thought]
        if draft.content:
            parts.append(TextPart(draft.content))
        return parts + list(calls.values())
    parts = []
    for kept in draft.provider:
        match kept["kind"]:
            case "reasoning" if level < THINKING:
                parts.append(ReasoningPart(**{k: v for k, v in kept.items() if k != "kind"}))
            case "text" if level < THINKING or not calls:
                parts.append(TextPart(kept["text"]))
            case "call" if kept["call"] in calls:  # one that was dropped is not there
                parts.append(calls[kept["call"]])
    return parts


def _arguments(call: Call, level: int) -> str:
    if level < WRITING or call.name not in AUTHORING or len(call.arguments) <= _SHORT:
        return call.arguments
    short = {
        key: f"{value[:_SHOWN]} … (written before; the file has it)"
        if isinstance(value, str) and len(value) > _SHOWN and key != "file_path"
        else value
        for key, value in call.parsed.items()
    }
    return orjson.dumps(short).decode()


def _provider_ids(draft: Draft) -> list[tuple[Call, str]]:
    given = {kept["call"]: kept["id"] for kept in draft.provider if kept["kind"] == "call"}
    return [(call, given.get(call.id, "")) for call in draft.calls]


def _sent_id(ours: str, given: str, used: set[str]) -> str:
    """The provider's own id where it can go back and no other call has it; else ours."""
    chosen = given if _SENDABLE.fullmatch(given) and given not in used else ours
    while chosen in used:
        chosen += "_"
    used.add(chosen)
    return chosen
