"""The history that goes back: byte for byte, in order, and in brief where the window is short."""

from __future__ import annotations

from itertools import pairwise

import hypothesis.strategies as st
import orjson
import pytest
from hypothesis import given

from ideatrail.evidence.observations import Observations
from ideatrail.models.adapter import prompt_tokens
from ideatrail.models.protocol import (
    Answer,
    CallPart,
    ReasoningPart,
    Request,
    TextPart,
    message,
)
from ideatrail.nodes.generate import to_draft, visible_thinking
from ideatrail.nodes.history import LEVELS, fit, history, turn_messages
from ideatrail.run.codec import Codec
from ideatrail.trail.turn import Result, Trail, Turn

TOOLS = {"WebSearch", "Scraper", "View", "Write"}
PAGE = (
    """Title: T
Authors: A
Venue: V
Date: 2020
URL: https://a.org/1
Saved as: s/1.md

"""
    + "A sentence of the page that says something. " * 60
)
HITS = "\n".join(
    f"{n}. A title of a paper\n   A. Author | Venue | 2020\n   https://a.org/{n}\n   {'word ' * 60}"
    for n in range(1, 11)
)
ANSWERS = (
    Answer(
        (
            ReasoningPart("I look around.", signature="c2ln+/="),
            ReasoningPart("", redacted="b3BhcXVl\u2028"),
            TextPart(" Let me see.\n"),
            ReasoningPart("And again.", signature="c2ln2"),
            CallPart("toolu_1", "WebSearch", '{"query":  "a b"}'),
            CallPart("toolu_2", "Scraper", '{"url": "https://a.org/1"}'),
        ),
        provider_id="msg_1",
    ),
    Answer(
        (
            ReasoningPart("Then I write.", item='[{"type":"reasoning.text","index":0}]'),
            CallPart("toolu_1", "Write", '{"file_path": "a.md", "content": "%s"}' % ("x " * 900)),
        ),
        provider_id="msg_2",
    ),
)


def turn(index: int, answer: Answer, first_id: int, contents: dict[str, str]) -> Turn:
    draft = to_draft(answer, TOOLS, first_id)
    assert not draft.faults
    results = tuple(
        Result(
            call.id,
            call.name,
            contents.get(call.name, "Done."),
            "ok",
            "",
            source_file="s/1.md" if call.name == "Scraper" else None,
        )
        for call in draft.calls
    )
    return Turn(index, "explore", "", draft, results)


def trail(turns: int = 2) -> Trail:
    made: list[Turn] = []
    ids = 1
    for index in range(turns):
        made.append(turn(index + 1, ANSWERS[index % 2], ids, {"WebSearch": HITS, "Scraper": PAGE}))
        ids += len(made[-1].draft.calls)
    return Trail("The brief.", "The direction.", tuple(made))


def test_what_an_endpoint_gave_goes_back_as_it_came() -> None:
    told = history(trail())
    assert [m.role for m in told[2:]] == ["assistant", "tool", "tool", "assistant", "tool"]
    assert told[2].parts == ANSWERS[0].parts
    assert [m.tool_call_id for m in told[3:5]] == ["toolu_1", "toolu_2"]
    # The endpoint has used an id twice: the second call goes back under ours.
    assert [c.id for c in told[5].calls] == ["call_3"] == [told[6].tool_call_id]
    assert told[5].parts[0] == ANSWERS[1].parts[0]


def test_it_comes_through_the_log_unchanged(tmp_path) -> None:
    store = Observations(tmp_path)
    for content in ("Done.", HITS, PAGE):
        store.put(content, {})
    whole = Trail(
        "S",
        "U",
        tuple(
            Turn(t.index, t.stage, "", t.draft, tuple(
                Result(r.call_id, r.name, r.content, r.status, store.put(r.content, {}))
                for r in t.results
            ))
            for t in trail().turns
        ),
    )  # fmt: skip
    line = orjson.loads(orjson.dumps(Codec(store).encode({"trail": whole})))
    again = Codec(store).decode(line)["trail"]
    assert history(again) == history(whole)
    assert [t.draft.provider for t in again.turns] == [t.draft.provider for t in whole.turns]


def test_a_model_without_anything_to_send_back_keeps_nothing() -> None:
    draft = to_draft(Answer((ReasoningPart("So."), CallPart("c1_0", "View", "{}"))), TOOLS, 4)
    assert draft.provider == ()
    result = Result("call_4", "View", "1\tline", "ok", "")
    said, _ = turn_messages(Turn(1, "explore", "", draft, (result,)), set())
    assert said.parts == (ReasoningPart("So."), CallPart("call_4", "View", "{}"))


def test_a_dropped_call_does_not_go_back() -> None:
    from dataclasses import replace

    first = trail().turns[0]
    kept = replace(first.draft, calls=first.draft.calls[1:])
    told = turn_messages(replace(first, draft=kept, results=first.results[1:]), set())
    assert [c.id for c in told[0].calls] == ["toolu_2"] == [told[1].tool_call_id]
    assert told[0].parts[:4] == ANSWERS[0].parts[:4]


def test_older_observations_are_brief_and_say_where_they_stand() -> None:
    whole = trail(1)
    searched, scraped = (m.text for m in history(whole, [1])[3:5])
    assert searched.count("https://a.org/") == 10
    assert "word word" not in searched
    assert scraped.startswith(PAGE[: PAGE.index("\n\n")])
    assert "stands in s/1.md: View it" in scraped
    assert whole == trail(1), "the trail itself is as it was first shown"


@given(turns=st.integers(1, 12), room=st.integers(400, 40_000))
def test_the_history_fits_the_room_where_it_can(turns: int, room: int) -> None:
    long = trail(turns)
    rest = Request((message("user", "Stage: explore. Turn 3 of 9."),))

    def size(told: list) -> int:
        return prompt_tokens(Request((*told, *rest.messages)))

    told = fit(long, rest, room)
    least = size(history(long, [LEVELS] * turns))
    if size(history(long)) <= room:
        assert told == history(long)
    elif least <= room:
        assert size(told) <= room
    roles = [m.role for m in history(long)]
    assert [m.role for m in told] == roles, "every call is answered, however brief"
    assert told == fit(long, rest, room)


def test_the_prefix_stays_the_same_for_many_turns() -> None:
    """Room is made in one go, so that a provider's cache of the prefix serves the next turns."""
    rest = Request((message("user", "Stage: explore."),))
    told = [fit(trail(n), rest, 20_000) for n in range(1, 40)]
    breaks = sum(later[: len(earlier)] != earlier for earlier, later in pairwise(told))
    assert 0 < breaks < 8


@pytest.mark.parametrize(
    ("text", "closing", "thinking", "rest"),
    [
        ("<thinking>Why.</thinking>\n", False, "Why.", ""),
        ("<thinking>Why.\nSo.</thinking> Done.", True, "Why.\nSo.", "Done."),
        ("<think>Cut off", False, "Cut off", ""),
        ("I look first.", False, "I look first.", ""),
        ("I weigh it.\n\nThe second stands.", True, "I weigh it.", "The second stands."),
        ("The second stands.", True, "", "The second stands."),
        ("<thinking> </thinking>", False, "", ""),
        ("", False, "", ""),
    ],
)
def test_visible_thinking_is_found(text: str, closing: bool, thinking: str, rest: str) -> None:
    assert visible_thinking(text, closing=closing) == (thinking, rest)
