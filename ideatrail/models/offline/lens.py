"""The lens through which the direction looks at everything that is read."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import Final

from ideatrail.models.offline.field import field_terms
from ideatrail.models.offline.phrases import (
    Phrase,
    adjacent_stems,
    key_phrases,
    lowered,
    noun_like,
    topic_stems,
)
from ideatrail.models.offline.wordlists import BRIEF, FIELD, GENERIC, PREFIXES, VERBS, is_field
from ideatrail.trail.text import STOPWORDS, sentences, stem, words


class Lens:
    """The direction as weights on stems and phrases, sharpened by what has been observed.

    A stem that stands in many results of queries which did not ask for it tells little; one that is
    rare there tells much. With nothing observed yet every stem of the direction weighs the same.
    """

    def __init__(self, direction: str, documents: Iterable[tuple[str, frozenset[str]]]) -> None:
        """`documents` are observed texts, each with the stems that its query asked for."""
        self.direction = direction
        self.question = question_of(direction)
        count: Counter[str] = Counter()
        asked_for: Counter[str] = Counter()
        total = 0
        self._documents: list[frozenset[str]] = []
        texts = [direction.lower()]
        for text, asked in documents:
            total += 1
            texts.append(text.lower())
            self._documents.append(topic_stems(text))
            asked_for.update(asked)
            count.update(topic_stems(text) - asked)
        self._count, self._asked, self._total = count, asked_for, total
        excluded = _excluded(direction)
        kept = [w for w in words(direction) if _topical(w)]
        self.order = list(dict.fromkeys(stem(w) for w in kept))
        self.word_of = {stem(w): w for w in reversed(kept)}
        in_question = {stem(w) for w in words(self.question)}
        frequency = Counter(stem(w) for w in kept)
        self.weight: dict[str, float] = {}
        for one in self.order:
            base = 1.0 + 0.25 * min(frequency[one] - 1, 3) + (0.3 if one in in_question else 0.0)
            base *= 0.35 if self.word_of[one] in FIELD else 1.0
            base *= 0.4 if one in excluded else 1.0
            self.weight[one] = base * self.rarity(one)
        seen = "\n".join(texts)
        # A spelling with hyphens is used once it was met; before that the plain words are.
        self.terms = tuple(t if t in seen else t.replace("-", " ") for t in field_terms(direction))
        self.met = tuple(t for t in self.terms if t in seen)
        """Terms of the field that what was observed uses too: those alone are spoken of freely."""
        foreign = sum(w in STOPWORDS for w in words(direction)) < 0.18 * len(words(direction))
        for at, term in enumerate(self.terms[:16]):
            for w in words(term):
                if _topical(w) and w not in FIELD and w not in GENERIC:
                    one = stem(w)
                    self.weight.setdefault(one, max(0.25, 0.7 - 0.04 * at) * self.rarity(one))
        self._mass = sum(sorted(self.weight.values(), reverse=True)[:8]) or 1.0
        self.phrases = self._phrases(direction, excluded)
        if foreign and self.terms:
            # A brief in another language: the field's words stand in for its own.
            self.phrases = [Phrase(t, tuple(stem(w) for w in words(t))) for t in self.terms]
        texts = [*(p.text for p in self.phrases), *self.terms]
        self._pairs = {
            pair
            for text in texts
            for run in [[stem(w) for w in words(text)]]
            for pair in pairwise(run)
            if not all(is_field(s) for s in pair)
        }

    def rarity(self, one: str) -> float:
        """How telling a stem is, 0.35 to 1.6, by the documents observed so far."""
        seen = self._total - self._asked[one]
        if seen < 12:
            return 1.0
        share = (self._count[one] + 0.5) / (seen + 1)
        return min(1.6, max(0.35, 0.4 * -math.log(share)))

    def fit(self, text: str) -> float:
        """How much of the direction `text` speaks of: 0 for nothing, around 1 for a close match."""
        there = topic_stems(text)
        score = sum(self.weight[s] for s in there if s in self.weight)
        if self._pairs:
            score += 0.8 * len(adjacent_stems(text) & self._pairs)
        return score / self._mass

    def shared(self, text: str, most: int = 3) -> list[str]:
        """Noun phrases of `text` that touch the direction, the closest first."""
        scored: list[tuple[float, int, Phrase]] = []
        for at, phrase in enumerate(key_phrases(text, 3)):
            if len(phrase.text) > 42 or any(c.isdigit() for c in phrase.text):
                continue
            worth = sum(self.weight.get(s, 0.0) for s in set(phrase.stems))
            if worth > 0.3 and not all(is_field(s) for s in phrase.stems):
                scored.append((worth / len(phrase.stems) ** 0.5, -at, phrase))
        scored.sort(key=lambda item: (-item[0], -item[1]))
        out: list[Phrase] = []
        for _, _, phrase in scored:
            if not any(set(phrase.stems) & set(o.stems) for o in out):
                out.append(phrase)
            if len(out) == most:
                break
        return [lowered(p.text) for p in out]

    def telling_words(self, text: str, most: int = 4) -> list[str]:
        """Words of the direction that `text` shares, the most telling first."""
        there = topic_stems(text)
        both = [s for s in self.order if s in there]
        both.sort(key=lambda s: -self.weight[s])
        return [self.word_of[s] for s in both[:most]]

    def missing(self, text: str, most: int = 3) -> list[str]:
        """Phrases of the direction of which `text` holds no telling word in any inflection."""
        there = {stem(w) for w in words(text)}
        out = []
        for phrase in self.phrases[:6]:
            telling = [s for s in phrase.stems if not is_field(s)] or list(phrase.stems)
            if not set(telling) & there:
                out.append(phrase.text)
        return out[:most]

    @cached_property
    def aims(self) -> list[str]:
        """Phrases that name the matter, those first which what was observed uses too."""
        names = [p.text for p in self.phrases if not all(is_field(s) for s in p.stems)]
        names += [
            t
            for t in self.met[:6]
            if t not in names and not all(is_field(s) for s in (stem(w) for w in words(t)))
        ]
        used: list[str] = []
        unused: list[str] = []
        for name in names[:12]:
            wanted = topic_stems(name)
            count = sum(wanted <= there for there in self._documents) if wanted else 0
            (used if count >= 3 else unused).append(name)
        used.sort(key=lambda n: len(n.split()) == 1 and "-" not in n)
        return [*used, *unused] or [p.text for p in self.phrases] or ["the question"]

    @property
    def goal(self) -> str:
        """The phrase that stands for the whole direction."""
        return self.aims[0]

    @property
    def asked(self) -> str:
        """The first phrase of the direction itself."""
        own = [p.text for p in self.phrases if not all(is_field(s) for s in p.stems)]
        return (own or [p.text for p in self.phrases] or ["the question"])[0]

    def _phrases(self, direction: str, excluded: frozenset[str]) -> list[Phrase]:
        scored: dict[tuple[str, ...], tuple[float, Phrase]] = {}
        for piece in sentences(direction):
            for phrase in key_phrases(piece, 3):
                kept = [
                    t
                    for t in phrase.text.split()
                    if (t.lower() not in BRIEF and t.lower() not in VERBS and len(t) > 2)
                    or "-" in t
                ]
                while kept and _adjective(kept[-1]):
                    kept.pop()
                text = " ".join(kept)
                stems_of = tuple(stem(w) for w in words(text))
                if not stems_of or set(stems_of) & excluded:
                    continue
                if len(kept) == 1 and "-" not in text and not noun_like(text):
                    continue
                weight = sum(self.weight.get(s, 0.2) for s in stems_of)
                if all(is_field(s) for s in stems_of):
                    weight *= 0.4
                bonus = 1.0 if len(stems_of) > 1 else 0.6
                scored.setdefault(stems_of, (weight * bonus, Phrase(lowered(text), stems_of)))
        ranked = sorted(scored.values(), key=lambda pair: -pair[0])
        out: list[Phrase] = []
        for _, phrase in ranked:
            if not any(set(phrase.stems) <= set(o.stems) for o in out):
                out.append(phrase)
        return out


def _topical(word: str) -> bool:
    return word not in STOPWORDS and word not in BRIEF and word not in PREFIXES and len(word) > 2


def _adjective(token: str) -> bool:
    low = token.lower()
    return low.endswith(("able", "ible", "ful", "ous", "less", "ive")) or low.endswith("ly")


def _excluded(direction: str) -> frozenset[str]:
    """Stems of what the direction rules out: `without extra training or outside tools`."""
    out: set[str] = set()
    for match in _RULED_OUT.finditer(direction):
        out.update(stem(w) for w in words(match.group(1)) if _topical(w))
    return frozenset(out)


_RULED_OUT: Final = re.compile(
    r"\b(?:without|instead of|rather than|no longer|no need for)\s+((?:[\w-]+\s+){0,5}[\w-]+)",
    re.IGNORECASE,
)


def problem_of(direction: str, most: int = 2) -> list[str]:
    """The sentences of the direction that state the trouble, in its own words and order."""
    asked = question_of(direction)
    told = [
        s
        for s in sentences(direction)
        if s != asked and s.endswith(".") and len(words(s)) > 7 and not _REQUEST.search(s)
    ]
    return told[:most]


_REQUEST: Final = re.compile(
    r"\b(?:please|literature|published|read|come back|bring me|settle on|look at how|work out|"
    r"i (?:wonder|want|would|am)|go through|tell me|research idea)\b",
    re.IGNORECASE,
)
"""A sentence that asks for work and says nothing of the matter."""


def question_of(direction: str) -> str:
    """The sentence of the direction that asks; else the one that states what is wanted."""
    pieces = sentences(direction)
    asked = [s for s in pieces if s.rstrip("”\"')*").endswith("?")]
    if asked:
        return max(asked, key=len)
    cue = re.compile(r"\b(whether|how|what|why|which|can|could)\b", re.IGNORECASE)
    cued = [s for s in pieces if cue.search(s)]
    return (cued or pieces or [""])[0]
