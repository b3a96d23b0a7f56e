"""One trail as a job: a fingerprint, a start, a resume."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ideatrail.events import EventStream, Listener
from ideatrail.evidence.observations import Observations
from ideatrail.evidence.source import EvidenceError
from ideatrail.graph import build
from ideatrail.models.budget import BudgetReached
from ideatrail.models.endings import EndingError
from ideatrail.models.endpoint import EndpointModel
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.protocol import ChatModel, ModelError
from ideatrail.nodes.rooms import InputRefused, NoAnswerError, Services
from ideatrail.run.advisor_files import AdvisorFiles
from ideatrail.run.codec import Codec
from ideatrail.run.evidence import TargetLookupError, open_evidence
from ideatrail.run.folder import RunFolder, dump, write_atomic
from ideatrail.run.inputs import AUTO, Inputs, RunBusyError, read_inputs
from ideatrail.run.log import RunLog, replay
from ideatrail.run.manifest import BUDGET, EXITS, INTERRUPTED, OUTSIDE, Manifest
from ideatrail.run.portrait import auto_portrait
from ideatrail.run.services import make_services
from ideatrail.run.shared import Shared
from ideatrail.run.sink import ReleaseSink
from ideatrail.settings import Settings
from ideatrail.state import CHANNEL_TYPES, Outcome, Reason
from ideatrail.trail.answers import Slot

_STEPS_LIMIT: Final = 100_000
"""LangGraph's own guard against endless loops; ours are the retry and turn budgets."""

_SETTLED: Final = frozenset({"context_overflow", "content_filtered"})
"""Endings that come again however often the same request is sent: they settle the trail."""

