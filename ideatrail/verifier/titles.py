"""title_pre_knowledge: a (nearly) complete title of a paper before it was observed.

Titles are those of the whole index, later and withheld papers among them, so that a hit tells
nothing of the target; where a whole trail is audited, those that it observes later come in too.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote_plus

from ideatrail.evidence.titles import TitleMatch, Titles
from ideatrail.trail.text import words
from ideatrail.trail.verdict import Code
from ideatrail.verifier.case import Case, Spot
from ideatrail.verifier.means import Bench, LexiconLike, Means, Need, Opinion
from ideatrail.verifier.terms import analyse, is_content
from ideatrail.verifier.view import View

SHORT: Final = 4
"""Content words; a shorter title counts only in quotes or as a whole query."""
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
            for layer, match in found:
                if _counts(spot, text, match) and not _free(match, view):
                    bench.hit(layer, spot.pointer, f"{match.ids[0]}: {match.title}")
            if self._lexicon is not None:
                self._whole(spot, text, view, bench, self._lexicon)
        return bench.opinion()

    def _whole(self, spot: Spot, text: str, view: View, bench: Bench, lexicon: LexiconLike) -> None:
        """Titles of any length that a query, or a span in quotes, is as a whole."""
        spans = _QUOTED.findall(text)
        if spot.kind == "query":
            spans.append(text)
        for span in spans:
            said = " ".join(words(span))
            if len(said.split()) < 2 or view.shown.verbatim(said) or said in view.titles:
                continue
            ids = lexicon.match_title(span)
            if ids and not lexicon.is_topic(span):
                bench.hit("index", spot.pointer, f"{ids[0]}: {span}")


def _counts(spot: Spot, text: str, match: TitleMatch) -> bool:
    """Whether the words can be no chance: a title of some length, or a short one in quotes or as a
    whole query."""
    content = [w for w in match.said.split() if is_content(w)]
    if len(content) >= SHORT:
        return True
    if any(match.said in " ".join(words(q)) for q in _QUOTED.findall(text)):
        return True
    if len(content) >= 2 and _as_title(text, match.said):
        return True
    return spot.kind == "query" and len(words(text)) - len(match.said.split()) <= 1


def _as_title(text: str, said: str) -> bool:
    """Whether the words stand in `text` as a title is written: in stars or capitals, or with a
    capital in the middle of a sentence."""
    pattern = r"\W+".join(map(re.escape, said.split()))
    for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE):
        before = text[: match.start()].rstrip(" ")[-1:]
        found = [w for w in re.findall(r"\w[\w'’-]*", match.group()) if is_content(w.casefold())]
        if before in ("*", "_", "[") or (found and all(w[0].isupper() for w in found)):
            return True
        if match.group()[0].isupper() and (before.islower() or before in (",", ";", "(")):
            return True
    return False


def _free(match: TitleMatch, view: View) -> bool:
    """Whether the title, or the very words used, stood in an observation or the direction; an
    observed title with another subtitle is as good."""
    if match.title in view.titles or view.shown.verbatim(match.title):
        return True
    content = analyse(match.said).content
    # Two or three words in a row are soon observed somewhere: of a short title all words count.
    return view.shown.verbatim(match.said) or (len(content) >= SHORT and view.shown.phrase(content))
