# ruff: noqa: E501
"""arXiv over real HTTP: queries, the version that stood, whole texts, endings."""

from __future__ import annotations

import asyncio

import pytest
from fixture_server import Version, feed

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.sources.arxiv import Arxiv
from ideatrail.evidence.web.client import Client, Patience
from ideatrail.evidence.web.exchanges import Exchanges
from ideatrail.evidence.web.limits import Limiters

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
        doi="10.9999/later.2022",
    ),
]
LATE = Cutoff.parse("2026-01-01")


def plain(number: int) -> list[Version]:
    return [Version("Thu, 3 Jan 2019 10:00:00 GMT", f"Paper {number}", "We mark.")]


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
    arxiv, services, cutoff, label, title
) -> None:
    services.papers = {ID: THREE}
    for found in (
        *(await arxiv.search("marking sources", 10, Cutoff.parse(cutoff))).papers,
        await arxiv.open(f"https://arxiv.org/pdf/{ID}v3", Cutoff.parse(cutoff)),
    ):
        assert found is not None
        assert found.title == title
        assert found.versions[-1][0] == label
        assert found.date == "2020-01-02", "the day of the first version, never of the last"
        assert found.doi is None
        told = repr((found.title, found.body, found.authors, found.venue, found.url))
        assert ("Coined3" in told) == ("Cee Later" in told) == (label == "v3")
        assert "Accepted" not in told
        assert "10.9999" not in told


async def test_the_newest_text_in_place_of_an_older_one_is_not_taken(arxiv, services) -> None:
    services.papers, services.unversioned = {ID: THREE}, True
    for cutoff in (Cutoff.parse("2020-01-02"), Cutoff.parse("2021-03-02")):
        with pytest.raises(EvidenceError) as caught:
            await arxiv.search("marking sources", 10, cutoff)
        assert caught.value.ending == "partial"
        with pytest.raises(EvidenceError):
            await arxiv.open(f"https://arxiv.org/abs/{ID}v1", cutoff)


async def test_an_older_version_asked_for_by_its_number_is_given(arxiv, services) -> None:
    services.papers = {ID: THREE}
    for address, title in ((f"arxiv.org/abs/{ID}v1", THREE[0].title), (f"arXiv:{ID}v2", THREE[1].title)):  # fmt: skip
        found = await arxiv.open(address, LATE)
        assert found is not None
        assert found.title == title


async def test_all_earlier_versions_are_asked_for_at_once(arxiv, services) -> None:
    services.papers = {f"2001.{n:05}": THREE for n in range(1, 13)}
    found = await arxiv.search("marking", 12, Cutoff.parse("2020-12-31"))
    assert [p.title for p in found.papers] == [THREE[1].title] * 12
    assert not found.partial
    assert len(services.asked) == 2
    await arxiv.open("https://arxiv.org/abs/2001.00003", Cutoff.parse("2020-12-31"))
    assert len(services.asked) == 4, "what is known is not asked for again; html and pdf are"


async def test_dates_come_from_oai_where_a_version_does_not_come(arxiv, services) -> None:
    many = [
        Version(f"{n % 28 + 1} Feb {2020 + n // 28} 10:00:00 GMT", f"Marking {n}", "We mark.")
        for n in range(80)
    ]
    services.papers = {ID: many}
    found = await arxiv.open(f"https://arxiv.org/abs/{ID}", Cutoff.parse("2021-02-10"))
    assert found is not None
    assert found.versions[-1][0] == "v39"
    assert any(path.startswith("/oai?verb=GetRecord") for path in services.asked)
    services.fault, services.fault_at = "503", "/oai"
    again = Arxiv(arxiv._client, f"{services.url}/api/query")
    with pytest.raises(EvidenceError) as caught:
        await again.open(f"https://arxiv.org/abs/{ID}", Cutoff.parse("2021-02-10"))
    assert caught.value.ending == "unreachable"


