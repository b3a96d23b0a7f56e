"""The nearest reference, by cosine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from letters import Letters

from ideatrail.embeddings.near import Near

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
PAIRS = st.lists(st.tuples(st.sampled_from("ABC"), TEXTS), min_size=1, max_size=6)


@given(pairs=PAIRS, texts=st.lists(TEXTS, max_size=6))
def test_best_is_the_highest_score_of_its_text(
    pairs: list[tuple[str, str]], texts: list[str]
) -> None:
    near = Near(Letters(), pairs)
    scores = near.scores(texts)
    assert scores.shape == (len(texts), len(pairs))
    assert near.keys == tuple(key for key, _ in pairs)
    for (score, key), row in zip(near.best(texts), scores, strict=True):
        assert score == row.max()
        assert key == near.keys[int(row.argmax())]


@given(pairs=PAIRS, texts=st.lists(TEXTS, min_size=1, max_size=6))
def test_score_does_not_depend_on_the_texts_beside_it(
    pairs: list[tuple[str, str]], texts: list[str]
) -> None:
    near = Near(Letters(), pairs)
    alone = [near.best([text])[0] for text in texts]
    assert near.best(texts) == alone
    assert near.best(texts[::-1]) == alone[::-1]


def test_a_reference_is_nearest_to_itself() -> None:
    pairs = [("L1", "semantic entropy"), ("L2", "a verifier of steps"), ("L2", "process reward")]
    for (score, key), (own, _) in zip(
        Near(Letters(), pairs).best([text for _, text in pairs]), pairs, strict=True
    ):
        assert key == own
        assert np.isclose(score, 1)


def test_equal_references_give_the_first() -> None:
    assert Near(Letters(), [("L2", "same"), ("L1", "same")]).best(["same"])[0][1] == "L2"


def test_near_without_references_is_refused() -> None:
    with pytest.raises(ValueError, match="no reference"):
        Near(Letters(), [])
