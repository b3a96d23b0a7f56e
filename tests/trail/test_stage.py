"""Stages and the public plan."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ideatrail.nodes.act import next_stage
from ideatrail.trail.stage import STAGES, plan_public, stage_ends

turns = st.integers(10, 400)


@given(turns)
def test_stages_end_in_order(budget):
    ends = [stage_ends(budget)[stage] for stage in STAGES]
    assert ends == sorted(set(ends))
    assert stage_ends(budget)["ideate"] == budget


@given(turns)
def test_the_plan_is_a_pure_function_of_the_budget(budget):
    assert plan_public(budget) == plan_public(budget)
    by_turn = [m.by_turn for m in plan_public(budget)]
    assert by_turn == sorted(set(by_turn))


@given(turns, st.integers(1, 400))
def test_a_stage_never_goes_back_and_propose_never_opens_by_itself(budget, turn):
    for stage in STAGES[:4]:
        after = next_stage(stage, turn, budget, {})
        assert STAGES.index(after) >= STAGES.index(stage)
        assert after != "propose"


def test_shares_of_forty_turns():
    assert stage_ends(40) == {
        "explore": 12,
        "audit": 24,
        "synthesize": 30,
        "ideate": 40,
        "propose": 52,
    }
