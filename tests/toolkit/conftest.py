"""A toolkit over a real evidence world of a few papers of our own making."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.world import World
from ideatrail.toolkit.kit import Toolkit
from ideatrail.toolkit.outcome import Outcome
from ideatrail.toolkit.workspace import Workspace
from ideatrail.trail.turn import Call

SLUG = "calibrated-answers"
HOME = f"research_topics/{SLUG}"


def paper(number: int, title: str, *body: str, date: str = "2020-07-05", **more: Any) -> Paper:
    fields: dict[str, Any] = {
        "authors": ("Ada Lindqvist", "Bo Varga"),
        "venue": "Workshop on Honest Models",
        "kind": "abstract",
    }
    return Paper.make(
        id=f"p{number}",
        title=title,
        body=body,
        date=date,
        url=f"https://example.org/papers/{number}",
        doi=None,
        **{**fields, **more},
    )


PAPERS = (
    paper(
        1,
        "Calibration of answers under shift",
        "Calibration falls when questions come from another domain.",
        "Scaling the temperature mends a third of the gap; 12.5% of answers stay overconfident.",
    ),
    paper(
        2,
        "Calibration of answers under shift",
        "A second study of calibration with the same title.",
        date="2020-07-06",
        authors=("Lindqvist, Ada",),
        venue="Other Venue | Track",
    ),
    paper(
        3,
        "A long reading",
        *(f"Paragraph {n} speaks of abstention and its price. " * 8 for n in range(30)),
        date="2019",
        authors=(),
    ),
    paper(4, "校准", "Calibration, in another script.", authors=("李 雷",), date="2021-01"),
    paper(5, "A study from later", "Calibration after the cutoff.", date="2024-03-01"),
)


@pytest.fixture(scope="session")
def world() -> World:
    return World(Corpus.of(PAPERS), Cutoff.parse("2022-01-31"))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "workspace").mkdir()
    return Workspace(tmp_path / "workspace")


@pytest.fixture
def kit(world: World, workspace: Workspace) -> Toolkit:
    return Toolkit(world, workspace, SLUG)


_ids: Iterator[int] = count(1)


def call(name: str, **arguments: Any) -> Call:
    # json and not orjson: a model can write `\\ud800` in its arguments, and tests must.
    return Call(f"call_{next(_ids)}", name, json.dumps(arguments), arguments)


@pytest.fixture
def do(kit: Toolkit) -> Callable[..., Awaitable[Outcome]]:
    """Runs one call as a message of its own."""

    async def run_one(name: str, **arguments: Any) -> Outcome:
        [outcome] = await kit.run([call(name, **arguments)])
        return outcome

    return run_one
