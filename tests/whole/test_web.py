"""A whole run over the index and a real web archive: full texts read, nothing later seen, and all
of it gone through again from the run's folder."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from pywb_server import Pywb, Stored, missing, serving, write_warc
from typeset import html_paper, pdf_paper
from warcio.archiveiterator import ArchiveIterator

from ideatrail.evidence.corpus import Corpus
from ideatrail.resources import folder
from ideatrail.run.folder import RunFolder
from ideatrail.run.job import RunResult, run_trail
from ideatrail.run.replay import load_trail, replay
from ideatrail.settings import Settings
from ideatrail.trail.text import sentences

pytestmark = [pytest.mark.pywb, pytest.mark.slow]

CUTOFF = "2024-06-15"
BEFORE, AFTER = "2024-06-01T12:00:00Z", "2024-07-01T12:00:00Z"
MARK = "ZQ7LATER9"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pywb]:
    """Whole texts of the bundled papers, each also captured after the cutoff with a mark in it."""
    why = missing()
    if why:
        pytest.skip(why)
    place = tmp_path_factory.mktemp("archive")
    papers = Corpus.bundled().papers
    pool = [s for paper in papers for line in paper.body for s in sentences(line)]
    captures = []
    for number, paper in enumerate(papers):
        said = [*(s for line in paper.body for s in sentences(line)), *pool[number :: len(papers)]]
        make = (html_paper, pdf_paper)[number % 2]
        page = make(number, 12_000, title=paper.title, authors=paper.authors, sentences=said)
        late = html_paper(
            number, 12_000, title=paper.title, sentences=[f"{MARK} {s}" for s in said]
        )
        for made, date in ((page, BEFORE), (late, AFTER)):
            kind = [("Content-Type", made.content_type)]
            captures.append(Stored(paper.url, date, made.body, headers=kind))
    write_warc(place / "papers.warc.gz", captures)
    with serving(place / "server", place / "papers.warc.gz") as running:
        yield running


@pytest.fixture(scope="module")
def run(archive: Pywb, tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    return asyncio.run(run_trail(settings(archive, tmp_path_factory.mktemp("trails"))))


def settings(archive: Pywb, out: Path, **values: object) -> Settings:
    given = {
        "proposal": str(folder("data") / "proposals" / "source_aware_decoding.md"),
        "cutoff": CUTOFF,
        "turns": 16,
        "out": out,
        "sources": ("index", "archive"),
        "source_urls": {"archive": archive.url},
        "allow_hosts": (archive.place,),
        **values,
    }
    return Settings.model_validate(given)


def test_it_reads_whole_papers_as_they_stood(run: RunResult) -> None:
    assert run.exit_code in (0, 3)
    trail = load_trail(run.folder)
    pages = [r for _, c, r in trail.calls if c.name == "Scraper" and r.status == "ok"]
    assert len(pages) >= 3
    whole = [
        (run.folder / "workspace" / r.source_file).stat().st_size for r in pages if r.source_file
    ]
    assert sum(size > 10_000 for size in whole) >= 0.8 * len(whole)
    assert all(r.date_latest and r.date_latest <= "2024-06-16T12:00" for r in pages)
    for path in run.folder.rglob("*"):
        if path.is_file() and "web" not in path.relative_to(run.folder).parts:
            assert MARK.encode() not in path.read_bytes(), path


async def test_it_is_gone_through_again_with_the_archive_gone(run: RunResult) -> None:
    told = await replay(run.folder)
    assert told.differences == ()
    assert told.observations > 10


def test_its_web_evidence_goes_out_as_warc(run: RunResult, cli, tmp_path) -> None:
    done = cli("warc", run.folder, "--out", tmp_path / "trail.warc.gz")
    assert done.code == 0, done.err
    with (tmp_path / "trail.warc.gz").open("rb") as file:
        kinds = [record.rec_type for record in ArchiveIterator(file)]
    assert kinds.count("response") == kinds.count("request") > 3


async def test_what_the_advisor_asks_stays_on_its_side(run: RunResult) -> None:
    public = {p.name for p in RunFolder(run.folder).exchanges.rglob("*.json")}
    private = {p.name for p in (run.folder / "advisor" / "web").rglob("*.json")}
    assert public
    assert private
    trail = load_trail(run.folder)
    scraped = {str(c.parsed.get("url")) for _, c, _ in trail.calls if c.name == "Scraper"}
    asked = {
        orjson.loads(p.read_bytes())["url"] for p in RunFolder(run.folder).exchanges.rglob("*.json")
    }
    # One page may be asked for in several forms, but no page that the trail did not ask for.
    assert len(asked) <= 12 * len(scraped)


async def test_an_archive_that_is_down_is_told_and_the_index_goes_on(archive, tmp_path) -> None:
    down = settings(archive, tmp_path, source_urls={"archive": "http://127.0.0.1:9/web/"},
                    allow_hosts=("127.0.0.1:9",), turns=8)  # fmt: skip
    result = await run_trail(down)
    assert result.exit_code in (0, 3)
    trail = load_trail(result.folder)
    pages = [r for _, c, r in trail.calls if c.name == "Scraper"]
    assert any(r.status == "ok" for r in pages), "what the index holds of a paper is still shown"
    assert not any("127.0.0.1" in r.content for r in pages)
