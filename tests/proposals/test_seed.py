"""Seeds hold what stands in the proposal, in the right field, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ideatrail.proposals.seed import make_seed
from ideatrail.proposals.source import read_proposal
from ideatrail.trail.oracle import Seed
from ideatrail.trail.text import sentences, squeeze

PAPER_KEYS = {
    "proposal_id", "research_question", "thesis", "method", "evaluation", "baselines", "risks",
    "novelty_claim", "parse_quality",
}  # fmt: skip


def seed_of(folder: Path, text: str, name: str = "p.md") -> Seed:
    path = folder / name
    path.write_text(text)
    return make_seed(read_proposal(path), "p-1")


FULL = """# StepBack: a Study of Abstraction

Date: 2024-02-03

## Problem Statement

Language models still fail at problems with many details.

## Motivation & Hypothesis

Existing prompts ignore shared abstractions. We hypothesize that naming a principle first helps.

## Proposed Method

We call this method **StepBack**. It asks for the principle, then answers.

## Experiment Plan

### Step 1: Gather Datasets

We use MMLU and TimeQA.

### Step 2: Baselines

1. **Direct prompting**: only the question.
2. Chain-of-thought

### Step 3: Metrics

Accuracy, and exact match.

## Success criteria

The claim holds if accuracy rises by at least 2 points.

## What is new

Unlike earlier work, nothing is retrieved.

## Fallback Plan

If the prompts do not help, we analyse the principles.

## Team

