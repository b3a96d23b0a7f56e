"""The worker that makes trails: what a batch's rows are done by."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any, Final

import orjson

from ideatrail.batch.duplicates import signature
from ideatrail.batch.local import memory
from ideatrail.batch.result import Ending, RowResult
from ideatrail.batch.rows import Row
from ideatrail.drafting.draft import TooLittleError, draft
from ideatrail.drafting.role import ROLE, load_drafter
from ideatrail.events import Event, EventStream
from ideatrail.evidence.corpus import CorpusError
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.source import EvidenceError
from ideatrail.models.budget import BudgetReached
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.options import EndpointOptions, Limits
from ideatrail.models.protocol import ModelError
from ideatrail.nodes.rooms import InputRefused, Pen
from ideatrail.proposals.error import ProposalError
from ideatrail.proposals.source import read_proposal
from ideatrail.resources import folder
from ideatrail.run.evidence import TargetLookupError
from ideatrail.run.folder import write_atomic
from ideatrail.run.inputs import RunBusyError, RunRefused, model_of
from ideatrail.run.job import RunResult, run_trail
from ideatrail.run.rows import BatchOptions, drawn, file_of, settings_of
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings, SettingsError

PROPOSALS: Final = "proposals"
_PATIENCE: Final = 60.0
"""Seconds that a trail which another process has in hand is waited for."""
_EAST: Final = timezone(timedelta(hours=14))


@dataclass
class _Place:
    """Where a row stands, for people."""

    line: int
    name: str
    since: float
    stage: str = "reading"
    turn: int = 0
    of: int = 0
    retries: int = 0


@dataclass
class _Tally:
    """What a worker has done so far."""

    turns: int = 0
    calls: int = 0
    verdicts: int = 0
    retries: int = 0
    tokens: int = 0
    usd: float = 0.0
    priced: bool = True
    codes: dict[str, int] = field(default_factory=dict)


class TrailWorker:
    """Makes the trails of rows, many at once in one loop."""

    def __init__(self, options: BatchOptions, count: int) -> None:
        """`count` workers share what may be spent and asked for: each has its part of it."""
        self._options = replace(options, settings=_part(options.settings, count))
        self._shared = Shared()
        self._places: dict[str, _Place] = {}
        self._tally = _Tally()

    async def do(self, row: Row) -> tuple[RowResult, bytes | None]:
        """One row to its end. Whatever goes wrong is a result: one bad row never stops a batch."""
        place = self._places[row.key] = _Place(row.line, row.name, time.monotonic())
        try:
            return await self._do(row, place)
        finally:
            self._places.pop(row.key, None)

    async def _do(self, row: Row, place: _Place) -> tuple[RowResult, bytes | None]:
        started = time.monotonic()
        try:
            settings = await self._settings(row)
            result = await self._made(settings, place)
        except TooLittleError as error:
            return _ended(row, "set_aside", "too_little", str(error)), None
        except (InputRefused, ProposalError, RunRefused, SettingsError, CorpusError) as error:
            return _ended(row, "set_aside", "refused", str(error)), None
        except BudgetReached as error:
            return _ended(row, "failed", "budget", str(error)), None
        except ModelError as error:
            return _ended(row, "failed", "endpoint", str(error)), None
        except (EvidenceError, TargetLookupError) as error:
            return _ended(row, "failed", "evidence", str(error)), None
        except OSError as error:
            return _ended(row, "failed", "disk", f"{error.filename or ''} {error}".strip()), None
        except Exception as error:  # noqa: BLE001 - one bad row never stops a batch
            told = traceback.format_exception(error)[-2:]
            return _ended(row, "failed", "defect", " ".join("".join(told).split())), None
        seconds = round(time.monotonic() - started, 2)
        record = _record(result)
        made = _made(row, result, seconds)
        if self._options.vary:
            lot = drawn(row, self._options.vary)
            made = replace(made, figures={**made.figures, "drawn": lot})
        if record is None:
            return made, None
        signed = await asyncio.to_thread(lambda: signature(orjson.loads(record)))
        return replace(made, figures={**made.figures, "signature": signed}), record

    async def _made(self, settings: Settings, place: _Place) -> RunResult:
        """Make the trail; where a worker of a killed batch still has it, wait until it is gone."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                return await run_trail(
                    settings,
                    shared=self._shared,
                    listeners=(lambda event: self._hear(event, place),),
                )
            except RunBusyError:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.5)

    async def _settings(self, row: Row) -> Settings:
        settings = settings_of(row, self._options)
        path = file_of(row, self._options)
        if path is not None:
            return settings.model_copy(update={"proposal": path})
        corpus = self._shared.corpus(settings.corpus)
        paper = corpus.find(row.name)
        if paper is None:
            raise RunRefused(f"{row.name}: no file of that name, and no paper of the index")
        drafted = await self._drafted(row, paper, settings)
        update: dict[str, Any] = {"proposal": str(drafted), "target": paper.id}
        return settings.model_copy(update=update)

    async def _drafted(self, row: Row, paper: Paper, settings: Settings) -> Path:
        """The proposal drafted from a row's paper; drafted once, and kept."""
        path = Path(self._options.out) / PROPOSALS / f"{row.key}.md"
        if path.is_file():
            return path
        if paper.published is None:
            raise RunRefused(f"{row.name}: the index tells no date of it")
        day = (paper.published.earliest.astimezone(_EAST) - timedelta(days=1)).date()
        usage = UsageLedger()
        pen = Pen(
            ROLE,
            load_drafter(folder("agents"), folder("prompts")),
            model_of("--advisor-model", settings.advisor_model, settings, self._shared),
            usage,
            EventStream(),
            settings.seed,
        )
        made = await draft(paper, day.isoformat(), pen)
        write_atomic(path, made.markdown().encode())
        read_proposal(path)  # what cannot be read back is told now
        return path

    def _hear(self, event: Event, place: _Place) -> None:
        values = event.values
        match event.kind:
            case "stage":
                place.stage, place.turn = str(values["stage"]), int(values["turn"])
                place.of = int(values.get("of") or 0)
            case "verdict":
                self._tally.verdicts += 1
                if not values["ok"]:
                    place.retries += 1
                    self._tally.retries += 1
                    code = str(values.get("code"))
                    self._tally.codes[code] = self._tally.codes.get(code, 0) + 1
                else:
                    self._tally.turns += 1
            case "call":
                self._tally.calls += 1
            case "usage":
                usage = values.get("usage")
                for name in ("input", "output"):
                    self._tally.tokens += getattr(usage, name, None) or 0
                cost = values.get("cost")
                self._tally.priced &= cost is not None
                self._tally.usd += cost or 0.0

    def look(self) -> Mapping[str, Any]:
        """Where its rows stand and what was done so far."""
        now = time.monotonic()
        rows = [
            {
                "line": p.line,
                "name": p.name,
                "stage": p.stage,
                "turn": p.turn,
                "of": p.of,
                "retries": p.retries,
                "seconds": round(now - p.since, 1),
            }
            for p in self._places.values()
        ]
        return {"rows": rows, "memory": memory(), **vars(self._tally)}

    async def aclose(self) -> None:
        """Close connections."""
        await self._shared.aclose()


