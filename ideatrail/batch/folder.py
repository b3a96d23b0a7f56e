"""A batch's folder: what it was asked, where it stands, and who is working on it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import orjson

from ideatrail.batch.rows import Row

MANIFEST: Final = "batch.json"
STATUS: Final = "status.json"
REPORT: Final = "report.json"
FORMAT_VERSION: Final = 1


class BatchRefused(ValueError):  # noqa: N818 - it is a refusal, not a failure
    """The batch cannot begin or go on: one clear line, or a few."""


class BatchFolder:
    """Paths, manifest, status and lock of one batch."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.manifest = root / MANIFEST
        self.status = root / STATUS
        self.report = root / REPORT
        self._lock: int | None = None

    def begin(self, rows: Sequence[Row], shaping: Mapping[str, Any]) -> bool:
        """Begin a batch here, or go on with the one that is here; True where it goes on.

        `shaping` is what shapes its jobs, in plain data.

        Raises BatchRefused where another batch is here, or another process works on it.
        """
        asked = {
            "format_version": FORMAT_VERSION,
            "asked": len(rows),
            "shaping": dict(shaping),
            "rows": [row.key for row in rows],
        }
        before = self.read()
        if before is None and self.root.is_dir() and any(self.root.iterdir()):
            raise BatchRefused(f"{self.root} is there and is no batch: give --out another folder")
        self.root.mkdir(parents=True, exist_ok=True)
        self._take()
        if before is not None:
            differences = _differences(before, asked)
            if differences:
                told = "\n  ".join(differences)
                raise BatchRefused(f"{self.root} holds another batch; what differs:\n  {told}")
            return True
        part = self.manifest.with_suffix(".part")
        part.write_bytes(orjson.dumps(asked, option=orjson.OPT_INDENT_2))
        part.replace(self.manifest)
        return False

    def read(self) -> dict[str, Any] | None:
        """The manifest; None where there is none."""
        try:
            loaded = orjson.loads(self.manifest.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except orjson.JSONDecodeError as error:
            raise BatchRefused(f"{self.manifest}: not JSON: {error}") from error
        return loaded if isinstance(loaded, dict) else None

    def tell(self, values: Mapping[str, Any]) -> None:
        """Write where it stands. What a full disk does not take is not told: the writer hears of
        the disk first."""
        part = self.status.with_suffix(".part")
        with suppress(OSError):
            part.write_bytes(orjson.dumps({**values, "pid": os.getpid(), "at": time.time()}))
            part.replace(self.status)

    def told(self) -> dict[str, Any] | None:
        """Where it stood when it was last told; None where it never was."""
        try:
            loaded = orjson.loads(self.status.read_bytes())
        except (OSError, orjson.JSONDecodeError):
            return None
        return loaded if isinstance(loaded, dict) else None

    @property
    def worked_on(self) -> bool:
        """Whether a process has it in hand."""
        try:
            handle = os.open(self.root, os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(handle)
        return False

    def _take(self) -> None:
        handle = os.open(self.root, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(handle)
            raise BatchRefused(f"{self.root}: another process is making this batch") from error
        self._lock = handle

    def close(self) -> None:
        """Give the folder back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What another batch would have, in lines for people."""
    lines = []
    if before.get("format_version") != now["format_version"]:
        lines.append(f"format_version: {before.get('format_version')} there")
    old, new = before.get("shaping", {}), now["shaping"]
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            lines.append(f"{name}: {_brief(old.get(name))} there, {_brief(new.get(name))} now")
    there, here = set(before.get("rows", ())), set(now["rows"])
    if there - here:
        lines.append(f"rows: {len(there - here)} are there and not in the list")
    if here - there:
        lines.append(f"rows: {len(here - there)} are in the list and not there")
    return lines


def _brief(value: Any) -> str:
    text = orjson.dumps(value, default=str).decode()
    return text if len(text) <= 60 else f"{text[:57]}…"
