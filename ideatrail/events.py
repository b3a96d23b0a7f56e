"""The event stream of a run: the terminal, the viewer and callers listen to it.

Events are for people watching. They are made on the Advisor's side of the wall and never reach a
Generator-side node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal[
    "started", "resumed", "node", "draft", "verdict", "call", "result", "stage", "usage", "ended"
]


@dataclass(frozen=True)
class Event:
    """Something that happened, with plain values only."""

    kind: Kind
    values: dict[str, Any] = field(default_factory=dict)


Listener = Callable[[Event], None]


class EventStream:
    """Fans events out to listeners, in order, in the thread that emits."""

    def __init__(self, *listeners: Listener) -> None:
        self._listeners = list(listeners)

    def listen(self, listener: Listener) -> None:
        """Add a listener."""
        self._listeners.append(listener)

    def emit(self, kind: Kind, **values: Any) -> None:
        """Tell every listener."""
        event = Event(kind, values)
        for listener in self._listeners:
            listener(event)
