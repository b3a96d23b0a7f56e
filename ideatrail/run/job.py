"""One trail as a job: a fingerprint, a start, a resume."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from ideatrail import __version__
from ideatrail.events import EventStream, Listener
from ideatrail.evidence.observations import Observations
from ideatrail.graph import build
from ideatrail.models import tokens
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.protocol import ChatModel, ModelError
from ideatrail.nodes.rooms import InputRefused
from ideatrail.run.advisor_files import AdvisorFiles
from ideatrail.run.codec import Codec
from ideatrail.run.folder import MANIFEST_VERSION, RunFolder
from ideatrail.run.inputs import Inputs, RunRefused, read_inputs
from ideatrail.run.log import RunLog, replay
from ideatrail.run.services import make_services
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings
from ideatrail.trail.answers import Slot

ACCEPTED, REFUSED, REJECTED, BUDGET, OUTSIDE, INTERRUPTED = 0, 2, 3, 4, 5, 130
_EXIT: Final = {"accepted": ACCEPTED, "rejected": REJECTED}
_STEPS_LIMIT: Final = 100_000
"""LangGraph's own guard against endless loops; ours are the retry and turn budgets."""


@dataclass(frozen=True)
class RunResult:
    """How a run ended."""

    sample_id: str
    folder: Path
    outcome: str
    endpoint: str | None
    reasons: list[dict[str, Any]]
    exit_code: int
    manifest: dict[str, Any] = field(repr=False)
    already: bool = False
    resumed: bool = False


async def run_trail(
    settings: Settings,
    *,
    force: bool = False,
    listeners: Sequence[Listener] = (),
    models: Mapping[Slot, ChatModel] | None = None,
    shared: Shared | None = None,
) -> RunResult:
    """Make one trail, go on with an interrupted one, or report a finished one.

    Args:
        settings: the resolved settings.
        force: make the trail anew where it is there already.
        listeners: called with each event.
        models: models by slot that take the place of those the settings name.
        shared: evidence shared with other trails of the process.

    Raises:
        RunRefused, InputRefused, SettingsError, ProposalError, CorpusError, CardError: exit 2.
        ModelError, OSError: exit 5, resumable; the manifest says so.
        asyncio.CancelledError: interrupted, resumable.
    """
    shared = shared or Shared()
    inputs = read_inputs(settings, shared)
    if models:
        inputs = replace(inputs, models={**inputs.models, **models})
    folder = RunFolder(settings.out / inputs.sample_id)
    finished = folder.read_manifest()
    if finished is not None and finished.get("outcome") in _EXIT and not force:
        return _result(inputs, folder, finished, already=True)
    made = not folder.root.exists()
    folder.root.mkdir(parents=True, exist_ok=True)
    if not folder.lock():
        raise RunRefused(f"{folder.root}: another process is making this trail")
    try:
        if force:
            _empty(folder)
        return await _make(inputs, folder, EventStream(*listeners), shared)
    except InputRefused:
        if made:
            shutil.rmtree(folder.root, ignore_errors=True)
        raise
    finally:
        folder.unlock()


async def _make(
    inputs: Inputs, folder: RunFolder, events: EventStream, shared: Shared
) -> RunResult:
    started = time.monotonic()
    store = Observations(folder.observations)
    codec = Codec(store)
    usage = UsageLedger()
    state, entry = replay(folder.log, codec, usage) if folder.log.exists() else ({}, None)
    resumed = entry is not None
    folder.workspace.mkdir(exist_ok=True)
    folder.advisor.mkdir(exist_ok=True)
    log = RunLog(folder.log, codec)
    services, sink = make_services(
        inputs,
        folder,
        store=store,
        lexicon=shared.lexicon(inputs.corpus),
        log=log,
        usage=usage,
        events=events,
    )
    manifest = _manifest(inputs)
    folder.write_manifest(manifest)
    _announce(inputs, folder, events, state if resumed else None)
    if not resumed:
        state = {
            "proposal": inputs.proposal.text,
            "cutoff": inputs.cutoff.day,
            "budget": inputs.settings.turns,
            "portrait": inputs.portrait or "",
        }
        if inputs.paper is not None:
            state["paper"] = inputs.paper
        services.steps.step("start", state, "ingest")
        entry = "ingest"
    if entry == "__end__":
        # Everything was done but the manifest: release once more, which writes the same bytes.
        entry = "release"
    graph = build(inputs.roles.cards, entry=str(entry))
    try:
        await graph.ainvoke(
            state,
            context=services,
            config={"recursion_limit": _STEPS_LIMIT},
        )
    except (asyncio.CancelledError, KeyboardInterrupt):
        _stop(folder, manifest, "interrupted", INTERRUPTED, usage, started)
        raise
    except (ModelError, OSError) as error:
        # A full disk may not even take the manifest; the one from the start then stands.
        _stop(folder, manifest, "failed", OUTSIDE, usage, started, str(error))
        raise
    finally:
        log.close()
    ended = sink.ended
    manifest |= ended
    manifest |= {
        "anchors": AdvisorFiles(folder).anchor_hashes(),
        "exit_code": _EXIT[ended["outcome"]],
        "usage": usage.as_dict(),
        "cost": {"usd": usage.cost(), "roles": usage.costs()},
        "timings": {"seconds": round(time.monotonic() - started, 3)},
    }
    folder.write_manifest(manifest)
    events.emit("ended", outcome=ended["outcome"], endpoint=ended["endpoint"])
    return _result(inputs, folder, manifest, resumed=resumed)


def _manifest(inputs: Inputs) -> dict[str, Any]:
    settings = inputs.settings.model_dump(mode="json")
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


def _stop(
    folder: RunFolder,
    manifest: dict[str, Any],
    outcome: str,
    exit_code: int,
    usage: UsageLedger,
    started: float,
    why: str = "",
) -> None:
    manifest |= {
        "outcome": outcome,
        "exit_code": exit_code,
        "usage": usage.as_dict(),
        "timings": {"seconds": round(time.monotonic() - started, 3)},
    }
    if why:
        manifest["error"] = why
    try:
        folder.write_manifest(manifest)
    except OSError:
        return


def _announce(
    inputs: Inputs, folder: RunFolder, events: EventStream, resumed: Mapping[str, Any] | None
) -> None:
    events.emit(
        "started",
        sample_id=inputs.sample_id,
        folder=os.fspath(folder.root),
        cutoff=inputs.cutoff.day,
        cutoff_from=inputs.cutoff_from,
        model=inputs.settings.model,
        advisor_model=inputs.settings.advisor_model,
        corpus=str(inputs.corpus.folder or "bundled bibliography"),
        papers=len(inputs.corpus.papers),
        turns=inputs.settings.turns,
    )
    if resumed is not None:
        events.emit("resumed", turn=resumed.get("turn", 0))


def _empty(folder: RunFolder) -> None:
    for path in (folder.log, folder.manifest, folder.trajectory):
        path.unlink(missing_ok=True)
    for path in (folder.workspace, folder.observations, folder.advisor):
        shutil.rmtree(path, ignore_errors=True)


def _result(
    inputs: Inputs,
    folder: RunFolder,
    manifest: dict[str, Any],
    *,
    already: bool = False,
    resumed: bool = False,
) -> RunResult:
    return RunResult(
        sample_id=inputs.sample_id,
        folder=folder.root,
        outcome=manifest["outcome"],
        endpoint=manifest["endpoint"],
        reasons=manifest["reasons"],
        exit_code=manifest["exit_code"],
        manifest=manifest,
        already=already,
        resumed=resumed,
    )
