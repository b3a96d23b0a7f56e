"""One batch in, one outcome a call out: order, refusals, resume."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.world import Hit, Page, World
from ideatrail.toolkit.kit import EvidenceWorld, RestoreError, Toolkit
from ideatrail.toolkit.outcome import Outcome
from ideatrail.toolkit.workspace import Workspace
from ideatrail.trail.turn import Call, Draft, Result, Trail, Turn

from .conftest import HOME, PAPERS, SLUG, call

PAGE = "https://example.org/papers/1"
FILE = f"{HOME}/claim_audit.md"


class SlowWorld:
    """The real world behind waits of a seeded length; counts who waits at once."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.random = Random(seed)
        self.waiting = self.most = 0

    async def _wait(self) -> None:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        for _ in range(self.random.randrange(1, 20)):
            await asyncio.sleep(0)
        self.waiting -= 1

    async def search(self, query: str, max_results: int = 10) -> tuple[Hit, ...]:
        await self._wait()
        return await self.world.search(query, max_results)

    async def scrape(self, url: str) -> Page:
        await self._wait()
        return await self.world.scrape(url)


def result(outcome: Outcome) -> Result:
    return Result(
        call_id=outcome.call_id,
        name=outcome.name,
        content=outcome.content,
        status=outcome.status,
        sha256="",
        date_latest=outcome.date_latest,
        source_file=outcome.source_file,
        observed=outcome.observed,
    )


def turn(index: int, calls: list[Call], outcomes: list[Outcome]) -> Turn:
    return Turn(
        index=index,
        stage="explore",
        stage_line="",
        draft=Draft("…", "", tuple(calls)),
        results=tuple(map(result, outcomes)),
        changes=tuple(o.change for o in outcomes if o.change),
    )


def tree(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def messages() -> list[list[Call]]:
    """Some messages that touch on everything that has to be restored."""
    source = f"{HOME}/sources/lindqvist-2020-calibration-of-answers-under-shift.md"
    return [
        [call("WebSearch", query="calibration"), call("Scraper", url=PAGE)],
        [
            call("Scraper", url="https://example.org/papers/2"),
            call("View", file_path=source),
            call("Scraper", url=PAGE),
            call("Write", file_path=FILE, content="# Audit\r\n\r\n- status: open\r\n"),
            call("Edit", file_path=FILE, old_string="open", new_string="supported"),
        ],
        [
            call("Edit", file_path=FILE, old_string="absent", new_string="x"),
            call("Edit", file_path=FILE, old_string="Audit\n", new_string="Claims\n"),
            call("Grep", pattern="open|supported", path=HOME),
            call("Write", file_path=f"{HOME}/notes/α.md", content="‘quoted’"),
            call("Nothing"),
        ],
        [call("View", file_path=FILE), call("Glob", pattern="**")],
        [call("Edit", file_path=FILE, old_string="supported", new_string="contested")],
    ]


def test_the_real_world_is_an_evidence_world(world: World) -> None:
    evidence: EvidenceWorld = world
    assert evidence is world


async def test_outcomes_stand_in_call_order_and_questions_wait_together(
    world: World, workspace: Workspace
) -> None:
    slow = SlowWorld(world, 1)
    kit = Toolkit(slow, workspace, SLUG)
    calls = [
        call("Write", file_path=FILE, content="x"),
        call("WebSearch", query="calibration"),
        call("Scraper", url=PAGE),
        call("View", file_path=FILE),
        call("WebSearch", query="abstention"),
    ]
    outcomes = await kit.run(calls)
    assert [o.call_id for o in outcomes] == [c.id for c in calls]
    assert [o.name for o in outcomes] == [c.name for c in calls]
    assert slow.most == 3
    # The View saw the workspace as it stood when the message was sent.
    assert outcomes[3].status == "refused"


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), order=st.permutations(range(len(PAPERS))))
async def test_waits_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, world: World, seed: int, order: list[int]
) -> None:
    calls = [call("Scraper", url=PAPERS[n].url) for n in order]
    calls += [call("WebSearch", query="calibration"), call("Glob", pattern="**")]
    seen = []
    for evidence in (world, SlowWorld(world, seed), SlowWorld(world, seed + 1)):
        base = tmp_path_factory.mktemp("order")
        outcomes = await Toolkit(evidence, Workspace(base), SLUG).run(calls)
        seen.append((outcomes, tree(base)))
    assert seen[0] == seen[1] == seen[2]


