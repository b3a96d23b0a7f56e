"""The best papers of a view for a query, by BM25 over title, text and authors.

Lists are added up part by part, the weightiest first; once the lists that are left could not lift
a paper among the best, only those that are still in the race are looked up in them (MaxScore:
Turtle and Flood 1995). What is skipped never changes what is found: sums are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.postings.invert import AUTHORS, BODY, TITLE
from ideatrail.evidence.postings.keys import hashed
from ideatrail.evidence.postings.segment import Postings
from ideatrail.evidence.postings.view import K1, View, grained
from ideatrail.evidence.query import ParsedQuery

BOOSTS: Final = ((TITLE, 2.0), (BODY, 1.0), (AUTHORS, 0.5))
NAME_WEIGHT: Final = 100.0
"""An id in the query puts its paper first."""
_DIGITS: Final = 4
"""Decimals of a score: papers that differ by less are equally good."""
_MARGIN: Final = 10.0**-_DIGITS
_LEAST: Final = 2.0**-40
"""Below every score."""
_LOOKUP: Final = 8
"""Adding one posting up costs about this fraction of looking one paper up."""


@dataclass(frozen=True, slots=True)
class Found:
    """A paper found."""

    paper: Paper
    aliases: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class _Clause:
    """Something that adds to a score."""

    tokens: tuple[int, ...]
    """Hashes; more than one stand side by side."""
    field: int
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class _List:
    """A clause in one part."""

    tokens: tuple[int, ...]
    postings: Postings
    weight: float
    factors: Array
    most: float
    """What it adds to any score at most."""

    def added(self) -> Array:
        """What it adds to each of its papers."""
        found: Array = self.factors.take(self.postings.weights)
        found *= self.weight
        return found

    def add(self, scores: Array) -> None:
        """Adds all up."""
        np.add.at(scores, self.postings.docs, self.added())

    def add_to(self, docs: Array, scores: Array) -> None:
        """Adds up for these docs (uint32, ascending) alone."""
        at = np.searchsorted(self.postings.docs, docs)
        found = self.postings.docs.take(at, mode="clip") == docs
        weights = self.postings.weights[at[found]]
        scores[docs[found]] += self.factors.take(weights) * self.weight


class Ranking:
    """One query against one view."""

    def __init__(self, view: View, query: ParsedQuery, wanted: int) -> None:
        self._view = view
        self._wanted = wanted
        self._clauses = self._weighed(query)
        self._musts = [tuple(map(hashed, phrase)) for phrase in query.phrases]
        self._named = self._by_name(query)
        self._pool: list[tuple[Array, Array]] = []
        """For each part so far, docs in the race with their scores, rounded."""
        self._bar = 0.0
        """The score that a paper must reach."""

    def best(self) -> list[Found]:
        """The best papers, best first, ties in the order of ids and dates."""
        for number in range(len(self._view.bounds)):
            docs, scores = self._part(number)
            self._pool.append((docs, scores))
            self._raise_bar()
        records: list[tuple[float, int]] = []
        for number, (docs, scores) in enumerate(self._pool):
            docs, scores = self._first(number, docs, scores)
            for doc, score in zip(docs.tolist(), scores.tolist(), strict=True):
                records.append((score, self._view.collection.record(number, doc)))
        read = dict(self._view.collection.papers(sorted(r for _, r in records)))
        records.sort(key=lambda pair: (-pair[0], read[pair[1]].order))
        editions = [
            (score, *self._view.edition(r, read[r])) for score, r in records[: self._wanted]
        ]
        return [Found(paper, aliases, score) for score, _, paper, aliases in editions]

    def _weighed(self, query: ParsedQuery) -> list[_Clause]:
        view, clauses = self._view, []
        for said in [*((term,) for term in query.terms), *query.phrases]:
            tokens = tuple(map(hashed, said))
            for field, boost in BOOSTS:
                counts = [view.frequency(token, field) for token in tokens]
                if all(counts):
                    weight = boost * (1 + K1) * sum(map(view.idf, counts))
                    clauses.append(_Clause(tokens, field, grained(weight)))
        return clauses

    def _by_name(self, query: ParsedQuery) -> dict[int, float]:
        """Records that the query names, with what that adds to their scores."""
        view, found = self._view, dict[int, float]()
        for name in query.names:
            bearers = set()
            for record in view.collection.named(name):
                if view.sees(record):
                    standing, paper, aliases = view.edition(record)
                    if name == paper.id or name in aliases:
                        bearers.add(standing)
            for record in sorted(bearers):
                weight = grained(NAME_WEIGHT * view.idf(len(bearers)))
                found[record] = found.get(record, 0.0) + weight
        return found

    def _part(self, number: int) -> tuple[Array, Array]:
        """Docs of a part that may be among the best, with their scores."""
        view = self._view
        bound = view.bounds[number]
        lists = self._lists(number)
        named = self._named_in(number)
        allowed = self._allowed(number, lists) if self._musts else None
        scores = np.zeros(bound)
        for doc, weight in named:
            scores[doc] += weight
        if not bound or (allowed is None and not lists and not named):
            return np.zeros(0, dtype=np.uint32), np.zeros(0)
        docs = self._add_up(lists, scores, allowed)
        live = view.live[number]
        if live is not None:
            docs = docs[live[docs]]
        rounded = np.round(scores[docs], _DIGITS)
        kept = rounded >= self._bar
        return docs[kept], rounded[kept]

    def _add_up(self, lists: list[_List], scores: Array, allowed: Array | None) -> Array:
        """Adds lists up; gives the docs that may reach the bar."""
        bar = self._bar - _MARGIN
        left = np.cumsum([one.most for one in reversed(lists)])[::-1].tolist()
        at = 0
        if allowed is None:
            while at < len(lists) and left[at] >= bar:
                lists[at].add(scores)
                at += 1
            rest = left[at] if at < len(lists) else 0.0
            docs = np.flatnonzero(scores >= max(bar - rest, _LEAST)).astype(np.uint32)
        else:
            docs = allowed
        for number in range(at, len(lists)):
            one = lists[number]
            if len(docs) * _LOOKUP > len(one.postings.docs):
                one.add(scores)
            else:
                one.add_to(docs, scores)
            rest = left[number + 1] if number + 1 < len(lists) else 0.0
            docs = docs[scores[docs] >= bar - rest]
        return docs

    def _lists(self, number: int) -> list[_List]:
        """The clauses in one part, the weightiest first."""
        segment, bound = self._view.collection.parts[number].segment, self._view.bounds[number]
        numbers: dict[int, int] = {}
        found = []
        for clause in self._clauses:
            for token in clause.tokens:
                if token not in numbers:
                    numbers[token] = segment.token(np.uint64(token))
            postings = segment.phrase([numbers[t] for t in clause.tokens], clause.field, bound)
            if postings is not None:
                factors = self._view.factors[clause.field]
                most = clause.weight * float(factors[postings.best])
                found.append(_List(clause.tokens, postings, clause.weight, factors, most))
        return sorted(found, key=lambda one: -one.most)

    def _allowed(self, number: int, lists: Sequence[_List]) -> Array:
        """Docs of a part with every phrase."""
        bound = self._view.bounds[number]
        allowed = np.ones(bound, dtype=bool)
        for tokens in self._musts:
            held = np.zeros(bound, dtype=bool)
            for one in lists:
                if one.tokens == tokens:
                    held[one.postings.docs] = True
            allowed &= held
        return np.flatnonzero(allowed).astype(np.uint32)

    def _named_in(self, number: int) -> list[tuple[int, float]]:
        if not self._named:
            return []
        places = [(self._view.collection.where(r), w) for r, w in self._named.items()]
        return [(doc, weight) for (part, doc), weight in places if part == number]

    def _raise_bar(self) -> None:
        """Sets the bar to the last of the best so far, and drops what is below it."""
        scores = np.concatenate([s for _, s in self._pool])
        if len(scores) > self._wanted:
            at = len(scores) - self._wanted
            self._bar = float(np.partition(scores, at)[at])
            self._pool = [(d[s >= self._bar], s[s >= self._bar]) for d, s in self._pool]

    def _first(self, number: int, docs: Array, scores: Array) -> tuple[Array, Array]:
        """Those of a part that can be among the best when ties go by place; in that order."""
        place = self._view.collection.parts[number].segment.place[docs]
        order = np.lexsort((place, -scores))[: self._wanted]
        return docs[order], scores[order]
