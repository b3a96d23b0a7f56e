"""Sites with a rule of their own. The pages are made by us, in the markup that the sites use."""

# ruff: noqa: E501 - markup is read best as it stands in pages

from __future__ import annotations

import pytest

from ideatrail.evidence.pages import read_page

ABS = """<html><head><meta name="citation_title" content="Marking What Summaries Take">
<meta name="citation_author" content="Example, Ada"><meta name="citation_author" content="Sample, Bo">
<meta name="citation_date" content="2020/01/02"><meta name="citation_online_date" content="2021/03/04">
<meta name="citation_arxiv_id" content="2001.00077"></head><body>
<div id="abs"><div class="dateline">[Submitted on 2 Jan 2020 (v1), last revised 4 Mar 2021 (v3)]</div>
<h1 class="title mathjax"><span class="descriptor">Title:</span>Marking What Summaries Take</h1>
<div class="authors"><span class="descriptor">Authors:</span><a href="/a/1">Ada Example</a>,
<a href="/a/2">Bo Sample</a></div>
<blockquote class="abstract mathjax"><span class="descriptor">Abstract:</span>We mark which sentence
of a source each sentence of a summary rests on, for three kinds of news.</blockquote>
<table><tr><td class="tablecell label">Comments:</td><td class="tablecell comments">Accepted at a later
venue, 2022</td></tr><tr><td>Journal reference:</td><td>Later Journal 2023</td></tr></table></div>
<div class="submission-history"><h2>Submission history</h2>[v3] Thu, 4 Mar 2021</div>
<div class="extra-services"><h3>Related Papers</h3>Something Later</div></body></html>"""

LATEXML = """<html><body><nav class="ltx_page_navbar"><nav class="ltx_TOC">Contents</nav></nav>
<div class="ltx_page_content"><article class="ltx_document">
<h1 class="ltx_title ltx_title_document">Marking What Summaries Take</h1>
<div class="ltx_authors"><span class="ltx_creator"><span class="ltx_personname">Ada Example
<sup>1</sup></span></span><span class="ltx_personname">Bo Sample</span></div>
<div class="ltx_abstract"><h6 class="ltx_title ltx_title_abstract">Abstract</h6>
<p class="ltx_p">We mark sentences.</p></div>
<section class="ltx_section"><h2 class="ltx_title ltx_title_section"><span
class="ltx_tag ltx_tag_section">1</span>Introduction</h2>
<div class="ltx_para"><p class="ltx_p">Readers ask where it stands<span class="ltx_note_outer">1 a
footnote</span>, and <math alttext="p(s|d)"><mi>p</mi></math> answers.</p></div>
<table class="ltx_equation ltx_eqn_table"><tbody><tr><td class="ltx_eqn_cell"><math
alttext="\\ell = -\\log p"><mi>l</mi></math></td><td class="ltx_eqn_eqno">(1)</td></tr></tbody></table>
<figure class="ltx_table"><table class="ltx_tabular"><tr><td>Model</td><td>F1</td></tr>
<tr><td>Ours</td><td>80.1</td></tr></table></figure></section>
<section class="ltx_bibliography"><h2 class="ltx_title">References</h2><ul class="ltx_biblist">
<li class="ltx_bibitem"><span class="ltx_tag ltx_tag_bibitem">[1]</span>Cee. 2019. <em>On marks</em>.
</li></ul></section></article></div></body></html>"""

ACL = """<html><head><meta content="Marking What Summaries Take" name="citation_title">
<meta content="Ada Example" name="citation_author"><meta content="2020/7" name="citation_publication_date">
<meta content="10.18653/v1/2020.acl-main.77" name="citation_doi"></head><body><section id="main">
<h2 id="title"><a href="https://aclanthology.org/2020.acl-main.77.pdf">Marking What Summaries
<span class="acl-fixed-case">T</span>ake</a></h2><p class="lead"><a href="/people/a/">Ada Example</a>,
<a href="/people/b/">Bo Sample</a></p><div class="card-body acl-abstract"><h5
class="card-title">Abstract</h5><span>We mark which sentence a summary rests on.</span></div>
<dl><dt>Anthology ID:</dt><dd>2020.acl-main.77</dd><dt>Venue:</dt><dd><a href="/venues/acl">ACL</a></dd>
<dt>Bibkey:</dt><dd>example-2020</dd></dl></section></body></html>"""

