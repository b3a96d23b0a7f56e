"""`ideatrail models check`: what an endpoint can do, found out by asking it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace

import orjson
import pytest
from fault_server import FaultServer, Said, serving
from typer.testing import CliRunner

from ideatrail.cli.models import app
from ideatrail.models.capabilities import find_out

LOOK_UPS = (("a", "population", '{"city": "Oslo"}'), ("b", "population", '{"city": "Lima"}'))


class Able(FaultServer):
    """Calls the tool for each city, and answers by the schema."""

    calls = LOOK_UPS
    sums = '{"sum": 42}'

    async def handle(self, request):
        body = orjson.loads(await request.read())
        asked = bool(body.get("tools"))
        self.said = Said(calls=self.calls) if asked else Said(text=self.sums)
        return await super().handle(request)


async def test_an_able_endpoint_is_told_as_such(connect, server) -> None:
    server.said = replace(server.said, text='{"sum": 42}', calls=LOOK_UPS)
    found = await find_out(connect("chat"))
    assert found.answers
    assert (found.tool_calls, found.parallel_tool_calls, found.json_schema) == (True, True, True)
    assert (found.reasoning, found.usage, found.model) == ("native", True, "m-1")
    assert len(server.requests) == 2


async def test_a_plain_endpoint_is_told_as_such(connect, server) -> None:
    server.said = replace(server.said, reasoning="", text="I cannot look things up.")
    server.faults = ["null_usage", "null_usage"]
    found = await find_out(connect("chat"))
    assert found.answers
    assert (found.tool_calls, found.parallel_tool_calls, found.json_schema) == (False, False, False)
    assert (found.reasoning, found.usage) == ("none", False)


async def test_an_endpoint_that_refuses_schemas_is_told_as_such(connect, server) -> None:
    server.said = replace(server.said, calls=LOOK_UPS[:1])
    server.faults = ["", "status:400"]
    found = await find_out(connect("chat"))
    assert (found.tool_calls, found.parallel_tool_calls, found.json_schema) == (True, False, False)


@pytest.fixture
def background() -> Iterator[Able]:
    """A server in a thread of its own: the command runs its own event loop."""
    able, stop, up = Able(), asyncio.Event(), threading.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def main() -> None:
        loops.append(asyncio.get_running_loop())
        async with serving(able):
            up.set()
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    up.wait(10)
    yield able
    loops[0].call_soon_threadsafe(stop.set)
    thread.join(10)


def test_check_says_what_each_slot_can_do(background: Able, no_settings: None) -> None:
    arguments = ["check", "--model", "openai:m-1", "--base-url", background.base_url]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert "generator: openai:m-1 at http://127.0.0.1" in done.output
    assert "yes tool calls" in done.output
    assert "no  price known" in done.output
    assert "advisor: offline, built in" in done.output


def test_check_speaks_json(background: Able, no_settings: None) -> None:
    arguments = ["check", "--model", "openai:m-1", "--advisor-model", "openai:m-1"]
    done = CliRunner().invoke(app, [*arguments, "--base-url", background.base_url, "--json"])
    told = orjson.loads(done.stdout)
    assert set(told) == {"generator", "advisor", "judge"}
    assert told["judge"]["json_schema"] is True
    assert told["generator"]["price_known"] is False
    assert len(background.requests) == 2, "slots with one model share its requests"


def test_check_exits_with_5_where_nobody_answers(background: Able, no_settings: None) -> None:
    background.otherwise = lambda: "status:401"
    arguments = ["check", "--model", "openai:m-1", "--base-url", background.base_url]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 5
    assert "unauthorized" in done.output


@pytest.mark.parametrize(
    "arguments", [["--model", "gpt-4o"], ["--model", "openai:m", "--base-url", "nonsense"]]
)
def test_check_refuses_what_cannot_be_asked(no_settings: None, arguments: list[str]) -> None:
    done = CliRunner().invoke(app, ["check", *arguments])
    assert done.exit_code == 2
    assert len(done.stderr.strip().splitlines()) == 1
