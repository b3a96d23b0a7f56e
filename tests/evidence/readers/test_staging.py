"""A reading that is killed goes on where it was, and its corpus is the one that an unbroken reading
makes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import orjson
import pytest

from ideatrail.evidence import staging
from ideatrail.evidence.corpus import Corpus, build
from ideatrail.evidence.readers import BadLine
from ideatrail.evidence.staging import Staging, staging_of


def lines(count: int) -> bytes:
    rows = (
        {
            "id": f"P17-{n:05}",
            "title": f"Paper number {n} on marking sources",
            "abstract": f"We mark source {n}. " * 3,
            "authors": ["Ada Example"],
            "venue": "ACL",
            "date": "2017-07",
            "url": f"https://aclanthology.org/P17-{n:05}/",
            "doi": None,
        }
        for n in range(count)
    )
    out = [orjson.dumps(row) for row in rows]
    out[count // 2] = b"not json"
    return b"\n".join(out) + b"\n"


def test_what_was_read_is_not_read_again(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(staging, "PART", 100)
    source = tmp_path / "a.jsonl"
    source.write_bytes(lines(1_000))
    plain_bad: list[BadLine] = []
    from ideatrail.evidence.readers import read

    whole = list(read(source, plain_bad.append))
    folder = tmp_path / "stage"
    with Staging(folder) as first:
        bad: list[BadLine] = []
        going = first.read(source, bad.append)
        some = [next(going) for _ in range(650)]
    assert some == whole[:650]
    heard: list[int] = []
    with Staging(folder, on_resumed=heard.append) as second:
        bad = []
        assert list(second.read(source, bad.append)) == whole
    assert heard == [600]
    assert bad == plain_bad
    with Staging(folder, on_resumed=heard.append) as third:
        bad = []
        assert list(third.read(source, bad.append)) == whole
        assert bad == plain_bad
    assert heard == [600, 999]


def test_a_torn_journal_and_a_changed_file(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(staging, "PART", 100)
    source = tmp_path / "a.jsonl"
    source.write_bytes(lines(500))
    folder = tmp_path / "stage"
    with Staging(folder) as first:
        expected = list(first.read(source, lambda bad: None))
    journal = folder / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-30])
    with Staging(folder) as second:
        assert list(second.read(source, lambda bad: None)) == expected
    source.write_bytes(lines(300))
    with Staging(folder) as third:
        assert len(list(third.read(source, lambda bad: None))) == 299


@pytest.mark.slow
def test_killed_at_any_moment_the_corpus_is_the_same(tmp_path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_bytes(lines(60_000))
    about = build([source], tmp_path / "whole")
    command = [
        sys.executable, "-c", "from ideatrail.cli.main import main; raise SystemExit(main())",
        "corpus", "build", str(source), "--out", str(tmp_path / "c"),
    ]  # fmt: skip
    stage = staging_of(tmp_path / "c")
    killed = 0
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            parts = len(list(stage.glob("0*.zst"))) if stage.exists() else 0
            until = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < until:
                if stage.exists() and len(list(stage.glob("0*.zst"))) > parts:
                    os.kill(process.pid, signal.SIGKILL)
                    killed += 1
                    break
                time.sleep(0.01)
    assert killed
    assert not (tmp_path / "c").exists()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "were read before" in done.stderr
    assert Corpus.open(tmp_path / "c").hash == about.hash
    assert not stage.exists()


def test_papers_are_added_to_a_small_corpus(cli, tmp_path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    raw = lines(40).split(b"\n")
    one.write_bytes(b"\n".join(raw[:25]))
    two.write_bytes(b"\n".join(raw[25:]))
    assert cli("corpus", "build", one, "--out", tmp_path / "c").code == 0
    done = cli("corpus", "add", tmp_path / "c", two, "--json")
    assert done.code == 0, done.err
    assert cli("corpus", "build", one, two, "--out", tmp_path / "d").code == 0
    assert Corpus.open(tmp_path / "c").papers == Corpus.open(tmp_path / "d").papers
    assert cli("corpus", "add", tmp_path / "none", two).code == 2


def test_abstracts_that_come_apart_find_their_papers(cli, tmp_path) -> None:
    paper = {"corpusid": 7, "title": "Marking Sources", "authors": [{"name": "Ada Example"}],
             "year": 2020, "externalids": {"DOI": "10.1/x"}}  # fmt: skip
    (tmp_path / "a.jsonl").write_bytes(orjson.dumps(paper) + b"\n")
    (tmp_path / "z.jsonl").write_bytes(
        orjson.dumps({"corpusid": 7, "abstract": "We mark sources."}) + b"\n"
    )
    assert cli("corpus", "build", tmp_path, "--out", tmp_path / "c").code == 0
    assert [p.body for p in Corpus.open(tmp_path / "c").papers] == [("We mark sources.",)]


def test_an_output_that_is_none_is_refused_before_anything_is_read(cli, tmp_path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear", "utf-8")
    (tmp_path / "a.jsonl").write_bytes(lines(4))
    assert cli("corpus", "build", tmp_path / "a.jsonl", "--out", tmp_path / "mine").code == 2
    assert not staging_of(tmp_path / "mine").exists()
