# ruff: noqa: E501
"""Crossref over real HTTP, and what its dates are taken for."""

from __future__ import annotations

import pytest

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.sources.crossref import MAILTO, paper_of

LATE = Cutoff.parse("2026-01-01")


def parts(*numbers):
    return {"date-parts": [list(numbers)]}


def row(**values):
    made = {"DOI": "10.1000/x", "title": ["Marking <i>sources</i>"], "type": "journal-article",
            "author": [{"given": "Ada", "family": "Example"}, {"name": "A Group"}],
            "container-title": ["A Journal"], "abstract": "<jats:title>Abstract</jats:title><jats:p>We mark &amp; read.</jats:p>",
            "published": parts(2020, 5, 7)}  # fmt: skip
    return {**made, **values}


@pytest.mark.parametrize(
    ("values", "day_before", "day_of"),
    [
        ({}, "2020-05-06", "2020-05-07"),
        ({"published": parts(2020)}, "2020-12-30", "2020-12-31"),
        ({"published": parts(2020, 1)}, "2020-01-30", "2020-01-31"),
        ({"published": parts(2020, 1, 1)}, "2020-12-30", "2020-12-31"),
        ({"published": parts(2020, 5, 1)}, "2020-05-30", "2020-05-31"),
        # Of several days the latest counts: some issues are dated before their papers were there.
        ({"published-online": parts(2020, 7, 9)}, "2020-07-08", "2020-07-09"),
        ({"published-print": parts(2021)}, "2021-12-30", "2021-12-31"),
        # A preprint's text is the newest; it was given on the day of the last deposit.
        ({"type": "posted-content", "deposited": {"date-time": "2025-06-03T02:31:46Z"}},
         "2025-06-01", "2025-06-03"),
    ],
)  # fmt: skip
def test_how_late_a_record_of_crossref_can_be(values, day_before, day_of) -> None:
    paper = paper_of(row(**values))
    assert paper is not None
    assert not Cutoff.parse(day_before).admits(paper.shown)
    assert Cutoff.parse(day_of).admits(paper.shown)


@pytest.mark.parametrize("published", [None, {}, {"date-parts": []}, {"date-parts": [[None]]},
                                       {"date-parts": [["2020"]]}, parts(20), parts(2020, 13)])  # fmt: skip
def test_records_of_crossref_without_a_date_are_not_shown(published) -> None:
    paper = paper_of(row(published=published))
    assert paper is not None
    assert paper.shown is None


def test_markup_is_read() -> None:
    paper = paper_of(row())
    assert paper is not None
    assert (paper.title, paper.body) == ("Marking sources", ("We mark & read.",))
    assert paper.authors == ("Ada Example", "A Group")
    assert paper_of({"DOI": "10.1000/x"}) is None


async def test_a_search_of_crossref(crossref, services, monkeypatch) -> None:
    monkeypatch.setenv(MAILTO, "someone@example.org")
    services.made = lambda _: {"message": {"total-results": 2, "items": [row(), row(DOI="10.1000/y", published=parts(2020, 6, 9))]}}  # fmt: skip
    found = await crossref.search("marking", 5, Cutoff.parse("2020-06-01"))
    assert [p.id for p in found.papers] == ["10.1000/x"]
    assert not found.partial
    assert "until-pub-date%3A2020-06-02" in services.asked[0]
    services.made = lambda _: {"message": {"total-results": 30, "items": [row()]}}
    assert (await crossref.search("marking", 5, LATE)).partial
    services.made, services.fault = None, "400"
    with pytest.raises(EvidenceError) as caught:
        await crossref.search("marking", 5, LATE)
    assert caught.value.ending == "refused"


@pytest.mark.shared
async def test_recorded_answers_of_crossref(crossref, services, shared_data) -> None:
    services.load(shared_data / "fixtures")
    for doi, day_before, day_of in (
        ("10.1023/a:1007154515475", "2001-02-27", "2001-02-28"),
        ("10.1073/pnas.1414271111", "2014-11-10", "2014-11-11"),
        ("10.1016/j.xgen.2025.100814", "2025-04-29", "2025-04-30"),
        ("10.1038/s42256-024-00832-8", "2024-05-07", "2024-05-08"),
        ("10.1101/2024.04.01.587366", "2025-06-01", "2025-06-03"),
    ):
        [paper] = await crossref.records(f"https://doi.org/{doi}")
        assert not Cutoff.parse(day_before).admits(paper.shown)
        opened = await crossref.open(f"doi:{doi}", Cutoff.parse(day_of))
        assert opened == paper
    assert await crossref.open("https://doi.org/10.48550/arxiv.2312.07559", LATE) is None, "arXiv's"
    [chapter] = await crossref.records("Gravity hill")
    assert chapter.shown is None, "its date is [[null]]"
    # Printed on 4 January 2024, there on 21 February.
    [early] = await crossref.records(
        "PaperQA: Retrieval-Augmented Generative Agent for Scientific Research"
    )
    assert early.id == "10.1093/jamiaopen/ooae021"
    assert early.date == "2024-01-04"
    assert not Cutoff.parse("2024-02-20").admits(early.shown)
    assert Cutoff.parse("2024-02-21").admits(early.shown)
