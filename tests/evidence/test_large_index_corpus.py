"""Large corpora are written whole or not at all, read by the piece, and added to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.evidence import corpus as room
from ideatrail.evidence.corpus import Corpus, CorpusError, CorpusWriter, append, build, merge
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.index import as_of
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.kept import build_index
from ideatrail.evidence.postings.works import Keys, ties
from ideatrail.evidence.withheld import NOTHING_WITHHELD
from ideatrail.evidence.works import groups

from .conftest import make, papers
from .test_corpus import write
from .test_large_index import parted


def many(count: int, **given: object) -> list[Paper]:
    return [
        make(
            id=f"P17-{n:04}", title=f"Study {n} of Rare Languages", authors=[f"A{n} B{n}"], **given
        )
        for n in range(count)
    ]


def written(out: Path, found: list[Paper], largest: int = 20) -> Corpus:
    with CorpusWriter(out, sources=["a.jsonl"], largest=largest) as writer:
        writer.add(found)
        writer.finish()
    return Corpus.open(out)


def test_a_large_corpus_comes_back_as_it_went(tmp_path: Path) -> None:
    found = many(70)
    corpus = written(tmp_path / "out", found)
    assert sorted(corpus.papers, key=lambda p: p.order) == found
    assert [corpus.papers[n] for n in range(len(corpus.papers))] == list(corpus.papers)
    assert corpus.papers[-1] == list(corpus.papers)[-1]
    assert corpus.papers[3:5] == list(corpus.papers)[3:5]
    with pytest.raises(IndexError):
        corpus.papers[70]
    assert corpus.segments is not None
    about = corpus.segments.about
    assert (about.papers, about.works, about.undated, about.bad_lines) == (70, 70, 0, 0)
    assert about.sources == ["a.jsonl"]
    assert len(about.segments) > 2
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_the_order_in_which_papers_come_makes_no_difference(tmp_path: Path) -> None:
    found = [*many(50), *many(9)]
    first = written(tmp_path / "one", found)
    random.Random(1).shuffle(found)
    assert written(tmp_path / "two", found).hash == first.hash


def test_records_of_one_paper_are_merged(tmp_path: Path) -> None:
    ours = make(kind="summary", body=["A long summary of our own, longer than the abstract."])
    theirs = make(kind="abstract", body=["Short."])
    later = make(kind="abstract", date="2019-01", body=["Changed later."])
    corpus = written(tmp_path / "out", [ours, later, theirs])
    assert set(corpus.papers) == set(merge([ours, theirs, later])) == {theirs, later}
    assert corpus.segments is not None
    about = corpus.segments.about
    assert (about.papers, about.duplicates, about.works) == (2, 1, 1)


def test_papers_of_a_large_corpus_are_found_by_any_name(tmp_path: Path) -> None:
    paper = make(doi="10.18653/v1/P17-0001")
    corpus = written(tmp_path / "out", [paper, *many(30)[2:]])
    for name in ("P17-0001", "https://www.aclweb.org/anthology/P17-0001.pdf",
                 "Neural parsing: of rare languages", "doi:10.18653/v1/p17-0001"):  # fmt: skip
        assert corpus.find(name) == paper
    assert corpus.find("P17-9999") is None
    assert corpus.find("") is None


def test_what_is_not_finished_leaves_the_old_corpus(tmp_path: Path) -> None:
    first = written(tmp_path / "out", many(3))

    def stops() -> Iterator[Paper]:
        yield from many(5)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), CorpusWriter(tmp_path / "out") as writer:
        writer.add(stops())
    with CorpusWriter(tmp_path / "out") as writer, pytest.raises(CorpusError, match="no paper"):
        writer.finish()
    assert Corpus.open(tmp_path / "out").hash == first.hash
    assert [p.name for p in tmp_path.iterdir()] == ["out"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    with pytest.raises(CorpusError, match="is no corpus"):
        CorpusWriter(tmp_path / "mine")


def test_many_papers_make_a_large_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "SMALL", 10)
    source = write(tmp_path / "a.jsonl", *many(30))
    source.write_bytes(source.read_bytes() + b"{broken\n")
    about = build([source], tmp_path / "out")
    assert (about.format_version, about.papers, about.bad_lines) == (2, 30, 1)
    assert about.sources == ["a.jsonl"]
    assert len(Corpus.open(tmp_path / "out").papers) == 30


@pytest.mark.parametrize("name", ["papers.jsonl.zst", "frames.npy", "keys.npy"])
def test_a_broken_segment_is_one_clear_line(tmp_path: Path, name: str) -> None:
    written(tmp_path / "out", many(3))
    (segment,) = (tmp_path / "out" / "segments").iterdir()
    (segment / name).unlink()
    with pytest.raises(CorpusError, match="build it again"):
        Corpus.open(tmp_path / "out")


def test_a_segment_is_a_file_for_any_tool(tmp_path: Path) -> None:
    written(tmp_path / "out", many(9))
    (segment,) = (tmp_path / "out" / "segments").iterdir()
    with (
        (segment / "papers.jsonl.zst").open("rb") as file,
        zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as lines,
    ):
        assert lines.read().count(b"\n") == 9


def test_papers_are_added_without_writing_all_anew(tmp_path: Path) -> None:
    found = many(100)
    before = written(tmp_path / "out", found[:60], largest=1_000)
    (large,) = (tmp_path / "out" / "segments").iterdir()
    for begin in range(60, 100, 10):
        about = append(tmp_path / "out", found[begin : begin + 10], sources=["b"])
        if begin < 80:
            assert large.is_dir()  # too large to be taken in
    assert (about.papers, about.works, about.duplicates) == (100, 100, 0)
    assert len(about.segments) <= 3
    assert about.sources == ["a.jsonl", "b", "b", "b", "b"]
    corpus = Corpus.open(tmp_path / "out")
    assert sorted(corpus.papers, key=lambda p: p.order) == found
    assert corpus.hash != before.hash
    names = {s.name for s in about.segments}
    assert {p.name for p in (tmp_path / "out" / "segments").iterdir()} == names
    assert append(tmp_path / "out", []) == about


def test_a_richer_record_takes_the_place_of_one_that_is_there(tmp_path: Path) -> None:
    written(tmp_path / "out", many(40), largest=1_000)
    richer = make(id="P17-0001", title="Study 1 of Rare Languages", authors=["A1 B1"],
                  body=["We parse rare languages at length."])  # fmt: skip
    poorer = make(id="P17-0002", title="Study 2", body=["We."])
    about = append(tmp_path / "out", [richer, poorer])
    assert (about.papers, about.duplicates, about.works) == (40, 2, 40)
    assert [s.dropped for s in about.segments if s.dropped] != []
    corpus = Corpus.open(tmp_path / "out")
    assert len(corpus.papers) == len(list(corpus.papers)) == 40
    assert [corpus.papers[n] for n in range(40)] == list(corpus.papers)
    assert corpus.find("P17-0001") == richer
    index = as_of(corpus, Cutoff.parse("2020-01-01"), NOTHING_WITHHELD)
    assert index.size == 40
    assert [r.paper for r in index.search("P17-0001", 1)] == [richer]
    assert index.page(richer.aliases[0]) == richer


def test_a_small_corpus_is_not_added_to(tmp_path: Path) -> None:
    build([write(tmp_path / "a.jsonl", make())], tmp_path / "out")
    with pytest.raises(CorpusError, match="small"):
        append(tmp_path / "out", many(3))


def test_an_index_that_is_lost_is_built_again(tmp_path: Path) -> None:
    corpus = written(tmp_path / "out", many(30))
    assert corpus.segments is not None
    build_index(corpus.segments)
    kept = sorted((tmp_path / "out").glob("segments/*/index-*"))
    assert len(kept) == len(corpus.segments.parts)
    for file in kept[0].iterdir():
        file.unlink()
    assert as_of(corpus, Cutoff.parse("2020-01-01"), NOTHING_WITHHELD).size == 30
    assert (kept[0] / "complete").is_file()


@settings(max_examples=60)
@given(papers(), st.integers(1, 3))
def test_works_are_those_of_the_small_corpus(found: list[Paper], parts: int) -> None:
    found = list({p.order[:2]: p for p in found}.values())
    collection = parted(found, parts)
    tied = ties([Keys(p.keys.keys, p.keys.rows, p.keys.size) for p in collection.parts])
    ours: dict[int, set[Paper]] = {}
    for record, work in zip(tied.members.tolist(), tied.work.tolist(), strict=True):
        ours.setdefault(work, set()).add(collection.paper(record))
    theirs = [{found[at] for at in group} for group in groups(found) if len(group) > 1]
    assert sorted(map(sorted_ids, ours.values())) == sorted(map(sorted_ids, theirs))


def sorted_ids(found: set[Paper]) -> list[str]:
    return sorted(str(p.order[:2]) for p in found)
