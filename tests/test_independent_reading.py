"""The independent auditor reads what the tools really say, not only what we made by hand."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.world import World
from ideatrail.toolkit.kit import Toolkit
from ideatrail.toolkit.workspace import Workspace
from ideatrail.trail.turn import Call

sys.path.insert(0, str(Path(__file__).resolve().parent))

from handmade import FOLDER, Maker
from independent import check_dates, check_scrapes
from independent_reading import hits, read_through
from independent_shape import repeated_views

WORLD = World(
    Corpus.of(
        [
            Paper.make(
                id=f"p{n}",
                title=f"Echo in rooms of kind {n}",
                body=[f"Paragraph {k} of study {n} tells of speech. " * 9 for k in range(9)],
                authors=("Ada Mori", "Bo | Falk"),
                venue="Rooms",
                date=f"2020-0{n}",
                url=f"https://example.org/p{n}",
                doi=None,
                kind="abstract",
            )
            for n in (1, 2, 3)
        ]
    ),
    Cutoff.parse("2021-06-30"),
)


@pytest.fixture
def toolkit(tmp_path: Path) -> Toolkit:
    (tmp_path / "workspace").mkdir()
    return Toolkit(WORLD, Workspace(tmp_path / "workspace"), FOLDER.rpartition("/")[2])


def test_auditor_reads_the_tools_own_texts(toolkit: Toolkit) -> None:
    maker = Maker()

    def turn(*calls: tuple[str, dict[str, object]]) -> list[str]:
        made = [Call(f"c{n}", name, json.dumps(a), dict(a)) for n, (name, a) in enumerate(calls)]
        texts = [outcome.content for outcome in asyncio.run(toolkit.run(made))]
        maker.turn("explore", "So.", *[(*c, t) for c, t in zip(calls, texts, strict=True)])
        return texts

    (found,) = turn(("WebSearch", {"query": "echo rooms"}))
    assert {hit["url"][-3:] for hit in hits(found)} == {"/p1", "/p2", "/p3"}
    assert {hit["date"] for hit in hits(found)} == {"2020-01", "2020-02", "2020-03"}
    (page,) = turn(("Scraper", {"url": "https://example.org/p2"}))
    saved = page.split("Saved as: ")[1].split("\n")[0]
    turn(
        ("View", {"file_path": saved, "offset": 8, "limit": 2}),  # inside the head: shown before
        ("View", {"file_path": saved, "offset": 12}),
        ("View", {"file_path": saved, "offset": 13, "limit": 1}),
        ("Grep", {"pattern": "Paragraph 7", "path": FOLDER}),
        ("View", {"file_path": f"{FOLDER}/nothing.md"}),
        ("Glob", {"pattern": "**/*.md"}),
    )

    maker.turn("explore", "That is all.")
    record = maker.record("idea")
    for mark in record["_trail"]["results"].values():
        mark["date_latest"] = None
    reading = read_through(record)
    check_scrapes(reading)
    check_dates(reading)
    assert reading.problems == []
    assert reading.sources == {saved: "example.org/p2"}
    from_page = [seen for seen in reading.seen if seen.message > 4]
    assert [seen.url for seen in from_page] == ["example.org/p2"] * 5
    assert "Paragraph 7 of study 2" in from_page[-1].text
    assert repeated_views(reading) == (2, 3)
