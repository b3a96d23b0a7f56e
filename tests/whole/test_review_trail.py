"""The finished trail is checked as a whole: a fault that only shows then sends it back, once."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

import ideatrail.run.job as job
from ideatrail.models.offline.model import OfflineModel
from ideatrail.models.protocol import Answer, ReasoningPart, Request
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.run.services import argument_fault, make_services
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings
from ideatrail.verifier.check import Verifier
from ideatrail.verifier.observation import read_search

pytestmark = pytest.mark.slow


class Knowing:
    """A Generator that names a paper in its second turn, before it has found it."""

    name = "offline"

    def __init__(self, title: str, *, stubborn: bool = False) -> None:
        self.title = title
        self.stubborn = stubborn

    async def answer(self, request: Request) -> Answer:
        answer = await OfflineModel().answer(request)
        line = request.messages[-1].text
        told_off = "\n" in line.strip()
        if "Turn 2 of" not in line or (told_off and not self.stubborn):
            return answer
        said = ReasoningPart(f"{answer.reasoning} I expect {self.title} to say more on this.")
        return Answer((said, *(p for p in answer.parts if not isinstance(p, ReasoningPart))))


def settings(out) -> Settings:
    proposal = str(folder("data") / "proposals" / "source_aware_decoding.md")
    return Settings(proposal=proposal, turns=14, out=out)


@pytest.fixture(scope="module")
def shared() -> Shared:
    return Shared()


@pytest.fixture
def no_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drafts are judged without an index, as where pages come from the open web: a title is then
    known only once the trail has observed it."""

    def made(inputs, run, **given):
        services, sink = make_services(inputs, run, **given)
        verifier = Verifier(cutoff=inputs.cutoff, arguments=argument_fault)
        return replace(services, verifier=verifier), sink

    monkeypatch.setattr(job, "make_services", made)


async def found_late(out, shared) -> str:
    """A title that a clean run of the same settings observes only from its fourth turn on."""
    clean = await run_trail(settings(out), shared=shared)
    record = orjson.loads((clean.folder / "trajectory.jsonl").read_bytes())
    assistants = [n for n, m in enumerate(record["messages"]) if m["role"] == "assistant"]
    early: set[str] = set()
    for at, message in enumerate(record["messages"]):
        if message["role"] != "tool" or message["name"] != "WebSearch":
            continue
        for item in read_search(message["content"]):
            if at < assistants[3]:
                early.add(item.title)
            elif item.title not in early and len(item.title.split()) > 6:
                return item.title
    raise AssertionError("the clean run finds nothing late")


async def reviews(result) -> list[dict]:
    lines = (result.folder / "advisor" / "judgements.jsonl").read_bytes().splitlines()
    return [j for line in lines if (j := orjson.loads(line))["node"] == "review_trail"]


async def test_a_late_fault_sends_the_trail_back_once(tmp_path, shared, no_index):
    title = await found_late(tmp_path / "clean", shared)
    result = await run_trail(
        settings(tmp_path / "out"), models={"generator": Knowing(title)}, shared=shared
    )
    first, second = await reviews(result)
    assert (first["ok"], first["answer"]["turn"]) == (False, 2)
    assert first["answer"]["code"] == "title_pre_knowledge"
    assert second["ok"]
    assert result.outcome == "accepted"
    record = orjson.loads((result.folder / "trajectory.jsonl").read_bytes())
    assert record["_trail"]["turns"][1]["retries"] == 1
    said = [m["reasoning_content"] for m in record["messages"] if m["role"] == "assistant"]
    assert not any("I expect" in text and title in text for text in said)
    ids = [c["id"] for m in record["messages"] for c in m.get("tool_calls", ())]
    assert len(ids) == len(set(ids))


async def test_a_fault_that_comes_again_rejects_the_trail(tmp_path, shared, no_index):
    title = await found_late(tmp_path / "clean", shared)
    result = await run_trail(
        settings(tmp_path / "out"),
        models={"generator": Knowing(title, stubborn=True)},
        shared=shared,
    )
    assert [j["ok"] for j in await reviews(result)] == [False, False]
    assert result.outcome == "rejected"
    assert [r["code"] for r in result.reasons] == ["title_pre_knowledge"]
