"""What is said in other words is found with a real encoder, and only while it is closed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ideatrail.embeddings.cached import Cached
from ideatrail.embeddings.embedder import load
from ideatrail.trail.oracle import Atom, Lock, Oracle
from ideatrail.trail.turn import Call, Draft, Result, Trail, Turn
from ideatrail.verifier.check import Verifier

pytestmark = pytest.mark.embedding

ATOM = (
    "A decoder that withdraws one source sentence at a time and rewards tokens whose probability "
    "collapses with a single witness writes fewer unsupported details."
)
ORACLE = Oracle(
    atoms=[Atom(id="a1", kind="thesis", text=ATOM)],
    locks=[Lock(id="l1", atom="a1", forms=["Witness Withdrawal"], opens_at="ideate")],
)
OTHER_WORDS = (
    "Perhaps one should take away a sentence of the source at a time while decoding, and favour "
    "those tokens of which the probability collapses without that one witness."
)


@pytest.fixture
def verifier(onnx_folder: Path) -> Verifier:
    return Verifier(cutoff="2024-01-01", embedder=Cached(load(onnx_folder)))


def judged(verifier: Verifier, text: str, stage: str = "explore", shown: str = "") -> list[str]:
    trail = Trail("", "How can unsupported details in summaries be avoided?")
    if shown:
        call = Call("c1", "WebSearch", '{"query": "details"}', {"query": "details"})
        result = Result("c1", "WebSearch", shown, "ok", "", observed=True)
        trail = trail.append(Turn(1, "explore", "", Draft("Let me see.", "", (call,)), (result,)))
    verifier.follow(trail, ORACLE)
    return [f.layer for f in verifier.judge(Draft(text, "", ()), stage).findings]


def test_other_words_are_found(verifier: Verifier) -> None:
    call_less = judged(verifier, OTHER_WORDS)
    # A message without a call is malformed before the oracle is asked: leaks are asked for alone.
    assert call_less == ["ending"]
    found = [f.layer for f in verifier.leaks(Draft(OTHER_WORDS, "", ()), "explore")]
    assert found == ["embedding"]


@pytest.mark.parametrize(
    "text",
    [
        "I would like to know how summaries are checked against their sources in newer work.",
        "The second search brought three papers on decoding, and none of them measures details.",
        "Sentences that nothing supports are the trouble that the first message speaks of.",
    ],
)
def test_research_prose_is_not(verifier: Verifier, text: str) -> None:
    judged(verifier, text)
    assert not verifier.leaks(Draft(text, "", ()), "explore")


def test_once_open_or_observed_it_is_free(verifier: Verifier) -> None:
    judged(verifier, OTHER_WORDS)
    assert not verifier.leaks(Draft(OTHER_WORDS, "", ()), "ideate")
    judged(verifier, OTHER_WORDS, shown=ATOM)
    assert not verifier.leaks(Draft(OTHER_WORDS, "", ()), "explore")
