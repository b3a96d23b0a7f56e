"""What is derived from segments and kept in folders beside their papers: built where missing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from ideatrail.evidence.postings import arrays, worker
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.postings.opened import Opened

MARK: Final = "complete"
"""Written last: a folder without it is none."""


def build_parts(opened: Opened, name: str, job: str) -> None:
    """Builds the folder `name` in each segment that lacks it, by a job of the worker's, as many at
    once as there are cores. Raises OSError and RuntimeError where that fails."""
    missing = [p for p in opened.parts if not (p.folder / name / MARK).is_file()]
    fresh = [part.folder / f".{name}.{os.getpid()}" for part in missing]
    try:
        jobs = []
        for part, out in zip(missing, fresh, strict=True):
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            given = {"segment": str(part.folder), "papers": part.about.papers, "out": str(out)}
            jobs.append((job, given))
        worker.run(jobs)
        for part, out in zip(missing, fresh, strict=True):
            (out / MARK).touch()
            place = part.folder / name
            shutil.rmtree(place, ignore_errors=True)
            out.rename(place)
    finally:
        for out in fresh:
            shutil.rmtree(out, ignore_errors=True)


def load_part(folder: Path) -> dict[str, Array] | None:
    """The arrays of a folder; None where it is not whole."""
    if not (folder / MARK).is_file():
        return None
    try:
        return arrays.load(folder)
    except (OSError, ValueError):
        return None
