"""`ideatrail replay`: a run's evidence, gone through again."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import orjson
import typer

from ideatrail.cli.errors import REFUSED, REJECTED, say

_SHOWN: Final = 10
"""Differences that are told one by one."""

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command()
def replay(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run a trail's evidence again from what is stored of it, with no source at hand.

    Every call of the trail runs once more over an empty workspace, without network and without
    corpus, and has to give what the record says, byte for byte. Exit codes: 0 it does, 2 this is no
    run, 3 a result differs.

    Example: ideatrail replay trails/it_0123456789abcdef
    """
    from ideatrail.run.replay import ReplayError
    from ideatrail.run.replay import replay as run_again

    try:
        told = asyncio.run(run_again(run))
    except ReplayError as error:
        say(str(error))
        raise typer.Exit(REFUSED) from error
    if as_json:
        values = {"run": str(run), **asdict(told)}
        sys.stdout.buffer.write(orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE))
        sys.stdout.buffer.flush()
    else:
        same = told.calls - len(told.differences)
        typer.echo(
            f"{same} of {told.calls} results are the recorded ones, byte for byte "
            f"({told.observations} of them observations)"
        )
        for one in told.differences[:_SHOWN]:
            typer.echo(f"  {one.call_id} {one.tool}: {one.why}")
        if len(told.differences) > _SHOWN:
            typer.echo(f"  and {len(told.differences) - _SHOWN} more")
    raise typer.Exit(REJECTED if told.differences else 0)