OPENREVIEW = """<html><head><meta name="citation_title" content="Marking What Summaries Take">
<meta name="citation_author" content="Ada Example"><meta name="citation_publication_date"
content="2020/09/28"></head><body><div class="forum-container"><div class="forum-note">
<h2 class="citation_title">Marking What Summaries Take</h2><h3 class="forum-authors"><a>Ada Example</a>
</h3><div class="note-content"><div><strong>Abstract:</strong> <span>We mark sentences of summaries and
say where each comes from.</span></div><div><strong>Keywords:</strong> summaries</div></div></div>
<div class="forum-replies">Reviewer 2: reject. Later work does it all.</div></div></body></html>"""

README = """<html><head><title>GitHub - x/marks: Marks</title></head><body><div>1,234 stars</div>
<article class="markdown-body entry-content"><h1>marks</h1><a class="anchor">#</a>
<p>Finds what a summary rests on.</p><h2>Use</h2><pre>pip install marks</pre><ul><li>fast</li></ul>
</article><div>Contributors 12</div></body></html>"""


async def read(text: str, url: str):
    return await read_page(text.encode(), "text/html; charset=utf-8", url)


async def test_arxiv_abstract_page() -> None:
    page = await read(ABS, "https://arxiv.org/abs/2001.00077v1")
    assert page.title == "Marking What Summaries Take"
    assert page.authors == ("Ada Example", "Bo Sample")
    assert page.paragraphs == (
        "We mark which sentence of a source each sentence of a summary rests on, for three kinds of "
        "news.",
    )
    assert page.kind == "abstract"
    assert "https://arxiv.org/abs/2001.00077" in page.aliases
    for later in ("Accepted", "Journal", "v3", "Later", "2021"):
        assert not any(later in p for p in page.paragraphs), later


@pytest.mark.parametrize(
    "url", ["https://arxiv.org/html/2001.00077v1", "https://ar5iv.labs.arxiv.org/html/2001.00077"]
)
async def test_arxiv_html(url) -> None:
    page = await read(LATEXML, url)
    assert page.title == "Marking What Summaries Take"
    assert page.authors == ("Ada Example", "Bo Sample")
    assert page.paragraphs == (
        "### Abstract",
        "We mark sentences.",
        "## 1 Introduction",
        "Readers ask where it stands, and $p(s|d)$ answers.",
        "[note] 1 a footnote",
        "$\\ell = -\\log p$ (1)",
        "Model | F1",
        "Ours | 80.1",
        "## References",
        "[1] Cee. 2019. On marks.",
    )


async def test_acl_anthology() -> None:
    page = await read(ACL, "https://aclanthology.org/2020.acl-main.77/")
    assert page.title == "Marking What Summaries Take"
    assert page.authors == ("Ada Example", "Bo Sample")
    assert page.venue == "ACL"
    assert page.date == "2020/7"
    assert page.paragraphs == ("We mark which sentence a summary rests on.",)
    assert "https://doi.org/10.18653/v1/2020.acl-main.77" in page.aliases


async def test_openreview_without_its_reviews() -> None:
    page = await read(OPENREVIEW, "https://openreview.net/forum?id=abc")
    assert page.title == "Marking What Summaries Take"
    whole = " ".join(page.paragraphs)
    assert "say where each comes from" in whole
    assert "Reviewer" not in whole


async def test_a_readme_without_what_changes_daily() -> None:
    page = await read(README, "https://github.com/x/marks")
    assert page.title == "marks"
    assert page.paragraphs == (
        "Finds what a summary rests on.", "## Use", "pip install marks", "- fast",
    )  # fmt: skip


@pytest.mark.shared
async def test_a_real_arxiv_head(shared_data) -> None:
    for path in sorted((shared_data / "fixtures" / "arxiv_abs_html").iterdir()):
        page = await read_page(path.read_bytes(), "text/html", "https://arxiv.org/abs/1902.02534v2")
        assert page.title.startswith("Crowdsourcing open citations with CROCI")
        assert page.paragraphs[0].startswith("In this paper, we analyse")


