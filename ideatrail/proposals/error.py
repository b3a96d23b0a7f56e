"""The one way in which reading a proposal can fail."""

from __future__ import annotations


class ProposalError(Exception):
    """A proposal was refused. The message is one line: what is wrong, where, what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))
