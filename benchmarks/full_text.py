"""Runs trails over whole papers in a local web archive and prints how long they get.

    PYWB=/path/to/its/environment python benchmarks/full_text.py \\
        --papers ../shared/data/papers_acl_small.jsonl.gz \\
        --proposals ../shared/data/proposals --out /tmp/full_text

A text of 30,000 characters and more is made for each of `--count` real papers, out of its own
abstract and sentences of earlier ones near it, by turns as HTML and as PDF. pywb plays them
from WARC files, and default trails read them under what the index says of the papers. A tenth of
the pages has a later capture with a mark in it, which no trail may show.

With run folders or .jsonl files as arguments, only measures those.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import orjson

# The auditor's own reading of a record, the server of the tests, and their maker of pages.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/evidence/sources"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/evidence/pages"))

from independent import shape
from pywb_server import Pywb, Stored, missing, serving, write_warc
from typeset import html_paper, pdf_paper

from ideatrail.evidence.corpus import Corpus, build
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.index import as_of
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.readers import read
from ideatrail.evidence.urls import canonical
from ideatrail.evidence.withheld import NOTHING_WITHHELD
from ideatrail.models import tokens
from ideatrail.run.job import run_trail
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings
from ideatrail.trail.text import content_stems, sentences

CUTOFF = "2025-01-01"
"""Before the later captures, after most papers."""
LATER = datetime(2025, 6, 1, tzinfo=UTC)
MARK = "ZQ7LATER9"
LENGTH = 31_000
"""Characters of a paper at least, its headings left out."""
NEAR = 60
"""Papers whose sentences one text is made of."""
PROPOSALS = (
    "novi_human_idea.txt",
    "novi_plan_chain_of_verification_prompting.md",
    "novi_human_plan_2.txt",
    "novi_plan_step_back_prompting.md",
    "mlr_iclr2025_question_claude.md",
    "mlr_iclr2025_dl4c_gemini.md",
    "mlr_iclr2025_buildingtrust_o4.md",
    "mlr_iclr2025_llm_reason_and_plan_deepseek.md",
)
AIM_TOKENS = 64_000
AIM_REPEATED = 0.15


@dataclass(frozen=True)
class Measure:
    """The figures of one trail. Tokens are o200k_base's."""

    text: int
    """Tokens of all that messages say: content, reasoning, arguments of calls."""
    record: int
    """Tokens of the whole line: keys, metadata and tool definitions with it."""
    views: float
    """Share of View calls that showed nothing but what was shown before from that file."""
    full: int
    """Scrapes that gave more than one call shows."""
    marks: int
    """Times that the later captures' mark was shown."""


def measure(record: dict[str, Any]) -> Measure:
    """The figures of one record."""
    said = [
        part
        for m in record["messages"]
        for part in (
            m.get("content") or "",
            m.get("reasoning_content") or "",
            *(c["function"]["arguments"] for c in m.get("tool_calls") or ()),
        )
    ]
    line = orjson.dumps(record).decode()
    return Measure(
        text=sum(map(tokens.count, said)),
        record=tokens.count(line),
        views=shape(record)["views_repeated"],
        full=sum("(The text goes on: View " in part for part in said),
        marks=line.count(MARK),
    )


