"""Verdicts: all that the verifier may say to the Generator is a code and a pointer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

Code = Literal[
    "oracle_leakage",
    "causal_order",
    "target_drift",
    "title_pre_knowledge",
    "fabricated_evidence",
    "fake_url",
    "premature_artifact",
    "anachronism",
    "pipeline_language",
    "malformed_call",
    "repetition",
]
CODES: Final[tuple[Code, ...]] = get_args(Code)

ORACLE_CODES: Final[frozenset[Code]] = frozenset({"oracle_leakage", "causal_order", "target_drift"})
"""Codes that depend on the oracle: they point to a part only and go on the leak ledger."""

PART_ONLY: Final[frozenset[Code]] = ORACLE_CODES | {"anachronism", "title_pre_knowledge"}
"""Codes that name a part and nothing finer. A title is checked against the whole index, later
papers included, so where exactly it stood is kept back as it is for an anachronism."""

Part = Literal["reasoning", "call", "file"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)


@dataclass(frozen=True)
class Pointer:
    """A place in the Generator's own draft."""

    part: Part
    call: int | None = None
    """Index of the call in the draft, from 0."""
    section: str | None = None
    """A heading or id that stands in the Generator's own text, such as `C3`."""


@dataclass(frozen=True)
class Layer:
    """One rung of a check: whether it ran, and whether it hit."""

    name: str
    ran: bool
    hit: bool = False
    why: str = ""
    """Where it did not run: why not."""


@dataclass(frozen=True)
class Finding:
    """What a check found, for the Advisor's log. `detail` never crosses the wall."""

    code: Code
    pointer: Pointer
    layer: str
    detail: str = ""


@dataclass(frozen=True)
class Verdict:
    """Pass, or the first finding by the order of CODES; code and pointer alone cross the wall."""

    ok: bool
    code: Code | None = None
    pointer: Pointer | None = None
    layers: tuple[Layer, ...] = ()
    findings: tuple[Finding, ...] = ()

    charged: bool = False
    """True where a check that knows the oracle found it: it goes on the leak ledger."""


def public(finding: Finding, *, charged: bool = False) -> tuple[Code, Pointer]:
    """The part of a finding that may cross the wall; of a charged one, only where it lies."""
    if charged or finding.code in PART_ONLY:
        return finding.code, Pointer(part=finding.pointer.part)
    return finding.code, finding.pointer
