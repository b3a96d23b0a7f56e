"""Near-duplicates are found by the trail's own words, and no others."""

from __future__ import annotations

import random

from ideatrail.batch.duplicates import Duplicates, signature

WORDS = [f"word{n}" for n in range(400)]


def record(seed: int, changed: int = 0, observed: str = "") -> dict:
    chance = random.Random(seed)
    said = [chance.choice(WORDS) for _ in range(900)]
    other = random.Random(1000 + changed)
    for n in range(changed):
        said[n * 20] = other.choice(WORDS)
    return {
        "messages": [
            {"role": "system", "content": "the same for all"},
            {"role": "assistant", "content": "", "reasoning_content": " ".join(said)},
            {"role": "tool", "content": observed},
        ]
    }


def test_nearly_the_same_is_found() -> None:
    index = Duplicates()
    assert index.add("a", signature(record(1))) is None
    assert index.add("b", signature(record(2))) is None
    twin = index.add("c", signature(record(1, changed=5)))
    assert twin is not None
    assert (twin.other, twin.likeness > 0.8) == ("a", True)


def test_what_tools_returned_does_not_count() -> None:
    index = Duplicates()
    index.add("a", signature(record(1, observed="a long page " * 500)))
    assert index.add("b", signature(record(2, observed="a long page " * 500))) is None


def test_what_is_dropped_is_forgotten() -> None:
    index = Duplicates()
    index.add("a", signature(record(1)))
    index.drop("a")
    assert index.add("b", signature(record(1))) is None


def test_a_signature_is_the_same_in_every_process() -> None:
    assert signature(record(3)) == signature(record(3))
    assert signature({"messages": []})
