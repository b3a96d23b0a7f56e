"""The as-of index: the admitted papers, and nothing else, ranked by BM25.

Membership, order and scores equal those of an index that never held a later or a withheld paper.
It is one index for all cutoffs: its papers stand in the order of their admission, so that a cutoff
sees a beginning of every list, and all counts and lengths that a score rests on are those of that
beginning (see `postings`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Final

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.admission import ticks
from ideatrail.evidence.postings.collection import Collection
from ideatrail.evidence.postings.invert import BODY
from ideatrail.evidence.postings.kept import collection_of
from ideatrail.evidence.postings.keys import hashed
from ideatrail.evidence.postings.rank import Found, Ranking
from ideatrail.evidence.postings.view import View
from ideatrail.evidence.postings.withholding import hidden
from ideatrail.evidence.postings.withholding import spread as spread_over
from ideatrail.evidence.query import parse_query
from ideatrail.evidence.withheld import Withheld

MOST: Final = 100
"""Results that a search gives at most."""

Ranked = Found
"""A paper found, with the addresses of all admitted records of the work, and its score."""


class AsOfIndex:
    """A search index of the papers that a cutoff admits. Immutable, and safe to share."""

    def __init__(
        self, papers: Sequence[Paper] | Collection, cutoff: Cutoff, withheld: Withheld
    ) -> None:
        """`papers` in any order, or a collection of them; those not admitted leave no trace."""
        if not isinstance(papers, Collection):
            papers = Collection.of(sorted(papers, key=lambda p: p.order))
        moment = ticks(cutoff.moment)
        bounds = [part.segment.before(moment) for part in papers.parts]
        self._view = View(papers, moment, hidden(papers, withheld, bounds))

    @property
    def size(self) -> int:
        """Works that can be found. Not for the Generator: it counts what is there."""
        return self._view.size

    def search(self, text: str, max_results: int = 10) -> tuple[Ranked, ...]:
        """The best papers for a query of any text, best first, ties in the order of ids."""
        query = parse_query(text)
        wanted = min(max_results, MOST)
        if query.empty or wanted < 1 or not self.size:
            return ()
        return tuple(Ranking(self._view, query, wanted).best())

    def page(self, address: str) -> Paper | None:
        """The newest admitted record with this canonical address."""
        return self._view.page(address)

    def weight(self, token: str) -> float:
        """How much an index token tells apart the admitted papers (BM25's idf)."""
        return self._view.idf(self._view.frequency(hashed(token), BODY))


def spread(corpus: Corpus, withheld: Withheld) -> Withheld:
    """As `withheld.spread(corpus.papers)`, without reading all of them."""
    with _lock:
        return spread_over(_collection(corpus), withheld)


_VIEWS: Final = 16
"""As-of indexes kept in a process: a view of 1,000,000 papers takes a few megabytes."""
_COLLECTIONS: Final = 2
_views: OrderedDict[tuple[str, str, str], AsOfIndex] = OrderedDict()
_collections: OrderedDict[str, Collection] = OrderedDict()
_lock = Lock()


def as_of(corpus: Corpus, cutoff: Cutoff, withheld: Withheld) -> AsOfIndex:
    """The as-of index of a corpus, cached by corpus hash, cutoff and withheld set.

    The corpus's own index is built where it is missing, and kept beside a corpus on disk.
    """
    key = (corpus.hash, cutoff.moment.isoformat(), withheld.key)
    with _lock:
        found = _views.get(key)
        if found is None:
            papers = _collection(corpus)
            found = _views[key] = AsOfIndex(papers, cutoff, spread_over(papers, withheld))
            while len(_views) > _VIEWS:
                _views.popitem(last=False)
        _views.move_to_end(key)
    return found


def _collection(corpus: Corpus) -> Collection:
    found = _collections.get(corpus.hash)
    if found is None:
        found = _collections[corpus.hash] = collection_of(corpus)
        while len(_collections) > _COLLECTIONS:
            _collections.popitem(last=False)
    _collections.move_to_end(corpus.hash)
    return found
