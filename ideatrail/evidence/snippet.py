"""The part of a text that answers a query best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ideatrail.evidence.engine import analyze
from ideatrail.evidence.query import parse_query
from ideatrail.trail.text import sentences

LENGTH: Final = 240
"""Characters of a snippet, at most."""
_ELLIPSIS: Final = "…"


def snippet(body: Sequence[str], query: str, weight: Callable[[str], float]) -> str:
    """The sentence of `body` that holds most of the query by weight, and what fits after it.

    `weight` gives what an index token is worth; it may know of admitted papers only. Without a
    match, the text's beginning. Cut at word boundaries, with an ellipsis where words are missing
    within a sentence.
    """
    spans = [span for paragraph in body for span in _spans(paragraph)]
    if not spans:
        return ""
    asked = parse_query(query)
    tokens = dict.fromkeys([*asked.terms, *(t for phrase in asked.phrases for t in phrase)])
    worth = {token: weight(token) for token in tokens}
    best, most = 0, 0.0
    for at, (paragraph, start, end) in enumerate(spans):
        held = set(analyze(paragraph[start:end]))
        score = round(sum(w for t, w in worth.items() if t in held), 6)
        if score > most:
            best, most = at, score
    paragraph, start, end = spans[best]
    if end - start > LENGTH:
        return _window(paragraph[start:end], worth)
    for other, _, further in spans[best + 1 :]:
        if other is not paragraph or further - start > LENGTH:
            break
        end = further
    return paragraph[start:end]


def _spans(paragraph: str) -> list[tuple[str, int, int]]:
    """Paragraph, start and end of each sentence: cut from it, a snippet stays verbatim."""
    found: list[tuple[str, int, int]] = []
    at = 0
    for sentence in sentences(paragraph):
        start = paragraph.index(sentence, at)
        at = start + len(sentence)
        found.append((paragraph, start, at))
    return found


def _window(sentence: str, worth: dict[str, float]) -> str:
    """The first of the stretches of a long sentence, within LENGTH, that are worth most."""
    said = sentence.split()
    tokens = [analyze(word) for word in said]
    room = LENGTH - 2 * len(_ELLIPSIS)
    best: tuple[float, int, int] | None = None
    end, length = 0, -1
    for start in range(len(said)):
        while end < len(said) and length + 1 + len(said[end]) <= room:
            length += 1 + len(said[end])
            end += 1
        inside = {t for word in tokens[start:end] for t in word}
        score = round(sum(w for t, w in worth.items() if t in inside), 6)
        if end > start and (best is None or score > best[0]):
            best = (score, start, end)
        if end == len(said):
            break
        length -= 1 + len(said[start])
        if end == start:  # one word longer than all the room
            end, length = start + 1, -1
    if best is None:
        return sentence[:room] + _ELLIPSIS
    _, start, end = best
    head = _ELLIPSIS if start else ""
    tail = _ELLIPSIS if end < len(said) else ""
    return f"{head}{' '.join(said[start:end])}{tail}"
