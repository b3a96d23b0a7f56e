"""How rare a stem is: document frequencies from the request over a prior for the field."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ideatrail.models.offline.advisor.fieldwords import FIELD_SHARE
from ideatrail.trail.text import stems

_PRIOR_DOCUMENTS: Final = 500
"""Documents that the prior counts for: 200 papers hardly move it, 50,000 do."""
_UNLISTED: Final = 0.002
"""Share assumed for a stem that the prior does not list (it stands in under 0.85%)."""
_RAREST: Final = 1 / 2000
"""Shares below this weigh the same: rarer words are names and slips."""


@dataclass(frozen=True)
class Rarities:
    """Document frequencies of stems and of neighbouring stems (`"two stem"`)."""

    size: int = 0
    """Papers counted."""
    documents: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, value: Any) -> Rarities:
        """Read a table of terms → papers that hold them, flat or as `{"size", "documents"}`.

        Terms are brought to their stems. Where the size is not told it follows from the counts of
        words whose share the prior knows.
        """
        if not isinstance(value, dict):
            return cls()
        nested = value.get("documents")
        table = nested if isinstance(nested, dict) else value
        size = value.get("size", 0) if isinstance(nested, dict) else 0
        counts: dict[str, int] = {}
        for term, count in table.items():
            key = " ".join(stems(str(term)))
            if key and isinstance(count, int | float):
                counts[key] = max(int(count), counts.get(key, 0))
        return cls(int(size) or _implied_size(counts), counts)

    def count(self, term: str) -> int | None:
        """Papers that hold `term`, or None where the request does not say."""
        return self.documents.get(term)

    def share(self, stem: str) -> float:
        """Share of papers that hold `stem`, in 0..1."""
        prior = FIELD_SHARE.get(stem, _UNLISTED)
        count = self.documents.get(stem)
        if count is None or self.size <= 0:
            return prior
        return (count + _PRIOR_DOCUMENTS * prior) / (self.size + _PRIOR_DOCUMENTS)

    def weight(self, stem: str) -> float:
        """0 for a word in every paper, 1 for one in fewer than 1 in 2,000; logarithmic between."""
        share = min(max(self.share(stem), _RAREST), 1.0)
        return math.log(share) / math.log(_RAREST)


def _implied_size(counts: Mapping[str, int]) -> int:
    known = [s for s in counts if s in FIELD_SHARE]
    expected = sum(FIELD_SHARE[s] for s in known)
    return round(sum(counts[s] for s in known) / expected) if expected > 0 else 0
