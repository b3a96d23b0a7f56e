"""A slice of the verifier's benchmark: every fault over real trails is caught, no twin is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.verifier import clean, report
from benchmarks.verifier.injections import draw, shoot
from benchmarks.verifier.operators import OPERATORS
from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.run.services import argument_fault

pytestmark = [pytest.mark.shared, pytest.mark.slow]

TRAILS, EACH = 6, 6


def test_there_are_enough_operators_of_every_kind() -> None:
    faults = [o for o in OPERATORS if o.code]
    assert len({o.name for o in OPERATORS}) == len(OPERATORS)
    assert len(faults) >= 75
    assert len(OPERATORS) - len(faults) >= 10
    least = {
        "oracle_leakage": 20,
        "title_pre_knowledge": 6,
        "fake_url": 8,
        "fabricated_evidence": 12,
        "target_drift": 5,
        "premature_artifact": 5,
        "causal_order": 5,
        "anachronism": 8,
        "pipeline_language": 4,
        "malformed_call": 4,
    }
    for code, count in least.items():
        assert sum(o.code == code for o in faults) >= count, code


def test_every_fault_is_caught_and_no_twin(shared_data, tmp_path) -> None:
    papers = shared_data / "papers_acl_small.jsonl.gz"
    clean.make(shared_data / "proposals", papers, tmp_path, TRAILS, told=lambda text: None)
    cleans = clean.load_all(tmp_path, TRAILS)
    assert len(cleans) >= TRAILS // 2
    drawn = draw(OPERATORS, cleans, EACH, seed=1)
    lexicon = Lexicon(Corpus.open(tmp_path / "corpus"))
    shots = [s for one in cleans for s in shoot(one, drawn[one.name], lexicon, argument_fault)]
    lines = report.lines_of(OPERATORS, shots)
    assert sum(len(line.shots) for line in lines) > 300
    bad = {
        f"{line.operator.name}: {shot.trail} turn {shot.turn}": shot.told[:300]
        for line in lines
        if not line.operator.subtle
        for shot in line.missed
    }
    assert not bad