def records(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """The records of run folders and JSONL files."""
    for path in paths:
        file = path / "trajectory.jsonl" if path.is_dir() else path
        for line in file.read_bytes().split(b"\n"):
            if line.strip():
                yield orjson.loads(line)


def report(measures: Sequence[Measure]) -> bool:
    """Print the table; whether all aims are reached."""
    exact = "" if tokens.exact() else " (estimated: o200k_base's ranks are not here)"
    rows = (
        ("tokens of the messages", [m.text for m in measures], "{:,.0f}"),
        ("tokens of the record", [m.record for m in measures], "{:,.0f}"),
        ("Views of what was shown before", [m.views * 100 for m in measures], "{:.1f}%"),
        ("whole papers scraped", [m.full for m in measures], "{:.0f}"),
        ("later captures shown", [m.marks for m in measures], "{:.0f}"),
    )
    print(f"\n{len(measures)} trail(s){exact}\n\n{'':32}{'median':>10}{'least':>10}{'most':>10}")
    for name, values, form in rows:
        three = (median(values), min(values), max(values))
        print(f"{name:32}" + "".join(f"{form.format(v):>10}" for v in three))
    reached = (
        median(m.text for m in measures) >= AIM_TOKENS,
        median(m.views for m in measures) <= AIM_REPEATED,
        not any(m.marks for m in measures),
    )
    for done, aim in zip(
        reached,
        (
            f"median of {AIM_TOKENS:,} tokens of messages",
            f"at most {AIM_REPEATED:.0%} of Views repeated",
            "no later capture shown",
        ),
        strict=True,
    ):
        print(f"{'reached' if done else 'MISSED':8} {aim}")
    return all(reached)


def choose(papers: Sequence[Paper], proposals: Sequence[Path], count: int) -> list[Paper]:
    """The papers that the proposals' words find, as evenly as can be, then others by chance."""
    index = as_of(Corpus.of(papers), Cutoff.parse(CUTOFF), NOTHING_WITHHELD)
    lists = [[r.paper for part in _parts(p) for r in index.search(part, 30)] for p in proposals]
    chosen: dict[str, Paper] = {}
    for rank in range(max(map(len, lists), default=0)):
        for found in lists:
            if rank < len(found) and len(chosen) < count:
                chosen.setdefault(found[rank].id, found[rank])
    rest = [p for p in papers if p.id not in chosen and p.shown is not None]
    random.Random(1).shuffle(rest)
    for paper in rest[: count - len(chosen)]:
        chosen[paper.id] = paper
    return sorted(chosen.values(), key=lambda p: p.order)


def _parts(proposal: Path) -> list[str]:
    """A proposal's paragraphs, as queries."""
    text = proposal.read_text(encoding="utf-8", errors="replace")
    return [part for part in text.split("\n") if len(part.split()) >= 12][:12]


def pools(papers: Sequence[Paper]) -> Iterator[list[str]]:
    """Sentences for each paper's text: those of earlier papers that share most of its title."""
    by_stem: dict[str, list[int]] = defaultdict(list)
    stems = [sorted(set(content_stems(p.title))) for p in papers]
    for at, own in enumerate(stems):
        for stem in own:
            by_stem[stem].append(at)
    said = [[s for b in p.body for s in sentences(b) if len(s) > 40] for p in papers]
    for at, paper in enumerate(papers):
        shared: dict[int, float] = defaultdict(float)
        for stem in stems[at]:
            for other in by_stem[stem]:
                shared[other] += 1 / len(by_stem[stem])
        rng = random.Random(paper.id)
        others = list(range(len(papers)))
        rng.shuffle(others)
        others.sort(key=lambda other: -shared[other])
        near = [o for o in others if o != at and _earlier(papers[o], paper)][:NEAR]
        yield [s for other in near or [at] for s in said[other]]


def _earlier(one: Paper, other: Paper) -> bool:
    return (
        one.shown is not None and other.shown is not None and one.shown.latest <= other.shown.latest
    )


def captures(papers: Sequence[Paper]) -> Iterator[Stored]:
    """The pages of papers, each captured a month after it came out, and some once more later."""
    for number, (paper, pool) in enumerate(zip(papers, pools(papers), strict=True)):
        if paper.shown is None:
            continue
        yield _page(paper, number, pool, paper.shown.latest + timedelta(days=30))
        if number % 10 == 0:
            marked = [f"{MARK} {sentence}" for sentence in pool]
            yield _page(paper, number // 10, marked, LATER + timedelta(minutes=number))


def _page(paper: Paper, number: int, pool: list[str], moment: datetime) -> Stored:
    """An HTML page for an even number, else a PDF."""
    date = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    address = canonical(paper.url)
    seed, abstract = len(paper.title), " ".join(paper.body)
    if number % 2:
        made = pdf_paper(
            seed, LENGTH, title=paper.title, authors=paper.authors, abstract=abstract,
            sentences=pool,
        )  # fmt: skip
        address = f"{address}.pdf"
    else:
        made = html_paper(
            seed, LENGTH, title=paper.title, authors=paper.authors, abstract=abstract,
            sentences=pool, date=paper.date,
        )  # fmt: skip
    return Stored(address, date, made.body, headers=[("Content-Type", made.content_type)])


def run_all(
    proposals: Sequence[Path], server: Pywb, corpus: Path, out: Path, seed: int
) -> list[Path]:
    """Run a default trail for each proposal; the folders of those that ended."""
    shared = Shared()
    folders: list[Path] = []
    for proposal in proposals:
        started = time.monotonic()
        settings = Settings(
            proposal=str(proposal),
            corpus=corpus,
            out=out / "trails",
            cutoff=CUTOFF,
            seed=seed,
            sources=("index", "archive"),
            source_urls={"archive": server.url},
            allow_hosts=(server.place,),
        )

        async def one(settings: Settings = settings) -> Any:
            try:
                return await run_trail(settings, shared=shared)
            finally:
                await shared.aclose()

        result = asyncio.run(one())
        seconds = time.monotonic() - started
        reasons = ", ".join(r["code"] for r in result.reasons)
        print(f"{proposal.name}: {result.outcome} {reasons or result.endpoint} {seconds:.0f} s")
        sys.stdout.flush()
        if (result.folder / "trajectory.jsonl").exists():
            folders.append(result.folder)
    return folders


def main() -> int:
    """Parse arguments, build, run, report; 1 where an aim is missed, 2 where nothing can run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("finished", type=Path, nargs="*", help="run folders or .jsonl files")
    parser.add_argument("--papers", type=Path)
    parser.add_argument("--proposals", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--count", type=int, default=300, help="papers with whole texts")
    parser.add_argument("--first", type=int, default=len(PROPOSALS), help="proposals to run")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.finished:
        return int(not report([measure(r) for r in records(arguments.finished)]))
    if not (arguments.papers and arguments.proposals and arguments.out):
        parser.error("give --papers, --proposals and --out, or finished trails")
    if missing():
        sys.stderr.write(f"{missing()}\n")
        return 2
    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    proposals = [arguments.proposals / name for name in PROPOSALS[: arguments.first]]

    started = time.monotonic()
    papers = choose(list(read(arguments.papers, _told)), proposals, arguments.count)
    _keep(arguments.papers, {p.id for p in papers}, out / "papers.jsonl")
    build([out / "papers.jsonl"], out / "corpus")
    write_warc(out / "papers.warc.gz", captures(papers))
    size = (out / "papers.warc.gz").stat().st_size / 2**20
    print(f"{len(papers)} papers, {size:.0f} MiB, in {time.monotonic() - started:.0f} s")
    with serving(out / "server", out / "papers.warc.gz") as server:
        folders = run_all(proposals, server, out / "corpus", out, arguments.seed)
    return int(not report([measure(r) for r in records(folders)]))


def _told(fault: object) -> None:
    sys.stderr.write(f"{fault}\n")


def _keep(source: Path, ids: set[str], file: Path) -> None:
    """The lines of the papers chosen, as they are."""
    lines = gzip.decompress(source.read_bytes()).split(b"\n")
    kept = [line for line in lines if line.strip() and orjson.loads(line)["id"] in ids]
    file.write_bytes(b"\n".join(kept) + b"\n")


if __name__ == "__main__":
    raise SystemExit(main())
