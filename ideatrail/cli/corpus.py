"""`ideatrail corpus`: builds a paper index from files, tells what is in it, and searches it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Any, Final

import orjson
import typer

from ideatrail.cli.errors import REFUSED, boundary, say
from ideatrail.evidence.corpus import About, Corpus, build, read_about
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.world import Hit, World

BAD_LINES_SHOWN: Final = 10

app = typer.Typer(
    help="Build, describe and search paper indexes.", no_args_is_help=True, add_completion=False
)


@app.command("build")
def build_command(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SRC...",
            help="JSON lines files (.jsonl, .gz, .zst) or folders of them: ACL Anthology records, "
            "bibliography lines, the arXiv metadata snapshot.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the corpus goes.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Read papers from SRC into a corpus folder. Bad lines are told by number and skipped."""
    with boundary():
        about = build(
            sources, out, on_progress=lambda count: typer.echo(f"{count:,} papers read", err=True)
        )
    for bad in about.bad[:BAD_LINES_SHOWN]:
        typer.echo(f"skipped {bad.source}, line {bad.line}: {bad.why}", err=True)
    if about.bad_lines > BAD_LINES_SHOWN:
        more = about.bad_lines - BAD_LINES_SHOWN
        typer.echo(f"skipped {more:,} more bad lines; see {out / 'corpus.json'}", err=True)
    _print_about(about, out, as_json)


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
