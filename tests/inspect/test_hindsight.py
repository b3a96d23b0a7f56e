"""A trail that knows where it goes lies above its control; one that does not lies on it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.inspect.hindsight import Curve, Decoys, Hindsight
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.run.replay import load_trail
from ideatrail.settings import Settings

TARGET = "Sentences of a source are left out one by one and the fall of likelihood is measured."
OTHERS = [
    "Treebanks of rare languages are parsed with transferred embeddings.",
    "Annotators disagree about sarcasm, and their disagreement is modelled.",
    "Questions are asked back before a query is answered.",
    "Likelihood of sentences is calibrated by temperature.",
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    proposal = str(folder("data") / "proposals" / "source_aware_decoding.md")
    out = tmp_path_factory.mktemp("trails")
    return asyncio.run(run_trail(Settings(proposal=proposal, turns=10, out=out))).folder


def test_a_trail_without_hindsight_lies_on_its_control(cli, run) -> None:
    done = cli("audit-hindsight", run, "--json")
    assert done.code == 0, done.err
    told = orjson.loads(done.out)
    assert told["hindsight"] == 0
    assert told["trail"] == told["control"]
    assert len(told["trail"]) >= 11
    kept = orjson.loads((run / "advisor" / "hindsight.json").read_bytes())
    assert kept == told
    manifest = orjson.loads((run / "manifest.json").read_bytes())
    assert manifest["metrics"]["hindsight"] == 0


def test_what_is_whispered_shows(run) -> None:
    trail = load_trail(run)
    whispered = replace(
        trail,
        turns=tuple(
            replace(t, draft=replace(t.draft, reasoning=f"{t.draft.reasoning} {TARGET}"))
            if t.index >= 4
            else t
            for t in trail.turns
        ),
    )
    ranked = Decoys(TARGET, [t.draft.reasoning for t in trail.turns] + OTHERS)
    found = Hindsight(ranked.curve(whispered), ranked.curve(trail))
    assert found.area > 0.01
    assert found.trail.ranks[:4] == found.control.ranks[:4]
    assert found.trail.ranks[-1] < found.control.ranks[-1]


def test_a_figure_is_drawn(cli, run, tmp_path) -> None:
    done = cli("audit-hindsight", run, "--control", run, "--figure", tmp_path / "h.svg")
    assert done.code == 0, done.err
    assert "hindsight +0.000" in done.out
    assert b"<svg" in (tmp_path / "h.svg").read_bytes()


def test_what_is_no_run_is_told(cli, tmp_path) -> None:
    done = cli("audit-hindsight", tmp_path)
    assert done.code == 2
    assert "is no run" in done.err


@given(st.lists(st.integers(1, 51), min_size=2, max_size=20))
def test_a_curve_beside_itself_has_no_area(ranks: list[int]) -> None:
    curve = Curve(tuple(ranks), 50)
    assert all(0 <= guess <= 1 for guess in curve.guesses)
    assert Hindsight(curve, curve).area == 0
    better = Curve(tuple(max(1, rank - 1) for rank in ranks), 50)
    assert Hindsight(better, curve).area >= 0 >= Hindsight(curve, better).area
