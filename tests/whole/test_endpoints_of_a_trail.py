"""Idea and proposal endpoints, repair and cutting back, with a judge whose scores are given."""

from __future__ import annotations

import orjson
import pytest

from ideatrail.models.protocol import Answer, Request, TextPart
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings

pytestmark = pytest.mark.slow

SHIPPED = str(folder("data") / "proposals" / "asking_before_answering.md")
SHARED = Shared()


class Scoring:
    """A judge that gives these scores in turn."""

    name = "offline"

    def __init__(self, *scores: float) -> None:
        self.scores = list(scores)

    async def answer(self, request: Request) -> Answer:
        score = self.scores.pop(0)
        parts = {"core_problem": score, "mechanism": score, "direction": score, "score": score}
        return Answer((TextPart(orjson.dumps({**parts, "why": "given"}).decode()),), cost=0.0)


async def ended(out, *scores: float):
    judge = Scoring(*scores)
    settings = Settings(proposal=SHIPPED, turns=20, out=out)
    result = await run_trail(settings, models={"judge": judge}, shared=SHARED)
    assert not judge.scores
    name = (
        "trajectory.jsonl" if result.outcome == "accepted" else "advisor/rejected_trajectory.jsonl"
    )
    record = orjson.loads((result.folder / name).read_bytes())
    return result, record


async def test_a_score_between_the_thresholds_is_an_idea(tmp_path):
    result, record = await ended(tmp_path, 0.3)
    assert (result.outcome, result.endpoint) == ("accepted", "idea")
    assert "_proposal_synth" not in record
    assert "research_proposal.md" not in record["messages"][0]["content"]
    assert record["messages"][-1]["role"] == "assistant"
    assert record["_trail"]["metrics"]["convergence"] == 0.3


async def test_a_score_below_delta_is_drift(tmp_path):
    result, record = await ended(tmp_path, 0.01)
    assert (result.outcome, result.exit_code) == ("rejected", 3)
    assert [r["code"] for r in result.reasons] == ["target_drift"]
    assert record["_trail"]["outcome"] == "rejected"
    assert not (result.folder / "trajectory.jsonl").exists()


async def test_a_score_at_gamma_goes_on_to_the_proposal(tmp_path):
    result, record = await ended(tmp_path, 0.9, 0.8)
    assert (result.outcome, result.endpoint) == ("accepted", "proposal")
    assert record["_proposal_synth"] is True
    assert "research_proposal.md" in record["messages"][0]["content"]
    assert record["_trail"]["metrics"]["convergence"] == 0.8
    (proposal,) = (result.folder / "workspace").rglob("research_proposal.md")
    assert proposal.read_text("utf-8").startswith("# ")
    turns = [t["message"] for t in record["_trail"]["turns"]]
    assert turns == sorted(turns)


async def test_a_proposal_below_gamma_is_repaired_once(tmp_path):
    result, _ = await ended(tmp_path, 0.9, 0.1, 0.8)
    assert (result.outcome, result.endpoint) == ("accepted", "proposal")


async def test_a_proposal_that_stays_below_gamma_is_cut_back_to_its_idea(tmp_path):
    result, record = await ended(tmp_path, 0.9, 0.1, 0.1)
    idea, alone = await ended(tmp_path / "idea", 0.3)
    assert (result.outcome, result.endpoint) == ("accepted", "idea")
    assert record["messages"] == alone["messages"], "as if no proposal had been tried"
    assert record["_trail"]["metrics"]["convergence"] == 0.9
    assert not list((result.folder / "workspace").rglob("research_proposal.md"))
    assert idea.endpoint == "idea"
