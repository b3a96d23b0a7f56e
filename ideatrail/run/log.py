"""The run's log: append-only, one event a line, on disk before the run goes on.

It is the source of resume. A torn last line is work that is owed, and is cut off.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from ideatrail.models.ledger import UsageLedger
from ideatrail.run.codec import Codec

FORMAT_VERSION: Final = 1


class LogError(ValueError):
    """A log cannot be read: one clear line with its path and line."""


class RunLog:
    """Writes one run's log. Implements the nodes' `Steps`."""

    def __init__(self, path: Path, codec: Codec) -> None:
        self.path = path
        self._codec = codec
        self._file = path.open("ab")

    def append(self, event: str, **values: Any) -> None:
        """Append one event; durable when this returns. Raises OSError."""
        self._file.write(orjson.dumps({"event": event, **values}) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def step(
        self, node: str, update: Mapping[str, Any], goto: str, usage: Mapping[str, Any]
    ) -> None:
        """A finished node: what it wrote, where the run goes on, what its role has used so far."""
        self.append("step", node=node, update=self._codec.encode(update), goto=goto, usage=usage)

    def spent(self, usage: Mapping[str, Any]) -> None:
        """What all roles have used by the time a run stops between two steps."""
        self.append("spent", usage=usage)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_log(path: Path) -> Iterator[dict[str, Any]]:
    """Events of a log, in order; a torn last line is left out and cut off the file.

    Raises:
        LogError: a line before the last is no JSON: the file was changed by someone else.
    """
    raw = path.read_bytes()
    whole = raw.rfind(b"\n") + 1
    if whole < len(raw):
        with path.open("r+b") as file:
            file.truncate(whole)
    for number, line in enumerate(raw[:whole].split(b"\n")[:-1], start=1):
        try:
            event: dict[str, Any] = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise LogError(
                f"{path}:{number}: not a log line ({error}); make the trail anew with --force"
            ) from error
        yield event


def replay(path: Path, codec: Codec, usage: UsageLedger) -> tuple[dict[str, Any], str | None]:
    """The state that a log leaves, and the node at which the run goes on (None: at its start).

    `usage` is set to what finished steps had used, and what was paid beyond them.
    """
    state: dict[str, Any] = {}
    entry: str | None = None
    for event in read_log(path):
        if event["event"] == "step":
            state.update(codec.decode(event["update"]))
            usage.restore(event["usage"])
            entry = event["goto"]
        elif event["event"] == "spent":
            usage.restore(event["usage"])
    return state, entry
