"""The end of a run in words a person can read, or as one JSON object."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from ideatrail.cli.progress import clock, printable, short
from ideatrail.models.tokens import CHARACTERS_A_TOKEN
from ideatrail.trail.artifacts import Artifact, parse
from ideatrail.trail.stage import ARTIFACTS, ArtifactName

if TYPE_CHECKING:
    from ideatrail.run.job import RunResult

PLAIN: Final[dict[str, str]] = {
    "oracle_leakage": "the text held what only the hidden proposal could have told it",
    "causal_order": "an idea appeared before the ones it rests on",
    "target_drift": "the trail led to another idea than the proposal's",
    "title_pre_knowledge": "a paper's title was known before the paper had been found",
    "fabricated_evidence": "a quote, a figure or a citation does not stand in what was read",
    "fake_url": "a URL was used that nothing had led to",
    "premature_artifact": "a file was written before its stage",
    "anachronism": "something was mentioned that did not exist at the cutoff",
    "pipeline_language": "the text spoke about how trails are made",
    "malformed_call": "a tool call could not be read",
    "repetition": "the trail repeated itself",
    "leak_cap": "verdicts had told more about the hidden proposal than the cap allows",
    "grounding": "too few claims rest on what was read",
    "naturalness": "the trail does not read as research is done",
    "incomplete": "the turns ran out before the files were finished",
    "no_valid_answer": "a model gave no answer of the form that was asked for",
    "no_direction": "no starting message could be written that keeps the answer out of it",
    "context_overflow": "a request is longer than the model can read",
    "content_filtered": "the endpoint will not answer this",
}
"""Why a trail was rejected, by code, in plain words; other codes explain themselves."""


_FROM_MANIFEST: Final = (
    *("cutoff", "cutoff_from", "grade", "naturalness", "metrics", "ledger", "counts", "models"),
    *("usage", "timings", "fingerprint", "error"),
)
"""Keys of the manifest that `--json` repeats."""


def reason_text(reason: dict[str, Any]) -> str:
    """One reason in plain words, with its code."""
    code = str(reason.get("code", "unknown"))
    words = PLAIN.get(code, code.replace("_", " "))
    pointer = reason.get("pointer") or {}
    where = ", ".join(
        f"{key} {pointer[key]}" if key != "part" else str(pointer[key])
        for key in ("part", "call", "section")
        if isinstance(pointer, dict) and pointer.get(key) is not None
    )
    named = f"{code}, {where}" if where else code
    return f"{words} ({named})" if words != code else named


def artifact_paths(folder: Path) -> dict[ArtifactName, Path]:
    """Where the run's artifacts lie, for those that are there."""
    found: dict[ArtifactName, Path] = {}
    for name in ARTIFACTS:
        for path in sorted((folder / "workspace").glob(f"research_topics/*/{name}")):
            found[name] = path
    return found


def artifacts(folder: Path) -> dict[ArtifactName, Artifact]:
    """The run's artifacts, parsed."""
    return {
        name: parse(name, path.read_text("utf-8")) for name, path in artifact_paths(folder).items()
    }


def selected_idea(candidates: Artifact | None) -> str | None:
    """Name of the candidate that was selected."""
    for candidate in candidates.candidates if candidates else ():
        if candidate.decision.startswith("selected"):
            return candidate.name
    return None


def facts(result: RunResult) -> dict[str, Any]:
    """What both forms of the summary tell; None where it is not known."""
    manifest = result.manifest
    files = artifacts(result.folder)
    claims = files.get("claim_audit.md")
    cost = manifest.get("cost") or {}
    records = (
        result.folder / "trajectory.jsonl",
        result.folder / "advisor" / "rejected_trajectory.jsonl",
    )
    return {
        "sample_id": result.sample_id,
        "outcome": result.outcome,
        "endpoint": result.endpoint,
        "exit_code": result.exit_code,
        "already": result.already,
        "resumed": result.resumed,
        "reasons": result.reasons,
        **{key: manifest.get(key) for key in _FROM_MANIFEST},
        "cost": {"usd": cost.get("usd")},
        "cost_by_role": cost.get("roles", {}),
        "cost_by_node": cost.get("nodes", {}),
        "claims": len(claims.claims) if claims else 0,
        "selected_idea": selected_idea(files.get("idea_candidates.md")),
        "folder": str(result.folder),
        "record": next((str(path) for path in records if path.is_file()), None),
        "artifacts": {name: str(path) for name, path in artifact_paths(result.folder).items()},
    }


def as_json(result: RunResult) -> bytes:
    """The summary as one line of JSON."""
    return orjson.dumps(facts(result), option=orjson.OPT_APPEND_NEWLINE)


