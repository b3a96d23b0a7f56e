# ruff: noqa: E501
"""arXiv, Semantic Scholar and OpenAlex as they stood on the cutoff, over real HTTP."""

from __future__ import annotations

import gzip
import sys
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent))

from service_server import Services, Version, serving

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff, parse_date
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.sources import openalex, semantic_scholar
from ideatrail.evidence.sources.arxiv import Arxiv
from ideatrail.evidence.sources.openalex import OpenAlex
from ideatrail.evidence.sources.semantic_scholar import SemanticScholar
from ideatrail.evidence.web.client import Client, Patience
from ideatrail.evidence.web.limits import Limiters
from ideatrail.evidence.withheld import Target, Withheld
from ideatrail.evidence.works import groups
from ideatrail.evidence.world import World

ID = "2001.00077"
THREE = [
    Version(
        "Thu, 2 Jan 2020 10:00:00 GMT", "Marking Sources", "We mark sources.", ("Ada Example",)
    ),
    Version("Mon, 1 Jun 2020 10:00:00 GMT", "Marking Sources Well", "We mark them well."),
    Version(
        "Thu, 4 Mar 2021 10:00:00 GMT",
        "Marking Sources with Coined3",
        "Coined3 marks them best.",
        ("Ada Example", "Cee Later"),
        comment="Accepted at a later venue 2022",
    ),
]


@pytest.fixture
async def services() -> AsyncIterator[Services]:
    async with serving(Services()) as running:
        yield running


@pytest.fixture
async def client(services: Services) -> AsyncIterator[Client]:
    made = Client(
        allow=[services.place], patience=Patience(attempts=2, first_wait=0.01), limiters=Limiters()
    )
    yield made
    await made.aclose()


def arxiv_of(client: Client, services: Services) -> Arxiv:
    return Arxiv(client, f"{services.url}/api/query")


# arXiv


@pytest.mark.parametrize(
    ("cutoff", "label", "title"),
    [
        ("2020-01-02", "v1", "Marking Sources"),
        ("2020-05-30", "v1", "Marking Sources"),
        # A day ends where it ends last, at UTC-12: there the second version of 1 June stood.
        ("2020-05-31", "v2", "Marking Sources Well"),
        ("2021-03-02", "v2", "Marking Sources Well"),
        ("2021-03-04", "v3", "Marking Sources with Coined3"),
    ],
)
async def test_the_version_that_stood_is_shown_and_none_of_a_later_one(
    client, services, cutoff, label, title
) -> None:
    services.papers = {ID: THREE}
    source = arxiv_of(client, services)
    for found in (
        (await source.search("marking sources", 10, Cutoff.parse(cutoff))).papers[0],
        await source.open(f"https://arxiv.org/pdf/{ID}v3", Cutoff.parse(cutoff)),
    ):
        assert found is not None
        assert found.title == title
        assert found.versions[-1][0] == label
        assert found.date == "2020-01-02", "the day of the first version, never of the last"
        told = repr((found.title, found.body, found.authors, found.venue))
        assert ("Coined3" in told) == ("Cee Later" in told) == (label == "v3")
        assert "Accepted" not in told


async def test_nothing_stood_before_the_first_version(client, services) -> None:
    services.papers = {ID: THREE}
    source = arxiv_of(client, services)
    cutoff = Cutoff.parse("2019-12-31")
    assert (await source.search("marking", 10, cutoff)).papers == ()
    assert await source.open(f"https://arxiv.org/abs/{ID}", cutoff) is None


async def test_an_id_of_a_later_month_is_refused_whatever_its_dates_say(client, services) -> None:
    odd = [Version("Thu, 2 Jan 2020 10:00:00 GMT", "From the future", "It says it is old.")]
    services.papers = {"2005.00001": odd}
    source = arxiv_of(client, services)
    assert (await source.search("future", 10, Cutoff.parse("2020-03-01"))).papers == ()
    before = len(services.asked)
    assert await source.open("https://arxiv.org/abs/2005.00001", Cutoff.parse("2020-03-01")) is None
    assert len(services.asked) == before, "nobody is even asked"


