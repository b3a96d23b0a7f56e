"""Whole papers come out whole, and what stands beside them stays out."""

# ruff: noqa: E501 - markup is read best as it stands in pages

from __future__ import annotations

from collections import Counter

import pytest
import typeset

from ideatrail.evidence.pages import PageText, read_page

URL = "https://journal.example/articles/7"


def text(page: PageText) -> list[str]:
    """The text's paragraphs."""
    return [p for p in page.paragraphs if not p.startswith(("## ", "### ", "[page "))]


def shares(made: typeset.Made, page: PageText) -> tuple[float, float]:
    """Share of the words that came out, and share of those that came out too much."""
    wanted = Counter(" ".join(made.paragraphs).split())
    found = Counter(" ".join(text(page)).split())
    both = sum((wanted & found).values())
    return both / wanted.total(), 1 - both / found.total()


@pytest.mark.parametrize("seed", range(3))
async def test_a_publishers_page(seed) -> None:
    made = typeset.html_paper(seed, doi="10.1000/X.7")
    page = await read_page(made.body, made.content_type, URL)
    recall, noise = shares(made, page)
    assert recall >= 0.99
    assert noise <= 0.005
    assert (page.title, page.authors) == (made.title, made.authors)
    assert (page.date, page.venue) == ("2018/05/04", "The Journal of Examples")
    assert page.aliases == ("https://doi.org/10.1000/x.7",)
    assert [p[3:] for p in page.paragraphs if p.startswith("## ")] == list(typeset.SECTIONS)
    assert not any("Later Paper" in p or "cookies" in p for p in page.paragraphs)
    assert page.kind == "full text"


@pytest.mark.parametrize("columns", [1, 2])
async def test_a_typeset_paper(columns) -> None:
    made = typeset.pdf_paper(5, columns=columns)
    page = await read_page(made.body, "application/pdf", f"{URL}.pdf")
    recall, noise = shares(made, page)
    assert recall >= 0.99, "lines parted by hyphens and pages are whole again"
    assert noise <= 0.01
    assert page.title == made.title, "not the template's that the file names"
    marks = [p for p in page.paragraphs if p.startswith("[page ")]
    assert marks == [f"[page {n}]" for n in range(1, len(marks) + 1)]
    assert len(marks) >= 4
    headings = [p for p in page.paragraphs if p.startswith("## ")]
    assert [h.split(" ", 2)[2] for h in headings] == list(typeset.SECTIONS)
    assert not any("vol. 3" in p for p in page.paragraphs)


async def test_a_long_paper_has_all_its_pages() -> None:
    made = typeset.pdf_paper(2, chars=200_000)
    page = await read_page(made.body, "application/pdf", URL)
    assert shares(made, page)[0] >= 0.99
    assert sum(map(len, page.paragraphs)) >= 200_000


CHARSETS = ("utf-8", "iso-8859-1", "utf-16", "windows-1251", "shift_jis")


@pytest.mark.parametrize(
    ("charset", "told"),
    [
        *((charset, told) for charset in CHARSETS for told in ("header", "meta")),
        ("utf-8", "nowhere"),  # of others the content alone is a guess
        ("utf-16", "nowhere"),
    ],
)
async def test_charsets(charset, told) -> None:
    words = {
        "windows-1251": "Как читатели пропускают слова и что из этого следует для перевода",
        "shift_jis": "読者が省略する語について調べ、翻訳への影響を報告する。この論文では三つの実験を行う",
    }.get(charset, "Naïve coöperation über Öffentlichkeit, déjà vu à Málaga señor")
    meta = f"<meta charset='{charset}'>" if told == "meta" and charset != "utf-16" else ""
    body = f"<html><head>{meta}</head><body><p>{words}. {words}.</p></body></html>".encode(charset)
    header = f"text/html; charset={charset}" if told == "header" else "text/html"
    page = await read_page(body, header, URL)
    assert any(words in p for p in page.paragraphs)


async def test_markdown_and_text() -> None:
    markdown = (
        "# A tool\n\nIt reads\nfiles.\n\n## Use\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
        "\n```\nrun it\n```\n"
    )
    page = await read_page(markdown.encode(), "text/markdown", "https://x.example/README.md")
    assert page.title == "A tool"
    assert page.paragraphs == (
        "It reads files.", "## Use", "- one", "- two", "a | b", "1 | 2", "run it",
    )  # fmt: skip
    plain = await read_page(
        b"A Title\n\nFirst line\ngoes on.\n", "text/plain", "https://x.example/a"
    )
    assert plain.paragraphs == ("A Title", "First line goes on.")


async def test_tables_lists_and_maths_stay_readable() -> None:
    inside = (
        "<table><caption>Scores</caption><tr><th>Model</th><th>F1</th></tr>"
        "<tr><td>Base</td><td>71.2</td></tr></table>"
        "<p>We minimise <math alttext='L = \\sum_i x_i^2'><mi>L</mi></math> over all runs.</p>"
        "<p>Then <span class='katex'><span class='katex-mathml'><math><semantics><mi>E</mi>"
        "<annotation encoding='application/x-tex'>E=mc^2</annotation></semantics></math></span>"
        "<span class='katex-html' aria-hidden='true'>E=mc2</span></span> holds.</p>"
        "<p>And <script type='math/tex'>a+b</script> too, as everybody knows by now.</p>"
    )
    made = typeset.html_paper(1, inside=inside)
    page = await read_page(made.body, made.content_type, URL)
    whole = "\n".join(page.paragraphs)
    assert "Model | F1" in whole
    assert "Base | 71.2" in whole
    assert "We minimise $L = \\sum_i x_i^2$ over all runs." in whole
    assert "Then $E=mc^2$ holds." in whole
    assert "And $a+b$ too" in whole


async def test_equal_bytes_give_equal_pages() -> None:
    for made in (typeset.html_paper(4), typeset.pdf_paper(4)):
        one = await read_page(made.body, made.content_type, URL)
        assert one == await read_page(made.body, made.content_type, URL)
