"""The lexicon counts the whole corpus, whatever its dates."""

from __future__ import annotations

import math
import time
from pathlib import Path

import pytest

from ideatrail.evidence import lexicon as room
from ideatrail.evidence.corpus import Corpus, build
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.evidence.readers import read

from .conftest import make

CORPUS = Corpus.of(
    [
        make(id="P17-0001", date="2019", title="Calibrated Parsing of Rare Languages: A Study"),
        make(id="P17-0002", date="2018-05", title="Rag Rugs", body=["Parsers and a rag rug."]),
        make(id="P17-0003", date="2021-03", title="RAG and Parsing", body=["Self-consistency."]),
        make(id="P17-0004", date="", title="Undated", body=["quizzical"]),
        make(id="2001.00001", url="https://arxiv.org/abs/2001.00001", date="2020-01-15",
             title="On the Self-Consistency of Long Proofs in Plain English", body=["proof"]),
    ]
)  # fmt: skip


def test_rarity_falls_with_frequency() -> None:
    lexicon = Lexicon(CORPUS)
    assert lexicon.size == 5
    assert lexicon.frequency("parsing") == lexicon.frequency("Parse") == 2
    assert lexicon.frequency("rare language") == 1
    assert lexicon.frequency("language rare") == 0
    assert lexicon.frequency("self-consistency") == lexicon.df("self consistency") == 2
    assert lexicon.rarity("parsing") == pytest.approx(math.log(6 / 3))
    assert lexicon.rarity("zzz") == pytest.approx(math.log(6))
    assert lexicon.rarity("") == lexicon.rarity("?!") == 0.0
    assert lexicon.frequency("\ud800") == 0


def test_first_dates_agree_with_what_a_cutoff_admits() -> None:
    lexicon = Lexicon(CORPUS)
    for term in ("parsing", "calibrated", "self-consistency", "quizzical", "zzz", "rag", "proofs"):
        first = lexicon.first(term)
        for day in ("2018-01-01", "2018-12-31", "2019-06-30", "2020-06-30", "2022-01-01"):
            cutoff = Cutoff.parse(day)
            admitted = Corpus.of(p for p in CORPUS.papers if cutoff.admits(p.shown))
            assert cutoff.admits(first) == (Lexicon(admitted).frequency(term) > 0)


def test_names_keep_their_capitals() -> None:
    lexicon = Lexicon(CORPUS)
    assert (lexicon.name_frequency("RAG"), lexicon.name_frequency("rag")) == (1, 1)
    rag, rug = lexicon.first_seen("RAG"), lexicon.first_seen("rag")
    assert rag is not None
    assert rug is not None
    assert (rag.year, rug.year) == (2021, 2018)
    assert lexicon.first_seen("GPT-4") is None


def test_titles_are_found_though_not_quite_complete() -> None:
    lexicon = Lexicon(CORPUS)
    assert lexicon.titles["rag rugs"] == ("P17-0002",)
    title = "On the Self-Consistency of Long Proofs in Plain English"
    for text in (title, title.upper(), title.replace("Plain", "Simple"), f"  {title}?"):
        assert lexicon.match_title(text) == ("2001.00001",)
    assert lexicon.match_title("calibrated parsing of rare languages") == ("P17-0001",)
    assert lexicon.match_title("Rag rugs") == ("P17-0002",)
    assert lexicon.match_title("Proofs in plain English") == ()
    assert lexicon.match_title("") == ()
    found = lexicon.titles_in(f"I should look for {title}, then rag rugs, calibrated parsing of "
                              "rare languages: a study.")  # fmt: skip
    assert [m.ids for m in found if m.complete] == [("2001.00001",), ("P17-0001",)]
    assert (found[0].start, found[0].end) == (4, 14)


def test_a_title_that_names_a_topic_shows_no_knowledge() -> None:
    body = ["We study open-domain question answering."]
    others = [make(id=f"P18-{n:04}", title=f"Study {n} of Answers to Questions", body=body,
                   authors=[f"A {n}"]) for n in range(3)]  # fmt: skip
    lexicon = Lexicon(Corpus.of([make(title="Open-Domain Question Answering"), *others]))
    assert lexicon.is_topic("open domain question answering")
    assert not lexicon.is_topic("Study 1 of Answers to Questions")
    text = "As in open-domain question answering, study 1 of answers to questions says"
    assert [m.ids for m in lexicon.titles_in(text)] == [("P18-0001",)]
    assert lexicon.match_title("Open domain question answering") == ("P17-0001",)


def test_ids_have_dates() -> None:
    lexicon = Lexicon(CORPUS)
    for address in ("2001.00001", "https://arxiv.org/pdf/2001.00001v3", "arXiv:2001.00001"):
        date = lexicon.id_date(address)
        assert date is not None
        assert date.text == "2020-01-15"
    assert lexicon.id_date("P17-0004") is None
    assert lexicon.id_date("nothing") is None


def test_a_large_lexicon_is_kept_beside_its_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "KEPT_ON_DISK", 1)
    source = tmp_path / "a.jsonl"
    source.write_bytes(b'{"id":"a","title":"Rag Rugs","abstract":"On rugs.","authors":["A B"],'
                       b'"venue":"V","date":"2018-05","url":"https://x.org/a"}\n')  # fmt: skip
    build([source], tmp_path / "out")
    for _ in range(2):
        assert Lexicon(Corpus.open(tmp_path / "out")).frequency("rugs") == 1
    (kept,) = [p for p in (tmp_path / "out").iterdir() if p.is_dir()]
    for file in kept.glob("*.json"):
        file.write_text("broken")
    assert Lexicon(Corpus.open(tmp_path / "out")).frequency("rugs") == 1
    assert build([source], tmp_path / "out").papers == 1
    assert not kept.exists()


@pytest.mark.shared
def test_five_thousand_papers_are_counted_in_a_moment(shared_data: Path) -> None:
    papers = read(shared_data / "papers_acl_small.jsonl.gz", lambda bad: None)
    lexicon = Lexicon(Corpus.of(papers))
    begun = time.perf_counter()
    assert lexicon.rarity("the") < 0.1 < lexicon.rarity("language model") < 2
    assert lexicon.rarity("self-consistency") > 5
    taken = time.perf_counter() - begun
    assert taken < 3.0  # 0.4 s when nothing else runs
    chatgpt, seq = lexicon.first_seen("ChatGPT"), lexicon.first("sequence to sequence")
    assert chatgpt is not None
    assert chatgpt.year == 2023
    assert seq is not None
    assert seq.latest.year < 2018
