"""What the web answered, and how much of it one is ready to take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Response:
    """An answer, whole and unpacked."""

    url: str
    """The address that answered, after redirects, without secrets."""
    status: int
    headers: tuple[tuple[str, str], ...]
    """As the server sent them, in order, but for cookies and what told of packing and framing."""
    body: bytes
    """Unpacked."""
    redirects: tuple[str, ...] = ()
    """The addresses that led here, the first asked for first; empty where none did."""

    def header(self, name: str) -> str | None:
        """The first value under `name`, of any case."""
        sought = name.lower()
        return next((value for key, value in self.headers if key.lower() == sought), None)


@dataclass(frozen=True, slots=True)
class Caps:
    """Bounds of one `get`, all its hops and attempts together."""

    max_bytes: int = 32 * 2**20
    """Of the unpacked body."""
    max_seconds: float = 30.0
    """Spent on the network; waiting for one's turn or as a server asks is not counted."""
    max_redirects: int = 5

    def __post_init__(self) -> None:
        if self.max_bytes < 0 or self.max_seconds <= 0 or self.max_redirects < 0:
            raise ValueError(f"bounds below zero: {self}")


DEFAULT: Final = Caps()
