"""Runs every idea of a folder of real proposals to its end and reports how it went.

    python benchmarks/real_proposals.py --proposals ../shared/data/proposals \\
        --papers ../shared/data/papers_acl_small.jsonl.gz --out /tmp/real

Two worker processes; a killed benchmark goes on where it was (each trail resumes by itself, and
finished ones are only read). `--only N` takes a fixed, spread choice of N ideas.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ideatrail.evidence.corpus import CorpusError, build
from ideatrail.nodes.rooms import InputRefused
from ideatrail.proposals.source import ProposalError, list_ideas
from ideatrail.run.inputs import RunRefused
from ideatrail.run.job import run_trail
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings

RESEARCH = {
    # English research proposals and plans on language processing or machine learning, by file.
    # Left out: requests for proposals (pl_rfp_*), grants for software and programme texts (fil_*,
    # w3f_*), RFCs and enhancement proposals (rfc_*, slep001), a workshop call
    # (sakana2_icbinb_workshop), an observing proposal (hi_astronomy_proposal), an epidemiology
    # code file (sakana_seir_ideas), and the ARC-Bench lists outside machine learning.
    "novi_human_idea.txt",
    "novi_machine_idea.txt",
    "novi_human_plan_1.txt",
    "novi_human_plan_2.txt",
    "novi_human_plan_3.txt",
    "novi_human_plan_4.txt",
    "novi_plan_according_to_prompting.md",
    "novi_plan_step_back_prompting.md",
    "novi_plan_analogical_prompting.md",
    "novi_plan_self_refinement_prompting.md",
    "novi_plan_selective_attention_prompting.md",
    "novi_plan_chain_of_verification_prompting.md",
    "sakana_nanogpt_ideas.json",
    "trace_topology.md",
    "mlr_iclr2025_question_claude.md",
    "mlr_iclr2025_buildingtrust_o4.md",
    "mlr_iclr2025_bi_align_deepseek.md",
    "mlr_iclr2025_dl4c_gemini.md",
    "mlr_iclr2025_llm_reason_and_plan_deepseek.md",
    "mlr_iclr2025_verifai_ministral.md",
    "mlr_iclr2025_data_problems_qwen3.md",
    "mlr_iclr2025_wmark_o4.md",
    "mlr_iclr2023_nf_qwen3.md",
    "codescientist_ideas_8.json",
    "codescientist_action_transfer_textworld.md",
    "arcbench_ml_topics.yaml",
    "variant_bom_crlf_novi_human_idea.md",
}

FIXED_EIGHT = [
    "novi_human_idea.txt",
    "novi_plan_chain_of_verification_prompting.md",
    "novi_human_plan_2.txt",
    "mlr_iclr2025_question_claude.md",
    "mlr_iclr2025_dl4c_gemini.md",
    "codescientist_ideas_8.json#3",
    "w3f_plibra.md",
    "hi_astronomy_proposal.md",
]
"""What CI runs: tidy and messy, short and long, two of another class."""

CUTOFF = "2025-06-30"
"""For proposals that state no date of their own. After most of the 5,000 papers."""


@dataclass
class Row:
    """How one idea ended."""

    idea: str
    research: bool
    ending: str
    endpoint: str | None = None
    reasons: list[str] | None = None
    score: float | None = None
    grounding: float | None = None
    naturalness: float | None = None
    retries: int = 0
    calls: int = 0
    bits: float = 0.0
    seconds: float = 0.0
    sample_id: str = ""
    why: str = ""


_shared = Shared()


def run_one(idea: str, corpus: str, out: str, seed: int, turns: int) -> Row:
    """One idea in a worker process."""
    started = time.monotonic()
    research = Path(idea.split("#")[0]).name in RESEARCH
    name = Path(idea).name
    settings = Settings(
        proposal=idea, corpus=Path(corpus), out=Path(out), seed=seed, cutoff=CUTOFF, turns=turns
    )
    try:
        result = asyncio.run(run_trail(settings, shared=_shared))
    except (ProposalError, InputRefused, RunRefused, CorpusError) as error:
        return Row(name, research, "refused", why=str(error))
    except Exception:  # noqa: BLE001 - a benchmark counts every exception as a defect
        return Row(name, research, "exception", why=traceback.format_exc())
    manifest = result.manifest
    metrics: dict[str, Any] = manifest.get("metrics", {})
    return Row(
        name,
        research,
        result.outcome,
        result.endpoint,
        [r["code"] for r in result.reasons],
        metrics.get("convergence"),
        metrics.get("grounding"),
        metrics.get("naturalness"),
        manifest["counts"].get("retries", 0),
        manifest["counts"].get("calls", 0),
        round(manifest.get("ledger", {}).get("bits", 0.0), 2),
        round(time.monotonic() - started, 1),
        result.sample_id,
    )


def ideas_of(folder: Path) -> list[str]:
    """Every idea in every proposal file, in order of name."""
    found: list[str] = []
    for path in sorted(folder.iterdir()):
        if path.name == "index.jsonl" or path.is_dir():
            continue
        fragments = list_ideas(path)
        found += [str(path)] if len(fragments) < 2 else [f"{path}#{f}" for f in fragments]
    return found


def report(rows: list[Row]) -> None:
    """Print the tables."""
    for title, chosen in (
        ("research proposals on NLP and ML", [r for r in rows if r.research]),
        ("all others", [r for r in rows if not r.research]),
    ):
        if not chosen:
            continue
        endings = Counter(
            f"accepted as {r.endpoint}" if r.ending == "accepted" else r.ending for r in chosen
        )
        accepted = sum(r.ending == "accepted" for r in chosen)
        print(f"\n{title}: {len(chosen)} ideas, {accepted} accepted ({accepted / len(chosen):.0%})")
        for ending, count in endings.most_common():
            print(f"  {ending:<24}{count:>4}")
        codes = Counter(c for r in chosen if r.ending == "rejected" for c in r.reasons or ())
        for code, count in codes.most_common():
            print(f"    rejected for {code:<18}{count:>4}")
    bits = sorted(r.bits for r in rows if r.bits)
    if bits:
        at = [bits[min(len(bits) - 1, int(q * len(bits)))] for q in (0.05, 0.5, 0.95, 1.0)]
        print(f"\nleak ledger, bits: 5% {at[0]}, median {at[1]}, 95% {at[2]}, most {at[3]}")
    times = sorted(r.seconds for r in rows if r.calls)
    if times:
        print(f"\nseconds a trail: median {times[len(times) // 2]}, longest {times[-1]}")
    for row in rows:
        if row.ending in ("exception", "refused"):
            print(f"  {row.ending}: {row.idea}: {row.why.strip().splitlines()[-1]}")


def main() -> int:
    """Parse arguments, run, report; 1 where anything raised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--proposals", type=Path, required=True)
    parser.add_argument("--papers", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--eight", action="store_true", help="only the eight that CI runs")
    parser.add_argument("--match", default="", help="only ideas whose name holds this")
    arguments = parser.parse_args()
    corpus = arguments.out / "corpus"
    if not (corpus / "corpus.json").exists():
        arguments.out.mkdir(parents=True, exist_ok=True)
        build([arguments.papers], corpus)
    ideas = ideas_of(arguments.proposals)
    if arguments.eight:
        ideas = [str(arguments.proposals / name) for name in FIXED_EIGHT]
    ideas = [i for i in ideas if arguments.match in i]
    rows: list[Row] = []
    with ProcessPoolExecutor(arguments.workers, mp_context=get_context("spawn")) as pool:
        jobs = [
            pool.submit(
                run_one, i, str(corpus), str(arguments.out), arguments.seed, arguments.turns
            )
            for i in ideas
        ]
        for done, job in enumerate(as_completed(jobs), start=1):
            row = job.result()
            rows.append(row)
            ending = row.endpoint or ",".join(row.reasons or ()) or row.why[-80:].strip()
            print(f"{done}/{len(ideas)} {row.ending} ({ending}) {row.idea} {row.seconds}s")
            sys.stdout.flush()
            rows.sort(key=lambda r: r.idea)
            (arguments.out / "rows.json").write_text(
                json.dumps([asdict(r) for r in rows], indent=1)
            )
    report(rows)
    return int(any(r.ending == "exception" for r in rows))


if __name__ == "__main__":
    raise SystemExit(main())
