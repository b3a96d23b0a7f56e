"""Titles, found in text even where they are not quite complete."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ideatrail.evidence.withheld import main_title
from ideatrail.evidence.works import SHORT_TITLE
from ideatrail.trail.text import words

_GRAM: Final = 3
"""Words side by side by which a title is looked for; one changed word of 7 leaves such a run."""


@dataclass(frozen=True, slots=True)
class TitleMatch:
    """A title that stands in a text."""

    ids: tuple[str, ...]
    """Papers with this title."""
    title: str
    """Its words, folded, as the paper has them."""
    start: int
    """Position of its first word among the words of the text."""
    end: int
    said: str
    """The text's own words there, folded."""
    complete: bool
    """Word for word and with its subtitle."""


class Titles:
    """The titles of a corpus by their words. Titles under 4 words are matched whole or not at all:
    inside a text they are just words."""

    def __init__(self, titles: Iterable[tuple[str, str]]) -> None:
        """`titles` are pairs of id and title."""
        self.ids: dict[str, tuple[str, ...]] = {}
        """Ids by the folded words of the whole title, joined by spaces."""
        self._forms: dict[tuple[str, ...], tuple[str, ...]] = {}
        for identifier, title in titles:
            whole = tuple(words(title))
            if not whole:
                continue
            said = " ".join(whole)
            self.ids[said] = (*self.ids.get(said, ()), identifier)
            self._forms[whole] = whole
            main = tuple(words(main_title(title)))
            if len(main) >= SHORT_TITLE:
                self._forms.setdefault(main, whole)
        self._grams: dict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
        for form in self._forms:
            if len(form) >= SHORT_TITLE:
                for gram in dict.fromkeys(_grams(form)):
                    self._grams[gram].append(form)

    def match(self, text: str) -> tuple[str, ...]:
        """Ids of the papers whose title `text` is: equal once folded, without its subtitle, or
        with at most one word in ten changed (one word, in titles of 7 to 9)."""
        said = tuple(words(text))
        if said in self._forms:
            return self.ids[" ".join(self._forms[said])]
        near = [m for m in self.within(text) if len(said) - (m.end - m.start) <= len(said) // 10]
        return tuple(dict.fromkeys(i for m in near for i in m.ids))

    def within(self, text: str) -> tuple[TitleMatch, ...]:
        """Titles that stand in `text`, in its order. Linear in the text but for rare collisions."""
        said = words(text)
        places: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for at, gram in enumerate(_grams(said)):
            for form in self._grams.get(gram, ()):
                places[form].append(at)
        found: dict[tuple[tuple[str, ...], int], TitleMatch] = {}
        for form, hits in places.items():
            need = len(form) - _slack(len(form))
            if len(hits) < max(1, len(form) - _GRAM + 1 - _GRAM * _slack(len(form))):
                continue
            for at in hits:
                match = self._around(form, said, at, need)
                if match:
                    found.setdefault((self._forms[form], match.start), match)
        return tuple(sorted(found.values(), key=lambda m: (m.start, -m.end, m.title)))

    def _around(
        self, form: tuple[str, ...], said: list[str], at: int, need: int
    ) -> TitleMatch | None:
        gram = tuple(said[at : at + _GRAM])
        whole = self._forms[form]
        for offset, own in enumerate(_grams(form)):
            start = at - offset
            if own != gram or start < -_slack(len(form)):
                continue
            begin = max(start, 0)
            window = said[begin : start + len(form)]
            if sum(a == b for a, b in zip(form[begin - start :], window, strict=False)) < need:
                continue
            return TitleMatch(
                self.ids[" ".join(whole)],
                " ".join(whole),
                begin,
                begin + len(window),
                " ".join(window),
                complete=tuple(window) == whole,
            )
        return None


def _grams(said: tuple[str, ...] | list[str]) -> list[tuple[str, ...]]:
    return [tuple(said[i : i + _GRAM]) for i in range(len(said) - _GRAM + 1)]


def _slack(length: int) -> int:
    """Words of a title that may be other ones."""
    return 0 if length < 7 else max(1, length // 10)
