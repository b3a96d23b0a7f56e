"""Lists inside sections: baselines, risks, datasets, each item verbatim."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ideatrail.proposals.blocks import Block
from ideatrail.trail.text import sentences

_INLINE: Final = re.compile(r"(?:^|(?<=[\s;,:.]))(?:\((\d{1,2})\)|(\d{1,2})[.)])\s+(?=\S)")
_OWN: Final = re.compile(r"\b(?:ours?|proposed|this work)\b", re.IGNORECASE)
_COMPARE: Final = re.compile(
    r"\b(?:compar(?:e|ed|ing|ison)s?\b[^.;:]{0,60}?\b(?:with|to|against|versus"
    r"|vs\.?)|baselines?\b(?: methods?)?(?: will be| are| is| include[sd]?|:"
    r"| such as)"
    r"|such as|including|over|against)\s+(?:the (?:following )?(?:baselines?"
    r"|baseline methods?|methods?)\s*:?\s*|both\s+)?(.+)$",
    re.IGNORECASE,
)
_AND: Final = re.compile(r",\s+(?:and|or)\s+|,\s+|;\s+|\s+and\s+(?=[A-Z\w-]+)")
_NO_NAME: Final = re.compile(
    r"\b(?:whether|reference|user|human|ground|gold|better|worse|performance"
    r"|results?|each|those|expected|original)\b",
    re.I,
)
_NOTHING: Final = re.compile(
    r"(?:(?:our|the|all|other|these|both) )*(?:methods?|approach"
    r"|baselines?(?: models?| methods?)?)",
    re.I,
)
_BASELINE: Final = re.compile(r"\bbaselines?\b", re.IGNORECASE)
_END: Final = re.compile(r"[\s.;,:]+$")
HEAD_WORDS: Final = 9
"""Words before a colon that still name an item."""
ITEM_CHARS: Final = 240
"""An item without a name of its own is kept whole up to here, else by its first sentence."""


def sentence_list(text: str) -> list[str]:
    """Sentences of one line, also where full-width stops end them."""
    out: list[str] = []
    at = 0
    for found in sentences(text):
        start = text.find(found, at)
        at = start + len(found)
        while at < len(text) and text[at] in '"”’)]':
            at += 1  # the closing quote belongs to the sentence it closes
        sentence = text[start:at]
        for piece in re.split(r"(?<=[。！？])", sentence):
            if out and re.fullmatch(r"\(?\d{1,2}[.)]|[IVX]+\.", out[-1]):
                out[-1] = f"{out[-1]} {piece.strip()}"  # a number is no sentence of its own
            elif piece.strip():
                out.append(piece.strip())
    return out


def inline_items(text: str) -> list[str]:
    """The items of `(1) … (2) …` or `1. … 2. …` inside a line; [] where it does not count up."""
    marks = list(_INLINE.finditer(text))
    numbers = [int(m.group(1) or m.group(2)) for m in marks]
    if not numbers or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return []
    # A list item that goes on with `(2) …` has lost its own `(1)` as its marker.
    first = [text[: marks[0].start()].strip()] if numbers[0] == 2 else []
    if numbers[0] > 2 or len(numbers) + len(first) < 2 or first == [""]:
        return []
    ends = [m.start() for m in marks[1:]] + [len(text)]
    return first + [text[m.end() : end].strip() for m, end in zip(marks, ends, strict=True)]


def item_name(text: str) -> str:
    """What an item is called: its words before a colon or dash, else its first sentence."""
    head = re.match(r"^([^:：—–]{2,90}?)\s*(?::|：|\s[—–]|\s-\s)", text)
    if head and len(head.group(1).split()) <= HEAD_WORDS:
        return _END.sub("", head.group(1).strip('"“”'))
    if len(text) > ITEM_CHARS:
        text = (sentence_list(text) or [text])[0]
    return _END.sub("", text)


def named_items(parts: Iterable[Block]) -> list[str]:
    """Names of the things that a section lists, in order, without the proposal's own method."""
    parts = list(parts)
    out: list[str] = []
    listed = any(block.kind in ("row", "item") for block in parts)
    for block in parts:
        if block.kind == "row":
            if not block.header and block.cells and not _OWN.search(block.cells[0]):
                out.append(block.cells[0])
        elif block.kind == "item":
            inner = inline_items(block.text)
            out.extend(item_name(text) for text in inner or [block.text])
        elif block.kind == "paragraph" and not (listed or out):
            # Prose beside a list introduces it or goes on to something else.
            out.extend(_from_prose(block.text))
    return _distinct(text for text in out if not _NOTHING.fullmatch(text))


def told_items(parts: Iterable[Block]) -> list[str]:
    """What a section lists, each item in full: rows by their first cell, prose by sentences."""
    parts = list(parts)
    out: list[str] = []
    listed = any(block.kind in ("row", "item") for block in parts)
    for block in parts:
        if block.kind == "row" and block.cells and not block.header:
            out.append(block.cells[0])
        elif block.kind == "item":
            out.append(block.text)
        elif block.kind == "paragraph" and not listed:
            out.extend(inline_items(block.text) or sentence_list(block.text))
    return _distinct(out)


def _from_prose(text: str) -> list[str]:
    inner = inline_items(text)
    if inner:
        return [item_name(part) for part in inner]
    if text.count(";") >= 2:
        return [_END.sub("", part.strip()) for part in text.split(";")]
    listed: list[str] = []
    for sentence in sentence_list(text):
        match = _COMPARE.search(sentence)
        if match:
            listed.extend(_split(match.group(1)))
        elif _BASELINE.search(sentence) and len(sentence) <= ITEM_CHARS:
            listed.append(_END.sub("", sentence))
    return listed or _split(text) if len(text) <= ITEM_CHARS else listed


def _split(text: str) -> list[str]:
    """`A, B, and C (x, y)` at its top-level commas; whole where parts are clauses."""
    masked = re.sub(r"\([^()]*\)", lambda m: "\ue000" * len(m.group()), _END.sub("", text))
    parts, start = [], 0
    for match in _AND.finditer(masked):
        parts.append(text[start : match.start()])
        start = match.end()
    parts.append(text[start : len(masked)])
    parts = [_END.sub("", part.strip()) for part in parts]
    if any(len(part.split()) > HEAD_WORDS for part in parts):
        return [_END.sub("", text.strip())]
    return [part for part in parts if part]


def compared_with(sentence: str) -> list[str]:
    """What `sentence` says the work is compared with, as names; [] where it names nothing."""
    match = re.search(
        r"\b[Cc]ompar(?:e|ed|ing)\b([^.;:]{0,80}?)\s(?:with|to|against)\s+(?:both\s+)?(.+)$",
        sentence,
    )
    if not match or _NO_NAME.search(match.group()):
        return []
    if re.match(r"(?:the following|each other|those|that|it|what)\b", match.group(2)):
        return []
    parts = _split(match.group(2))
    parts = [part for part in parts if not _NOTHING.fullmatch(part)]
    return parts if all(len(part.split()) <= HEAD_WORDS for part in parts) else []


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if re.search(r"\w{2}", text)))
