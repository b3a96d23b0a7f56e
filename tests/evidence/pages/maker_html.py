"""Papers as pages: `maker.html_paper` is the way in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

from maker import CANARY, Block, Content

_CSS: Final = """
body { font-family: serif; color: #222; background-color: #fff }
.ghost { color: #fff } .gone { display: none !important }
.far, .further { position: absolute; left: -9999px }
@media print { p { display: none } }
"""

HIDDEN: Final[dict[str, str]] = {
    "display": '<p style="display:none">{}</p>',
    "visibility": '<div style="VISIBILITY : hidden"><p>{}</p></div>',
    "attribute": "<p hidden>{}</p>",
    "aria": '<div aria-hidden="true"><p>{}</p></div>',
    "size": '<span style="font-size:0px">{}</span>',
    "tiny": '<p style="font-size:1px;line-height:1px">{}</p>',
    "opacity": '<p style="opacity:0.0">{}</p>',
    "white": '<p style="color:#FFFFFF">{}</p>',
    "white-rgb": '<p style="color:rgb(255, 255, 255);background:white">{}</p>',
    "same-colour": '<div style="background-color:#0a0a0a"><p style="color:#0a0a0a">{}</p></div>',
    "transparent": '<p style="color:transparent">{}</p>',
    "class-white": '<p class="ghost">{}</p>',
    "class-none": '<p class="note gone">{}</p>',
    "class-far": '<div class="further"><p>{}</p></div>',
    "off-screen": '<p style="position:absolute;left:-10000px">{}</p>',
    "indent": '<p style="text-indent:-9999px">{}</p>',
    "clip": '<p style="position:absolute;clip:rect(0,0,0,0)">{}</p>',
    "clip-path": '<p style="clip-path: inset(50%)">{}</p>',
    "no-height": '<p style="height:0;overflow:hidden">{}</p>',
    "scaled": '<p style="transform:scale(0)">{}</p>',
    "comment": "<!-- {} -->",
    "alt": '<p><img src="x.png" alt="{}" title="{}"></p>',
    "data": '<p data-note="{}" aria-label="{}" title="{}">A visible remark.</p>',
    "noscript": "<noscript><p>{}</p></noscript>",
    "template": "<template><p>{}</p></template>",
    "script": '<script type="text/plain">{}</script>',
    "style": "<style>/* {} */</style>",
    "details": "<dialog><p>{}</p></dialog>",
    "input": '<form><input type="hidden" value="{}"><textarea hidden>{}</textarea></form>',
    "tags": "<p>A visible remark.<TAGS></p>",
}
"""Text that no reader sees, by the way in which it is hidden."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a page is made of; see `maker.html_paper`."""

    paper: Content
    site: str
    url: str
    doi: str
    hidden: tuple[str, ...]
    sidebar: tuple[str, ...]
    later: str
    charset: str


def page(made: Page) -> str:
    """The whole page."""
    paper, site = made.paper, made.site
    body = list((_latexml if site == "latexml" else _plain)(paper, made.later))
    for number, name in enumerate(made.hidden):
        text = f"{CANARY}-{name}."
        tags = "".join(chr(0xE0000 + ord(c)) for c in text)
        trap = HIDDEN[name].replace("{}", text).replace("<TAGS>", tags)
        place = (number + 1) * len(body) // (len(made.hidden) + 1)
        while not body[place].startswith(("<p", "<h2")):
            place -= 1
        body.insert(place, trap)
    head = "\n".join(_head(paper, site, made.url, made.doi, made.charset))
    frame = {"latexml": _LATEXML, "blog": _BLOG}.get(site, _FRAME)
    return (
        frame.replace("@HEAD", head)
        .replace("@TITLE", escape(paper.title))
        .replace("@AUTHORS", escape(", ".join(paper.authors)))
        .replace("@ABSTRACT", escape(paper.abstract))
        .replace("@RELATED", "".join(f"<li><a href='#'>{escape(t)}</a></li>" for t in made.sidebar))
        .replace("@BODY", "\n".join(body))
    )


def _head(paper: Content, site: str, url: str, doi: str, charset: str) -> Iterator[str]:
    yield f'<meta charset="{charset}">'
    yield f"<title>{escape(paper.title)} | Examples Online</title>"
    yield f"<style>{_CSS}</style>"
    if url:
        yield f'<link rel="canonical" href="{escape(url)}">'
    if site == "blog":
        yield f'<meta property="article:published_time" content="{paper.date}">'
        return
    yield f'<meta name="citation_title" content="{escape(paper.title)}">'
    yield from (f'<meta name="citation_author" content="{escape(a)}">' for a in paper.authors)
    yield f'<meta name="citation_publication_date" content="{paper.date.replace("-", "/")}">'
    yield f'<meta name="citation_conference_title" content="{escape(paper.venue)}">'
    if doi:
        yield f'<meta name="citation_doi" content="{escape(doi)}">'


_FRAME: Final = """<!DOCTYPE html>
<html lang="en"><head>@HEAD</head><body>
<header><nav><a href="/">Home</a> <a href="/issues">All issues</a> <a href="/login">Sign in</a>
</nav></header>
<div class="cookie-banner">We use cookies to improve your experience. <button>Accept</button></div>
<main><article>
<h1>@TITLE</h1><p class="authors">@AUTHORS</p>
<section class="abstract"><h2>Abstract</h2><p>@ABSTRACT</p></section>
@BODY
</article></main>
<aside class="related"><h2>Related papers</h2><ul>@RELATED</ul></aside>
<footer><p>Copyright Examples Online. All rights reserved.</p><a href="/terms">Terms</a></footer>
</body></html>"""

_BLOG: Final = """<!DOCTYPE html>
<html lang="en"><head>@HEAD</head><body>
<div id="menu"><ul><li><a href="/">Blog</a></li><li><a href="/about">About me</a></li></ul></div>
<div class="post"><h1>@TITLE</h1><div class="entry-content"><p>@ABSTRACT</p>
@BODY
</div></div>
<div class="related-posts"><h3>You might also like</h3><ul>@RELATED</ul></div>
<div id="footer"><p>Powered by Examples. Subscribe to the feed.</p></div>
</body></html>"""

_LATEXML: Final = """<!DOCTYPE html>
<html lang="en"><head>@HEAD</head><body>
<nav class="ltx_page_navbar"><nav class="ltx_TOC"><ol class="ltx_toclist">
<li class="ltx_tocentry"><a class="ltx_ref" href="#S1">1 Introduction</a></li></ol></nav></nav>
<div class="ltx_page_main"><div class="ltx_page_content"><article class="ltx_document">
<h1 class="ltx_title ltx_title_document">@TITLE</h1>
<div class="ltx_authors"><span class="ltx_creator ltx_role_author"><span class="ltx_personname">
@AUTHORS</span></span></div>
<div class="ltx_abstract"><h6 class="ltx_title ltx_title_abstract">Abstract</h6>
<p class="ltx_p">@ABSTRACT</p></div>
@BODY
</article></div>
<footer class="ltx_page_footer"><div class="ltx_page_logo">Generated by
<a href="http://dlmf.nist.gov/LaTeXML/">L a T e XML</a></div></footer></div>
<div class="package-alerts" role="status">HTML conversions sometimes display errors.</div>
</body></html>"""


def _blocks(paper: Content, later: str) -> Iterator[Block]:
    for number, block in enumerate(paper.blocks):
        if later and number == len(paper.blocks) // 2:
            yield Block("paragraph", later)
        yield block


def _plain(paper: Content, later: str) -> Iterator[str]:
    """Markup as most sites have it; the paragraphs of a list or a table are one element."""
    opened = ""
    for block in _blocks(paper, later):
        around = {"item": "ul", "row": "table", "reference": "ol"}.get(block.tag, "")
        if around != opened:
            if opened:
                yield f"</{opened}>"
            if around:
                yield f"<{around}>"
            opened = around
        text = escape(block.text)
        if block.tag == "heading":
            yield f"<h{block.level}>{text}</h{block.level}>"
        elif block.tag == "maths":
            tex = escape(block.text.strip("$"))
            source = f'<script type="math/tex; mode=display">{tex}</script>'
            yield f'<div class="equation">{source}</div>'
        elif block.tag in ("item", "reference"):
            yield f"<li>{text}</li>"
        elif block.tag == "row":
            yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in block.cells)}</tr>"
        else:
            yield f"<p>{text}</p>"
    if opened:
        yield f"</{opened}>"


