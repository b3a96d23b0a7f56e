"""Sections under every kind of heading that people use."""

from __future__ import annotations

import pytest

from ideatrail.proposals.labels import clean_label, roles_of
from ideatrail.proposals.sections import split_sections


def shape(text: str) -> list[tuple[str, str]]:
    return [(s.label, " ".join(s.body.split())) for s in split_sections(text)]


@pytest.mark.parametrize(
    "text",
    [
        "# Method\n\nWe do x.\n\n# Evaluation\n\nWe test y.\n",
        "Method\n======\n\nWe do x.\n\nEvaluation\n==========\n\nWe test y.\n",
        "======\nMethod\n======\n\nWe do x.\n\n==========\nEvaluation\n==========\n\nWe test y.\n",
        "**Method**\n\nWe do x.\n\n**Evaluation:**\n\nWe test y.\n",
        "METHOD\n\nWe do x.\n\nEVALUATION\n\nWe test y.\n",
        "1. Method\n\nWe do x.\n\n2. Evaluation\n\nWe test y.\n",
        "Method. We do x.\n\nEvaluation. We test y.\n",
        "**Method**: We do x.\n\n**Evaluation.** We test y.\n",
        "1. Method: We do x.\n\n2. Evaluation: We test y.\n",
        "Method: We do x.\nEvaluation: We test y.\n",
        "- **Method**: We do x.\n- **Evaluation**: We test y.\n",
        "Method\n\nWe do x.\n\nEvaluation\n\nWe test y.\n",
        '"Method": "We do x.", "Evaluation": "We test y."',
    ],
)
def test_every_kind_of_heading(text: str) -> None:
    found = [(label.capitalize(), body) for label, body in shape(text)]
    assert found == [("Method", "We do x."), ("Evaluation", "We test y.")]


def test_levels_give_paths() -> None:
    text = "# A title\n\n## 2. Method\n\n### 2.1 Overview of it\n\nx\n\n## 3. Risks\n\ny\n"
    found = {s.label: s.path for s in split_sections(text)}
    assert found["Overview of it"] == ("A title", "Method")
    assert found["Risks"] == ("A title",)


def test_numbered_items_are_no_headings() -> None:
    text = "Method:\n1. Original prompt\n2. Current answer with spans\n3. Passages\n"
    assert [label for label, _ in shape(text)] == ["Method"]


def test_a_list_label_ends_with_its_item() -> None:
    text = "## Validation\n\n- **Metrics**: accuracy\n- **Studies**: six weeks with people\n"
    assert shape(text)[-2:] == [
        ("Metrics", "accuracy"),
        ("Validation", "- **Studies**: six weeks with people"),
    ]


def test_a_label_alone_ends_with_its_list() -> None:
    text = "Baselines:\n- one\n- two\n\nNow something else is told at length.\n"
    found = shape(text)
    assert found[0] == ("Baselines", "- one - two")
    assert found[1][1].startswith("Now something else")


def test_code_and_maths_hold_no_headings() -> None:
    text = "# Method\n\n```\n# not a heading\nx\n===\n```\n\n$$\na\n=\nb\n$$\n\nend\n"
    assert [label for label, _ in shape(text)] == ["Method"]


def test_steps_stand_under_their_plan() -> None:
    text = (
        "3. Hypotheses: It works.\n\n4. Step-by-Step Experiment Plan:\nStep 1: Make"
        " the data.\n\nWe make it.\n\n"
        "Step 2: Test it\n\nDatasets: TriviaQA.\n\n5. Results to Report:\nAccuracy.\n"
    )
    found = {s.label: s.path for s in split_sections(text)}
    assert found["Step 1: Make the data."] == ("Step-by-Step Experiment Plan",)
    assert found["Results to Report"] == ()


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("research_idea_long_description", "mixed"),
        ("research_idea_hypothesis", "thesis"),
        ("3. Problem statement.", "problem"),
        ("Key Risks and Mitigations", "risks"),
        ("Step 4: Establish Baselines", "baselines"),
        ("**3.5. Experimental Design and Evaluation:**", "evaluation"),
        ("What this project adds", "novelty"),
        ("How we'd know", "evaluation"),
        ("Fallback Plan", "fallback"),
        ("Forschungsfrage", "question"),
        ("研究方法", "method"),
        ("Decision rule, to be fixed before running", "decision_rule"),
        ("Team Member LinkedIn Profiles", "admin"),
    ],
)
def test_labels_have_roles(label: str, role: str) -> None:
    assert roles_of(label, loose=True)[0] == role


@pytest.mark.parametrize(
    "label", ["Note", "The model", "Step 2: Solve the initial problem", "", "Input"]
)
def test_other_labels_have_none(label: str) -> None:
    assert roles_of(label, loose=True) == ()


def test_labels_for_two_things_have_two_roles() -> None:
    assert roles_of("Motivation & Hypothesis") == ("motivation", "thesis")
    assert roles_of("Expected Results and Hypotheses") == ("outcome", "thesis")


def test_labels_lose_numbers_and_marks() -> None:
    assert clean_label("**2.1. Overview:**") == "Overview"
    assert clean_label("1. Title ") == "Title"
    assert clean_label("## `code` name") == "code name"
