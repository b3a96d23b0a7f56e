"""Whole trails of the offline Generator over the bundled bibliography and the real tools."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import pickle
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.world import World
from ideatrail.models.offline.generator import generate
from ideatrail.models.offline.memory import vocabulary
from ideatrail.models.offline.speech import skeleton
from ideatrail.models.protocol import Answer, CallPart, Message, Request, TextPart, message
from ideatrail.resources import folder
from ideatrail.toolkit.kit import Toolkit
from ideatrail.toolkit.outcome import Outcome
from ideatrail.toolkit.workspace import Workspace
from ideatrail.trail.artifacts import parse
from ideatrail.trail.stage import (
    ARTIFACTS,
    STAGE_ARTIFACT,
    STAGES,
    ArtifactName,
    Stage,
    stage_ends,
    stage_rank,
)
from ideatrail.trail.text import sentences, squeeze
from ideatrail.trail.turn import Call

SLUG = "withholding-answers"
DIRECTION = (
    "I am looking for a signal that tells us which answers of a language model to withhold when "
    "questions come from a new domain and no labels exist there. Models are said to be poor judges "
    "of how consistent their own answers are. Can that mismatch be used for abstention?"
)
SYSTEM = (
    "You are a research assistant. The date is 2024-06-30: later work does not exist for you.\n"
    f"Your folder is `research_topics/{SLUG}/`. Write nowhere else."
)
TOOLS = tuple(
    json.loads((folder("tools") / f"{name}.json").read_text())
    for name in ("WebSearch", "Scraper", "View", "Write", "Edit", "Glob", "Grep")
)


@dataclass
class Played:
    """A trail as it went."""

    requests: list[Request] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    root: Path = Path()

    def text(self, name: ArtifactName) -> str | None:
        path = self.root / "research_topics" / SLUG / name
        return path.read_text() if path.exists() else None


def play(
    budget: int,
    *,
    propose: bool = True,
    direction: str = DIRECTION,
    tools: tuple[dict[str, object], ...] = TOOLS,
    cutoff: str = "2024-06-30",
    seed: int = 7,
    change: Callable[[Outcome], str] = lambda outcome: outcome.content,
) -> Played:
    """Plays a trail to its end or through its budget."""
    return asyncio.run(_play(budget, propose, direction, tools, cutoff, seed, change))


async def _play(
    budget: int,
    propose: bool,
    direction: str,
    tools: tuple[dict[str, object], ...],
    cutoff: str,
    seed: int,
    change: Callable[[Outcome], str],
) -> Played:
    played = Played(root=Path(mkdtemp()))
    kit = Toolkit(World(Corpus.bundled(), Cutoff.parse(cutoff)), Workspace(played.root), SLUG)
    history: list[Message] = []
    ends = stage_ends(budget)
    stage: Stage = "explore"
    for turn in itertools.count(1):
        while stage not in ("ideate", "propose"):
            file = STAGE_ARTIFACT[stage]
            done = file is not None and parse(file, played.text(file)).state in ("filled", "final")
            if not done and turn <= ends[stage]:
                break
            stage = STAGES[stage_rank(stage) + 1]
        last = ends["propose"] if stage == "propose" else ends["ideate"]
        if turn > last + 2:
            return played
        line = f"Stage: {stage}. Turn {turn} of {last}."
        request = Request(
            (
                message("system", SYSTEM.replace("2024-06-30", cutoff)),
                message("user", direction),
                *history,
                message("user", line),
            ),
            tools,
            seed=seed * 1000 + turn,
        )
        answer = generate(request)
        played.requests.append(request)
        played.answers.append(answer)
        first = len(played.calls) + 1
        calls = [
            Call(f"call_{first + n}", c.name, c.arguments, json.loads(c.arguments))
            for n, c in enumerate(answer.calls)
        ]
        outcomes = await kit.run(calls)
        played.calls += calls
        played.outcomes += outcomes
        parts = tuple(p for p in answer.parts if not isinstance(p, CallPart))
        minted = tuple(CallPart(c.id, c.name, c.arguments) for c in calls)
        history.append(Message("assistant", (*parts, *minted)))
        history += [
            Message("tool", (TextPart(change(o)),), tool_call_id=c.id, name=c.name)
            for c, o in zip(calls, outcomes, strict=True)
        ]
        if not calls:
            if stage == "ideate" and propose:
                stage = "propose"
                continue
            return played
    raise AssertionError("unreachable")


@cache
def whole() -> Played:
    """One default trail, shared by the tests that only read it."""
    return play(40)


def test_default_trail_finishes_every_artifact_and_closes_with_a_message() -> None:
    played = whole()
    assert [parse(n, played.text(n)).state for n in ARTIFACTS] == ["final"] * 4
    last = played.answers[-1]
    assert last.text
    assert not last.calls
    assert last.reasoning.strip()
    assert all(a.reasoning.strip() for a in played.answers)
    assert all(o.status == "ok" for o in played.outcomes)


def test_default_trail_has_the_shape_of_a_research_trail() -> None:
    played = whole()
    names = [c.name for c in played.calls]
    authored = [n for n, name in enumerate(names) if name in ("Write", "Edit")]
    assert 50 <= len(names) <= 190
    assert 2 <= len(names) / len(played.answers) <= 5
    assert 23 <= authored[0] <= 102
    assert 0.06 <= len(authored) / len(names) <= 0.165
    assert max(len(a.calls) for a in played.answers) <= 13


def test_candidates_hold_three_or_more_and_one_choice() -> None:
    ideas = parse("idea_candidates.md", whole().text("idea_candidates.md"))
    assert len(ideas.candidates) >= 3
    assert ideas.selected is not None
    assert sum(c.rejected for c in ideas.candidates) >= 2


def test_every_quote_and_note_stood_in_an_earlier_observation_of_its_source() -> None:
    played = whole()
    audit = parse("claim_audit.md", played.text("claim_audit.md"))
    assert len(audit.claims) >= 5
    pages = [
        squeeze(o.content)
        for c, o in zip(played.calls, played.outcomes, strict=True)
        if c.name == "Scraper"
    ]
    for claim in audit.claims:
        assert claim.sources
        for source in claim.sources:
            mine = [p for p in pages if f"URL: {source.url}" in p]
            for quote in (*source.quotes, *source.notes):
                assert any(squeeze(quote) in page for page in mine), quote
            # The bibliography's texts are its own: they are noted and never quoted.
            assert not source.quotes


def test_scraped_addresses_were_listed_before() -> None:
    seen = ""
    for call, outcome in zip(whole().calls, whole().outcomes, strict=True):
        if call.name == "Scraper":
            assert call.parsed["url"] in seen
        seen += outcome.content


def test_no_query_twice_and_no_edit_without_a_change() -> None:
    queries = [c.parsed["query"].lower() for c in whole().calls if c.name == "WebSearch"]
    assert len(queries) == len(set(queries))
    edits = [c.parsed for c in whole().calls if c.name == "Edit"]
    assert all(e["old_string"] != e["new_string"] for e in edits)
    for name in ARTIFACTS:
        steps = [c for c in whole().calls if str(c.parsed.get("file_path", "")).endswith(name)]
        assert len([c for c in steps if c.name in ("Write", "Edit")]) >= 3


def test_reasoning_does_not_repeat_itself() -> None:
    from ideatrail.models.offline.memory import remember

    said = [s for a in whole().answers for s in sentences(a.reasoning)]
    known = vocabulary(remember(whole().requests[-1]))
    skeletons = Counter(skeleton(s, known) for s in said)
    assert len(skeletons) >= 40
    assert max(skeletons.values()) <= 8
    assert max(Counter(said).values()) <= 2
    assert max(Counter(" ".join(s.split()[:3]) for s in said).values()) < 40
    openings = Counter(" ".join(a.reasoning.split()[:3]) for a in whole().answers)
    assert max(openings.values()) <= 4


def test_nothing_is_said_of_how_the_trail_is_made() -> None:
    words = re.compile(
        r"\b(?:oracle|advisor|verdict|milestone|retry|stage line|turns? left)\b", re.I
    )
    for answer in whole().answers:
        told = re.sub(r"\"[^\"]*\"", "", answer.reasoning)
        assert not words.search(told), words.search(told)


def test_same_request_gives_the_same_answer() -> None:
    for request, answer in zip(whole().requests[::9], whole().answers[::9], strict=True):
        assert generate(request) == answer


def test_fresh_process_gives_the_same_answer(tmp_path: Path) -> None:
    request, answer = whole().requests[21], whole().answers[21]
    (tmp_path / "request.pkl").write_bytes(pickle.dumps(request))
    program = (
        "import pickle,sys;from ideatrail.models.offline.generator import generate;"
        "sys.stdout.buffer.write(pickle.dumps(generate(pickle.load(open(sys.argv[1],'rb')))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "request.pkl")],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        cwd=Path(__file__).resolve().parents[3],
    )
    assert pickle.loads(done.stdout) == answer


@pytest.mark.parametrize("budget", [5, 12, 17])
def test_small_budgets_reach_the_end(budget: int) -> None:
    played = play(budget)
    assert [parse(n, played.text(n)).state for n in ARTIFACTS] == ["final"] * 4
    assert not played.answers[-1].calls


def test_idea_endpoint_leaves_the_proposal_alone() -> None:
    played = play(12, propose=False)
    assert played.text("research_proposal.md") is None
    assert parse("idea_candidates.md", played.text("idea_candidates.md")).state == "final"
    assert "idea_candidates.md" in played.answers[-1].text


def test_other_seeds_give_other_trails() -> None:
    one, other = (play(5, propose=False, seed=s).answers for s in (1, 2))
    assert [a.reasoning for a in one] != [a.reasoning for a in other]


def test_files_come_in_the_order_of_their_stages() -> None:
    first: dict[str, int] = {}
    for number, request in enumerate(whole().requests):
        stage = re.search(r"Stage: (\w+)", request.messages[-1].text)
        assert stage
        for call in whole().answers[number].calls:
            if call.name == "Write":
                path = json.loads(call.arguments)["file_path"].rsplit("/", 1)[1]
                first[path] = number
                assert stage_rank(stage.group(1)) >= 1 + ARTIFACTS.index(path)  # type: ignore[arg-type]
    assert list(first) == list(ARTIFACTS)


def test_reduced_tools_are_respected() -> None:
    few = tuple(t for t in TOOLS if t["function"]["name"] in ("WebSearch", "Scraper"))
    played = play(5, tools=few)
    assert {c.name for c in played.calls} <= {"WebSearch", "Scraper"}
    assert all(a.calls for a in played.answers)


def test_hardly_any_literature_under_the_cutoff() -> None:
    played = play(8, cutoff="2016-09-30")
    assert all(a.reasoning for a in played.answers)
    assert len(played.answers) >= 8


def test_nothing_found_and_nothing_opened_is_borne() -> None:
    def blind(outcome: Outcome) -> str:
        if outcome.name == "WebSearch":
            return "The search found nothing. Try other or fewer words."
        return outcome.content

    played = play(6, change=blind)
    assert all(a.calls and a.reasoning for a in played.answers)
    queries = [c.parsed["query"] for c in played.calls if c.name == "WebSearch"]
    assert len(queries) == len(set(queries))


def test_pages_that_cannot_be_had_are_not_cited() -> None:
    def shut(outcome: Outcome) -> str:
        if outcome.name == "Scraper":
            return "Error: No page is stored for this address."
        return outcome.content

    played = play(6, change=shut)
    urls = [c.parsed["url"] for c in played.calls if c.name == "Scraper"]
    assert len(urls) == len(set(urls))
    assert played.text("claim_audit.md") is None


@pytest.mark.parametrize(
    "direction",
    [
        "Wie können Sprachmodelle erkennen, dass eine Frage mehrdeutig ist, und zurückfragen?",
        "How do glaciers erode bedrock under seasonal meltwater?",
        "?",
        "¿Cómo pueden los modelos de lenguaje citar sus fuentes?",
    ],
)
def test_directions_of_other_kinds_are_worked_on(direction: str) -> None:
    played = play(6, direction=direction)
    assert all(a.reasoning for a in played.answers)
    assert any(c.name == "WebSearch" for c in played.calls)


@pytest.mark.parametrize("code", ["title_pre_knowledge", "oracle_leakage", "fabricated_evidence"])
@pytest.mark.parametrize("where", ["call 1", "reasoning", "file", "call 2 (C3)"])
def test_another_draft_is_made_where_one_was_not_taken(code: str, where: str) -> None:
    for number in (4, 14, 20):
        request = whole().requests[number]
        line = request.messages[-1].text
        told = f"{line}\nYour last draft of this turn was not taken: {code} in {where}."
        again = Request(
            (*request.messages[:-1], message("user", told)), request.tools, seed=request.seed + 1
        )
        answer = generate(again)
        assert answer.calls
        assert answer.reasoning != whole().answers[number].reasoning
        assert code not in answer.reasoning
        assert "draft" not in answer.reasoning.lower()