A. Writer, who studies models.
"""


def test_every_field_from_its_label(tmp_path: Path) -> None:
    seed = seed_of(tmp_path, FULL)
    assert seed.proposal_id == "p-1"
    assert seed.research_question == "Language models still fail at problems with many details."
    assert seed.thesis == "We hypothesize that naming a principle first helps."
    assert seed.method == "We call this method StepBack. It asks for the principle, then answers."
    assert "We use MMLU and TimeQA." in seed.evaluation
    assert seed.baselines == ["Direct prompting", "Chain-of-thought"]
    assert seed.risks == ["If the prompts do not help, we analyse the principles."]
    assert seed.novelty_claim == "Unlike earlier work, nothing is retrieved."
    assert seed.parse_quality == "high"
    extra = seed.extra
    assert extra["decision_rule"] == "The claim holds if accuracy rises by at least 2 points."
    assert extra["title"] == "StepBack: a Study of Abstraction"
    assert extra["coined_names"][0] == "StepBack"
    assert extra["date"] == "2024-02-03"
    assert {"MMLU", "TimeQA"} <= set(extra["dataset_names"])
    assert extra["metrics"] == ["Accuracy, and exact match."]
    assert len(extra["implementation"]) == 3
    assert "Existing prompts ignore shared abstractions." in extra["motivation"]
    assert "Writer" not in json.dumps(seed.model_dump())


def test_the_file_has_the_papers_nine_keys_and_extra(tmp_path: Path) -> None:
    seed = seed_of(tmp_path, FULL)
    written = seed.model_dump(mode="json", by_alias=True)
    assert set(written) == PAPER_KEYS | {"_extra"}
    assert Seed.model_validate(json.loads(json.dumps(written))) == seed


def test_absent_fields_stay_empty(tmp_path: Path) -> None:
    seed = seed_of(
        tmp_path, "# A study\n\n## Research question\n\nDoes a model know what data it saw?\n"
    )
    assert seed.research_question == "Does a model know what data it saw?"
    assert (seed.thesis, seed.method, seed.evaluation, seed.novelty_claim) == ("", "", "", "")
    assert seed.baselines == seed.risks == []
    assert seed.parse_quality == "low"


def test_the_question_leaves_the_method_out(tmp_path: Path) -> None:
    text = (
        "1. Title: Echo Prompting for Models\n\n2. Problem Statement: Models need labelled "
        "examples. To address this, we propose to let them write their own. We call this method "
        "echo prompting. The success metric is equal accuracy without labels.\n\n"
        "3. Experiment Plan\nWe compare on data.\n"
    )
    seed = seed_of(tmp_path, text, "p.txt")
    assert seed.research_question == "Models need labelled examples."
    assert "We call this method echo prompting." in seed.method
    assert "success metric" in seed.extra["decision_rule"]
    assert "echo prompting" in seed.extra["coined_names"]


def test_prose_without_headings_is_read_by_its_wording(tmp_path: Path) -> None:
    text = (
        "Notes on forgetting in models\n\n"
        "Fine-tuned models lose skills. Nobody has measured which data they lose first. "
        "Can the order of loss be predicted from the training data alone?\n\n"
        "We propose to track a fixed probe set. Each probe is scored once per epoch. "
        "We expect that rare skills go first.\n\n"
        "We will compare the predicted and the observed order by rank correlation. "
        "The main risk is that probes leak into training.\n"
    )
    seed = seed_of(tmp_path, text, "notes.txt")
    assert (
        seed.research_question == "Can the order of loss be predicted from the training data alone?"
    )
    assert seed.method.startswith("We propose to track a fixed probe set. Each probe is scored")
    assert seed.thesis == "We expect that rare skills go first."
    assert "rank correlation" in seed.evaluation
    assert seed.risks == ["The main risk is that probes leak into training."]
    assert seed.novelty_claim == "Nobody has measured which data they lose first."
    assert seed.parse_quality == "medium"


def test_idea_fields_are_labels(tmp_path: Path) -> None:
    idea = {
        "research_idea_name": "probe-transfer",
        "research_idea_long_description": "Investigate whether probes transfer between models.",
        "research_idea_hypothesis": "Probes transfer within a family.",
        "research_idea_metric": "Primary: AUROC.",
        "research_idea_baselines": "1. Random probe, 2. No transfer",
        "research_idea_design_prompt": "Train a probe on one model. Apply it to another.",
        "scores": {"score": 9},
    }
    path = tmp_path / "i.json"
    path.write_text(json.dumps([idea, idea]))
    seed = make_seed(read_proposal(f"{path}#2"), "x")
    assert seed.research_question == "Investigate whether probes transfer between models."
    assert seed.thesis == "Probes transfer within a family."
    assert seed.method == "Train a probe on one model. Apply it to another."
    assert seed.baselines == ["Random probe", "No transfer"]
    assert "Primary: AUROC." in seed.evaluation


def test_tables_give_baselines_and_risks(tmp_path: Path) -> None:
    text = (
        "# A study of probes\n\n## Baselines\n\n| Baseline | Cost |\n|---|---|\n|"
        " Self-consistency | 8 |\n"
        "| **Our method** | 1 |\n| Perplexity | 1 |\n\n## Risks\n\n| Risk |"
        " Mitigation |\n|---|---|\n"
        "| Parser too weak | use data |\n\n## Method\n\nWe evaluate a probe.\n"
    )
    seed = seed_of(tmp_path, text)
    assert seed.baselines == ["Self-consistency", "Perplexity"]
    assert seed.risks == ["Parser too weak"]


def test_german_labels(tmp_path: Path) -> None:
    text = (
        "Fragestellung\n\nKönnen Sprachmodelle ihre eigenen Fehler erkennen?\n\nMethode\n\n"
        "Wir schlagen vor, die Antworten mit Daten zu vergleichen.\n\nAuswertung\n\n"
        "Wir messen die Genauigkeit auf drei Datensätzen.\n"
    )
    seed = seed_of(tmp_path, text, "p.txt")
    assert seed.research_question == "Können Sprachmodelle ihre eigenen Fehler erkennen?"
    assert seed.method.startswith("Wir schlagen vor")
    assert seed.evaluation.startswith("Wir messen")
    assert seed.parse_quality == "high"


def test_long_fields_are_cut_at_a_block_and_said(tmp_path: Path) -> None:
    body = "\n\n".join(f"We train part {i} of the model on data of kind {i}." for i in range(400))
    seed = seed_of(tmp_path, f"# A study\n\n## Method\n\n{body}\n\n## Evaluation\n\nWe test it.\n")
    assert 7_000 < len(seed.method) <= 8_000
    assert seed.method.endswith(".")
    assert "method cut at 8,000 characters" in seed.extra["notes"]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_hard_wrapped_text_is_joined(tmp_path: Path, ends: str) -> None:
    text = ends.join(
        [
            "Question",
            "",
            "Does a wrapped sentence of a study",
            "stay one sentence?",
            "",
            "Method",
            "",
            "We propose a model",
            "and evaluate it.",
        ]
    )
    seed = seed_of(tmp_path, text, "p.txt")
    assert seed.research_question == "Does a wrapped sentence of a study stay one sentence?"
    assert seed.method == "We propose a model and evaluate it."


def test_every_sentence_is_verbatim(tmp_path: Path) -> None:
    path = tmp_path / "p.md"
    path.write_text(FULL)
    proposal = read_proposal(path)
    seed = make_seed(proposal, "x")
    text = squeeze(proposal.text)
    for value in (
        seed.research_question,
        seed.thesis,
        seed.method,
        seed.evaluation,
        seed.novelty_claim,
    ):
        assert all(squeeze(sentence) in text for sentence in sentences(value))


def test_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    assert seed_of(tmp_path, FULL).model_dump_json() == seed_of(tmp_path, FULL).model_dump_json()
