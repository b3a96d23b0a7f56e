"""Which files the Generator knows: a file may be changed only by one who has seen it."""

from __future__ import annotations

import hashlib


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


class Known:
    """Contents that View showed in an earlier message, or that the Generator wrote last.

    Held by content, not by path alone: a file that something else changed is unknown again.
    """

    def __init__(self) -> None:
        self._known: dict[str, bytes] = {}
        self._shown: dict[str, bytes] = {}

    def shown(self, path: str, data: bytes) -> None:
        """View showed `data`, in whole or in part. Counts once the message is over."""
        self._shown[path] = _digest(data)

    def wrote(self, path: str, data: bytes) -> None:
        """The Generator made `data` the content of `path`. Counts at once."""
        self._known[path] = _digest(data)
        # What this message showed of the file is out of date now.
        self._shown.pop(path, None)

    def end_message(self) -> None:
        """The batch is over: what it showed is known from now on."""
        self._known.update(self._shown)
        self._shown.clear()

    def holds(self, path: str, data: bytes) -> bool:
        """True where `data` is the content of `path` that the Generator knows."""
        return self._known.get(path) == _digest(data)