async def test_where_versions_cannot_be_asked_for_the_rest_is_given_as_partial(
    arxiv, services
) -> None:
    services.papers = {"2001.00001": plain(1), ID: THREE}
    services.made = lambda asked: 503 if "v1" in asked.query.get("id_list", "") else None
    found = await arxiv.search("marking", 10, Cutoff.parse("2020-12-31"))
    assert [p.title for p in found.papers] == ["Paper 1"]
    assert found.partial


async def test_nothing_stood_before_the_first_version(arxiv, services) -> None:
    services.papers = {ID: THREE}
    cutoff = Cutoff.parse("2019-12-31")
    assert (await arxiv.search("marking", 10, cutoff)).papers == ()
    assert await arxiv.open(f"https://arxiv.org/abs/{ID}", cutoff) is None


async def test_the_server_is_asked_for_the_first_versions_date_alone(arxiv, services) -> None:
    services.papers = {ID: THREE}
    await arxiv.search("marking", 10, Cutoff.parse("2020-12-31"))
    assert "submittedDate%3A%5B199101010000+TO+202101011159%5D" in services.asked[0]
    assert not any("lastUpdatedDate" in path for path in services.asked)


async def test_the_whole_text_is_that_of_the_version(arxiv, services) -> None:
    services.papers = {ID: THREE}
    page = "<html><body><article><h1>Marking Sources Well</h1>{}</article></body></html>"
    for label in ("v1", "v2", "v3"):
        said = "".join(
            f"<p>Paragraph {n} of {label} on marking. {'Words. ' * 60}</p>" for n in range(30)
        )
        services.texts[f"html/{ID}{label}"] = ("text/html", page.format(said).encode())
    found = await arxiv.open(f"https://arxiv.org/abs/{ID}", Cutoff.parse("2020-12-31"))
    assert found is not None
    assert found.kind == "full text"
    assert any("of v2 on marking" in p for p in found.body)
    assert not any("of v3" in p for p in found.body)
    # Led to another version, the text is not taken.
    services.moved = {f"/html/{ID}v2": f"/html/{ID}v3", f"/pdf/{ID}v2": f"/html/{ID}v3"}
    found = await arxiv.open(f"https://arxiv.org/abs/{ID}", Cutoff.parse("2020-12-31"))
    assert found is not None
    assert (found.kind, found.body) == ("abstract", ("We mark them well.",))


async def test_every_version_is_known_to_the_advisor(arxiv, services) -> None:
    services.papers = {ID: THREE}
    for name in (ID, f"arXiv:{ID}v1", f"https://arxiv.org/pdf/{ID}", THREE[2].title):
        found = await arxiv.records(name)
        assert [p.title for p in found] == [v.title for v in reversed(THREE)]
        assert "https://doi.org/10.9999/later.2022" in found[0].aliases
    assert await arxiv.records("https://example.org/x") == ()
    assert await arxiv.records("?!") == ()


@pytest.mark.parametrize(
    "query",
    ["", "  ", '"', "AND OR", "a:b (c", "ti:x AND\\", "ünï ©", "\0", "NOT x", "a" * 5000, "x-y 'z", "\u2028"],
)  # fmt: skip
async def test_any_text_is_a_query_of_arxiv(arxiv, services, query) -> None:
    services.papers = {ID: THREE}
    found = await arxiv.search(query, 5, LATE)
    assert len(found.papers) <= 1


# Endings


@pytest.mark.parametrize(
    ("fault", "ending"), [("429", "rate_limited"), ("503", "unreachable"), ("403", "refused"),
                          ("500", "unreachable"), ("400", "refused"), ("418", "unreachable")]
)  # fmt: skip
async def test_failures_of_arxiv_have_their_endings(arxiv, services, fault, ending) -> None:
    services.fault = fault
    with pytest.raises(EvidenceError) as caught:
        await arxiv.search("marking", 5, LATE)
    assert caught.value.ending == ending
    assert services.place not in str(caught.value)


WHOLE = feed([], 3, 0)


