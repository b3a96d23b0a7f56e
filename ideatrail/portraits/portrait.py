"""A researcher portrait: what may be read by the Generator, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

PORTRAIT_VERSION: Final = 1

PartName = Literal["domain", "approach", "novelty", "evidence", "patterns"]

HEADINGS: Final[Mapping[PartName, str]] = {
    "domain": "Domain knowledge",
    "approach": "Approach",
    "novelty": "Novelty style",
    "evidence": "Evidence preferences",
    "patterns": "Recurring patterns",
}
"""The five parts (paper, section 4.3), in their order."""

_NOTHING: Final = "Nothing that the papers read would bear out."


@dataclass(frozen=True)
class Statement:
    """One sentence about a researcher."""

    part: PartName
    text: str
    papers: tuple[str, ...]
    """Ids of the papers that it rests on. Advisor side."""
    quotes: tuple[str, ...] = ()
    """For each of them, words that bear it, verbatim. Advisor side."""


@dataclass(frozen=True)
class Dropped:
    """A statement that was not taken. Advisor side."""

    statement: Statement
    why: str


@dataclass(frozen=True)
class Portrait:
    """A portrait with both its sides."""

    statements: tuple[Statement, ...]
    read: int
    """Papers that it was distilled from."""
    record: Mapping[str, Any] = field(default_factory=dict)
    """Who was meant, which papers were read, who else bears the name, what is unsure. Advisor
    side."""
    dropped: tuple[Dropped, ...] = ()

    def public(self) -> str:
        """All that the Generator reads: sentences and counts, no paper and no name."""
        return render([(s.part, s.text) for s in self.statements], self.read)

    def evidence(self) -> dict[str, Any]:
        """The Advisor's side of it, as JSON."""
        return {
            "format_version": PORTRAIT_VERSION,
            **self.record,
            "statements": [_row(s) for s in self.statements],
            "dropped": [{**_row(d.statement), "why": d.why} for d in self.dropped],
        }


def render(statements: list[tuple[PartName, str]], read: int) -> str:
    """The public text of a portrait."""
    lines = [
        f"The researcher you assist has published before. What follows was distilled from {read} "
        "of their papers, as far as titles and abstracts tell; the counts are counts of papers. "
        "Take it for leanings that help to choose, not for rules: where the evidence points "
        "elsewhere, follow the evidence.",
    ]
    for part, heading in HEADINGS.items():
        mine = [text for kind, text in statements if kind == part]
        lines += ["", heading, *(f"- {text}" for text in mine or [_NOTHING])]
    return "\n".join(lines)


def _row(statement: Statement) -> dict[str, Any]:
    support = [
        {"paper": paper, "quote": quote}
        for paper, quote in zip(statement.papers, statement.quotes, strict=True)
    ]
    return {"part": statement.part, "text": statement.text, "support": support}
