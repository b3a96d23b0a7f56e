"""What a writing step sees of the desk: the files as they stand, and what they can be made from."""

from __future__ import annotations

from typing import Protocol

from ideatrail.models.offline.claims import Option
from ideatrail.models.offline.ideas import Idea
from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory
from ideatrail.models.offline.synthesis import Evidence
from ideatrail.trail.artifacts import Artifact
from ideatrail.trail.stage import ArtifactName


class Board(Protocol):
    """The desk, as its steps read it."""

    memory: Memory
    lens: Lens

    @property
    def options(self) -> dict[str, Option]:
        """Claims that the pages read can supply, by their text."""
        ...

    @property
    def then_lens(self) -> Lens:
        """The lens as it was when the candidates were first named."""
        ...

    def artifact(self, name: ArtifactName) -> Artifact:
        """An artifact as it stands."""
        ...

    def text(self, name: ArtifactName) -> str:
        """Its text, empty where there is none."""
        ...

    def claims(self) -> list[tuple[str, Option]]:
        """Claims of the audit with the sentences behind them."""
        ...

    def evidence(self) -> Evidence:
        """The audit as later files use it."""
        ...

    def ideas(self) -> list[Idea]:
        """The candidates of the file, or those that would go into it."""
        ...

    def leading(self, ideas: list[Idea]) -> Idea:
        """The most promising candidate."""
        ...

    def selected(self) -> Idea | None:
        """The candidate that the file selects."""
        ...
