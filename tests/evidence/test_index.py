"""Nothing can be read from an as-of index about what it does not admit."""

from __future__ import annotations

import gzip
import random
from itertools import pairwise
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.index import AsOfIndex, as_of
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.readers import read
from ideatrail.evidence.withheld import NOTHING_WITHHELD, Target, Withheld

from .conftest import WORDS, make, papers, texts

CUTOFF = Cutoff.parse("2019-06-30")


def seen(index: AsOfIndex, query: str, most: int = 10) -> list[tuple[str, float, tuple[str, ...]]]:
    return [(r.paper.id, r.score, r.aliases) for r in index.search(query, most)]


@settings(max_examples=60)
@given(papers(), papers(), texts(1, 4), st.integers(0, 3))
def test_later_and_withheld_papers_change_nothing(
    found: list[Paper], others: list[Paper], query: str, chosen: int
) -> None:
    """The index of everything equals one that never held a later or a withheld paper."""
    admitted = [p for p in found if CUTOFF.admits(p.shown)]
    later = [p for p in others if not CUTOFF.admits(p.shown)]
    target = admitted[chosen] if chosen < len(admitted) else make(id="P17-0999", title="Some Thing")
    withheld = Withheld.of(Target.of(target))
    kept = [p for p in admitted if not withheld.hides(p)]
    whole = AsOfIndex([*later, *admitted], CUTOFF, withheld)
    bare = AsOfIndex(kept, CUTOFF, NOTHING_WITHHELD)
    for text in (query, f'"{query}"', WORDS[0], "P17-0001"):
        assert seen(whole, text) == seen(bare, text)
    for paper in (*found, *others):
        for alias in paper.aliases:
            assert whole.page(alias) == bare.page(alias)


@settings(max_examples=30)
@given(papers(), texts(1, 3))
def test_order_is_stable(found: list[Paper], query: str) -> None:
    """The first results are the same however many are asked for; ties go by id."""
    index = AsOfIndex(found, CUTOFF, NOTHING_WITHHELD)
    again = AsOfIndex(list(reversed(found)), CUTOFF, NOTHING_WITHHELD)
    long = seen(index, query, 50)
    assert long == seen(again, query, 50)
    for most in range(5):
        assert seen(index, query, most) == long[:most]
    for (one, score, _), (other, lower, _) in pairwise(long):
        assert score > lower or one < other


def test_ties_beyond_the_first_fetch_go_by_id() -> None:
    same = [make(id=f"P17-{n:04}", title="Parsing", authors=[f"Author {n}"]) for n in range(700)]
    random.Random(7).shuffle(same)
    hits = seen(AsOfIndex(same, CUTOFF, NOTHING_WITHHELD), "parsing", 5)
    assert [h[0] for h in hits] == [f"P17-{n:04}" for n in range(5)]


@pytest.mark.parametrize(
    "query",
    ["LLM: a survey", "NOT", "AND", 'an open "quote', '"', '""', "field:parsing", "(", "a AND (b",
     "\\", "*", "^2", "parsing~", "[a TO b]", "\0", "😀", "", "   ", "-parsing", "parsing OR",
     "x" * 5000, "parsing " * 2000, "日本語", "\ud800", "title:\"neural parsing\"^9"],
)  # fmt: skip
def test_any_query_is_taken(query: str) -> None:
    index = AsOfIndex([make(), make(id="P17-0002", title="A Survey")], CUTOFF, NOTHING_WITHHELD)
    assert isinstance(index.search(query), tuple)


@given(st.text(max_size=80))
@settings(max_examples=200)
def test_no_text_breaks_a_search(query: str) -> None:
    EVERY.search(query)


EVERY = AsOfIndex([make(), make(id="P17-0002", title="A Survey")], CUTOFF, NOTHING_WITHHELD)


def test_queries_mean_what_people_mean() -> None:
    index = AsOfIndex(
        [
            make(id="P17-0001", title="Selective Prediction for Questions", body=["On answers."]),
            make(id="P17-0002", title="Prediction that is Selective", body=["selective, then a "
                 "prediction"], authors=["Bo Vaswani"]),
            make(id="P17-0003", title="Treebanks", body=["Nothing selective."], doi="10.1000/x"),
        ],
        CUTOFF,
        NOTHING_WITHHELD,
    )  # fmt: skip
    assert [h[0] for h in seen(index, '"selective prediction"')] == ["P17-0001"]
    assert [h[0] for h in seen(index, '"Selective predictions" treebank')] == ["P17-0001"]
    assert len(seen(index, 'open "selective prediction')) == 3
    assert seen(index, "selective NOT treebanks")[0][0] == "P17-0003"
    assert [h[0] for h in seen(index, "vaswani")] == ["P17-0002"]
    for name in ("P17-0003", "https://aclanthology.org/P17-0003.pdf", "10.1000/X"):
        assert seen(index, f"{name} selective prediction")[0][0] == "P17-0003"
    assert seen(index, "what stands nowhere: zzz") == []


