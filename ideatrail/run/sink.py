"""Where a finished trail goes: the record, the Advisor's files, the figures for the manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ideatrail.models.ledger import UsageLedger
from ideatrail.records.build import to_record
from ideatrail.records.writer import write
from ideatrail.run.codec import plain
from ideatrail.run.folder import RunFolder
from ideatrail.run.inputs import Inputs
from ideatrail.state import Metrics, Outcome
from ideatrail.trail.leakage import LeakLedger
from ideatrail.trail.turn import AUTHORING, Trail

REJECTED = "rejected_trajectory.jsonl"
"""A rejected trail's record, on the Advisor's side: no release takes it by mistake."""


class ReleaseSink:
    """Writes one run's record. Implements the nodes' `Sink`."""

    def __init__(
        self,
        folder: RunFolder,
        inputs: Inputs,
        tools: Sequence[Mapping[str, Any]],
        usage: UsageLedger,
    ) -> None:
        self._folder = folder
        self._inputs = inputs
        self._tools = tools
        self._usage = usage
        self.ended: dict[str, Any] = {}
        """Outcome, endpoint, reasons, counts: filled by `release`, for the manifest."""
        self.why = ""
        """What made the run give up, in one line; kept in the manifest."""

    def release(
        self, trail: Trail, cutoff: str, ledger: LeakLedger, outcome: Outcome, metrics: Metrics
    ) -> None:
        """Write the record: released where accepted, kept aside with its reasons where not."""
        reasons = [plain(r) for r in outcome.reasons]
        endpoint = trail.endpoint if outcome.accepted else None
        record = to_record(
            trail,
            sample_id=self._inputs.sample_id,
            tools=self._tools,
            cutoff=cutoff,
            corpus=self._inputs.corpus.hash,
            outcome="accepted" if outcome.accepted else "rejected",
            endpoint=endpoint,
            metrics=metrics.values,
            grade=metrics.grade,
            naturalness=metrics.naturalness,
            ledger_bits=ledger.bits,
            models={slot: model.name for slot, model in self._inputs.models.items()},
            usage=self._usage.as_dict(),
            fingerprint=self._inputs.public_fingerprint,
            proposal_path="research_proposal.md",
            reasons=reasons,
        )
        path = self._folder.trajectory if outcome.accepted else self._folder.advisor / REJECTED
        write(path, record)
        self.ended = {
            "outcome": "accepted" if outcome.accepted else "rejected",
            "endpoint": endpoint,
            "reasons": reasons,
            "grade": metrics.grade,
            "naturalness": metrics.naturalness,
            "metrics": metrics.values,
            "ledger": {"bits": ledger.bits, "cap": ledger.cap},
            "counts": _counts(trail, record),
            **({"error": self.why} if self.why else {}),
        }

    def give_up(self, outcome: Outcome) -> None:
        """The run came to no trail: there is no record, but how it ended is told."""
        self.ended = {
            "outcome": "rejected",
            "endpoint": None,
            "reasons": [plain(r) for r in outcome.reasons],
            "error": self.why,
        }


def _counts(trail: Trail, record: Mapping[str, Any]) -> dict[str, Any]:
    names = [call.name for _, call, _ in trail.calls]
    return {
        "turns": len(trail.turns),
        "messages": len(record["messages"]),
        "calls": len(names),
        "calls_by_tool": {n: names.count(n) for n in sorted(set(names))},
        "writes": sum(n in AUTHORING for n in names),
        "sources_read": len({r.source_file for _, _, r in trail.calls if r.source_file}),
        "characters": sum(len(r.content) for _, _, r in trail.calls)
        + sum(len(t.draft.reasoning) + len(t.draft.content) for t in trail.turns),
        "retries": sum(t.retries for t in trail.turns),
        "tiers": {
            tier: sum(t.tier == tier for t in trail.turns) for tier in ("high", "normal", "low")
        },
    }
