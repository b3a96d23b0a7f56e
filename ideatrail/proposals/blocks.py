"""The blocks of a section: paragraphs, list items, table rows, displayed maths, code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from ideatrail.proposals.plain import plain_line

Kind = Literal["paragraph", "item", "row", "code", "math"]

FENCE: Final = re.compile(r"^\s*(```|~~~)")
ITEM: Final = re.compile(r"^(\s*)((?:[-*+•–·◦▪]|\d{1,2}[.)]|\(\d{1,2}\)|\(?[a-z]\)|[IVXivx]{1,4}[.)])\s+)(?=\S)")
_ROW: Final = re.compile(r"^\s*\|?.*\S\s*\|.*$")
_RULE_ROW: Final = re.compile(r"^\s*\|?[\s:|+=-]*-[\s:|+=-]*\|?\s*$")
_RULE: Final = re.compile(r"^\s*(?:[-*_=~] ?){3,}\s*$")
_DISPLAY: Final = re.compile(r"^\s*(\$\$|\\\[)")


@dataclass(frozen=True)
class Block:
    """One block, its lines joined by a space and its inline marks removed."""

    kind: Kind
    text: str
    indent: int = 0
    """Columns before a list item's marker."""
    cells: tuple[str, ...] = ()
    """For table rows: the cells, in order."""
    header: bool = False
    """For table rows: the first of its table, above a rule."""


def blocks(body: str) -> tuple[Block, ...]:
    """The blocks of `body`, in order. Rules between paragraphs are dropped."""
    out: list[Block] = []
    open_lines: list[str] = []
    kind: Kind = "paragraph"
    indent = 0
    lines = body.split("\n")

    def close() -> None:
        nonlocal open_lines, kind, indent
        text = " ".join(" ".join(plain_line(line) for line in open_lines).split())
        if text:
            out.append(Block(kind, text, indent))
        open_lines, kind, indent = [], "paragraph", 0

    i = 0
    while i < len(lines):
        line = lines[i]
        fence = FENCE.match(line)
        if fence:
            close()
            end = _until(lines, i + 1, lambda text, mark=fence.group(1): text.strip().startswith(mark))
            code = "\n".join(lines[i + 1 : end])
            if code.strip():
                out.append(Block("code", code))
            i = end + 1
            continue
        if _DISPLAY.match(line):
            close()
            last = "$$" if "$$" in line else "\\]"
            opened = line.strip()
            end = i
            if not (opened.endswith(last) and len(opened) > 2) and last not in opened[2:]:
                end = _until(lines, i + 1, lambda text, mark=last: mark in text)
            text = " ".join(" ".join(lines[i : end + 1]).split())
            out.append(Block("math", text))
            i = end + 1
            continue
        if not line.strip() or _RULE.match(line):
            close()
            i += 1
            continue
        if "|" in line and _ROW.match(line) and _in_table(lines, i):
            close()
            if not _RULE_ROW.match(line):
                out.append(_row(line, i + 1 < len(lines) and bool(_RULE_ROW.match(lines[i + 1]))))
            i += 1
            continue
        item = ITEM.match(line)
        if item:
            close()
            kind, indent = "item", len(item.group(1).expandtabs(4))
            open_lines = [line[item.end() :]]
        else:
            open_lines.append(line)
        i += 1
    close()
    return tuple(out)


def _until(lines: list[str], start: int, test: object) -> int:
    """Index of the first line from `start` on that passes `test`, or the number of lines."""
    assert callable(test)
    for i in range(start, len(lines)):
        if test(lines[i]):
            return i
    return len(lines)


def _in_table(lines: list[str], i: int) -> bool:
    """Whether line `i` is a table's: it begins with a bar, or a rule with bars is next to it."""
    if lines[i].lstrip().startswith("|"):
        return True
    near = [j for j in (i + 1,) if j < len(lines)]
    j = i - 1
    while j >= 0 and "|" in lines[j] and i - j < 200:
        near.append(j)
        j -= 1
    return any("|" in lines[j] and bool(_RULE_ROW.match(lines[j])) for j in near)


def _row(line: str, header: bool) -> Block:
    inner = " ".join(plain_line(line).strip().strip("|").split())
    cells = tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", inner))
    return Block("row", inner, cells=cells, header=header)
