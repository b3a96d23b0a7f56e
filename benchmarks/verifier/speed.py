"""Seconds of one core to verify a whole trail, at 1, 2, 4 and 8 times a length.

A longer trail is a real one that reads more: the reading turns of other trails are put between its
own reading and its writing. All lengths are timed in turn, three rounds, in one process.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any, Final

import orjson

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.inspect.verify import Advisor, verify
from ideatrail.models.tokens import count
from ideatrail.records.reader import Row, read
from ideatrail.run.services import argument_fault

TOKENS: Final = 110_000
"""The published mean of a trail."""
TIMES: Final = (1, 2, 4, 8)
ROUNDS: Final = 3


def told(folder: Path) -> str:
    """The table for the runs in `folder`."""
    rows = [
        next(read(path / "trajectory.jsonl"))
        for path in sorted(folder.iterdir())
        if (path / "manifest.json").is_file()
        and orjson.loads((path / "manifest.json").read_bytes()).get("outcome") == "accepted"
    ]
    base, others = rows[0], rows[1:]
    advisor = Advisor.read(base.path.parent / "advisor")
    lexicon = Lexicon(Corpus.open(folder / "corpus"))
    check = partial(verify, advisor=advisor, lexicon=lexicon, arguments=argument_fault)
    long = [_longer(base, others, TOKENS * times) for times in TIMES]
    sizes = [_tokens(row) for row in long]
    check(long[0])
    spent: list[list[float]] = [[] for _ in long]
    for _ in range(ROUNDS):
        for at, row in enumerate(long):
            started = time.process_time()
            check(row)
            spent[at].append(time.process_time() - started)
    seconds = [median(s) for s in spent]
    out = ["", "cost of verifying a whole record, with oracle and index (CPU seconds of one core)"]
    for size, took in zip(sizes, seconds, strict=True):
        length, cost = size / sizes[0], took / seconds[0]
        out.append(
            f"  {size:>9,} tokens {took:8.2f} s   length x {length:4.2f}, cost x {cost:5.2f}, "
            f"a token x {cost / length:4.2f}"
        )
    grown = math.log(seconds[-1] / seconds[0]) / math.log(sizes[-1] / sizes[0])
    out.append(f"  cost grows with length to the power of {grown:.2f}")
    return "\n".join(out)


def _tokens(row: Row) -> int:
    return sum(
        count(str(m.get("content") or "")) + count(str(m.get("reasoning_content") or ""))
        for m in row.raw["messages"]
    )


def _longer(base: Row, others: list[Row], tokens: int) -> Row:
    """`base` with as many reading turns of others as make it `tokens` long."""
    raw: dict[str, Any] = copy.deepcopy(base.raw)
    turns = list(_turns(raw["messages"]))
    start = next(n for n, turn in enumerate(turns) if _writes(turn))
    left = tokens - _tokens(base)
    more: list[dict[str, Any]] = []
    asked: set[str] = {c for turn in turns for c in _asked(turn)}
    mine = _folder(base)
    laps = cycle(enumerate(others))
    for lap, (number, other) in enumerate(laps):
        if left <= 0:
            break
        for turn in _turns(other.raw["messages"]):
            if left <= 0 or _writes(turn):
                break
            # Where the trails have been gone through, their searches come again in other words.
            fresh = _without(_again(turn, lap) if lap >= len(others) else turn, asked)
            if not _calls(fresh):
                continue
            asked.update(_asked(fresh))
            text = orjson.dumps(fresh).decode().replace(_folder(other), mine)
            more += orjson.loads(text.replace('"call_', f'"call_{lap}_{number}_'))
            left -= sum(count(str(m.get("content") or "")) for m in fresh)
    head = raw["messages"][:2]
    raw["messages"] = [
        *head,
        *(m for turn in turns[:start] for m in turn),
        *more,
        *(m for turn in turns[start:] for m in turn),
    ]
    raw["_trail"] = {"cutoff": raw["_trail"]["cutoff"]}
    return Row(base.path, base.line, raw, base.size)


def _turns(messages: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Each assistant message with its results."""
    turn: list[dict[str, Any]] = []
    for message in messages[2:]:
        if message["role"] == "assistant" and turn:
            yield turn
            turn = []
        turn.append(message)
    yield turn


def _calls(turn: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [c["function"] for c in turn[0].get("tool_calls") or []]


def _again(turn: list[dict[str, Any]], lap: int) -> list[dict[str, Any]]:
    """The turn's searches, each with a word more; and their results."""
    first = copy.deepcopy(turn[0])
    kept = [c for c in first.get("tool_calls") or [] if c["function"]["name"] == "WebSearch"]
    for call in kept:
        query = orjson.loads(call["function"]["arguments"])["query"]
        call["function"]["arguments"] = orjson.dumps({"query": f"{query} part {lap}"}).decode()
    ids = {c["id"] for c in kept}
    return [{**first, "tool_calls": kept}, *(m for m in turn[1:] if m["tool_call_id"] in ids)]


def _without(turn: list[dict[str, Any]], asked: set[str]) -> list[dict[str, Any]]:
    """The turn without the calls that were made before."""
    kept = [
        c
        for c in turn[0].get("tool_calls") or []
        if f"{c['function']['name']} {c['function']['arguments']}" not in asked
    ]
    ids = {c["id"] for c in kept}
    return [{**turn[0], "tool_calls": kept}, *(m for m in turn[1:] if m["tool_call_id"] in ids)]


def _writes(turn: list[dict[str, Any]]) -> bool:
    return not _calls(turn) or any(c["name"] in ("Write", "Edit") for c in _calls(turn))


def _asked(turn: list[dict[str, Any]]) -> list[str]:
    return [f"{c['name']} {c['arguments']}" for c in _calls(turn)]


def _folder(row: Row) -> str:
    text = str(row.raw["messages"][0]["content"])
    return text[text.index("research_topics/") :].split("/")[1]