def make_worker(options: BatchOptions, count: int) -> TrailWorker:
    """As the pool names it."""
    return TrailWorker(options, count)


def _part(settings: Mapping[str, Any], count: int) -> dict[str, Any]:
    """A worker's part of what all may spend and ask for."""
    if count == 1:
        return dict(settings)
    part = dict(settings)
    if part.get("max_cost") is not None:
        part["max_cost"] = part["max_cost"] / count
    if part.get("max_tokens") is not None:
        part["max_tokens"] = max(1, part["max_tokens"] // count)
    part["endpoints"] = {
        name: _slower(EndpointOptions.model_validate(given), count).model_dump(mode="json")
        for name, given in (part.get("endpoints") or {}).items()
    }
    return part


def _slower(options: EndpointOptions, count: int) -> EndpointOptions:
    limits = options.limits
    mine = Limits(
        requests_per_minute=_share(limits.requests_per_minute, count),
        tokens_per_minute=_share(limits.tokens_per_minute, count),
        concurrency=max(1, limits.concurrency // count),
    )
    return options.model_copy(update={"limits": mine})


def _share(limit: int | None, count: int) -> int | None:
    return None if limit is None else max(1, limit // count)


def _ended(row: Row, ending: Ending, cause: str, why: str) -> RowResult:
    return RowResult(
        row.key, row.line, row.name, ending, cause=cause, why=" ".join(why.split())[:500]
    )


def _made(row: Row, result: RunResult, seconds: float) -> RowResult:
    manifest = result.manifest
    accepted = result.outcome == "accepted"
    counts = manifest.get("counts", {})
    return RowResult(
        key=row.key,
        line=row.line,
        name=row.name,
        ending="accepted" if accepted else "rejected",
        id=result.sample_id,
        cause="" if accepted else "rejected",
        codes=tuple(str(r["code"]) for r in result.reasons),
        why=str(manifest.get("error", "")),
        figures={
            "endpoint": result.endpoint,
            "grade": manifest.get("grade"),
            "topic": row.values.get("topic"),
            "turns": counts.get("turns"),
            "calls": counts.get("calls"),
            "retries": counts.get("retries"),
            "tiers": counts.get("tiers"),
            "tokens": _tokens(manifest.get("usage") or {}),
            "usd": (manifest.get("cost") or {}).get("usd"),
            "seconds": seconds,
        },
    )


def _tokens(usage: Mapping[str, Any]) -> int | None:
    """Prompt and answer tokens of all roles; None where an endpoint tells none."""
    told = [role.get(name) for role in usage.values() for name in ("input", "output")]
    return None if not told or any(n is None for n in told) else sum(told)


def _record(result: RunResult) -> bytes | None:
    if result.outcome != "accepted":
        return None
    return (result.folder / "trajectory.jsonl").read_bytes().rstrip(b"\n")
