"""Proposal text in plain pieces: without markup, in sentences, steps and short cuts."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from ideatrail.trail.text import sentences

_FENCE: Final = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
_IMAGE: Final = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK: Final = re.compile(r"\[([^\]]+)\]\((?:[^()]|\([^()]*\))*\)")
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]{0,80}>")
_MARK: Final = re.compile(r"(?<![\w\\])(\*{1,3}|_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_RULE: Final = re.compile(r"^[\s|:=+*_~-]+$")
_HEAD: Final = re.compile(r"^#{1,6}\s+")
_ITEM: Final = re.compile(
    r"^\s*(?:[-*+•]|\(?\d{1,2}[.)]|\(?[a-h]\)|\(?[ivx]{1,4}[.)]|(?:Step|Stage|Phase)\s+\d+\s*[:.)])"
    r"\s+",
)
_INLINE: Final = re.compile(r"(?:(?<=[.;:)\]])|(?<=,))\s+(?=\(?\d{1,2}[.)]\s+[A-Z(\"“])")
_LABEL: Final = re.compile(r"^[\"“]?([A-Z][\w '’/&()-]{1,48}?)[\"”]?\s*[:.]\s+(?=\S)")

MAX_WORDS: Final = 60
"""Longer pieces are cut at a sentence or clause: an atom is one thing."""


def plain(text: str) -> str:
    """`text` without markdown and HTML marks, one paragraph, item or table row a line."""
    text = _FENCE.sub(" ", text)
    text = _IMAGE.sub(" ", text)
    text = _LINK.sub(r"\1", text)
    text = _TAG.sub(" ", text)
    for _ in range(2):
        text = _MARK.sub(r"\2", text)
    lines = []
    for line in text.splitlines():
        line = _HEAD.sub("", line.strip().lstrip("> ")).replace("`", "").strip()
        if not line or _RULE.match(line):
            lines.append("")
        elif line.startswith("|"):
            lines.append("; ".join(c.strip() for c in line.strip("|").split("|") if c.strip()))
        else:
            lines.append(line)
    return "\n".join(lines)


def paragraphs(text: str) -> list[str]:
    """Paragraphs, list items and table rows: every line of a seed's text stands for itself."""
    out: list[str] = []
    for line in plain(text).splitlines():
        for piece in _INLINE.split(_ITEM.sub("", line)):
            piece = _ITEM.sub("", piece).strip(" \"',;")
            if len(piece) > 2:
                out.append(piece)
    return out


def sentences_of(text: str) -> list[str]:
    """Sentences of `text` without markup and list marks, in order, each once."""
    found: dict[str, None] = {}
    for block in paragraphs(text):
        for sentence in sentences(block):
            sentence = " ".join(sentence.split()).strip(" \"'")
            if len(sentence) > 2:
                found[sentence] = None
    return list(found)


def parts_of(text: str, most: int) -> list[str]:
    """The steps or parts of `text`, at most `most`, in order.

    List items and paragraphs where there are several; else sentences. Neighbours are joined while
    there are too many, so nothing but overlong tails is lost.
    """
    blocks = [b for b in paragraphs(text) if len(b.split()) > 2]
    if len(blocks) < 3:
        blocks = [s for s in sentences_of(text) if len(s.split()) > 2]
    while len(blocks) > most:
        sizes = [len(a) + len(b) for a, b in pairwise(blocks)]
        at = sizes.index(min(sizes))
        blocks[at : at + 2] = [blocks[at].rstrip() + " " + blocks[at + 1]]
    return [shorten(b) for b in blocks]


def label_of(part: str) -> str:
    """The run-in label of a part (`Sensitive Content Detection: We use …`), or an empty string."""
    match = _LABEL.match(part)
    if not match or len(match[1].split()) > 6:
        return ""
    return match[1].strip()


def shorten(text: str, words: int = MAX_WORDS) -> str:
    """`text` cut to `words` words, at the end of a sentence or clause where one is near."""
    tokens = text.split()
    if len(tokens) <= words:
        return " ".join(tokens)
    cut = tokens[:words]
    for stops in (".!?", ";:", ","):
        for at in range(len(cut) - 1, words // 2, -1):
            if cut[at][-1] in stops:
                return " ".join(cut[: at + 1]).rstrip(",;:")
    return " ".join(cut)
