"""The offline portraitist: what an author's papers tell of them, counted and said in plain words.

It sees the papers, the phrases that recur in them and how common each habit is elsewhere; it names
no paper, and every statement carries the sentences that it rests on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import Field

from ideatrail.models.offline.phrases import noun_like
from ideatrail.models.offline.portrait_cues import HABITS, Habit, Part
from ideatrail.trail.answers import StructuredAnswer
from ideatrail.trail.text import sentences, stems

if TYPE_CHECKING:
    from ideatrail.models.offline.advisor.material import Material

_QUOTE: Final = 240
_THEMES: Final = 8
_HABITS: Final = 4
"""Statements of a part at most."""
_LEAST_SHARE: Final = 0.12
_COMMON: Final = 0.12
"""Share of other papers from which on a phrase tells the field and not a topic in it."""
_COINED: Final = 0.0004
"""Share of other papers below which a phrase may be of the author's own making."""
_LONGEST: Final = 3
"""Words of a theme: four in a row may be a title's."""
_DULL: Final = frozenset(
    """
    natural language models understanding human learning neural network representation
    representations training data word words text texts sentence sentences deep machine state
    corpus corpora benchmark evaluation annotation test sets high quality large scale time domain
    information knowledge english publicly research community future work shared baseline
    baselines downstream experiments significant improvements recent years application
    applications processing linguistics computational linguistic accuracy tool tools user users
    resource resources feature features different types wide range empirical analysis community
    pre-trained pretrained language-specific real-world f1 bleu gpt-3 gpt-4 chatgpt bert
    speakers people humans world example examples
    """.split()
)


class Support(StructuredAnswer):
    """What a statement rests on in one paper."""

    paper: str
    """The paper's label."""
    quote: str
    """Words of its title or text, verbatim."""


class StatementAnswer(StructuredAnswer):
    """One statement of a portrait."""

    part: Literal["domain", "approach", "novelty", "evidence", "patterns"]
    text: str = Field(min_length=20, max_length=400)
    support: list[Support] = Field(min_length=1)


class PortraitAnswer(StructuredAnswer):
    """distil: a researcher portrait, each statement with the papers it rests on."""

    statements: list[StatementAnswer]


@dataclass(frozen=True)
class _Paper:
    label: str
    title: str
    text: str


@dataclass(frozen=True)
class _Theme:
    """A phrase that recurs in the papers."""

    text: str
    papers: tuple[str, ...]
    elsewhere: int
    """Papers of others that hold it, of those counted."""

    @cached_property
    def stems(self) -> tuple[str, ...]:
        return tuple(stems(self.text))


def portray(material: Material) -> PortraitAnswer:
    """A portrait from `<papers>`, `<phrases>` and `<elsewhere>`; nothing in `<refused>` is said
    again. Raises ValueError for a request without papers."""
    return PortraitAnswer(statements=list(_Easel(material).statements()))


