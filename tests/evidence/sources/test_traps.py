# ruff: noqa: E501
"""Every trap that dates set, through the world: what a trail would be shown."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from fixture_server import Version
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff, parse_date
from ideatrail.evidence.paper import Paper, arxiv_month
from ideatrail.evidence.source import EvidenceError, Source
from ideatrail.evidence.sources import crossref as crossrefs
from ideatrail.evidence.sources import openalex, semantic_scholar
from ideatrail.evidence.world import World

ID = "2001.00077"
ADDRESS = f"https://arxiv.org/abs/{ID}"
V1 = Version("Thu, 2 Jan 2020 10:00:00 GMT", "Marking Sources of Evidence", "We mark sources.")
V2 = Version("Mon, 1 Jun 2020 10:00:00 GMT", "Marking Sources of Evidence Well", "We mark well.")
V3 = Version("Thu, 4 Mar 2021 10:00:00 GMT", "Marking Sources with Coined3", "Coined3 marks.",
             ("Ada Example", "Cee Later"))  # fmt: skip


def world(cutoff: str, *sources: Source) -> World:
    return World(Corpus.of([]), Cutoff.parse(cutoff), sources=sources, indexed=False)


async def shown(cutoff: str, *sources: Source) -> list[str]:
    """Titles found, each page opened too."""
    made = world(cutoff, *sources)
    hits = (await made.search("marking sources of evidence")).hits
    for hit in hits:
        page = await made.scrape(hit.url)
        assert page.title == hit.title
        assert Cutoff.parse(cutoff).admits(page.published)
    return [hit.title for hit in hits]


async def test_trap_v1_before_and_v3_after_the_cutoff(arxiv, services) -> None:
    services.papers = {ID: [V1, V2, V3]}
    assert await shown("2020-03-01", arxiv) == [V1.title]
    assert await shown("2020-07-01", arxiv) == [V2.title]
    hit = (await world("2020-07-01", arxiv).search("marking")).hits[0]
    assert not any(said in repr(hit) for said in ("Coined3", "Cee Later", "2021"))


async def test_trap_last_updated_taken_for_submitted(arxiv, services) -> None:
    """Submitted after the cutoff, but sorted by a server that looked at another date; and the other
    way round: updated after it, submitted before."""
    services.papers = {ID: [V1, V3]}
    assert await shown("2019-12-31", arxiv) == []
    hit = (await world("2022-01-01", arxiv).search("marking")).hits[0]
    assert hit.date == "2020-01-02"
    assert hit.published.earliest == datetime(2020, 1, 2, 10, tzinfo=UTC)
    assert hit.published.latest == datetime(2021, 3, 4, 10, tzinfo=UTC)


async def test_trap_year_only_given_as_1_january_openalex(alexandria, services) -> None:
    work = {"id": "https://openalex.org/W1", "display_name": "Marking sources of evidence",
            "publication_year": 2020, "publication_date": "2020-01-01"}  # fmt: skip
    services.made = lambda r: {"results": [work]} if r.path == "/works" else work
    assert await shown("2020-12-30", alexandria) == []
    assert await shown("2020-12-31", alexandria) == ["Marking sources of evidence"]


@pytest.mark.parametrize("parts", [[2020], [2020, 1, 1]])
async def test_trap_year_only_given_as_1_january_crossref(crossref, services, parts) -> None:
    work = {
        "DOI": "10.1000/x",
        "title": ["Marking sources of evidence"],
        "issued": {"date-parts": [parts]},
    }
    services.made = lambda r: {"message": {"items": [work]} if r.path == "/works" else work}
    assert await shown("2020-12-30", crossref) == []
    assert await shown("2020-12-31", crossref) == ["Marking sources of evidence"]


def _scholar_row(**values):
    return {"paperId": "a" * 40, "title": "Marking sources of evidence", "abstract": "We mark.",
            "year": 2020, "publicationDate": "2020-03-02", **values}  # fmt: skip


@pytest.mark.parametrize("stated", ["2019-11-05", "2020-01-02", "2020-09-09", "2021-03-04"])
async def test_trap_semantic_scholars_date_before_or_after_arxivs(
    scholar, services, stated
) -> None:
    """Whatever day it gives, arXiv's version that stood is shown on arXiv's day."""
    record = _scholar_row(publicationDate=stated, year=int(stated[:4]), title="Coined3 in a journal",
                          externalIds={"ArXiv": ID, "DOI": "10.1000/x"})  # fmt: skip
    services.papers = {ID: [V1, V2, V3]}
    services.made = lambda r: (
        {"data": [record]} if r.path.endswith("/search") else record if r.path.startswith("/graph") else None
    )  # fmt: skip
    assert await shown("2019-12-31", scholar) == []
    assert await shown("2020-01-01T23:00Z", scholar) == []
    assert await shown("2020-01-02", scholar) == [V1.title]
    assert await shown("2020-09-08", scholar) == [V2.title]
    assert await shown("2021-03-04", scholar) == [V3.title]


def test_trap_acl_volume_with_a_year_and_no_month() -> None:
    from ideatrail.evidence.readers.records import acl

    paper = acl({"id": "2020.lilt-1.1", "title": "Marking", "abstract": "We mark.", "authors": ["A B"],
                 "url": "https://aclanthology.org/2020.lilt-1.1/", "year": 2020, "date": "2020",
                 "ingest_date": "2020-02-01"})  # fmt: skip
    assert not Cutoff.parse("2020-12-30").admits(paper.shown)
    assert Cutoff.parse("2020-12-31").admits(paper.shown)


@pytest.mark.parametrize("hours", [-11, -5, 0, 5, 14])
async def test_trap_time_zone_on_the_cutoff_day(arxiv, services, hours) -> None:
    """A version of 23:30 local time on the cutoff day stood by the end of that day at UTC-12 only
    if it had come by then, whatever the zone it is written in."""
    local = datetime(2020, 6, 1, 23, 30, tzinfo=timezone(timedelta(hours=hours)))
    sign = f"{'-' if hours < 0 else '+'}{abs(hours):02}00"
    services.papers = {ID: [V1, Version(f"1 Jun 2020 23:30:00 {sign}", V2.title, V2.summary)]}
    assert await shown("2020-06-01", arxiv) == [V2.title]
    before = (local.astimezone(UTC) - timedelta(seconds=1)).isoformat()
    assert await shown(before, arxiv) == [V1.title]
    assert await shown(local.isoformat(), arxiv) == [V2.title]


async def test_trap_withdrawn_paper(arxiv, services) -> None:
    gone = Version(
        V3.date, V1.title, "This paper has been withdrawn by the authors.", comment="withdrawn"
    )
    services.papers = {ID: [V1, gone]}
    assert await shown("2020-12-31", arxiv) == [V1.title], "it was not, then"
    assert await shown("2021-12-31", arxiv) == []
    with pytest.raises(EvidenceError) as caught:
        await world("2021-12-31", arxiv).scrape(ADDRESS)
    assert caught.value.ending == "nothing_found"


async def test_trap_withdrawn_by_its_comment_alone_and_brought_back(arxiv, services) -> None:
    gone = Version(
        "Mon, 1 Jun 2020 10:00:00 GMT", V1.title, V1.summary, comment="paper withdrawn by author"
    )
    services.papers = {ID: [V1, gone, V3]}
    assert await shown("2020-03-01", arxiv) == [V1.title]
    assert await shown("2020-12-31", arxiv) == []
    assert await shown("2021-12-31", arxiv) == [V3.title]


async def test_trap_arxiv_id_of_a_later_month(arxiv, services) -> None:
    """Nobody is even asked for it."""
    services.papers = {"2005.00001": [V1]}
    assert await shown("2020-03-01", arxiv) == []
    before = len(services.asked)
    with pytest.raises(EvidenceError):
        await world("2020-03-01", arxiv).scrape("https://arxiv.org/pdf/2005.00001v1")
    assert len(services.asked) == before
    assert await shown("2020-05-01", arxiv) == [V1.title]


async def test_trap_no_date_at_all(scholar, alexandria, crossref, services) -> None:
    work = {"id": "https://openalex.org/W1", "display_name": "Marking sources of evidence"}
    registered = {"DOI": "10.1000/x", "title": ["Marking sources of evidence"]}
    services.made = lambda r: (
        {"data": [_scholar_row(year=None, publicationDate=None)]} if r.path.startswith("/graph")
        else {"results": [work], "message": {"items": [registered]}}
    )  # fmt: skip
    assert await shown("2030-01-01", scholar, alexandria, crossref) == []


@pytest.mark.parametrize(
    "said",
    [
        "We extend arXiv:2106.01234 to sources.",
        "As of 3 May 2021 we mark sources.",
        "Seen on 2021-05-03.",
    ],
)
async def test_trap_a_text_that_names_what_is_later(arxiv, services, said) -> None:
    """Its own date says 2020; its words do not."""
    services.papers = {ID: [Version(V1.date, V1.title, said)], "2001.00078": [V1]}
    hits = (await world("2020-12-31", arxiv).search("marking sources")).hits
    assert [h.url for h in hits] == ["https://arxiv.org/abs/2001.00078"]
    assert len((await world("2021-12-31", arxiv).search("marking sources")).hits) == 1, "one work"


async def test_trap_the_doi_of_a_later_publication_is_not_shown(arxiv, services) -> None:
    late = Version(
        V2.date, V2.title, V2.summary, doi="10.9999/journal.2023.7", comment="To appear 2023"
    )
    services.papers = {ID: [V1, late]}
    made = world("2020-12-31", arxiv)
    hit = (await made.search("marking")).hits[0]
    page = await made.scrape(hit.url)
    told = repr((hit.title, hit.authors, hit.venue, hit.date, hit.url, hit.snippet, page))
    assert "2023" not in told
    assert "10.9999" not in told


# For no date, zone and cutoff is anything admitted whose latest moment is after the cutoff.

YEARS = st.integers(2015, 2027)
ZONES = st.sampled_from([None, *(timezone(timedelta(minutes=m)) for m in range(-720, 841, 30))])
STAMPS = st.builds(
    lambda moment, zone: moment.replace(microsecond=0, tzinfo=zone).isoformat(),
    st.datetimes(datetime(2015, 1, 1), datetime(2027, 12, 31)),
    ZONES,
)
DAYS = st.dates(date(2015, 1, 1), date(2027, 12, 31))
DATES = st.one_of(
    STAMPS, DAYS.map(str), DAYS.map(lambda d: str(d.replace(day=1))), YEARS.map(str),
    DAYS.map(lambda d: f"{d:%Y-%m}"), YEARS.map(lambda y: f"{y}-01-01"), st.none(), st.text(max_size=9),
)  # fmt: skip
CUTOFFS = st.one_of(DAYS.map(str), STAMPS).map(Cutoff.parse)


def _last_day(text: str) -> datetime | None:
    """The latest moment of a date, worked out here by itself: the end at UTC-12 of its last day,
    where the first day of a month stands for the month and 1 January for the year."""
    found = parse_date(text)
    if found is None:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return found.latest
    if (day.month, day.day) == (1, 1):
        day = date(day.year, 12, 31)
    elif day.day == 1:
        day = (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    end = datetime(day.year, day.month, day.day, tzinfo=timezone(timedelta(hours=-12)))
    return end + timedelta(days=1) - timedelta(microseconds=1)


def _check(
    paper: Paper | None, cutoff: Cutoff, dates: list[str | None], years: list[int | None]
) -> None:
    if paper is None or not cutoff.admits(paper.shown):
        return
    for text in dates:
        latest = _last_day(text) if text else None
        assert latest is not None or not text or not text.strip()
        assert latest is None or latest <= cutoff.moment
    for year in years:
        if year is not None:
            # A day within the year that it names was taken for the whole year only where no day is
            # known, or an earlier year is given with it.
            assert datetime(year, 1, 1, tzinfo=UTC) - timedelta(hours=14) <= cutoff.moment
    assert any(dates) or any(y is not None for y in years)


@given(DATES, st.none() | YEARS, st.sampled_from(["", "10.1000/x", "10.1000/j.2021.7", "10.1038/s12345-023-1-1"]),
       st.sampled_from([{}, {"ArXiv": "2106.00001"}, {"ACL": "2022.acl-main.1"}, {"ACL": "P18-1001"}]), CUTOFFS)  # fmt: skip
@settings(max_examples=600, deadline=None)
def test_semantic_scholar_admits_nothing_later(stated, year, doi, ids, cutoff) -> None:
    given_ids = {**ids, **({"DOI": doi} if doi else {})}
    paper = semantic_scholar.paper_of(
        _scholar_row(publicationDate=stated, year=year, externalIds=given_ids)
    )
    assert paper is not None
    if "ArXiv" in ids:
        assert paper.shown is None
    more = {"10.1000/j.2021.7": 2021, "10.1038/s12345-023-1-1": 2023}.get(doi)
    named = {"2022.acl-main.1": 2022, "P18-1001": 2018}.get(ids.get("ACL", ""))
    _check(paper, cutoff, [stated], [year, more, named])


@given(DATES, st.none() | YEARS, st.booleans(), DATES, CUTOFFS)
@settings(max_examples=600, deadline=None)
def test_openalex_admits_nothing_later(stated, year, preprint, touched, cutoff) -> None:
    paper = openalex.paper_of({
        "id": "https://openalex.org/W1", "display_name": "Marking", "publication_date": stated,
        "publication_year": year, "updated_date": touched, "type": "preprint" if preprint else "article",
    })  # fmt: skip
    _check(paper, cutoff, [stated], [year])
    if preprint and paper is not None and cutoff.admits(paper.shown):
        found = parse_date(touched)
        assert found is not None
        assert found.latest <= cutoff.moment


PARTS = st.one_of(
    st.none(), YEARS.map(lambda y: [y]), DAYS.map(lambda d: [d.year, d.month]),
    DAYS.map(lambda d: [d.year, d.month, d.day]), YEARS.map(lambda y: [y, 1, 1]), st.just([None]),
)  # fmt: skip


@given(PARTS, PARTS, PARTS, CUTOFFS)
@settings(max_examples=600, deadline=None)
def test_crossref_admits_nothing_later(online, printed, issued, cutoff) -> None:
    row = {"DOI": "10.1000/x", "title": ["Marking"]}
    for name, parts in (
        ("published-online", online),
        ("published-print", printed),
        ("issued", issued),
    ):
        if parts is not None:
            row[name] = {"date-parts": [parts]}
    said = ["-".join(f"{n:02}" for n in p) for p in (online, printed, issued) if p and p != [None]]
    _check(crossrefs.paper_of(row), cutoff, said, [])


@given(st.lists(STAMPS.filter(lambda s: "+" in s or s.count("-") > 2), min_size=1, max_size=4),
       st.integers(0, 27), st.integers(1, 12), CUTOFFS)  # fmt: skip
@settings(max_examples=600, deadline=None)
def test_arxiv_admits_nothing_later(stamps, year, month, cutoff) -> None:
    url = f"https://arxiv.org/abs/{year:02}{month:02}.00001"
    paper = Paper.make(
        id="x", title="T", body=[], authors=[], venue="arXiv", date=stamps[0][:10], url=url, doi=None,
        kind="abstract", versions=[(f"v{n}", s) for n, s in enumerate(stamps, start=1)],
    )  # fmt: skip
    if cutoff.admits(paper.shown):
        assert all(datetime.fromisoformat(s) <= cutoff.moment for s in stamps)
        begins = arxiv_month(url)
        assert begins is not None
        assert begins.latest <= cutoff.moment
