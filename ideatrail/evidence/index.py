"""The as-of index: the admitted papers, and nothing else, ranked by BM25.

Membership and order equal those of an index that never held a later or a withheld paper, for that
is what it is: a corpus is filtered first, and an index is built from what is left (0.5 s for 5,000
papers). Document counts, frequencies and lengths of later papers would otherwise tell of them.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

import tantivy

from ideatrail.evidence import engine
from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.quarantine import names_later
from ideatrail.evidence.query import ParsedQuery, parse_query
from ideatrail.evidence.withheld import Withheld
from ideatrail.evidence.works import editions, newness

TITLE_WEIGHT: Final = 2.0
AUTHOR_WEIGHT: Final = 0.5
NAME_WEIGHT: Final = 100.0
"""An id in the query puts its paper first."""

MOST: Final = 100
"""Results that a search gives at most."""

_FETCH: Final = 128
"""Hits taken from the engine before ties are put in order; fixed, so that the first five of ten
results are the five results."""
_DIGITS: Final = 4
"""Scores are sums of 32-bit floats in an order of the engine's choosing: beyond these decimals two
equal papers may differ."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A paper found."""

    paper: Paper
    aliases: tuple[str, ...]
    """Addresses of all admitted records of the work."""
    score: float


class AsOfIndex:
    """A search index of the papers that a cutoff admits. Immutable, and safe to share."""

    def __init__(self, papers: Sequence[Paper], cutoff: Cutoff, withheld: Withheld) -> None:
        """`papers` in any order; those not admitted leave no trace."""
        admitted = sorted(_admitted(papers, cutoff, withheld), key=lambda p: p.order)
        self._works = editions(admitted)
        self._pages: dict[str, Paper] = {}
        for paper in sorted(admitted, key=newness):
            self._pages.update(dict.fromkeys(paper.aliases, paper))
        self._schema = _schema()
        size = sum(len(p.title) + sum(map(len, p.body)) for p, _ in self._works)
        self._searcher = engine.fill(self._schema, _rows(self._works), size)

    @property
    def size(self) -> int:
        """Works that can be found. Not for the Generator: it counts what is there."""
        return len(self._works)

    def search(self, text: str, max_results: int = 10) -> tuple[Ranked, ...]:
        """The best papers for a query of any text, best first, ties in the order of ids."""
        query = parse_query(text)
        wanted = min(max_results, MOST)
        if query.empty or wanted < 1 or not self._works:
            return ()
        tree = self._tree(query)
        limit = _FETCH
        while True:
            hits = self._searcher.search(tree, limit, count=False).hits
            ranked = sorted((-round(score, _DIGITS), address.doc) for score, address in hits)
            tied = len(ranked) == limit and ranked[-1][0] == ranked[wanted - 1][0]
            if not tied:
                break
            limit *= 4
        best = [(*self._works[doc], -score) for score, doc in ranked[:wanted]]
        return tuple(Ranked(paper, aliases, score) for paper, aliases, score in best)

    def page(self, address: str) -> Paper | None:
        """The newest admitted record with this canonical address."""
        return self._pages.get(address)

    def weight(self, token: str) -> float:
        """How much an index token tells apart the admitted papers (BM25's idf)."""
        held = self._searcher.doc_freq("body", token)
        return math.log(1 + (self.size - held + 0.5) / (held + 0.5))

    def _tree(self, query: ParsedQuery) -> Any:
        schema = self._schema
        should = [
            clause
            for token in query.terms
            for clause in (
                engine.boost(engine.term(schema, "title", token), TITLE_WEIGHT),
                engine.term(schema, "body", token),
                engine.boost(engine.term(schema, "authors", token), AUTHOR_WEIGHT),
            )
        ]
        names = [
            engine.boost(engine.term(schema, "names", name), NAME_WEIGHT) for name in query.names
        ]
        must = [
            engine.either(
                [
                    engine.boost(engine.phrase(schema, "title", tokens), TITLE_WEIGHT),
                    engine.phrase(schema, "body", tokens),
                    engine.phrase(schema, "authors", tokens),
                ]
            )
            for tokens in query.phrases
        ]
        return engine.both(must, should + names) if must else engine.either(should + names)


def _schema() -> Any:
    builder = tantivy.SchemaBuilder()
    for name in ("title", "body", "authors"):
        builder.add_text_field(name, tokenizer_name=engine.ANALYZER)
    builder.add_text_field("names", tokenizer_name="raw", index_option="basic")
    return builder.build()


def _rows(works: Sequence[tuple[Paper, tuple[str, ...]]]) -> Iterator[dict[str, Any]]:
    for paper, aliases in works:
        yield {
            "title": paper.title,
            "body": "\n".join(paper.body),
            "authors": "\n".join(paper.authors),
            "names": [paper.id, *aliases],
        }


def _admitted(papers: Sequence[Paper], cutoff: Cutoff, withheld: Withheld) -> Iterator[Paper]:
    for paper in papers:
        if not cutoff.admits(paper.shown) or withheld.hides(paper):
            continue
        if not any(names_later(text, cutoff) for text in (paper.title, *paper.body)):
            yield paper


_KEPT: Final = 4
"""As-of indexes kept in a process; 50,000 papers take about 100 MB each."""
_cache: OrderedDict[tuple[str, str, str], AsOfIndex] = OrderedDict()
_lock = Lock()


def as_of(corpus: Corpus, cutoff: Cutoff, withheld: Withheld) -> AsOfIndex:
    """The as-of index of a corpus, cached by corpus hash, cutoff and withheld set.

    It is built whole for each cutoff, which serves up to about 100,000 papers. A larger corpus
    wants one index on disk, over-fetched and ranked again with as-of document frequencies; it goes
    behind this function.
    """
    key = (corpus.hash, cutoff.moment.isoformat(), withheld.key)
    with _lock:
        found = _cache.get(key)
        if found is None:
            found = _cache[key] = AsOfIndex(corpus.papers, cutoff, withheld.spread(corpus.papers))
            while len(_cache) > _KEPT:
                _cache.popitem(last=False)
        _cache.move_to_end(key)
    return found
