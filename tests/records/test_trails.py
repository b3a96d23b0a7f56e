"""A record read back is the trail that it was made from; other people's records never raise."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.records.reader import read
from ideatrail.records.trails import message_of, to_trail
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.run.replay import load_trail
from ideatrail.settings import Settings
from ideatrail.trail.stage import stage_rank
from ideatrail.trail.turn import Trail


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    proposal = str(folder("data") / "proposals" / "source_aware_decoding.md")
    out = tmp_path_factory.mktemp("trails")
    return asyncio.run(run_trail(Settings(proposal=proposal, turns=10, out=out))).folder


def compared(trail: Trail) -> list[Any]:
    """What both sides know of each turn."""
    return [
        (
            turn.index,
            turn.stage,
            turn.retries,
            turn.draft.reasoning,
            turn.draft.content,
            turn.draft.calls,
            turn.draft.faults,
            [
                (r.call_id, r.name, r.content, r.status, r.sha256, r.date_latest, r.source_file,
                 r.observed)
                for r in turn.results
            ],
            turn.changes,
        )
        for turn in trail.turns
    ]  # fmt: skip


def test_a_record_of_ours_is_the_trail_it_was_made_from(run) -> None:
    row = next(read(run / "trajectory.jsonl"))
    back, made = to_trail(row.raw), load_trail(run)
    assert (back.system, back.user) == (made.system, made.user)
    assert compared(back) == compared(made)
    for turn in back.turns:
        message = row.messages[message_of(row.raw, turn.index)]
        assert message["reasoning_content"] == turn.draft.reasoning


def test_without_our_block_most_is_worked_out(run) -> None:
    raw = dict(next(read(run / "trajectory.jsonl")).raw)
    del raw["_trail"]
    back, made = to_trail(raw), load_trail(run)
    assert [[r.status for r in t.results] for t in back.turns] == [
        ["ok" if r.status == "ok" else "refused" for r in t.results] for t in made.turns
    ]
    assert [[r.observed for r in t.results] for t in back.turns] == [
        [r.observed for r in t.results] for t in made.turns
    ]
    assert [t.changes for t in back.turns] == [t.changes for t in made.turns]
    ranks = [stage_rank(t.stage) for t in back.turns]
    assert ranks == sorted(ranks)


@pytest.mark.shared
def test_real_records_of_others_never_raise(shared_data) -> None:
    turns = 0
    for path in sorted((shared_data / "trajectories").glob("*.jsonl*")):
        for row in read(path):
            turns += len(to_trail(row.raw).turns)
    assert turns > 200


def test_what_is_wrong_becomes_a_fault_of_its_draft() -> None:
    calls = [
        {"id": "a", "function": {"name": "View", "arguments": "{broken"}},
        {"id": "a", "function": {"name": "", "arguments": "[1]"}},
        {"id": "b", "function": {"name": "View", "arguments": {"file_path": "x"}}},
    ]
    messages = [
        {"role": "assistant", "content": [{"type": "text", "text": "So."}], "tool_calls": calls},
        {"role": "tool", "tool_call_id": "a", "content": "one"},
        {"role": "assistant", "content": None, "tool_calls": calls[2:]},
        {"role": "tool", "tool_call_id": "b", "content": "Error: no"},
    ]
    first, second = to_trail({"messages": messages}).turns
    assert first.draft.content == "So."
    assert len(first.draft.faults) == 6
    assert first.draft.faulty_call == 0
    assert [c.id for c in first.draft.calls] == ["a", "a#2", "b"]
    assert [c.id for c in second.draft.calls] == ["b#2"]
    assert [r.status for r in second.results] == ["refused"]


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
message = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "user", "assistant", "tool", "judge"])},
    optional={
        "content": json,
        "reasoning_content": json,
        "tool_call_id": json,
        "tool_calls": st.lists(
            st.fixed_dictionaries(
                {"id": json, "function": st.fixed_dictionaries({"name": json, "arguments": json})}
            ),
            max_size=3,
        )
        | json,
    },
)


@given(st.lists(message, max_size=6), json)
def test_any_messages_make_a_trail(messages, block) -> None:
    trail = to_trail({"messages": messages, "_trail": block})
    assert len(trail.turns) == sum(m["role"] == "assistant" for m in messages)
    for turn in trail.turns:
        assert len(turn.results) == len(turn.draft.calls)
        orjson.dumps([c.parsed for c in turn.draft.calls])
