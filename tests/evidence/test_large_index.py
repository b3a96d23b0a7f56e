"""One index serves all cutoffs, and from none can be read what comes later or is withheld."""

from __future__ import annotations

import gzip
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
import tantivy
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.evidence import engine
from ideatrail.evidence.corpus import Corpus, CorpusWriter, append
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.index import AsOfIndex, as_of
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.collection import Collection, Part
from ideatrail.evidence.postings.invert import invert
from ideatrail.evidence.postings.keys import KeyTable
from ideatrail.evidence.postings.segment import Segment
from ideatrail.evidence.postings.withholding import hidden, spread
from ideatrail.evidence.quarantine import names_later
from ideatrail.evidence.query import parse_query
from ideatrail.evidence.readers import read
from ideatrail.evidence.withheld import NOTHING_WITHHELD, Target, Withheld
from ideatrail.evidence.works import editions

from .conftest import WORDS, make, papers, texts

CUTOFFS = [
    Cutoff.parse(day)
    for day in ("2016-01-01", "2018-06-01", "2018-12-01", "2019-06-30", "2020-12-31", "2021-12-31")
]
EVERYTHING = Cutoff.parse("2999-01-01")


def seen(index: AsOfIndex, query: str, most: int = 10) -> list[tuple[Paper, float, Any]]:
    return [(r.paper, r.score, r.aliases) for r in index.search(query, most)]


def parted(found: Sequence[Paper], parts: int) -> Collection:
    """A collection in memory of several segments."""
    made = []
    for number in range(parts):
        mine = sorted(found[number::parts], key=lambda p: p.order)
        table = KeyTable()
        for paper in mine:
            table.add(paper)
        made.append(Part(Segment(invert(mine), mine), table.arrays()))
    return Collection(made)


def admits(paper: Paper, cutoff: Cutoff) -> bool:
    texts_of = (paper.title, *paper.body)
    return cutoff.admits(paper.shown) and not any(names_later(t, cutoff) for t in texts_of)


@settings(max_examples=60)
@given(papers(), papers(), texts(1, 4), st.sampled_from(CUTOFFS), st.integers(1, 3))
def test_a_cutoff_of_everything_equals_everything_before_the_cutoff(
    one: list[Paper], two: list[Paper], query: str, cutoff: Cutoff, parts: int
) -> None:
    """Byte for byte: papers, order, scores, addresses, weights, pages."""
    found = list({p.order[:2]: p for p in [*one, *two]}.values())
    late = make(id="P17-0900", date="2017", body=["As arXiv:1908.00001 and 3 May 2020 say."])
    found.append(late)
    whole = AsOfIndex(parted(found, parts), cutoff, NOTHING_WITHHELD)
    bare = AsOfIndex([p for p in found if admits(p, cutoff)], EVERYTHING, NOTHING_WITHHELD)
    assert whole.size == bare.size
    for text in (query, f'"{query}"', f'"{query}" {WORDS[1]}', *WORDS[:2], "P17-0001 parsing"):
        for most in (1, 3, 10, 100):
            assert seen(whole, text, most) == seen(bare, text, most)
    for word in WORDS:
        (token,) = engine.analyze(word)
        assert whole.weight(token) == bare.weight(token)
    for paper in found:
        for alias in paper.aliases:
            assert whole.page(alias) == bare.page(alias)


@settings(max_examples=60)
@given(papers(), texts(1, 4), st.sampled_from(CUTOFFS), st.integers(2, 4), st.integers(0, 9))
def test_what_is_withheld_leaves_no_trace_in_any_segment(
    found: list[Paper], query: str, cutoff: Cutoff, parts: int, chosen: int
) -> None:
    found = list({p.order[:2]: p for p in found}.values())
    target = found[chosen] if chosen < len(found) else make(id="P17-0999", title="Some Thing")
    withheld = Withheld.of(Target.of(target)).spread(found)
    kept = [p for p in found if not withheld.hides(p)]
    whole = AsOfIndex(parted(found, parts), cutoff, withheld)
    bare = AsOfIndex(kept, cutoff, NOTHING_WITHHELD)
    assert whole.size == bare.size
    for text in (query, f'"{query}"', WORDS[0], target.id):
        assert seen(whole, text, 50) == seen(bare, text, 50)
    for paper in found:
        for alias in paper.aliases:
            assert whole.page(alias) == bare.page(alias)


