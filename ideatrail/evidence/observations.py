"""Observations, stored once by the hash of their content.

For each, `<sha256>.zst` holds the text and `<sha256>.json` what was asked and what dates it has.
The same text can answer several requests. A trail is replayed from here with no network at all.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import orjson
import zstandard
from pydantic import BaseModel, ConfigDict

_LEVEL: Final = 6


class Request(BaseModel):
    """What was asked, and the date evidence of the answer."""

    model_config = ConfigDict(extra="forbid")

    request: dict[str, Any]
    date_latest: str | None = None
    """Latest moment (ISO 8601, UTC) that any evidence in the answer can date from."""


class About(BaseModel):
    """`<sha256>.json`."""

    model_config = ConfigDict(extra="forbid")

    sha256: str
    bytes: int
    """Of the content in UTF-8."""
    requests: list[Request]


def content_hash(content: str) -> str:
    """SHA-256 of the text in UTF-8, in hexadecimal."""
    return hashlib.sha256(content.encode()).hexdigest()


class Observations:
    """A store in a folder, or in memory where it has none. One process writes to a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._content: dict[str, str] = {}
        self._about: dict[str, About] = {}

    def put(self, content: str, request: dict[str, Any], date_latest: str | None = None) -> str:
        """Stores `content` and returns its hash; a second time only a new request is added.

        `request` is plain JSON. Raises OSError where the folder cannot be written.
        """
        sha = content_hash(content)
        asked = Request(request=request, date_latest=date_latest)
        about = self.about(sha)
        if about is None:
            self._write_content(sha, content)
            about = About(sha256=sha, bytes=len(content.encode()), requests=[])
        if asked not in about.requests:
            about = about.model_copy(update={"requests": [*about.requests, asked]})
            self._write_about(about)
        return sha

    def get(self, sha: str) -> str:
        """The content of a hash. Raises KeyError where it is not stored, ValueError where the file
        is not what its name says."""
        if self._folder is None:
            return self._content[sha]
        try:
            packed = self._path(sha, "zst").read_bytes()
        except (FileNotFoundError, ValueError) as fault:
            raise KeyError(sha) from fault
        try:
            raw = zstandard.ZstdDecompressor().decompress(packed)
        except zstandard.ZstdError as fault:
            raise ValueError(f"the stored observation {sha} is broken: {fault}") from fault
        if hashlib.sha256(raw).hexdigest() != sha:
            raise ValueError(f"the stored observation {sha} holds another text")
        return raw.decode()

    def about(self, sha: str) -> About | None:
        """Requests and dates of a hash, or None where it is not stored."""
        if sha in self._about:
            return self._about[sha]
        if self._folder is None:
            return None
        try:
            raw = self._path(sha, "json").read_bytes()
        except (FileNotFoundError, ValueError):
            return None
        return self._about.setdefault(sha, About.model_validate_json(raw))

    def find(self, request: dict[str, Any]) -> str | None:
        """The hash of an answer to `request`: what a replay asks for."""
        for sha in self:
            about = self.about(sha)
            if about and any(r.request == request for r in about.requests):
                return sha
        return None

    def __contains__(self, sha: object) -> bool:
        return isinstance(sha, str) and self.about(sha) is not None

    def __iter__(self) -> Iterator[str]:
        """The hashes stored, in ascending order."""
        if self._folder is None:
            return iter(sorted(self._about))
        return iter(sorted(p.stem for p in self._folder.glob("*.json")))

    def _path(self, sha: str, suffix: str) -> Path:
        if self._folder is None or len(sha) != 64 or set(sha) - set("0123456789abcdef"):
            raise ValueError(f"no hash: {sha[:80]!r}")
        return self._folder / f"{sha}.{suffix}"

    def _write_content(self, sha: str, content: str) -> None:
        if self._folder is None:
            self._content[sha] = content
            return
        packed = zstandard.ZstdCompressor(level=_LEVEL).compress(content.encode())
        _replace(self._path(sha, "zst"), packed)

    def _write_about(self, about: About) -> None:
        if self._folder is not None:
            held = orjson.dumps(about.model_dump(), option=orjson.OPT_SORT_KEYS)
            _replace(self._path(about.sha256, "json"), held + b"\n")
        self._about[about.sha256] = about


def _replace(path: Path, content: bytes) -> None:
    """Writes a file whole or not at all. Not forced to the disk's platter: a killed process loses
    nothing by that, and a lost machine is noticed by the hash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
