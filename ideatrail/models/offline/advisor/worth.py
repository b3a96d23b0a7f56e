"""label_tiers: high or normal, by what one turn writes and nothing else."""

from __future__ import annotations

import re
from typing import Final

from ideatrail.models.offline.advisor.material import Material
from ideatrail.trail.answers import TierAnswer

_HIGH: Final = re.compile(
    r"- decision: selected|## (?:Problem levels|Mechanism hypotheses|Contradictions|Thesis|Method"
    r"|Evaluation|Implementation)\b|- mechanism:"
)
_CITED: Final = re.compile(r"\[[CI]\d+")


def judge_worth(material: Material) -> TierAnswer:
    """High where a mechanism, a choice or a method is written on the ground of claims."""
    text = material.text("turn").replace("\\n", "\n")
    found = _HIGH.search(text)
    if found and _CITED.search(text):
        return TierAnswer(tier="high", why=f"writes {found.group().strip('-# ')!r} on claims")
    return TierAnswer(tier="normal", why="writes no mechanism, choice or method on claims")
