"""A run's evidence is gone through again from its folder alone, byte for byte."""

from __future__ import annotations

import asyncio
import shutil
import socket
from pathlib import Path

import pytest

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.observations import Observations
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.stored import NotStoredError, RecordingWorld, StoredWorld
from ideatrail.evidence.world import Page, Results, World
from ideatrail.resources import folder
from ideatrail.run.folder import RunFolder
from ideatrail.run.job import run_trail
from ideatrail.run.replay import ReplayError, replay
from ideatrail.settings import Settings


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run's folder."""
    proposal = str(folder("data") / "proposals" / "source_aware_decoding.md")
    out = tmp_path_factory.mktemp("trails")
    return asyncio.run(run_trail(Settings(proposal=proposal, turns=10, out=out))).folder


async def test_every_result_comes_out_again_with_no_network_and_no_corpus(
    run, tmp_path, monkeypatch
) -> None:
    def no_network(*_: object) -> None:
        raise AssertionError("a replay opened a socket")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    monkeypatch.setattr("ideatrail.evidence.corpus.Corpus.bundled", no_network)
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(run, elsewhere)
    before = {p: p.stat().st_mtime_ns for p in elsewhere.rglob("*")}
    told = await replay(elsewhere)
    assert told.differences == ()
    assert told.calls > 20
    assert told.observations > 10
    assert before == {p: p.stat().st_mtime_ns for p in elsewhere.rglob("*")}


async def test_an_answer_that_was_changed_is_found(run, tmp_path) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(run, changed)
    shutil.rmtree(RunFolder(changed).evidence)
    store = Observations(RunFolder(run).evidence)
    forged = Observations(RunFolder(changed).evidence)
    for sha in store:
        about = store.about(sha)
        assert about is not None
        for asked in about.requests:
            text = store.get(sha).replace("language", "languish")
            forged.put(text, asked.request, asked.date_latest)
    told = await replay(changed)
    assert told.differences
    assert all(d.recorded != d.replayed for d in told.differences)


async def test_an_answer_that_is_missing_is_found(run, tmp_path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(run, bare)
    shutil.rmtree(RunFolder(bare).evidence)
    told = await replay(bare)
    assert "no answer is stored" in told.differences[0].why


async def test_what_is_no_run_is_told(tmp_path) -> None:
    with pytest.raises(ReplayError, match="is no run"):
        await replay(tmp_path)


class Flaky:
    """A world that fails once."""

    def __init__(self, page: Page) -> None:
        self.page, self.asked = page, 0

    async def search(self, query: str, max_results: int = 10) -> Results:
        return Results(())

    async def scrape(self, url: str) -> Page:
        self.asked += 1
        if self.asked == 1:
            raise EvidenceError("rate_limited", detail="host.example")
        return self.page


async def test_a_failure_and_what_came_after_it_are_both_given_again(tmp_path) -> None:
    world = World(Corpus.bundled(), Cutoff.parse("2024-01-01"))
    url = (await world.search("language models")).hits[0].url
    store = Observations(tmp_path)
    recording = RecordingWorld(Flaky(await world.scrape(url)), store)
    with pytest.raises(EvidenceError):
        await recording.scrape(url)
    page = await recording.scrape(url)
    assert await recording.search("nothing") == Results(())
    stored = StoredWorld(Observations(tmp_path))
    assert await stored.scrape(url) == page
    assert await stored.search("nothing") == Results(())
    stored.failing = frozenset({StoredWorld.key("scrape", url)})
    with pytest.raises(EvidenceError) as caught:
        await stored.scrape(url)
    assert caught.value.ending == "rate_limited"
    assert "host.example" not in "".join(store.get(sha) for sha in store)
    with pytest.raises(NotStoredError):
        await stored.search("something else")
