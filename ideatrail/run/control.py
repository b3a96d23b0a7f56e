"""A control trail: what the same Generator does from the same message with no Advisor over it.

No verdict of it depends on the oracle, and it ends where the trail it is compared with ends.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ideatrail.events import EventStream
from ideatrail.evidence.observations import Observations
from ideatrail.graph import build
from ideatrail.models.ledger import UsageLedger
from ideatrail.run.codec import Codec
from ideatrail.run.evidence import open_evidence
from ideatrail.run.folder import RunFolder
from ideatrail.run.inputs import Inputs
from ideatrail.run.log import RunLog, read_log
from ideatrail.run.services import make_services
from ideatrail.run.shared import Shared
from ideatrail.trail.oracle import Oracle
from ideatrail.trail.stage import Endpoint
from ideatrail.trail.turn import Trail, Turn
from ideatrail.trail.verdict import Verdict
from ideatrail.verifier.check import Verifier
from ideatrail.verifier.view import View

_STEPS_LIMIT = 100_000


class BlindVerifier(Verifier):
    """The verifier without the oracle: its public checks alone."""

    def follow(self, trail: Trail, oracle: Oracle | None = None) -> View:
        """As the verifier does, for the oracle is not looked at."""
        return super().follow(trail, None)

    def audit(self, trail: Trail, oracle: Oracle | None = None) -> Iterator[tuple[Turn, Verdict]]:
        """As the verifier does, without the oracle."""
        return super().audit(trail, None)


async def control_trail(
    root: Path, inputs: Inputs, endpoint: Endpoint | None, shared: Shared
) -> Trail:
    """Make the control of the run in `root`. Nothing in `root` is changed.

    Raises what `run_trail` raises of models and files; ValueError for a run that never began.
    """
    state = _before_the_first_turn(RunFolder(root))
    # The judge still decides, but whatever it says the trail goes as far as the other one went.
    gamma = 0.0 if endpoint == "proposal" else 1.0
    settings = inputs.settings.model_copy(update={"gamma": gamma, "delta": 0.0})
    inputs = replace(inputs, settings=settings)
    with tempfile.TemporaryDirectory() as place:
        folder = RunFolder(Path(place))
        for part in (folder.workspace, folder.advisor):
            part.mkdir()
        store = Observations(folder.observations)
        evidence = await open_evidence(inputs, folder, shared)
        log = RunLog(folder.log, Codec(store))
        try:
            services, _ = make_services(
                inputs,
                folder,
                evidence=evidence,
                store=store,
                lexicon=shared.lexicon(inputs.corpus),
                log=log,
                usage=UsageLedger(),
                events=EventStream(),
            )
            blind = BlindVerifier(lexicon=services.lexicon, cutoff=inputs.cutoff)
            graph = build(inputs.roles.cards, entry="generate")
            ended = await graph.ainvoke(
                state,
                context=replace(services, verifier=blind),
                config={"recursion_limit": _STEPS_LIMIT},
            )
        finally:
            log.close()
    trail: Trail = ended["trail"]
    return trail


def _before_the_first_turn(folder: RunFolder) -> dict[str, Any]:
    """The state with which the Generator began."""
    codec = Codec(Observations(folder.observations))
    state: dict[str, Any] = {}
    for event in read_log(folder.log):
        if event["event"] != "step":
            continue
        state.update(codec.decode(event["update"]))
        if event["goto"] == "generate":
            return state
    raise ValueError(f"{folder.root}: the run ended before its first turn")
