# ruff: noqa: E501
"""Semantic Scholar over real HTTP, and what its dates are taken for."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from fixture_server import Version

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.sources.semantic_scholar import KEY, SemanticScholar, paper_of
from ideatrail.evidence.web.client import Client, Patience
from ideatrail.evidence.web.exchanges import Exchanges
from ideatrail.evidence.web.limits import Limiters

LATE = Cutoff.parse("2026-01-01")
SHA = "204e3073870fae3d05bcbc2f6a8e263d9b72e776"


def row(**values):
    made = {"paperId": "a" * 40, "title": "Marking", "abstract": "We mark.",
            "authors": [{"name": "A B"}], "year": 2020, "publicationDate": "2020-03-02",
            "externalIds": {"DOI": "10.1000/x"}}  # fmt: skip
    return {**made, **values}


@pytest.mark.parametrize(
    ("values", "day_before", "day_of"),
    [
        ({}, "2020-03-01", "2020-03-02"),
        ({"publicationDate": None}, "2020-12-30", "2020-12-31"),
        ({"publicationDate": "2020-01-01"}, "2020-12-30", "2020-12-31"),
        # Filled up: a paper of 23 June stands under 1 June.
        ({"publicationDate": "2020-06-01"}, "2020-06-29", "2020-06-30"),
        # A later year, be it its own, its DOI's or its Anthology id's.
        ({"year": 2021}, "2021-12-30", "2021-12-31"),
        ({"year": 2019}, "2020-03-01", "2020-03-02"),
        ({"externalIds": {"DOI": "10.1016/j.xgen.2022.100814"}}, "2022-12-30", "2022-12-31"),
        ({"externalIds": {"DOI": "10.1038/s42256-021-00832-8"}}, "2021-12-30", "2021-12-31"),
        ({"externalIds": {"ACL": "2021.acl-main.7"}}, "2021-12-30", "2021-12-31"),
        ({"externalIds": {"DOI": "10.18653/v1/P21-1007"}}, "2021-12-30", "2021-12-31"),
        ({"externalIds": {"ACL": "2020.acl-main.7"}}, "2020-03-01", "2020-03-02"),
        ({"externalIds": None}, "2020-03-01", "2020-03-02"),
    ],
)  # fmt: skip
def test_how_late_a_record_can_be(values, day_before, day_of) -> None:
    paper = paper_of(row(**values))
    assert paper is not None
    assert not Cutoff.parse(day_before).admits(paper.shown)
    assert Cutoff.parse(day_of).admits(paper.shown)


@pytest.mark.parametrize(
    "values",
    [
        {"externalIds": {"ArXiv": "2001.00077"}},
        {"externalIds": {"ArXiv": "2001.00077", "ACL": "2020.acl-main.7"}},
        {"externalIds": {"DOI": "10.48550/arXiv.2001.00077"}},
        {"externalIds": {"DBLP": "journals/corr/VaswaniSPUJGKP17"}},
        {"openAccessPdf": {"url": "http://arxiv.org/pdf/2001.00077"}},
        {"venue": "bioRxiv"}, {"journal": {"name": "SSRN Electronic Journal"}},
        {"externalIds": {"DOI": "10.1101/2020.03.01.001"}},
        {"title": "RETRACTED: Marking"}, {"title": "Retracted Article: Marking"},
        {"abstract": "This article has been retracted at the request of the editor."},
        {"publicationDate": None, "year": None}, {"publicationDate": "soon"},
        {"publicationDate": "2020-02-30"}, {"year": 20, "publicationDate": None},
    ],
)  # fmt: skip
def test_records_whose_text_nothing_bounds_are_not_shown(values) -> None:
    paper = paper_of(row(**values))
    assert paper is not None
    assert paper.shown is None


def test_what_changes_from_day_to_day_is_not_taken_over() -> None:
    paper = paper_of(row(citationCount=981, tldr={"text": "Later words."},
                         influentialCitationCount=77, embedding={"vector": [0.5]}))  # fmt: skip
    assert not any(said in repr(paper) for said in ("981", "Later words", "77", "0.5"))


@pytest.mark.parametrize("broken", [{}, {"paperId": 3}, {"paperId": "x"}, {"title": "y"},
                                    {"paperId": "x", "title": None}])  # fmt: skip
def test_what_is_no_record(broken) -> None:
    assert paper_of(broken) is None


def test_fields_of_the_wrong_kind_are_missing() -> None:
    paper = paper_of(
        row(authors="A B", externalIds=[1], journal=7, venue=None, abstract=3, year=True)
    )
    assert paper is not None
    assert (paper.authors, paper.body, paper.venue) == ((), (), "")


async def test_pages_are_followed_and_the_query_is_plain(scholar, services) -> None:
    def made(request):
        start = int(request.query["offset"])
        some = [row(paperId=f"{n:040}", title=f"Marking {n}", externalIds={})
                for n in range(start, start + 20)]  # fmt: skip
        return {"total": 45, "offset": start, "next": start + 20, "data": some}

    services.made = made
    found = await scholar.search("chain-of-thought  marking", 45, LATE)
    assert [p.title for p in found.papers] == [f"Marking {n}" for n in range(45)]
    assert not found.partial
    asked = parse_qs(urlsplit(services.asked[0]).query)
    assert asked["query"] == ["chain of thought marking"], "hyphens find nothing there"
    assert asked["publicationDateOrYear"] == [":2026-01-02"]
    assert not any(f in asked["fields"][0] for f in ("tldr", "Count", "embedding"))


async def test_a_later_page_that_fails_or_is_empty_is_told(scholar, services) -> None:
    for later in (503, {"total": 45, "offset": 20, "data": []}):
        services.made = lambda request, later=later: (
            {"total": 45, "offset": 0, "next": 20, "data": [row()]}
            if request.query["offset"] == "0"
            else later
        )
        found = await scholar.search("marking", 10, LATE)
        assert (len(found.papers), found.partial) == (1, True)


async def test_the_server_is_not_trusted_with_the_cutoff(scholar, services) -> None:
    services.made = lambda _: {"total": 2, "data": [row(), row(paperId="b" * 40, publicationDate="2020-03-03")]}  # fmt: skip
    found = await scholar.search("marking", 10, Cutoff.parse("2020-03-02"))
    assert [p.id for p in found.papers] == [f"S2:{'a' * 40}"]


@pytest.mark.parametrize(("fault", "ending"), [("429", "rate_limited"), ("503", "unreachable"),
                                               ("403", "refused"), ("400", "refused"),
                                               ("404", "refused"), ("500", "unreachable")])  # fmt: skip
async def test_failures_have_their_endings(scholar, services, fault, ending) -> None:
    services.fault = fault
    with pytest.raises(EvidenceError) as caught:
        await scholar.search("marking", 5, LATE)
    assert caught.value.ending == ending
    assert services.place not in str(caught.value)


@pytest.mark.parametrize("body", [b"<html>busy</html>", b"{", b"[1]", b"", b'{"data": [{"pap'])
async def test_an_answer_that_is_none_is_partial(scholar, services, body) -> None:
    services.plain = {"/graph/v1/paper/search": (200, "text/html", body)}
    with pytest.raises(EvidenceError) as caught:
        await scholar.search("marking", 5, LATE)
    assert caught.value.ending == "partial"


@pytest.mark.parametrize(
    "query", ["", "  ", '"', "AND OR", "a:b (c", "ünï ©", "\0", "-", "x" * 999]
)
async def test_any_text_is_a_query_there(scholar, services, query) -> None:
    services.made = lambda request: {"total": 0} if len(request.query["query"]) <= 300 else 400
    assert (await scholar.search(query, 5, LATE)).papers == ()


async def test_a_key_goes_by_header_and_is_kept_nowhere(services, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv(KEY, "secret-of-mine")
    services.made = lambda _: {"total": 1, "data": [row()]}
    client = Client(exchanges=Exchanges(tmp_path, "cache"), allow=[services.place],
                    patience=Patience(attempts=1), limiters=Limiters())  # fmt: skip
    found = await SemanticScholar(client, services.url).search("marking", 5, LATE)
    await client.aclose()
    assert len(found.papers) == 1
    assert services.headers[0]["x-api-key"] == "secret-of-mine"
    assert "secret" not in services.asked[0]
    kept = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert b"secret-of-mine" not in kept


# Papers at arXiv


async def test_a_paper_at_arxiv_is_shown_as_it_stood_there(scholar, services) -> None:
    services.papers = {"2001.00077": [
        Version("Thu, 2 Jan 2020 10:00:00 GMT", "Marking", "We mark."),
        Version("Thu, 4 Mar 2021 10:00:00 GMT", "Marking with Coined3", "Coined3 marks."),
    ]}  # fmt: skip
    ids = {"ArXiv": "2001.00077", "DOI": "10.1038/s42256-022-1", "CorpusId": 7}
    newest = row(title="Journal title", abstract="Coined3 in a journal.", externalIds=ids)
    services.made = lambda asked: {"total": 1, "data": [newest]} if "search" in asked.path else (
        newest if asked.path.startswith("/graph") else None)  # fmt: skip
    for cutoff, title in (("2020-03-02", "Marking"), ("2021-06-01", "Marking with Coined3")):
        found = await scholar.search("marking", 5, Cutoff.parse(cutoff))
        opened = await scholar.open("https://doi.org/10.1038/s42256-022-1", Cutoff.parse(cutoff))
        for paper in (*found.papers, opened):
            assert paper is not None
            assert (paper.title, paper.venue, paper.url) == (title, "arXiv", "https://arxiv.org/abs/2001.00077")  # fmt: skip
            assert "journal" not in repr((paper.title, paper.body, paper.venue)).casefold()
            assert f"https://semanticscholar.org/paper/{'a' * 40}" in paper.aliases
    early = Cutoff.parse("2019-12-31")
    assert (await scholar.search("marking", 5, early)).papers == ()
    assert await scholar.open("https://doi.org/10.1038/s42256-022-1", early) is None


async def test_where_arxiv_cannot_be_asked_the_others_are_shown_and_it_is_told(
    scholar, services
) -> None:
    at_arxiv = row(paperId="b" * 40, externalIds={"ArXiv": "2001.00077"})
    services.fault, services.fault_at = "503", "/api/query"
    services.made = lambda r: {"data": [at_arxiv, row()]} if r.path.startswith("/graph") else None
    found = await scholar.search("marking", 5, LATE)
    assert ([p.id for p in found.papers], found.partial) == ([f"S2:{'a' * 40}"], True)
    services.made = lambda r: {"data": [at_arxiv]} if r.path.startswith("/graph") else None
    with pytest.raises(EvidenceError) as caught:
        await scholar.search("marking", 5, LATE)
    assert caught.value.ending == "unreachable"


# Recorded answers


@pytest.mark.shared
async def test_recorded_answers(scholar, services, shared_data) -> None:
    services.load(shared_data / "fixtures")
    paper = await scholar.open("https://doi.org/10.1063/1.4938384", LATE)
    assert paper is not None
    assert paper.title.startswith("Effect of native oxide layers")
    assert (paper.venue, paper.date) == ("Journal of Applied Physics", "2015-12-21")
    assert (
        await scholar.open("https://doi.org/10.1063/1.4938384", Cutoff.parse("2015-12-20")) is None
    )
    assert await scholar.open("https://doi.org/10.1101/2024.04.01.587366", LATE) is None, "404"
    assert await scholar.records("SF Districts in the style of Andy Warhol, with Math") == ()
    assert await scholar.records("empty results edge case query") == ()
    # Filled up: Crossref has 24 June 2023, Semantic Scholar 1 June.
    padded = await scholar.open("https://doi.org/10.1007/s40278-023-41815-2", LATE)
    assert padded is not None
    assert padded.date == "2023-06"
    assert not Cutoff.parse("2023-06-10").admits(padded.shown)
    # Under `bioRxiv` and its day of 2024, with the DOI of the journal in 2025.
    [merged] = await scholar.records("https://doi.org/10.1016/j.xgen.2025.100814")
    assert merged.date == "2024-04"
    assert merged.shown is None
    assert await scholar.open("https://doi.org/10.1016/j.xgen.2025.100814", LATE) is None


@pytest.mark.shared
async def test_recorded_records_at_arxiv_are_not_dated_by_semantic_scholar(
    scholar, services, shared_data
) -> None:
    """ChemCrow: a day of April 2023, with the title and DOI of May 2024."""
    services.load(shared_data / "fixtures")
    [paper, *_] = await scholar.records("Augmenting large language models with chemistry tools")
    assert paper.date == "2023-04-11"
    assert "https://doi.org/10.1038/s42256-024-00832-8" in paper.aliases
    assert paper.shown is None
    services.papers = {"2304.05376": [Version("Tue, 11 Apr 2023 17:41:13 GMT",
        "ChemCrow: Augmenting large-language models with chemistry tools", "Over the last decades.")]}  # fmt: skip
    shown = await scholar.open(
        "https://doi.org/10.1038/s42256-024-00832-8", Cutoff.parse("2024-01-15")
    )
    # (The DOI was recorded by its title only.)
    assert shown is None or shown.title.startswith("ChemCrow: ")


@pytest.mark.shared
async def test_a_recorded_search_follows_its_pages(scholar, services, shared_data) -> None:
    """They hold titles alone: without any date nothing of 200 records is shown."""
    services.load(shared_data / "fixtures")
    found = await scholar.search("turing", 10, LATE)
    assert found.papers == ()
    assert [parse_qs(urlsplit(a).query)["offset"] for a in services.asked] == [
        ["0"],
        ["100"],
        ["200"],
    ]
