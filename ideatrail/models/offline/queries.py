"""Queries: formed from the direction, then from what was read; never twice, never a whole title."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Final, Literal

from ideatrail.models.offline.memory import Memory
from ideatrail.models.offline.phrases import GENERIC, Lens, Phrase, key_phrases
from ideatrail.models.offline.reading import Sentence, pick, sentences_of
from ideatrail.trail.text import STOPWORDS, stem, words

Why = Literal[
    "direction",
    "pair",
    "narrow",
    "broaden",
    "term",
    "limitation",
    "method",
    "contrast",
    "evaluation",
    "facet",
    "novelty",
]

_SIDES: Final[tuple[tuple[Why, str], ...]] = (
    ("evaluation", "evaluation"),
    ("contrast", "limitations"),
    ("contrast", "robustness"),
    ("contrast", "failure analysis"),
    ("evaluation", "human evaluation"),
    ("evaluation", "benchmark"),
    ("method", "training"),
    ("method", "inference"),
    ("contrast", "comparison"),
    ("method", "unsupervised"),
    ("contrast", "out of domain"),
    ("contrast", "errors"),
    ("method", "iterative"),
    ("method", "sampling"),
    ("evaluation", "metrics"),
    ("method", "feedback"),
    ("method", "retrieval"),
    ("method", "decomposition"),
)


@dataclass(frozen=True)
class Query:
    """A query with what it is for."""

    text: str
    why: Why
    source: str = ""
    """URL of the page a term was taken from, where it was."""
    term: str = ""
    """The term it turns on."""


def stem_set(text: str) -> frozenset[str]:
    """Stems of a query's telling words."""
    return frozenset(stem(w) for w in words(text) if w not in STOPWORDS)


