"""Puts a run's services together: what the nodes are given, share by share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ideatrail.events import EventStream
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.evidence.observations import Observations
from ideatrail.models.ledger import UsageLedger
from ideatrail.nodes.bench import Bench
from ideatrail.nodes.rooms import Services
from ideatrail.run.advisor_files import AdvisorFiles
from ideatrail.run.evidence import Evidence
from ideatrail.run.folder import RunFolder
from ideatrail.run.inputs import Inputs
from ideatrail.run.log import RunLog
from ideatrail.run.sink import ReleaseSink
from ideatrail.state import TABLE
from ideatrail.toolkit.definitions import check_arguments, definitions
from ideatrail.toolkit.outcome import RefusedError
from ideatrail.toolkit.workspace import Workspace
from ideatrail.verifier.check import CHECKS, Verifier, outside_checks


def argument_fault(tool: str, arguments: Mapping[str, Any]) -> str | None:
    """Why a tool does not take these arguments, or None where it does."""
    try:
        check_arguments(tool, arguments)
    except RefusedError as error:
        return str(error)
    return None


class LoggedSteps:
    """Steps go into the log, with what their role has used so far, and into the Advisor's files."""

    def __init__(self, log: RunLog, files: AdvisorFiles, usage: UsageLedger) -> None:
        self._log = log
        self._files = files
        self._usage = usage

    def step(self, node: str, update: Mapping[str, Any], goto: str) -> None:
        """Keep one finished step; on disk when it returns. Raises OSError."""
        role = TABLE[node].role if node in TABLE else None
        self._files.keep_step(update)
        self._log.step(node, update, goto, self._usage.of(role) if role else {})


def make_services(
    inputs: Inputs,
    folder: RunFolder,
    *,
    evidence: Evidence,
    store: Observations,
    lexicon: Lexicon,
    log: RunLog,
    usage: UsageLedger,
    events: EventStream,
) -> tuple[Services, ReleaseSink]:
    """The services of one run, and the sink that its release fills."""
    tools = definitions()
    files = AdvisorFiles(folder)
    sink = ReleaseSink(folder, inputs, tools, usage)
    services = Services(
        roles=inputs.roles,
        settings=inputs.settings,
        models=inputs.models,
        tools=tools,
        bench=Bench(evidence.generator, Workspace(folder.workspace), store),
        observations=store,
        world=evidence.advisor,
        lexicon=lexicon,
        verifier=Verifier(
            lexicon=lexicon,
            cutoff=inputs.cutoff,
            arguments=argument_fault,
            target_titles=evidence.withheld.titles,
            embedder=inputs.embedder,
            checks=(*CHECKS, *outside_checks()),
        ),
        usage=usage,
        events=events,
        base_seed=inputs.base_seed,
        sink=sink,
        rejected=files,
        steps=LoggedSteps(log, files, usage),
        sample_id=inputs.sample_id,
        source=inputs.proposal,
    )
    return services, sink
