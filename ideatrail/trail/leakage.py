"""The leak ledger: what oracle-dependent verdicts may have told, in bits (Kraft's inequality).

Each check publishes a distribution q over its outcomes that is fixed beforehand and sums to 1. An
outcome costs -log2 q(outcome). By Kraft's inequality at most 2^B histories of verdicts cost B bits
or less, so a trail whose ledger stands at B has learned at most B bits about the oracle from them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from ideatrail.trail.verdict import ORACLE_CODES, PARTS

PASS: Final[float] = 0.98
"""q(pass) of the check of one draft."""

DRAFT_OUTCOMES: Final[int] = len(ORACLE_CODES) * len(PARTS)
"""(code, part) pairs that a draft's oracle-dependent verdict can take, besides the pass."""

DEFAULT_CAP: Final[float] = 32.0


def draft_bits(passed: bool) -> float:
    """Bits told by the oracle-dependent verdict on one draft."""
    return -math.log2(PASS if passed else (1.0 - PASS) / DRAFT_OUTCOMES)


BINARY_BITS: Final[float] = 1.0
"""Bits told by a yes-or-no outcome with q = 1/2: segment review and the convergence decision."""


@dataclass(frozen=True)
class LeakLedger:
    """Bits charged so far against a cap."""

    bits: float = 0.0
    cap: float = DEFAULT_CAP

    def charge(self, bits: float) -> LeakLedger:
        """The ledger with `bits` more on it."""
        return replace(self, bits=self.bits + bits)

    @property
    def spent(self) -> bool:
        """True once the trail has to be rejected."""
        return self.bits > self.cap
