# ruff: noqa: E501
"""One work under the ids of five services: merged in results, withheld as one. Real records."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import orjson
import pytest
from fixture_server import Version

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.sources import crossref as crossrefs
from ideatrail.evidence.sources import openalex, semantic_scholar
from ideatrail.evidence.urls import canonical
from ideatrail.evidence.withheld import Target, Withheld
from ideatrail.evidence.works import groups
from ideatrail.evidence.world import World

LATE = Cutoff.parse("2026-01-01")
PAPERQA = "PaperQA: Retrieval-Augmented Generative Agent for Scientific Research"
HISTORY = {"2312.07559": [
    Version("Fri, 8 Dec 2023 19:00:00 GMT", PAPERQA, "We present a retrieval-augmented agent.", ("Jakub Lála",)),
]}  # fmt: skip


@pytest.mark.parametrize(
    ("one", "others"),
    [
        ("https://semanticscholar.org/paper/204e3073870fae3d05bcbc2f6a8e263d9b72e776",
         ["https://www.semanticscholar.org/paper/Attention-is-All-you-Need-Vaswani/204e3073870fae3d05bcbc2f6a8e263d9b72e776",
          "semanticscholar.org/paper/204e3073870fae3d05bcbc2f6a8e263d9b72e776/"]),
        ("https://semanticscholar.org/paper/CorpusID:13756489",
         ["https://api.semanticscholar.org/CorpusID:13756489", "https://api.semanticscholar.org/corpusId:13756489"]),
        ("https://openalex.org/W4389761608",
         ["https://openalex.org/works/W4389761608", "https://api.openalex.org/works/w4389761608", "openalex.org/w4389761608"]),
        ("https://pubmed.ncbi.nlm.nih.gov/25349395",
         ["https://pubmed.ncbi.nlm.nih.gov/25349395/", "https://www.ncbi.nlm.nih.gov/pubmed/25349395",
          "https://europepmc.org/article/MED/25349395", "https://europepmc.org/abstract/med/25349395"]),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC4234579",
         ["https://www.ncbi.nlm.nih.gov/pmc/articles/4234579", "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC4234579/pdf/x.pdf",
          "https://europepmc.org/articles/pmc4234579?pdf=render", "https://europepmc.org/article/pmc/pmc4234579"]),
    ],
)  # fmt: skip
def test_each_services_address_has_one_form(one, others) -> None:
    assert canonical(one) == one
    for other in others:
        assert canonical(other) == one


@pytest.mark.parametrize("page", ["https://ncbi.nlm.nih.gov/25349395", "https://europepmc.org/123",
                                  "https://openalex.org/A123", "https://pubmed.ncbi.nlm.nih.gov/trending",
                                  "https://api.semanticscholar.org/graph/v1/paper/1"])  # fmt: skip
def test_other_pages_of_the_services_stay_what_they_are(page) -> None:
    assert canonical(page) == page


@pytest.mark.shared
async def test_one_work_under_five_ids(arxiv, scholar, alexandria, services, shared_data) -> None:
    """PaperQA: arXiv, its DOI, Semantic Scholar's two ids, OpenAlex."""
    services.load(shared_data / "fixtures")
    services.papers = HISTORY
    records = [
        *(await scholar.records(PAPERQA)),
        *(await alexandria.records(PAPERQA))[:1],
        *(await arxiv.records(PAPERQA)),
    ]
    assert len(records) == 3
    for order in permutations(records):
        assert len(groups(order)) == 1
    ids = [
        "https://arxiv.org/pdf/2312.07559v1", "doi:10.48550/arXiv.2312.07559",
        "https://www.semanticscholar.org/paper/PaperQA/7e55d8701785818776323b4147cb13354c820469",
        "https://api.semanticscholar.org/CorpusID:266191420", "https://openalex.org/W4389761608",
    ]  # fmt: skip
    known = {a for p in records for a in p.aliases}
    assert {canonical(i) for i in ids} <= known

    found = _found(shared_data / "fixtures")

    # Known to the run by one id alone, the target is withheld under all five, everywhere.
    for only in ids:
        learned = [p for s in (arxiv, scholar, alexandria) for p in await s.records(only)]
        withheld = Withheld.of(Target(urls=(only,))).spread([*learned, *records])
        sources = (arxiv, scholar, alexandria)
        world = World(Corpus.of([]), LATE, withheld, sources, indexed=False)
        services.made = found
        assert (await world.search(PAPERQA)).hits == ()
        for address in ids:
            with pytest.raises(EvidenceError) as caught:
                await world.scrape(address)
            assert (caught.value.ending, caught.value.detail) == ("nothing_found", "")
        services.made = None


