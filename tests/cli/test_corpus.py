"""`ideatrail corpus`: build, info and search, and one clear line for each bad input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

Cli = Callable[..., Any]

ROWS = [
    {"id": "P17-0001", "title": "Neural Parsing", "abstract": "We parse rare languages.",
     "authors": ["Ada Example", "Bo Sample"], "venue": "ACL 2017", "year": 2017, "month": 7,
     "url": "https://aclanthology.org/P17-0001/", "doi": None},
    {"id": "P21-0001", "title": "Later Parsing", "abstract": "We parse all languages.",
     "authors": ["Cy Later"], "venue": "ACL 2021", "date": "2021-08",
     "url": "https://aclanthology.org/P21-0001/"},
]  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "papers.jsonl"
    path.write_bytes(b"".join(orjson.dumps(r) + b"\n" for r in ROWS) + b"{broken\n")
    return path


@pytest.fixture
def corpus(cli: Cli, source: Path, tmp_path: Path) -> Path:
    assert cli("corpus", "build", source, "--out", tmp_path / "out").code == 0
    return tmp_path / "out"


def test_build_tells_what_it_made_and_what_it_skipped(
    cli: Cli, source: Path, tmp_path: Path
) -> None:
    done = cli("corpus", "build", source, "--out", tmp_path / "new" / "out")
    assert done.code == 0
    assert "2 papers" in done.out
    assert "skipped papers.jsonl, line 3: not JSON" in done.err
    again = cli("corpus", "build", source, "--out", tmp_path / "new" / "out", "--json")
    assert orjson.loads(again.out)["bad_lines"] == 1


def test_info_tells_what_is_there(cli: Cli, corpus: Path) -> None:
    done = cli("corpus", "info", corpus)
    assert done.code == 0
    assert "2 papers (2 with abstract), 2 works" in done.out
    told = orjson.loads(cli("corpus", "info", corpus, "--json").out)
    assert (told["papers"], told["kinds"], told["format_version"]) == (2, {"abstract": 2}, 1)
    assert told["earliest"] < "2017-07" < told["latest"]


def test_search_gives_a_list_of_what_stood_there(cli: Cli, corpus: Path) -> None:
    done = cli("corpus", "search", corpus, "parse languages", "--cutoff", "2020-01-01", "--json")
    assert done.code == 0
    (hit,) = orjson.loads(done.out)
    assert hit["title"] == "Neural Parsing"
    assert hit["authors"] == ["Ada Example", "Bo Sample"]
    assert (hit["venue"], hit["date"]) == ("ACL 2017", "2017-07")
    assert hit["url"] == "https://aclanthology.org/P17-0001/"
    assert hit["snippet"] == "We parse rare languages."
    later = cli("corpus", "search", corpus, "parse", "--cutoff", "2022-01-01", "--max-results", 1)
    assert later.out.count("https://") == 1


def test_finding_nothing_is_no_fault(cli: Cli, corpus: Path) -> None:
    for query in ("zzz", "", '"', "NOT"):
        done = cli("corpus", "search", corpus, query, "--cutoff", "2020-01-01", "--json")
        assert (done.code, orjson.loads(done.out)) == (0, [])
    assert (
        cli("corpus", "search", corpus, "parse", "--cutoff", "1999-01-01").out == "Nothing found.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("search", "CORPUS", "x", "--cutoff", "someday"), "is no date"),
        (("search", "CORPUS", "x", "--cutoff", "2020-02-30"), "is no date"),
        (("search", "CORPUS", "x"), "--cutoff"),
        (("search", "CORPUS", "x", "--cutoff", "2020-01-01", "--max-results", "0"), "max-results"),
        (("search", "NONE", "x", "--cutoff", "2020-01-01"), "there is no folder"),
        (("search", "SOURCE", "x", "--cutoff", "2020-01-01"), "is a file"),
        (("info", "NONE"), "there is no folder"),
        (("info", "PARENT"), "is no corpus"),
        (("build", "NONE", "--out", "NEW"), "there is no file"),
        (("build", "EMPTY", "--out", "NEW"), "no paper found"),
        (("build", "BINARY", "--out", "NEW"), "no paper found"),
        (("build", "SOURCE", "--out", "PARENT"), "is no corpus"),
        (("build", "SOURCE"), "--out"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_2(
    cli: Cli, corpus: Path, source: Path, tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "binary.jsonl").write_bytes(bytes(range(256)) * 9)
    places = {"CORPUS": corpus, "NONE": tmp_path / "none", "SOURCE": source, "PARENT": tmp_path,
              "EMPTY": tmp_path / "empty.jsonl", "BINARY": tmp_path / "binary.jsonl",
              "NEW": tmp_path / "new"}  # fmt: skip
    done = cli("corpus", *(places.get(a, a) for a in arguments))
    assert done.code == 2
    assert told in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""
    assert not (tmp_path / "new").exists()


def test_a_place_that_cannot_be_written_is_an_outside_fault(
    cli: Cli, source: Path, tmp_path: Path
) -> None:
    (tmp_path / "taken").touch()
    done = cli("corpus", "build", source, "--out", tmp_path / "taken" / "out")
    assert done.code == 5
    assert done.err.count("\n") == 1
