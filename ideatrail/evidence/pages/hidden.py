"""Text of an HTML page that no reader sees, found and taken out.

Pages carry instructions for agents where people do not look. What a browser would not draw, or
would draw so that no one can read it, is dropped. Only what the page itself says is known: its
attributes and its `<style>` sheets, not those that it loads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from ideatrail.evidence.pages.colours import BLACK, WHITE, Colour, colour, pixels, same
from ideatrail.evidence.pages.styles import Styles

_NOT_TEXT: Final = frozenset(
    "script style noscript template iframe object embed applet canvas audio video svg input"
    " textarea select option button datalist head noframes noembed math-field progress meter"
    " rp xml".split()
)
"""Elements whose text is for programs or for filling in."""
_HIDING_CLASSES: Final = frozenset(
    "sr-only visually-hidden visuallyhidden screen-reader-text screenreader-text screen-reader-only"
    " element-invisible u-hidden d-none is-hidden a11y-hidden offscreen off-screen"
    " mw-editsection navbox-hidden".split()
)
"""Class names that hide by custom, with or without a style sheet at hand."""
_WORD: Final = re.compile(r"\w")
_PROSE: Final = re.compile(r"\s*(?:\S+\s+){4}\S")
"""Five words: what could tell someone to do something."""
_ATTRIBUTES: Final = ("alt", "title", "aria-label", "aria-description", "summary", "placeholder")
_FAR: Final = -900.0
_TINY: Final = 2.0
_ZEROES: Final = re.compile(r"(?:scale[xy3d]*\(\s*0*\.?0*[\s,)]|translate[xy3d]*\(\s*-\d{3,})")
_CLIPPED: Final = re.compile(
    r"rect\((?:\s*[01](?:px)?\s*,?){4}\)|inset\(\s*(?:50|[6-9]\d|100)%|circle\(\s*0[^.\d]"
    r"|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?\s*(?:,\s*0(?:px|%)?\s+0(?:px|%)?\s*)*\)"
)


@dataclass(frozen=True, slots=True)
class _Look:
    """How text looks here, by what is inherited and what lies behind it."""

    ink: Colour = BLACK
    paper: Colour | None = WHITE
    """None: an image, or what cannot be known."""
    alpha: float = 1.0
    size: float = 16.0
    visible: bool = True

    @property
    def unseen(self) -> bool:
        return (
            not self.visible
            or self.size < _TINY
            or self.alpha < 0.05
            or (self.paper is not None and same(self.ink, self.paper))
        )


@dataclass(slots=True)
class Dropped:
    """What was taken out."""

    places: int = 0
    comments: int = 0
    attributes: int = 0

    @property
    def notes(self) -> list[str]:
        """One line a kind."""
        said = []
        if self.places:
            said.append(f"hidden text left out ({_count(self.places, 'place')})")
        if self.comments:
            said.append(f"comments left out ({_count(self.comments, 'place')})")
        if self.attributes:
            said.append(f"text in attributes left out ({_count(self.attributes, 'place')})")
        return said


def drop_hidden(root: HtmlElement, styles: Styles) -> Dropped:
    """Takes out of the tree what is not seen, and what is no text at all."""
    dropped = Dropped()
    doomed: list[etree._Element] = []
    stack: list[tuple[HtmlElement, _Look]] = [(root, _Look())]
    while stack:
        element, look = stack.pop()
        if not isinstance(element.tag, str):
            dropped.comments += bool(_PROSE.match(element.text or ""))
            doomed.append(element)
            continue
        if element.tag in _NOT_TEXT:
            doomed.append(element)
            continue
        style = styles.of(element)
        if _gone(element, style):
            dropped.places += _has_text(element)
            doomed.append(element)
            continue
        dropped.attributes += sum(
            bool(_PROSE.match(value))
            for name, value in element.attrib.items()
            if name in _ATTRIBUTES or name.startswith("data-")
        )
        look = _look(look, element, style)
        if look.unseen:
            dropped.places += _blank(element)
        stack.extend((child, look) for child in reversed(element))
    for element in doomed:
        _remove(element)
    return dropped


def _gone(element: HtmlElement, style: dict[str, str]) -> bool:
    """Whether the element is not drawn, nor anything in it, whatever that says for itself."""
    if element.get("hidden") is not None or element.get("aria-hidden", "").casefold() == "true":
        return True
    if element.tag == "dialog" and element.get("open") is None:
        return True
    classes = (element.get("class") or "").split()
    if not _HIDING_CLASSES.isdisjoint(classes):
        return True
    if "hidden" in classes and not any(":" in name for name in classes):
        return True
    if not style:
        return False
    if style.get("display") == "none" or style.get("content-visibility") == "hidden":
        return True
    for value in (style.get("opacity"), _argument(style.get("filter", ""), "opacity")):
        number = pixels(value, 1.0) if value else None
        if number is not None and number < 0.05:
            return True
    if _CLIPPED.search(style.get("clip", "") + " " + style.get("clip-path", "")):
        return True
    if _ZEROES.search(style.get("transform", "")):
        return True
    placed = style.get("position", "") in ("absolute", "fixed", "relative")
    for name in ("left", "top", "right", "bottom", "text-indent", "margin-left"):
        if not placed and name not in ("text-indent", "margin-left"):
            continue
        length = pixels(style.get(name, "") or "0", 1200.0 if "%" in style.get(name, "") else 16.0)
        if length is not None and length <= _FAR:
            return True
    if "hidden" in (style.get("overflow"), style.get("overflow-x"), style.get("overflow-y")):
        for name in ("width", "height", "max-width", "max-height"):
            length = pixels(style[name]) if name in style else None
            if length is not None and length <= 1.0 and "%" not in style[name]:
                return True
    return False


def _look(look: _Look, element: HtmlElement, style: dict[str, str]) -> _Look:
    """How text of `element` itself looks."""
    ink = style.get("-webkit-text-fill-color") or style.get("color")
    paper = style.get("background-color") or style.get("background") or element.get("bgcolor")
    if not ink and element.tag == "font":
        ink = element.get("color")
    if not ink and element.tag == "body":
        ink = element.get("text")
    if not (ink or paper or style):
        return look
    if ink and (found := colour(ink.casefold())):
        look = replace(look, ink=found[0], alpha=found[1])
    behind = f"{paper or ''} {style.get('background-image', '')}"
    if "url(" in behind or "gradient" in behind:
        look = replace(look, paper=None)
    elif paper and (found := colour(paper.casefold())) and found[1] > 0.5:
        look = replace(look, paper=found[0])
    size = style.get("font-size")
    if size is None and "font" in style:
        size = next((part for part in style["font"].split() if part[:1].isdigit()), None)
    if size and (length := pixels(size, look.size)) is not None:
        look = replace(look, size=length)
    visibility = style.get("visibility")
    if visibility:
        look = replace(look, visible=visibility not in ("hidden", "collapse"))
    return look


def _blank(element: HtmlElement) -> bool:
    """Takes the element's own words out; whether there were any."""
    had = bool(_WORD.search(element.text or ""))
    element.text = None
    for child in element:
        had = had or bool(_WORD.search(child.tail or ""))
        child.tail = None
    return had


def _has_text(element: HtmlElement) -> bool:
    return any(_WORD.search(text) for text in element.itertext(tag=etree.Element))


def _remove(element: etree._Element) -> None:
    """Takes the element out and leaves the text that follows it."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def _argument(value: str, function: str) -> str:
    match = re.search(rf"{function}\(\s*([\d.]+%?)", value)
    return match[1] if match else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("s" if number != 1 else "")
