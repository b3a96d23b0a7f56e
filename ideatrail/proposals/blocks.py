"""The blocks of a section: paragraphs, list items, table rows, displayed maths, code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from ideatrail.proposals.plain import FENCE, plain_line, plain_lines, verbatim

Kind = Literal["paragraph", "item", "row", "code", "math"]

ITEM: Final = re.compile(
    r"^(\s*)((?:[-*+•–·◦▪]|\d{1,2}[.)]|\(\d{1,2}\)|\(?[a-z]\)|[IVXivx]{1,4}[.)])\s+)(?=\S)"
)
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
    lines = body.split("\n")
    inside = verbatim(lines)
    plains = plain_lines(lines)
    out: list[Block] = []
    open_lines: list[str] = []
    kind: Kind = "paragraph"
    indent = 0

    def close() -> None:
        nonlocal open_lines, kind, indent
        text = " ".join(" ".join(open_lines).split())
        if text:
            out.append(Block(kind, text, indent))
        open_lines, kind, indent = [], "paragraph", 0

    i = 0
    while i < len(lines):
        line = lines[i]
        if inside[i]:
            end = i
            while end + 1 < len(lines) and inside[end + 1] and not _opens(lines[end + 1]):
                end += 1
            if FENCE.match(line):
                close()
                code = "\n".join(lines[i + 1 : end])
                if code.strip():
                    out.append(Block("code", code))
            elif _DISPLAY.match(line):
                close()
                out.append(Block("math", " ".join(" ".join(lines[i : end + 1]).split())))
            else:
                open_lines.extend(lines[i : end + 1])
            i = end + 1
            continue
        item = ITEM.match(line)
        if not line.strip() or _RULE.match(line):
            close()
        elif _DISPLAY.match(line):
            close()
            out.append(Block("math", " ".join(plains[i].split())))
        elif "|" in line and _ROW.match(line) and _in_table(lines, i):
            close()
            if not _RULE_ROW.match(line):
                header = i + 1 < len(lines) and bool(_RULE_ROW.match(lines[i + 1]))
                out.append(_row(plains[i], header))
        elif item:
            close()
            kind, indent = "item", len(item.group(1).expandtabs(4))
            open_lines = [plain_line(line[item.end() :])]
        else:
            open_lines.append(plains[i])
        i += 1
    close()
    return tuple(out)


def _opens(line: str) -> bool:
    """Whether a fence is opened by `line`: two fences may stand right after each other."""
    return bool(re.match(r"^\s*(?:```|~~~)\s*\w", line))


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
    inner = " ".join(line.strip().strip("|").split())
    cells = tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", inner))
    return Block("row", inner, cells=cells, header=header)
