"""`ideatrail corpus`: builds a paper index from files, tells what is in it, and searches it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import orjson
import typer

from ideatrail.cli.errors import REFUSED, boundary, say
from ideatrail.evidence.corpus import (
    PAPERS,
    About,
    Corpus,
    CorpusError,
    Reader,
    append,
    build,
    read_about,
)
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.postings.about import FORMAT
from ideatrail.evidence.postings.kept import build_index
from ideatrail.evidence.postings.writer import replaceable
from ideatrail.evidence.readers import BadLine, expand, holds_abstracts
from ideatrail.evidence.staging import Staging, staging_of
from ideatrail.evidence.world import Hit, World

BAD_LINES_SHOWN: Final = 10
_TICKS: Final = 10_000

app = typer.Typer(
    help="Build, describe and search paper indexes.", no_args_is_help=True, add_completion=False
)


_SOURCES: Final = (
    "Files or folders of them, plain or packed (.gz, .zst, .bz2): the arXiv metadata snapshot, "
    "OpenAlex works, Semantic Scholar papers and abstracts, the ACL Anthology's XML or records, "
    "arXiv OAI-PMH answers, BibTeX, bibliography lines. Each file says by its content what it is."
)


@app.command("build")
def build_command(
    sources: Annotated[list[Path], typer.Argument(metavar="SRC...", help=_SOURCES)],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the corpus goes.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Read papers from SRC into a corpus folder. Bad lines are told by number and skipped.

    The same command again goes on where it was stopped. Records of one paper from several files
    become one; an earlier corpus at DIR is replaced at the end, whole or not at all.
    """
    with boundary():
        # Checked before anything is read: hours of reading must not end in a refusal.
        if out.exists() and not replaceable(out):
            raise CorpusError(f"{out} is there and is no corpus: give --out another folder")
        about = _staged(
            sources,
            out,
            lambda files, reader, told: build(files, out, on_progress=told, reader=reader),
        )
        _index(out, about)
    _tell_bad(about, out)
    _print_about(about, out, as_json)


@app.command("add")
def add_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A corpus folder.")],
    sources: Annotated[list[Path], typer.Argument(metavar="SRC...", help=_SOURCES)],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Add papers from SRC to a corpus. A large one is not written anew; readers see the old one
    until the new one stands."""
    with boundary():
        held = read_about(folder)
        if held.format_version == FORMAT:  # small: in a second it is built again
            about = _staged(
                [folder / PAPERS, *sources],
                folder,
                lambda files, reader, told: build(files, folder, on_progress=told, reader=reader),
            )
        else:
            about = _staged(
                sources,
                folder,
                lambda files, reader, told: append(
                    folder, _papers(files, reader, told), sources=[f.name for f in files]
                ),
            )
        _index(folder, about)
    _tell_bad(about, folder)
    _print_about(about, folder, as_json)


Told = Callable[[int], None]


def _staged(
    sources: list[Path], out: Path, make: Callable[[list[Path], Reader, Told], About]
) -> About:
    """Make a corpus with what is read kept beside it until it stands."""
    files = expand(sources)
    # Abstracts that come apart from their papers must be there before them.
    files.sort(key=lambda path: not holds_abstracts(path))
    meter = Meter(files)
    with Staging(staging_of(out), on_resumed=meter.resumed) as staging:

        def reader(source: Path, on_bad: Callable[[BadLine], None]) -> Iterator[Paper]:
            meter.file(source)
            return staging.read(source, on_bad)

        about = make(files, reader, meter.papers)
    staging.discard()
    return about


def _index(folder: Path, about: About) -> None:
    """Build a large corpus's index now, so that no search has to."""
    opened = Corpus.open(folder).segments
    if opened is not None:
        typer.echo(f"indexing {about.papers:,} papers", err=True)
        build_index(opened)


def _papers(files: list[Path], reader: Reader, told: Told) -> Iterator[Paper]:
    count = 0
    for source in files:
        for paper in reader(
            source, lambda bad: say(f"skipped {bad.source}, line {bad.line}: {bad.why}")
        ):
            count += 1
            if count % _TICKS == 0:
                told(count)
            yield paper


