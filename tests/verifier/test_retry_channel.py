"""An adversary who knows all candidates learns no more from verdicts than the ledger says."""

from __future__ import annotations

import importlib.util
import math
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def channel() -> ModuleType:
    """The benchmark that measures it."""
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "retry_channel.py"
    spec = importlib.util.spec_from_file_location("retry_channel", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["retry_channel"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.shared
@pytest.mark.parametrize("cap", [4.0, 16.0, 32.0])
@pytest.mark.parametrize("share", [0.5, 0.06])
def test_what_is_learned_is_charged(channel, shared_data, cap, share) -> None:
    source = shared_data / "papers_acl_small.jsonl.gz"
    terms = channel.terms_of([p.title for p in channel.read(source, lambda bad: None)], 48)
    assert len(terms) == 48
    found = channel.attack(terms, cap, "", share)
    assert found.learned <= found.charged
    assert found.charged <= cap + channel.draft_bits(passed=False)
    if cap == 4.0:
        assert found.learned < math.log2(48), "the cap stops it before it knows"
    if cap == 32.0:
        assert found.learned > 3, "else the test would show nothing"
