"""Markdown and reStructuredText without their inline marks, line by line.

Code and displayed maths keep every character. Line by line, so that a piece cut out of a text at
line or label borders reads the same whether it was cut before its marks were removed or after:
seeds stay verbatim spans of `Proposal.text`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

FENCE: Final = re.compile(r"^\s*(`{3,}|~{3,})[^`~]*$")
MATHS_LINES: Final = 40
"""Lines after which displayed maths is taken to be a stray mark."""

# Bounds on what stands between two marks keep a line of nothing but marks from taking minutes.
_KEPT: Final = re.compile(r"(\$\$.{0,999}?\$\$|\$[^$\n]+\$|\\\(.{0,999}?\\\)|\\\[.{0,999}?\\\])")
_CODE: Final = re.compile(r"(?<!`)(`{1,2})(?!`)(.{1,300}?)(?<!`)\1(?!`)")
_IMAGE: Final = re.compile(r"!\[([^\]\n]*)\]\([^)\n]*\)")
_LINK: Final = re.compile(r"\[((?:[^\[\]\n]|\[[^\[\]\n]*\])+)\]\((?:[^()\n]|\([^()\n]*\))*\)")
_RST_LINK: Final = re.compile(r"`([^`<\n]+?)\s*<[^>\n]+>`__?")
_RST_ROLE: Final = re.compile(r":[a-z]+(?::[a-z]+)?:(?=`)")
_STRONG: Final = re.compile(r"(\*\*\*|\*\*|(?<!\w)__)(?=\S)(.{1,600}?)(?<=\S)\1")
_STRONG_STARS: Final = re.compile(r"\*\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*\*")
_STAR: Final = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])")
_UNDER: Final = re.compile(r"(?<![\w_\\])_(?=[^\s_])([^_\n]+?)(?<=[^\s_])_(?![\w_])")
_QUOTE: Final = re.compile(r"^\s*>\s?(?:>\s?)*")
_ESCAPE: Final = re.compile(r"\\([*_`#\[\]()>.!~|-])")
_FOOTNOTE: Final = re.compile(r"(?<=\S)\[\^[\w-]+\]")


def plain_line(line: str) -> str:
    """`line` without emphasis, code, link and quote marks; maths stays as it is."""
    line = _QUOTE.sub("", line)
    if not any(mark in line for mark in "*_`[\\"):
        return line
    line = _STRONG_STARS.sub(r"\1", line)  # may hold maths, which holds none of its marks
    return "".join(part if i % 2 else _unmark(part) for i, part in enumerate(_KEPT.split(line)))


def verbatim(lines: list[str]) -> list[bool]:
    """For each line, whether it belongs to fenced code or to maths displayed over several lines.

    A fence that is never closed runs to the end, as in markdown; maths that is never closed is
    a stray mark.
    """
    inside = [False] * len(lines)
    i = 0
    while i < len(lines):
        fence = FENCE.match(lines[i])
        end = -1
        if fence:
            mark = fence.group(1)
            end = _find(lines, i + 1, len(lines), lambda line, m=mark: line.strip() == m)  # type: ignore[misc]
            # A row of tildes under a line is a heading of reStructuredText.
            under = mark[0] == "~" and (end < 0 or bool(i and lines[i - 1].strip()))
            end = -1 if under else len(lines) - 1 if end < 0 else end
        elif lines[i].count("$$") % 2:
            end = _find(lines, i + 1, i + MATHS_LINES, lambda line: line.count("$$") % 2 == 1)
        elif "\\[" in lines[i] and "\\]" not in lines[i]:
            end = _find(lines, i + 1, i + MATHS_LINES, lambda line: "\\]" in line)
        if end < 0:
            i += 1
            continue
        inside[i : end + 1] = [True] * (end + 1 - i)
        i = end + 1
    return inside


def _find(lines: list[str], start: int, stop: int, test: Callable[[str], bool]) -> int:
    """Index of the first line that passes `test`, or -1."""
    return next((i for i in range(start, min(stop, len(lines))) if test(lines[i])), -1)


def plain_lines(lines: list[str]) -> list[str]:
    """`plain_line` over lines, but for code and displayed maths."""
    return [
        line if inside else plain_line(line)
        for line, inside in zip(lines, verbatim(lines), strict=True)
    ]


def plain(text: str) -> str:
    """`plain_lines` over all lines of `text`."""
    return "\n".join(plain_lines(text.split("\n")))


def _unmark(part: str) -> str:
    part = _IMAGE.sub(r"\1", part)
    part = _LINK.sub(r"\1", part)
    part = _RST_LINK.sub(r"\1", part)
    part = _RST_ROLE.sub("", part)
    part = _FOOTNOTE.sub("", part)
    part = _CODE.sub(r"\2", part)
    part = _STRONG.sub(r"\2", part)
    part = _STAR.sub(r"\1", part)
    part = _UNDER.sub(r"\1", part)
    return _ESCAPE.sub(r"\1", part)
