"""Elements to paragraphs: headings, lists, tables and text, each on one line."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from bs4.element import NavigableString, Tag

from ideatrail.evidence.pages.clean import clean, one_line

_BLOCKS: Final = frozenset(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption"
    " figure footer form header hgroup hr html legend li main menu nav ol p pre search section"
    " summary table tbody td tfoot th thead tr ul caption".split()
)
_HEADINGS: Final = {f"h{n}": n for n in range(1, 7)}
BREAK: Final = "\ue002"
"""Where a paragraph ends inside of an element, in text on its way through an extractor."""
_LONG_CELL: Final = 400
_MAX_CODE_LINES: Final = 5_000
_POWER: Final = re.compile(r"[-+−–]?(?:\d{1,4}|[A-Za-z])")


@dataclass(slots=True)
class Blocks:
    """Paragraphs as they come, with what was met on the way."""

    lines: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    """As they stand in the page."""
    unseen: int = 0
    """Characters without a shape that were taken out."""
    _buffer: list[str] = field(default_factory=list)
    _prefix: str = ""
    _levels: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, *roots: Tag) -> Blocks:
        """All that stands in `roots`. They must not be nested more than some hundred levels."""
        blocks = cls()
        # The highest heading is `##`, the next one `###`: pages begin at any level they like. One
        # that stands alone at the top is the title.
        seen = Counter(_HEADINGS[h.name] for root in roots for h in root.find_all(list(_HEADINGS)))
        levels = sorted(seen)
        if len(levels) > 1 and levels[0] == 1 and seen[1] == 1:
            levels = levels[1:]
        blocks._levels = {level: min(2 + n, 4) for n, level in enumerate(levels)}
        for root in roots:
            blocks._walk(root)
            blocks._flush()
        return blocks

    def _walk(self, element: Tag) -> None:
        name = element.name
        if name in _HEADINGS:
            self._flush()
            text = one_line(self._clean(self._inline(element)))
            if text:
                self.lines.append(f"{'#' * self._levels.get(_HEADINGS[name], 2)} {text}")
        elif name == "br":
            # Two in a row stand for a new paragraph.
            if self._buffer and self._buffer[-1] == "\n":
                self._flush()
            else:
                self._buffer.append("\n")
        elif name == "pre":
            self._flush()
            self._code(element)
        elif name == "table":
            self._flush()
            self._table(element)
        elif name == "li":
            self._flush()
            self._prefix = "- "
            self._children(element)
            self._flush()
            self._prefix = ""
        elif name in ("sup", "sub"):
            self._buffer.append(self._inline(element))
        elif name in _BLOCKS:
            self._flush()
            self._children(element)
            self._flush()
        else:
            self._link(element)
            self._children(element)

    def _children(self, element: Tag) -> None:
        for child in element.children:
            if isinstance(child, Tag):
                self._walk(child)
            elif type(child) is NavigableString and (text := str(child)):
                # White space between elements is none between lines.
                self._buffer.append(" " if text.isspace() else re.sub(r"\s+", " ", text))

    def _flush(self) -> None:
        whole = self._clean("".join(self._buffer))
        self._buffer.clear()
        for part in whole.split(BREAK):
            text = one_line(part)
            if text:
                self.lines.append(self._prefix + text)
                self._prefix = ""

    def _table(self, table: Tag) -> None:
        rows = [row for row in table.find_all("tr") if row.find_parent("table") is table]
        cells = [row.find_all(["td", "th"], recursive=False) for row in rows]
        texts = [[one_line(self._clean(self._inline(c))) for c in row] for row in cells]
        widest = max((sum(map(bool, row)) for row in texts), default=0)
        layout = table.find("table") is not None or any(
            len(text) > _LONG_CELL for row in texts for text in row
        )
        if layout or widest < 2 or not rows:
            for child in table.children:
                if isinstance(child, Tag):
                    self._walk(child)
            self._flush()
            return
        for caption in table.find_all("caption", recursive=False):
            self._walk(caption)
        self.lines.extend(" | ".join(row).strip() for row in texts if any(row))

    def _code(self, element: Tag) -> None:
        for br in element.find_all("br"):
            br.replace_with("\n")
        lines = self._clean(element.get_text()).expandtabs(4).splitlines()[:_MAX_CODE_LINES]
        self.lines.extend(line.rstrip() for line in lines if line.strip())

    def _inline(self, element: Tag) -> str:
        """The words of an element as one run, with its links taken down."""
        pieces: list[str] = []
        for node in element.descendants:
            if isinstance(node, Tag):
                self._link(node)
                if node.name in _BLOCKS or node.name == "br":
                    pieces.append(" ")
                continue
            if type(node) is NavigableString:
                pieces.append(_raised(node) + str(node))
        if element.name in ("sup", "sub") and element.a is None:
            text = "".join(pieces).strip()
            return ("^" if element.name == "sup" else "_") * _is_power(text) + text
        return "".join(pieces)

    def _link(self, element: Tag) -> None:
        target = element.get("href") if element.name == "a" else None
        if isinstance(target, str) and target and not target.startswith("#"):
            self.links.append(target)

    def _clean(self, text: str) -> str:
        text, unseen = clean(text)
        self.unseen += unseen
        return text


def _is_power(text: str) -> bool:
    """Whether raised or lowered text is part of a number or a formula: `10^-3`, not `1st`."""
    return _POWER.fullmatch(text) is not None


def _raised(node: NavigableString) -> str:
    above = node.parent
    if above is None or above.name not in ("sup", "sub") or above.a or not _is_power(node.strip()):
        return ""
    return "^" if above.name == "sup" else "_"
