"""The list fields of a seed: baselines, risks, datasets, metrics."""

from __future__ import annotations

import re
from typing import Final

from ideatrail.proposals.blocks import Block
from ideatrail.proposals.items import (
    compared_with,
    inline_items,
    item_name,
    named_items,
    sentence_list,
    told_items,
)
from ideatrail.proposals.spans import Span

_DEFINES: Final = re.compile(
    r"\b(?:as (?:the|a|our) baseline|[Tt]he baseline (?:\w+ ){0,2}is"
    r"|[Ff]or (?:the )?baselines?, we (?:use|prompt|ask)|baselines? (?:are|include))\b"
)
_IF: Final = re.compile(r"(?:If|Should|Falls|Si|Wenn)\b")
TOLD_RISKS: Final = 4
"""Risks kept that wording alone told."""


def baselines_of(labelled: list[Block], evaluation: list[Span]) -> list[str]:
    """Baselines by their own section; without one, those that the evaluation's sentences name."""
    names = named_items(labelled)
    if names:
        return names
    for span in evaluation:
        for sentence in sentence_list(span.text):
            names.extend(compared_with(sentence))
            if re.search(r"\bbaselines?\b", sentence):
                names.extend(item_name(text) for text in inline_items(sentence))
            if _DEFINES.search(sentence):
                names.append(sentence.rstrip("."))
    return list(dict.fromkeys(names))


def risks_of(labelled: list[Block], fallback: list[Span], told: list[Span]) -> list[str]:
    """Risks by their own section and the conditions of a fallback; else those told in passing."""
    risks = told_items(labelled)
    conditions = [
        sentence
        for span in fallback
        for sentence in sentence_list(span.text)
        if _IF.match(sentence)
    ]
    passing = [] if risks else [s.text for s in told if len(s.text) > 20][:TOLD_RISKS]
    return list(dict.fromkeys([*risks, *conditions, *passing]))


def listed(found: list[Block]) -> list[str]:
    """Items whole, rows by their cells, paragraphs by sentences: verbatim."""
    out: list[str] = []
    for block in found:
        if block.kind == "row":
            if not block.header:
                out.append(block.text)
        elif block.kind in ("item", "paragraph"):
            inner = inline_items(block.text)
            whole = [block.text] if block.kind == "item" else sentence_list(block.text)
            out.extend(inner or whole)
    return [text for text in dict.fromkeys(out) if not text.endswith(":")]
