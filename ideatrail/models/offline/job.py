"""A writing job: one step on one file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ideatrail.trail.stage import ArtifactName

Step = Literal["skeleton", "fill", "extend", "revise", "finalize"]


@dataclass(frozen=True)
class Job:
    """A step on a file."""

    file: ArtifactName
    step: Step
    after: str
    """The whole file once the step is done."""
    ids: tuple[str, ...] = ()
    """Claims, candidates or sections it touches."""
