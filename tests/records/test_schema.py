"""The record's models: what they hold apart, what they keep, what they refuse."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ideatrail.records.schema import Record, dump

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from handmade import good

ABSENT = object()


def wild(**more: Any) -> dict[str, Any]:
    """A record as the paper's own release has them: no `_trail`."""
    call = {"id": "c", "type": "function", "function": {"name": "", "arguments": "{"}}
    return {
        "sample_id": "b2_017",
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": "u"},
            {"role": "assistant", "content": "", "reasoning_content": "r", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c", "name": "", "content": "\u2028<|endoftext|>"},
        ],
        "tools": [],
        "parallel_tool_calls": True,
        "_src": "rp4",
        **more,
    }


@pytest.mark.parametrize("grade", ["A", "None", None, ABSENT])
def test_grade_null_none_and_absent_are_three_things(grade: Any) -> None:
    raw = wild() if grade is ABSENT else wild(_grade=grade)
    assert dump(Record.model_validate(raw)) == raw


@given(st.dictionaries(st.from_regex(r"\A_[a-z]{1,8}\Z"), st.none() | st.integers() | st.text()))
def test_unknown_underscore_keys_survive_everywhere(extra: dict[str, Any]) -> None:
    known = {"_src", "_grade", "_naturalness", "_proposal_synth", "_proposal_path", "_trail"}
    extra = {k: v for k, v in extra.items() if k not in known}
    raw = wild(**extra)
    for message in raw["messages"]:
        message.update(extra)
    raw["messages"][2]["tool_calls"][0].update(extra)
    assert dump(Record.model_validate(raw)) == raw


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("grade", {"grade": "A"}),
        ("_grade", {"_grade": "AA"}),
        ("src", {"_src": None}),
        ("parallel", {"parallel_tool_calls": False}),
        ("synth", {"_proposal_synth": False}),
    ],
)
def test_record_refuses_what_is_not_its_form(place: str, change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Record.model_validate({**wild(), **change})


def test_record_refuses_blank_reasoning_and_a_mistyped_key() -> None:
    blank = wild()
    blank["messages"][2]["reasoning_content"] = " \n"
    with pytest.raises(ValidationError, match="reasoning_content"):
        Record.model_validate(blank)
    typo = wild()
    typo["messages"][3]["tool_callid"] = "c"
    with pytest.raises(ValidationError, match="tool_callid"):
        Record.model_validate(typo)


def test_every_key_of_the_record_is_described() -> None:
    schema = Record.model_json_schema(by_alias=True)
    for name in ("TrailBlock", "StageMark", "TurnMark", "ResultMark", "TierReason"):
        body = schema["$defs"][name]
        bare = {
            key
            for key, value in body["properties"].items()
            if "description" not in value and key not in ("stage", "reason")
        }
        assert not bare, name
    assert all(
        "description" in v or k == "parallel_tool_calls" for k, v in schema["properties"].items()
    )


def test_handmade_trail_has_the_shape_of_messages() -> None:
    raw, _, _ = good()
    raw.pop("_trail")
    assert dump(Record.model_validate(raw)) == raw
