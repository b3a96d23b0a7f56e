"""Verbatim spans of a proposal, and how they are joined so that each stays findable."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Span:
    """One sentence or one whole block; compared by its place."""

    block: int
    """Number of its block in the proposal."""
    index: int
    """Number of the sentence in the block."""
    text: str
    list_item: bool = False


def join(spans: Iterable[Span]) -> str:
    """The spans in order: neighbours in one block by a space, others by a line end.

    A line end, because two sentences that do not stand beside each other are no running text.
    """
    out: list[str] = []
    before: Span | None = None
    for span in spans:
        if before is not None:
            near = span.block == before.block and span.index == before.index + 1
            out.append(" " if near else "\n")
        out.append(span.text)
        before = span
    return "".join(out)


def within(spans: list[Span], limit: int) -> list[Span]:
    """The first spans that fit into `limit` characters, always whole; at least one."""
    kept: list[Span] = []
    total = 0
    for span in spans:
        total += len(span.text) + 1
        if kept and total > limit:
            break
        kept.append(span)
    return kept


def distinct(spans: Iterable[Span]) -> list[Span]:
    """The spans in order of place, each text once."""
    out: list[Span] = []
    seen: set[str] = set()
    for span in sorted(spans):
        if span.text not in seen:
            seen.add(span.text)
            out.append(span)
    return out
