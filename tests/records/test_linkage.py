"""Calls and results are paired inside one batch, whatever their ids."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ideatrail.records.linkage import Link, pair


def asks(*calls: tuple[str, str]) -> dict[str, Any]:
    entries = [{"id": i, "function": {"name": n, "arguments": "{}"}} for i, n in calls]
    return {"role": "assistant", "content": None, "tool_calls": entries}


def tells(call: str | None, name: str = "View") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "name": name, "content": ""}


def test_an_id_that_comes_back_is_paired_with_its_own_batch() -> None:
    found = pair([asks(("a", "View")), tells("a"), asks(("a", "Grep")), tells("a", "Grep")])
    assert [[link.result for link in b.links] for b in found.batches] == [[1], [3]]
    assert found.unmatched == found.unanswered == ()
    assert found.id_uses["a"] == 2


def test_a_result_never_answers_an_older_batch() -> None:
    found = pair([asks(("a", "View")), asks(("b", "View")), tells("a"), tells("b")])
    assert found.unmatched == (2,)
    assert found.unanswered == ((0, 0),)


def test_a_user_message_closes_the_batch() -> None:
    found = pair([asks(("a", "View")), {"role": "user", "content": ""}, tells("a")])
    assert found.unmatched == (2,)


def test_one_id_twice_in_a_batch_is_answered_in_order() -> None:
    found = pair([asks(("a", "View"), ("a", "Grep")), tells("a"), tells("a")])
    assert found.batches[0].links == (Link(0, "a", "View", 1), Link(1, "a", "Grep", 2))


def test_a_result_too_many_is_unmatched() -> None:
    assert pair([asks(("a", "View")), tells("a"), tells("a")]).unmatched == (2,)


def test_empty_names_and_plural_ids_are_paired() -> None:
    plural = {"role": "tool", "content": "", "tool_call_ids": ["b"]}
    found = pair([asks(("a", ""), ("b", "View")), plural, tells("a", "")])
    assert [link.result for link in found.batches[0].links] == [2, 1]


def test_a_result_without_an_id_answers_by_name_then_by_order() -> None:
    found = pair([asks(("a", "View"), ("b", "Grep")), tells(None, "Grep"), tells(None, "")])
    assert [link.result for link in found.batches[0].links] == [2, 1]


def test_a_tool_message_first_of_all_is_unmatched() -> None:
    assert pair([tells("a")]).unmatched == (0,)


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=4), max_size=6), st.randoms())
def test_every_result_is_paired_once_or_unmatched(batches: list[list[str]], random: Any) -> None:
    messages: list[dict[str, Any]] = []
    for ids in batches:
        messages.append(asks(*[(i, "View") for i in ids]))
        answers = [tells(i) for i in ids]
        random.shuffle(answers)
        messages += answers
    found = pair(messages)
    paired = [link.result for b in found.batches for link in b.links]
    assert found.unmatched == ()
    assert sorted(r for r in paired if r is not None) == [
        i for i, m in enumerate(messages) if m["role"] == "tool"
    ]
    for batch in found.batches:
        for link in batch.links:
            assert link.result is not None
            assert messages[link.result]["tool_call_id"] == link.id
