"""The folder that a trail's files live in, and which nothing leaves."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from ideatrail.toolkit.outcome import RefusedError
from ideatrail.toolkit.paths import ROOT, hidden, normal

Kind = Literal["file", "folder", "absent"]

WALK_CAP: Final = 20_000
"""Entries that one walk looks at. A trail's workspace holds some dozens."""

_PART: Final = ".part"
"""Name of the file that a write goes to before it takes its place. One is enough: writes run one
by one. A leftover of a killed process is hidden, and the next write to its folder reuses it."""


@dataclass
class Skipped:
    """What a listing or a search passed over, by reason."""

    hidden: int = 0
    links: int = 0
    binary: int = 0
    large: int = 0
    unseen: bool = False
    """True where WALK_CAP ended the walk."""

    def sentence(self) -> str:
        """`Skipped: 2 hidden entries, 1 binary file.`, or nothing."""
        counts = (
            (self.hidden, "hidden entry", "hidden entries"),
            (self.links, "symbolic link", "symbolic links"),
            (self.binary, "binary file", "binary files"),
            (self.large, "file that is too large", "files that are too large"),
        )
        told = [f"{n} {one if n == 1 else many}" for n, one, many in counts if n]
        if self.unseen:
            told.append(f"all beyond the first {WALK_CAP:,} entries")
        return f"Skipped: {', '.join(told)}." if told else ""


@dataclass(frozen=True)
class Workspace:
    """Files under one root. Every method takes paths as calls give them.

    Symbolic links are refused wherever they stand in a path, at each use anew: a link made after
    an earlier check is found by the next one. What the operating system refuses (OSError: disk
    full, no permission) is raised as it is; RefusedError is for what a call may not do.
    """

    root: Path

    def __post_init__(self) -> None:
        # Links *above* the root are the user's own affair (a temporary folder often lies behind
        # one); from the root downwards there are none.
        object.__setattr__(self, "root", self.root.parent.resolve() / self.root.name)

    def _place(self, path: str) -> Path:
        """The host path of a normal path, with no link on the way. Raises RefusedError."""
        place = self.root
        parts = [] if path == ROOT else path.split("/")
        for number, name in enumerate(["", *parts]):
            place = place / name
            try:
                mode = place.lstat().st_mode
            except FileNotFoundError:
                return self.root.joinpath(*parts)
            if stat.S_ISLNK(mode):
                raise RefusedError(f"{path} passes through a symbolic link.")
            if number < len(parts) and not stat.S_ISDIR(mode):
                raise RefusedError(f"{'/'.join(parts[:number])} is a file, not a folder.")
        return place

    def kind(self, path: str) -> Kind:
        """What stands at `path`. Raises RefusedError for links, devices and bad paths."""
        path = normal(path)
        try:
            mode = self._place(path).lstat().st_mode
        except FileNotFoundError:
            return "absent"
        if stat.S_ISDIR(mode):
            return "folder"
        if stat.S_ISREG(mode):
            return "file"
        raise RefusedError(f"{path} is neither a file nor a folder.")

    def size(self, path: str) -> int:
        """Size of the file at `path`, in bytes."""
        return self._place(normal(path)).lstat().st_size

    def read(self, path: str) -> bytes:
        """The bytes of the file at `path`. Raises RefusedError where there is no file."""
        path = normal(path)
        kind = self.kind(path)
        if kind != "file":
            what = "is a folder" if kind == "folder" else "does not exist"
            raise RefusedError(f"{path} {what}.")
        # O_NOFOLLOW closes the moment between the check and the opening, where there is one.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(self._place(path), flags), "rb") as file:
            return file.read()

    def write(self, path: str, data: bytes) -> None:
        """Puts `data` at `path`, whole or not at all, and makes the folders on the way.

        Raises RefusedError for a path that no file can stand at, and OSError where the disk does
        not take it; the old file is then still there, and nothing half-written is.
        """
        path = normal(path)
        if self.kind(path) == "folder":
            raise RefusedError(f"{path} is a folder.")
        place = self._place(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.parent / _PART
        try:
            # Not forced to the platter: the run's log restores a workspace after a crash.
            part.unlink(missing_ok=True)
            with part.open("xb") as file:
                file.write(data)
            part.replace(place)
        finally:
            # What went wrong is told by its own exception, not by that of tidying up.
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def make_folder(self, path: str) -> None:
        """Makes the folder at `path` and those above it. Raises RefusedError or OSError."""
        path = normal(path)
        if self.kind(path) == "file":
            raise RefusedError(f"{path} is a file, not a folder.")
        self._place(path).mkdir(parents=True, exist_ok=True)

    def clear(self, path: str) -> None:
        """Removes the folder at `path` with all it holds; links in it go, what they name stays."""
        path = normal(path)
        if self.kind(path) == "folder":
            shutil.rmtree(self._place(path))

    def walk(self, path: str, skipped: Skipped) -> Iterator[tuple[str, Kind]]:
        """Everything below the folder at `path`, by name, a folder before what it holds.

        Hidden entries, links and special files are left out and counted in `skipped`. Yields
        normal paths relative to the workspace's root. Raises RefusedError for a bad `path`.
        """
        path = normal(path)
        budget = [WALK_CAP]
        yield from self._walk(path, skipped, budget)

    def _walk(self, path: str, skipped: Skipped, budget: list[int]) -> Iterator[tuple[str, Kind]]:
        with os.scandir(self._place(path)) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
        for entry in entries:
            budget[0] -= 1
            if budget[0] < 0:
                skipped.unseen = True
                return
            if hidden(entry.name):
                # Our own unfinished write is not worth a word.
                skipped.hidden += entry.name != _PART
                continue
            if entry.is_symlink():
                skipped.links += 1
                continue
            below = entry.name if path == ROOT else f"{path}/{entry.name}"
            try:
                kind = self.kind(below)
            except RefusedError:
                # A device, or a name that no call could give: as good as hidden.
                skipped.hidden += 1
                continue
            if kind == "absent":
                continue
            yield below, kind
            if kind == "folder":
                yield from self._walk(below, skipped, budget)
