"""Queries: formed from the direction, then from what was read; never twice, never a whole title."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory
from ideatrail.models.offline.phrases import Phrase, key_phrases
from ideatrail.models.offline.reading import Sentence, pick, sentences_of
from ideatrail.models.offline.wordlists import FIELD, GENERIC
from ideatrail.trail.text import STOPWORDS, sentences, stem, words

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
    "field",
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
        chosen: list[Query] = []
        for text, why in texts:
            if len(chosen) < count and self.fresh(text):
                chosen.append(Query(text, why, term=text))
                self._used.append(stem_set(text))
        return chosen

    def _ranked(self, deep: bool) -> Iterator[Query]:
        first = self._from_direction()
        if not self.memory.searches:
            yield from first
            yield from self._sides()
            return
        read = self._from_reading()
        hits = self._from_hits()
        field = [] if self.memory.careful else self._from_field()
        lists = [read, field, hits, first] if deep else [field, first, read, hits]
        for index in range(max(len(part) for part in lists)):
            yield from (part[index] for part in lists if index < len(part))
        yield from self._sides()

    def _from_direction(self) -> list[Query]:
        phrases = self.lens.phrases[:9]
        if not phrases:
            return [Query(w, "direction", term=w) for w in words(self.memory.direction)[:8]]
        lead = phrases[0]
        out = [Query(_join(lead, other), "pair", term=other.text) for other in phrases[1:5]]
        spoken = self._spoken(self.lens.question)
        if spoken:
            out.insert(0, Query(spoken, "direction", term=lead.text))
        for piece in sentences(self.memory.direction):
            spoken = self._spoken(piece)
            if piece != self.lens.question and spoken:
                out.append(Query(spoken, "direction", term=lead.text))
        out += [Query(p.text, "facet", term=p.text) for p in phrases if len(p.stems) >= 2]
        for i, one in enumerate(phrases):
            for other in phrases[i + 1 : i + 4]:
                out.append(Query(_join(one, other), "pair", term=one.text))
        return out

    def _spoken(self, piece: str) -> str:
        """The most telling words of a sentence in their order, as one would type them."""
        there = [stem(w) for w in words(piece)]
        best = sorted(
            {s for s in there if s in self.lens.word_of}, key=lambda s: (-self.lens.weight[s], s)
        )[:5]
        said = list(
            dict.fromkeys(w for w in words(piece) if stem(w) in best and not w.endswith("ly"))
        )
        return " ".join(said) if len(said) >= 3 else ""

    def _from_field(self) -> list[Query]:
        """What the field may call the matter, with a word of the direction where that is short."""
        out = []
        lead = next((p for p in self.lens.phrases), None)
        for term in self.lens.terms[:14]:
            text = term
            if len(term.split()) == 1 and lead is not None and lead.text not in term:
                text = f"{term} {lead.text}"
            out.append(Query(text, "field", term=term))
        for one, other in zip(self.lens.terms, self.lens.terms[1:5], strict=False):
            out.append(Query(f"{one} {other}", "pair", term=one))
        return out

    def _from_reading(self) -> list[Query]:
        """Terms of pages read that lie near the direction, joined with a word of the direction."""
        scored: list[tuple[float, Query]] = []
        counts: dict[tuple[str, ...], int] = {}
        readings = list(self.memory.readings.values())
        for reading in readings:
            for known in {p.stems: p for line in reading.passages for p in key_phrases(line, 3)}:
                counts[known] = counts.get(known, 0) + 1
        for age, reading in enumerate(reversed(readings)):
            found = sentences_of(reading.passages)
            limits = pick(found, "limitation", quotable=False)
            for sentence in found:
                fit = self.lens.fit(sentence.text)
                if fit < 0.22:
                    continue
                for phrase in key_phrases(sentence.text, 3):
                    if not self._worth(phrase):
                        continue
                    score = fit + 0.2 * min(counts.get(phrase.stems, 1), 3) - 0.03 * age
                    score += 0.2 if set(phrase.stems) & set(self.lens.weight) else 0.0
                    why: Why = "term"
                    if sentence in limits:
                        why = "limitation"
                    elif "mechanism" in sentence.roles:
                        why = "method"
                    query = self._with_context(phrase, why, reading.url, sentence)
                    if query is not None:
                        scored.append((score, query))
        scored.sort(key=lambda pair: (-pair[0], pair[1].text))
        return _unique([q for _, q in scored])[:60]

    def _worth(self, phrase: Phrase) -> bool:
        """Whether a phrase that was read is worth a query of its own."""
        if not 2 <= len(phrase.stems) <= 4 or set(phrase.stems) <= self._direction:
            return False
        if any(c.isdigit() for c in phrase.text):
            return False
        strange = [
            s
            for t in phrase.text.lower().split()
            if t not in FIELD | GENERIC
            for s in (stem(w) for w in words(t))
        ]
        return bool(strange) and sum(map(self.lens.rarity, strange)) / len(strange) > 0.6

    def _with_context(self, phrase: Phrase, why: Why, url: str, sentence: Sentence) -> Query | None:
        """The phrase, with a term of the matter that stood beside it where it says too little."""
        if set(phrase.stems) & set(self.lens.weight) and len(phrase.stems) >= 3:
            return Query(phrase.text, why, url, phrase.text)
        there = sentence.stems
        for text in [*(p.text for p in self.lens.phrases[:5]), *self.lens.terms[:8]]:
            own = stem_set(text)
            if own & there and not own & set(phrase.stems) and len(own) <= 3:
                return Query(f"{phrase.text} {text}", why, url, phrase.text)
        if set(phrase.stems) & set(self.lens.weight):
            return Query(phrase.text, why, url, phrase.text)
        return None

    def _from_hits(self) -> list[Query]:
        """Terms of promising hits that were not opened: what titles call things."""
        scored: list[tuple[float, Query]] = []
        for hit in self.memory.hits.values():
            fit = self.lens.fit(f"{hit.title} {hit.snippet}")
            if fit < 0.35:
                continue
            for phrase in key_phrases(hit.snippet):
                if self._worth(phrase):
                    worth = sum(self.lens.weight.get(s, 0.0) for s in phrase.stems)
                    if worth > 0.4:
                        scored.append(
                            (fit + worth, Query(phrase.text, "term", hit.url, phrase.text))
                        )
        scored.sort(key=lambda pair: (-pair[0], pair[1].text))
        return _unique([q for _, q in scored])[:40]

    def _sides(self) -> Iterator[Query]:
        """The direction's phrases under another angle: its evaluation, limits, alternatives."""
        phrases = self.lens.phrases[:6] or [Phrase(self.memory.direction[:40], ())]
        for index, (why, word) in enumerate(_SIDES):
            phrase = phrases[index % len(phrases)]
            yield Query(f"{phrase.text} {word}", why, term=phrase.text)
        for index, (why, word) in enumerate(_SIDES):
            phrase = phrases[(index + 1) % len(phrases)]
            yield Query(f"{word} {phrase.text}", why, term=phrase.text)
        for w in (self.lens.word_of[s] for s in self.lens.order):
            yield Query(f"{w} {phrases[0].text}", "broaden", term=w)
        for reading in self.memory.readings.values():
            for line in reading.passages:
                for phrase in key_phrases(line, 3):
                    if self._worth(phrase):
                        yield Query(phrase.text, "broaden", reading.url, phrase.text)


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