_NOT_ALWAYS: Final = frozenset({"paper", "metrics", "outcome", "idea_end"})
"""Channels that need not stand for a trail to be measured."""


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
        shared: evidence, limits and budget shared with other trails of the process; who gives it
            closes it.

    Raises:
        RunRefused, InputRefused, SettingsError, ProposalError, CorpusError, CardError,
            ModelSettingsError: exit 2.
        BudgetReached: exit 4, resumable; the manifest says so.
        ModelError, EvidenceError, OSError: exit 5, resumable; the manifest says so.
        asyncio.CancelledError: interrupted, resumable.
    """
    if shared is not None:
        return await _run(settings, force, listeners, models, shared)
    shared = Shared()
    try:
        return await _run(settings, force, listeners, models, shared)
    finally:
        await shared.aclose()


async def _run(
    settings: Settings,
    force: bool,
    listeners: Sequence[Listener],
    models: Mapping[Slot, ChatModel] | None,
    shared: Shared,
) -> RunResult:
    inputs = read_inputs(settings, shared)
    if models:
        inputs = replace(inputs, models={**inputs.models, **models})
    folder = RunFolder(settings.out / inputs.sample_id)
    finished = folder.read_manifest()
    if finished is not None and finished.get("outcome") in EXITS and not force:
        return _result(inputs, folder, finished, already=True)
    made = not folder.root.exists()
    folder.root.mkdir(parents=True, exist_ok=True)
    if not folder.lock():
        raise RunBusyError(f"{folder.root}: another process is making this trail")
    try:
        if force:
            _empty(folder)
        return await _make(inputs, folder, EventStream(*listeners), shared)
    except (InputRefused, TargetLookupError):
        if made:
            shutil.rmtree(folder.root, ignore_errors=True)
        raise
    finally:
        folder.unlock()


async def _make(
    inputs: Inputs, folder: RunFolder, events: EventStream, shared: Shared
) -> RunResult:
    store = Observations(folder.observations)
    codec = Codec(store)
    usage = UsageLedger()
    state, entry = replay(folder.log, codec, usage) if folder.log.exists() else ({}, None)
    resumed = entry is not None
    if shared.first_sight(inputs.sample_id):
        _count_earlier(inputs, usage)
    folder.workspace.mkdir(exist_ok=True)
    folder.advisor.mkdir(exist_ok=True)
    log = RunLog(folder.log, codec)
    evidence = await open_evidence(inputs, folder, shared)
    services, sink = make_services(
        inputs,
        folder,
        evidence=evidence,
        store=store,
        lexicon=shared.lexicon(inputs.corpus),
        log=log,
        usage=usage,
        events=events,
    )
    manifest = Manifest(inputs, folder, usage)
    manifest.begin()
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
        if inputs.settings.portrait == AUTO:
            made = await auto_portrait(inputs, evidence.withheld, shared, usage)
            state["portrait"] = made.public()
            write_atomic(folder.advisor / "portrait.json", dump(made.evidence()))
            _keep_spent(inputs, log, usage)
        services.steps.step("start", state, "ingest")
        entry = "ingest"
    if entry == "__end__":
        # Everything was done but the manifest: release once more, which writes the same bytes.
        entry = "release"
    try:
        await _go(inputs, folder, services, sink, state, str(entry))
    except (asyncio.CancelledError, KeyboardInterrupt):
        _keep_spent(inputs, log, usage)
        manifest.stop("interrupted", INTERRUPTED)
        raise
    except BudgetReached as error:
        _keep_spent(inputs, log, usage)
        manifest.stop("interrupted", BUDGET, str(error))
        raise
    except (ModelError, EvidenceError, OSError) as error:
        _keep_spent(inputs, log, usage)
        manifest.stop("failed", OUTSIDE, str(error))
        raise
    finally:
        log.close()
    manifest.finish({**sink.ended, "anchors": AdvisorFiles(folder).anchor_hashes()})
    events.emit("ended", outcome=sink.ended["outcome"], endpoint=sink.ended["endpoint"])
    return _result(inputs, folder, manifest.values, resumed=resumed)


async def _go(
    inputs: Inputs,
    folder: RunFolder,
    services: Services,
    sink: ReleaseSink,
    state: Mapping[str, Any],
    entry: str,
) -> None:
    """Run the graph to its end. A model from which no usable answer can be had settles the trail:
    it is rejected, with what stands of it and the reason."""
    try:
        await _graph(inputs, services, state, entry)
    except NoAnswerError as error:
        reason, why = Reason("no_valid_answer", error.role), str(error)
    except EndingError as error:
        if error.ending not in _SETTLED:
            raise
        reason, why = Reason(error.ending, "endpoint"), str(error)
    except InputRefused as error:
        if not _asked_an_endpoint(inputs, services.usage):
            raise
        # Money was spent on it: its folder is the only place that tells.
        reason, why = Reason("no_direction", "director"), str(error)
    else:
        return
    sink.why = why
    outcome = Outcome(accepted=False, reasons=(reason,))
    state, _ = replay(folder.log, Codec(services.observations), UsageLedger())
    if not set(CHANNEL_TYPES) - _NOT_ALWAYS <= set(state) or not state["trail"].turns:
        sink.give_up(outcome)
        return
    state["outcome"] = outcome
    services.steps.step("stopped", {"outcome": outcome}, "label_tiers")
    await _graph(inputs, services, state, "label_tiers")


async def _graph(inputs: Inputs, services: Services, state: Mapping[str, Any], entry: str) -> None:
    graph = build(inputs.roles.cards, entry=entry)
    await graph.ainvoke(
        dict(state),
        context=services,
        config={"recursion_limit": _STEPS_LIMIT},
    )


def _count_earlier(inputs: Inputs, usage: UsageLedger) -> None:
    """Put what earlier goes at this trail have spent into the budget of the process."""
    asked = [m for m in inputs.models.values() if isinstance(m, EndpointModel)]
    if asked:  # all are made by the process's endpoints, with one budget
        asked[0].budget.restore(usage.paid(), usage.cost())


def _asked_an_endpoint(inputs: Inputs, usage: UsageLedger) -> bool:
    """Whether anything was asked that costs: the offline model costs nothing."""
    cards = inputs.roles.cards  # the portraitist, who works before the trail, is not among them
    slots = {
        role: cards[role].slot if role in cards else "advisor"
        for role, used in usage.roles.items()
        if used.attempts
    }
    return any(
        isinstance(inputs.models[slot], EndpointModel)
        for slot in slots.values()
        if slot is not None
    )


def _keep_spent(inputs: Inputs, log: RunLog, usage: UsageLedger) -> None:
    """Log what was paid beyond the last finished step."""
    if not _asked_an_endpoint(inputs, usage):
        return
    try:
        log.spent(usage.everything())
    except OSError:
        return  # the disk is full, which is told already


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
