"""What the portraitist is shown of the papers: labels instead of ids, and no author."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ideatrail.evidence.paper import Paper
from ideatrail.models.offline.phrases import key_phrases
from ideatrail.models.offline.portrait_cues import HABITS
from ideatrail.portraits.shelf import Shelf, text_of
from ideatrail.trail.text import STOPWORDS, stems, words

MOST_PAPERS: Final = 80
"""Papers shown, the newest of more: with their abstracts they fill some 25,000 tokens."""
_BODY: Final = 2_000
"""Characters shown of a paper's text; abstracts are shorter."""
_PHRASES: Final = 160
_COUNTED: Final = 1_500
"""Papers of others in which habits are looked for: their share is then good to two percent."""


@dataclass(frozen=True)
class Digest:
    """What a request holds."""

    papers: tuple[Paper, ...]
    """Those shown, oldest first."""
    shown: tuple[dict[str, Any], ...]
    phrases: tuple[dict[str, Any], ...]
    elsewhere: dict[str, Any]

    def paper(self, label: str) -> Paper | None:
        """The paper that a label stands for."""
        at = label.strip().removeprefix("p")
        known = at.isascii() and at.isdigit() and 0 < int(at) <= len(self.papers)
        return self.papers[int(at) - 1] if known else None

    def text(self, label: str) -> str:
        """The words of a paper as they were shown."""
        row = self.shown[int(label.strip().removeprefix("p")) - 1]
        return "\n".join((row["title"], *row["text"]))


def digest(shelf: Shelf, papers: Sequence[Paper]) -> Digest:
    """The digest of an author's papers; what is common is counted among the admitted papers."""
    chosen = tuple(papers[-MOST_PAPERS:])
    return Digest(
        chosen,
        tuple(_shown(n, paper) for n, paper in enumerate(chosen, start=1)),
        tuple(_phrases(shelf, chosen)),
        {"papers": shelf.sample_size, "habits": _habits(shelf)},
    )


def _shown(number: int, paper: Paper) -> dict[str, Any]:
    left, body = _BODY, []
    for paragraph in paper.body:
        if left <= 0:
            break
        body.append(paragraph if len(paragraph) <= left else paragraph[:left].rsplit(" ", 1)[0])
        left -= len(paragraph)
    return {"label": f"p{number}", "title": paper.title, "kind": paper.kind, "text": body}


def _phrases(shelf: Shelf, papers: Sequence[Paper]) -> list[dict[str, Any]]:
    """Phrases of two papers or more, the most telling first."""
    forms: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    runs = [stems(text_of(p)) for p in papers]
    for paper in papers:
        for phrase in key_phrases(text_of(paper), 3):
            pieces = phrase.text.split(" ")
            for size in range(1, len(pieces) + 1):
                for start in range(len(pieces) - size + 1):
                    part = " ".join(pieces[start : start + size])
                    if words(part) and not STOPWORDS.intersection(words(part)):
                        forms[tuple(stems(part))][_small(part)] += 1
    held: dict[tuple[str, ...], list[str]] = {}
    for number, run in enumerate(runs, start=1):
        here = {tuple(run[i : i + n]) for n in (1, 2, 3) for i in range(len(run) - n + 1)}
        for key in forms.keys() & here:
            held.setdefault(key, []).append(f"p{number}")
    held = {key: labels for key, labels in held.items() if len(labels) > 1}
    elsewhere = shelf.frequencies(held)
    size = shelf.sample_size

    def telling(key: tuple[str, ...]) -> float:
        rarity = math.log((size + 1) / (elsewhere.get(key, 0) + 1))
        return len(held[key]) * rarity * (1.0 if len(key) > 1 else 0.7)

    ranked = sorted(held, key=lambda k: (-telling(k), k))[:_PHRASES]
    return [
        {
            "text": min(forms[k].items(), key=lambda f: (-f[1], f[0]))[0],
            "papers": held[k],
            "elsewhere": elsewhere.get(k, 0),
        }
        for k in ranked
    ]


def _small(text: str) -> str:
    """`text` without the capitals of a beginning; acronyms keep theirs."""
    return " ".join(w if any(c.isupper() for c in w[1:]) else w.lower() for w in text.split(" "))


def _habits(shelf: Shelf) -> dict[str, float]:
    """Share of other authors' papers that show each habit."""
    own = {p.id for p in shelf.papers}
    others = [p for p in shelf.sample if p.id not in own][:_COUNTED]
    if not others:
        return {}
    return {
        habit.key: round(
            sum(habit.seen_in(_own_words(p)) is not None for p in others) / len(others), 3
        )
        for habit in HABITS
    }


def _own_words(paper: Paper) -> str:
    """Title and text as the portraitist reads them: a summary ends with its own criticism."""
    body = paper.body[:-1] or paper.body if paper.kind == "summary" else paper.body
    return "\n".join((paper.title, *body))
