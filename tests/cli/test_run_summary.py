"""The end of a run in words and as JSON, for each way a run can end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from ideatrail.cli import summary
from ideatrail.run.job import RunResult
from ideatrail.trail.verdict import Code

AUDIT = """# Claim audit

## C1. Agreement between samples misses steady errors
- source: Some Paper (Ann Author et al., 2023) https://example.org/a
- note: "agreement is blind to repeated mistakes"
- support: summary
- status: supported
- limitation: one data set
- implication: another signal is needed
"""
CANDIDATES = """# Idea candidates

## I1. Sealed forecasts
- mechanism: ask first
- rests on: [C1]
- novelty: not tried
- risk: may not hold
- decision: selected, because [C1] asks for it
"""


def _result(folder: Path, outcome: str = "accepted", **more: Any) -> RunResult:
    manifest = {
        "cutoff": "2024-06-30",
        "cutoff_from": "proposal",
        "grade": "B",
        "ledger": {"bits": 1.42, "cap": 32.0},
        "counts": {
            "turns": 41,
            "calls": 120,
            "sources_read": 23,
            "retries": 2,
            "characters": 440_000,
        },
        "usage": {"generator": {"calls": 43, "input": 900_000, "output": 20_000}},
        "cost": {"usd": 0.0},
        "timings": {"seconds": 18.4},
        **more.pop("manifest", {}),
    }
    values: dict[str, Any] = {
        "endpoint": "idea",
        "reasons": [],
        "exit_code": 0 if outcome == "accepted" else 3,
        **more,
    }
    return RunResult("it_00", folder, outcome, manifest=manifest, **values)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run's folder with two artifacts and a record."""
    topic = tmp_path / "workspace" / "research_topics" / "abstention"
    topic.mkdir(parents=True)
    (topic / "claim_audit.md").write_text(AUDIT, "utf-8")
    (topic / "idea_candidates.md").write_text(CANDIDATES, "utf-8")
    (tmp_path / "trajectory.jsonl").write_text("{}\n")
    return tmp_path


def test_an_accepted_trail_in_words(folder: Path) -> None:
    said = summary.as_text(_result(folder))
    first, *rest = said.splitlines()
    assert first == "it_00: accepted, as an idea trail"
    body = "\n".join(rest)
    for words in (
        "Sealed forecasts",
        "2024-06-30 (the proposal's own date)",
        "41 turns, 120 calls, 23 sources read, 1 claims, ≈100.0k tokens long",
        "2 retries, 1.4 of 32 leak bits told",
        "920.0k tokens, cost 0, 18 s",
        str(folder / "trajectory.jsonl"),
        "claim_audit.md",
    ):
        assert words in body


def test_what_is_unknown_is_not_zero(folder: Path) -> None:
    usage = {"generator": {"calls": 1, "input": None, "output": 7}}
    said = summary.as_text(_result(folder, manifest={"usage": usage, "cost": {"usd": None}}))
    assert "tokens not counted, cost unknown" in said


def test_a_rejected_trail_says_why_in_words_and_where_it_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / "advisor" / "rejected_trajectory.jsonl"
    kept.parent.mkdir()
    kept.write_text("{}\n")
    reasons = [
        {"code": "fake_url", "layer": "urls", "pointer": {"part": "file", "section": "C3"}},
        {"code": "grounding", "layer": "metrics", "pointer": None},
    ]
    said = summary.as_text(_result(tmp_path, "rejected", reasons=reasons, endpoint=None))
    assert "rejected" in said.splitlines()[0]
    assert "a URL was used that nothing had led to (fake_url, file, section C3)" in said
    assert "too few claims rest on what was read (grounding)" in said
    assert str(kept) in said


def test_json_holds_the_same_and_stands_on_one_line(folder: Path) -> None:
    line = summary.as_json(_result(folder, already=True)).decode()
    assert line.count("\n") == 1
    told = json.loads(line)
    assert told["outcome"] == "accepted"
    assert told["already"] is True
    assert told["selected_idea"] == "Sealed forecasts"
    assert told["claims"] == 1
    assert told["artifacts"].keys() == {"claim_audit.md", "idea_candidates.md"}


def test_every_code_has_its_words() -> None:
    assert set(get_args(Code)) <= summary.PLAIN.keys()


def test_a_name_cannot_steer_the_terminal(folder: Path) -> None:
    path = next(folder.glob("workspace/research_topics/*/idea_candidates.md"))
    path.write_text(CANDIDATES.replace("Sealed", "\x1b]0;pwned\x07\x1b[2JSealed"), "utf-8")
    assert "\x1b" not in summary.as_text(_result(folder))
