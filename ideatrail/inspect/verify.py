"""Runs the verifier over finished records, ours or anybody's.

Checks run on the public record, and on the Advisor's files and a corpus where they are at hand;
what could not run is told as not run, never as passed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson
from pydantic import ValidationError

from ideatrail.evidence.dates import Cutoff
from ideatrail.records.reader import Row
from ideatrail.records.trails import message_of, to_trail
from ideatrail.trail.oracle import Oracle
from ideatrail.trail.verdict import Verdict
from ideatrail.verifier.check import Verifier
from ideatrail.verifier.means import TOOLS, ArgumentCheck, LexiconLike
from ideatrail.verifier.metrics import measure

if TYPE_CHECKING:
    from ideatrail.embeddings.embedder import Embedder

_NOT_REACHED: Final = "a public check found a fault first"
"""Why an oracle-dependent check did not run on one draft: no lack of ours."""


class AdvisorFilesError(ValueError):
    """An Advisor's folder cannot be used: one clear line."""


@dataclass(frozen=True)
class Advisor:
    """What verification needs of the Advisor's side."""

    oracle: Oracle
    titles: tuple[str, ...] = ()
    """Of the withheld target."""

    @classmethod
    def read(cls, folder: Path) -> Advisor:
        """A run's `advisor/` folder. Raises AdvisorFilesError."""
        path = folder / "oracle.json"
        try:
            oracle = Oracle.model_validate_json(path.read_bytes())
        except OSError as error:
            raise AdvisorFilesError(f"{path}: {error.strerror or error}") from error
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise AdvisorFilesError(f"{path}: {where}: {first['msg']}") from error
        try:
            held = orjson.loads((folder / "withheld.json").read_bytes())
        except FileNotFoundError:
            held = {}
        return cls(oracle, tuple(held.get("titles", ())))


@dataclass(frozen=True)
class NotRun:
    """A layer that could not run on a trail."""

    check: str
    layer: str
    why: str
    turns: int
    """Turns on which it did not run."""


@dataclass(frozen=True)
class Report:
    """What verification found of one record."""

    file: str
    line: int
    sample_id: str | None
    ok: bool
    turns: int
    verdicts: tuple[dict[str, Any], ...] = ()
    """Failed ones: turn, message, code, pointer, layers, findings."""
    not_run: tuple[NotRun, ...] = ()
    metrics: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def verify(
    row: Row,
    *,
    advisor: Advisor | None = None,
    lexicon: LexiconLike | None = None,
    arguments: ArgumentCheck | None = None,
    embedder: Embedder | None = None,
) -> Report:
    """Verify a record turn by turn, each as if it had just been drafted.

    Args:
        row: the record as it stands in its file.
        advisor: for what depends on the oracle; None: those checks do not run.
        lexicon: the full index's statistics; None: what needs them does not run.
        arguments: says why a tool does not take given arguments.
        embedder: a sentence encoder; None: what is said in other words is not looked for.
    """
    trail = to_trail(row.raw)
    cutoff, lacking = _cutoff(row)
    verifier = Verifier(
        cutoff=cutoff,
        lexicon=lexicon,
        arguments=arguments,
        tools=_tools(row),
        target_titles=advisor.titles if advisor else (),
        embedder=embedder,
    )
    oracle = advisor.oracle if advisor else None
    verdicts: list[dict[str, Any]] = []
    missing: dict[tuple[str, str, str], int] = {}
    for turn, verdict in verifier.audit(trail, oracle):
        if not verdict.ok:
            verdicts.append(_told(verdict, turn.index, message_of(row.raw, turn.index)))
        for layer in verdict.layers:
            if not layer.ran and layer.why != _NOT_REACHED:
                check, _, rung = layer.name.partition("/")
                key = (check, rung or check, layer.why)
                missing[key] = missing.get(key, 0) + 1
    if not trail.turns:
        verdicts.append({"turn": 0, "message": 0, "code": "malformed_call", "why": "no turn"})
    not_run = [NotRun(*key, turns) for key, turns in missing.items()]
    if lacking:
        not_run.append(NotRun("anachronism", "cutoff", lacking, len(trail.turns)))
    metrics = measure(
        trail,
        oracle=oracle,
        lexicon=lexicon,
        cutoff=cutoff,
        target_titles=advisor.titles if advisor else (),
    )
    return Report(
        file=str(row.path),
        line=row.line,
        sample_id=row.sample_id,
        ok=not verdicts,
        turns=len(trail.turns),
        verdicts=tuple(verdicts),
        not_run=tuple(not_run),
        metrics=metrics,
    )


def _cutoff(row: Row) -> tuple[Cutoff | None, str]:
    """The record's information horizon, or why it has none."""
    block = row.trail or {}
    given = block.get("cutoff") or row.cutoff
    if given is None:
        return None, "the record names no cutoff"
    try:
        return Cutoff.parse(str(given)), ""
    except ValueError as error:
        return None, str(error)


def _tools(row: Row) -> frozenset[str]:
    """The tools that the record lists; ours where it lists none."""
    listed = row.raw.get("tools")
    names = {
        str(function.get("name"))
        for tool in (listed if isinstance(listed, Sequence) else ())
        if isinstance(tool, Mapping) and isinstance(function := tool.get("function", tool), Mapping)
    }
    return frozenset(names) or TOOLS


def _told(verdict: Verdict, turn: int, message: int) -> dict[str, Any]:
    pointer = verdict.pointer
    return {
        "turn": turn,
        "message": message,
        "code": verdict.code,
        "pointer": None if pointer is None else asdict(pointer),
        "layers": [asdict(layer) for layer in verdict.layers if layer.hit],
        "findings": [asdict(finding) for finding in verdict.findings],
    }
