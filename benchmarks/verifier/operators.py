"""All operators, in the order of the report."""

from __future__ import annotations

from typing import Final

from benchmarks.verifier import (
    anachronism_faults,
    causal_faults,
    drift_faults,
    evidence_faults,
    form_faults,
    innocent_twins,
    language_faults,
    leakage_faults,
    order_faults,
    title_faults,
    url_faults,
)
from benchmarks.verifier.site import Operator

OPERATORS: Final[tuple[Operator, ...]] = (
    *leakage_faults.OPERATORS,
    *causal_faults.OPERATORS,
    *drift_faults.OPERATORS,
    *title_faults.OPERATORS,
    *url_faults.OPERATORS,
    *evidence_faults.OPERATORS,
    *order_faults.OPERATORS,
    *anachronism_faults.OPERATORS,
    *language_faults.OPERATORS,
    *form_faults.OPERATORS,
    *innocent_twins.OPERATORS,
)
