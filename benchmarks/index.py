"""The index of many papers, held against the bare engine fed the same rows in the same run.

Papers are grown from the real ones: a title's beginning goes on as another's end, and so do
abstracts; dates are kept. Prints ratios; times alone say more about the machine.

    python benchmarks/index.py --papers 1000000 --shared ../shared/data
"""

from __future__ import annotations

import argparse
import gzip
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
import tantivy

from ideatrail.evidence import engine
from ideatrail.evidence.corpus import Corpus, CorpusWriter
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.index import as_of
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.kept import build_index, collection_of
from ideatrail.evidence.query import parse_query
from ideatrail.evidence.readers import read
from ideatrail.evidence.withheld import NOTHING_WITHHELD, Target, Withheld

SEED = 20260101
FIELDS = (("title", 2.0), ("body", 1.0), ("authors", 0.5))
BATCH = 10_000
HURRY = 10
"""Seconds of searching one after the other."""
HEAP = 600_000_000
"""Bytes that the bare engine's writer gets."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--papers", type=int, default=100_000)
    parser.add_argument("--shared", type=Path, required=True, help="has papers_acl.jsonl.gz")
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--checks", type=int, default=10_000)
    parser.add_argument("--scratch", type=Path, help="kept between runs; default: a temporary one")
    parser.add_argument("--only", help="one step, in a process of its own")
    given = parser.parse_args()
    if given.only:
        print(orjson.dumps(STEPS[given.only](given)).decode())
        return
    with tempfile.TemporaryDirectory() as temporary:
        given.scratch = given.scratch or Path(temporary)
        given.scratch.mkdir(parents=True, exist_ok=True)
        report(given)


def report(given: argparse.Namespace) -> None:
    grown = apart(given, "grow")
    say("corpus written", f"{grown['seconds']:.0f} s, {grown['peak']:.0f} MB at most")
    plain = apart(given, "read")
    bare = apart(given, "bare")
    ours = apart(given, "index")
    say("rows read alone", f"{plain['seconds']:.1f} s")
    say(
        "bare engine", f"{bare['seconds']:.1f} s, {bare['peak']:.0f} MB, {bare['disk']:.0f} on disk"
    )
    say("index", f"{ours['seconds']:.1f} s, {ours['peak']:.0f} MB, {ours['disk']:.0f} on disk")
    say("index / bare", f"{ours['seconds'] / bare['seconds']:.2f}", "at most 2")
    net = bare["seconds"] - plain["seconds"]
    say("... had the bare engine its rows for nothing", f"{ours['seconds'] / net:.2f}")
    found = apart(given, "search")
    say("opened", f"{found['opened']:.2f} s, a view {found['view'] * 1e3:.0f} ms")
    say("... with a target withheld", f"{found['withheld']:.2f} s")
    for name in ("bare", "whole", "cutoff"):
        middle, last = found[name]
        say(f"search, {name}", f"median {middle:.1f} ms, p99 {last:.1f} ms")
    say("median, cutoff / bare", f"{found['cutoff'][0] / found['bare'][0]:.2f}", "at most 2.5")
    say("median, cutoff / no cutoff", f"{found['cutoff'][0] / found['whole'][0]:.2f}")
    say("p99, cutoff / bare", f"{found['cutoff'][1] / found['bare'][1]:.2f}", "at most 2")
    say("memory of a searching process", f"{found['peak']:.0f} MB, {found['own']:.0f} not mapped")
    for step, what in (("hurry", ""), ("bare_hurry", ", bare")):
        one, two = crowd(given, step, 1), crowd(given, step, 2)
        say(f"throughput, two processes / one{what}", f"{two / one:.2f}", "at least 1.7")
    late = apart(given, "check")
    say("results after their cutoff", f"{late['late']} of {late['results']:,}", "0")
    say("... queries, those that found nothing", f"{late['queries']:,}, {late['empty']:,}")


def apart(given: argparse.Namespace, step: str) -> dict[str, Any]:
    """A step in a process of its own: its memory is measured there."""
    done = subprocess.run(command(given, step), capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{step}: {done.stderr.decode()}")
    answer: dict[str, Any] = orjson.loads(done.stdout)
    return answer


def command(given: argparse.Namespace, step: str) -> list[str]:
    options = {n: getattr(given, n) for n in ("papers", "shared", "queries", "checks", "scratch")}
    said = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return [sys.executable, __file__, "--only", step, *said]


def crowd(given: argparse.Namespace, step: str, processes: int) -> float:
    """Searches a second by some processes side by side."""
    running = [
        subprocess.Popen(command(given, step), stdout=subprocess.PIPE) for _ in range(processes)
    ]
    return sum(float(orjson.loads(p.communicate()[0])["rate"]) for p in running)


def peak() -> float:
    """Megabytes that this process or any it started took at most."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(w).ru_maxrss for w in who) / 1e3


