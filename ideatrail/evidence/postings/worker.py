"""Work on one segment in a process of its own: `python -m ideatrail.evidence.postings.worker`.

Interpreters are started afresh: a fork would copy other threads' locks, and a spawned pool would
run the caller's main module again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import orjson

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings import arrays
from ideatrail.evidence.postings.grams import gram_table
from ideatrail.evidence.postings.invert import invert
from ideatrail.evidence.postings.papers import PaperFile
from ideatrail.evidence.postings.spill import unspill
from ideatrail.evidence.postings.stored import write_segment

PROCESSES: Final = min(2, os.cpu_count() or 1)


def store(spilled: str, heaps: Sequence[int], out: str) -> dict[str, Any]:
    """Writes a segment from heaps; what it came to."""
    dropped = 0

    def papers() -> Iterator[Paper]:
        nonlocal dropped
        for kept, gone in unspill(Path(spilled), heaps):
            dropped += gone
            yield from kept

    digest, tally = write_segment(Path(out), papers())
    tally.duplicates = dropped
    return {"hash": digest, **tally.row()}


def index(segment: str, papers: int, out: str) -> dict[str, Any]:
    """Builds the postings of a segment on disk into an empty folder."""
    arrays.save(Path(out), invert(PaperFile(Path(segment), papers)))
    return {}


def titles(segment: str, papers: int, out: str) -> dict[str, Any]:
    """Builds the table of titles of a segment on disk into an empty folder."""
    arrays.save(Path(out), gram_table(PaperFile(Path(segment), papers)))
    return {}


JOBS: Final[dict[str, Callable[..., dict[str, Any]]]] = {
    "store": store,
    "index": index,
    "titles": titles,
}


def run(jobs: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """The answers to jobs (name, arguments), in their order; as many at once as there are cores.

    A single job is done here. Raises RuntimeError where a process fails.
    """
    if len(jobs) == 1 or PROCESSES == 1:
        return [JOBS[name](**given) for name, given in jobs]
    waiting = list(enumerate(jobs))[::-1]
    answers: dict[int, dict[str, Any]] = {}
    with ThreadPoolExecutor(PROCESSES) as pool:
        for done in [pool.submit(_apart, waiting, answers) for _ in range(PROCESSES)]:
            done.result()
    return [answers[number] for number in range(len(jobs))]


def _apart(
    waiting: list[tuple[int, tuple[str, dict[str, Any]]]], answers: dict[int, dict[str, Any]]
) -> None:
    """Has one process do jobs until none waits."""
    package = Path(__file__).resolve().parents[3]
    path = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH")]))
    with (
        tempfile.TemporaryFile() as told,
        subprocess.Popen(
            [sys.executable, "-m", "ideatrail.evidence.postings.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=told,
            env={**os.environ, "PYTHONPATH": path},
        ) as process,
    ):
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("a worker has no pipes")
        try:
            while waiting:
                number, job = waiting.pop()
                process.stdin.write(orjson.dumps(job) + b"\n")
                process.stdin.flush()
                line = process.stdout.readline()
                if not line.endswith(b"\n"):
                    break
                answers[number] = orjson.loads(line)
        except BrokenPipeError:
            pass  # the process ended; what it said last is told below
        except BaseException:
            process.kill()
            raise
        process.stdin.close()
        if process.wait():
            waiting.clear()
            told.seek(0)
            last = told.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise RuntimeError(f"a worker ended with {process.returncode}: {last}")


def main() -> None:
    for line in sys.stdin.buffer:
        name, given = orjson.loads(line)
        sys.stdout.buffer.write(orjson.dumps(JOBS[name](**given)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
