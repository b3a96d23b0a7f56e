"""target_drift, the part that rules can settle: ideas that share nothing with the question.

Subtle drift is for the convergence judge. This is judged on drafts of the idea candidates and the
proposal only; reading widely is no drift.
"""

from __future__ import annotations

import re
from typing import Final

from ideatrail.trail.stage import ArtifactName
from ideatrail.trail.verdict import Code, Pointer
from ideatrail.verifier.case import Case, section_id
from ideatrail.verifier.means import Bench, Means, Need, Opinion
from ideatrail.verifier.terms import analyse
from ideatrail.verifier.view import View

MIN_WORDS: Final = 25
"""Content words from which on a text can be said to be about something."""
FOREIGN_WORDS: Final = 8
"""Distinct content words from which on a section can be foreign to the trail."""
FOREIGN: Final = 0.35
"""Share of them that stand nowhere in what was shown and said, which makes it so."""
_FILES: Final[frozenset[ArtifactName]] = frozenset({"idea_candidates.md", "research_proposal.md"})
_SELECTED: Final = re.compile(r"^- decision: selected", re.MULTILINE)
COMMON: Final = frozenset(
    analyse(
        "model method approach system data dataset task paper work result study research problem"
        " question research propose evaluate evaluation performance learn learning language text"
        " large high low new different better improve train training base show find help need way"
        " claim mechanism rests novelty risk decision selected rejected status open source"
    ).content
)
"""Stems that any two proposals of the field share."""


class DriftCheck:
    """Ideas outside the problem space of the direction and the seed."""

    name = "drift"
    codes: frozenset[Code] = frozenset({"target_drift"})
    needs: frozenset[Need] = frozenset({"advisor"})

    def __init__(self, means: Means) -> None:
        self._oracle = means.oracle
        space: set[str] = set()
        if means.oracle:
            for atom in means.oracle.atoms:
                space.update(analyse(atom.text).content)
        self._space = frozenset(space - COMMON)

    def judge(self, case: Case, view: View) -> Opinion:
        """The selected idea, and each artifact as a whole, against direction and seed."""
        bench = Bench(self.name, "target_drift", ("problem space", "judge"))
        bench.skip("judge", "subtle drift is for the convergence judge")
        if self._oracle is None:
            bench.skip("problem space", "no oracle was given")
            return bench.opinion()
        asked = frozenset(analyse(view.direction).content) - COMMON
        for edit in case.edits:
            if edit.name not in _FILES or edit.new is None:
                continue
            if self._off(edit.after, asked, 2):
                bench.hit("problem space", Pointer("file", edit.call), "the whole file")
                continue
            for section, text in edit.changed_sections():
                # A candidate that is dropped may have strayed: that is what dropping is for.
                if edit.name == "idea_candidates.md" and not _SELECTED.search(text):
                    continue
                # A proposal's sections on data or steps need not name the question.
                off = edit.name == "idea_candidates.md" and self._off(text, asked, 0)
                if off or self._foreign(text.partition("\n")[2], asked, view):
                    name = section_id(section.heading)
                    bench.hit("problem space", Pointer("file", edit.call, name), section.heading)
        return bench.opinion()

    def _foreign(self, text: str, asked: frozenset[str], view: View) -> bool:
        """Whether most words of `text` come from nowhere: not from the question, nor the seed, nor
        anything that was shown or said."""
        distinct = {s for s in analyse(text).content if s not in COMMON and s.isalpha()}
        if len(distinct) < FOREIGN_WORDS:
            return False
        known = view.shown.stems | view.said.stems | self._space | asked
        share = len(distinct - known) / len(distinct)
        # `current` and `read` may stand in any question: the more is foreign, the less they count.
        return share >= FOREIGN and len(distinct & asked) <= (3 if share >= 0.5 else 1)

    def _off(self, text: str, asked: frozenset[str], most: int) -> bool:
        """Whether `text` shares at most `most` words with the question and hardly any with the
        seed."""
        found = [s for s in analyse(text).content if s not in COMMON]
        if len(found) < MIN_WORDS or not asked:
            return False
        distinct = set(found)
        shared = distinct & asked
        if len(shared) > most:
            return False
        seed = distinct & self._space
        return len(seed) <= 0.15 * len(distinct)
