"""Pairs of an accepted turn and a draft of it that was not taken, released only where clean."""

from __future__ import annotations

import asyncio
from pathlib import Path

import orjson
import pytest

from ideatrail.inspect.pairs import Pair, PairsError, Withheld, pairs_of
from ideatrail.inspect.verify import Advisor
from ideatrail.models.offline.model import OfflineModel
from ideatrail.models.protocol import Answer, ReasoningPart, Request
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.run.services import argument_fault
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings


class Slipping:
    """A Generator whose first draft of some turns has a sentence too many."""

    name = "offline"

    def __init__(self, slips: dict[int, str]) -> None:
        self.slips = slips

    async def answer(self, request: Request) -> Answer:
        answer = await OfflineModel().answer(request)
        line = request.messages[-1].text.strip()
        slip = next((s for turn, s in self.slips.items() if f"Turn {turn} of" in line), None)
        if slip is None or "was not taken" in line:
            return answer
        said = ReasoningPart(f"{answer.reasoning} {slip}")
        return Answer((said, *(p for p in answer.parts if not isinstance(p, ReasoningPart))))


@pytest.fixture(scope="module")
def shared() -> Shared:
    return Shared()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, shared: Shared) -> Path:
    proposal = str(folder("data") / "proposals" / "source_aware_decoding.md")
    out = tmp_path_factory.mktemp("trails")
    settings = Settings(proposal=proposal, turns=12, out=out)
    clean = asyncio.run(run_trail(settings, shared=shared)).folder
    oracle = Advisor.read(clean / "advisor").oracle
    secret = max((form for lock in oracle.locks for form in lock.forms), key=len)
    public = "As the verifier told me, my last draft was rejected."
    slips = {2: public, 3: f"{public} I should think of {secret}."}
    made = run_trail(
        settings.model_copy(update={"out": out / "slipping"}),
        models={"generator": Slipping(slips)},
        shared=shared,
    )
    return asyncio.run(made).folder


def found(run: Path, shared: Shared) -> list[Pair | Withheld]:
    return list(
        pairs_of(
            run / "trajectory.jsonl",
            run / "advisor",
            lexicon=shared.lexicon(shared.corpus(None)),
            arguments=argument_fault,
        )
    )


def test_a_slip_makes_a_pair_and_a_secret_makes_none(run, shared) -> None:
    pair, kept = found(run, shared)
    assert isinstance(pair, Pair)
    assert (pair.turn, pair.code) == (2, "pipeline_language")
    assert "As the verifier told me" in pair.rejected["reasoning_content"]
    assert "As the verifier told me" not in pair.chosen["reasoning_content"]
    assert [m["role"] for m in pair.prompt[:3]] == ["system", "user", "assistant"]
    assert pair.prompt[-1]["role"] == "tool"
    # The public check spoke first, but the text holds a secret all the same.
    assert kept == Withheld(3, 0, "leakage")


def test_what_went_another_way_makes_no_pair(run, shared, tmp_path) -> None:
    advisor = tmp_path / "advisor"
    advisor.mkdir()
    (advisor / "oracle.json").write_bytes((run / "advisor" / "oracle.json").read_bytes())
    lines = (run / "advisor" / "rejected.jsonl").read_bytes().splitlines()
    held = orjson.loads(lines[0]) | {"after": "0" * 64}
    (advisor / "rejected.jsonl").write_bytes(orjson.dumps(held) + b"\n")
    other = pairs_of(
        run / "trajectory.jsonl",
        advisor,
        lexicon=shared.lexicon(shared.corpus(None)),
        arguments=argument_fault,
    )
    assert list(other) == [Withheld(2, 0, "no accepted version")]


def test_without_an_index_nothing_is_released(run) -> None:
    told = pairs_of(run / "trajectory.jsonl", run / "advisor", lexicon=None, arguments=None)
    assert all(isinstance(one, Withheld) for one in told)


def test_no_trail_no_pairs(tmp_path) -> None:
    with pytest.raises(PairsError, match="no accepted trail"):
        list(pairs_of(tmp_path / "none.jsonl", tmp_path, lexicon=None, arguments=None))


def test_the_command_writes_pairs(cli, run, tmp_path) -> None:
    out = tmp_path / "pairs.jsonl"
    done = cli("export", "--pairs", run, "--out", out)
    assert done.code == 0, done.out
    assert "1 pairs" in done.out
    assert "kept back: 1 (leakage)" in done.out
    (row,) = [orjson.loads(line) for line in out.read_bytes().splitlines()]
    assert set(row) == {"prompt", "chosen", "rejected", "tools", "_pair"}
    assert cli("export", run, "--out", out).code == 2
    assert cli("export", "--pairs", tmp_path, "--out", out).code == 2
