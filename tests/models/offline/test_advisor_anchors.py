"""The offline Advisor's anchors, milestones and segment reviews."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from ideatrail.models.offline.advisor import advise
from ideatrail.models.protocol import Request, message
from ideatrail.trail.answers import (
    AnchorsAnswer,
    MilestonesAnswer,
    OracleAnswer,
    SegmentReview,
    StructuredAnswer,
)
from ideatrail.trail.artifacts import PROPOSAL_SECTIONS, SYNTHESIS_SECTIONS, parse
from ideatrail.trail.oracle import Anchor, Milestone, MilestonePublic, Seed
from ideatrail.trail.stage import ARTIFACTS, plan_public
from ideatrail.trail.text import squeeze

SEED = Seed.model_validate(
    {
        "proposal_id": "case",
        "research_question": "What makes summaries state things that their source does not?",
        "thesis": "Unsupported statements hang on the source as a whole.",
        "method": "1. Remove one sentence.\n2. Compare distributions.\n3. Prefer narrow support.",
        "evaluation": "Accuracy of support labels on news summaries.",
        "baselines": ["greedy decoding"],
        "risks": ["Short sources give no contrast."],
        "novelty_claim": "Removal of single sentences has not scored tokens before.",
        "parse_quality": "high",
        "_extra": {
            "title": "Narrow Support",
            "motivation": "Summaries state what the source does not support, however fluent.",
        },
    }
)
PAPERS = [
    {
        "title": "On Unsupported Statements",
        "authors": ["Ada Quill", "Bo Reed"],
        "date": "2021-05",
        "url": "https://example.org/1",
        "kind": "abstract",
        "text": "We find that summaries state things that the source does not support.",
    },
    {
        "title": "Decoding Greedily",
        "authors": ["Cy Vane"],
        "date": "2020",
        "url": "https://example.org/2",
        "kind": "summary",
        "text": "Summary by the project; not the authors' own words.\n"
        "Greedy decoding of summaries drifts from the source after a few sentences.",
    },
]


def ask(schema: type[StructuredAnswer], **sections: Any) -> Any:
    body = "\n".join(
        f"<{name}>\n{orjson.dumps(value).decode()}\n</{name}>" for name, value in sections.items()
    )
    request = Request((message("user", body),), answer_schema=schema.model_json_schema())
    return schema.model_validate_json(advise(request).text)


@pytest.fixture(scope="module")
def oracle() -> OracleAnswer:
    answer = ask(OracleAnswer, seed=SEED.model_dump(by_alias=True), rarities={})
    assert isinstance(answer, OracleAnswer)
    return answer


@pytest.fixture(scope="module")
def anchors(oracle: OracleAnswer) -> dict[str, Anchor]:
    answer = ask(
        AnchorsAnswer,
        seed=SEED.model_dump(by_alias=True),
        oracle=oracle.model_dump(),
        papers=PAPERS,
    )
    return {a.artifact: a for a in answer.anchors}


def test_advisor_anchors_are_the_four_artifacts(anchors: dict[str, Anchor]) -> None:
    assert list(anchors) == list(ARTIFACTS)


def test_advisor_anchor_claims_are_grounded_in_the_papers(anchors: dict[str, Anchor]) -> None:
    text = anchors["claim_audit.md"].markdown()
    parsed = parse("claim_audit.md", text)
    assert parsed.claims
    assert not parsed.faults
    texts = {p["url"]: squeeze(str(p["text"])) for p in PAPERS}
    for claim in parsed.claims:
        for source in claim.sources:
            words = [*source.quotes, *source.notes]
            assert words
            assert all(w in texts[source.url] for w in words)
            assert bool(source.notes) == source.url.endswith("/2"), "notes are for summaries only"
            assert "own words" not in " ".join(words)


def test_advisor_anchor_synthesis_has_the_six_sections(anchors: dict[str, Anchor]) -> None:
    assert tuple(s.heading for s in anchors["synthesis.md"].sections) == SYNTHESIS_SECTIONS


def test_advisor_anchor_idea_parses_as_the_one_selected(anchors: dict[str, Anchor]) -> None:
    parsed = parse("idea_candidates.md", anchors["idea_candidates.md"].markdown())
    assert len(parsed.candidates) == 1
    assert parsed.selected is not None
    assert "Prefer narrow support" in parsed.selected.mechanism


def test_advisor_anchor_proposal_adds_nothing_to_the_seed(anchors: dict[str, Anchor]) -> None:
    sections = anchors["research_proposal.md"].sections
    assert {s.heading for s in sections} <= set(PROPOSAL_SECTIONS)
    whole = squeeze(orjson.dumps(SEED.model_dump(by_alias=True)).decode().replace("\\n", " "))
    for section in sections:
        for line in section.text.splitlines():
            assert squeeze(line.removeprefix("- ")) in whole


def test_advisor_anchor_sections_name_known_atoms(
    anchors: dict[str, Anchor], oracle: OracleAnswer
) -> None:
    known = {a.id for a in oracle.atoms}
    for anchor in anchors.values():
        for section in anchor.sections:
            assert set(section.atoms) <= known
            assert section.atoms or not section.text


def test_advisor_anchors_stand_without_any_paper(oracle: OracleAnswer) -> None:
    answer = ask(
        AnchorsAnswer, seed=SEED.model_dump(by_alias=True), oracle=oracle.model_dump(), papers=[]
    )
    assert answer.anchors[0].sections == []


@pytest.mark.parametrize("turns", [6, 12, 40, 160])
def test_advisor_milestones_keep_the_plan_and_hang_each_atom_once(
    oracle: OracleAnswer, turns: int
) -> None:
    plan = [
        Milestone(
            id=f"M{n}",
            by_turn=p.by_turn,
            public=MilestonePublic(stage=p.stage, file=p.file, state=p.state),
        )
        for n, p in enumerate(plan_public(turns), 1)
    ]
    answer = ask(
        MilestonesAnswer,
        plan=[m.model_dump() for m in plan],
        oracle=oracle.model_dump(),
        anchors=[],
    )
    assert [(m.id, m.by_turn, m.public) for m in answer.milestones] == [
        (m.id, m.by_turn, m.public) for m in plan
    ]
    place = {a: n for n, m in enumerate(answer.milestones) for a in m.atoms}
    assert sorted(place) == sorted(a.id for a in oracle.atoms)
    for atom in oracle.atoms:
        assert all(place[need] <= place[atom.id] for need in atom.needs)


def test_advisor_review_goes_by_the_numbers() -> None:
    good = ask(
        SegmentReview,
        numbers={"grounding": 0.95, "progress": 0.5, "on_target": 0.8},
        atoms=[],
        stretch="",
    )
    assert (good.ok, good.grounded, good.on_target, good.progress) == (True, True, True, 0.5)
    bad = ask(SegmentReview, numbers={"grounding": 0.1, "progress": 0.0}, atoms=[], stretch="")
    assert not bad.ok
    lost = ask(SegmentReview, numbers={"on_target": False}, atoms=[], stretch="")
    assert not lost.ok


def test_advisor_review_finds_progress_in_the_stretch() -> None:
    atoms = [
        {"id": "a-1", "kind": "other", "text": "Quills drift across narrow parchment."},
        {"id": "a-2", "kind": "other", "text": "Inkwells overflow on humid evenings."},
    ]
    review = ask(
        SegmentReview, numbers={}, atoms=atoms, stretch="The quill drifts on a narrow parchment."
    )
    assert review.progress == 0.5
    assert review.ok