def size(folder: Path) -> float:
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e6


def say(what: str, value: str, wanted: str = "") -> None:
    print(f"{what:46} {value}{f'  ({wanted})' if wanted else ''}", flush=True)


def real(shared: Path) -> list[Paper]:
    return list(read(shared / "papers_acl.jsonl.gz", lambda bad: None))


def grow(papers: Sequence[Paper], count: int) -> Iterator[Paper]:
    """`count` papers out of real ones."""
    chance = random.Random(SEED)
    for number in range(count):
        one, other, third = (papers[chance.randrange(len(papers))] for _ in range(3))
        title, text = one.title.split(), other.body[0].split()
        more, rest = third.title.split(), third.body[0].split()
        yield Paper.make(
            id=f"{one.id}.{number}",
            title=" ".join([*title[: len(title) // 2 + 1], *more[len(more) // 2 + 1 :]]),
            body=[" ".join([*text[: len(text) // 2], *rest[len(rest) // 2 :]])],
            authors=other.authors,
            venue=one.venue,
            date=one.date,
            url=f"https://aclanthology.org/{one.id}.{number}/",
            doi=None,
            kind="abstract",
        )


def step_grow(given: argparse.Namespace) -> dict[str, Any]:
    papers = real(given.shared)
    seconds = 0.0
    batch: list[Paper] = []
    with CorpusWriter(given.scratch / "corpus") as writer:

        def put() -> float:
            begun = time.perf_counter()
            writer.add(batch)
            batch.clear()
            return time.perf_counter() - begun

        with gzip.open(given.scratch / "dates.gz", "wb", compresslevel=1) as dates:
            for paper in grow(papers, given.papers):
                dates.write(f"{paper.id}\t{paper.date}\n".encode())
                batch.append(paper)
                if len(batch) == BATCH:
                    seconds += put()
        seconds += put()
        begun = time.perf_counter()
        writer.finish()
        seconds += time.perf_counter() - begun
    return {"seconds": seconds, "peak": peak()}


def rows(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The corpus's rows, as little worked on as can be."""
    opened = Corpus.open(given.scratch / "corpus").segments
    for part in opened.parts if opened else ():
        for line in part.papers.lines():
            row = orjson.loads(line)
            yield {
                "title": row["title"],
                "body": "\n".join(row["body"]),
                "authors": "\n".join(row["authors"]),
                "names": [row["id"], *row["aliases"]],
            }


def step_read(given: argparse.Namespace) -> dict[str, Any]:
    begun = time.perf_counter()
    for _ in rows(given):
        pass
    return {"seconds": time.perf_counter() - begun}


def schema() -> Any:
    builder = tantivy.SchemaBuilder()
    for name, _ in FIELDS:
        builder.add_text_field(name, tokenizer_name=engine.ANALYZER)
    builder.add_text_field("names", tokenizer_name="raw", index_option="basic")
    return builder.build()


def step_bare(given: argparse.Namespace) -> dict[str, Any]:
    out = given.scratch / "bare"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    index = tantivy.Index(schema(), path=str(out))
    engine.register(index)
    begun = time.perf_counter()
    writer = index.writer(HEAP, 2)
    for row in rows(given):
        writer.add_document(tantivy.Document(**row))
    writer.commit()
    writer.wait_merging_threads()
    return {"seconds": time.perf_counter() - begun, "peak": peak(), "disk": size(out)}


def step_index(given: argparse.Namespace) -> dict[str, Any]:
    corpus = Corpus.open(given.scratch / "corpus")
    if corpus.segments is None:
        sys.exit("the corpus is no large one")
    for place in (given.scratch / "corpus").glob("segments/*/index-*"):
        shutil.rmtree(place)
    for place in (given.scratch / "corpus").glob("works-*"):
        shutil.rmtree(place)
    begun = time.perf_counter()
    build_index(corpus.segments)
    collection_of(corpus)
    seconds = time.perf_counter() - begun
    disk = sum(size(p) for p in (given.scratch / "corpus").glob("segments/*/index-*"))
    return {"seconds": seconds, "peak": peak(), "disk": disk}


def asked(given: argparse.Namespace, count: int, seed: int) -> Iterator[tuple[str, Cutoff]]:
    """Queries as people type them, of words of real titles, and cutoffs."""
    papers, chance = real(given.shared), random.Random(seed)
    cutoffs = [Cutoff.parse(f"{y}-{m:02}-28") for y in range(2017, 2026) for m in (2, 6, 11)]
    for _ in range(count):
        said = chance.choice(papers).title.split()
        start = chance.randrange(max(1, len(said) - 2))
        yield " ".join(said[start : start + 2 + chance.randrange(5)]), chance.choice(cutoffs)


def tree(held: Any, query: str) -> Any:
    parsed = parse_query(query)
    return engine.either(
        [
            engine.boost(engine.term(held, field, token), weight)
            for token in (*parsed.terms, *(t for p in parsed.phrases for t in p))
            for field, weight in FIELDS
        ]
    )


def step_search(given: argparse.Namespace) -> dict[str, Any]:
    bare = tantivy.Index.open(str(given.scratch / "bare"))
    engine.register(bare)
    searcher = bare.searcher()
    begun = time.perf_counter()
    corpus = Corpus.open(given.scratch / "corpus")
    as_of(corpus, Cutoff.parse("1990-01-01"), NOTHING_WITHHELD)
    opened = time.perf_counter() - begun
    last = as_of(corpus, Cutoff.parse("2999-01-01"), NOTHING_WITHHELD)
    times: dict[str, list[float]] = {"bare": [], "whole": [], "cutoff": [], "view": []}

    def timed(name: str, call: Any) -> Any:
        start = time.perf_counter()
        value = call()
        times[name].append((time.perf_counter() - start) * 1e3)
        return value

    for count, (query, cutoff) in enumerate(asked(given, given.queries + 50, SEED)):
        view = timed("view", lambda c=cutoff: as_of(corpus, c, NOTHING_WITHHELD))
        timed("bare", lambda q=query: searcher.search(tree(bare.schema, q), 10, count=False))
        timed("whole", lambda q=query: last.search(q, 10))
        timed("cutoff", lambda q=query, v=view: v.search(q, 10))
        if count == 50:  # what comes first opens files
            for held in times.values():
                held.clear()
    target = Target(titles=(real(given.shared)[777].title,), ids=("P17-9999",))
    begun = time.perf_counter()
    as_of(corpus, Cutoff.parse("2021-06-30"), Withheld.of(target))
    withheld = time.perf_counter() - begun
    answer: dict[str, Any] = {"opened": opened, "withheld": withheld, "peak": peak()}
    answer["view"] = max(times.pop("view")) / 1e3
    status = Path("/proc/self/status").read_text()
    own = [line for line in status.splitlines() if line.startswith("RssAnon")]
    answer["own"] = int(own[0].split()[1]) / 1e3 if own else 0.0
    for name, held in times.items():
        answer[name] = [statistics.median(held), sorted(held)[int(len(held) * 0.99)]]
    return answer


def step_hurry(given: argparse.Namespace) -> dict[str, Any]:
    corpus = Corpus.open(given.scratch / "corpus")
    queries = list(asked(given, 300, SEED + 1))
    views = {n: as_of(corpus, c, NOTHING_WITHHELD) for n, (_, c) in enumerate(queries[:8])}
    held = list(views.values())
    return hurry([lambda q=q, n=n: held[n % 8].search(q) for n, (q, _) in enumerate(queries)])


def step_bare_hurry(given: argparse.Namespace) -> dict[str, Any]:
    bare = tantivy.Index.open(str(given.scratch / "bare"))
    engine.register(bare)
    searcher = bare.searcher()
    trees = [tree(bare.schema, query) for query, _ in asked(given, 300, SEED + 1)]
    return hurry([lambda t=t: searcher.search(t, 10, count=False) for t in trees])


def hurry(calls: list[Any]) -> dict[str, Any]:
    """Calls a second, over and over, once all have been made before."""
    for call in calls:
        call()
    begun, count = time.perf_counter(), 0
    while time.perf_counter() - begun < HURRY:
        calls[count % len(calls)]()
        count += 1
    return {"rate": count / (time.perf_counter() - begun)}


def step_check(given: argparse.Namespace) -> dict[str, Any]:
    """Dates of results, read from where the papers were made."""
    with gzip.open(given.scratch / "dates.gz", "rt") as lines:
        dates = dict(line.rstrip("\n").split("\t") for line in lines)
    corpus = Corpus.open(given.scratch / "corpus")
    early = [Cutoff.parse(d) for d in ("2015-12-31", "2016-02-10", "2016-03-31", "2016-05-31")]
    late = results = empty = 0
    for number, (query, cutoff) in enumerate(asked(given, given.checks, SEED + 2)):
        cutoff = early[number // 4 % 4] if number % 4 == 0 else cutoff
        hits = as_of(corpus, cutoff, NOTHING_WITHHELD).search(query, 10)
        results += len(hits)
        empty += not hits
        late += sum(last_day(dates[hit.paper.id]) > cutoff.day for hit in hits)
    return {"late": late, "results": results, "queries": given.checks, "empty": empty}


def last_day(date: str) -> str:
    """The last day of a year or a year and month, give or take: enough to compare."""
    return {4: f"{date}-12-31", 7: f"{date}-28"}.get(len(date), date)


STEPS = {
    "grow": step_grow,
    "read": step_read,
    "bare": step_bare,
    "index": step_index,
    "search": step_search,
    "hurry": step_hurry,
    "bare_hurry": step_bare_hurry,
    "check": step_check,
}


if __name__ == "__main__":
    main()
