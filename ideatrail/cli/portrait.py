"""`ideatrail portrait`: a researcher's way of working, from their papers up to a date."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from ideatrail.cli.errors import REFUSED, say

if TYPE_CHECKING:
    from ideatrail.portraits.portrait import Portrait
    from ideatrail.settings import Settings

_WHO = "Who is meant"
_MODELS = "Models behind an endpoint"

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command()
def portrait(
    author: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="As papers print it: `Jane Q. Doe`, `J. Doe`, `Doe, Jane`; accents do not matter.",
            rich_help_panel=_WHO,
        ),
    ],
    cutoff: Annotated[
        str,
        typer.Option(
            metavar="DATE", help="No later paper is read: 2024-05-31.", rich_help_panel=_WHO
        ),
    ],
    paper: Annotated[
        str | None,
        typer.Option(
            "--id",
            metavar="ID|URL",
            help="A paper that is surely theirs, where several people bear the name.",
            rich_help_panel=_WHO,
        ),
    ] = None,
    topic: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="What they work on, where several people bear the name. Default: who has most "
            "papers is taken.",
            rich_help_panel=_WHO,
        ),
    ] = None,
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Paper index made by `ideatrail corpus build`. Default: the one built in.",
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="ID|TITLE|FILE",
            help="A paper that the portrait may know nothing of, and whatever tells of it.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="PROVIDER:NAME",
            help="Who writes it. Default: offline, which needs no key and no network.",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Address of an OpenAI-compatible server, with its /v1.",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write it here for `run --portrait FILE`, and beside it, as "
            "NAME.evidence.json, the papers and quotes that it rests on.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object: the text and its evidence.")
    ] = False,
) -> None:
    """Distil how a researcher works: what they know, how they go about it, what convinces them.

    Each statement rests on papers from before the date, with the words that bear it. The text names
    nobody and no paper; who was meant, who else bears the name, and what is unsure stand in the
    evidence. Exit codes: 0 done, 2 refused, 5 failed for outside reasons.

    Example: ideatrail portrait --author "Jane Doe" --cutoff 2024-05-31 --out doe.md
    """
    from ideatrail.portraits.shelf import PortraitError
    from ideatrail.settings import resolve

    options: dict[str, Any] = {
        "proposal": "",  # a portrait starts from none, but the settings ask for one
        "cutoff": cutoff,
        "corpus": corpus,
        "target": target,
        "advisor_model": model,
        "base_url": base_url,
    }
    if out is not None and out.suffix == ".json":
        say(f"--out {out}: the portrait is a text; give a name such as {out.stem}.md")
        raise typer.Exit(REFUSED)
    settings = resolve(options, os.environ)
    try:
        made = asyncio.run(_distil(settings, author, paper, topic))
    except PortraitError as error:
        say(str(error))
        raise typer.Exit(REFUSED) from error
    text = made.public()
    if out is not None:
        _write(out, text, made)
    if as_json:
        whole = {"portrait": text, **made.evidence()}
        sys.stdout.buffer.write(orjson.dumps(whole, option=orjson.OPT_APPEND_NEWLINE))
        sys.stdout.buffer.flush()
        return
    typer.echo(text)
    typer.echo()
    for line in _beside(made):
        typer.echo(line, err=True)


async def _distil(
    settings: Settings, author: str, paper: str | None, topic: str | None
) -> Portrait:
    from ideatrail.evidence.dates import Cutoff
    from ideatrail.evidence.index import spread
    from ideatrail.evidence.withheld import Withheld
    from ideatrail.portraits.authors import Hint
    from ideatrail.portraits.distil import Sitter, distil
    from ideatrail.run.inputs import direction_gate, find_target, portraitist
    from ideatrail.run.shared import Shared
    from ideatrail.settings import SettingsError
    from ideatrail.trail.oracle import Oracle

    shared = Shared()
    try:
        corpus = shared.corpus(settings.corpus)
        try:
            moment = Cutoff.parse(settings.cutoff or "")
        except ValueError as error:
            raise SettingsError(f"--cutoff: {error}") from error
        target, _, _ = find_target(settings.target, corpus)
        withheld = spread(corpus, Withheld.of(target)) if target else Withheld()
        nothing = Oracle(atoms=[], locks=[])
        return await distil(
            Sitter(author, moment, withheld, Hint(paper=paper, topic=topic or "")),
            corpus,
            portraitist(settings, shared),
            direction=direction_gate(shared.lexicon(corpus), moment, withheld, nothing),
            made_by={"model": settings.advisor_model},
        )
    finally:
        await shared.aclose()


def _write(out: Path, text: str, made: Portrait) -> None:
    """Both files, each whole or not at all; the text last, so that it never stands alone."""
    from ideatrail.run.folder import dump, write_atomic

    write_atomic(out.with_name(f"{out.stem}.evidence.json"), dump(made.evidence()))
    write_atomic(out, f"{text}\n".encode())


def _beside(made: Portrait) -> list[str]:
    """What a reader should know that the text itself may not tell."""
    record = made.record
    names = ", ".join(record["names"])
    years = [row["years"] for row in record["same_name"] if row["chosen"]]
    span = f", {years[0][0]} to {years[0][1]}" if years else ""
    lines = [f"Rests on {made.read} papers by {names}{span} (chosen by: {record['chosen_by']})."]
    lines += [f"Unsure: {doubt}" for doubt in record["doubts"]]
    for row in record["same_name"]:
        if not row["chosen"]:
            who = f"{row['names'][0]}, {row['papers']} papers"
            lines.append(f"Not read: {who} on {', '.join(row['terms'][:4])}; --id {row['ids'][0]}")
    if made.dropped:
        lines.append(f"{len(made.dropped)} statements were dropped; see --json or the evidence.")
    return lines
