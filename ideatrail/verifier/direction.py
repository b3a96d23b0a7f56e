"""The gate of the visible direction (paper, section 4.5).

What passes it is the one text by which the Advisor's side speaks to the Generator, so it is held to
more than a draft: every lock is closed, and a name that the literature does not know is refused
wherever it comes from.
"""

from __future__ import annotations

import re
from typing import Final

from ideatrail.trail.oracle import Oracle
from ideatrail.trail.text import fold
from ideatrail.trail.turn import Draft
from ideatrail.verifier.anachronism import AnachronismCheck
from ideatrail.verifier.case import make_case
from ideatrail.verifier.language import LanguageCheck
from ideatrail.verifier.leakage import LeakageCheck
from ideatrail.verifier.means import CheckMaker, Means
from ideatrail.verifier.titles import TitleCheck
from ideatrail.verifier.view import View

_CHECKS: Final[tuple[CheckMaker, ...]] = (
    LeakageCheck,
    TitleCheck,
    LanguageCheck,
    AnachronismCheck,
)
_NAME: Final = re.compile(
    r"(?<![\w-])(?:[A-Za-z]+\d[\w-]*|\d+[A-Za-z][\w-]*|[A-Z]{2,}[\w-]*|[A-Z]?[a-z]+[A-Z][\w-]*)"
)
"""The shape of a coined name: a digit beside letters, capitals inside, an acronym."""

_SMALLEST_LEXICON: Final = 50
"""Below so many papers an unknown name says nothing."""


def direction_faults(text: str, oracle: Oracle, means: Means) -> list[str]:
    """What keeps `text` from being shown to the Generator, in words for the Advisor's side."""
    # The question and what moved it are what a direction is made from: they are no answer.
    answer = oracle.model_copy(
        update={
            "atoms": [a for a in oracle.atoms if a.kind != "other"],
            "locks": [k.model_copy(update={"opens_at": "propose"}) for k in oracle.locks],
        }
    )
    means = Means(
        cutoff=means.cutoff,
        lexicon=means.lexicon,
        oracle=answer,
        target_titles=means.target_titles,
        embedder=means.embedder,
    )
    case = make_case(Draft(text, "", ()), "explore", {})
    view = View("")
    faults: dict[str, None] = {}
    for maker in _CHECKS:
        for finding in maker(means).judge(case, view).findings:
            faults[f"{finding.code}: {finding.detail or finding.layer}"] = None
    for name in _unknown_names(text, means):
        faults[f"unknown name: {name}"] = None
    return list(faults)


def _unknown_names(text: str, means: Means) -> list[str]:
    lexicon = means.lexicon
    if lexicon is None or lexicon.size < _SMALLEST_LEXICON:
        return []
    found = []
    for match in _NAME.finditer(text):
        name = match.group(0)
        if not lexicon.name_frequency(name) and not lexicon.frequency(fold(name)):
            found.append(name)
    return found