@settings(max_examples=60)
@given(papers(), texts(4, 6), st.integers(1, 3))
def test_withheld_papers_are_found_without_reading_all(
    found: list[Paper], title: str, parts: int
) -> None:
    found = list({p.order[:2]: p for p in found}.values())
    collection = parted(found, parts)
    bounds = [p.segment.size for p in collection.parts]
    targets = [Target(titles=(title,)), Target(titles=(f"Parser: {title}",), ids=("P17-0003",))]
    for target in targets:
        withheld = Withheld.of(target)
        wide = spread(collection, withheld)
        assert wide.key == withheld.spread(found).key
        papers_of = {collection.paper(r) for r in hidden(collection, wide, bounds)}
        assert papers_of == {p for p in found if wide.hides(p)}


ODD_TITLES = (
    "How to Do It All",
    "SciWalker: A Walk over Graphs of Steps",
    "Ein Weg für Straßen über die Brücke",
    "日本語 の 構文 解析 に ついて",
    "A ſtudy of Kelvin and K",
)


@pytest.mark.parametrize("title", ODD_TITLES)
def test_titles_of_any_letters_are_withheld(title: str) -> None:
    told = [
        make(id="P17-0001", title=title),
        make(id="P17-0002", title=title.upper(), authors=["Bo"]),
        make(id="P17-0003", title="Other Things of the World", body=[f"As ({title}) says."]),
        make(id="P17-0004", title="Further Things of the World", body=["SciWalker, they say."]),
        make(id="P17-0005", title="Last Things of the World", body=[title.casefold()]),
        make(id="P17-0006", title="No Thing of the World"),
    ]
    collection = parted(told, 2)
    withheld = spread(collection, Withheld.of(Target(titles=(title,))))
    assert withheld.key == Withheld.of(Target(titles=(title,))).spread(told).key
    found = {collection.paper(r).id for r in hidden(collection, withheld, [3, 3])}
    assert found == {p.id for p in told if withheld.hides(p)}
    assert "P17-0001" in found


class Oracle:
    """What the index has to equal but for rounding: the engine itself, fed what a cutoff admits."""

    def __init__(self, found: Sequence[Paper], cutoff: Cutoff) -> None:
        admitted = sorted((p for p in found if admits(p, cutoff)), key=lambda p: p.order)
        self.works = [paper for paper, _ in editions(admitted)]
        builder = tantivy.SchemaBuilder()
        for name in ("title", "body", "authors"):
            builder.add_text_field(name, tokenizer_name=engine.ANALYZER)
        self.schema = builder.build()
        rows = (
            {"title": p.title, "body": "\n".join(p.body), "authors": "\n".join(p.authors)}
            for p in self.works
        )
        size = sum(len(p.title) + sum(map(len, p.body)) for p in self.works)
        self.searcher = engine.fill(self.schema, rows, size)

    def search(self, query: str, limit: int) -> dict[str, float]:
        clauses = [
            engine.boost(engine.term(self.schema, field, token), weight)
            for token in parse_query(query).terms
            for field, weight in (("title", 2.0), ("body", 1.0), ("authors", 0.5))
        ]
        hits = self.searcher.search(engine.either(clauses), limit, count=False).hits
        return {self.works[at.doc].id: score for score, at in hits}


