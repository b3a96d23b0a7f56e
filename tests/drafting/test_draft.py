"""A proposal drafted from a paper tells no result, and is read like any other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ideatrail.drafting.draft import TooLittleError, draft
from ideatrail.drafting.role import load_drafter
from ideatrail.events import EventStream
from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import parse_date
from ideatrail.evidence.paper import Paper
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.offline.model import OfflineModel
from ideatrail.nodes.rooms import Pen
from ideatrail.proposals.seed import make_seed
from ideatrail.proposals.source import read_proposal
from ideatrail.resources import folder

ABSTRACT = (
    "Summaries written by neural models often state what their sources do not say.",
    "However, existing detectors need a reference summary, which readers rarely have.",
    "We propose to ask questions about each sentence of a summary and to answer them from "
    "the source "
    "alone.",
    "We evaluate the method on two news datasets against entailment baselines.",
    "Experimental results show that questions find 12.5% more unsupported sentences than "
    "entailment.",
    "Our code is available at https://github.com/nobody/nothing.",
)


def paper(*sentences: str, kind: str = "abstract") -> Paper:
    return Paper(
        id="x-1",
        title="Asking a Source about its Summary",
        body=(" ".join(sentences),),
        authors=("A. Bo",),
        venue="V",
        date="2021-05",
        published=parse_date("2021-05"),
        url="https://example.org/x-1",
        doi=None,
        aliases=("https://example.org/x-1",),
        kind=kind,  # type: ignore[arg-type]
    )


@pytest.fixture
def pen() -> Pen:
    roles = load_drafter(folder("agents"), folder("prompts"))
    return Pen("drafter", roles, OfflineModel(), UsageLedger(), EventStream(), 0)


async def test_an_abstract_becomes_a_proposal(pen: Pen, tmp_path: Path) -> None:
    made = await draft(paper(*ABSTRACT), "2021-04-30", pen)
    text = made.markdown()
    assert "12.5" not in text
    assert "github" not in text
    assert not re.search(r"\b[Rr]esults show\b|\boutperform", text)
    assert "reference summary" in made.answer.question
    assert "ask questions" in made.answer.method
    assert "We expect that questions find" in made.answer.thesis
    path = tmp_path / "p.md"
    path.write_text(text, "utf-8")
    proposal = read_proposal(path)
    assert proposal.date == "2021-04-30"
    seed = make_seed(proposal, "x")
    assert seed.parse_quality == "medium", "an abstract holds no proposal"
    assert "title and abstract" in " ".join(seed.extra["notes"])


async def test_a_paper_that_says_too_little_is_told(pen: Pen) -> None:
    with pytest.raises(TooLittleError, match="title and abstract gives no"):
        await draft(paper("Errata."), "2021-04-30", pen)


async def test_our_own_summaries_keep_their_parts(pen: Pen) -> None:
    shipped = [p for p in Corpus.bundled().papers if p.published]
    quality: dict[str, int] = {}
    for one in shipped[::6]:
        try:
            made = await draft(one, "2020-01-01", pen)
        except TooLittleError:
            quality["too little"] = quality.get("too little", 0) + 1
            continue
        quality["made"] = quality.get("made", 0) + 1
        assert made.source == "title and summary"
        assert made.answer.risks
    assert quality["made"] >= 0.9 * sum(quality.values())


@pytest.mark.shared
async def test_real_abstracts(pen: Pen, shared_data: Path) -> None:
    from ideatrail.evidence.readers import read

    papers = list(read(shared_data / "papers_acl_small.jsonl.gz", lambda bad: None))[::50]
    made = 0
    for one in papers:
        try:
            text = (await draft(one, "2020-01-01", pen)).markdown()
        except TooLittleError:
            continue
        made += 1
        assert not re.search(r"\d+(?:\.\d+)?\s?(?:%|(?:BLEU|points)\b)", text), text
    assert made >= 0.75 * len(papers)
