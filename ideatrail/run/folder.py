"""A run's folder on disk (contract, "A run's folder")."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from ideatrail.records.writer import replace

MANIFEST_VERSION: Final = 1


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, and the folders on the way. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, data)


def dump(value: Any) -> bytes:
    """JSON for people and programs: indented, keys as given."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n"


class RunFolder:
    """Paths of one run, its manifest and its lock."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.trajectory = root / "trajectory.jsonl"
        self.workspace = root / "workspace"
        self.observations = root / "observations"
        self.evidence = self.observations / "world"
        """What the evidence world answered; with it the run's evidence is gone through again."""
        self.exchanges = self.observations / "web"
        """Raw answers from the web."""
        self.advisor = root / "advisor"
        self.log = root / "log.jsonl"
        self.manifest = root / "manifest.json"
        self._lock: int | None = None

    def lock(self) -> bool:
        """Take the folder for this process; False where another one has it."""
        handle = os.open(self.root, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return False
        self._lock = handle
        return True

    def unlock(self) -> None:
        """Give the folder back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def read_manifest(self) -> dict[str, Any] | None:
        """The manifest, or None where there is none that can be read."""
        try:
            loaded = orjson.loads(self.manifest.read_bytes())
        except (FileNotFoundError, orjson.JSONDecodeError):
            return None
        return loaded if isinstance(loaded, dict) else None

    def write_manifest(self, values: Mapping[str, Any]) -> None:
        """Write the manifest whole."""
        write_atomic(self.manifest, dump(dict(values)))

    def append_advisor(self, name: str, values: Mapping[str, Any]) -> None:
        """Append one line to a file on the Advisor's side."""
        self.advisor.mkdir(exist_ok=True)
        with (self.advisor / name).open("ab") as file:
            file.write(orjson.dumps(dict(values)) + b"\n")
