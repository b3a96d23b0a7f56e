"""The hindsight audit of a run: target, decoys and control put together."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydantic import ValidationError

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.index import as_of
from ideatrail.inspect.hindsight import Decoys, Hindsight
from ideatrail.run.control import control_trail
from ideatrail.run.folder import RunFolder, dump, write_atomic
from ideatrail.run.inputs import Inputs, read_inputs
from ideatrail.run.replay import ReplayError, load_trail
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings
from ideatrail.trail.oracle import Oracle
from ideatrail.trail.turn import Trail

_TARGET_KINDS: Final = ("thesis", "method", "novelty", "evaluation")
_ANY_DATE: Final = "2200-01-01"


class HindsightError(ValueError):
    """A run cannot be audited: one clear line."""


async def audit(root: Path, *, control: Path | None = None, decoys: int = 200) -> Hindsight:
    """Audit a finished run; the result is kept in its `advisor/hindsight.json`, and the area among
    the metrics of its manifest.

    Raises:
        HindsightError: the folder holds no run that can be audited.
        OSError: it cannot be read or written.
    """
    folder = RunFolder(root)
    manifest = folder.read_manifest()
    if manifest is None:
        raise HindsightError(f"{root} is no run: it has no manifest.json")
    try:
        trail = load_trail(root)
        other = None if control is None else load_trail(control)
        oracle = Oracle.model_validate_json((folder.advisor / "oracle.json").read_bytes())
        settings = Settings.model_validate(manifest["settings"])
    except FileNotFoundError as error:
        raise HindsightError(f"{root}: {error.filename} is missing") from error
    except (ReplayError, ValidationError, KeyError) as error:
        raise HindsightError(f"{root}: {str(error).splitlines()[0]}") from error
    shared = Shared()
    try:
        inputs = read_inputs(settings, shared)
        if other is None:
            other = await control_trail(root, inputs, manifest.get("endpoint"), shared)
        ranked = Decoys(_target(oracle), _decoys(inputs, trail, decoys))
    finally:
        await shared.aclose()
    found = Hindsight(ranked.curve(trail), ranked.curve(other))
    values = {
        "hindsight": round(found.area, 4),
        "decoys": found.trail.decoys,
        "trail": found.trail.ranks,
        "control": found.control.ranks,
    }
    write_atomic(folder.advisor / "hindsight.json", dump(values))
    # The record stays as it was released; the run's own metrics learn of it.
    metrics = {**manifest.get("metrics", {}), "hindsight": values["hindsight"]}
    write_atomic(folder.manifest, dump({**manifest, "metrics": metrics}))
    return found


def _target(oracle: Oracle) -> str:
    """What the target comes to, in the oracle's words."""
    return "\n".join(atom.text for atom in oracle.atoms if atom.kind in _TARGET_KINDS)


def _decoys(inputs: Inputs, trail: Trail, count: int) -> list[str]:
    """Papers of any date on the same question; the target itself is none of them."""
    whole = as_of(inputs.corpus, Cutoff.parse(_ANY_DATE), inputs.withheld)
    found = whole.search(trail.user.replace('"', " "), min(count, 100))
    near = [f"{r.paper.title}\n{' '.join(r.paper.body)}" for r in found]
    known = {r.paper.id for r in found}
    for paper in inputs.corpus.papers:
        if len(near) >= count:
            break
        if paper.id not in known and paper.shown and not inputs.withheld.hides(paper):
            near.append(f"{paper.title}\n{' '.join(paper.body)}")
    return near
