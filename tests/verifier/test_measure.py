"""Metrics, tiers, grade and segment numbers on a small whole trail and its spoilt twins."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import Any

import pytest

from ideatrail.trail.turn import Trail
from ideatrail.verifier.check import Verifier
from ideatrail.verifier.grade import grade, rubric
from ideatrail.verifier.metrics import measure
from ideatrail.verifier.segment import segment_numbers
from ideatrail.verifier.tiers import label

QUOTES = [
    "Sentence-level entailment reaches 71.4% balanced accuracy on news articles.",
    "It fails when a claim rests on facts from several sentences.",
    "Accuracy drops by 12.5 points on long documents.",
]
ASKED_QUOTES = [
    "Disagreement between both answers predicts human judgements of consistency.",
    "Generated questions miss relations between entities.",
]
SYNTHESIS = """## Problem levels
Single sentences are not enough where facts have to be joined [C2].

## Evidence base
News articles carry most results [C1].

## Mechanism hypotheses
Joining sentences before entailment would mend what single ones miss [C2, C5].

## Contradictions
Entailment fails across sentences [C2], while questions miss relations [C5].

## Boundaries
Long documents are harder [C3].

## Candidate directions
Join facts first [C2].
"""
IDEAS = """## I1. Joining facts before the entailment check
- mechanism: {mechanism}
- rests on: C2, C5
- novelty: Neither source joins evidence before it is checked [C2].
- risk: Joined facts may be wrong.
- decision: {first}

## I2. More questions
- mechanism: Ask twice as many questions about each summary [C4].
- rests on: C4
- novelty: The number of questions was not studied.
- risk: Cost.
- decision: {second}

