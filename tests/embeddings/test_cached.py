"""The cache gives what the model gives, and asks it once a text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from letters import Letters

from ideatrail.embeddings.cached import Cached

TEXTS = st.text(st.characters(codec="utf-8"), max_size=6)


@given(batches=st.lists(st.lists(TEXTS, max_size=8), max_size=6), capacity=st.integers(1, 9))
def test_cached_vectors_equal_fresh_ones(batches: list[list[str]], capacity: int) -> None:
    cached = Cached(Letters(), capacity)
    for batch in batches:
        got = cached.encode(batch)
        assert got.shape == (len(batch), 64)
        assert got.dtype == np.float32
        assert np.array_equal(got, Letters().encode(batch))
        assert len(cached) <= capacity


@given(batches=st.lists(st.lists(TEXTS, max_size=8), max_size=6))
def test_cached_asks_once_for_each_text(batches: list[list[str]]) -> None:
    inner = Letters()
    cached = Cached(inner)
    for batch in batches:
        cached.encode(batch)
    assert sorted(inner.asked) == sorted({text for batch in batches for text in batch})


def test_cached_forgets_what_was_used_longest_ago() -> None:
    inner = Letters()
    cached = Cached(inner, capacity=2)
    cached.encode(["a", "b"])
    cached.encode(["a"])
    cached.encode(["c"])  # b goes
    cached.encode(["a", "c"])
    assert inner.asked == ["a", "b", "c"]
    cached.encode(["b"])
    assert inner.asked == ["a", "b", "c", "b"]


def test_cached_is_not_changed_through_what_it_gave() -> None:
    cached = Cached(Letters())
    cached.encode(["a"])[:] = 0
    assert np.array_equal(cached.encode(["a"]), Letters().encode(["a"]))


def test_cached_passes_name_and_dimension_on() -> None:
    cached = Cached(Letters())
    assert (cached.name, cached.dimension) == ("letters@0", 64)
    assert cached.encode([]).shape == (0, 64)


def test_cached_refuses_no_room() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Cached(Letters(), capacity=0)
