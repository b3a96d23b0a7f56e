"""As much of CSS as tells whether text is seen: simple selectors, a dozen properties."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from lxml.html import HtmlElement

_MAX_CSS: Final = 400_000
_MAX_RULES: Final = 3_000
_WATCHED: Final = frozenset(
    "display visibility opacity color background background-color background-image font-size font"
    " position left right top bottom text-indent clip clip-path width height max-width max-height"
    " overflow overflow-x overflow-y transform content-visibility filter margin-left"
    " -webkit-text-fill-color".split()
)
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_AT_RULE: Final = re.compile(r"@[\w-]+[^{};@]*([{;])")
_BRACE: Final = re.compile(r"[{}]")
_COMPOUND: Final = re.compile(r"(?:[a-z][a-z0-9]*|\*)?(?:[.#][\w-]+)*", re.IGNORECASE)
_PART: Final = re.compile(r"([.#]?)([\w-]+|\*)")

Declared = dict[str, tuple[str, bool]]
"""Property to value and whether it is `!important`."""


@dataclass(frozen=True, slots=True)
class _Compound:
    tag: str
    ids: frozenset[str]
    classes: frozenset[str]
    child: bool
    """Whether it must be a child of the one before, and not anywhere below."""

    def fits(self, element: HtmlElement) -> bool:
        return (
            (self.tag in ("", "*") or element.tag == self.tag)
            and (not self.ids or element.get("id") in self.ids)
            and (not self.classes or self.classes <= set((element.get("class") or "").split()))
        )


@dataclass(frozen=True, slots=True)
class _Rule:
    compounds: tuple[_Compound, ...]
    weight: tuple[int, int, int, int]
    """Ids, classes, tags, order."""
    declared: Declared

    def fits(self, element: HtmlElement) -> bool:
        """Whether the compounds before the last one have their elements above `element`."""
        above = element.getparent()
        child = self.compounds[-1].child
        for compound in reversed(self.compounds[:-1]):
            while above is not None and not compound.fits(above):
                if child:
                    return False
                above = above.getparent()
            if above is None:
                return False
            above, child = above.getparent(), compound.child
        return True


class Styles:
    """The style sheets of one page."""

    def __init__(self, sheets: Iterable[str]) -> None:
        self._by_key: dict[str, list[_Rule]] = {}
        self._seen: dict[tuple[str, str, str], list[_Rule]] = {}
        number = 0
        left = _MAX_CSS
        for sheet in sheets:
            text, left = sheet[:left], max(0, left - len(sheet))
            for block in _without_media(_COMMENT.sub(" ", text)).split("}"):
                selectors, _, body = block.rpartition("{")
                declared = declarations(body)
                if not declared or "@" in selectors:
                    continue
                for selector in selectors.split(","):
                    rule = _rule(selector.strip(), number, declared)
                    number += 1
                    if rule is None or number > _MAX_RULES:
                        continue
                    last = rule.compounds[-1]
                    key = next((f"#{i}" for i in sorted(last.ids)), "") or next(
                        (f".{c}" for c in sorted(last.classes)), last.tag or "*"
                    )
                    self._by_key.setdefault(key, []).append(rule)

    def of(self, element: HtmlElement) -> dict[str, str]:
        """The watched properties of `element` by sheets and by its own `style`."""
        found: dict[str, tuple[bool, str]] = {}
        if self._by_key:
            for rule in self._candidates(element):
                if len(rule.compounds) > 1 and not rule.fits(element):
                    continue
                for name, (value, important) in rule.declared.items():
                    if important or not found.get(name, (False, ""))[0]:
                        found[name] = (important, value)
        inline = element.get("style")
        if inline:
            for name, (value, important) in declarations(inline[:5_000]).items():
                if important or not found.get(name, (False, ""))[0]:
                    found[name] = (important, value)
        return {name: value for name, (_, value) in found.items()}

    def _candidates(self, element: HtmlElement) -> list[_Rule]:
        """Rules whose last compound fits, weakest first."""
        mark = (str(element.tag), element.get("id") or "", element.get("class") or "")
        known = self._seen.get(mark)
        if known is None:
            keys = dict.fromkeys(
                ["*", mark[0], f"#{mark[1]}", *(f".{name}" for name in mark[2].split())]
            )
            known = [
                rule
                for key in keys
                for rule in self._by_key.get(key, ())
                if rule.compounds[-1].fits(element)
            ]
            known.sort(key=lambda rule: rule.weight)
            self._seen[mark] = known
        return known


def declarations(text: str) -> Declared:
    """The watched properties of a declaration block, values in lower case."""
    found: Declared = {}
    for piece in text.split(";"):
        name, colon, value = piece.partition(":")
        name = name.strip().casefold()
        if not colon or name not in _WATCHED:
            continue
        value = value.strip()[:300].casefold()
        important = value.endswith("important") and "!" in value
        if important:
            value = value.rpartition("!")[0].strip()
        if important or not found.get(name, ("", False))[1]:
            found[name] = (value, important)
    return found


def _without_media(text: str) -> str:
    """`text` without the bodies of `@media` rules that are not for every screen: what prints or
    small screens hide is seen."""
    if "@" not in text:
        return text
    kept: list[str] = []
    at = 0
    for match in _AT_RULE.finditer(text):
        if match.start() < at:
            continue
        kept.append(text[at : match.start()])
        at = match.end()
        if match[1] == ";":
            continue
        depth = 1
        begins = at
        for brace in _BRACE.finditer(text, at):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                at = brace.end()
                break
        else:
            at = len(text)
        if re.match(r"@(?:layer|media\s+(?:screen|all)\s*\{|supports)", match[0]):
            kept.append(text[begins : at - 1])
    kept.append(text[at:])
    return "".join(kept)


def _rule(selector: str, number: int, declared: Declared) -> _Rule | None:
    """None for what takes more than tags, ids and classes: states, attributes, siblings."""
    if not selector or len(selector) > 200:
        return None
    compounds: list[_Compound] = []
    child = False
    for piece in selector.replace(">", " > ").split():
        if piece == ">":
            child = True
            continue
        if not _COMPOUND.fullmatch(piece):
            return None
        parts = _PART.findall(piece)
        compounds.append(
            _Compound(
                tag="".join(name for mark, name in parts if not mark).casefold(),
                ids=frozenset(name for mark, name in parts if mark == "#"),
                classes=frozenset(name for mark, name in parts if mark == "."),
                child=child,
            )
        )
        child = False
    if not compounds:
        return None
    ids = sum(len(one.ids) for one in compounds)
    classes = sum(len(one.classes) for one in compounds)
    tags = sum(one.tag not in ("", "*") for one in compounds)
    return _Rule(tuple(compounds), (ids, classes, tags, number), declared)