@pytest.mark.shared
async def test_what_three_services_find_of_one_work_is_one_result(
    arxiv, scholar, alexandria, services, shared_data
) -> None:
    services.load(shared_data / "fixtures")
    services.papers, services.made = HISTORY, _found(shared_data / "fixtures")
    world = World(Corpus.of([]), Cutoff.parse("2024-03-01"), sources=(scholar, alexandria, arxiv), indexed=False)  # fmt: skip
    found = await world.search("retrieval augmented agent")
    [hit] = found.hits
    assert (hit.url, hit.date, hit.venue) == (
        "https://arxiv.org/abs/2312.07559",
        "2023-12-08",
        "arXiv",
    )
    assert {"https://openalex.org/W4389761608", "https://semanticscholar.org/paper/CorpusID:266191420"} <= set(hit.aliases)  # fmt: skip
    assert (await world.search("agent")).partial is False


def _found(fixtures: Path):
    """Both catalogues find the recorded PaperQA, whatever is looked for."""
    match = next(iter(_rows(fixtures, "semantic_scholar/*PaperQA_3A*", "data")))
    work = next(iter(_rows(fixtures, "openalex/*PaperQA*", "results")))

    def made(request):
        if request.path == "/graph/v1/paper/search":
            return {"total": 1, "data": [match]}
        if request.path == "/works" and "search" in request.query:
            return {"meta": {"count": 1}, "results": [work]}
        return None

    return made


def _rows(fixtures: Path, pattern: str, name: str):
    for path in sorted(fixtures.glob(pattern)):
        held = orjson.loads(path.read_bytes())
        yield from held.get(name, [held]) if isinstance(held, dict) else []


@pytest.mark.shared
def test_every_recorded_record_of_one_doi_is_one_work(shared_data) -> None:
    """Whichever of the three services a record is from; DOIs in other letters, too."""
    fixtures = shared_data / "fixtures"
    papers = [
        paper
        for make, pattern, name in (
            (semantic_scholar.paper_of, "semantic_scholar/*.json", "data"),
            (openalex.paper_of, "openalex/*.json", "results"),
        )
        for row in _rows(fixtures, pattern, name)
        if (paper := make(row)) is not None and paper.doi
    ]
    for path in sorted((fixtures / "crossref").glob("*.json")):
        held = orjson.loads(path.read_bytes())
        message = held.get("message", held) if isinstance(held, dict) else {}
        items = message.get("items", [message]) if isinstance(message, dict) else []
        papers += [p for i in items if (p := crossrefs.paper_of(i)) is not None]
    by_doi: dict[str, list[int]] = {}
    for at, paper in enumerate(papers):
        by_doi.setdefault(str(paper.doi).casefold(), []).append(at)
    shared = {doi: places for doi, places in by_doi.items() if len(places) > 2}
    assert len(shared) >= 6
    work = {at: n for n, group in enumerate(groups(papers)) for at in group}
    for places in shared.values():
        assert len({work[at] for at in places}) == 1


@pytest.mark.shared
def test_an_anthology_paper_is_one_with_what_other_services_have_of_it(shared_data) -> None:
    """By its id, and by the DOI that holds the id: Crossref and OpenAlex know no more of it."""
    [recorded] = [
        p
        for path in sorted((shared_data / "fixtures/crossref").glob("*Attention*"))
        for row in orjson.loads(path.read_bytes())["message"]["items"]
        if (p := crossrefs.paper_of(row)) is not None
    ]
    assert recorded.id == "10.18653/v1/n18-2074"
    row = {"paperId": "a" * 40, "title": "Another title", "externalIds": {"ACL": "N18-2074"}}
    work = {
        "id": "https://openalex.org/W5",
        "display_name": "A third",
        "doi": "https://doi.org/10.18653/v1/N18-2074",
    }
    papers = [recorded, semantic_scholar.paper_of(row), openalex.paper_of(work)]
    assert all("https://aclanthology.org/N18-2074" in p.aliases for p in papers if p is not None)
    assert len(groups([p for p in papers if p is not None])) == 1
