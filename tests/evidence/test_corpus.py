"""Corpus folders are whole or refused in one clear line."""

from __future__ import annotations

import time
from pathlib import Path

import orjson
import pytest
import zstandard
from hypothesis import given

from ideatrail.evidence.corpus import ABOUT, PAPERS, Corpus, CorpusError, build, read_about
from ideatrail.evidence.paper import Paper

from .conftest import make, papers


def write(path: Path, *found: Paper) -> Path:
    """Papers as ACL records."""
    rows = [{**p.row(), "abstract": "\n\n".join(p.body)} for p in found]
    for row in rows:
        for key in ("body", "aliases", "versions", "kind"):
            del row[key]
    path.write_bytes(b"".join(orjson.dumps(r) + b"\n" for r in rows))
    return path


def test_a_corpus_comes_back_as_it_went(tmp_path: Path) -> None:
    source = write(tmp_path / "a.jsonl", make(id="P17-0002"), make(id="P17-0001", date=""))
    about = build([source], tmp_path / "out")
    corpus = Corpus.open(tmp_path / "out")
    assert [p.id for p in corpus.papers] == ["P17-0001", "P17-0002"]
    assert corpus.papers[1] == make(id="P17-0002")
    assert corpus.hash == about.hash == Corpus.of(corpus.papers).hash
    assert (about.papers, about.works, about.undated) == (2, 1, 1)
    assert about.earliest is not None
    assert about.earliest.startswith("2018-04-30T10")
    assert read_about(tmp_path / "out") == about


@given(papers())
def test_every_paper_survives_its_row(found: list[Paper]) -> None:
    for paper in found:
        assert Paper.from_row(orjson.loads(orjson.dumps(paper.row()))) == paper


@given(papers())
def test_a_corpus_does_not_depend_on_the_order_of_sources(found: list[Paper]) -> None:
    assert Corpus.of(found).hash == Corpus.of(reversed(found)).hash


def test_the_richer_of_two_records_is_kept(tmp_path: Path) -> None:
    ours = make(kind="summary", body=["A long summary of our own, longer than the abstract."])
    theirs = make(kind="abstract", body=["Short."])
    later = make(kind="abstract", date="2019-01", body=["Changed later."])
    assert Corpus.of([ours, theirs, later]).papers == (theirs, later)


def test_bad_lines_and_duplicates_are_counted(tmp_path: Path) -> None:
    source = write(tmp_path / "a.jsonl", make(), make())
    source.write_bytes(source.read_bytes() + b"{broken\n")
    about = build([source], tmp_path / "out")
    assert (about.papers, about.duplicates, about.bad_lines) == (1, 1, 1)
    assert (about.bad[0].source, about.bad[0].line) == ("a.jsonl", 3)


def test_an_earlier_corpus_is_replaced_and_anything_else_refused(tmp_path: Path) -> None:
    source = write(tmp_path / "a.jsonl", make())
    (tmp_path / "out").mkdir()
    first = build([source], tmp_path / "out")
    write(source, make(), make(id="P17-0002", title="Another Paper of Other Words"))
    assert build([source], tmp_path / "out").hash != first.hash
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    for taken in (tmp_path / "mine", source):
        with pytest.raises(CorpusError, match="is no corpus"):
            build([source], taken)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.jsonl", "mine", "out"]


def test_a_build_that_fails_leaves_the_old_corpus(tmp_path: Path) -> None:
    source = write(tmp_path / "a.jsonl", make())
    about = build([source], tmp_path / "out")
    source.write_bytes(b"{broken\n")
    with pytest.raises(CorpusError, match=r"no paper found in .*line 1 of a\.jsonl"):
        build([source], tmp_path / "out")
    assert Corpus.open(tmp_path / "out").hash == about.hash


BREAKS = {
    "no folder": lambda f: f.rename(f.with_name("moved")),
    "a file": lambda f: (f.rename(f.with_name("moved")), f.touch()),
    "no about": lambda f: (f / ABOUT).unlink(),
    "about is text": lambda f: (f / ABOUT).write_text("hello"),
    "about is a list": lambda f: (f / ABOUT).write_text("[]"),
    "other format": lambda f: (f / ABOUT).write_text('{"format_version": 99}'),
    "about is partial": lambda f: (f / ABOUT).write_text('{"format_version": 1}'),
    "no papers": lambda f: (f / PAPERS).unlink(),
    "papers cut": lambda f: (f / PAPERS).write_bytes((f / PAPERS).read_bytes()[:-9]),
    "papers are text": lambda f: (f / PAPERS).write_bytes(b"hello"),
    "other papers": lambda f: (f / PAPERS).write_bytes(zstandard.compress(b"{}\n")),
}


@pytest.mark.parametrize("fault", BREAKS)
def test_a_broken_corpus_is_one_clear_line(tmp_path: Path, fault: str) -> None:
    out = tmp_path / "out"
    build([write(tmp_path / "a.jsonl", make())], out)
    BREAKS[fault](out)
    with pytest.raises(CorpusError) as caught:
        Corpus.open(out)
    assert "\n" not in str(caught.value)
    assert str(out) in str(caught.value)


def test_lines_that_are_no_papers_are_refused(tmp_path: Path) -> None:
    import hashlib

    out = tmp_path / "out"
    build([write(tmp_path / "a.jsonl", make())], out)
    raw = b'{"id": 1}\n'
    about = orjson.loads((out / ABOUT).read_bytes())
    (out / ABOUT).write_bytes(orjson.dumps({**about, "hash": hashlib.sha256(raw).hexdigest()}))
    (out / PAPERS).write_bytes(zstandard.compress(raw))
    with pytest.raises(CorpusError, match="no paper"):
        Corpus.open(out)


def test_papers_are_found_by_any_of_their_names() -> None:
    paper = make(doi="10.18653/v1/P17-0001")
    corpus = Corpus.of([paper, make(id="P17-0002", title="Another Paper of Other Words")])
    for name in (
        "P17-0001",
        "https://www.aclweb.org/anthology/P17-0001.pdf",
        "Neural parsing: of rare languages",
        "doi:10.18653/v1/p17-0001",
    ):
        assert corpus.find(name) == paper
    assert corpus.find("P17-9999") is None
    assert corpus.find("") is None


def test_the_bundled_bibliography_opens() -> None:
    corpus = Corpus.bundled()
    assert corpus.bad == ()
    assert len(corpus.papers) > 20
    assert {p.kind for p in corpus.papers} == {"summary"}
    assert all(p.shown for p in corpus.papers)


@pytest.mark.shared
def test_real_sources_merge(shared_data: Path, tmp_path: Path) -> None:
    names = (
        "arxiv_kaggle_200.jsonl",
        "arxiv_versions_browse.jsonl.gz",
        "papers_acl_small.jsonl.gz",
    )
    about = build([shared_data / n for n in names], tmp_path / "out")
    assert about.bad_lines == 0
    assert about.papers + about.duplicates == 200 + 1130 + 5000
    assert about.works == 1130 + 4999  # two ACL records are one work
    begun = time.perf_counter()
    Corpus.open(tmp_path / "out")
    assert time.perf_counter() - begun < 2.0  # 0.1 s when nothing else runs
