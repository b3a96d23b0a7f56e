"""`ideatrail verify`: whether finished records hold."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import orjson
import typer

from ideatrail.cli.errors import REFUSED, REJECTED, say

if TYPE_CHECKING:
    from ideatrail.inspect.verify import Report

_SHOWN: Final = 8
"""Faults of a record that are told one by one."""

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command()
def verify(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="Records: .jsonl, .jsonl.gz, .jsonl.zst, or a run."),
    ],
    advisor: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The run's `advisor/`, for what depends on the oracle."),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The index that the trail searched, for titles and first dates. Default: the "
            "built-in one, where the record says that it was searched.",
        ),
    ] = None,
    embedding_model: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Sentence encoder (an ONNX or sentence-transformers folder), for what is said in "
            "other words.",
        ),
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the provenance graph of the one record: .json or .graphml.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Check finished records turn by turn, ours or anybody's.

    What could not run is told as not run. Exit codes: 0 all pass, 2 a file cannot be read, 3 a
    record has a fault.

    Example: ideatrail verify trails/it_0123456789abcdef
    """
    from ideatrail.inspect.verify import Advisor
    from ideatrail.inspect.verify import verify as run_checks
    from ideatrail.records.reader import read
    from ideatrail.run.folder import RunFolder
    from ideatrail.run.services import argument_fault
    from ideatrail.run.shared import Shared

    shared = Shared()
    bundled = None if corpus else shared.corpus(None)
    own = shared.lexicon(shared.corpus(corpus)) if corpus else None
    embedder = shared.embedder(embedding_model)
    rows = 0
    failed = False
    for given in files:
        folder, path = advisor, given
        if not given.exists():
            say(f"{given}: there is no such file")
            raise typer.Exit(REFUSED)
        if given.is_dir():
            path = RunFolder(given).trajectory
            if not path.is_file():
                say(f"{given}: a folder without {path.name}: give a run's folder, or files")
                raise typer.Exit(REFUSED)
            folder = advisor or RunFolder(given).advisor
        held = Advisor.read(folder) if folder is not None and folder.is_dir() else None
        if folder is not None and held is None and advisor is not None:
            say(f"--advisor {advisor}: no such folder")
            raise typer.Exit(REFUSED)
        for row in read(path):
            rows += 1
            lexicon = own
            if bundled is not None and (row.trail or {}).get("corpus") == bundled.hash:
                lexicon = shared.lexicon(bundled)
            report = run_checks(
                row,
                advisor=held,
                lexicon=lexicon,
                arguments=argument_fault,
                embedder=embedder,
            )
            failed |= not report.ok
            _tell(report, as_json=as_json)
            if graph is not None:
                _write_graph(row, graph, rows)
    if not rows:
        say(f"{', '.join(map(str, files))}: no record in it")
        raise typer.Exit(REFUSED)
    raise typer.Exit(REJECTED if failed else 0)


def _write_graph(row: object, out: Path, number: int) -> None:
    from ideatrail.inspect.graph import write
    from ideatrail.records.reader import Row
    from ideatrail.records.trails import to_trail

    assert isinstance(row, Row)
    if number > 1:
        say(f"--graph {out}: holds the first record's graph; give one record")
        raise typer.Exit(REFUSED)
    write(to_trail(row.raw), out)


def _tell(report: Report, *, as_json: bool) -> None:
    if as_json:
        line = orjson.dumps(report.as_dict(), option=orjson.OPT_APPEND_NEWLINE, default=str)
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        return
    name = report.sample_id or f"line {report.line}"
    codes = Counter(str(v["code"]) for v in report.verdicts)
    told = ", ".join(f"{n} × {code}" for code, n in codes.most_common())
    typer.echo(f"{report.file}: {name}: {'passes' if report.ok else told} ({report.turns} turns)")
    for verdict in report.verdicts[:_SHOWN]:
        where = verdict.get("pointer") or {}
        place = " ".join(
            str(part)
            for part in (where.get("part"), where.get("call"), where.get("section"))
            if part is not None
        )
        found = verdict.get("findings") or ()
        detail = str(found[0]["detail"]) if found else str(verdict.get("why", ""))
        typer.echo(f"  turn {verdict['turn']}: {verdict['code']} in {place}: {detail[:160]}")
    if len(report.verdicts) > _SHOWN:
        typer.echo(f"  and {len(report.verdicts) - _SHOWN} more")
    for lacking in report.not_run:
        typer.echo(f"  not run: {lacking.check}.{lacking.layer}: {lacking.why}")
