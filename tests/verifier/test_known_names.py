"""Names whose day is public knowledge, in any spelling."""

from __future__ import annotations

import pytest

from ideatrail.evidence.dates import Cutoff, parse_date
from ideatrail.verifier.known_names import NAMES, late_names


@pytest.mark.parametrize(
    "said", ["Llama 3", "Llama-3", "LLaMA 3", "Llama3", "GPT-4o", "Claude 3.5"]
)
def test_late_in_any_spelling(said: str) -> None:
    assert list(late_names(f"One could ask {said} for it.", Cutoff.parse("2023-12-31"))) == [said]


@pytest.mark.parametrize(
    "text", ["lora is a name", "a Llama in 3 parks", "GPT-4", "the GPT-4-like one", "Vicuna"]
)
def test_not_late(text: str) -> None:
    assert not list(late_names(text, Cutoff.parse("2023-12-31")))


def test_a_longer_version_is_another_name() -> None:
    between = Cutoff.parse("2024-06-30")
    assert not list(late_names("Llama 3 was there.", between))
    assert list(late_names("Llama 3.1 was not.", between)) == ["Llama 3.1"]


def test_every_day_is_one() -> None:
    assert all(parse_date(day) is not None for day in NAMES.values())
