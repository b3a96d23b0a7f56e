"""What became of a page: its text, or the error that says how it ended."""

from __future__ import annotations

from collections.abc import Awaitable

from ideatrail.evidence.pages import PageText
from ideatrail.evidence.source import EvidenceError


async def outcome(reading: Awaitable[PageText]) -> PageText | EvidenceError:
    """The page, or the ending; every other exception goes through."""
    try:
        return await reading
    except EvidenceError as error:
        return error


def check_ending(error: EvidenceError) -> None:
    """It is one that a page can have, says why for the log, and names no address to the public."""
    assert error.ending in ("refused", "partial")
    assert error.detail
    assert "x.example" not in str(error)
