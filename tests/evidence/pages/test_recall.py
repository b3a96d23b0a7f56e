"""How much of whole papers is read, measured against what stands in them."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import maker
import pytest

from ideatrail.evidence.pages import PageText, read_page

URL = "https://papers.example.org/articles/7"
RIVALS = ("A Rival That Came Out Later", "Another Rival of a Later Day")
BESIDE = (
    "cookies",
    "Sign in",
    "All rights reserved",
    "Subscribe to the feed",
    "L a T e XML",
    "Rival",
)


def text(page: PageText) -> list[str]:
    """Paragraphs without page marks."""
    return [line for line in page.paragraphs if not line.startswith("[page ")]


@pytest.mark.parametrize("site", ["plain", "latexml", "blog"])
@pytest.mark.parametrize("seed", range(3))
async def test_html_is_read_whole_and_nothing_else(site: str, seed: int) -> None:
    body = maker.html_paper(seed, site=site, sidebar=RIVALS)
    page = await read_page(body, "text/html", URL)
    truth = maker.text_of(seed)
    assert sum(map(len, truth)) >= 30_000
    assert maker.recall(truth, text(page)) >= 0.995
    assert maker.surplus(truth, text(page)) <= 0.005
    assert not any(word in line for line in page.paragraphs for word in BESIDE)
    assert page.notes == ()
    assert page.title == maker.TITLE
    assert page.kind == "full text"


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("seed", range(3))
async def test_pdfs_are_read_whole_and_nothing_else(columns: int, seed: int) -> None:
    page = await read_page(maker.pdf_paper(seed, columns=columns), "application/pdf", URL)
    truth = maker.text_of(seed)
    assert maker.recall(truth, text(page)) >= 0.99
    assert maker.surplus(truth, text(page)) <= 0.01
    lines = set(page.paragraphs)
    whole = sum(line in lines for line in truth) / len(truth)
    assert whole >= 0.95, "paragraphs, headings and rows are each one line, word for word"
    assert page.title == maker.TITLE
    assert page.authors == maker.AUTHORS
    assert page.date == "", "the day on which a file was made is no date of publication"
    assert page.notes == ()


@pytest.mark.parametrize("columns", [1, 2])
async def test_sections_and_pages_stand_in_their_order(columns: int) -> None:
    page = await read_page(maker.pdf_paper(5, columns=columns), None, URL)
    wanted = [line for line in maker.text_of(5) if line.startswith("#")]
    assert [line for line in page.paragraphs if line.startswith("#")] == ["## Abstract", *wanted]
    marks = [line for line in page.paragraphs if line.startswith("[page ")]
    assert marks == [f"[page {n}]" for n in range(1, len(marks) + 1)]
    assert len(marks) > 5
    assert page.paragraphs[0] == "[page 1]"


async def test_html_keeps_tables_lists_maths_and_sections() -> None:
    for site in ("plain", "latexml", "blog"):
        page = await read_page(maker.html_paper(2, site=site), "text/html", URL)
        lines = set(page.paragraphs)
        for block in maker.content(2).blocks:
            if block.tag != "reference":
                assert block.line in lines, (site, block)


@pytest.mark.shared
@pytest.mark.parametrize("form", ["plain", "latexml", "blog", "one column", "two columns"])
async def test_papers_out_of_real_sentences(form: str, shared_data: Path) -> None:
    with gzip.open(shared_data / "papers_acl_small.jsonl.gz", "rt", encoding="utf-8") as file:
        papers = [json.loads(next(file)) for _ in range(120)]
    pool = [s for p in papers for s in re.split(r"(?<=[.?!]) (?=[A-Z])", p["abstract"])]
    for number, paper in enumerate(papers[:6]):
        given = {
            "title": paper["title"],
            "authors": paper["authors"],
            "abstract": paper["abstract"],
            "date": paper["date"],
            "sentences": pool,
        }
        truth = maker.text_of(number, **given)
        if "column" in form:
            columns = 1 if form == "one column" else 2
            body = maker.pdf_paper(number, columns=columns, **given)
            # The fonts of these files have no letters outside of Latin-1.
            from maker_pdf import fold

            truth = tuple(map(fold, truth))
        else:
            body = maker.html_paper(number, site=form, sidebar=RIVALS, **given)
        page = await read_page(body, None, URL)
        assert sum(map(len, page.paragraphs)) >= 30_000
        assert maker.recall(truth, text(page)) >= 0.97, paper["title"]
        assert maker.surplus(truth, text(page)) <= 0.02, paper["title"]
        assert "column" in form or page.title == paper["title"]


def test_the_makers_papers_are_the_same_every_time() -> None:
    assert maker.html_paper(3) == maker.html_paper(3)
    assert maker.pdf_paper(3, columns=2) == maker.pdf_paper(3, columns=2)
    assert maker.text_of(3) != maker.text_of(4)
    paragraphs = [b.text for b in maker.content(3).blocks if b.tag == "paragraph"]
    assert len(set(paragraphs)) == len(paragraphs)
