"""What a source of evidence is: the one interface behind which all of them stand.

A source finds records and opens pages. What of them may be seen is not its business alone: it
picks the version that stood on the cutoff, and the world holds every answer against the cutoff and
the withheld set once more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, Protocol

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper

Ending = Literal["rate_limited", "unreachable", "refused", "partial", "nothing_found"]

MESSAGES: Final[dict[Ending, str]] = {
    "rate_limited": "The source asks to wait; try again later.",
    "unreachable": "The source could not be reached; try again later.",
    "refused": "The source does not give this page.",
    "partial": "The source gave only a part of its answer; try again later.",
    "nothing_found": "No page is stored for this address.",
}
"""One fixed public text an ending: what the Generator may read tells of the kind alone. That of
`nothing_found` serves for all addresses that are unknown, later or withheld."""


class EvidenceError(Exception):
    """A source could not give what was asked.

    `ending` says how it ended, `message` is public; `detail` is for logs, and may name hosts,
    statuses and addresses.
    """

    def __init__(self, ending: Ending, message: str | None = None, *, detail: str = "") -> None:
        self.ending: Ending = ending
        self.message = MESSAGES[ending] if message is None else message
        self.detail = detail
        super().__init__(self.message)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave."""

    papers: tuple[Paper, ...]
    """Best first, as the source ranks them."""
    partial: bool = False
    """Whether the source stopped short: a page of results was empty or failed after others came."""


class Source(Protocol):
    """Where evidence comes from. Safe to share by trails of one event loop."""

    @property
    def name(self) -> str:
        """As settings name it: `arxiv`, say."""
        ...

    async def search(self, query: str, limit: int, cutoff: Cutoff) -> Found:
        """Records for a query of any text, at most `limit` of them, as they stood on the cutoff.

        A record of which nothing is known to have stood then is left out. Raises EvidenceError
        where the source could not look.
        """
        ...

    async def open(self, address: str, cutoff: Cutoff) -> Paper | None:
        """The page at a canonical address, which may end in a version (`…v2`), as it stood on the
        cutoff; None where it had none, or where the address is not one of this source's. Raises
        EvidenceError where the source could not look."""
        ...

    async def records(self, text: str) -> tuple[Paper, ...]:
        """All records, of any date, of the work that an id, address, DOI or whole title names.

        Advisor side: it is how the withheld set learns under which ids a target goes elsewhere.
        Raises EvidenceError where the source could not look.
        """
        ...
