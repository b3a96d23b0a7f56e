"""The offline Advisor's direction: the problem without the method."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.models.offline.advisor import advise
from ideatrail.models.offline.advisor.forbidden import Forbidden, core
from ideatrail.models.offline.advisor.rephrase import open_question
from ideatrail.models.protocol import Request, message
from ideatrail.trail.answers import DirectionAnswer
from ideatrail.trail.text import words

QUESTION = (
    "Can step-back prompting improve multi-step reasoning of language models on science questions?"
)
CONTEXT = (
    "Long chains of thought are expensive and often wrong in the middle. "
    "We propose to let them step back first. Step-back prompting helps a lot."
)
FORBIDDEN = ["Step-Back Prompting", "Take a Step Back", "MMLU"]


def direct(question: str, context: str = "", **sections: Any) -> DirectionAnswer:
    body = f"<question>\n{question}\n</question>\n<context>\n{context}\n</context>\n" + "\n".join(
        f"<{k}>\n{orjson.dumps(v).decode()}\n</{k}>" for k, v in sections.items()
    )
    request = Request((message("user", body),), answer_schema=DirectionAnswer.model_json_schema())
    return DirectionAnswer.model_validate_json(advise(request).text)


def test_advisor_direction_takes_the_method_out_of_the_question() -> None:
    answer = direct(QUESTION, CONTEXT, forbidden=FORBIDDEN)
    assert "What could improve multi-step reasoning of language models" in answer.direction
    assert "step back" not in answer.direction.lower().replace("-", " ")
    assert "Long chains of thought are expensive and often wrong in the middle." in answer.direction
    assert "propose" not in answer.direction


def test_advisor_direction_has_two_to_five_sentences_and_a_short_topic() -> None:
    answer = direct(QUESTION, CONTEXT, forbidden=FORBIDDEN)
    assert 2 <= len(re.findall(r"[.?](?:\s|$)", answer.direction)) <= 5
    assert 2 <= len(words(answer.topic)) <= 6
    assert "reasoning" in answer.topic


def test_advisor_direction_is_rewritten_barer_with_each_feedback() -> None:
    first = direct(QUESTION, CONTEXT, forbidden=FORBIDDEN)
    second = direct(QUESTION, CONTEXT, forbidden=FORBIDDEN, feedback=["multi-step reasoning"])
    assert "multi-step reasoning" in first.direction
    assert "multi-step" not in second.direction
    third = direct(QUESTION, CONTEXT, forbidden=FORBIDDEN, feedback=["a", "b", "c"])
    assert "The topic is" in third.direction


def test_advisor_direction_leaves_benchmark_shaped_names_out() -> None:
    answer = direct("Does search improve planning in TextWorldExpress?", forbidden=[])
    assert "TextWorldExpress" not in answer.direction
    assert "What could improve planning?" in answer.direction


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (
            "Can annotated examples decide between competing programs more accurately than a vote?",
            "What could decide between competing programs more accurately than a vote?",
        ),
        (
            "Can the gap between what a language model expects and does tell us which of its "
            "answers to withhold?",
            "What could tell us which of a language model's answers to withhold?",
        ),
        (
            "This proposal aims to develop a framework, ZED-9, that leverages language models to "
            "automate the generation of proof tactics for theorem provers.",
            "How could one automate the generation of proof tactics for theorem provers?",
        ),
        (
            "The behaviour to be analysed is how markers of certainty affect models.",
            "I would like to understand how markers of certainty affect models.",
        ),
        (
            "Investigate whether a two-level planner with subtasks can improve performance on "
            "cooking tasks.",
            "I would like to understand what could improve performance on cooking tasks.",
        ),
        (
            "Can a generator avoid unsupported details if it prefers tokens with one witness?",
            "How can a generator avoid unsupported details?",
        ),
        (
            "How do language models handle irrelevant context?",
            "How do language models handle irrelevant context?",
        ),
        (
            "Comparing dropout strategies (standard, spatial) for small networks on tabular data",
            "What do we really know about dropout strategies for small networks on tabular data?",
        ),
        ("Evaluate the method on three data sets.", None),
        ("We propose a novel framework of two modules.", None),
    ],
)
def test_advisor_opens_questions_by_grammar(given: str, wanted: str | None) -> None:
    assert open_question(given, Forbidden.of(["ZED-9"])) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "step back prompting",
        "Step-Back Prompting",
        "stepback prompting helps",
        "we use SBP here",
        "step-back prompts",
        "a step back",
        "prompting it to go back one step",
    ],
)
def test_advisor_knows_a_forbidden_term_in_other_dress(text: str) -> None:
    assert Forbidden.of(["Step-Back Prompting"]).within(text)


def test_advisor_forbidden_leaves_other_words_alone() -> None:
    assert not Forbidden.of(["Step-Back Prompting"]).within(
        "prompting works when a model goes back"
    )
    assert core("Take a Step Back") == "step back"
    assert core("Adaptive Prompting") == ""


WORDS = sorted({w for w in words(QUESTION + " " + CONTEXT) if len(w) > 4})


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6, unique=True))
def test_advisor_direction_never_holds_a_forbidden_word(taken: list[str]) -> None:
    answer = direct(QUESTION, CONTEXT, forbidden=taken)
    assert not Forbidden.of(taken).within(f"{answer.direction}\n{answer.topic}")
