"""What the full index knows of words, names and titles, later papers among it. Advisor side only.

Rarity tells distinctive terms from common ones; first dates tell an anachronism; titles and ids
tell knowledge of a paper that was never observed. None of it may reach the Generator.
"""

from __future__ import annotations

import math
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import tantivy

from ideatrail.evidence import engine
from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Interval
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.titles import TitleTable
from ideatrail.evidence.titles import TitleMatch, Titles
from ideatrail.evidence.urls import canonical
from ideatrail.trail.text import words

FORMAT: Final = 2
KEPT_ON_DISK: Final = 20_000
"""Papers from which on the lexicon's index is kept beside the corpus; below, it is built in a
second."""
TOPIC: Final = 2
"""Papers that use the words of a title as their own, from which on they are a topic."""
_MARK: Final = "complete"
_NAME: Final = re.compile(r"(?<=\w)[A-Z0-9]")


class Lexicon:
    """Frequencies, first dates, titles and ids of a corpus. Built on first use; safe to share.

    Of a large corpus nothing is held in memory: words stand in an index on disk, and titles and
    ids are looked up in its segments.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._papers = corpus.papers
        self._corpus = corpus
        self._df: dict[tuple[str, tuple[str, ...]], int] = {}
        self._first: dict[tuple[str, tuple[str, ...]], Interval | None] = {}

    @property
    def size(self) -> int:
        """Papers in the corpus, of any date."""
        return len(self._papers)

    def frequency(self, term: str) -> int:
        """Papers whose title or text holds `term`: a word or words side by side, by their stems."""
        return self._count("text", engine.analyze(term))

    def df(self, term: str) -> int:
        """Short for `frequency`."""
        return self.frequency(term)

    def rarity(self, term: str) -> float:
        """log((N + 1) / (papers with the term + 1)): 0 for a term in every paper, log(N + 1) for
        one in none. 0 for a term without a word."""
        tokens = engine.analyze(term)
        if not tokens:
            return 0.0
        return math.log((self.size + 1) / (self._count("text", tokens) + 1))

    def first(self, term: str) -> Interval | None:
        """The date of the paper that shows `term` first, or None where no dated paper has it.

        First is the paper with the earliest *latest* moment, since that is the bound by which
        papers are admitted: `cutoff.admits(first)` holds exactly where some admitted paper has the
        term. By the earliest moments, a paper that says "2019" and came in December would vouch
        for its words in January. Terms are compared by stems.
        """
        return self._earliest("text", engine.analyze(term))

    def first_name(self, name: str) -> Interval | None:
        """As `first`, for a name or acronym with its capitals: `RAG` is no rag."""
        return self._earliest("exact", engine.analyze_exact(name))

    def first_seen(self, term: str) -> datetime | None:
        """The moment by which `term` is known to have been in use, or None where no paper has it:
        the latest moment of `first_name` for a word with a capital or digit within it, of `first`
        for all others."""
        found = self.first_name(term) if _NAME.search(term) else self.first(term)
        return found.latest if found else None

    def name_frequency(self, name: str) -> int:
        """Papers that hold a name or acronym as it is written."""
        return self._count("exact", engine.analyze_exact(name))

    def id_date(self, address: str) -> Interval | None:
        """The date of the paper with this id or address, or None where there is none."""
        keys = (address.strip(), canonical(address))
        if self._corpus.segments is None:
            return self._ids.get(keys[0]) or self._ids.get(keys[1])
        for key in keys:
            named = self._corpus.segments.named(key)
            dates = [p.shown for p in named if p.shown and key in (p.id, *p.aliases)]
            if dates:
                return min(dates, key=lambda date: date.latest)
        return None

    @property
    def titles(self) -> Mapping[str, tuple[str, ...]]:
        """Every title, its words folded and joined by single spaces, with the ids of its papers."""
        return self._titles.ids if self._table is None else _Bearers(self._table, self._papers)

    def match_title(self, text: str) -> tuple[str, ...]:
        """Ids of the papers whose (nearly complete) title is the whole of `text`. Some titles are
        topics that anyone may name; `is_topic` tells."""
        return self._titles_near(text).match(text)

    def titles_in(self, text: str) -> tuple[TitleMatch, ...]:
        """(Nearly) complete titles that stand anywhere in `text`, without those whose words are a
        topic (`open-domain question answering`): in one of ten abstracts such a one stands."""
        return tuple(m for m in self._titles_near(text).within(text) if not self.is_topic(m.said))

    def is_topic(self, phrase: str) -> bool:
        """Whether these words stand side by side in more papers than bear them as a title, by two
        at least: to write them shows no knowledge of a paper."""
        bearers = len(self.titles.get(" ".join(words(phrase)), ()))
        return self.frequency(phrase) >= max(1, bearers) + TOPIC

    def _titles_near(self, text: str) -> Titles:
        """All titles that may stand in `text`."""
        return self._titles if self._table is None else self._table.near(text)

    @cached_property
    def _table(self) -> TitleTable | None:
        """The titles of a large corpus."""
        return None if self._corpus.segments is None else TitleTable(self._corpus.segments)

    @cached_property
    def _titles(self) -> Titles:
        return Titles((p.id, p.title) for p in self._papers)

    @cached_property
    def _ids(self) -> dict[str, Interval]:
        found: dict[str, Interval] = {}
        for paper in self._papers:
            if paper.shown:
                for key in (paper.id, *paper.aliases):
                    held = found.get(key)
                    if held is None or paper.shown.latest < held.latest:
                        found[key] = paper.shown
        return found

    @cached_property
    def _index(self) -> tuple[Any, Any]:
        """Schema and searcher."""
        schema = _schema()
        folder = self._corpus.folder
        if folder is None or self.size < KEPT_ON_DISK:
            return schema, self._build(schema, None)
        return schema, _kept(folder, self._corpus.hash, lambda at: self._build(schema, at))

    def _build(self, schema: Any, at: Path | None) -> Any:
        return engine.write(schema, _rows(self._papers), at)

    def _query(self, field: str, tokens: tuple[str, ...]) -> Any:
        return engine.phrase(self._index[0], field, tokens)

    def _count(self, field: str, tokens: list[str]) -> int:
        key = (field, tuple(tokens))
        if not tokens:
            return 0
        if key not in self._df:
            searcher = self._index[1]
            self._df[key] = (
                searcher.doc_freq(field, tokens[0])
                if len(tokens) == 1
                else searcher.search(self._query(*key), 1, count=True).count
            )
        return self._df[key]

    def _earliest(self, field: str, tokens: list[str]) -> Interval | None:
        key = (field, tuple(tokens))
        if not tokens:
            return None
        if key not in self._first:
            dated = self._index[1].search(
                self._query(*key),
                1,
                count=False,
                order_by_field="latest",
                order=tantivy.Order.Asc,
            )
            rows = [self._index[1].doc(address)["row"][0] for _, address in dated.hits]
            found = [self._papers[row].shown for row in rows]
            self._first[key] = found[0] if found else None
        return self._first[key]


class _Bearers(Mapping[str, tuple[str, ...]]):
    """Ids by title, as `Titles.ids`, of a large corpus."""

    def __init__(self, table: TitleTable, papers: Sequence[Paper]) -> None:
        self._table, self._papers = table, papers

    def __getitem__(self, title: str) -> tuple[str, ...]:
        found = self._table.bearers(title)
        if not found:
            raise KeyError(title)
        return found

    def __iter__(self) -> Iterator[str]:
        """All titles, those of several papers once for each."""
        return (said for paper in self._papers if (said := " ".join(words(paper.title))))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _schema() -> Any:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name=engine.ANALYZER)
    builder.add_text_field("exact", tokenizer_name=engine.EXACT)
    builder.add_integer_field("latest", fast=True)
    builder.add_integer_field("row", stored=True)
    return builder.build()


_NEVER: Final = 2**62
"""Stands for no date: after everything."""


def _rows(papers: Sequence[Paper]) -> Iterator[dict[str, Any]]:
    for row, paper in enumerate(papers):
        text = "\n".join((paper.title, *paper.body))
        latest = int(paper.shown.latest.timestamp() * 1e6) if paper.shown else _NEVER
        yield {"text": text, "exact": text, "latest": latest, "row": row}


def _kept(corpus: Path, digest: str, build: Callable[[Path | None], Any]) -> Any:
    """A searcher over the index kept at `corpus`, which is built there where it is missing; in
    memory where the folder cannot be written."""
    folder = corpus / f"lexicon-v{FORMAT}-{digest[:16]}"
    if not (folder / _MARK).is_file():
        fresh = corpus / f".{folder.name}.{os.getpid()}"
        try:
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir()
            build(fresh)
            (fresh / _MARK).touch()
            if folder.exists():
                shutil.rmtree(folder)
            fresh.rename(folder)
        except OSError:
            shutil.rmtree(fresh, ignore_errors=True)
            if not (folder / _MARK).is_file():  # else another process was quicker
                return build(None)
    try:
        index = tantivy.Index.open(str(folder))
    except (OSError, ValueError):  # damaged, or of another engine's format
        return build(None)
    engine.register(index)
    return index.searcher()
