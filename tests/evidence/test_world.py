"""The world shows what stood on the cutoff, and says the same of all it does not show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.engine import analyze
from ideatrail.evidence.snippet import LENGTH, snippet
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.withheld import Target, Withheld
from ideatrail.evidence.world import SUMMARY_NOTE, World

from .conftest import make

TARGET = make(id="P17-0666", title="The Target of This Whole Test")
CORPUS = Corpus.of(
    [
        make(id="P17-0001", body=["Languages are many.", "We parse rare languages. It works."]),
        make(
            id="P17-0002", title="Our Own Notes on Parsing", kind="summary", body=["One.", "Two."]
        ),
        make(id="P17-0003", title="Parsing in the Years to Come", date="2021-05"),
        make(id="P17-0004", title="Parsing Without Any Date", date=""),
        TARGET,
    ]
)
WORLD = World(CORPUS, Cutoff.parse("2019-12-31"), Withheld.of(Target.of(TARGET)))


async def test_search_gives_what_was_there() -> None:
    hits = (await WORLD.search("parse rare languages")).hits
    assert [h.id for h in hits] == ["P17-0001", "P17-0002"]
    hit = hits[0]
    assert hit.title == "Neural Parsing of Rare Languages"
    assert hit.snippet == "We parse rare languages. It works."
    assert WORLD.cutoff.admits(hit.published)
    assert hit.aliases == ("https://aclanthology.org/P17-0001",)
    assert len((await WORLD.search("parsing", 1)).hits) == 1
    assert (await WORLD.search("")).hits == ()


async def test_a_page_is_found_by_any_address() -> None:
    for url in ("https://aclanthology.org/P17-0001/", "http://aclweb.org/anthology/P17-0001.pdf"):
        page = await WORLD.scrape(url)
        assert page.paragraphs == ("Languages are many.", "We parse rare languages. It works.")
        assert (page.kind, page.note, page.date) == ("abstract", "", "2018-05")


async def test_a_summary_says_whose_words_it_holds() -> None:
    page = await WORLD.scrape("https://aclanthology.org/P17-0002")
    assert page.paragraphs == (SUMMARY_NOTE, "One.", "Two.")
    assert page.note == SUMMARY_NOTE


async def test_unknown_later_undated_and_withheld_pages_fail_alike() -> None:
    told = set()
    for number in ("0003", "0004", "0666", "9999"):
        with pytest.raises(EvidenceError) as caught:
            await WORLD.scrape(f"https://aclanthology.org/P17-{number}/")
        told.add((caught.value.ending, caught.value.message, str(caught.value), caught.value.args))
    assert len(told) == 1
    assert told.pop()[:2] == ("nothing_found", "No page is stored for this address.")


WORDS = st.sampled_from(
    ["alpha", "beta.", "gamma", "delta;", "Epsilon", 'zeta."', "(eta)", "x" * 300]
)
BODIES = st.lists(st.lists(WORDS, max_size=60).map(" ".join), max_size=3)


@given(BODIES, st.sampled_from(["", "alpha", "beta epsilon", '"gamma delta"', "zzz"]))
def test_a_snippet_is_short_and_verbatim(body: list[str], query: str) -> None:
    text = snippet(body, query, lambda token: 1.0)
    assert len(text) <= LENGTH
    assert text == snippet(body, query, lambda token: 1.0)
    core = text.strip("…")
    assert any(core in paragraph for paragraph in body) or not any(body)
    if len(max("".join(body).split() or [""], key=len)) < LENGTH - 2:
        assert not text.startswith("…") or text[1] != " "


def test_a_snippet_shows_what_was_asked_for() -> None:
    long = " ".join(f"word{n}" for n in range(200)) + " calibration of models " + "tail " * 100
    text = snippet(["First sentence here.", long], "calibration models", lambda token: 1.0)
    assert {"calibr", "model"} <= set(analyze(text))
    assert text.startswith("…")
    assert text.endswith("…")
    assert snippet(["First one. Second one."], "zzz", lambda token: 1.0) == "First one. Second one."
