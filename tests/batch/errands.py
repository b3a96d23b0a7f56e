"""A worker for tests: rows are errands that wait, fail, or kill the process they run in."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ideatrail.batch.result import RowResult
from ideatrail.batch.rows import Row


class Errands:
    """Writes down each start and end in a folder."""

    def __init__(self, folder: str, count: int) -> None:
        self.folder = Path(folder)
        self.doing: set[str] = set()

    async def do(self, row: Row) -> tuple[RowResult, bytes | None]:
        self.doing.add(row.name)
        with (self.folder / "starts").open("a") as file:
            file.write(f"{row.name}\n")
        try:
            what, _, rest = row.name.partition(" ")
            if what == "die":
                once = self.folder / f"died {rest}"
                if rest == "always" or not once.exists():
                    once.touch()
                    os.kill(os.getpid(), signal.SIGKILL)
            if what == "pid":
                mark = self.folder / f"pid {os.getpid()}"
                first = not list(self.folder.glob("pid *"))
                mark.touch()
                await asyncio.sleep(60 if first else 0)
            if what == "wait":
                await asyncio.sleep(float(rest))
            ending = "rejected" if what == "no" else "accepted"
            record = None if what == "no" else row.name.encode()
            return RowResult(row.key, row.line, row.name, ending), record
        except asyncio.CancelledError:
            (self.folder / f"left {row.name}").touch()
            raise
        finally:
            self.doing.discard(row.name)

    def look(self) -> Mapping[str, Any]:
        return {"doing": sorted(self.doing)}

    async def aclose(self) -> None:
        (self.folder / f"closed {os.getpid()}").touch()


def make(folder: str, count: int) -> Errands:
    """As the pool names it."""
    return Errands(folder, count)


def broken(folder: str, count: int) -> Errands:
    raise ValueError("no such luck")
