"""Mathematics of a page, as `$…$`.

MathML carries its TeX as an annotation or as `alttext`, MathJax and KaTeX beside what they draw.
Neither is drawn itself, so text could hide there: TeX counts only if its words are in the formula
that is drawn, or if it has hardly any words.
"""

from __future__ import annotations

import re
from typing import Final

from lxml.html import HtmlElement, HtmlMixin

from ideatrail.evidence.pages.clean import one_line

_WRAPPERS: Final = re.compile(
    r"(?:^|\s)(?:katex|katex-display|mwe-math-element|MathJax|MathJax_Display|math-tex)(?:\s|$)"
)
_DRAWN: Final = re.compile(
    r"(?:^|\s)MathJax(?:_Preview|_Display|_SVG|_SVG_Display|_CHTML)?(?:\s|$)"
)
_COMMAND: Final = re.compile(
    r"\\(?:begin|end|label|operatorname|math[a-z]+)\s*\*?\{[^{}]*\}|\\[A-Za-z]+|[^A-Za-z\\]+"
)
_STYLE: Final = re.compile(r"\\(?:display|text|script(?:script)?)style\b\s*")
_MAX: Final = 4_000
_FEW: Final = 4


def mathematics_to_text(root: HtmlElement) -> int:
    """Puts `$…$` in the place of every formula. How many carried words that are not drawn."""
    hiding = 0
    for script in list(root.iter("script")):
        kind = script.get("type", "").casefold()
        if kind.startswith("math/tex"):
            tex = script.text or ""
            _drop_drawn(script)
            if len(_words(tex)) > _FEW:
                hiding += 1
                tex = ""
            _put(script, _formula(tex))
    for math in list(root.iter("math")):
        drawn = _drawn(math)
        tex = _tex(math)
        if tex and not _honest(tex, drawn):
            hiding += 1
            tex = ""
        _put(_whole(math), _formula(tex or drawn))
    return hiding


def _formula(tex: str) -> str:
    text = one_line(_STYLE.sub("", tex)).removeprefix("%").strip()
    for opening, closing in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
        if text.startswith(opening) and text.endswith(closing) and len(text) > len(opening) * 2:
            text = text[len(opening) : -len(closing)].strip()
    if text.startswith("{") and text.endswith("}") and text.count("{") == text.count("}") == 1:
        text = text[1:-1].strip()
    return f"${text[:_MAX]}$" if text else ""


def _tex(math: HtmlElement) -> str:
    for note in math.iter("annotation"):
        if "tex" in note.get("encoding", "").casefold():
            return str(note.text_content())
    return str(math.get("alttext") or "")


def _drawn(math: HtmlElement) -> str:
    """What is drawn, its pieces in their order."""
    pieces: list[str] = []
    stack: list[HtmlElement] = [math]
    while stack:
        element = stack.pop()
        if not isinstance(element.tag, str) or element.tag.startswith("annotation"):
            continue
        text = (element.text or "").strip()
        if text and not any(mark in element.attrib for mark in ("hidden", "style")):
            pieces.append(text)
        stack.extend(reversed(element))
    return " ".join(pieces)


def _honest(tex: str, drawn: str) -> bool:
    """Whether the words of `tex` are drawn, all but a few."""
    there = re.sub(r"\s+", "", drawn).casefold()
    return sum(word.casefold() not in there for word in _words(tex)) <= _FEW


def _words(tex: str) -> list[str]:
    """Words of three letters and more that are no commands."""
    return [word for word in _COMMAND.sub(" ", tex).split() if len(word) > 2]


def _whole(math: HtmlElement) -> HtmlElement:
    """The outermost of the elements that hold this formula and nothing else."""
    whole = math
    above = math.getparent()
    for _ in range(4):
        if above is None:
            break
        if _WRAPPERS.search(above.get("class") or "") or above.tag in ("mjx-container",):
            whole = above
        above = above.getparent()
    return whole


def _drop_drawn(script: HtmlElement) -> None:
    """Takes out what MathJax drew before its source."""
    before = script.getprevious()
    while isinstance(before, HtmlMixin) and _DRAWN.search(before.get("class") or ""):
        if (before.tail or "").strip():
            break
        doomed, before = before, before.getprevious()
        doomed.drop_tree()


def _put(element: HtmlElement, text: str) -> None:
    """Puts `text` where `element` stood; what follows stays."""
    parent = element.getparent()
    if parent is None:
        return
    text += element.tail or ""
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + text
    else:
        parent.text = (parent.text or "") + text
    parent.remove(element)
    if parent.tag == "div" and not len(parent):
        parent.tag = "p"  # a displayed formula is a paragraph, and no decoration
