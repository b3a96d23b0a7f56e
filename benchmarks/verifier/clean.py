"""Clean trails for the faults to be put into: accepted runs over real proposals.

Cutoffs differ, so that the index holds later papers; gamma is low for every other run, so that half
of the trails go on to a proposal.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import orjson

from benchmarks.verifier.site import Clean
from ideatrail.evidence.corpus import Corpus, build
from ideatrail.inspect.verify import Advisor
from ideatrail.nodes.rooms import InputRefused
from ideatrail.proposals.error import ProposalError
from ideatrail.proposals.source import list_ideas
from ideatrail.records.reader import read
from ideatrail.records.trails import to_trail
from ideatrail.run.inputs import RunRefused
from ideatrail.run.job import run_trail
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings

CUTOFFS = ("2023-12-31", "2024-06-30", "2022-12-31")
GAMMAS = (0.5, 0.12)
FAMILIES = ("novi_", "mlr_", "codescientist_", "trace_topology")
"""Proposals on language processing and machine learning, by the beginnings of their names."""

_shared = Shared()


def make(
    proposals: Path, papers: Path, out: Path, most: int, *, told: Callable[[str], None]
) -> None:
    """Run up to `most` proposals to their end under `out`, two at a time; finished ones stay."""
    if not (out / "corpus" / "corpus.json").exists():
        out.mkdir(parents=True, exist_ok=True)
        build([papers], out / "corpus")
    ideas: list[str] = []
    for path in sorted(proposals.iterdir()):
        if path.name.startswith(FAMILIES):
            keys = list_ideas(path)
            ideas += [str(path)] if len(keys) < 2 else [f"{path}#{k}" for k in keys[:3]]
    jobs = list(enumerate(ideas[:: max(1, len(ideas) // most)][:most]))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        running = [pool.submit(_run, n, idea, str(out)) for n, idea in jobs]
        for done, job in enumerate(as_completed(running), 1):
            told(f"trail {done} of {len(jobs)}: {job.result()}")


def _run(number: int, idea: str, out: str) -> str:
    settings = Settings(
        proposal=idea,
        corpus=Path(out) / "corpus",
        out=Path(out),
        cutoff=CUTOFFS[number % len(CUTOFFS)],
        gamma=GAMMAS[number % len(GAMMAS)],
    )
    try:
        result = asyncio.run(run_trail(settings, shared=_shared))
    except (ProposalError, InputRefused, RunRefused) as error:
        return f"refused: {error}"
    return f"{result.outcome} {result.endpoint or ''}"


def load(folder: Path, corpus: Corpus) -> Clean | None:
    """The trail of a run's folder; None where it was not accepted."""
    manifest = folder / "manifest.json"
    if not manifest.is_file():
        return None
    told = orjson.loads(manifest.read_bytes())
    if told.get("outcome") != "accepted":
        return None
    row = next(read(folder / "trajectory.jsonl"))
    advisor = Advisor.read(folder / "advisor")
    return Clean(
        name=folder.name,
        trail=to_trail(row.raw),
        oracle=advisor.oracle,
        titles=advisor.titles,
        cutoff=str(told["cutoff"])[:10],
        papers=corpus.papers,
    )


def load_all(folder: Path, most: int) -> list[Clean]:
    """Up to `most` clean trails of the runs in `folder`, evenly spread over their names; the index
    that they searched is `folder/corpus`."""
    corpus = Corpus.open(folder / "corpus")
    found = [
        path
        for path in sorted(folder.iterdir())
        if (path / "manifest.json").is_file()
        and json.loads((path / "manifest.json").read_text("utf-8")).get("outcome") == "accepted"
    ]
    step = max(1, len(found) // most)
    return [clean for path in found[::step][:most] if (clean := load(path, corpus)) is not None]
