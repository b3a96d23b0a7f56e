"""The manifest: what a run is, how it ended, what it cost (contract, "A run's folder")."""

from __future__ import annotations

import time
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Final

import orjson

from ideatrail import __version__
from ideatrail.models import tokens
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.secrets import scrub, scrub_known
from ideatrail.run.folder import MANIFEST_VERSION, RunFolder
from ideatrail.run.inputs import Inputs
from ideatrail.state import TABLE

ACCEPTED, REFUSED, REJECTED, BUDGET, OUTSIDE, INTERRUPTED = 0, 2, 3, 4, 5, 130
EXITS: Final[Mapping[str, int]] = {"accepted": ACCEPTED, "rejected": REJECTED}
"""Outcome of a finished run → exit code."""


class Manifest:
    """One run's manifest, written at its start and at its end, however it ends."""

    def __init__(self, inputs: Inputs, folder: RunFolder, usage: UsageLedger) -> None:
        self._folder = folder
        self._usage = usage
        self._started = time.monotonic()
        self.values = _opening(inputs)

    def begin(self) -> None:
        """Write it as of a run that has not ended. Raises OSError."""
        self._folder.write_manifest(self.values)

    def finish(self, ended: Mapping[str, Any]) -> None:
        """Write how the run ended: accepted or rejected. Raises OSError."""
        self.values |= ended
        self.values["exit_code"] = EXITS[ended["outcome"]]
        self._count()
        self._folder.write_manifest(self.values)

    def stop(self, outcome: str, exit_code: int, why: str = "") -> None:
        """Write that the run stopped and can be gone on with.

        A full disk may not even take the manifest; the one from the start then stands.
        """
        self.values |= {"outcome": outcome, "exit_code": exit_code}
        if why:
            self.values["error"] = scrub_known(why)
        self._count()
        try:
            self._folder.write_manifest(self.values)
        except OSError:
            return

    def _count(self) -> None:
        usage = self._usage
        by_role = usage.costs()
        self.values |= {
            "usage": usage.as_dict(),
            "cost": {
                "usd": usage.cost(),
                "roles": by_role,
                "nodes": {
                    name: by_role[row.role] for name, row in TABLE.items() if row.role in by_role
                },
            },
            "timings": {"seconds": round(time.monotonic() - self._started, 3)},
        }


def _opening(inputs: Inputs) -> dict[str, Any]:
    settings = inputs.settings.model_dump(mode="json")
    # Keys come from the environment; one that was put into the options all the same is not kept.
    options = orjson.dumps(settings["endpoints"]).decode()
    settings["endpoints"] = orjson.loads(scrub(options))
    return {
        "format_version": MANIFEST_VERSION,
        "sample_id": inputs.sample_id,
        "outcome": "interrupted",
        "endpoint": None,
        "reasons": [],
        "exit_code": INTERRUPTED,
        "cutoff": inputs.cutoff.day,
        "cutoff_from": inputs.cutoff_from,
        "settings": settings,
        "fingerprint": inputs.fingerprint,
        "corpus": {"hash": inputs.corpus.hash, "papers": len(inputs.corpus.papers)},
        "versions": {
            "ideatrail": __version__,
            **{name: version(name) for name in ("langgraph", "pydantic", "tantivy")},
        },
        "models": {slot: model.name for slot, model in inputs.models.items()},
        "counts": {},
        "tokens_exact": tokens.exact(),
        "usage": {},
        "cost": {"usd": None},
        "timings": {},
    }
