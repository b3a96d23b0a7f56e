# ruff: noqa: E501
"""OpenAlex over real HTTP, and what its dates are taken for."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from fixture_server import Version

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.sources.openalex import KEY, MAILTO, OpenAlex, paper_of
from ideatrail.evidence.web.client import Client
from ideatrail.evidence.web.exchanges import Exchanges
from ideatrail.evidence.web.limits import Limiters

LATE = Cutoff.parse("2026-01-01")
AT_ARXIV = {"locations": [{"landing_page_url": "https://arxiv.org/abs/2001.00077"}]}


def row(**values):
    made = {"id": "https://openalex.org/W1", "display_name": "Marking", "publication_year": 2020,
            "publication_date": "2020-05-07", "doi": "https://doi.org/10.1000/x",
            "abstract_inverted_index": {"We": [0], "mark.": [1]}}  # fmt: skip
    return {**made, **values}


@pytest.mark.parametrize(
    ("values", "day_before", "day_of"),
    [
        ({}, "2020-05-06", "2020-05-07"),
        ({"publication_date": "2020-01-01"}, "2020-12-30", "2020-12-31"),
        ({"publication_date": "2020-05-01"}, "2020-05-30", "2020-05-31"),
        ({"publication_date": None}, "2020-12-30", "2020-12-31"),
        ({"publication_year": 2021}, "2021-12-30", "2021-12-31"),
        ({"doi": "https://doi.org/10.1016/j.xgen.2022.100814"}, "2022-12-30", "2022-12-31"),
        # Of a text that was open to change only the record's own last day is known.
        ({**AT_ARXIV, "updated_date": "2025-09-09T19:03:40.363384"}, "2025-09-08", "2025-09-09"),
        ({"locations": [{"version": "submittedVersion"}], "updated_date": "2025-09-09"},
         "2025-09-08", "2025-09-09"),
        ({"display_name": "RETRACTED: Marking", "updated_date": "2025-09-09"}, "2025-09-08", "2025-09-09"),
    ],
)  # fmt: skip
def test_how_late_a_record_of_openalex_can_be(values, day_before, day_of) -> None:
    paper = paper_of(row(**values))
    assert paper is not None
    assert not Cutoff.parse(day_before).admits(paper.shown)
    assert Cutoff.parse(day_of).admits(paper.shown)


@pytest.mark.parametrize(
    "values",
    [
        AT_ARXIV, {"doi": "https://doi.org/10.48550/arxiv.2001.00077"}, {"type": "preprint"},
        {"locations": [{"version": "submittedVersion"}]},
        {"primary_location": {"source": {"display_name": "bioRxiv (Cold Spring Harbor)"}}},
        {"publication_date": None, "publication_year": None}, {"publication_date": "soon"},
    ],
)  # fmt: skip
def test_records_of_openalex_whose_text_nothing_bounds_are_not_shown(values) -> None:
    paper = paper_of(row(**values))
    assert paper is not None
    assert paper.shown is None


def test_the_abstract_is_put_together_and_nothing_else_taken_over() -> None:
    index = {"We": [0, 3], "mark": [1], "sources.": [2], "read.": [4], "lost": "x", "far": [10**9]}
    paper = paper_of(row(abstract_inverted_index=index, cited_by_count=981, concepts=[{"display_name": "Z"}],
                         related_works=["https://openalex.org/W9"], is_retracted=True))  # fmt: skip
    assert paper is not None
    assert paper.body == ("We mark sources. We read.",)
    assert not any(said in repr(paper) for said in ("981", "W9", "'Z'"))
    assert paper_of(row(display_name=None, title=None)) is None
    assert paper_of({}) is None


async def test_pages_of_openalex_are_followed(alexandria, services) -> None:
    def made(request):
        page, size = int(request.query["page"]), int(request.query["per-page"])
        some = [row(id=f"https://openalex.org/W{page}{n:03}", publication_date="2020-05-09" if n % 3 else None)
                for n in range(size)]  # fmt: skip
        return {"meta": {"count": 10_000}, "results": some}

    services.made = made
    found = await alexandria.search("marking", 20, Cutoff.parse("2020-06-01"))
    assert (len(found.papers), found.partial) == (20, False)
    asked = parse_qs(urlsplit(services.asked[0]).query)
    assert asked["filter"] == ["to_publication_date:2020-06-02"]
    assert not any(f in asked["select"][0] for f in ("cited", "related", "concepts", "topics"))


async def test_a_later_page_of_openalex_that_fails_or_is_empty_is_told(
    alexandria, services
) -> None:
    first = {"meta": {"count": 90}, "results": [row(publication_date=None)] * 19 + [row()]}
    for later in (503, {"meta": {"count": 90}, "results": []}):
        services.made = lambda request, later=later: (
            first if request.query["page"] == "1" else later
        )
        found = await alexandria.search("marking", 10, Cutoff.parse("2020-06-01"))
        assert (len(found.papers), found.partial) == (1, True)


@pytest.mark.parametrize(("fault", "ending"), [("429", "rate_limited"), ("503", "unreachable"),
                                               ("403", "refused"), ("400", "refused")])  # fmt: skip
async def test_failures_of_openalex_have_their_endings(alexandria, services, fault, ending) -> None:
    services.fault = fault
    with pytest.raises(EvidenceError) as caught:
        await alexandria.search("marking", 5, LATE)
    assert caught.value.ending == ending


@pytest.mark.parametrize("body", [b"<html>busy</html>", b"{", b"[1]", b""])
async def test_an_answer_of_openalex_that_is_none_is_partial(alexandria, services, body) -> None:
    services.plain = {"/works": (200, "application/json", body)}
    with pytest.raises(EvidenceError) as caught:
        await alexandria.search("marking", 5, LATE)
    assert caught.value.ending == "partial"


@pytest.mark.parametrize(
    "query", ["", " ", '"', "x AND", "NOT (x", "a,b|c:d!", "ünï ©", "\0", "?*"]
)
async def test_any_text_is_a_query_of_openalex(alexandria, services, query) -> None:
    services.made = lambda _: {"meta": {"count": 0}, "results": []}
    await alexandria.search(query, 5, LATE)
    for path in services.asked:
        said = parse_qs(urlsplit(path).query)["search"][0]
        assert not set(said) & set('"()|!?*')
        assert not {"AND", "OR", "NOT"} & set(said.split())


async def test_key_and_address_are_kept_nowhere(services, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv(KEY, "secret-of-mine")
    monkeypatch.setenv(MAILTO, "someone@example.org")
    services.made = lambda _: {"results": [row()]}
    client = Client(
        exchanges=Exchanges(tmp_path, "cache"), allow=[services.place], limiters=Limiters()
    )
    source = OpenAlex(client, services.url)
    assert len((await source.search("marking", 5, LATE)).papers) == 1
    assert "api_key=secret-of-mine" in services.asked[0]
    monkeypatch.setenv(MAILTO, "other@example.org")
    monkeypatch.delenv(KEY)
    await source.search("marking", 5, LATE)
    await client.aclose()
    assert len(services.asked) == 1, "the same request, whoever asks"
    kept = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert b"secret" not in kept
    assert b"example.org" not in kept


async def test_a_paper_at_arxiv_is_shown_as_it_stood_and_not_as_openalex_has_it(
    alexandria, services
) -> None:
    services.papers = {"2001.00077": [
        Version("Thu, 2 Jan 2020 10:00:00 GMT", "Marking", "We mark."),
        Version("Thu, 4 Mar 2021 10:00:00 GMT", "Marking with Coined3", "Coined3 marks."),
    ]}  # fmt: skip
    newest = row(display_name="Coined3", **AT_ARXIV, updated_date="2025-09-09")
    services.made = lambda r: (
        None if r.path == "/api/query" or not r.path.startswith("/works")
        else {"results": [newest]} if r.path == "/works" else newest
    )  # fmt: skip
    found = await alexandria.search("marking", 5, Cutoff.parse("2020-06-02"))
    opened = await alexandria.open("https://openalex.org/W1", Cutoff.parse("2020-06-02"))
    for paper in (*found.papers, opened):
        assert paper is not None
        assert paper.title == "Marking"
        assert "Coined3" not in repr(paper)
        assert "https://openalex.org/W1" in paper.aliases
    assert len(found.papers) == 1


@pytest.mark.shared
async def test_recorded_answers_of_openalex(alexandria, services, shared_data) -> None:
    services.load(shared_data / "fixtures")
    found = await alexandria.open("https://doi.org/10.1016/j.xgen.2025.100814", LATE)
    assert found is not None
    assert found.authors[0] == "Michael Herger"
    assert found.date == "2025-03"
    assert not Cutoff.parse("2025-03-15").admits(found.shown), "1 March stands for the month"
    assert await alexandria.open("https://doi.org/10.1046/j.1365-2699.2003.00795", LATE) is None, (
        "404"
    )
    assert await alexandria.open("https://doi.org/10.1002/wrna.1370", LATE) is None, (
        "open access alone"
    )
    year = await alexandria.open("https://doi.org/10.1023/a:1007154515475", LATE)
    assert year is not None
    assert year.date == "2001", "1 January stands for the year"
    assert not Cutoff.parse("2001-12-30").admits(year.shown)
    assert Cutoff.parse("2001-12-31").admits(year.shown)
    [preprint, *_] = await alexandria.records(
        "PaperQA: Retrieval-Augmented Generative Agent for Scientific Research"
    )
    assert preprint.date == "2023"
    assert not Cutoff.parse("2025-08-30").admits(preprint.shown), "last touched on 31 August 2025"
