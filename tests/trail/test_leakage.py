"""The leak ledger's arithmetic (contract, "The leak ledger")."""

from __future__ import annotations

import math

import pytest

from ideatrail.trail.leakage import BINARY_BITS, DRAFT_OUTCOMES, PASS, LeakLedger, draft_bits


def test_the_published_distribution_sums_to_one():
    fail = 2 ** -draft_bits(passed=False)
    assert math.isclose(PASS + DRAFT_OUTCOMES * fail, 1.0)


def test_forty_passes_cost_little_and_one_retry_costs_much():
    assert 40 * draft_bits(passed=True) == pytest.approx(1.166, abs=0.01)
    assert draft_bits(passed=False) > 8


def test_a_binary_outcome_costs_one_bit():
    assert pytest.approx(-math.log2(0.5)) == BINARY_BITS


def test_the_cap_stops_the_trail():
    ledger = LeakLedger(cap=10.0)
    assert not ledger.charge(10.0).spent
    assert ledger.charge(10.1).spent


def test_kraft():
    """At most 2^B histories of n drafts cost B bits or less."""
    budget, drafts = 20.0, 4
    costs = [draft_bits(passed=True)] + [draft_bits(passed=False)] * DRAFT_OUTCOMES
    totals = [0.0]
    for _ in range(drafts):
        totals = [t + c for t in totals for c in costs if t + c <= budget]
    assert len(totals) <= 2**budget