async def test_an_outage_is_an_error_and_other_calls_go_on(
    world: World, workspace: Workspace
) -> None:
    class Down(SlowWorld):
        async def search(self, query: str, max_results: int = 10) -> tuple[Hit, ...]:
            raise EvidenceError("rate_limited", "The search service asked to wait.")

    kit = Toolkit(Down(world, 1), workspace, SLUG)
    found, page, missing = await kit.run(
        [
            call("WebSearch", query="x"),
            call("Scraper", url=PAGE),
            call("Scraper", url="https://example.org/none"),
        ]
    )
    assert (found.status, found.observed) == ("error", False)
    assert found.content == "Error: The search service asked to wait."
    assert page.status == "ok"
    assert missing.status == "refused"


async def test_a_defect_is_raised_and_leaves_nothing_running(
    world: World, workspace: Workspace
) -> None:
    class Broken(SlowWorld):
        async def search(self, query: str, max_results: int = 10) -> tuple[Hit, ...]:
            raise ZeroDivisionError

    broken = Broken(world, 1)
    kit = Toolkit(broken, workspace, SLUG)
    with pytest.raises(ZeroDivisionError):
        await kit.run([call("WebSearch", query="x"), call("Scraper", url=PAGE)])
    assert broken.waiting == 0


async def test_a_malformed_call_is_an_outcome(kit: Toolkit) -> None:
    outcomes = await kit.run([call(""), call("View"), call("Bash", command="ls")])
    assert all(o.status == "refused" for o in outcomes)
    assert all(o.content.startswith("Error: ") for o in outcomes)
    assert await kit.run([]) == []


@pytest.mark.parametrize("slug", ["", ".", "..", "a/b", ".a", "a\\b", "/a", "a\0", "x" * 300])
def test_a_slug_is_a_plain_name(world: World, workspace: Workspace, slug: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        Toolkit(world, workspace, slug)


async def test_a_restored_toolkit_goes_on_as_the_first_did(world: World, tmp_path: Path) -> None:
    batches = messages()
    for keep in range(len(batches) + 1):
        base = tmp_path / str(keep)
        first = Toolkit(world, Workspace(base / "first"), SLUG)
        trail, saved, ends = Trail("", ""), {}, []
        for number, calls in enumerate(batches, start=1):
            outcomes = await first.run(calls)
            ends.append(outcomes)
            if number <= keep:
                trail = trail.append(turn(number, calls, outcomes))
            saved.update({o.call_id: o.saved for o in outcomes if o.saved})

        # A killed process leaves more than the record has.
        second = Toolkit(world, Workspace(base / "second"), SLUG)
        second.workspace.write(f"{HOME}/left_over.md", b"x")
        second.workspace.write(f"{HOME}/sources/left_over.md", b"x")
        changes = second.restore(trail, saved)
        assert changes == tuple(c for t in trail.turns for c in t.changes)
        for number in range(keep, len(batches)):
            assert await second.run(batches[number]) == ends[number]
        assert tree(base / "second") == tree(base / "first")


async def test_a_rewound_trail_takes_its_files_with_it(kit: Toolkit) -> None:
    batches = messages()
    trail, saved = Trail("", ""), {}
    after_first: dict[str, bytes] = {}
    for number, calls in enumerate(batches, start=1):
        outcomes = await kit.run(calls)
        trail = trail.append(turn(number, calls, outcomes))
        saved.update({o.call_id: o.saved for o in outcomes if o.saved})
        if number == 1:
            after_first = tree(kit.workspace.root)
    kit.restore(trail.rewind(1), saved)
    assert tree(kit.workspace.root) == after_first
    kit.restore(trail.rewind(0), saved)
    assert tree(kit.workspace.root) == {}
    assert kit.workspace.kind(HOME) == "folder"


async def test_a_record_that_does_not_run_again_is_told(kit: Toolkit) -> None:
    batches = messages()[:2]
    trail, saved = Trail("", ""), {}
    for number, calls in enumerate(batches, start=1):
        outcomes = await kit.run(calls)
        trail = trail.append(turn(number, calls, outcomes))
        saved.update({o.call_id: o.saved for o in outcomes if o.saved})
    with pytest.raises(RestoreError, match="not on record"):
        kit.restore(trail, {})
    edit = batches[1][4]
    orphan = turn(2, [edit], [Outcome(edit.id, "Edit", "Edited.")])
    with pytest.raises(RestoreError, match="does not exist"):
        kit.restore(trail.rewind(1).append(orphan), saved)