@pytest.mark.parametrize(
    "body", [b"<html>busy</html>", b"", b"{}", b"<feed", WHOLE, WHOLE.replace(b"</feed>", b"")]
)
async def test_an_answer_that_is_no_whole_feed_is_partial(arxiv, services, body) -> None:
    services.plain = {"/api/query": (200, "text/html", body)}
    with pytest.raises(EvidenceError) as caught:
        await arxiv.search("marking", 5, LATE)
    assert caught.value.ending == "partial"
    assert len(services.asked) == 2, "asked for again"


async def test_an_empty_first_page_is_asked_for_again(arxiv, services) -> None:
    services.papers = {ID: THREE}
    services.once = [(200, "application/atom+xml", WHOLE)]
    assert len((await arxiv.search("marking", 5, LATE)).papers) == 1


async def test_an_empty_page_midway_is_told(arxiv, services) -> None:
    services.papers = {f"1901.{n:05}": plain(n) for n in range(1, 151)}
    services.empty_after = 100
    found = await arxiv.search("paper", 150, LATE)
    assert found.partial
    assert len(found.papers) == 100
    services.empty_after = None
    found = await arxiv.search("paper", 150, LATE)
    assert not found.partial
    assert [p.title for p in found.papers] == [f"Paper {n}" for n in range(1, 151)]


async def test_an_empty_page_is_not_kept_for_good(services, tmp_path) -> None:
    services.papers = {ID: THREE}
    client = Client(
        exchanges=Exchanges(tmp_path, "cache"),
        allow=[services.place],
        patience=Patience(attempts=1, first_wait=0.01),
        limiters=Limiters(),
    )
    source = Arxiv(client, f"{services.url}/api/query")
    services.once = [(200, "application/atom+xml", WHOLE)]
    with pytest.raises(EvidenceError):
        await source.search("marking", 5, LATE)
    assert len((await source.search("marking", 5, LATE)).papers) == 1
    await client.aclose()


async def test_many_searches_at_once_do_not_wait_for_each_other(services, tmp_path) -> None:
    """No thread is held while arXiv is waited for: the store of answers needs them."""
    services.papers = {ID: THREE}
    client = Client(
        exchanges=Exchanges(tmp_path, "cache"), allow=[services.place], limiters=Limiters()
    )
    source = Arxiv(client, f"{services.url}/api/query")
    asked = [source.search(f"marking {n}", 5, Cutoff.parse("2020-12-31")) for n in range(40)]
    found = await asyncio.wait_for(asyncio.gather(*asked), 30)
    assert {p.title for f in found for p in f.papers} == {THREE[1].title}
    await client.aclose()


@pytest.mark.shared
async def test_recorded_feeds_of_arxiv(arxiv, services, shared_data) -> None:
    services.load(shared_data / "fixtures")
    found = await arxiv.records("1605.08386")
    assert [p.authors[0] for p in found] == ["Caprice Stanley"]
    assert await arxiv.records("0000.0000") == ()
    assert await arxiv.open("https://arxiv.org/abs/abc", LATE) is None
    assert len(await arxiv.records("https://arxiv.org/pdf/1707.08567v1")) == 1
    assert (await arxiv.search("testing", 10, LATE)).papers
    old = await arxiv.open("https://arxiv.org/abs/astro-ph/0601001", LATE)
    assert old is not None
    assert old.authors[0] == "Andrew Gould"


@pytest.mark.shared
@pytest.mark.parametrize(
    "cutoff", ["1995-01-01", "2010-12-31", "2020-06-30", "2023-01-15", "2026-04-01"]
)
async def test_a_recorded_search_under_a_cutoff(arxiv, services, shared_data, cutoff) -> None:
    """Their earlier versions are not recorded: what is newest and later is not shown."""
    services.load(shared_data / "fixtures")
    moment = Cutoff.parse(cutoff)
    found = await arxiv.search("testing", 100, moment)
    for paper in found.papers:
        assert paper.shown is not None
        assert max(stamp for _, stamp in paper.versions) <= moment.moment.isoformat()
    assert bool(found.papers) == (cutoff > "2000")
    assert found.partial == ("2000" < cutoff < "2026")
