"""A drafted proposal: asked of the drafter, written as a file that is read like any other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ideatrail.evidence.paper import Paper
from ideatrail.models.offline.drafter import DraftAnswer
from ideatrail.trail.answers import Asks

_OUTCOME: Final = re.compile(
    r"\b(?:we (?:found|showed|observed|achieved|obtained)|(?:results|experiments) (?:show|showed"
    r"|demonstrate|demonstrated)|outperform(?:s|ed)|achiev(?:es|ed) )"
    r"|\b\d+(?:\.\d+)?\s?(?:%|(?:points|BLEU|ROUGE|F1)\b)",
    re.IGNORECASE,
)
_CHARACTERS: Final = 60_000
"""Of a paper that the drafter is shown."""
LEAST_WORDS: Final = 8
"""A question or a method of fewer words says too little."""


class TooLittleError(ValueError):
    """The paper gives too little for a proposal: one line."""


@dataclass(frozen=True)
class Draft:
    """A proposal drafted from a paper."""

    title: str
    answer: DraftAnswer
    source: str
    """What was read: `title and abstract`, `title and summary`, or `full text`."""
    dated: str
    """ISO day on which it could have been written: the day before the paper."""

    def markdown(self) -> str:
        """The file. Its front matter says what it was drafted from."""
        parts = [
            f"---\ndate: {self.dated}\ndrafted_from: {self.source}\n---",
            f"# {self.title}",
        ]
        sections = (
            ("Research question", self.answer.question),
            ("Motivation", self.answer.motivation),
            ("Thesis", self.answer.thesis),
            ("Method", self.answer.method),
            ("Evaluation", self.answer.evaluation),
            ("Baselines", _items(self.answer.baselines)),
            ("Risks", _items(self.answer.risks)),
            ("Novelty", self.answer.novelty),
        )
        parts += [f"## {heading}\n\n{text.strip()}" for heading, text in sections if text.strip()]
        return "\n\n".join(parts) + "\n"


async def draft(paper: Paper, dated: str, pen: Asks) -> Draft:
    """Ask the drafter for a proposal.

    Raises:
        TooLittleError: no question or no method could be had from it.
        ModelError: the model gave no answer.
    """
    text: list[str] = []
    left = _CHARACTERS
    for paragraph in paper.body:
        text.append(paragraph[:left])
        left -= len(paragraph)
        if left <= 0:
            break
    source = "full text" if paper.kind == "full text" else f"title and {paper.kind}"
    answer = await pen.ask(
        DraftAnswer, paper={"title": paper.title, "kind": paper.kind, "text": text}
    )
    answer = _without_outcomes(answer)
    for name in ("question", "method"):
        if len(getattr(answer, name).split()) < LEAST_WORDS:
            raise TooLittleError(f"{paper.id}: its {source} gives no {name}")
    return Draft(paper.title, answer, source, dated)


def _without_outcomes(answer: DraftAnswer) -> DraftAnswer:
    """The answer without sentences that tell a result, whoever wrote them."""
    given = answer.model_dump()
    for name, value in given.items():
        if isinstance(value, str):
            kept = re.split(r"(?<=[.!?])\s+", value)
            given[name] = " ".join(s for s in kept if not _OUTCOME.search(s))
    return DraftAnswer.model_validate(given)


def _items(texts: list[str]) -> str:
    return "\n".join(f"- {text.strip()}" for text in texts if text.strip())
