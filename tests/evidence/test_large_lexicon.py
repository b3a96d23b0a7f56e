"""The lexicon of a large corpus says what that of a small one says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ideatrail.evidence.corpus import Corpus, CorpusWriter
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.evidence.readers import read


@pytest.mark.shared
def test_small_and_large_lexicon_agree(shared_data: Path, tmp_path: Path) -> None:
    found = list(read(shared_data / "papers_acl_small.jsonl.gz", lambda bad: None))
    with CorpusWriter(tmp_path / "out", largest=2_000) as writer:
        writer.add(found)
        writer.finish()
    small, large = Lexicon(Corpus.of(found)), Lexicon(Corpus.open(tmp_path / "out"))
    assert small.size == large.size == 5_000
    for term in ("parsing", "language model", "self-consistency", "chain of thought", "zzz", ""):
        assert small.frequency(term) == large.frequency(term)
        assert small.rarity(term) == large.rarity(term)
        one, other = small.first(term), large.first(term)
        assert (one and one.latest) == (other and other.latest)
    for name in ("ChatGPT", "BERT", "bert", "GPT-4", "RAG"):
        assert small.name_frequency(name) == large.name_frequency(name)
        assert small.first_seen(name) == large.first_seen(name)
    chance = random.Random(4)
    for paper in chance.sample(found, 60):
        other = chance.choice(found)
        said = paper.title.split()
        changed = [*said[:2], "slightly", *said[3:]]
        for text in (paper.title, " ".join(changed), " ".join(said[:5]), other.body[0]):
            assert small.match_title(text) == large.match_title(text)
        text = f"As {paper.title} says, and {' '.join(changed)}, too. {other.body[0]} {other.title}"
        assert small.titles_in(text) == large.titles_in(text)
        folded = next(iter(small.titles))
        assert small.titles[folded] == large.titles[folded]
        for address in (paper.id, paper.url, paper.doi or "", "P99-9999"):
            assert small.id_date(address) == large.id_date(address)
    assert "no such title" not in large.titles
    assert sorted(set(large.titles)) == sorted(small.titles)
