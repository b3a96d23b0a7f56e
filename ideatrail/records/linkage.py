"""Pairs calls with their results inside one batch (paper, section 7.5).

Ids are unique in a whole record of ours; in the wild the same id comes back from batch to batch.
A tool message therefore answers the assistant message just before it, and never an older one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ideatrail.records.message import answered_ids, calls_of


@dataclass(frozen=True)
class Link:
    """A call and the tool message that answers it."""

    call: int
    """Index of the call in its assistant message."""
    id: str
    name: str
    """As written; may be empty in the wild."""
    result: int | None
    """Index in `messages` of the tool message, or None where there is none."""


@dataclass(frozen=True)
class Batch:
    """An assistant message with its calls and the tool messages right behind it."""

    message: int
    """Index in `messages` of the assistant message."""
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Linkage:
    """The whole record, batch by batch."""

    batches: tuple[Batch, ...]
    unmatched: tuple[int, ...]
    """Indexes of tool messages that answer no call of the batch before them."""

    @property
    def unanswered(self) -> tuple[tuple[int, int], ...]:
        """(message, call) of each call without a result."""
        return tuple(
            (b.message, link.call) for b in self.batches for link in b.links if link.result is None
        )

    @property
    def id_uses(self) -> Counter[str]:
        """How many calls of the record bear each id."""
        return Counter(link.id for b in self.batches for link in b.links)


def pair(messages: Sequence[Mapping[str, Any]]) -> Linkage:
    """Pair every call of `messages` with its result, batch by batch.

    Calls of one batch that share an id are answered in their order. A tool message without any
    id answers the first open call of its name, or, nameless too, the first open call.
    """
    batches: list[Batch] = []
    unmatched: list[int] = []
    links: list[Link] = []
    start: int | None = None

    def close() -> None:
        nonlocal start
        if start is not None and links:
            batches.append(Batch(start, tuple(links)))
        start = None
        links.clear()

    for index, message in enumerate(messages):
        role = message.get("role")
        if role == "assistant":
            close()
            start = index
            links.extend(
                Link(number, call.id, call.name, None)
                for number, call in enumerate(calls_of(message))
            )
        elif role == "tool":
            number = _answered(message, links)
            if number is None:
                unmatched.append(index)
            else:
                old = links[number]
                links[number] = Link(old.call, old.id, old.name, index)
        else:
            close()
    close()
    return Linkage(tuple(batches), tuple(unmatched))


def _answered(message: Mapping[str, Any], links: Sequence[Link]) -> int | None:
    """Position in `links` of the open call that `message` answers."""
    ids = answered_ids(message)
    name = message.get("name")
    for number, link in enumerate(links):
        if link.result is not None:
            continue
        if ids:
            if link.id in ids:
                return number
        elif not name or link.name == name:
            return number
    return None
