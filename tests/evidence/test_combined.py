"""Several sources as one world: one list of works, one cutoff, one withheld set."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.fusion import fuse
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.source import Ending, EvidenceError, Found
from ideatrail.evidence.urls import canonical
from ideatrail.evidence.withheld import Target, Withheld
from ideatrail.evidence.world import World

from .conftest import make

CUTOFF = Cutoff.parse("2019-12-31")


@dataclass
class Shelf:
    """A source over papers in memory: ranks by how many words of the query a title holds."""

    name: str
    papers: tuple[Paper, ...] = ()
    fails: Ending | None = None
    asked: list[str] = field(default_factory=list)

    async def search(self, query: str, limit: int, cutoff: Cutoff) -> Found:
        self.asked.append(query)
        await asyncio.sleep(0)
        if self.fails:
            raise EvidenceError(self.fails, detail="host.example answered 503")
        words = set(query.casefold().split())
        held = [(len(words & set(p.title.casefold().split())), p) for p in self.papers]
        ranked = sorted((pair for pair in held if pair[0]), key=lambda pair: -pair[0])
        return Found(tuple(p for _, p in ranked)[:limit])

    async def open(self, address: str, cutoff: Cutoff) -> Paper | None:
        self.asked.append(address)
        if self.fails:
            raise EvidenceError(self.fails)
        return next((p for p in self.papers if address in p.aliases), None)

    async def records(self, text: str) -> tuple[Paper, ...]:
        return tuple(p for p in self.papers if text in (p.id, p.title, *p.aliases))


def world(
    *shelves: Shelf, papers: tuple[Paper, ...] = (), withheld: Withheld | None = None
) -> World:
    return World(Corpus.of(papers), CUTOFF, withheld or Withheld(), shelves)


PREPRINT = make(
    id="1801.00001",
    title="Parsing with very little data at hand",
    url="https://arxiv.org/abs/1801.00001",
    date="2018-01-02",
)
PROCEEDINGS = make(
    id="P18-0001",
    title="Parsing with very little data at hand",
    url="https://aclanthology.org/P18-0001",
    date="2018-07-01",
)
OTHER = make(id="P17-0009", title="Parsing in many tongues at once", date="2017-07-01")
LATE = make(id="P21-0001", title="Parsing after the cutoff was passed", date="2021-07-01")


async def test_records_of_one_work_are_one_hit() -> None:
    found = await world(Shelf("a", (PREPRINT, OTHER)), papers=(PROCEEDINGS,)).search(
        "parsing little data"
    )
    assert [hit.id for hit in found.hits] == ["P18-0001", "P17-0009"]
    assert {canonical(PREPRINT.url), canonical(PROCEEDINGS.url)} <= set(found.hits[0].aliases)
    assert not found.partial


async def test_what_a_source_lets_through_is_not_admitted() -> None:
    undated = make(id="x", title="Parsing without any date at all", date="")
    cites = make(
        id="y",
        title="Parsing and a later preprint",
        date="2018-01-01",
        body=("As arXiv:2105.00001 shows, parsing is hard.",),
    )
    found = await world(Shelf("a", (LATE, undated, cites, OTHER))).search("parsing")
    assert [hit.id for hit in found.hits] == ["P17-0009"]
    with pytest.raises(EvidenceError) as caught:
        await world(Shelf("a", (LATE,))).scrape(LATE.url)
    assert caught.value.ending == "nothing_found"


async def test_the_target_is_hidden_under_ids_that_only_a_source_tells() -> None:
    target = make(id="P18-0666", title="A Target Paper of Parsing Fame", date="2018-07-01")
    withheld = Withheld.of(Target.of(target))
    tied = make(  # another title, tied to the target by its address
        id="W123",
        title="Fame by parsing, extended version",
        date="2018-08-01",
        aliases=(target.url,),
    )
    child = make(  # tied to the target by that record alone
        id="W124", title="Parsing fame once more", date="2018-09-01", aliases=(tied.url,)
    )
    shelf = Shelf("a", (target, tied, child, OTHER))
    found = await world(shelf, withheld=withheld).search("parsing fame")
    assert [hit.id for hit in found.hits] == ["P17-0009"]
    with pytest.raises(EvidenceError):
        await world(shelf, withheld=withheld).scrape(target.url)
    assert target.url not in shelf.asked, "nobody is asked for the target's page"


async def test_a_hidden_hit_leaves_no_gap() -> None:
    target = make(id="P18-0666", title="Parsing parsing parsing target", date="2018-07-01")
    others = tuple(
        make(id=f"P17-{n:04}", title=f"Parsing study number {n} of many", date="2017-07-01")
        for n in range(20)
    )
    hiding = world(Shelf("a", (target, *others)), withheld=Withheld.of(Target.of(target)))
    plain = world(Shelf("a", others))
    for wanted in (1, 5, 10):
        assert await hiding.search("parsing", wanted) == await plain.search("parsing", wanted)


async def test_an_outage_is_told_and_does_not_name_its_host() -> None:
    down = Shelf("a", fails="unreachable")
    found = await world(down, papers=(OTHER,)).search("parsing")
    assert found.partial
    assert len(found.hits) == 1
    with pytest.raises(EvidenceError) as caught:
        await world(down, papers=(OTHER,)).search("zebras")
    assert caught.value.ending == "unreachable"
    assert "example" not in str(caught.value)


async def test_a_page_is_the_record_with_the_whole_text() -> None:
    whole = replace(
        make(
            id="capture",
            title="",
            url=PREPRINT.url,
            date="2018-02-01",
            body=(PREPRINT.title, *("A long paragraph on parsing. " * 20 for _ in range(20))),
        ),
        kind="full text",
    )
    seen = await world(Shelf("a", (whole,)), papers=(PREPRINT,)).scrape(
        "https://arxiv.org/pdf/1801.00001v3"
    )
    assert (seen.title, seen.url, seen.kind) == (PREPRINT.title, PREPRINT.url, "full text")
    assert len(seen.paragraphs) == 21
    assert seen.published.latest >= whole.shown.latest  # type: ignore[union-attr]


async def test_a_version_is_asked_for_by_its_number() -> None:
    shelf = Shelf("a")
    with pytest.raises(EvidenceError):
        await world(shelf).scrape("https://arxiv.org/pdf/1801.00001v2.pdf")
    with pytest.raises(EvidenceError):
        await world(shelf).scrape("https://arxiv.org/abs/1801.00001")
    plain = "https://arxiv.org/abs/1801.00001"
    assert shelf.asked == [f"{plain}v2", plain, plain]


async def test_a_log_in_wall_is_no_text() -> None:
    wall = replace(
        make(
            id="w", title="Sign in", url=PREPRINT.url, date="2018-02-01", body=("Cookies. " * 400,)
        ),
        kind="full text",
    )
    seen = await world(Shelf("a", (wall,)), papers=(PREPRINT,)).scrape(PREPRINT.url)
    assert seen.paragraphs == PREPRINT.body


async def test_a_page_that_cites_the_target_falls_back_to_its_record() -> None:
    target = Target(titles=("Zebra striping of very large parsers",))
    citing = replace(
        make(
            id="c",
            title=PREPRINT.title,
            url=PREPRINT.url,
            date="2018-02-01",
            body=("Text. " * 500, "See: Zebra striping of very large parsers. 2018."),
        ),
        kind="full text",
    )
    shelf = Shelf("a", (citing,))
    seen = await world(shelf, papers=(PREPRINT,), withheld=Withheld.of(target)).scrape(PREPRINT.url)
    assert seen.paragraphs == PREPRINT.body


@given(st.permutations([PREPRINT, PROCEEDINGS, OTHER]), st.permutations([OTHER, PREPRINT]))
def test_fusion_depends_on_ranks_alone(one: list[Paper], other: list[Paper]) -> None:
    works = fuse([one, other])
    assert len(works) == 2
    assert works == fuse([one, other])
    assert {w.paper.id for w in works} == {"P18-0001", "P17-0009"}
    if one[0] is OTHER and other[0] is OTHER:
        assert works[0].paper is OTHER
