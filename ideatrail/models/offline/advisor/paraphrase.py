"""verify: whether a draft says what a hidden statement says, by the rare words that they share.

Surface forms are the checks' work; here is what is left of it for an engine without a language
model: one sentence that carries most of a statement's weight in words that nothing observed holds.
"""

from __future__ import annotations

from typing import Any, Final

from ideatrail.models.offline.advisor.material import Material
from ideatrail.models.offline.advisor.rarity import Rarities
from ideatrail.trail.answers import LeakageAnswer
from ideatrail.trail.text import content_stems, sentences

CARRIED: Final = 0.6
"""Share of a statement's unseen weight that one sentence has to carry."""
_WORDS: Final = 4
"""Unseen words that a statement must have, to be told by them."""


def judge_paraphrase(material: Material) -> LeakageAnswer:
    """Weigh each sentence of `<draft>` against each statement of `<hidden>`."""
    observed = {s for text in _list(material, "observed") for s in content_stems(str(text))}
    rarities = Rarities()
    said = [set(content_stems(s)) for s in sentences(material.text("draft"))]
    for statement in _list(material, "hidden"):
        text = str(statement.get("text", "")) if isinstance(statement, dict) else str(statement)
        unseen = [s for s in dict.fromkeys(content_stems(text)) if s not in observed]
        whole = sum(rarities.weight(s) for s in unseen)
        if len(unseen) < _WORDS or not whole:
            continue
        for words in said:
            carried = sum(rarities.weight(s) for s in unseen if s in words) / whole
            if carried >= CARRIED:
                why = f"one sentence carries {carried:.0%} of a statement's unseen words"
                return LeakageAnswer(leaks=True, part="reasoning", why=why)
    return LeakageAnswer(leaks=False, part="reasoning", why="no sentence carries a statement")


def _list(material: Material, name: str) -> list[Any]:
    value = material.data(name)
    return value if isinstance(value, list) else []
