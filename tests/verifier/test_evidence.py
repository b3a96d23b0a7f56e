"""fabricated_evidence: quotes, records, support, prose."""

from __future__ import annotations

from typing import Any

import pytest

QUOTE = "It fails when a claim rests on facts from several sentences."
CLAIM = "Entailment fails where a claim rests on facts of several sentences"


def _audit(world: Any, kit: Any, text: str) -> Any:
    """The verdict on a draft that fills the audit's skeleton with `text`."""
    maker = world.maker
    if not maker.files:
        maker.write("claim_audit.md", kit.SKELETON, "audit")
    edit = maker.call(
        "Edit",
        file_path=f"{kit.HOME}/claim_audit.md",
        old_string=kit.SKELETON.split("\n\n", 1)[1],
        new_string=text,
    )
    return world.judge(maker.draft("The first claim can be filled in.", edit), "audit")


def test_true_claims_pass(world: Any, kit: Any) -> None:
    text = (
        kit.claim(1, kit.KEPT, CLAIM, QUOTE)
        + kit.claim(
            2,
            kit.OURS,
            "Graphs of entities carry summaries of long reports",
            "builds graphs over the entities of long reports",
        )
        + kit.claim(
            3,
            kit.KEPT,
            "Accuracy drops by 12.5 points on long documents",
            "Accuracy drops by 12.5 points on long documents.",
        )
        + kit.claim(
            4,
            kit.ASKED,
            "Questions are answered from the document",
            "Questions made from a summary are answered from the document.",
            support="snippet",
        )
    )
    verdict = _audit(world, kit, text)
    assert verdict.ok, verdict.findings


def test_white_space_of_a_quote_is_free(world: Any, kit: Any) -> None:
    assert _audit(world, kit, kit.claim(1, kit.KEPT, CLAIM, QUOTE.replace(" ", "  "))).ok


@pytest.mark.parametrize(
    ("quote", "other"),
    [
        (QUOTE.replace("fails", "works"), {}),
        ("It fails when claims rest on facts from several sentences.", {}),
        ("Questions made from a summary are answered from the document.", {}),
        (QUOTE, {"year": "2020"}),
        (QUOTE, {"author": "Brandt"}),
        (QUOTE, {"author": "Adeyemi"}),
        (QUOTE, {"title": "Entailment Signals for Dialogue Checking"}),
        (QUOTE, {"support": "full text"}),
        (QUOTE, {"support": "summary"}),
        (QUOTE, {"url": "https://aclanthology.org/2020.findings-sample.12/"}),
        (QUOTE, {"implication": "Up to 38.2% of errors stay unseen."}),
    ],
)
def test_bent_claims_are_found(world: Any, kit: Any, quote: str, other: dict[str, str]) -> None:
    verdict = _audit(world, kit, kit.claim(1, kit.KEPT, CLAIM, quote, **other))
    assert verdict.code == "fabricated_evidence"
    assert verdict.pointer.part == "file"
    assert verdict.pointer.section == "C1"


def test_snippet_is_no_abstract(world: Any, kit: Any) -> None:
    quote = "Questions made from a summary are answered from the document."
    text = kit.claim(1, kit.ASKED, "Questions are answered from the document", quote)
    assert _audit(world, kit, text).code == "fabricated_evidence"


def test_quote_from_a_summary_page(world: Any, kit: Any) -> None:
    quote = "builds graphs over the entities of long reports"
    text = kit.claim(1, kit.OURS, "Graphs over entities of long reports", quote, kind="quote")
    assert _audit(world, kit, text).code == "fabricated_evidence"


def test_reversed_comparison_and_negation(world: Any, kit: Any) -> None:
    quote = "Accuracy drops by 12.5 points on long documents."
    text = kit.claim(1, kit.KEPT, "Accuracy never drops by 12.5 points on long documents", quote)
    assert _audit(world, kit, text).code == "fabricated_evidence"


def test_points_are_no_percent(world: Any, kit: Any) -> None:
    quote = "Accuracy drops by 12.5 points on long documents."
    text = kit.claim(1, kit.KEPT, "Accuracy drops by 12.5% on long documents", quote)
    assert _audit(world, kit, text).code == "fabricated_evidence"


def test_claim_without_source(world: Any, kit: Any) -> None:
    bare = "## C1. Entailment fails\n- support: abstract\n- status: supported\n"
    assert _audit(world, kit, bare).code == "fabricated_evidence"
    assert _audit(world, kit, "## C1. Entailment may fail\n- status: open\n- limitation: x\n").ok


def test_nearest_true_passage_is_told_to_the_log_only(world: Any, kit: Any) -> None:
    verdict = _audit(world, kit, kit.claim(1, kit.KEPT, CLAIM, QUOTE.replace("fails", "works")))
    assert QUOTE in verdict.findings[0].detail


@pytest.mark.parametrize(
    "said",
    [
        'They write that "it fails when a claim rests on rumours from several people".',
        "Keller et al. (2020) measure this.",
        "Nguyen et al. (2019) measure this.",
        "This was shown before (Smith and Jones, 2018).",
        "Keller et al. (2019) reach 74.1% balanced accuracy.",
        "Accuracy falls by 12.5% (Keller et al., 2019).",
        "As [C9] says, this is open.",
        "Keller et al. (2019) see a change of -71.4%.",
    ],
)
def test_fabricated_prose(world: Any, said: str) -> None:
    assert world.say(said).code == "fabricated_evidence"


@pytest.mark.parametrize(
    "said",
    [
        'They write that "it fails when a claim rests on facts from several sentences".',
        'They write: "Sentence-level entailment ... on news articles."',
        "Keller et al. (2019) reach 71.4% balanced accuracy.",
        "Keller and Brandt (2019) reach 71.4 percent.",
        "The drop is 12.5 points (Keller et al., 2019).",
        "Adeyemi et al. (2020) ask questions.",
        'The search for "checking summaries with entailment" gave three results.',
        'A "gap" remains between "both sides" of this.',
        "Perhaps 20% of the budget goes to reading.",
    ],
)
def test_true_prose(world: Any, said: str) -> None:
    verdict = world.say(said)
    assert verdict.ok, verdict.findings


def test_cited_claim_carries_its_numbers(world: Any, kit: Any) -> None:
    world.maker.write("claim_audit.md", kit.SKELETON, "audit")
    maker = world.maker
    edit = maker.call(
        "Edit",
        file_path=f"{kit.HOME}/claim_audit.md",
        old_string=kit.SKELETON.split("\n\n", 1)[1],
        new_string=kit.claim(1, kit.KEPT, CLAIM, QUOTE),
    )
    maker.add("Fill it.", (edit, "Edited."), stage="audit")
    assert world.say("The 71.4% of [C1] are for news.", "audit").ok
    assert world.say("The 17.4% of [C1] are for news.", "audit").code == "fabricated_evidence"
