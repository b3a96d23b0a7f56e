"""Lines to paragraphs: joined over lines, columns and pages; hyphens at line ends undone."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from ideatrail.evidence.pages.layout import Line

_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN: Final = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*)[-\u2010\u00ad]$")
_BULLET: Final = re.compile(r"[•▪◦●■\u0095]\s*|[–*·-]\s+(?=\S)")
_LABEL: Final = re.compile(r"(?:\[[\w+-]{1,12}\]|\(?\d{1,2}[.)]|\([a-z]\))\s+\S")
_NUMBERED: Final = re.compile(
    r"(?P<number>(?:\d{1,2}|[A-H])(?:\.\d{1,2}){0,3})\.?\s+(?P<name>[^\W\d_].*)"
)
_ROMAN: Final = re.compile(r"[IVX]{1,5}\.\s+[A-Z][A-Z ,&-]{3,60}")
_NAMED: Final = re.compile(
    r"(?:abstract|introduction|related work|background|methods?|methodology|experiments?|results?"
    r"|discussion|conclusions?|limitations?|references|bibliography|acknowledge?ments?|appendix"
    r"|ethics statement|broader impacts?)[.:]?",
    re.IGNORECASE,
)
_LEADER: Final = re.compile(r"(?:\. ?){5,}")
"""From an entry of a table of contents to its page."""
_ENDS: Final = (".", "?", "!", ":", ".”", '."', ".)", "?)", "!)", ";")
_LONGEST: Final = 20_000
"""Characters of a paragraph; no one has written a longer one."""
_KEPT: Final = frozenset(
    "well self non multi cross long short high low state task data end fine pre post semi real"
    " large small open closed few zero one two three first second third co anti inter intra".split()
)
"""Words that mostly keep their hyphen: `well-known`, `self-training`."""


@dataclass(slots=True)
class Paragraph:
    """As it grows."""

    text: str
    page: int
    """On which it begins."""
    size: float
    kind: str
    """`text`, `heading`, `row` or `item`."""
    level: int = 0

    @property
    def line(self) -> str:
        text = " ".join(self.text.split())
        if self.kind == "heading":
            return f"{'#' * self.level} {text}"
        return f"- {text}" if self.kind == "item" else text


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a document sets its text."""

    body: float
    """Size of most of it."""
    leading: float
    """From line to line."""
    indents: bool
    """Whether paragraphs begin with an indented line."""


def paragraphs(lines: list[Line]) -> list[Paragraph]:
    """All paragraphs of a document, in order."""
    if not lines:
        return []
    weights: Counter[float] = Counter()
    for line in lines:
        weights[round(line.size * 2) / 2] += len(line.text)
    body = weights.most_common(1)[0][0]
    shape = _Shape(body, _leading(lines), _indents(lines, body))
    vocabulary = Counter(word for line in lines for word in _WORD.findall(line.text.casefold()))
    found: list[Paragraph] = []
    before: Line | None = None
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else None
        level = _heading(line, body)
        if level:
            last = found[-1] if found else None
            if (
                last is not None
                and before is not None
                and last.kind == "heading"
                and _same_heading(before, line, shape.leading)
            ):
                last.text = _join(last.text, line.text, vocabulary)
            else:
                found.append(Paragraph(line.text, line.page, line.size, "heading", level))
        elif line.cells > 1 or line.mono or _LEADER.search(line.text):
            found.append(Paragraph(line.text, line.page, line.size, "row"))
        else:
            home = _home(found, before, line, after, shape)
            if home is not None:
                home.text = _join(home.text, line.text, vocabulary)
            else:
                bullet = _BULLET.match(line.text)
                text = line.text[bullet.end() :] if bullet else line.text
                kind = "item" if bullet else "text"
                found.append(Paragraph(text, line.page, line.size, kind))
        before = line
    return [one for one in found if one.text.strip()]


