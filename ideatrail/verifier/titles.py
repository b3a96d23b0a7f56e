"""title_pre_knowledge: a (nearly) complete title of a paper before it was observed.

Titles are those of the whole index, later and withheld papers among them, so that a hit tells
nothing of the target; where a whole trail is audited, those that it observes later come in too.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final
from urllib.parse import unquote_plus

from ideatrail.evidence.titles import TitleMatch, Titles
from ideatrail.trail.text import words
from ideatrail.trail.verdict import Code
from ideatrail.verifier.case import Case, Spot
from ideatrail.verifier.means import Bench, Means, Need, Opinion
from ideatrail.verifier.terms import analyse, is_content
from ideatrail.verifier.view import View

SHORT: Final = 4
"""Content words; a shorter title counts only in quotes or as a whole query."""
COMMON_SHARE: Final = 0.002
"""Share of papers from which on a pair of words is common speech of the field."""
_QUOTED: Final = re.compile(r"[\"“]([^\"“”\n]{8,200})[\"”]")


class TitleCheck:
    """Titles in queries, addresses, paths, reasoning and artifacts before they were observed."""

    name = "titles"
    codes: frozenset[Code] = frozenset({"title_pre_knowledge"})
    needs: frozenset[Need] = frozenset({"corpus"})

    def __init__(self, means: Means) -> None:
        self._lexicon = means.lexicon
        self._later = Titles((f"later {n}", t) for n, t in enumerate(means.later_titles))
        self._has_later = bool(means.later_titles)
        self._common: dict[tuple[str, str], bool] = {}

    def judge(self, case: Case, view: View) -> Opinion:
        """Titles in every text of the draft."""
        bench = Bench(self.name, "title_pre_knowledge", ("index", "observed later"))
        if self._lexicon is None:
            bench.skip("index", "no paper index was given")
        if not self._has_later:
            bench.skip("observed later", "known only when a whole trail is audited")
        for spot in case.spots:
            if spot.kind == "old":
                continue
            text = unquote_plus(spot.text) if spot.kind == "url" else spot.text
            found: list[tuple[str, TitleMatch]] = []
            if self._lexicon is not None:
                found += [("index", m) for m in self._lexicon.titles_in(text)]
            if self._has_later:
                found += [("observed later", m) for m in self._later.within(text)]
            if not found:
                continue
            said = words(text)
            for layer, match in found:
                if self._counts(spot, text, said, match) and not _free(match, said, view):
                    bench.hit(layer, spot.pointer, f"{match.ids[0]}: {match.title}")
        return bench.opinion()

    def _counts(self, spot: Spot, text: str, said: list[str], match: TitleMatch) -> bool:
        """Whether the words can be no chance: a long title, or a short one given as a title."""
        window = said[match.start : match.end]
        content = [w for w in window if is_content(w)]
        whole = len(said) - len(window) <= 1
        row = " ".join(window)
        quoted = any(row in " ".join(words(q)) for q in _QUOTED.findall(text))
        if quoted:
            return len(content) > 1
        if len(content) < SHORT:
            return whole and spot.kind == "query" and not self._plain(content)
        return not (len(content) == SHORT and self._plain(content))

    def _plain(self, content: list[str]) -> bool:
        """Whether every pair of neighbours is common speech: `neural machine translation`."""
        if self._lexicon is None:
            return False
        for pair in pairwise(content):
            if pair not in self._common:
                most = max(5.0, COMMON_SHARE * self._lexicon.size)
                self._common[pair] = self._lexicon.frequency(" ".join(pair)) >= most
            if not self._common[pair]:
                return False
        return True


def _free(match: TitleMatch, said: list[str], view: View) -> bool:
    """Whether the title, or the very words used, stood in an observation or the direction."""
    if match.title in view.titles or view.shown.verbatim(match.title):
        return True
    window = " ".join(said[match.start : match.end])
    if view.shown.verbatim(window):
        return True
    # An observed title with another subtitle, or one word away: the same words, in a query.
    return bool(analyse(window).content) and view.shown.phrase(analyse(window).content)