class _Easel:
    def __init__(self, material: Material) -> None:
        given = material.data("papers")
        if not isinstance(given, list) or not given:
            raise ValueError("no papers")
        self._papers = [_paper(p) for p in given]
        self._by_label = {p.label: p for p in self._papers}
        elsewhere = material.data("elsewhere") or {}
        self._size = int(elsewhere.get("papers", 0))
        self._usual: Mapping[str, float] = elsewhere.get("habits", {})
        self._phrases = [
            _Theme(p["text"], tuple(p["papers"]), int(p["elsewhere"]))
            for p in material.data("phrases") or []
        ]
        refused = material.data("refused") or []
        self._refused = {str(r["text"] if isinstance(r, dict) else r) for r in refused}

    @property
    def _count(self) -> int:
        return len(self._papers)

    def statements(self) -> Iterator[StatementAnswer]:
        """All parts in their order."""
        yield from self._domain()
        for part in _HABITUAL:
            yield from self._habits(part)
        yield from self._patterns()

    # domain ---------------------------------------------------------------------------------

    @cached_property
    def _themes(self) -> list[_Theme]:
        """Telling phrases, the strongest first; none holds another."""
        least = 2 if self._count < 12 else 3
        known = max(1.0, _COINED * self._size)
        ranked = [
            p
            for p in self._phrases
            if len(p.papers) >= least
            and known <= p.elsewhere <= max(_COMMON * self._size, known)
            and _telling(p.text)
        ]
        ranked.sort(key=lambda p: (-self._weight(p), p.text))
        chosen: list[_Theme] = []
        for theme in ranked:
            own = set(theme.stems)
            if any(own <= set(c.stems) or set(c.stems) <= own for c in chosen):
                continue
            if any(2 * len(own & set(c.stems)) >= len(own) + 1 for c in chosen):
                continue
            chosen.append(theme)
            if len(chosen) == 2 * _THEMES:
                break
        return chosen

    def _weight(self, theme: _Theme) -> float:
        rarity = math.log((self._size + 1) / (theme.elsewhere + 1))
        return len(theme.papers) * rarity * (1.0 if len(theme.stems) > 1 else 0.7)

    def _domain(self) -> Iterator[StatementAnswer]:
        themes = self._themes
        said: list[_Theme] = []
        for theme in themes:  # the first one that may be said
            words = f"Has worked above all on {theme.text}: in {self._of(theme.papers)}."
            if 4 * len(theme.papers) < self._count:
                words = (
                    f"Has no single topic; {theme.text} comes up most, in {self._of(theme.papers)}."
                )
            made = self._say("domain", words, theme.papers, theme)
            if made:
                yield made
                said.append(theme)
                break
        rest = [t for t in themes if t not in said][: _THEMES - 1]
        for row in (rest[:3], rest[3:5]):
            yield from self._also(row, said)
        yield from self._lately(said)

    def _also(self, row: Sequence[_Theme], said: list[_Theme]) -> Iterator[StatementAnswer]:
        """Several themes in one line, or one by one where that line was refused."""
        if not row:
            return
        held = [f"{t.text} ({len(t.papers)} of {self._count})" for t in row]
        opening = "Is at home in" if len(said) < 2 else "Has also written on"
        papers = sorted({p for t in row for p in t.papers}, key=list(self._by_label).index)
        whole = self._say("domain", f"{opening} {_listed(held)}.", papers, *row)
        if whole:
            said.extend(row)
            yield whole
            return
        for theme in row:
            one = f"Has also written on {theme.text}, in {self._of(theme.papers)}."
            made = self._say("domain", one, theme.papers, theme)
            if made:
                said.append(theme)
                yield made

    def _lately(self, said: Sequence[_Theme]) -> Iterator[StatementAnswer]:
        """Where attention has gone: the newer half of the papers against the older."""
        if self._count < 8:
            return
        half = self._count // 2
        new = {p.label for p in self._papers[half:]}
        moved = [
            (t, [p for p in t.papers if p in new])
            for t in self._themes
            if sum(p in new for p in t.papers) >= max(3, 0.85 * len(t.papers))
        ]
        for theme, papers in moved:
            words = (
                f"Has turned to {theme.text} lately: {len(papers)} of the {len(new)} newer papers "
                f"take it up, and {_number(len(theme.papers) - len(papers))} of the older ones."
            )
            made = self._say("domain", words, papers, theme)
            if made:
                yield made
                return

    # habits ---------------------------------------------------------------------------------

    @cached_property
    def _seen(self) -> dict[str, dict[str, str]]:
        """Habit → label → the sentence that shows it."""
        return {
            h.key: {p.label: s for p in self._papers if (s := h.seen_in(f"{p.title}\n{p.text}"))}
            for h in HABITS
        }

    def _standing(self, habit: Habit) -> float:
        """How far the author's use of a habit stands out from what is usual, in deviations."""
        usual = min(max(self._usual.get(habit.key, 0.2), 0.02), 0.98)
        found = len(self._seen[habit.key])
        spread = math.sqrt(self._count * usual * (1 - usual) + 0.5)
        return (found - self._count * usual) / spread + 0.5 * found / self._count

    def _ranked(self, part: Part) -> list[Habit]:
        least = max(2, math.ceil(_LEAST_SHARE * self._count))
        fit = [h for h in HABITS if h.part == part and len(self._seen[h.key]) >= least]
        return sorted(fit, key=lambda h: -self._standing(h))

    def _habits(self, part: Part) -> Iterator[StatementAnswer]:
        made = 0
        for habit in self._ranked(part):
            if made >= _HABITS or (made >= 2 and self._standing(habit) <= 0.5):
                return
            seen = self._seen[habit.key]
            words = f"{habit.says} (in {self._of(seen)}{self._usually(habit)})."
            statement = self._quoted(part, words, seen)
            if statement:
                made += 1
                yield statement

    def _usually(self, habit: Habit) -> str:
        usual = self._usual.get(habit.key)
        if not usual or self._count < 5:
            return ""
        ratio = len(self._seen[habit.key]) / self._count / usual
        if ratio >= 2.5:
            return ", far more often than is usual"
        if ratio >= 1.4:
            return ", more often than is usual"
        return ", less often than is usual" if ratio < 0.7 else ""

    # patterns -------------------------------------------------------------------------------

    def _patterns(self) -> Iterator[StatementAnswer]:
        yield from self._faithful()
        yield from self._together()
        yield from self._habits("patterns")
        named = {p.label: m[0] for p in self._papers if (m := _NAMED.match(p.title))}
        if len(named) >= max(2, 0.25 * self._count):
            words = (
                "Gives what is made a short name of its own and puts it in front of the title "
                f"(in {self._of(named)})."
            )
            made = self._quoted("patterns", words, named)
            if made:
                yield made

    def _faithful(self) -> Iterator[StatementAnswer]:
        if self._count < 6:
            return
        third = self._count // 3
        old = {p.label for p in self._papers[:third]}
        new = {p.label for p in self._papers[-third:]}
        for theme in self._themes:
            early, late = [[p for p in theme.papers if p in part] for part in (old, new)]
            if len(early) < 2 or len(late) < 2:
                continue
            words = (
                f"Comes back to {theme.text} over the years: {len(early)} of the {len(old)} oldest "
                f"papers take it up and {len(late)} of the {len(new)} newest."
            )
            made = self._say("patterns", words, [*early, *late], theme)
            if made:
                yield made
                return

    def _together(self) -> Iterator[StatementAnswer]:
        """Two habits that go together in this author's papers more than apart."""
        first = [h for h in HABITS if h.part in ("approach", "novelty")]
        second = [h for h in HABITS if h.part == "evidence"]
        pairs: list[tuple[float, Habit, Habit]] = []
        for a, b in product(first, second):
            with_a, with_b = self._seen[a.key], self._seen[b.key]
            both = len(with_a.keys() & with_b.keys())
            without = self._count - len(with_a)
            if both < max(3, 0.1 * self._count) or without < 3 or 2 * both < len(with_a):
                continue
            gain = both / len(with_a) - (len(with_b) - both) / without
            if gain >= 0.2:
                spread = math.sqrt(0.25 / len(with_a) + 0.25 / without)
                pairs.append((gain / spread, a, b))
        pairs.sort(key=lambda p: (-p[0], p[1].key, p[2].key))
        used: set[str] = set()
        for _, a, b in pairs:
            if {a.key, b.key} & used or len(used) >= 4:
                continue
            shared = {p: s for p, s in self._seen[b.key].items() if p in self._seen[a.key]}
            rest = self._count - len(self._seen[a.key])
            other = len(self._seen[b.key]) - len(shared)
            words = (
                f"Where {a.when}, {b.when} too: in {len(shared)} of {len(self._seen[a.key])} such "
                f"papers, against {other} of the {rest} others."
            )
            made = self._quoted("patterns", words, shared)
            if made:
                used |= {a.key, b.key}
                yield made

    # saying ---------------------------------------------------------------------------------

    def _of(self, papers: Iterable[str] | Mapping[str, str]) -> str:
        found = len(list(papers))
        return f"all {found} papers" if found == self._count else f"{found} of {self._count} papers"

    def _say(
        self, part: Part, words: str, papers: Iterable[str], *themes: _Theme
    ) -> StatementAnswer | None:
        return self._quoted(part, words, {p: self._quote(p, themes) for p in papers})

    def _quote(self, label: str, themes: Sequence[_Theme]) -> str:
        """The first sentence of a paper that holds one of the themes."""
        paper = self._by_label[label]
        for sentence in [paper.title, *sentences(paper.text)]:
            run = stems(sentence)
            for theme in themes:
                size = len(theme.stems)
                if any(tuple(run[i : i + size]) == theme.stems for i in range(len(run))):
                    return sentence
        return paper.title

    def _quoted(self, part: Part, words: str, quotes: Mapping[str, str]) -> StatementAnswer | None:
        if words in self._refused or not quotes:
            return None
        return StatementAnswer(
            part=part,
            text=words,
            support=[Support(paper=p, quote=_cut(q)) for p, q in quotes.items()],
        )


_HABITUAL: Final[tuple[Part, ...]] = ("approach", "novelty", "evidence")
_NAMED: Final = re.compile(r"[A-Za-z][\w@+-]*[A-Z0-9][\w@+-]*(?=:\s)")
_PLAIN: Final = re.compile(r"[a-z][a-z-]*[a-z](?: [a-z][a-z-]*[a-z])*")


def _telling(text: str) -> bool:
    """Whether a phrase of plain words names a topic."""
    tokens = text.split()
    if len(stems(text)) > _LONGEST or not _PLAIN.fullmatch(text):
        return False
    if all(t in _DULL for t in tokens):
        return False
    return len(tokens) > 1 or (len(text) > 6 and noun_like(text))


def _paper(given: Mapping[str, Any]) -> _Paper:
    body = list(given["text"])
    if given.get("kind") == "summary":
        body = body[:-1] or body  # the last paragraph is the summary's own criticism
    return _Paper(str(given["label"]), str(given["title"]), "\n".join(body))


def _cut(quote: str) -> str:
    return quote if len(quote) <= _QUOTE else quote[:_QUOTE].rsplit(" ", 1)[0]


def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _number(count: int) -> str:
    return {0: "none", 1: "one"}.get(count, str(count))