## I3. Longer windows
- mechanism: Give entailment a window of several sentences at a time [C3].
- rests on: C3
- novelty: Windows were not compared.
- risk: Noise.
- decision: {third}
"""


def _whole(kit: Any) -> Any:
    maker = kit.Maker()
    maker.search("factual consistency of summaries", kit.KEPT, kit.OURS)
    maker.search("entailment for factual consistency", kit.KEPT, kit.ASKED, kit.LATER)
    maker.scrape(kit.KEPT)
    maker.scrape(kit.ASKED)
    maker.add("What is there?", (maker.call("Glob", pattern="**/*.md"), "a.md"))
    path = f"{kit.HOME}/claim_audit.md"
    maker.write("claim_audit.md", kit.SKELETON, "audit")
    first = kit.SKELETON.split("\n\n", 1)[1]

    def edit(old: str, new: str, stage: Any, why: str, at: str = path) -> None:
        call = maker.call("Edit", file_path=at, old_string=old, new_string=new)
        maker.add(why, (call, "Edited."), stage=stage)

    claims = [kit.claim(n, kit.KEPT, q.rstrip("."), q) for n, q in enumerate(QUOTES, 1)]
    claims += [kit.claim(n, kit.ASKED, q.rstrip("."), q) for n, q in enumerate(ASKED_QUOTES, 4)]
    edit(first, "".join(claims[:3]), "audit", "The entailment page gives three findings.")
    edit(claims[2], "".join(claims[2:]), "audit", "Questions belong here, too.")
    edit(
        "News articles only.\n- implication: Evidence has to be joined first.\n\n## C2",
        "x",
        "audit",
        "This edit finds nothing.",
    )
    maker.add("Whole file again.", (maker.call("View", file_path=path), "1\tx"), stage="audit")
    maker.write("synthesis.md", SYNTHESIS.split("\n\n")[0].split("\n")[0] + "\n", "synthesize")
    synthesis = f"{kit.HOME}/synthesis.md"
    edit("## Problem levels\n", SYNTHESIS, "synthesize", "Two levels come apart.", synthesis)
    maker.write(
        "idea_candidates.md", "## I1. Joining facts before the entailment check\n", "ideate"
    )
    ideas = f"{kit.HOME}/idea_candidates.md"
    open_ones = IDEAS.format(
        mechanism="Join the facts of several sentences, then test entailment.",
        first="open",
        second="open",
        third="open",
    )
    edit(
        "## I1. Joining facts before the entailment check\n",
        open_ones,
        "ideate",
        "Three ways to go on.",
        ideas,
    )
    edit(
        "decision: open\n\n## I2",
        "decision: selected\n\n## I2",
        "ideate",
        "The first it is.",
        ideas,
    )
    edit(
        "decision: open\n\n## I3",
        "decision: rejected, because [C4] shows no need\n\n## I3",
        "ideate",
        "More questions cost more.",
        ideas,
    )
    edit(
        "decision: open\n",
        "decision: rejected, because [C3] stays\n",
        "ideate",
        "Nor windows.",
        ideas,
    )
    maker.add("All is said.", stage="ideate", content="The first idea is chosen.")
    return maker


def test_whole_trail_is_grounded_and_natural(kit: Any) -> None:
    trail = _whole(kit).trail
    values = measure(trail)
    assert values["grounding"] == 1.0
    assert values["grounding_rate"] == 1.0
    assert values["traceability_gap_rate"] == 0.0
    assert values["naturalness"] > 0.6
    assert values["causal_order"] == 1.0
    assert values["leakage"] is None
    assert 0.3 < values["artifact_incrementality"] <= 1.0
    assert 0.3 < values["proposal_recoverability"] <= 1.0
    assert measure(trail, oracle=kit.ORACLE)["leakage"] == 0


def test_whole_trail_passes_its_audit(kit: Any) -> None:
    maker = _whole(kit)
    verifier = Verifier(cutoff="2021-06-30")
    faults = [
        (t.index, v.findings)
        for t, v in verifier.audit(maker.trail, None)
        if not v.ok and v.code != "premature_artifact"
    ]
    assert not faults


def test_leak_is_counted(kit: Any) -> None:
    maker = _whole(kit)
    maker.add("KestrelSum would be the place to test.", stage="ideate")
    values = measure(maker.trail, oracle=kit.ORACLE)
    assert values["leakage"] == 1
    assert values["leakage_score"] == pytest.approx(1 / len(maker.trail.turns), abs=1e-3)


def _spoilt(trail: Trail, kit: Any, how: str) -> Trail:
    if how == "shuffled":
        turns = list(trail.turns)
        random.Random(3).shuffle(turns)
        return replace(trail, turns=tuple(replace(t, index=n) for n, t in enumerate(turns, 1)))
    if how == "paired with other sources":

        def swap(text: str) -> str:
            return (
                text.replace(kit.KEPT.url, "@")
                .replace(kit.ASKED.url, kit.KEPT.url)
                .replace("@", kit.ASKED.url)
                .replace(kit.KEPT.title, "@")
                .replace(kit.ASKED.title, kit.KEPT.title)
                .replace("@", kit.ASKED.title)
            )

        turns = [
            replace(
                t,
                changes=tuple(
                    replace(c, before=c.before and swap(c.before), after=swap(c.after))
                    for c in t.changes
                ),
            )
            for t in trail.turns
        ]
        return replace(trail, turns=tuple(turns))
    # writing without reading
    kept = [t for t in trail.turns if t.changes or not t.draft.calls]
    return replace(trail, turns=tuple(replace(t, index=n) for n, t in enumerate(kept, 1)))


@pytest.mark.parametrize("how", ["shuffled", "paired with other sources", "without reading"])
def test_controls_fall_below_the_bounds(kit: Any, how: str) -> None:
    values = measure(_spoilt(_whole(kit).trail, kit, how))
    assert values["grounding"] < 0.8 or values["naturalness"] < 0.5


def test_tiers_have_their_reasons(kit: Any) -> None:
    trail = label(_whole(kit).trail)
    found = {t.tier_reason: t.tier for t in trail.turns}
    assert all(t.tier and t.tier_reason for t in trail.turns)
    assert found["selects I1"] == "high"
    assert any(r.startswith("diagnoses root causes on C2") for r in found)
    assert found["looks through files that hold nothing new"] == "low"
    assert found["drafts or audits claim_audit.md"] == "normal"
    assert any("bear into the audit" in r and tier == "normal" for r, tier in found.items())


def test_formatting_is_low(kit: Any) -> None:
    maker = _whole(kit)
    path = f"{kit.HOME}/synthesis.md"
    call = maker.call(
        "Edit", file_path=path, old_string="harder [C3].", new_string="harder  [C3]. "
    )
    maker.add("Only spaces.", (call, "Edited."), stage="ideate")
    assert label(maker.trail).turns[-1].tier == "low"


def test_grade() -> None:
    best = {
        "grounding": 1.0,
        "causal_order": 1.0,
        "naturalness": 0.9,
        "convergence": 0.7,
        "usefulness": 0.8,
    }
    assert grade(best, accepted=True) == "A"
    assert grade(best, accepted=False) == "None"
    assert grade({**best, "usefulness": 0.5}, accepted=True) == "A"
    assert grade({**best, "usefulness": 0.3}, accepted=True) == "B"
    assert grade({**best, "usefulness": 0.5, "naturalness": 0.85}, accepted=True) == "B"
    assert grade({**best, "grounding": 0.7}, accepted=True) == "None"
    assert rubric({"grounding": 0.9, "convergence": None}) == {"grounding": "B"}


def test_segment_numbers(kit: Any) -> None:
    trail = _whole(kit).trail
    numbers = segment_numbers(trail, trail.turns[:4], kit.ORACLE.atoms)
    assert numbers["on_target"] > 0.3
    assert numbers["drift"] == pytest.approx(1 - numbers["on_target"])
    assert 0 <= numbers["progress"] <= 1
    assert segment_numbers(trail.rewind(2), trail.turns[:2], ())["grounding"] is None


def test_audit_is_fast_and_linear(kit: Any) -> None:
    """A trail of the released length in under 2 s, at a cost that grows with the length."""
    words = random.Random(1)
    vocabulary = [f"{a}{b}" for a in "abcdefghij" for b in ("lamin", "toral", "gnosis", "vent")]

    def text(n: int) -> str:
        return " ".join(words.choice(vocabulary) for _ in range(n)).capitalize() + "."

    def trail(turns: int) -> Trail:
        maker = kit.Maker()
        for n in range(turns):
            paper = kit.Paper(
                text(8), (f"Author {n}",), "V", "2019", f"https://x.org/{n}", text(1200)
            )
            maker.search(text(5), paper, reasoning=text(200))
            maker.scrape(paper, reasoning=text(200))
        return maker.trail

    def cost(turns: int) -> float:
        made = trail(turns)
        verifier = Verifier(cutoff="2021-06-30")
        begin = time.process_time()
        assert sum(1 for _ in verifier.audit(made, kit.ORACLE)) == 2 * turns
        return time.process_time() - begin

    cost(5)
    short, long = cost(15), cost(60)
    assert long < 4.0
    assert long < 4 * 2.5 * max(short, 0.05)