@pytest.mark.shared
def test_scores_are_the_engines_own(shared_data: Path) -> None:
    found = list(read(shared_data / "papers_acl_small.jsonl.gz", lambda bad: None))
    collection = parted(found, 3)
    chance = random.Random(5)
    for day in ("2017-03-31", "2019-12-31", "2024-06-30"):
        cutoff = Cutoff.parse(day)
        index = AsOfIndex(collection, cutoff, NOTHING_WITHHELD)
        oracle = Oracle(found, cutoff)
        assert index.size == len(oracle.works)
        for paper in chance.sample(found, 100):
            query = " ".join(paper.title.split()[:4])
            hits = index.search(query, 10)
            theirs = oracle.search(query, 40)
            best = sorted(theirs.values(), reverse=True)[:10]
            assert [h.score for h in hits] == pytest.approx(best, abs=3e-4)
            assert [h.score for h in hits] == pytest.approx(
                [theirs[h.paper.id] for h in hits], abs=3e-4
            )


@pytest.mark.shared
def test_real_targets_are_withheld_as_if_all_were_read(shared_data: Path) -> None:
    found = list(read(shared_data / "papers_acl_small.jsonl.gz", lambda bad: None))
    collection = parted(found, 2)
    bounds = [p.segment.size for p in collection.parts]
    for paper in random.Random(3).sample(found, 12):
        withheld = Withheld.of(Target.of(paper))
        wide = spread(collection, withheld)
        assert wide.key == withheld.spread(found).key
        ids = {collection.paper(r).id for r in hidden(collection, wide, bounds)}
        assert ids == {p.id for p in found if wide.hides(p)}


@pytest.mark.shared
def test_ten_thousand_searches_show_nothing_later(shared_data: Path, tmp_path: Path) -> None:
    """Dates are read from the source file, and compared as text."""
    source = shared_data / "papers_acl.jsonl.gz"
    ends, titles = {}, []
    with gzip.open(source) as lines:
        for line in lines:
            record = orjson.loads(line)
            ends[record["id"]] = f"{record['year']}-{record['month'] or 12:02}"
            titles.append(record["title"].split())
    with CorpusWriter(tmp_path / "out", largest=20_000) as writer:
        writer.add(read(source, lambda bad: None))
        about = writer.finish()
    assert (about.papers, len(about.segments)) == (len(ends), 3)
    corpus = Corpus.open(tmp_path / "out")
    months = sorted(set(ends.values()))
    early = ["2015-12", *months[:6]]  # hardly any paper is there yet
    chance = random.Random(20260101)
    shown = 0
    for number in range(10_000):
        month = chance.choice(early if number % 4 == 0 else months)
        cutoff = Cutoff.parse(f"{month}-{chance.choice(('01', '15', '28'))}")
        said = chance.choice(titles)
        start = chance.randrange(len(said))
        query = " ".join(said[start : start + chance.randint(1, 4)])
        hits = as_of(corpus, cutoff, NOTHING_WITHHELD).search(query)
        shown += len(hits)
        for hit in hits:
            # A paper of a month is there when the month is over: never on its last day at UTC-12.
            assert ends[hit.paper.id] < cutoff.day[:7], (query, cutoff.day, hit.paper.id)
    assert shown > 20_000


@pytest.mark.shared
def test_a_corpus_grown_by_steps_answers_as_one_built_at_once(
    shared_data: Path, tmp_path: Path
) -> None:
    found = list(read(shared_data / "papers_acl_small.jsonl.gz", lambda bad: None))
    random.Random(1).shuffle(found)
    with CorpusWriter(tmp_path / "steps", largest=1_500) as writer:
        writer.add(found[:2_000])
        writer.finish()
    for begin in range(2_000, 5_000, 500):
        append(tmp_path / "steps", found[begin : begin + 500], largest=1_500)
    one, other = Corpus.open(tmp_path / "steps"), Corpus.of(found)
    for day in ("2016-06-30", "2020-06-30", "2025-12-31"):
        cutoff = Cutoff.parse(day)
        mine, theirs = (as_of(c, cutoff, NOTHING_WITHHELD) for c in (one, other))
        assert mine.size == theirs.size
        for paper in random.Random(2).sample(found, 60):
            query = " ".join(paper.title.split()[:3])
            assert seen(mine, query) == seen(theirs, query)
            assert mine.page(paper.aliases[0]) == theirs.page(paper.aliases[0])
