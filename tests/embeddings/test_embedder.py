"""A real small model: meaning, unit length, the same bits in any company, broken files."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.embeddings.embedder import Embedder, EmbeddingError, load
from ideatrail.embeddings.near import Near

pytestmark = pytest.mark.embedding

PARAPHRASES = [
    (
        "Claims are broken into atomic facts, and each fact is checked against Wikipedia.",
        "Decompose each claim into atomic facts and check each one against Wikipedia.",
    ),
    (
        "Instead of resolving annotator disagreement by majority vote, we model it in full.",
        "Annotators' disagreement is modelled as a distribution and not resolved by majority.",
    ),
    (
        "The generated SQL is translated back into a question and must match the original one.",
        "Back-translate the generated SQL and keep it only if it matches the original question.",
    ),
    (
        "A cost on long outputs keeps the reward model from teaching wordiness.",
        "The reward model penalises length so that policies do not learn to be verbose.",
    ),
    (
        "Whether a dialogue agent asks clarifying questions is tested with simulated users.",
        "Simulated users with hidden goals test whether a dialogue agent asks back for clarity.",
    ),
    (
        "Demonstrations are arranged with the closest match right before the query.",
        "Reorder in-context examples so that the one most similar to the query stands last.",
    ),
    (
        "Byte-level tokenisation makes models robust against spelling errors.",
        "Tokenisation by bytes lets a model tolerate typos.",
    ),
    (
        "When one fact is edited in the weights, related facts must stay unchanged.",
        "Editing one fact of a language model must not change its answers on neighbouring facts.",
    ),
    (
        "Truthfulness can be read off the activations with a simple linear probe.",
        "Hidden states of a model carry a linear direction for whether a statement is true.",
    ),
    (
        "If the green list depends on the meaning of the sentence, the watermark survives.",
        "Watermarks survive paraphrase when the partition of tokens depends on meaning.",
    ),
]
SENTENCES = [text for pair in PARAPHRASES for text in pair]


@pytest.fixture(scope="module")
def model(onnx_folder: Path) -> Embedder:
    return load(onnx_folder)


@pytest.fixture
def broken(onnx_folder: Path, tmp_path: Path) -> Path:
    """A copy to break: the graph is a link, so that nothing large is copied."""
    copy = tmp_path / "broken"
    shutil.copytree(onnx_folder, copy, ignore=shutil.ignore_patterns("*.onnx"))
    (copy / "model.onnx").symlink_to(onnx_folder / "model.onnx")
    return copy


def test_each_paraphrase_scores_above_the_unrelated_sentences(model: Embedder) -> None:
    # Pair by pair: one threshold for all does not part the freest of these (0.45) from the nearest
    # of the unrelated (0.47).
    near = Near(model, [(str(i), locked) for i, (_, locked) in enumerate(PARAPHRASES)])
    said = [said for said, _ in PARAPHRASES]
    scores = near.scores(said)
    assert [key for _, key in near.best(said)] == list(near.keys)
    assert (scores.argmax(axis=0) == np.arange(len(PARAPHRASES))).all()
    others = scores[~np.eye(len(PARAPHRASES), dtype=bool)]
    assert np.median(np.diag(scores)) > others.max() + 0.2


def test_rows_are_of_unit_length(model: Embedder) -> None:
    rows = model.encode([*SENTENCES, "", " ", "\u2028", "日本語", "word " * 2000])
    assert rows.dtype == np.float32
    assert rows.shape == (len(SENTENCES) + 5, model.dimension)
    assert model.dimension == 384
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert model.encode([]).shape == (0, 384)


def test_long_text_is_cut_at_the_folder_s_length(model: Embedder) -> None:
    first, second = model.encode(["word " * 254, "word " * 254 + "gradient descent"])
    assert np.array_equal(first, second)


@given(order=st.permutations(SENTENCES), size=st.integers(1, 20))
@settings(max_examples=10)
def test_vectors_are_the_same_bits_in_any_company(
    model: Embedder, order: list[str], size: int
) -> None:
    alone = dict(zip(SENTENCES, model.encode(SENTENCES), strict=True))
    for text, row in zip(order[:size], model.encode(order[:size]), strict=True):
        assert np.array_equal(row, alone[text])


def test_two_loads_agree(model: Embedder, onnx_folder: Path) -> None:
    again = load(onnx_folder)
    assert again.name == model.name == f"{onnx_folder.name}@{model.name.split('@')[1]}"
    assert np.array_equal(again.encode(SENTENCES), model.encode(SENTENCES))


def test_cls_pooling_takes_the_first_token(model: Embedder, broken: Path) -> None:
    (broken / "1_Pooling/config.json").write_text('{"pooling_mode_cls_token": true}', "utf-8")
    rows = load(broken).encode(SENTENCES)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert not np.allclose(rows, model.encode(SENTENCES), atol=0.1)


def test_broken_graph_is_one_line(broken: Path) -> None:
    (broken / "model.onnx").unlink()
    (broken / "model.onnx").write_bytes(b"this is no graph\n" * 9)
    with pytest.raises(EmbeddingError, match=r"model\.onnx: the graph cannot be used") as caught:
        load(broken)
    assert "\n" not in str(caught.value)


def test_cut_graph_is_one_line(broken: Path, onnx_folder: Path) -> None:
    (broken / "model.onnx").unlink()
    with (onnx_folder / "model.onnx").open("rb") as stream:
        (broken / "model.onnx").write_bytes(stream.read(5_000_000))
    with pytest.raises(EmbeddingError, match=r"model\.onnx: the graph cannot be used"):
        load(broken)


@pytest.mark.parametrize("text", ["{", "{}", "[]", '{"model": {"type": "None such"}}'])
def test_broken_tokenizer_is_one_line(broken: Path, text: str) -> None:
    (broken / "tokenizer.json").write_text(text, "utf-8")
    with pytest.raises(EmbeddingError, match=r"tokenizer\.json: the tokenizer") as caught:
        load(broken)
    assert "\n" not in str(caught.value)


def test_missing_tokenizer_of_a_real_graph_is_one_line(broken: Path) -> None:
    (broken / "tokenizer.json").unlink()
    (broken / "modules.json").unlink()
    with pytest.raises(EmbeddingError, match=r"tokenizer\.json is missing"):
        load(broken)


def test_sentence_transformers_agrees_with_onnx(
    weights: Path, model: Embedder, capfd: pytest.CaptureFixture[str]
) -> None:
    if importlib.util.find_spec("sentence_transformers") is None:
        pytest.skip("sentence_transformers is not installed")
    other = load(weights)
    assert other.dimension == 384
    assert other.encode([]).shape == (0, 384)
    assert np.allclose(other.encode(SENTENCES), model.encode(SENTENCES), atol=1e-5)
    assert capfd.readouterr() == ("", "")
