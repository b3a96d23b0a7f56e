"""The bench: the seven tools kept in step with the trail, through rewinds and resumes."""

from __future__ import annotations

from collections.abc import Sequence

from ideatrail.evidence.observations import Observations
from ideatrail.nodes.brief import topic_slug
from ideatrail.toolkit.kit import EvidenceWorld, Toolkit
from ideatrail.toolkit.outcome import Outcome
from ideatrail.toolkit.workspace import Workspace
from ideatrail.trail.turn import Call, Trail, Turn


class Bench:
    """Tools over one trail's workspace. The topic's folder is named by the trail's brief."""

    def __init__(
        self, world: EvidenceWorld, workspace: Workspace, observations: Observations
    ) -> None:
        self._world = world
        self._workspace = workspace
        self._observations = observations
        self._toolkit: Toolkit | None = None
        self._turns: tuple[Turn, ...] = ()
        self._running: Sequence[Call] = ()

    async def run(self, trail: Trail, calls: Sequence[Call]) -> list[Outcome]:
        """Bring the workspace to where `trail` left it, then run one message's calls."""
        toolkit = self.follow(trail)
        self._running = calls
        return await toolkit.run(calls)

    def follow(self, trail: Trail) -> Toolkit:
        """The toolkit as `trail` leaves it; restored from the record where it stands elsewhere."""
        toolkit = self._toolkit
        if toolkit is not None and self._in_step(trail):
            self._turns, self._running = trail.turns, ()
            return toolkit
        if toolkit is None:
            toolkit = Toolkit(self._world, self._workspace, topic_slug(trail))
        saved = {
            result.call_id: (result.source_file, self._observations.get(result.saved_sha256))
            for _, _, result in trail.calls
            if result.saved_sha256 is not None and result.source_file is not None
        }
        toolkit.restore(trail, saved)
        self._toolkit, self._turns, self._running = toolkit, trail.turns, ()
        return toolkit

    def _in_step(self, trail: Trail) -> bool:
        """Whether the workspace is what `trail` left: turns followed, and the batch just run."""
        known = len(self._turns)
        same = len(trail.turns) >= known and all(
            a is b for a, b in zip(self._turns, trail.turns, strict=False)
        )
        added = trail.turns[known:]
        if not same or len(added) > 1:
            return False
        return (
            not added
            or (bool(self._running) and added[0].draft.calls is self._running)
            or (not added[0].draft.calls and not self._running)
        )
