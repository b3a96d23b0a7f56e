"""Fast ways give what slow ones give."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.evidence import engine
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.postings.admission import admitted, ticks
from ideatrail.evidence.postings.keys import hashed
from ideatrail.evidence.postings.lengths import LENGTHS, codes
from ideatrail.evidence.postings.tokens import Vocabulary, cut
from ideatrail.evidence.postings.works import NEVER
from ideatrail.evidence.quarantine import names_later

from .conftest import make

SIGNS = st.sampled_from("aZé9ßſKΣς’–·_\u0301\u200b日ก٣𝒳 \n-.:")
ANY_TEXT = st.one_of(st.text(max_size=60), st.text(SIGNS, max_size=60))


def tokens_of(texts: list[str]) -> list[list[int]]:
    """The hashes of each text's tokens, by way of a vocabulary."""
    vocabulary = Vocabulary()
    for text in texts:
        vocabulary.read(text)
    hashes, of_word = vocabulary.terms()
    words, counts = vocabulary.words()
    found, at = [], 0
    for count in counts.tolist():
        places = of_word[words[at : at + count]]
        found.append([int(hashes[p]) for p in places if p >= 0])
        at += count
    assert len(found) == len(texts)
    return found


@settings(max_examples=200)
@given(st.lists(ANY_TEXT, max_size=5))
def test_words_are_the_analyzers_own(texts: list[str]) -> None:
    assert tokens_of(texts) == [[hashed(t) for t in engine.analyze(text)] for text in texts]


def test_long_texts_and_many_words_are_cut_alike() -> None:
    long = " ".join(f"word{n} Übung{n}" for n in range(30_000))
    texts = ["", long, "x" * 300_000, "x" * 59, "x" * 60, "end"]
    assert tokens_of(texts) == [[hashed(t) for t in engine.analyze(text)] for text in texts]


@given(ANY_TEXT)
def test_every_word_gives_at_most_one_token(text: str) -> None:
    said = [engine.analyze(word.decode()) for word in cut(text)]
    assert [t for tokens in said for t in tokens] == engine.analyze(text)
    assert all(len(tokens) <= 1 for tokens in said)


def test_lengths_are_kept_in_steps() -> None:
    assert LENGTHS[:42].tolist() == [*range(41), 42]
    lengths = np.array([0, 1, 40, 41, 43, 150, 10**6])
    kept = LENGTHS[codes(lengths)]
    assert (kept <= lengths).all()
    assert (kept >= lengths * 0.88).all()
    assert (LENGTHS[codes(LENGTHS)] == LENGTHS).all()


PIECES = st.sampled_from(
    ("In May 2019", "2020-03-04", "arXiv:1908.00001", "ARXIV 2101.00001v2", "3 June 2018",
     "June 5, 2021", "by 2030", "٢٠٢٠-٠٣-٠٤", "1234-56", "é 2022-01-01", "may 2023", "Augustus")
)  # fmt: skip


@given(st.lists(PIECES, max_size=4).map(" ".join), st.sampled_from(("2018-05", "2019", "")))
def test_one_moment_says_all_that_a_cutoff_asks(text: str, date: str) -> None:
    paper = make(body=[text, "Said plainly."], date=date)
    moment = admitted(paper)
    if paper.shown is None:
        assert moment == NEVER
        return
    bounds = [Cutoff.parse(f"{y}-{m:02}-01") for y in range(2017, 2025) for m in (1, 5, 9)]
    exact = paper.shown.latest
    near = [Cutoff(exact + timedelta(microseconds=d), "", "") for d in (-1, 0, 1)]
    for cutoff in [*bounds, *near]:
        asked = cutoff.admits(paper.shown) and not any(
            names_later(t, cutoff) for t in (paper.title, *paper.body)
        )
        assert (moment <= ticks(cutoff.moment)) == asked
