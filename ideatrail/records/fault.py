"""What can be wrong with one line of a record file, or with a record about to be written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

LineFaultKind = Literal["torn", "not_utf8", "not_json", "not_object"]


@dataclass(frozen=True)
class LineFault:
    """A line that is no record."""

    path: Path
    line: int
    """From 1, counted in the unpacked file."""
    kind: LineFaultKind
    """`torn`: the file, or its packing, ends in the middle of this line."""
    why: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}: {self.why}"


class LineError(ValueError):
    """Raised for the first line that is no record, where the caller does not collect faults."""

    def __init__(self, fault: LineFault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class RecordError(ValueError):
    """A trail cannot be a record, or a record cannot be written: one clear line."""