def as_text(result: RunResult) -> str:
    """The summary as a few lines: how it went, why, and what to open."""
    known = facts(result)
    lines = [_headline(result)]
    lines += [f"  because   {reason_text(reason)}" for reason in result.reasons]
    rows = [
        ("idea", known["selected_idea"]),
        ("converged", _convergence_line(result.manifest)),
        ("grade", "none earned" if known["grade"] == "None" else known["grade"]),
        ("cutoff", _cutoff_line(known)),
        ("trail", _trail_line(known)),
        ("verdicts", _verdict_line(known)),
        ("spent", _spent_line(known)),
        ("by role", _roles_line(known)),
        ("record", known["record"]),
        ("files", _files_line(known)),
    ]
    lines += [f"  {name:10}{value}" for name, value in rows if value]
    return printable_lines(lines)


def printable_lines(lines: list[str]) -> str:
    """Lines for a terminal; names in them were chosen by a model."""
    return "\n".join(printable(line) for line in lines)


def _headline(result: RunResult) -> str:
    kind = "a proposal" if result.endpoint == "proposal" else "an idea"
    words = {
        "accepted": f"accepted, as {kind} trail",
        "rejected": "rejected; the trail is kept, and not released",
    }
    note = " (resumed)" if result.resumed else ""
    note = " (it was there already; --force makes it anew)" if result.already else note
    return f"{result.sample_id}: {words.get(result.outcome, result.outcome)}{note}"


def _files_line(known: dict[str, Any]) -> str:
    """The artifacts' folder and their names: paths that can be opened, once each."""
    paths = [Path(path) for path in known["artifacts"].values()]
    return f"{paths[0].parent}/ ({', '.join(path.name for path in paths)})" if paths else ""


def _convergence_line(manifest: dict[str, Any]) -> str | None:
    """How near the endpoint came to the proposal's own, against the score that a proposal needs."""
    score = (manifest.get("metrics") or {}).get("convergence")
    gamma = (manifest.get("settings") or {}).get("gamma")
    if score is None or gamma is None:
        return None
    return f"{'yes' if score >= gamma else 'no'}, {score:.2f} where {gamma:.2f} is needed"


def _cutoff_line(known: dict[str, Any]) -> str:
    source = {
        "option": "",
        "proposal": " (the proposal's own date)",
        "target": " (the day before the target)",
        "today": " (today)",
    }
    return f"{known['cutoff']}{source.get(str(known['cutoff_from']), '')}"


def _trail_line(known: dict[str, Any]) -> str:
    counts = known["counts"] or {}
    parts = [
        f"{counts[key]} {label}"
        for key, label in (("turns", "turns"), ("calls", "calls"), ("sources_read", "sources read"))
        if key in counts
    ]
    parts.append(f"{known['claims']} claims")
    if "characters" in counts:
        parts.append(f"≈{short(counts['characters'] / CHARACTERS_A_TOKEN)} tokens long")
    return ", ".join(parts)


def _verdict_line(known: dict[str, Any]) -> str:
    counts, ledger = known["counts"] or {}, known["ledger"] or {}
    parts = [f"{counts['retries']} retries"] if "retries" in counts else []
    if "bits" in ledger:
        parts.append(f"{ledger['bits']:.1f} of {ledger['cap']:.0f} leak bits told")
    return ", ".join(parts)


def _roles_line(known: dict[str, Any]) -> str:
    """Money by role, where any was spent."""
    spent = {role: values.get("usd") for role, values in known["cost_by_role"].items()}
    if not any(usd != 0 for usd in spent.values()):
        return ""
    parts = [
        f"{role.replace('_', ' ')} {'unknown' if usd is None else f'${usd:.2f}'}"
        for role, usd in spent.items()
        if usd != 0
    ]
    return ", ".join(parts)


def _spent_line(known: dict[str, Any]) -> str:
    parts = []
    costs = known["cost_by_role"]
    roles = known["usage"] or {}
    # Roles that the offline model plays have no tokens; they do not hide those of the others.
    paid = {role: used for role, used in roles.items() if costs.get(role, {}).get("usd") != 0}
    figures = [used.get(key) for used in (paid or roles).values() for key in ("input", "output")]
    if figures:
        counted = [f for f in figures if isinstance(f, int)]
        whole = len(counted) == len(figures)
        parts.append(f"{short(sum(counted))} tokens" if whole else "tokens not counted")
    usd = (known["cost"] or {}).get("usd")
    parts.append("cost unknown" if usd is None else "cost 0" if usd == 0 else f"cost ${usd:.2f}")
    seconds = (known["timings"] or {}).get("seconds")
    if seconds is not None:
        parts.append(clock(seconds))
    return ", ".join(parts)
