"""What readers tell of lines and files that hold no paper."""

from __future__ import annotations

from dataclasses import dataclass


class SourceError(ValueError):
    """A source cannot be read at all; the text is one line."""


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line, or an entry, that holds no paper."""

    source: str
    line: int
    """From 1: of the line, or of the entry in formats that are not by lines."""
    why: str
