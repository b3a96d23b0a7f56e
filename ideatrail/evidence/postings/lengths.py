"""Lengths of texts as one byte, in the steps that Lucene and tantivy use for their BM25.

Up to 40 a length is kept as it is, above with four significant bits, rounded down.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ideatrail.evidence.postings.arrays import Array

_EXACT: Final = 24
"""Codes below stand for themselves; above, three bits of mantissa follow on that many."""


def _length(code: int) -> int:
    if code < _EXACT:
        return code
    mantissa, shift = (code - _EXACT) & 7, (code - _EXACT) >> 3
    return _EXACT + (mantissa if shift == 0 else (mantissa | 8) << (shift - 1))


LENGTHS: Final[Array] = np.array([_length(code) for code in range(256)], dtype=np.int64)
"""Length by code."""


def codes(lengths: Array) -> Array:
    """The codes (uint8) of lengths: of the greatest step that is no longer."""
    return (np.searchsorted(LENGTHS, lengths, "right") - 1).astype(np.uint8)
