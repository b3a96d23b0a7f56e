"""Markdown and reStructuredText without their inline marks, line by line.

Line by line, so that a piece cut out of a text at line or label borders reads the same whether it
was cut before its marks were removed or after: seeds stay verbatim spans of `Proposal.text`.
"""

from __future__ import annotations

import re
from typing import Final

_KEPT: Final = re.compile(r"(\$\$.*?\$\$|\$[^$\n]+\$|\\\(.*?\\\)|\\\[.*?\\\])")
_CODE: Final = re.compile(r"(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)")
_IMAGE: Final = re.compile(r"!\[([^\]\n]*)\]\([^)\n]*\)")
_LINK: Final = re.compile(r"\[([^\[\]\n]+)\]\((?:[^()\n]|\([^()\n]*\))*\)")
_RST_LINK: Final = re.compile(r"`([^`<\n]+?)\s*<[^>\n]+>`__?")
_RST_ROLE: Final = re.compile(r":[a-z]+(?::[a-z]+)?:(?=`)")
_STRONG: Final = re.compile(r"(\*\*\*|\*\*|(?<!\w)__)(?=\S)(.+?)(?<=\S)\1")
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
    return "".join(
        part if i % 2 else _unmark(part) for i, part in enumerate(_KEPT.split(line))
    )


def plain(text: str) -> str:
    """`plain_line` over all lines of `text`."""
    return "\n".join(plain_line(line) for line in text.split("\n"))


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