def _latexml(paper: Content, later: str) -> Iterator[str]:
    """Markup as LaTeXML writes it: MathML with its TeX beside it, bibliography items in parts."""
    opened = ""
    for block in _blocks(paper, later):
        around = {
            "item": "ul class='ltx_itemize'",
            "row": "table class='ltx_tabular'",
            "reference": "ul class='ltx_biblist'",
        }.get(block.tag, "")
        if around != opened:
            if opened:
                yield f"</{opened.split()[0]}>"
            if around:
                yield f"<{around}>"
            opened = around
        text = escape(block.text)
        if block.tag == "heading":
            kind = "section" if block.level == 2 else "subsection"
            number, _, name = text.partition(" ")
            if not name:
                number, name = "", text
            mark = f'<span class="ltx_tag ltx_tag_{kind}">{number} </span>' if number else ""
            tag = f"h{block.level}"
            yield f'<{tag} class="ltx_title ltx_title_{kind}">{mark}{name}</{tag}>'
        elif block.tag == "maths":
            tex = escape(block.text.strip("$"))
            yield (
                '<table class="ltx_equation ltx_eqn_table"><tbody><tr class="ltx_eqn_row">'
                '<td class="ltx_eqn_cell ltx_eqn_center_padleft"></td><td class="ltx_eqn_cell">'
                f'<math class="ltx_Math" alttext="{tex}" display="block"><semantics><mrow><mi>L'
                f'</mi><mo>=</mo><mi aria-hidden="true">x</mi></mrow><annotation encoding='
                f'"application/x-tex">{tex}</annotation></semantics></math></td></tr></tbody></table>'
            )
        elif block.tag == "item":
            yield (
                '<li class="ltx_item" style="list-style-type:none"><span class="ltx_tag '
                f'ltx_tag_item">•</span><div class="ltx_para"><p class="ltx_p">{text}</p></div>'
                "</li>"
            )
        elif block.tag == "reference":
            first, _, rest = text.partition(". ")
            yield (
                f'<li class="ltx_bibitem"><span class="ltx_bibblock">{first}.</span> '
                f'<span class="ltx_bibblock">{rest}</span></li>'
            )
        elif block.tag == "row":
            cells = "".join(f'<td class="ltx_td">{escape(cell)}</td>' for cell in block.cells)
            yield f'<tr class="ltx_tr">{cells}</tr>'
        else:
            yield f'<p class="ltx_p">{text}</p>'
    if opened:
        yield f"</{opened.split()[0]}>"