def test_the_newest_admitted_record_stands_for_its_work() -> None:
    preprint = make(id="1801.00001", date="2018-01-05", url="https://arxiv.org/abs/1801.00001")
    printed = make(id="P18-0001", date="2018-07", doi="10.18653/v1/P18-0001")
    for day, shown, absent in (("2018-03-01", preprint, printed), ("2018-09-01", printed, None)):
        index = AsOfIndex([preprint, printed], Cutoff.parse(day), NOTHING_WITHHELD)
        assert index.size == 1
        (hit,) = index.search("parsing")
        assert hit.paper == shown
        if absent:
            assert not set(hit.aliases) & set(absent.aliases)
            assert index.page(absent.aliases[0]) is None
        else:
            assert hit.aliases == (*printed.aliases, *preprint.aliases)
            assert index.page("https://arxiv.org/abs/1801.00001") == preprint


def test_text_that_names_what_came_later_is_not_shown() -> None:
    texts_of = {
        "P17-0001": "As arXiv:1908.00001 shows.",
        "P17-0002": "Held on 3 August 2019 in Florence.",
        "P17-0003": "Data from 2019-08-03.",
        "P17-0004": "By 2030, as arXiv:1906.00001 of June 2019 says, of 2019-06-03 and 1908.12345.",
    }
    found = [make(id=i, title=f"Parsing {i} of all the languages", body=[t])
             for i, t in texts_of.items()]  # fmt: skip
    index = AsOfIndex(found, CUTOFF, NOTHING_WITHHELD)
    assert [h[0] for h in seen(index, "parsing")] == ["P17-0004"]


def test_indexes_are_shared_in_a_process() -> None:
    corpus = Corpus.of([make()])
    withheld = Withheld.of(Target(titles=("Something Else Altogether",)))
    assert as_of(corpus, CUTOFF, withheld) is as_of(Corpus.of([make()]), CUTOFF, withheld)
    assert as_of(corpus, CUTOFF, withheld) is not as_of(corpus, CUTOFF, NOTHING_WITHHELD)
    assert as_of(corpus, CUTOFF, withheld) is not as_of(
        corpus, Cutoff.parse("2020-06-30"), withheld
    )


@pytest.mark.shared
def test_three_hundred_real_queries_are_blind_to_later_papers(shared_data: Path) -> None:
    """What a later paper would change is nothing: neither who is found nor in what order."""
    source = shared_data / "papers_acl_small.jsonl.gz"
    found = list(read(source, lambda bad: None))
    with gzip.open(source) as lines:
        raw = [orjson.loads(line) for line in lines]
    dates = {r["id"]: (r["year"], r["month"] or 12) for r in raw}
    cutoff = Cutoff.parse("2019-12-31")
    withheld = Withheld.of(Target.of(found[100])).spread(found)
    earlier = [p for p in found if dates[p.id] <= (2019, 12) and p.id != found[100].id]
    whole, bare = (AsOfIndex(f, cutoff, withheld) for f in (found, earlier))
    assert whole.size == bare.size
    everything = AsOfIndex(found, Cutoff.parse("2030-01-01"), NOTHING_WITHHELD)
    moved = 0
    drawn = random.Random(20190101).sample(raw, 300)
    for record in drawn:
        words = record["title"].split()
        query = " ".join(words[: 2 + len(words) % 5])
        hits = seen(whole, query)
        assert hits == seen(bare, query)
        assert all(dates[h[0]] <= (2019, 12) and h[0] != found[100].id for h in hits)
        filtered = [h[0] for h in seen(everything, query, 100) if dates[h[0]] <= (2019, 12)]
        shown = [h[0] for h in hits]
        moved += filtered[: len(shown)] != shown[: len(filtered)]
    assert moved > 100  # filtering afterwards would have told of later papers by the order
