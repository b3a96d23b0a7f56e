"""Finished records are verified from what is public, with more where it is at hand."""

from __future__ import annotations

import asyncio
import xml.etree.ElementTree as ET
from pathlib import Path

import orjson
import pytest

from ideatrail.inspect.graph import as_graphml, as_json, graph_of
from ideatrail.inspect.verify import Advisor, AdvisorFilesError, verify
from ideatrail.records.reader import Row, read
from ideatrail.records.trails import to_trail
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    proposal = str(folder("data") / "proposals" / "source_aware_decoding.md")
    out = tmp_path_factory.mktemp("trails")
    return asyncio.run(run_trail(Settings(proposal=proposal, turns=12, out=out))).folder


@pytest.fixture(scope="module")
def row(run) -> Row:
    return next(read(run / "trajectory.jsonl"))


@pytest.fixture(scope="module")
def lexicon():
    shared = Shared()
    return shared.lexicon(shared.corpus(None))


def changed(row: Row, turn: int, **values: str) -> Row:
    """The record with an assistant message changed."""
    raw = orjson.loads(orjson.dumps(row.raw))
    at = [n for n, m in enumerate(raw["messages"]) if m["role"] == "assistant"][turn - 1]
    raw["messages"][at] |= values
    return Row(row.path, row.line, raw, row.size)


def test_an_accepted_trail_passes_with_all_at_hand(run, row, lexicon) -> None:
    report = verify(row, advisor=Advisor.read(run / "advisor"), lexicon=lexicon)
    assert report.ok, report.verdicts
    assert report.turns >= 12
    assert {n.layer for n in report.not_run} == {"judge", "embedding", "arguments"}
    told = row.raw["_trail"]["metrics"]
    for name in ("grounding", "naturalness", "grounding_rate", "traceability_gap_rate"):
        assert report.metrics[name] == pytest.approx(told[name]), name


def test_what_cannot_run_is_told(row) -> None:
    report = verify(row)
    assert report.ok
    told = {n.check for n in report.not_run}
    assert {"leakage", "causal order", "drift", "titles", "anachronism"} <= told
    assert all(n.why and n.turns for n in report.not_run)


def test_a_fault_is_found_in_its_turn(row, lexicon) -> None:
    said = "As the verifier told me, this milestone is next."
    report = verify(changed(row, 3, reasoning_content=said), lexicon=lexicon)
    assert [(v["turn"], v["code"]) for v in report.verdicts] == [(3, "pipeline_language")]
    assert report.verdicts[0]["pointer"]["part"] == "reasoning"


def test_a_secret_is_found_with_the_advisors_files_alone(run, row, lexicon) -> None:
    advisor = Advisor.read(run / "advisor")
    form = max((f for lock in advisor.oracle.locks for f in lock.forms), key=len)
    leaking = changed(row, 1, reasoning_content=f"I wonder about {form} from the start.")
    assert verify(leaking, lexicon=lexicon).ok
    found = verify(leaking, advisor=advisor, lexicon=lexicon).verdicts
    assert found[0]["code"] == "oracle_leakage"


def test_a_broken_advisors_folder_is_told(tmp_path) -> None:
    with pytest.raises(AdvisorFilesError, match=r"oracle\.json"):
        Advisor.read(tmp_path)
    (tmp_path / "oracle.json").write_text("{}", "utf-8")
    with pytest.raises(AdvisorFilesError, match="atoms"):
        Advisor.read(tmp_path)


def test_the_graph_leads_from_sentences_to_bytes(row) -> None:
    trail = to_trail(row.raw)
    graph = graph_of(trail)
    kinds = {values["kind"] for values in graph.nodes.values()}
    assert kinds == {"turn", "edit", "sentence", "claim", "support", "observation"}
    contents = {r.call_id: r.content.encode() for t in trail.turns for r in t.results}
    spans = [edge for edge in graph.edges if edge[2]["kind"] == "found_in"]
    assert len(spans) >= 3
    for support, observation, about in spans:
        quoted = contents[observation.removeprefix("observation:")][about["start"] : about["end"]]
        held = " ".join(quoted.decode().split())
        assert " ".join(graph.nodes[support]["label"].split()) == held
    told = orjson.loads(as_json(graph))
    assert len(told["nodes"]) == len(graph.nodes)
    tree = ET.fromstring(as_graphml(graph))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert len(tree.findall(f".//{space}node")) == len(graph.nodes)
    assert len(tree.findall(f".//{space}edge")) == len(graph.edges)


def test_the_command_tells_and_exits(cli, run, row, tmp_path) -> None:
    done = cli("verify", run, "--graph", tmp_path / "g.graphml")
    assert done.code == 0, done.out
    assert "passes" in done.out
    assert (tmp_path / "g.graphml").stat().st_size > 1_000
    bad = tmp_path / "bad.jsonl"
    said = "As the verifier told me, this milestone is next."
    bad.write_bytes(orjson.dumps(changed(row, 2, reasoning_content=said).raw) + b"\n")
    done = cli("verify", bad, "--json")
    assert done.code == 3
    assert orjson.loads(done.out)["verdicts"][0]["turn"] == 2
    assert cli("verify", tmp_path).code == 2
    assert cli("verify", tmp_path / "none.jsonl").code != 0
    (tmp_path / "torn.jsonl").write_text('{"messages": [', "utf-8")
    assert cli("verify", tmp_path / "torn.jsonl").code == 2
