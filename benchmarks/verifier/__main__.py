"""Injects faults of every kind into clean trails and reports recall, false alarms and layers.

    python -m benchmarks.verifier --proposals ../shared/data/proposals \\
        --papers ../shared/data/papers_acl_small.jsonl.gz --out /tmp/faults

The clean trails are made on the first call and kept in `--out`. Two worker processes.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import orjson

from benchmarks.verifier import clean, report, speed, worker
from benchmarks.verifier.injections import Shot, draw
from benchmarks.verifier.operators import OPERATORS
from benchmarks.verifier.site import Clean


def main() -> int:
    """Parse arguments, make trails, inject, judge, report; 1 where a rule-decidable fault passed
    or an innocent twin did not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--proposals", type=Path, required=True)
    parser.add_argument("--papers", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--trails", type=int, default=30)
    parser.add_argument("--each", type=int, default=60, help="injections of each operator")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="only operators whose name or code holds this")
    parser.add_argument("--missed", type=int, default=3, help="misses to print of each operator")
    parser.add_argument(
        "--embedding-model", type=Path, help="a sentence encoder, for what is said in other words"
    )
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument("--no-speed", action="store_true")
    given = parser.parse_args()
    clean.make(given.proposals, given.papers, given.out, given.trails, told=_progress)
    cleans = clean.load_all(given.out, given.trails)
    chosen = [o for o in OPERATORS if given.only in o.name or given.only == o.code]
    drawn = draw(chosen, cleans, given.each, given.seed)
    _progress(f"{sum(map(len, drawn.values()))} injections into {len(cleans)} trails")
    rng = random.Random(given.seed)
    shots: list[Shot] = []
    # Papers are found through the corpus in each worker; a trail travels without them.
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        jobs = []
        for one in cleans:
            other = rng.choice([c for c in cleans if c is not one])
            light = [_light(c) for c in (one, other)]
            jobs.append(
                pool.submit(
                    worker.judge,
                    given.out / "corpus",
                    light[0],
                    drawn[one.name],
                    light[1],
                    given.embedding_model,
                )
            )
        for number, job in enumerate(jobs, 1):
            shots += job.result()
            _progress(f"judged {number} of {len(jobs)} trails")
    lines = report.lines_of(chosen, shots)
    print(f"{len(cleans)} accepted trails, {sum(len(c.trail.turns) for c in cleans)} turns")
    print(report.told(lines, given.missed))
    print(_innocent(shots, given.missed))
    if not given.no_speed:
        print(speed.told(given.out))
    if given.json:
        given.json.write_bytes(orjson.dumps(report.as_json(lines), option=orjson.OPT_INDENT_2))
    failed = [x for x in lines if x.missed and not x.operator.subtle]
    return int(bool(failed))


def _light(one: Clean) -> Clean:
    return Clean(one.name, one.trail, one.oracle, one.titles, one.cutoff, ())


def _innocent(shots: Sequence[Shot], shown: int) -> str:
    """Alarms on turns that nobody changed. What another proposal's oracle says of drift is true,
    so only its leaks count."""
    out = []
    for name, codes in (
        ("clean turn", None),
        ("another proposal's oracle", {"oracle_leakage", "causal_order"}),
    ):
        mine = [s for s in shots if s.operator == name]
        alarms = [s for s in mine if s.codes and (codes is None or codes & set(s.codes))]
        low, high = report.interval(len(alarms), len(mine))
        out.append(
            f"  alarms, {name:<32} {len(alarms):>5} of {len(mine):<6} "
            f"{len(alarms) / max(1, len(mine)):8.3%} [{low:.3%}, {high:.3%}]"
        )
        out += [f"    {s.trail} turn {s.turn}: {s.told[:300]}" for s in alarms[:shown]]
    return "\n".join(out)


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
