"""`ideatrail status`: where a batch stands, from another shell."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console

from ideatrail.cli.batch_view import line, screen
from ideatrail.cli.errors import REFUSED, say

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command()
def status(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="A batch's folder.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Tell where a batch stands, while it runs or after.

    Example: ideatrail status trails-1
    """
    from ideatrail.batch.folder import BatchFolder

    folder = BatchFolder(out)
    values = folder.told()
    if folder.read() is None or values is None:
        say(f"{out}: no batch, or one that has not told where it stands yet")
        raise typer.Exit(REFUSED)
    running = folder.worked_on
    if as_json:
        held = {**values, "running": running}
        sys.stdout.buffer.write(orjson.dumps(held, option=orjson.OPT_APPEND_NEWLINE))
        sys.stdout.buffer.flush()
        return
    ago = max(0.0, time.time() - values["at"])
    state = "running" if running else "ended" if values.get("ended") else "died"
    typer.echo(f"{state}, told {ago:.0f} s ago")
    if running:
        Console().print(screen(values))
    else:
        typer.echo(line(values))