async def test_a_withdrawn_paper(client, services) -> None:
    gone = Version("Thu, 4 Mar 2021 10:00:00 GMT", "Marking Sources",
                   "This paper has been withdrawn by the authors due to an error.",
                   comment="withdrawn")  # fmt: skip
    services.papers = {ID: [THREE[0], gone]}
    source = arxiv_of(client, services)
    before, after = Cutoff.parse("2020-12-31"), Cutoff.parse("2021-12-31")
    kept = (await source.search("marking", 10, before)).papers
    assert [p.body for p in kept] == [("We mark sources.",)]
    assert (await source.search("marking", 10, after)).papers == ()
    assert await source.open(f"https://arxiv.org/abs/{ID}", after) is None


async def test_the_whole_text_is_that_of_the_version(client, services) -> None:
    services.papers = {ID: THREE}
    page = "<html><body><article><h1>Marking Sources Well</h1>{}</article></body></html>"
    for label in ("v1", "v2", "v3"):
        said = "".join(
            f"<p>Paragraph {n} of {label} on marking. {'Words. ' * 60}</p>" for n in range(30)
        )
        services.texts[f"html/{ID}{label}"] = ("text/html", page.format(said).encode())
    found = await arxiv_of(client, services).open(
        f"https://arxiv.org/abs/{ID}", Cutoff.parse("2020-12-31")
    )
    assert found is not None
    assert found.kind == "full text"
    assert any("of v2 on marking" in p for p in found.body)
    assert not any("of v3" in p for p in found.body)


async def test_all_versions_are_known_to_the_advisor(client, services) -> None:
    services.papers = {ID: THREE}
    source = arxiv_of(client, services)
    for name in (ID, f"arXiv:{ID}v1", "Marking Sources"):
        assert [p.title for p in await source.records(name)] == [THREE[2].title]
    assert await source.records("https://example.org/x") == ()


async def test_an_empty_page_midway_is_told(client, services) -> None:
    services.papers = {f"1901.{n:05}": [Version("Thu, 3 Jan 2019 10:00:00 GMT", f"Paper {n}", "x")]
                       for n in range(150)}  # fmt: skip
    services.empty_after = 100
    found = await arxiv_of(client, services).search("paper", 150, Cutoff.parse("2020-01-01"))
    assert found.partial
    assert len(found.papers) == 100


@pytest.mark.parametrize("query", ["", "  ", '"', "AND OR", "a:b (c", "ti:x AND\\", "ünï ©", "\0"])
async def test_any_text_is_a_query(client, services, query) -> None:
    services.papers = {ID: THREE}
    cutoff = Cutoff.parse("2022-01-01")
    await arxiv_of(client, services).search(query, 5, cutoff)
    await SemanticScholar(client, services.url).search(query, 5, cutoff)
    await OpenAlex(client, services.url).search(query, 5, cutoff)


@pytest.mark.parametrize(("fault", "ending"), [("429", "rate_limited"), ("503", "unreachable"),
                                               ("403", "refused")])  # fmt: skip
async def test_failures_have_their_endings(client, services, fault, ending) -> None:
    services.fault = fault
    cutoff = Cutoff.parse("2022-01-01")
    for source in (arxiv_of(client, services), SemanticScholar(client, services.url),
                   OpenAlex(client, services.url)):  # fmt: skip
        with pytest.raises(EvidenceError) as caught:
            await source.search("marking", 5, cutoff)
        assert caught.value.ending == ending, source.name
        assert services.place not in str(caught.value)


@pytest.mark.parametrize("body", [b"<html>busy</html>", b"{", b"[1]", b""])
async def test_an_answer_that_is_none_is_partial(client, services, body) -> None:
    services.plain = dict.fromkeys(("/api/query", "/graph/v1/paper/search", "/works"), (200, "text/html", body))  # fmt: skip
    cutoff = Cutoff.parse("2022-01-01")
    for source in (SemanticScholar(client, services.url), OpenAlex(client, services.url)):
        with pytest.raises(EvidenceError) as caught:
            await source.search("marking", 5, cutoff)
        assert caught.value.ending == "partial"