def _home(
    found: list[Paragraph],
    before: Line | None,
    line: Line,
    after: Line | None,
    shape: _Shape,
) -> Paragraph | None:
    """The paragraph that the line continues; None where it begins one."""
    if before is None or not found or _BULLET.match(line.text):
        return None
    last = found[-1]
    if len(last.text) > _LONGEST:
        return None
    near = abs(line.size - last.size) <= 0.08 * last.size + 0.3
    lower = line.text[:1].islower() or line.text[:1] in ",;)"
    if before.column != line.column:
        if last.kind in ("text", "item") and near:
            by_indent = shape.indents and abs(line.size - shape.body) < 0.5
            return last if _runs_on(last, line, lower, by_indent) else None
        return _unfinished(found, line, lower)
    if last.kind == "heading":
        return None
    if last.kind == "row" or not near:
        return _unfinished(found, line, lower) if last.kind != "row" else None
    gap, leading = before.y - line.y, shape.leading
    if gap > 1.35 * leading * line.size / shape.body or gap < -leading:
        return last if lower and not _ended(last) and gap < 2.5 * leading and gap > 0 else None
    if last.kind == "item" and line.x0 > before.x0 - 0.3 * line.size:
        return last  # under its bullet, or hanging beside it
    indent, earlier = line.x0 - line.left, before.x0 - before.left
    if indent > 0.6 * line.size and earlier <= 0.6 * line.size:
        hanging = (
            after is not None
            and after.column == line.column
            and (abs(after.x0 - line.x0) < 0.3 * line.size)
        )
        full = before.x1 > before.right - 1.5 * line.size
        if not (full and (lower or hanging or not _ended(last))):
            return None
    if line.x0 < before.x0 - 0.6 * line.size and _was_hanging(last, before, line):
        return None
    if _LABEL.match(line.text) and _ended(last):
        return None
    short = before.x1 < before.right - 0.15 * (before.right - before.left)
    return None if short and _ended(last) and not lower else last


def _was_hanging(last: Paragraph, before: Line, line: Line) -> bool:
    """Whether the paragraph had lines at the indented edge besides its first one."""
    return len(last.text) > 1.6 * len(before.text) and _ended(last) and not line.text[:1].islower()


def _runs_on(last: Paragraph, line: Line, lower: bool, indents: bool) -> bool:
    """Whether a column's first line goes on with what the one before ended in."""
    if last.text.rstrip().endswith(("-", "\u2010")):
        return True
    if line.x0 - line.left > 0.6 * line.size:
        return lower
    return lower or not _ended(last) or indents


def _unfinished(found: list[Paragraph], line: Line, lower: bool) -> Paragraph | None:
    """The paragraph that was broken off for a figure, a table or a footnote."""
    if not lower:
        return None
    for one in reversed(found[-12:]):
        if one.kind == "heading":
            return None
        if one.kind == "text" and abs(one.size - line.size) <= 0.3:
            return None if _ended(one) else one
    return None


def _ended(paragraph: Paragraph) -> bool:
    return paragraph.text.rstrip().endswith(_ENDS)


def _leading(lines: list[Line]) -> float:
    steps = [
        one.y - other.y
        for one, other in pairwise(lines)
        if one.column == other.column and 0 < one.y - other.y < 4 * one.size
    ]
    return median(steps) if steps else 12.0


def _indents(lines: list[Line], body: float) -> bool:
    count = sum(
        one.column == other.column
        and abs(other.size - body) < 0.5
        and one.x0 - one.left < 0.3 * body
        and 0.6 * body < other.x0 - other.left < 4 * body
        and one.text.rstrip().endswith(_ENDS)
        for one, other in pairwise(lines)
    )
    return count >= max(3, lines[-1].page)


def _heading(line: Line, body: float) -> int:
    """2 to 4 for a heading, 0 for none."""
    text = line.text.strip()
    if (
        line.cells > 1
        or line.mono
        or not text
        or _LEADER.search(text)
        or len(text) > 150
        or not any(map(str.isalpha, text))
    ):
        return 0
    larger = line.size > 1.12 * body
    short = line.x1 < line.right - 1.0 * line.size or len(text) < 60
    numbered = _NUMBERED.fullmatch(text)
    if numbered and (larger or line.bold) and not text.endswith((".", ",", ";")):
        return min(4, 2 + numbered["number"].count("."))
    if _ROMAN.fullmatch(text) or (_NAMED.fullmatch(text) and (larger or line.bold)):
        return 2
    if not short or text.endswith((".", ",", ";", ":")):
        return 0
    if larger and line.size > 1.25 * body:
        return 2
    return 3 if line.bold and line.size >= 0.95 * body else 0


def _same_heading(before: Line, line: Line, leading: float) -> bool:
    return (
        before.column == line.column
        and abs(before.size - line.size) < 0.3
        and before.bold == line.bold
        and 0 < before.y - line.y < 1.3 * max(leading, line.size * 1.1)
        and not _NUMBERED.fullmatch(line.text)
        and not _NAMED.fullmatch(line.text)
    )


def _join(text: str, more: str, vocabulary: Counter[str]) -> str:
    text, more = text.rstrip(), more.lstrip()
    broken = _BROKEN.search(text[-80:])
    if broken and more[:1].islower():
        first = broken[1].casefold()
        rest = _WORD.match(more)
        second = rest[0].casefold() if rest else ""
        whole, hyphened = vocabulary[first + second], vocabulary[f"{first}-{second}"]
        if whole > hyphened or (whole == hyphened and first.rpartition("-")[2] not in _KEPT):
            return text[:-1] + more
        return text + more
    if text.endswith(("-", "\u2010", "–", "—")) and len(text) > 1 and not text[-2].isspace():
        return text + more
    return f"{text} {more}"
