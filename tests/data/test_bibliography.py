"""The bundled bibliography: true facts, words of our own, enough of it for each topic."""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections import Counter
from pathlib import Path

import orjson
import pytest

from ideatrail.resources import folder

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
FACTS = ("id", "title", "authors", "venue", "year", "month", "date", "url", "doi")
RUN = 8


@pytest.fixture(scope="module")
def entries():
    files = sorted((folder("data") / "bibliography").glob("*.jsonl"))
    return [orjson.loads(line) for f in files for line in f.read_bytes().split(b"\n") if line]


@pytest.fixture(scope="module")
def truth(entries):
    path = SHARED / "papers_acl.jsonl.gz"
    if not path.exists():
        pytest.skip("the ACL Anthology records are not beside this checkout")
    wanted = {e["id"] for e in entries}
    with gzip.open(path) as file:
        records = (orjson.loads(line) for line in file)
        return {r["id"]: r for r in records if r["id"] in wanted}


def runs(text: str, *, hyphens: bool) -> set[tuple[str, ...]]:
    text = unicodedata.normalize("NFKC", text).casefold()
    found = re.findall(r"[^\W_]+(?:-[^\W_]+)*" if hyphens else r"[^\W_]+", text)
    return {tuple(found[i : i + RUN]) for i in range(len(found) - RUN + 1)}


def test_size_and_form(entries):
    assert 150 <= len(entries) <= 250
    assert len({e["id"] for e in entries}) == len(entries)
    for entry in entries:
        assert list(entry) == [*FACTS, "summary"], entry["id"]
        assert 100 <= len(entry["summary"].split()) <= 250, entry["id"]
        assert entry["summary"].count("\n\n") == 2, "does, finds, leaves open"


def test_no_sentence_stands_in_two_summaries(entries):
    counted = Counter(s for e in entries for s in set(re.split(r"(?<=[.!?])\s+", e["summary"])))
    assert counted.most_common(1)[0][1] == 1


@pytest.mark.shared
def test_facts_are_the_anthologys(entries, truth):
    known = [e for e in entries if e["id"] in truth]
    assert len(known) >= 0.9 * len(entries)
    for entry in known:
        record = truth[entry["id"]]
        assert {k: entry[k] for k in FACTS} == {k: record[k] for k in FACTS}, entry["id"]


@pytest.mark.shared
@pytest.mark.parametrize("hyphens", [True, False])
def test_no_run_of_eight_words_is_the_authors(entries, truth, hyphens):
    for entry in entries:
        if entry["id"] in truth:
            record = truth[entry["id"]]
            theirs = runs(record["abstract"], hyphens=hyphens)
            assert not runs(entry["summary"], hyphens=hyphens) & theirs, entry["id"]


@pytest.mark.shared
def test_figures_in_summaries_stand_in_the_abstract_or_title(entries, truth):
    for entry in entries:
        if entry["id"] not in truth:
            continue
        record = truth[entry["id"]]
        source = f"{record['title']} {record['abstract']} {record['year']}".replace(",", "")
        for figure in re.findall(r"\d+(?:\.\d+)?", entry["summary"].replace(",", "")):
            assert figure in source, (entry["id"], figure)
