"""The wall over whole runs: canaries never cross it, and another oracle changes nothing.

Kept for good (design, section 3).
"""

from __future__ import annotations

import re
from dataclasses import replace

import orjson
import pytest

from ideatrail.events import EventStream
from ideatrail.evidence.observations import Observations
from ideatrail.graph import build
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.offline.model import OfflineModel
from ideatrail.models.protocol import Answer, Request, TextPart
from ideatrail.models.registry import make_model
from ideatrail.nodes.rooms import InputRefused
from ideatrail.resources import folder
from ideatrail.run.codec import Codec
from ideatrail.run.evidence import open_evidence
from ideatrail.run.folder import RunFolder
from ideatrail.run.inputs import read_inputs
from ideatrail.run.job import run_trail
from ideatrail.run.log import RunLog, replay
from ideatrail.run.services import make_services
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings
from ideatrail.trail.turn import Trail
from ideatrail.verifier.check import Verifier

from .recording import Recording

pytestmark = pytest.mark.slow

TURNS = 16
CANARIES = {
    field: f"Qz{number}vexarion{number}"
    for number, field in enumerate(
        [
            "title",
            "question",
            "thesis",
            "method",
            "evaluation",
            "baseline",
            "risk",
            "novelty",
            "steps",
        ]
    )
}
PAPER_CANARY = "Wq77pellucidor7"

PROPOSAL = f"""# {CANARIES["title"]}: keeping summaries true to their sources

Date: 2024-06-15

## Research question
How can abstractive summarization systems be kept from stating things that their source documents
do not support, and can the {CANARIES["question"]} be part of it?

## Motivation
Summaries written by neural models often contain facts that are not in the source.

## Thesis
If the {CANARIES["thesis"]} penalizes tokens without support, hallucination falls.

## Method
We call our decoder {CANARIES["method"]}. It scores every next token by the drop in probability
when a source sentence is masked, and penalizes tokens whose drop is spread out.

## Evaluation
Data: {CANARIES["evaluation"]} and XSum. Metric: entailment score. Decision rule: at least 3 points.

## Baselines
- {CANARIES["baseline"]} decoding

## Risks
- The {CANARIES["risk"]} may slow decoding down.

## Novelty
No earlier work has a {CANARIES["novelty"]}.

## Implementation
1. Implement {CANARIES["steps"]}.
2. Run it.
"""


def text_of(request: Request) -> str:
    parts = [str(request.tools)]
    for message in request.messages:
        parts += [message.text, message.reasoning, str(message.name), str(message.tool_call_id)]
        parts += [f"{c.id} {c.name} {c.arguments}" for c in message.calls]
    return "\n".join(parts).casefold()


@pytest.fixture(scope="module")
def shared() -> Shared:
    return Shared()


async def test_canaries_never_cross_the_wall(tmp_path, shared):
    proposal = tmp_path / "proposal.md"
    proposal.write_text(PROPOSAL, "utf-8")
    target = tmp_path / "target.json"
    target.write_bytes(
        orjson.dumps({"title": f"{PAPER_CANARY} decoding", "abstract": PAPER_CANARY, "ids": ["x"]})
    )
    settings = Settings(
        proposal=str(proposal), turns=TURNS, out=tmp_path / "out", target=str(target)
    )
    recording = Recording(OfflineModel())
    result = await run_trail(settings, models={"generator": recording}, shared=shared)

    canaries = [c.casefold() for c in (*CANARIES.values(), PAPER_CANARY)]
    advisor = "".join(
        p.read_text("utf-8").casefold() for p in (result.folder / "advisor").rglob("*.json")
    )
    assert sum(c in advisor for c in canaries) >= 6, "the canaries reached the Advisor's side"

    assert recording.requests
    seen = [text_of(r) for r in recording.requests]
    public = [p for p in result.folder.rglob("*") if "advisor" not in p.parts]
    names = " ".join(p.relative_to(result.folder).as_posix() for p in public).casefold()
    record = (
        (result.folder / "trajectory.jsonl").read_text("utf-8")
        if (result.folder / "trajectory.jsonl").exists()
        else ""
    )
    workspace = "".join(
        p.read_text("utf-8") for p in (result.folder / "workspace").rglob("*") if p.is_file()
    )
    for canary in canaries:
        assert all(canary not in text for text in seen), canary
        for text in (names, record.casefold(), workspace.casefold()):
            assert canary not in text, canary


class Telling:
    """An Advisor whose direction gives a canary away."""

    name = "offline"

    def __init__(self, canary: str) -> None:
        self.canary = canary

    async def answer(self, request: Request) -> Answer:
        answer = await OfflineModel().answer(request)
        if (request.answer_schema or {}).get("title") != "DirectionAnswer":
            return answer
        given = orjson.loads(answer.text)
        given["direction"] += f" Consider {self.canary} as well."
        return Answer((TextPart(orjson.dumps(given).decode()),))


