"""Names of the state's channels and the side of the wall each stands on (design, section 3).

Types and reducers are in `ideatrail.state`; role cards are checked against these names.
"""

from __future__ import annotations

from typing import Final

PUBLIC: Final[frozenset[str]] = frozenset(
    {
        "direction",  # the user's message
        "trail",  # turns so far, as the record will carry them
        "artifacts",  # text of the four files by name
        "stage",  # stage of the turn being made
        "turn",  # number of the turn being made, from 1
        "budget",  # turns until the idea must stand
        "cutoff",  # the information horizon, as given
        "portrait",  # optional research prior
        "verdict",  # code and pointer on the last draft, or None
        "attempt",  # drafts of this turn that were not taken
        "draft",  # the assistant message under judgement
    }
)

ADVISOR: Final[frozenset[str]] = frozenset(
    {
        "proposal",  # text of the proposal
        "paper",  # the paper behind it, where given
        "seed",
        "oracle",
        "anchors",
        "milestones",
        "judgements",  # reviews and convergence decisions so far
        "ledger",  # bits told by oracle-dependent verdicts
        "tally",  # retries, rewinds and repairs spent
        "idea_end",  # the trail as it stood at its idea endpoint, while a proposal is tried
        "outcome",  # accepted or rejected, with reasons
        "metrics",  # what grade measured
    }
)

CHANNELS: Final[frozenset[str]] = PUBLIC | ADVISOR
