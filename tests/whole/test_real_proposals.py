"""The fixed eight of the real proposals run to an honest end, and what is accepted is audited.

The auditor (`tests/independent.py`) shares no code with the package.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
SHARED = TESTS.parents[1] / "shared" / "data"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the real inputs are not beside the checkout"),
]


def load(name: str, path: Path):
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def benchmark_module():
    return load("real_proposals", TESTS.parent / "benchmarks" / "real_proposals.py")


@pytest.fixture(scope="module")
def auditor():
    sys.path.insert(0, str(TESTS))
    return load("independent", TESTS / "independent.py")


@pytest.fixture(scope="module")
def rows(benchmark_module, tmp_path_factory):
    out = tmp_path_factory.mktemp("real")
    corpus = out / "corpus"
    benchmark_module.build([SHARED / "papers_acl_small.jsonl.gz"], corpus)
    names = benchmark_module.FIXED_EIGHT
    return out, [
        benchmark_module.run_one(str(SHARED / "proposals" / n), str(corpus), str(out), 0, 40)
        for n in names
    ]


def test_every_run_ends_honestly(rows):
    _, ended = rows
    assert len(ended) == 8
    assert not [r.why for r in ended if r.ending == "exception"]
    assert {r.ending for r in ended} <= {"accepted", "rejected", "refused"}
    assert all(r.reasons for r in ended if r.ending == "rejected")


def test_most_research_proposals_are_accepted(rows):
    _, ended = rows
    research = [r for r in ended if r.research]
    assert sum(r.ending == "accepted" for r in research) >= 0.8 * len(research)


def test_accepted_trails_pass_the_independent_audit(rows, auditor):
    out, ended = rows
    problems = {
        r.idea: [str(p) for p in auditor.audit(out / r.sample_id)]
        for r in ended
        if r.ending == "accepted"
    }
    assert not {idea: found for idea, found in problems.items() if found}


def test_accepted_trails_have_the_shape_of_the_real_release(rows, auditor):
    import orjson

    out, ended = rows
    for row in ended:
        if row.ending != "accepted":
            continue
        line = (out / row.sample_id / "trajectory.jsonl").read_bytes()
        shape = auditor.shape(orjson.loads(line))
        assert 50 <= shape["calls"] <= 190, row.idea
        assert 60 <= shape["messages"] <= 270, row.idea
        assert 2 <= shape["fan_out"] <= 5, row.idea
        assert 23 <= shape["calls_before_write"] <= 102, row.idea
        assert 0.06 <= shape["authoring"] <= 0.16, row.idea
        assert shape["views_repeated"] <= 0.15, row.idea
        assert shape["skeletons"] >= 40, row.idea
        assert shape["skeleton_max"] <= 8, row.idea
        assert shape["sentence_max"] <= 2, row.idea
