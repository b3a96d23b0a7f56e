"""Where a real model judges: paraphrase in drafts, and the border between high and normal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from ideatrail.models.offline.model import OfflineModel
from ideatrail.models.protocol import Answer, Request, TextPart
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings

pytestmark = pytest.mark.slow


class Judging:
    """A judge with a name of its own: what it is asked is kept, how it decides is given."""

    name = "judging"

    def __init__(self, *, leaks_first: int = 0, tier: str = "high") -> None:
        self.asked: dict[str, list[str]] = {"LeakageAnswer": [], "TierAnswer": []}
        self.leaks_first = leaks_first
        self.tier = tier

    async def answer(self, request: Request) -> Answer:
        title = str((request.answer_schema or {}).get("title"))
        if title not in self.asked:
            return await OfflineModel().answer(request)
        self.asked[title].append(request.messages[-1].text)
        if title == "TierAnswer":
            given = {"tier": self.tier, "why": "by test"}
        else:
            leaks = len(self.asked[title]) <= self.leaks_first
            given = {"leaks": leaks, "part": "reasoning", "why": "by test"}
        return Answer((TextPart(orjson.dumps(given).decode()),))


@pytest.fixture(scope="module")
def shared() -> Shared:
    return Shared()


def settings(out: Path) -> Settings:
    proposal = str(folder("data") / "proposals" / "source_aware_decoding.md")
    return Settings(proposal=proposal, turns=14, out=out)


def lines(path: Path) -> list[dict]:
    return [orjson.loads(x) for x in path.read_bytes().splitlines()] if path.exists() else []


async def test_the_border_is_put_to_a_real_judge_alone(tmp_path, shared):
    judge = Judging(tier="normal")
    plain = await run_trail(settings(tmp_path / "plain"), shared=shared)
    result = await run_trail(settings(tmp_path / "judged"), models={"judge": judge}, shared=shared)
    assert 2 <= len(judge.asked["TierAnswer"]) <= 10
    # Each question holds its own turn and no other.
    assert all(text.count("<turn>") == 1 for text in judge.asked["TierAnswer"])
    tiers = result.manifest["counts"]["tiers"]
    rules = plain.manifest["counts"]["tiers"]
    assert tiers["low"] == rules["low"]
    assert tiers["high"] == 0 < rules["high"]
    record = orjson.loads((result.folder / "trajectory.jsonl").read_bytes())
    reasons = [r["reason"] for r in record["_trail"]["tier_reasons"]]
    assert sum("judge: by test" in r for r in reasons) == len(judge.asked["TierAnswer"])


async def test_a_judge_may_fail_what_the_rules_passed(tmp_path, shared, monkeypatch):
    # Suspicion is made certain, so that every draft is put to the judge.
    from ideatrail.verifier import check, suspicion

    def all_closed(case, view, oracle, lexicon):
        return tuple(a for a in oracle.atoms if a.kind != "artifact")[:2]

    monkeypatch.setattr(check, "suspects", all_closed)
    assert suspicion.suspects is not all_closed
    judge = Judging(leaks_first=1)
    result = await run_trail(settings(tmp_path), models={"judge": judge}, shared=shared)
    (kept,) = lines(result.folder / "advisor" / "rejected.jsonl")
    assert (kept["turn"], kept["findings"][0]["layer"]) == (1, "judge")
    first, second = judge.asked["LeakageAnswer"][:2]
    assert "<hidden>" in first
    assert "<draft>" in second
    told = lines(result.folder / "advisor" / "ledger.jsonl")
    assert max(t["bits"] for t in told[:3]) > 5, "what the oracle decides is charged"
    record = orjson.loads((result.folder / "trajectory.jsonl").read_bytes())
    assert record["_trail"]["turns"][0]["retries"] == 1


async def test_the_rules_come_first(tmp_path, shared):
    """The judge is never asked about a draft in which a rule found something."""

    class Slipping(OfflineModel):
        async def answer(self, request: Request) -> Answer:
            answer = await super().answer(request)
            line = request.messages[-1].text
            if "Turn 2 of" not in line or "not taken" in line:
                return answer
            parts = [
                replace(p, text=f"{p.text} The verifier rejected my last draft.")
                if type(p).__name__ == "ReasoningPart"
                else p
                for p in answer.parts
            ]
            return Answer(tuple(parts))

    judge = Judging(leaks_first=10_000)
    await run_trail(
        settings(tmp_path), models={"judge": judge, "generator": Slipping()}, shared=shared
    )
    assert not any("The verifier rejected" in text for text in judge.asked["LeakageAnswer"])