@pytest.mark.shared
async def test_every_real_version_history(client, services, shared_data) -> None:
    """For each paper with several versions and each gap between them: the right one is chosen."""
    checked = 0
    with gzip.open(shared_data / "arxiv_versions_browse.jsonl.gz") as file:
        for line in file:
            row = orjson.loads(line)
            versions = row["versions"]
            if len(versions) < 3 or checked >= 120:
                continue
            made = [
                Version(v["created"], f"{row['title'].strip()} ({v['version']})", "Text.")
                for v in versions
            ]
            services.papers = {row["id"]: made}
            source = arxiv_of(client, services)
            for number, version in enumerate(made[:-1], start=1):
                moment = parse_date(version.date)
                later = parse_date(made[number].date)
                assert moment is not None
                assert later is not None
                if later.latest <= moment.latest:
                    continue
                found = await source.open(
                    f"https://arxiv.org/abs/{row['id']}", Cutoff.parse(moment.latest.isoformat())
                )
                if found is None:  # an id of a later month than its first version says
                    continue
                assert found.title.endswith(f"(v{number})")
                checked += 1
    assert checked >= 100


# Semantic Scholar and OpenAlex


def s2(**values):
    row = {"paperId": "a" * 40, "title": "Marking", "abstract": "We mark.", "authors": [{"name": "A B"}],
           "year": 2020, "publicationDate": "2020-01-02", "externalIds": {"DOI": "10.1/x"}}  # fmt: skip
    return semantic_scholar.paper_of({**row, **values})


def alex(**values):
    row = {"id": "https://openalex.org/W1", "display_name": "Marking", "publication_year": 2020,
           "publication_date": "2020-05-07", "doi": "https://doi.org/10.1/x",
           "abstract_inverted_index": {"We": [0], "mark.": [1]}}  # fmt: skip
    return openalex.paper_of({**row, **values})


@pytest.mark.parametrize(
    ("values", "day_before", "day_of"),
    [
        ({}, "2020-01-01", "2020-01-02"),
        ({"publicationDate": None}, "2020-12-30", "2020-12-31"),
        # The preprint's date, and a text that may be that of the proceedings later in the year.
        ({"externalIds": {"ArXiv": "2001.00077", "ACL": "2020.acl-main.7"}}, "2020-12-30", "2020-12-31"),
        ({"year": 2021}, "2021-12-30", "2021-12-31"),
        # A date before the month that its arXiv id names.
        ({"publicationDate": "2019-11-05", "year": 2019, "externalIds": {"ArXiv": "2001.00077"}},
         "2019-12-31", "2020-01-01"),
        # A date after arXiv's is what counts.
        ({"publicationDate": "2020-09-09", "externalIds": {"ArXiv": "2001.00077"}},
         "2020-09-08", "2020-09-09"),
        ({"publicationDate": "2020-01-01"}, "2020-12-30", "2020-12-31"),
    ],
)  # fmt: skip
def test_dates_of_semantic_scholar(values, day_before, day_of) -> None:
    paper = s2(**values)
    assert not Cutoff.parse(day_before).admits(paper.shown)
    assert Cutoff.parse(day_of).admits(paper.shown)


@pytest.mark.parametrize(
    ("values", "day_before", "day_of"),
    [
        ({}, "2020-05-06", "2020-05-07"),
        ({"publication_date": "2020-01-01"}, "2020-12-30", "2020-12-31"),
        ({"publication_date": "2020-05-01"}, "2020-05-30", "2020-05-31"),
        ({"publication_date": None}, "2020-12-30", "2020-12-31"),
        ({"locations": [{"landing_page_url": "https://arxiv.org/abs/2001.00077"}]},
         "2020-12-30", "2020-12-31"),
    ],
)  # fmt: skip
def test_dates_of_openalex(values, day_before, day_of) -> None:
    paper = alex(**values)
    assert not Cutoff.parse(day_before).admits(paper.shown)
    assert Cutoff.parse(day_of).admits(paper.shown)


def test_a_record_without_any_date_is_never_shown() -> None:
    for paper in (
        s2(publicationDate=None, year=None),
        alex(publication_date=None, publication_year=None),
    ):
        assert paper.shown is None