class QueryMaker:
    """Proposes queries that are new for a trail, best first for its stage."""

    def __init__(self, memory: Memory, lens: Lens, rng: random.Random) -> None:
        self.memory = memory
        self.lens = lens
        self.rng = rng
        self._used = [stem_set(q) for q in memory.queries]
        self._titles = [stem_set(h.title) for h in memory.hits.values()]
        self._direction = stem_set(memory.direction)

    def fresh(self, text: str) -> bool:
        """Whether `text` is a usable query: short, unlike every earlier one, and no title."""
        stems_of = stem_set(text)
        if not 1 <= len(stems_of) <= 8 or len(text) > 90:
            return False
        for used in self._used:
            if stems_of == used or len(stems_of & used) / len(stems_of | used) > 0.74:
                return False
        return not any(
            len(title) >= 2 and len(title & stems_of) / len(title) > 0.7 for title in self._titles
        )

    def take(self, count: int, *, deep: bool = False) -> list[Query]:
        """Up to `count` new queries. `deep` prefers terms of what was read to the direction's."""
        options = self._ranked(deep)
        chosen: list[Query] = []
        for query in options:
            if len(chosen) == count:
                break
            if self.fresh(query.text):
                chosen.append(query)
                self._used.append(stem_set(query.text))
        return chosen

    def about(self, texts: list[tuple[str, Why]], count: int) -> list[Query]:
        """New queries out of given ones, for a search with a set purpose."""
        chosen = []
        for text, why in texts:
            if len(chosen) < count and self.fresh(text):
                chosen.append(Query(text, why, term=text))
                self._used.append(stem_set(text))
        return chosen

    def _ranked(self, deep: bool) -> list[Query]:
        first = self._from_direction()
        read = self._from_reading()
        hits = self._from_hits()
        sides = self._sides()
        if not self.memory.searches:
            return [*first, *sides]
        mixed: list[Query] = []
        lists = [read, hits, first, sides] if deep else [first, read, hits, sides]
        if not self.memory.careful:
            self.rng.shuffle(lists[1:])
        for index in range(max(len(part) for part in lists)):
            mixed.extend(part[index] for part in lists if index < len(part))
        return mixed

    def _from_direction(self) -> list[Query]:
        phrases = self.lens.phrases[:9]
        out: list[Query] = []
        if not phrases:
            return [Query(w, "direction", term=w) for w in words(self.memory.direction)[:8]]
        lead = phrases[0]
        for other in phrases[1:5]:
            out.append(Query(_join(lead, other), "pair", term=other.text))
        asked = [
            self.lens.word_of[s]
            for s in self.lens.order
            if s in stem_set(self.lens.question) and s in self.lens.word_of
        ]
        if len(asked) >= 3:
            out.insert(1, Query(" ".join(asked[:5]), "direction", term=asked[0]))
        if len(asked) >= 7:
            out.append(Query(" ".join(asked[-4:]), "direction", term=asked[-1]))
        for phrase in phrases:
            if len(phrase.stems) >= 2:
                out.append(Query(phrase.text, "facet", term=phrase.text))
        for i, one in enumerate(phrases):
            for other in phrases[i + 1 : i + 4]:
                out.append(Query(_join(one, other), "pair", term=one.text))
        telling = sorted(self.lens.order, key=lambda s: -self.lens.weight[s])
        for i in range(0, min(len(telling) - 1, 10)):
            pair = [self.lens.word_of[telling[i]], self.lens.word_of[telling[i + 1]]]
            out.append(Query(" ".join(pair), "narrow", term=pair[0]))
        return out

    def _from_reading(self) -> list[Query]:
        """Terms of pages read that lie near the direction, joined with a word of the direction."""
        scored: list[tuple[float, Query]] = []
        counts: dict[tuple[str, ...], int] = {}
        readings = list(self.memory.readings.values())
        for reading in readings:
            for phrase in {p.stems: p for line in reading.passages for p in key_phrases(line)}:
                counts[phrase] = counts.get(phrase, 0) + 1
        for age, reading in enumerate(reversed(readings)):
            found = sentences_of(reading.passages)
            limits = pick(found, "limitation", quotable=False)
            for sentence in found:
                fit = self.lens.fit(sentence.text)
                for phrase in key_phrases(sentence.text):
                    if not 2 <= len(phrase.stems) <= 4 or set(phrase.stems) <= self._direction:
                        continue
                    score = fit + 0.25 * min(counts[phrase.stems], 3) - 0.03 * age
                    score += 0.2 if set(phrase.stems) & self._direction else 0.0
                    why: Why = "limitation" if sentence in limits else (
                        "method" if "mechanism" in sentence.roles else "term"
                    )
                    scored.append((score, self._with_context(phrase, why, reading.url, sentence)))
        scored.sort(key=lambda pair: (-pair[0], pair[1].text))
        return _unique([q for _, q in scored])[:60]

    def _with_context(self, phrase: Phrase, why: Why, url: str, sentence: Sentence) -> Query:
        if set(phrase.stems) & self._direction and len(phrase.stems) >= 2:
            return Query(phrase.text, why, url, phrase.text)
        near = [w for w in self.lens.shared(sentence.text, 2) if w not in words(phrase.text)]
        extra = near or [self.lens.word_of[s] for s in self.lens.order[:1]]
        return Query(" ".join([phrase.text, *extra[:1]]), why, url, phrase.text)

    def _from_hits(self) -> list[Query]:
        """Terms of promising hits that were not opened: what titles call things."""
        scored: list[tuple[float, Query]] = []
        for hit in self.memory.hits.values():
            fit = self.lens.fit(f"{hit.title} {hit.snippet}")
            if fit < 0.35:
                continue
            for phrase in key_phrases(hit.snippet):
                if 2 <= len(phrase.stems) <= 3 and not set(phrase.stems) <= self._direction:
                    text = phrase.text
                    if not set(phrase.stems) & self._direction and self.lens.order:
                        text = f"{text} {self.lens.shared(hit.snippet, 1)[0]}" if (
                            self.lens.shared(hit.snippet, 1)
                        ) else text
                    scored.append((fit, Query(text, "term", hit.url, phrase.text)))
        scored.sort(key=lambda pair: (-pair[0], pair[1].text))
        return _unique([q for _, q in scored])[:40]

    def _sides(self) -> list[Query]:
        """The direction's phrases under another angle: its evaluation, limits, alternatives."""
        out = []
        phrases = self.lens.phrases[:6] or [Phrase(self.memory.direction[:40], ())]
        for index, (why, word) in enumerate(_SIDES):
            phrase = phrases[index % len(phrases)]
            out.append(Query(f"{phrase.text} {word}", why, term=phrase.text))
        for index, (why, word) in enumerate(_SIDES):
            phrase = phrases[(index + 1) % len(phrases)]
            out.append(Query(f"{word} {phrase.text}", why, term=phrase.text))
        for w in (self.lens.word_of[s] for s in self.lens.order):
            out.append(Query(f"{w} {phrases[0].text}", "broaden", term=w))
        for reading in self.memory.readings.values():
            for line in reading.passages:
                for phrase in key_phrases(line):
                    out.append(Query(phrase.text, "broaden", reading.url, phrase.text))
        return out


def _join(one: Phrase, other: Phrase) -> str:
    kept = list(one.text.split())
    have = {stem(w) for t in kept for w in words(t)}
    for token in other.text.split():
        if not {stem(w) for w in words(token)} <= have:
            kept.append(token)
    return " ".join(kept[:6])


def _unique(queries: list[Query]) -> list[Query]:
    seen: set[frozenset[str]] = set()
    out = []
    for query in queries:
        key = stem_set(query.text)
        if key not in seen:
            seen.add(key)
            out.append(query)
    return out


def clean_term(text: str) -> str:
    """A term fit to stand in a regular expression or a sentence."""
    return re.sub(r"[^\w\s'-]", " ", text).strip()


def telling(text: str) -> bool:
    """Whether a term says anything of a topic."""
    return any(w not in GENERIC for w in words(text))