async def test_openreview_as_it_is_drawn_today() -> None:
    page = await read(
        """<html><head><title>Marking | OpenReview</title><meta name="citation_title" content="Marking
        What Summaries Take"><meta name="citation_author" content="Ada Example"></head><body><main>
        <div class="forum-container"><div class="forum-note"><div class="forum-title"><h2
        class="citation_title">Marking What Summaries Take</h2></div><div class="note-content"><div>
        <strong class="note-content-field disable-tex-rendering">Keywords:</strong>
        <span class="note-content-value">summaries</span></div><div><strong class="note-content-field">
        Abstract:</strong> <div class="note-content-value markdown-rendered"><p>We mark sentences.</p>
        <p>Then we count.</p></div></div><div><strong class="note-content-field">Submission Number:
        </strong> <span class="note-content-value">77</span></div></div></div>
        <div class="note depth-odd"><div class="note-content"><strong class="note-content-field">Review:
        </strong><div class="note-content-value">Later work does it all.</div></div></div></div>
        </main></body></html>""",
        "https://openreview.net/forum?id=abc",
    )
    assert page.paragraphs == ("Keywords: summaries", "We mark sentences. Then we count.")
    assert page.kind == "abstract"
    assert page.venue == "OpenReview"


async def test_openreview_that_only_scripts_draw() -> None:
    page = await read(
        """<html><head><meta name="citation_title" content="Marking What Summaries Take"><meta
        name="citation_abstract" content="We mark sentences of summaries."></head><body><div
        id="__next"></div><script>draw()</script></body></html>""",
        "https://openreview.net/forum?id=abc",
    )
    assert page.paragraphs == ("We mark sentences of summaries.",)


async def test_latexml_as_it_is_written() -> None:
    page = await read(
        """<html><head><title>Marking</title></head><body><header class="desktop_header">Report an issue
        </header><div class="ltx_page_main"><div id="watermark-tr">arXiv:2001.00077v1 [cs.CL]</div>
        <article class="ltx_document"><h1 class="ltx_title ltx_title_document">Marking</h1>
        <section class="ltx_section" id="S1"><h2 class="ltx_title ltx_title_section"><span
        class="ltx_tag ltx_tag_section">1 </span>Data</h2><div class="ltx_para"><p class="ltx_p">Two sets
        <span class="ltx_note ltx_role_footnote" id="f1"><sup class="ltx_note_mark">1</sup><span
        class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup><span
        class="ltx_tag ltx_tag_note">1</span>Both are free.</span></span></span> are used
        (<cite class="ltx_cite"><a class="ltx_ref" href="#bib1">Cee, 2019</a></cite>).</p></div>
        <figure class="ltx_table"><span class="ltx_inline-block ltx_tabular"><span class="ltx_tr"><span
        class="ltx_td">Set</span><span class="ltx_td">Size</span></span><span class="ltx_tr"><span
        class="ltx_td">A</span><span class="ltx_td">90</span></span></span><figcaption
        class="ltx_caption"><span class="ltx_tag ltx_tag_table">Table 1: </span>Sizes.</figcaption>
        </figure><table class="ltx_equationgroup"><tbody><tr class="ltx_equation"><td><math
        alttext="\\displaystyle a"><mi>a</mi></math></td><td><math alttext="\\displaystyle=b"><mo>=</mo>
        <mi>b</mi></math></td><td class="ltx_eqn_eqno"><span class="ltx_tag">(2)</span></td></tr></tbody>
        </table></section></article></div></body></html>""",
        "https://arxiv.org/html/2001.00077v1",
    )
    assert page.paragraphs == (
        "## 1 Data",
        "Two sets are used (Cee, 2019).",
        "[note] Both are free.",
        "Set | Size",
        "A | 90",
        "Table 1: Sizes.",
        "$a =b$ (2)",
    )
    assert page.kind == "full text"


async def test_a_publishers_abstract_is_no_full_text() -> None:
    page = await read(
        """<html><head><meta name="citation_title" content="Marking"><meta name="citation_doi"
        content="10.1000/7"></head><body><main><h1>Marking</h1><section><h2>Abstract</h2><p>"""
        + "We mark sentences of summaries and say where each of them comes from. " * 6
        + """</p></section></main><div id="recommended-articles"><h2>Recommended articles</h2><ul>
        <li>Something later</li></ul></div></body></html>""",
        "https://journal.example/doi/10.1000/7",
    )
    assert page.kind == "abstract"
    assert page.paragraphs[0] == "## Abstract"
    assert not any("later" in line for line in page.paragraphs)
    assert page.aliases == ("https://doi.org/10.1000/7",)
