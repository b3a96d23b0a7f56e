"""Text and markdown: what others wrote as text is passed on as it is."""

from __future__ import annotations

import re
from typing import Final

from ideatrail.evidence.pages.charset import decode
from ideatrail.evidence.pages.clean import clean, one_line
from ideatrail.evidence.pages.finish import MAX_CHARS, finish
from ideatrail.evidence.pages.page import PageText
from ideatrail.evidence.pages.piece import Piece

_FENCE: Final = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?=\S)")
_HEADING: Final = re.compile(r"\s{0,3}(#{1,6})\s+(?=\S)")
_UNDERLINE: Final = re.compile(r"(=+|-+)\s*")
_ROW: Final = re.compile(r"\s*\|.*\|\s*")
_LINK: Final = re.compile(r"\[([^\[\]\n]{0,300})\]\(\s*<?([^()\s<>]{1,2000})>?[^()\n]{0,300}\)")
_IMAGE: Final = re.compile(r"!\[[^\[\]\n]{0,300}\]\([^()\n]{0,2000}\)")
_DEFINITION: Final = re.compile(r"\s{0,3}\[[^\[\]]{1,200}\]:\s*(\S{1,2000}).*")
_BARE: Final = re.compile(r"https?://[^\s<>\"'()\[\]{}|\\^`]{3,500}(?<![.,;:!?])")
_HIDING: Final = ("script", "style", "template", "noscript")


def read_text(body: bytes, content_type: str | None, url: str, *, markdown: bool) -> PageText:
    """The paragraphs of a text; blank lines part them. Raises EvidenceError (`refused`)."""
    text, notes = decode(body[: MAX_CHARS * 4], content_type, markup=False)
    text, unseen = clean(text[: MAX_CHARS + 1])
    if unseen:
        notes.append(f"invisible characters left out ({unseen})")
    links: list[str] = []
    if markdown:
        text, hidden = _without(text, "<!--", "-->")
        for tag in _HIDING:
            text, _ = _without(text, f"<{tag}", f"</{tag}>")
        if hidden:
            notes.append(f"comments left out ({hidden} place{'s' * (hidden != 1)})")
        links = [target for _, target in _LINK.findall(_IMAGE.sub(" ", text))]
    links += _BARE.findall(text)
    lines = _markdown(text, links) if markdown else _paragraphs(text)
    title = next((line.lstrip("# ") for line in lines if line.startswith("#")), "")
    if not title and lines and len(lines[0]) <= 200:
        title = lines[0]
    return finish(Piece(lines, links, title=title, notes=notes), scholarly=False)


def _paragraphs(text: str) -> list[str]:
    """Plain text: lines are joined where they were wrapped, kept where each stands for itself."""
    lines: list[str] = []
    for block in re.split(r"\n[ \t]*\n", _lines(text)):
        rows = [row for row in block.split("\n") if row.strip()]
        if _wrapped(rows):
            lines.append(one_line(block))
        else:
            lines.extend(row.rstrip().expandtabs(4) for row in rows)
    return [line for line in lines if line.strip()]


def _wrapped(rows: list[str]) -> bool:
    """Whether rows are one paragraph: long ones but for the last, none of them an item."""
    if len(rows) < 2:
        return True
    if any(_ITEM.match(row) or _HEADING.match(row) for row in rows):
        return False
    return min(map(len, rows[:-1])) >= 0.6 * max(map(len, rows))


def _markdown(text: str, links: list[str]) -> list[str]:
    lines: list[str] = []
    waiting: list[str] = []
    fence = ""

    def flush() -> None:
        if waiting:
            lines.append(_inline(one_line(" ".join(waiting))))
            waiting.clear()

    for row in _lines(text).split("\n"):
        mark = _FENCE.match(row)
        if fence:
            if mark and mark[1].startswith(fence) and not row.strip(" `~"):
                fence = ""
            elif row.strip():
                lines.append(row.rstrip().expandtabs(4))
            continue
        if mark:
            flush()
            fence = mark[1]
        elif not row.strip():
            flush()
        elif heading := _HEADING.match(row):
            flush()
            name = row[heading.end() :].strip().rstrip("#")
            lines.append(f"{'#' * max(2, len(heading[1]))} {_inline(name)}")
        elif waiting and len(waiting) == 1 and _UNDERLINE.fullmatch(row.strip()):
            text_of_heading = waiting.pop()
            lines.append(f"{'##' if row.strip()[0] == '=' else '###'} {_inline(text_of_heading)}")
        elif _ROW.fullmatch(row):
            flush()
            if not _is_rule(row):
                cells = row.strip().strip("|").split("|")
                lines.append(" | ".join(_inline(one_line(cell)) for cell in cells))
        elif definition := _DEFINITION.fullmatch(row):
            flush()
            links.append(definition[1].strip("<>"))
        elif item := _ITEM.match(row):
            flush()
            waiting.append(f"- {row[item.end() :].strip()}")
        elif _is_rule(row):
            flush()
        else:
            waiting.append(row.strip())
    flush()
    return [line for line in lines if line.strip()]


def _is_rule(row: str) -> bool:
    """A line across the page, or below a table's head."""
    return "---" in row and not row.strip("-|: \t")


def _without(text: str, opening: str, closing: str) -> tuple[str, int]:
    """`text` without what stands between the marks, in any case, and how often that was. What is
    opened and not closed goes on to the end, as browsers have it."""
    lower = text.casefold() if text.isascii() else text.lower()
    if len(lower) != len(text):
        lower = text
    kept: list[str] = []
    at = count = 0
    while (begins := lower.find(opening, at)) >= 0:
        kept.append(text[at:begins])
        ends = lower.find(closing, begins)
        at = ends + len(closing) if ends >= 0 else len(text)
        count += 1
    kept.append(text[at:])
    return " ".join(kept), count


def _inline(text: str) -> str:
    """Words of links, without their targets; images leave nothing."""
    return one_line(_LINK.sub(r"\1", _IMAGE.sub("", text)))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
