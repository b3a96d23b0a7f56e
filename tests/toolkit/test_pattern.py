"""Line patterns find what `re` finds, and no pattern takes long."""

from __future__ import annotations

import re
import time
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ideatrail.toolkit.outcome import RefusedError
from ideatrail.toolkit.pattern import NODES, STEPS, LinePattern

_atoms = st.sampled_from(
    [
        r"a",
        r"b",
        r".",
        r"\w",
        r"\s",
        r"\d",
        r"\W",
        r"\.",
        r"[ab]",
        r"[^a]",
        r"[\w-]",
        r"[a-c]",
        r"\b",
        r"\B",
        r"^",
        r"$",
        r"é",
        r"x",
        r"(?i:A)",
        r"(?:)",
    ]
)
_patterns = st.recursive(
    _atoms,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"])).map(
            lambda two: f"(?:{two[0]}){two[1]}"
        ),
    ),
    max_leaves=6,
)
_lines = st.text(st.sampled_from("abABxé .-1_"), max_size=12)


@given(pattern=_patterns, line=_lines)
def test_a_line_pattern_finds_what_re_finds(pattern: str, line: str) -> None:
    # `\B` in an empty line means one thing before Python 3.14 and another since.
    assume(pattern and (line or r"\B" not in pattern))
    compiled = LinePattern(pattern)
    found = compiled.find(line)
    assert (found is not None) == (re.search(pattern, line) is not None)
    assert compiled.find(line) == found  # what was remembered says the same


@pytest.mark.parametrize(
    ("pattern", "line", "end"),
    [
        ("(?i)LLM", "an llm here", 6),
        ("memory.*context", "memory and long context", 23),
        (r"^\s*$", "", 0),
        (r"12\.5%", "at 12.5% of", 8),
        ("naïve|naive", "a naïve way", 7),
        ("(?x) a  b # c", "xab", 3),
        (r"(?a)\w+é", "é", None),
        ("[[a]", "[", 1),
        ("(?P<n>a)(?:b)", "ab", 2),
    ],
)
def test_where_a_match_ends(pattern: str, line: str, end: int | None) -> None:
    assert LinePattern(pattern).find(line) == end


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|a)*b", "(a|aa)+c", ".*a.*a.*a.*a.*b", "a?" * 80 + "a" * 80 + "b", "(.*)*x"],
)
def test_patterns_that_make_backtracking_explode_are_quick(pattern: str) -> None:
    started = time.perf_counter()
    assert LinePattern(pattern).find("a" * 20_000 + "!") is None
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("[", "regular expression"),
        ("a{2,1}", "regular expression"),
        ("*", "regular expression"),
        ("(?=a)b", "look-around"),
        (r"(a)\1", "look-around"),
        ("(?>a)b", "look-around"),
        ("(a{1000}){1000}", "too large"),
        ("a{99999999999}", "too often"),
        ("x" * 501, "longer than"),
        ("", "empty"),
    ],
)
def test_patterns_that_are_refused(pattern: str, told: str) -> None:
    with pytest.raises(RefusedError, match=told):
        LinePattern(pattern)


def test_empty_groups_repeated_without_end_are_nothing() -> None:
    assert LinePattern("(){4000000000}x").find("ax") == 2


def test_a_costly_pattern_ends_in_a_refusal_that_counts_steps() -> None:
    # Which of the last 300 letters was an `a` is another state at nearly every place.
    letters = "".join(Random(1).choices("ab", k=20_000))
    pattern = LinePattern("a[ab]{300}c")
    with pytest.raises(RefusedError, match="costly"):
        pattern.find(letters)
    assert STEPS < pattern._steps < STEPS + NODES
