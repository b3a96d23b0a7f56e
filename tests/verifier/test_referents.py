"""Speech of the pipeline is told from research speech by what it can refer to."""

from __future__ import annotations

import pytest

from ideatrail.verifier.feedback import answers_back
from ideatrail.verifier.referents import pipeline_speech
from ideatrail.verifier.view import View

VERIFIERS = "A verifier is trained to score each step. The verifier rejects wrong steps."


def told(text: str, shown: str = "") -> list[str]:
    view = View("How can reasoning be made reliable?")
    view.shown.add(shown)
    return [kind for kind, _ in pipeline_speech(text, view)]


@pytest.mark.parametrize(
    "text",
    [
        "The verifier will hold every quote against the page.",
        "I keep to what the oracle holds.",
        "Since this is a retry, I change only the wording.",
        "I am behind the milestone.",
        "My candidates will be scored against the anchor.",
        "The name is left out until its lock opens.",
        "This term is still locked.",
        "Only 4 of the 40 turns are left.",
        "I must not waste turns.",
        "The turn limit forces me to choose.",
    ],
)
def test_pipeline(text: str) -> None:
    assert told(text)


@pytest.mark.parametrize(
    "text",
    [
        "I would train a verifier on these steps.",
        "The verdict of the annotators is noisy.",
        "The verdict is still open.",
        "I use anchor text as a signal.",
        "Oracle summaries give an upper bound.",
        "It takes two more turns of dialogue until the user is understood.",
        "A milestone for the field was reached.",
        "We retry failed API calls.",
        "The lock file names each version.",
        "It acts as an anchor for the rest.",
    ],
)
def test_research(text: str) -> None:
    assert not told(text)


def test_where_the_research_has_such_a_thing_more_is_needed() -> None:
    said = "The verifier has scored each step, so wrong ones fall away."
    assert told(said)
    assert not told(said, VERIFIERS)
    assert told("The verifier sent back my last draft.", VERIFIERS)


@pytest.mark.parametrize(
    "text",
    [
        "Apologies, the address was not one I had seen; here is the paragraph without it.",
        "Third attempt at this turn: the year is gone.",
        "I was rewound to the message before the second scrape.",
        "The stage changed to ideate in the latest request.",
        "Thank you for pointing out the unsupported number.",
        "The phrasing bounced twice, so it has to pass the checks now.",
        "Whatever I am meant to rediscover lies near retrieval.",
        "The judge compares my selected idea with the reference.",
        "Atoms that depend on this one cannot be voiced yet.",
        "Convergence is decided by gamma, so my idea has to come close.",
    ],
)
def test_answers_to_nobody(text: str) -> None:
    assert list(answers_back(text, View("How can reasoning be made reliable?")))


@pytest.mark.parametrize(
    "text",
    [
        "The judges disagree on a third of the items, which I want to understand.",
        "I return to the first paper, since it names the data.",
        "In turn, the second stage of their system reranks passages.",
        "The model was asked to try again with another prompt.",
        "Their draft of each summary is revised once.",
        "An accepted paper at the workshop reports the same.",
        "Hydrogen atoms that leave the surface are counted.",
        "I noted that the reviewers of the shared task disagreed.",
    ],
)
def test_research_that_sounds_alike(text: str) -> None:
    view = View("How can reasoning be made reliable?")
    view.shown.add("Atoms leave the surface.")
    assert not list(answers_back(text, view))
