"""What a tool call came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ideatrail.trail.turn import ArtifactChange, Status

REFUSAL: Final = "Error: "
"""How every refusal begins (contract, "The record")."""

OUTPUT_CAP: Final = 20_000
"""Characters of one result: about 5,000 tokens, so that a batch of reads fits any context."""


class RefusedError(Exception):
    """A tool will not do this call. `str()` is the reason in words for the Generator.

    Raised and caught inside this room only: `Toolkit` turns it into an Outcome. The text is made
    from the call and from the workspace's own relative paths; no host path stands in it.
    """

    def __init__(self, reason: str, *, status: Status = "refused") -> None:
        super().__init__(reason)
        self.status: Status = status


@dataclass(frozen=True)
class Outcome:
    """The result of one call, before its text is stored under a hash."""

    call_id: str
    name: str
    content: str
    """The tool message, as the Generator reads it."""
    status: Status = "ok"
    """`refused`: we, or the evidence world, settled that this call gives nothing.
    `error`: the evidence world could not look."""
    date_latest: str | None = None
    """Latest moment (ISO 8601, UTC) that any evidence in `content` can date from."""
    source_file: str | None = None
    """Workspace path of the saved page that this call saved or showed; None for several."""
    observed: bool = False
    """True where `content` is evidence and nothing of the Generator's own."""
    change: ArtifactChange | None = None
    """What a Write or Edit did."""
    saved: tuple[str, str] | None = None
    """Path and whole text of the page that this call saved: kept so that it can be restored."""


def refused(call_id: str, name: str, error: RefusedError) -> Outcome:
    """The outcome of a call that was refused."""
    # A reason may repeat what the call held, lone surrogates (`\ud800` in JSON) among it, and no
    # record can be written with those.
    reason = str(error).encode("utf-8", "replace").decode("utf-8")
    return Outcome(call_id, name, REFUSAL + reason, status=error.status)