@pytest.mark.parametrize("field", sorted(CANARIES))
async def test_the_gate_refuses_a_direction_with_a_canary(tmp_path, shared, field):
    proposal = tmp_path / "proposal.md"
    proposal.write_text(PROPOSAL, "utf-8")
    settings = Settings(proposal=str(proposal), turns=TURNS, out=tmp_path / "out")
    with pytest.raises(InputRefused) as caught:
        await run_trail(settings, models={"advisor": Telling(CANARIES[field])}, shared=shared)
    assert CANARIES[field] not in str(caught.value)
    assert not list((tmp_path / "out").glob("*"))


class Forced:
    """Oracle-dependent decisions that are the same whatever the oracle."""

    name = "offline"

    async def answer(self, request: Request) -> Answer:
        assert request.answer_schema is not None
        title = request.answer_schema["title"]
        answers = {
            "SegmentReview": {
                "grounded": True,
                "progress": 0.5,
                "on_target": True,
                "natural": True,
                "ok": True,
                "why": "forced",
            },
            "ConvergenceAnswer": {
                "core_problem": 1,
                "mechanism": 1,
                "direction": 1,
                "score": 1,
                "why": "forced",
            },
        }
        return Answer((TextPart(orjson.dumps(answers[title]).decode()),))


class Blind(Verifier):
    """A verifier whose oracle-dependent checks come out equal: they are given no oracle."""

    def follow(self, trail, oracle):
        super().follow(trail, None)

    def audit(self, trail, oracle):
        return super().audit(trail, None)


async def advisor_state(settings, shared, root):
    """The Advisor's channels of a proposal, as its own run makes them."""
    await run_trail(settings.model_copy(update={"out": root}), shared=shared)
    (run,) = root.iterdir()
    log = run / "log.jsonl"
    cut = []
    for line in log.read_bytes().split(b"\n"):
        cut.append(line)
        if b'"node":"plan_milestones"' in line:
            break
    (root / "prefix.jsonl").write_bytes(b"\n".join(cut) + b"\n")
    state, entry = replay(
        root / "prefix.jsonl", Codec(Observations(run / "observations")), UsageLedger()
    )
    assert entry == "generate"
    return state


async def go_on(state, settings, shared, root):
    """Run from `generate` on; what the Generator was asked, and what stands in the workspace."""
    inputs = read_inputs(settings, shared)
    recording = Recording(make_model("offline"))
    inputs = replace(
        inputs, models={"generator": recording, "advisor": Forced(), "judge": Forced()}
    )
    run = RunFolder(root)
    for place in (run.workspace, run.advisor):
        place.mkdir(parents=True)
    store = Observations(run.observations)
    told = []
    log = RunLog(run.log, Codec(store))
    services, _ = make_services(
        inputs,
        run,
        evidence=await open_evidence(inputs, run, shared),
        store=store,
        lexicon=shared.lexicon(inputs.corpus),
        log=log,
        usage=UsageLedger(),
        events=EventStream(lambda event: told.append((event.kind, str(event.values)))),
    )
    services = replace(services, verifier=Blind(lexicon=services.lexicon, cutoff=inputs.cutoff))
    graph = build(inputs.roles.cards, entry="generate")
    ended = await graph.ainvoke(state, context=services, config={"recursion_limit": 100_000})
    files = {
        p.relative_to(run.workspace).as_posix(): p.read_bytes()
        for p in sorted(run.workspace.rglob("*"))
        if p.is_file()
    }
    return recording.requests, files, told, ended["trail"]


async def test_another_oracle_changes_nothing_that_the_generator_meets(tmp_path, shared):
    shipped = folder("data") / "proposals"
    first = Settings(proposal=str(shipped / "source_aware_decoding.md"), turns=TURNS)
    second = first.model_copy(update={"proposal": str(shipped / "disagreement_aware_judging.md")})
    one = await advisor_state(first, shared, tmp_path / "a")
    other = await advisor_state(second, shared, tmp_path / "b")
    assert one["oracle"] != other["oracle"]
    swapped = {**one, **{k: other[k] for k in ("seed", "oracle", "anchors", "milestones")}}

    requests_a, files_a, told_a, trail_a = await go_on(one, first, shared, tmp_path / "run_a")
    requests_b, files_b, told_b, trail_b = await go_on(swapped, first, shared, tmp_path / "run_b")
    assert len(requests_a) > TURNS
    assert requests_a == requests_b
    assert files_a == files_b
    assert trail_texts(trail_a) == trail_texts(trail_b)
    assert told_a == told_b


def trail_texts(trail: Trail) -> list[str]:
    return [
        re.sub(r"\s+", " ", text)
        for turn in trail.turns
        for text in (turn.stage_line, turn.draft.reasoning, *(r.content for r in turn.results))
    ]
