"""The text engine under the indexes: one analyzer, one writer, one segment.

Everything that fixes a score stands here, so that two indexes of the same papers are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import tantivy

ANALYZER: Final = "stems"
EXACT: Final = "exact"

_LONGEST: Final = 60
"""Characters of a token; longer ones are hashes and broken text."""
_SMALLEST_HEAP: Final = 16_000_000
_LARGEST_HEAP: Final = 1_500_000_000
_BOUNDED_HEAP: Final = 200_000_000
_HEAP_PER_BYTE: Final = 8
"""Heap that the writer gets for each byte of text. Seen: about 3 are used; a full heap would start
a second segment."""


@cache
def analyzer() -> Any:
    """Words, lower case, without accents, stemmed."""
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(_LONGEST))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


@cache
def exact_analyzer() -> Any:
    """Words as they are written, capitals kept: for names and acronyms."""
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(_LONGEST))
        .filter(tantivy.Filter.ascii_fold())
        .build()
    )


@cache
def tokenizer() -> Any:
    """Words as they stand, of any length: where the other analyzers begin."""
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).build()


def split(text: str) -> list[str]:
    """The words of clean `text` as they stand; each gives at most one token to `analyze`."""
    tokens: list[str] = tokenizer().analyze(text)
    return tokens


def analyze(text: str) -> list[str]:
    """The stems that the index holds for `text`, in order."""
    tokens: list[str] = analyzer().analyze(clean(text))
    return tokens


def analyze_exact(text: str) -> list[str]:
    """The words of `text` as they are written, in order."""
    tokens: list[str] = exact_analyzer().analyze(clean(text))
    return tokens


def clean(text: str) -> str:
    """`text` without lone surrogates, which models write at times and the engine cannot take."""
    return text.encode("utf-8", "ignore").decode()


def register(index: Any) -> None:
    """Makes the analyzers known to an index, new or opened."""
    index.register_tokenizer(ANALYZER, analyzer())
    index.register_tokenizer(EXACT, exact_analyzer())


def fill(schema: Any, rows: Iterable[dict[str, Any]], size: int, folder: Path | None = None) -> Any:
    """A searcher over an index of `rows`, in their order, in memory or in an empty `folder`.

    `size` is the number of characters in all rows. One thread writes, and the heap holds all rows,
    so that they make one segment and a row's number is its document's.
    """
    index = tantivy.Index(schema, path=str(folder)) if folder else tantivy.Index(schema)
    register(index)
    heap = min(max(_SMALLEST_HEAP, size * _HEAP_PER_BYTE), _LARGEST_HEAP)
    writer = index.writer(heap, 1)
    for row in rows:
        writer.add_document(tantivy.Document(**row))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    if searcher.num_segments > 1:
        raise RuntimeError(f"the index came out in {searcher.num_segments} segments")
    return searcher


def write(schema: Any, rows: Iterable[dict[str, Any]], folder: Path | None = None) -> Any:
    """A searcher over an index of any number of rows, in memory or in an empty `folder`, in bounded
    memory of the writer's; it has as many segments as come of that."""
    index = tantivy.Index(schema, path=str(folder)) if folder else tantivy.Index(schema)
    register(index)
    writer = index.writer(_BOUNDED_HEAP, 1)
    for row in rows:
        writer.add_document(tantivy.Document(**row))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index.searcher()


def term(schema: Any, field: str, token: str) -> Any:
    """The query for one token."""
    return tantivy.Query.term_query(schema, field, token)


def phrase(schema: Any, field: str, tokens: Sequence[str]) -> Any:
    """The query for tokens that stand side by side."""
    if len(tokens) == 1:
        return term(schema, field, tokens[0])
    return tantivy.Query.phrase_query(schema, field, list(tokens))


def either(queries: Sequence[Any]) -> Any:
    """Any of `queries`; scores add up."""
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, q) for q in queries])


def both(must: Sequence[Any], should: Sequence[Any]) -> Any:
    """All of `must`; `should` only adds to the score."""
    return tantivy.Query.boolean_query(
        [(tantivy.Occur.Must, q) for q in must] + [(tantivy.Occur.Should, q) for q in should]
    )


def boost(query: Any, weight: float) -> Any:
    """`query` with its score multiplied."""
    return tantivy.Query.boost_query(query, weight)
