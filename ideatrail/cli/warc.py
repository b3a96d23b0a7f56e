"""`ideatrail warc`: a run's web evidence, handed on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ideatrail.cli.errors import REFUSED, say

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command()
def warc(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    out: Annotated[Path, typer.Option("--out", help="The WARC file to write.")],
) -> None:
    """Write a run's web evidence as a WARC file, for any web archive's tools.

    It holds what the trail's own searches and pages were answered, redirects among it; what the
    Advisor asked is left out. A run on the index alone has none.

    Example: ideatrail warc trails/it_0123456789abcdef --out trail.warc.gz
    """
    from ideatrail.evidence.web.warc import export
    from ideatrail.run.folder import RunFolder

    folder = RunFolder(run)
    if not folder.log.is_file():
        say(f"{run} is no run: it has no log.jsonl")
        raise typer.Exit(REFUSED)
    if not folder.exchanges.is_dir():
        say(f"{run} has no web evidence: it ran on the index alone")
        raise typer.Exit(REFUSED)
    typer.echo(f"{export(folder.exchanges, out)} exchanges written to {out}")