def _tell_bad(about: About, out: Path) -> None:
    for bad in about.bad[:BAD_LINES_SHOWN]:
        typer.echo(f"skipped {bad.source}, line {bad.line}: {bad.why}", err=True)
    if about.bad_lines > BAD_LINES_SHOWN:
        more = about.bad_lines - BAD_LINES_SHOWN
        typer.echo(f"skipped {more:,} more bad lines; see {out / 'corpus.json'}", err=True)


class Meter:
    """Tells how far a reading is: papers, papers a second, file of files."""

    def __init__(self, files: list[Path]) -> None:
        self._files = len(files)
        self._number = 0
        self._name = ""
        self._began = time.monotonic()
        self._there = 0

    def file(self, source: Path) -> None:
        """The next file is begun."""
        self._number += 1
        self._name = source.name

    def resumed(self, papers: int) -> None:
        """So many papers of the file had been read by an earlier go."""
        self._there += papers
        typer.echo(f"{papers:,} papers of {self._name} were read before", err=True)

    def papers(self, count: int) -> None:
        """So many papers have been read in all."""
        speed = (count - self._there) / max(time.monotonic() - self._began, 1e-3)
        place = f"file {self._number} of {self._files}, {self._name}"
        typer.echo(f"{count:,} papers read ({place}; {max(speed, 0):,.0f} a second)", err=True)


@app.command("info")
def info_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A corpus folder.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Tell what a corpus holds."""
    with boundary():
        about = read_about(folder)
        Corpus.open(folder)  # says so where the papers are not what `corpus.json` tells
    _print_about(about, folder, as_json)


@app.command("search")
def search_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A corpus folder.")],
    query: Annotated[str, typer.Argument(metavar="QUERY", help='Words, and "phrases".')],
    cutoff: Annotated[
        str,
        typer.Option(
            metavar="DATE",
            help="Only papers from this day or before it (YYYY-MM-DD, or an ISO 8601 timestamp).",
        ),
    ],
    max_results: Annotated[int, typer.Option("--max-results", metavar="N", min=1, max=100)] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """Search the papers that stood on a date, as a trail with that cutoff sees them."""
    try:
        moment = Cutoff.parse(cutoff)
    except ValueError as fault:
        say(str(fault))
        raise typer.Exit(REFUSED) from fault
    with boundary():
        world = World(Corpus.open(folder), moment)
    hits = asyncio.run(world.search(query, max_results)).hits
    if as_json:
        _print_json([hit_row(hit) for hit in hits])
        return
    if not hits:
        typer.echo("Nothing found.")
    for number, hit in enumerate(hits, start=1):
        typer.echo(f"{number}. {hit.title}")
        typer.echo(f"   {', '.join(hit.authors)} | {hit.venue} | {hit.date}")
        typer.echo(f"   {hit.url}")
        typer.echo(f"   {hit.snippet}")


def hit_row(hit: Hit) -> dict[str, Any]:
    """A search result as JSON."""
    return {
        "title": hit.title,
        "authors": list(hit.authors),
        "venue": hit.venue,
        "date": hit.date,
        "url": hit.url,
        "snippet": hit.snippet,
        "id": hit.id,
        "kind": hit.kind,
        "aliases": list(hit.aliases),
        "published": {
            "earliest": hit.published.earliest.isoformat(),
            "latest": hit.published.latest.isoformat(),
        },
    }


def _print_about(about: About, folder: Path, as_json: bool) -> None:
    if as_json:
        _print_json({"folder": str(folder), **about.model_dump()})
        return
    kinds = ", ".join(f"{count:,} with {kind}" for kind, count in about.kinds.items())
    typer.echo(f"{folder}: {about.papers:,} papers ({kinds}), {about.works:,} works")
    if about.earliest and about.latest:
        typer.echo(f"dated {about.earliest[:10]} to {about.latest[:10]} (widest reading, UTC)")
    typer.echo(
        f"{about.undated:,} without a date (never shown), {about.duplicates:,} duplicates dropped, "
        f"{about.bad_lines:,} bad lines skipped"
    )
    typer.echo(f"from {', '.join(about.sources)}")
    typer.echo(f"hash {about.hash}")


def _print_json(value: Any) -> None:
    sys.stdout.write(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode() + "\n")
