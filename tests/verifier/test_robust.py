"""Nothing that a model writes makes the verifier raise, and it changes nothing."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ideatrail.evidence.lexicon import Lexicon
from ideatrail.trail.stage import STAGES
from ideatrail.trail.turn import Call, Draft
from ideatrail.verifier.check import Verifier

TEXT = st.one_of(
    st.text(max_size=80),
    st.text(st.characters(), max_size=40).map(lambda t: f"## C1. {t}\n- source: {t} (A, 2020) x\n"),
    st.sampled_from(["\ud800 lone", "%zz%41", "&#99999999;", '"', "[C1, C2]", "arXiv:9999.99999"]),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(
    ["query", "url", "file_path", "content", "old_string", "new_string", "pattern", "limit", "odd"]
)


@st.composite
def calls(draw: st.DrawFn) -> Call:
    name = draw(st.sampled_from(["WebSearch", "Scraper", "View", "Write", "Edit", "Grep", "", "X"]))
    given_ = draw(st.dictionaries(KEYS, JSON, max_size=4))
    if draw(st.booleans()):
        given_["file_path"] = "research_topics/consistency-checks/claim_audit.md"
    return Call("call_1", name, json.dumps(given_, default=str), given_)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    reasoning=TEXT,
    content=TEXT,
    made=st.lists(calls(), max_size=4),
    stage=st.sampled_from(STAGES),
)
def test_any_draft_is_judged(
    world: Any,
    kit: Any,
    lexicon: Lexicon,
    reasoning: str,
    content: str,
    made: list[Call],
    stage: Any,
) -> None:
    verifier = Verifier(cutoff="2021-06-30", lexicon=lexicon)
    verifier.follow(world.maker.trail, kit.ORACLE)
    draft = Draft(reasoning, content, tuple(made))
    first = verifier.judge(draft, stage)
    assert first == verifier.judge(draft, stage)
    assert first.ok == (not first.findings)


@settings(max_examples=80, deadline=None)
@given(text=st.text(max_size=300))
def test_any_tool_text_is_read(text: str) -> None:
    from ideatrail.verifier.observation import read_grep, read_page, read_search, read_view, urls_in

    read_search(text)
    read_page(text)
    read_view(text)
    read_grep(text)
    urls_in(text)
