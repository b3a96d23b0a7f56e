"""`ideatrail export`: what trainers read, from finished runs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import orjson
import typer

from ideatrail.cli.errors import REFUSED, say

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command()
def export(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN…", help="Folders of finished, accepted runs.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The JSONL file to write.")],
    pairs: Annotated[
        bool,
        typer.Option(
            "--pairs",
            help="Preference pairs: a turn as it was taken beside a draft of it that was not.",
        ),
    ] = False,
    corpus: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The index that the runs searched. Default: the built-in one, where it was.",
        ),
    ] = None,
) -> None:
    """Write preference pairs of finished runs: prompt, chosen, rejected.

    A rejected draft is written only after the leakage and title checks ran on it anew; one in
    which they find anything is kept back, and so is one after which the trail went another way.

    Example: ideatrail export --pairs trails/it_0123456789abcdef --out pairs.jsonl
    """
    from ideatrail.inspect.pairs import Pair, pairs_of
    from ideatrail.records.writer import replace
    from ideatrail.run.folder import RunFolder
    from ideatrail.run.services import argument_fault
    from ideatrail.run.shared import Shared

    if not pairs:
        say("export: say what to write: --pairs")
        raise typer.Exit(REFUSED)
    shared = Shared()
    opened = shared.corpus(corpus)
    lines: list[bytes] = []
    kept: Counter[str] = Counter()
    for given in runs:
        folder = RunFolder(given)
        manifest = folder.read_manifest()
        if manifest is None:
            say(f"{given}: no run's folder: it holds no manifest.json")
            raise typer.Exit(REFUSED)
        if manifest.get("outcome") != "accepted":
            kept["run not accepted"] += 1
            continue
        found = pairs_of(
            folder.trajectory,
            folder.advisor,
            # Titles are judged by the index that was searched, or not at all.
            lexicon=shared.lexicon(opened) if _searched(folder.trajectory) == opened.hash else None,
            arguments=argument_fault,
        )
        for one in found:
            if isinstance(one, Pair):
                lines.append(orjson.dumps(one.row()) + b"\n")
            else:
                kept[one.why] += 1
    out.parent.mkdir(parents=True, exist_ok=True)
    replace(out, b"".join(lines))
    typer.echo(f"{out}: {len(lines)} pairs from {len(runs)} runs")
    for why, count in sorted(kept.items()):
        typer.echo(f"  kept back: {count} ({why})")


def _searched(record: Path) -> str | None:
    """Hash of the index that a record's trail searched."""
    from ideatrail.records.reader import read

    row = next(iter(read(record)))
    found = (row.trail or {}).get("corpus")
    return found if isinstance(found, str) else None
