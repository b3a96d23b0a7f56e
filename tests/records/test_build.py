"""A trail becomes a record: fixed keys, fixed order, and refusals of what is no whole trail."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import jsonschema
import orjson
import pytest

from ideatrail import resources
from ideatrail.records.build import UNGRADED, to_record
from ideatrail.records.fault import RecordError
from ideatrail.records.schema import Record, dump
from ideatrail.trail.stage import Stage
from ideatrail.trail.turn import Call, Draft, Result, Trail, Turn


def turn(index: int, stage: Stage, *names: str, first: int = 0, reasoning: str = "So.") -> Turn:
    calls = tuple(
        Call(f"call_{first + n}", name, '{"query":"q"}', {"query": "q"})
        for n, name in enumerate(names)
    )
    results = tuple(
        Result(c.id, c.name, f"text {c.id}", "ok", hashlib.sha256(b"x").hexdigest(), "2020-01-02")
        for c in calls
    )
    draft = Draft(reasoning, "" if names else "Done.", calls)
    return Turn(index, stage, "Stage: x.", draft, results, tier="normal", tier_reason="reading")


def trail() -> Trail:
    return Trail(
        system="Until 2021-06-30.",
        user="A question?",
        turns=(
            turn(1, "explore", "WebSearch", "Glob", first=1),
            replace(turn(2, "audit", "Write", first=3), retries=2),
            turn(3, "audit"),
        ),
        endpoint="idea",
    )


def build(whole: Trail, **change: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "sample_id": "t1",
        "tools": [{"type": "function", "function": {"name": "Glob"}}],
        "cutoff": "2021-06-30",
        "corpus": "bundled",
        "outcome": "accepted",
        "endpoint": "idea",
        "metrics": {"grounding": 1.0},
        "grade": "A",
        "naturalness": 0.75,
        "ledger_bits": 1.2,
        "models": {"generator": "offline", "advisor": "openai:m"},
        "usage": {"generator": {"input": None}},
        "fingerprint": "f" * 8,
        "proposal_path": "research_topics/q/research_proposal.md",
    }
    return to_record(whole, **{**values, **change})


def test_record_has_its_keys_in_their_order() -> None:
    record = build(trail())
    assert list(record) == [
        "sample_id",
        "messages",
        "tools",
        "parallel_tool_calls",
        "_src",
        "_grade",
        "_naturalness",
        "_trail",
    ]
    assert list(record["_trail"]) == [
        "format_version",
        "outcome",
        "endpoint",
        "cutoff",
        "corpus",
        "stages",
        "turns",
        "results",
        "metrics",
        "ledger_bits",
        "tier_reasons",
        "reasoning_source",
        "models",
        "usage",
        "fingerprint",
    ]
    roles = [m["role"] for m in record["messages"]]
    assert roles == "system user assistant tool tool assistant tool assistant".split()
    assert list(record["messages"][2]) == [
        "role",
        "content",
        "reasoning_content",
        "tool_calls",
        "value_tier",
    ]
    assert list(record["messages"][3]) == ["role", "tool_call_id", "name", "content"]
    assert "tool_calls" not in record["messages"][-1]
    assert record["_src"] == "ideatrail-offline"


def test_record_is_what_its_own_schema_says() -> None:
    record = build(trail(), reasons=[{"code": "x", "layer": "y", "pointer": None}])
    again = orjson.loads(orjson.dumps(record))
    assert dump(Record.model_validate(again)) == again
    schema = orjson.loads((resources.folder("schemas") / "record.json").read_bytes())
    jsonschema.validate(again, schema)
    for place in (again, again["_trail"], again["messages"][2]):
        place["of_ours"] = 1
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(again, schema)
        place["_of_ours"] = place.pop("of_ours")
    jsonschema.validate(again, schema)


def test_trail_block_points_into_the_messages() -> None:
    block = build(trail())["_trail"]
    assert block["stages"] == [
        {"stage": "explore", "from_message": 2},
        {"stage": "audit", "from_message": 5},
    ]
    assert block["turns"][1] == {"message": 5, "stage": "audit", "retries": 2}
    assert list(block["results"]) == ["call_1", "call_2", "call_3"]
    assert block["tier_reasons"][-1] == {"message": 7, "reason": "reading"}
    assert block["reasoning_source"] == "native"
    assert "reasons" not in block


def test_one_visible_turn_makes_the_reasoning_visible() -> None:
    whole = trail()
    last = replace(
        whole.turns[-1], draft=replace(whole.turns[-1].draft, reasoning_source="visible")
    )
    assert build(whole.rewind(2).append(last))["_trail"]["reasoning_source"] == "visible"


def test_proposal_keys_stand_on_proposal_trails_alone() -> None:
    idea = build(trail())
    assert "_proposal_synth" not in idea
    assert "_proposal_path" not in idea
    proposal = build(trail(), endpoint="proposal")
    assert proposal["_proposal_synth"] is True
    assert proposal["_proposal_path"] == "research_topics/q/research_proposal.md"


def test_an_ungraded_trail_has_no_grade() -> None:
    assert "_grade" not in build(trail(), grade=UNGRADED)
    assert build(trail(), grade="None")["_grade"] == "None"


def test_untiered_turns_carry_no_tier() -> None:
    bare = Trail("s", "u", tuple(replace(t, tier=None) for t in trail().turns))
    record = build(bare)
    assert all("value_tier" not in m for m in record["messages"])
    assert record["_trail"]["tier_reasons"] == []


@pytest.mark.parametrize("path", ["", "/home/x/p.md", "../p.md", "a/../../p.md", "C:\\p.md"])
def test_a_path_that_tells_of_the_host_is_refused(path: str) -> None:
    with pytest.raises(RecordError, match="workspace path"):
        build(trail(), endpoint="proposal", proposal_path=path)


def test_blank_reasoning_is_refused() -> None:
    with pytest.raises(RecordError, match="turn 4 has no reasoning"):
        build(trail().append(turn(4, "audit", reasoning=" \n")))


def test_ids_used_twice_are_refused() -> None:
    whole = trail().append(turn(4, "audit", "Glob", first=1)).append(turn(5, "audit"))
    with pytest.raises(RecordError, match="call_1 is used twice"):
        build(whole)


@pytest.mark.parametrize("results", [(), "swapped"])
def test_results_that_do_not_answer_their_calls_are_refused(results: Any) -> None:
    first = trail().turns[0]
    kept = first.results[::-1] if results == "swapped" else ()
    with pytest.raises(RecordError, match="do not answer"):
        build(Trail("s", "u", (replace(first, results=kept),)), outcome="rejected")


def test_an_empty_function_name_is_refused() -> None:
    with pytest.raises(RecordError, match="names no tool"):
        build(Trail("s", "u", (turn(1, "explore", ""),)), outcome="rejected")


def test_only_a_rejected_trail_may_stop_at_a_tool_message() -> None:
    stopped = trail().rewind(2)
    with pytest.raises(RecordError, match="ends with a tool message"):
        build(stopped)
    record = build(
        stopped,
        outcome="rejected",
        endpoint=None,
        reasons=[{"code": "fake_url", "layer": "urls", "pointer": {"part": "call", "call": 0}}],
    )
    assert record["_trail"]["reasons"][0]["code"] == "fake_url"
    assert Record.model_validate(record).trail is not None


def test_equal_trails_make_equal_bytes() -> None:
    assert orjson.dumps(build(trail())) == orjson.dumps(build(trail()))
    assert build(trail())["messages"][2]["tool_calls"][0]["id"] == "call_1"
