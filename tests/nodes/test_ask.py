"""Structured answers over HTTP: what is wrong is fed back, by its kind."""

from __future__ import annotations

import sys
from pathlib import Path

import orjson
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "models"))

from fault_server import QUICK, FaultServer, serving

from ideatrail.events import EventStream
from ideatrail.models.endings import EndingError
from ideatrail.models.endpoints import Endpoints
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.options import EndpointOptions
from ideatrail.nodes.rooms import NoAnswerError, Pen
from ideatrail.trail.answers import DirectionAnswer

GOOD = {
    "direction": "How can a summary be kept from saying what its source does not?",
    "topic": "doing it",
}


class Prompts:
    """Prompts without templates."""

    def prompt(self, role, use, **values):
        return f"{role} {use}"


@pytest.fixture
async def server():
    async with serving(FaultServer()) as running:
        yield running


@pytest.fixture
def pen(server):
    options = EndpointOptions(base_url=server.base_url, patience=QUICK)
    model = Endpoints(options={"openai": options}).model("openai:m-1")
    return Pen("director", Prompts(), model, UsageLedger(), EventStream(), 7)  # type: ignore[arg-type]


class Script:
    """Texts of the next answers, set as each request comes."""

    def __init__(self, server: FaultServer, *texts: str) -> None:
        self.server, self.texts = server, list(texts)
        self._handle = server._answer
        server._answer = self.answer  # type: ignore[method-assign]

    async def answer(self, request, api, body, fault):
        from dataclasses import replace

        self.server.said = replace(self.server.said, text=self.texts.pop(0))
        return await self._handle(request, api, body, fault)


def fed_back(server: FaultServer) -> list[str]:
    return [m["content"] for body in server.requests[1:] for m in body["messages"][-1:]]


async def test_an_error_is_fed_back_and_mended(pen, server) -> None:
    wrong = orjson.dumps({"direction": 3}).decode()
    Script(server, "Here you are: none", wrong, orjson.dumps(GOOD).decode())
    assert (await pen.ask(DirectionAnswer)).topic == "doing it"
    first, second = fed_back(server)
    assert "not JSON" in first
    assert "direction:" in second
    assert "topic: Field required" in second
    assert pen.usage.roles["director"].calls == 3
    assert len({body["seed"] for body in server.requests}) == 3


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("cut_off", "cut off at its largest length"),
        ("only_thought", "spent on thinking"),
        ("refusal", "no answer"),
    ],
)
async def test_a_lost_answer_is_told_by_its_kind(pen, server, fault, told) -> None:
    server.faults = [fault]
    Script(server, "It beg", orjson.dumps(GOOD).decode())
    await pen.ask(DirectionAnswer)
    assert told in fed_back(server)[0]
    roles = [m["role"] for m in server.requests[1]["messages"]]
    thought_only = fault == "only_thought"
    assert roles == ["system", "user", *(() if thought_only else ("assistant",)), "user"]


async def test_an_empty_answer_is_an_answer_that_does_not_fit(pen, server) -> None:
    server.faults = ["empty"] * QUICK.attempts
    Script(server, *[""] * QUICK.attempts, orjson.dumps(GOOD).decode())
    assert (await pen.ask(DirectionAnswer)).topic == "doing it"
    assert pen.usage.roles["director"].attempts == QUICK.attempts + 1
    assert len(server.requests[-1]["messages"]) == 3


async def test_three_answers_that_do_not_fit_are_the_end(pen, server) -> None:
    Script(server, "a", "b", "c")
    with pytest.raises(NoAnswerError, match="no DirectionAnswer in 3 answers") as caught:
        await pen.ask(DirectionAnswer)
    assert caught.value.role == "director"
    assert not caught.value.resumable


async def test_feedback_that_fills_the_window_is_left_out(pen, server) -> None:
    server.faults = ["", "overflow"]
    Script(server, "x" * 50, "never said", orjson.dumps(GOOD).decode())
    await pen.ask(DirectionAnswer)
    assert [len(body["messages"]) for body in server.requests] == [2, 4, 2]


async def test_a_prompt_that_fills_the_window_alone_ends_by_name(pen, server) -> None:
    server.otherwise = lambda: "overflow"
    with pytest.raises(EndingError, match="context overflow"):
        await pen.ask(DirectionAnswer)
    assert len(server.requests) == 1