def test_what_changes_from_day_to_day_is_not_taken_over() -> None:
    paper = s2(citationCount=981, tldr={"text": "Later words."}, influentialCitationCount=77)
    assert "981" not in repr(paper)
    assert "Later words" not in repr(paper)
    paper = alex(cited_by_count=981, related_works=["https://openalex.org/W9"])
    assert "981" not in repr(paper)
    assert "W9" not in repr(paper)


stamps = st.datetimes().map(lambda d: d.isoformat()) | st.dates().map(str) | st.text(max_size=12)


@given(
    stamps,
    st.integers(1990, 2030) | st.none(),
    stamps,
    st.dates(min_value=date(1990, 1, 1), max_value=date(2035, 1, 1)),
)
@settings(max_examples=300)
def test_nothing_is_admitted_whose_latest_moment_is_later(stated, year, other, day) -> None:
    cutoff = Cutoff.parse(day.isoformat())
    for paper in (
        s2(publicationDate=stated, year=year, externalIds={"ArXiv": "2001.00077", "DOI": "10.1/x"}),
        alex(publication_date=other, publication_year=year),
    ):
        if paper is not None and cutoff.admits(paper.shown):
            for text in (stated, other):
                date = parse_date(text)
                if date is not None and paper.date == text:
                    assert date.latest <= cutoff.moment


@pytest.mark.shared
async def test_recorded_answers_through_the_whole_client(client, services, shared_data) -> None:
    services.load(shared_data / "fixtures")
    late = Cutoff.parse("2026-01-01")
    scholar, alexandria = SemanticScholar(client, services.url), OpenAlex(client, services.url)
    paper = await scholar.open("https://doi.org/10.1063/1.4938384", late)
    assert paper is not None
    assert paper.title.startswith("Effect of native oxide layers")
    assert paper.venue == "Journal of Applied Physics"
    assert (
        await scholar.open("https://doi.org/10.1063/1.4938384", Cutoff.parse("2015-12-20")) is None
    )
    found = await alexandria.open("https://doi.org/10.1016/j.xgen.2025.100814", late)
    assert found is not None
    assert found.authors[0] == "Michael Herger"
    assert not Cutoff.parse("2025-03-15").admits(found.shown), "1 March stands for the month"
    assert await alexandria.open("https://doi.org/10.1046/j.1365-2699.2003.00795", late) is None
    assert await scholar.records("SF Districts in the style of Andy Warhol, with Math") == ()
    arxiv = arxiv_of(client, services)
    records = await arxiv.records("1605.08386")
    assert [p.authors[0] for p in records] == ["Caprice Stanley"]
    assert await arxiv.records("0000.0000") == ()


@pytest.mark.shared
async def test_one_work_under_the_ids_of_five_services(client, services, shared_data) -> None:
    """PaperQA as Semantic Scholar and OpenAlex have it, its preprint, its proceedings: one work."""
    services.load(shared_data / "fixtures")
    title = "PaperQA: Retrieval-Augmented Generative Agent for Scientific Research"
    scholar = await SemanticScholar(client, services.url).records(title)
    alexandria = await OpenAlex(client, services.url).records(title)
    services.papers = {"2312.07559": [Version("Fri, 8 Dec 2023 19:00:00 GMT", title, "We present.",
                                              ("Jakub Lála",))]}  # fmt: skip
    arxiv = await arxiv_of(client, services).records("2312.07559")
    records = [*scholar, *alexandria[:1], *arxiv]
    assert scholar
    assert alexandria
    assert len(groups(records)) == 1
    addresses = {a for p in records for a in p.aliases}
    assert any("semanticscholar" in a for a in addresses)
    assert any("openalex" in a for a in addresses)
    assert "https://arxiv.org/abs/2312.07559" in addresses

    target = Withheld.of(Target(ids=("2312.07559",))).spread(records)
    world = World(
        Corpus.of([]),
        Cutoff.parse("2026-01-01"),
        target,
        (SemanticScholar(client, services.url), OpenAlex(client, services.url)),
        indexed=False,
    )
    for paper in records:
        with pytest.raises(EvidenceError) as caught:
            await world.scrape(paper.url)
        assert caught.value.ending == "nothing_found"
