"""`ideatrail batch` and `ideatrail status`: many trails from a list."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Final

import orjson
import typer

from ideatrail.cli.batch_view import BatchView, told
from ideatrail.cli.errors import ACCEPTED, BUDGET, INTERRUPTED, OUTSIDE, REFUSED, say

if TYPE_CHECKING:
    from ideatrail.batch.duplicates import Duplicates, Twin
    from ideatrail.batch.report import Report
    from ideatrail.batch.result import RowResult
    from ideatrail.batch.rows import Row, RowList
    from ideatrail.run.rows import BatchOptions
    from ideatrail.settings import Settings

WORKER: Final = "ideatrail.run.batch:make_worker"
_INPUT, _TRAILS, _MACHINE = "Input", "Trails", "Machine"
_STATUS_EVERY: Final = 2.0

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command()
def batch(
    rows: Annotated[
        Path,
        typer.Argument(
            metavar="LIST",
            help="Rows to make: .csv with a column `input`, .jsonl, or a name a line. A row names "
            "a proposal file, or a paper of the index by id, DOI or address.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR", help="The batch's folder. An unfinished batch that is there goes on."
        ),
    ],
    skip_bad: Annotated[
        bool,
        typer.Option("--skip-bad", help="Leave out bad rows.", rich_help_panel=_INPUT),
    ] = False,
    config: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="TOML with the settings of `run`, for all rows.",
            rich_help_panel=_TRAILS,
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", rich_help_panel=_TRAILS, help="As for `run`.")
    ] = None,
    advisor_model: Annotated[
        str | None, typer.Option(metavar="NAME", rich_help_panel=_TRAILS, help="As for `run`.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", rich_help_panel=_TRAILS, help="As for `run`.")
    ] = None,
    corpus: Annotated[
        str | None, typer.Option(metavar="DIR", rich_help_panel=_TRAILS, help="As for `run`.")
    ] = None,
    cutoff: Annotated[
        str | None, typer.Option(metavar="DATE", rich_help_panel=_TRAILS, help="As for `run`.")
    ] = None,
    turns: Annotated[
        str | None, typer.Option(metavar="N", rich_help_panel=_TRAILS, help="As for `run`.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="N", rich_help_panel=_TRAILS, help="As for `run`.")
    ] = None,
    max_cost: Annotated[
        str | None,
        typer.Option(
            metavar="USD", rich_help_panel=_TRAILS, help="What the whole batch may spend."
        ),
    ] = None,
    max_tokens: Annotated[
        str | None,
        typer.Option(metavar="N", rich_help_panel=_TRAILS, help="Tokens that it may spend."),
    ] = None,
    concurrency: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, rich_help_panel=_MACHINE, help="Trails in hand at once, over all."
        ),
    ] = 64,
    workers: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, rich_help_panel=_MACHINE, help="Worker processes. Default: 2."
        ),
    ] = 2,
    vary: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            rich_help_panel=_TRAILS,
            help="TOML with alternatives, `turns = [30, 40, 50]`: each row draws one of each.",
        ),
    ] = None,
    dedup: Annotated[
        bool,
        typer.Option(
            "--dedup",
            rich_help_panel=_TRAILS,
            help="Leave out of the release what is nearly the same as an earlier trail in it.",
        ),
    ] = False,
    engine: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            rich_help_panel=_MACHINE,
            help="`local`: processes on this machine. `ray`: a Ray cluster, whose machines all "
            "reach DIR.",
        ),
    ] = "local",
    ray_address: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            rich_help_panel=_MACHINE,
            help="The cluster's address, `auto` for the one that runs here. Default: start one.",
        ),
    ] = None,
    shard: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            rich_help_panel=_MACHINE,
            help="Write zstd shards of N records instead of one trajectories.jsonl.",
        ),
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            min=1,
            max=65535,
            rich_help_panel=_MACHINE,
            help="Serve Prometheus metrics on this port of the loopback.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Make the trails of a list, at once and to the end, going on after any interruption.

    Accepted trails are appended to `trajectories.jsonl` as they end, rejected ones and failures to
    `failures.jsonl`. Exit codes: 0 every row was made to its end, 2 refused or rows set aside,
    4 budget reached, 5 rows failed, 130 interrupted. After 4, 5 and 130 the same command goes on.

    Example: ideatrail batch proposals.txt --out trails-1
    """
    from ideatrail.run.rows import BatchOptions, read_vary
    from ideatrail.settings import resolve

    if engine not in ("local", "ray"):
        say(f"--engine {engine}: give local or ray")
        raise typer.Exit(REFUSED)
    given = {
        "proposal": str(rows),
        "model": model,
        "advisor_model": advisor_model,
        "base_url": base_url,
        "corpus": corpus,
        "cutoff": cutoff,
        "turns": turns,
        "seed": seed,
        "max_cost": max_cost,
        "max_tokens": max_tokens,
    }
    settings = resolve(given, os.environ, Path(config) if config else None)
    options = BatchOptions(
        settings=settings.model_dump(mode="json", exclude={"proposal", "out"}),
        out=str(out),
        beside=str(rows.resolve().parent),
        vary=read_vary(vary) if vary is not None else {},
    )
    found = _read(rows, settings, options, out, skip_bad=skip_bad)
    code, made = _make(
        found.rows,
        options,
        out,
        workers=workers,
        concurrency=concurrency,
        dedup=dedup,
        engine=engine,
        ray_address=ray_address,
        shard=shard,
        metrics_port=metrics_port,
    )
    if as_json:
        sys.stdout.buffer.write(orjson.dumps(made.values(), option=orjson.OPT_APPEND_NEWLINE))
        sys.stdout.buffer.flush()
    else:
        typer.echo(told(made, out))
    raise typer.Exit(code)


def _read(
    rows: Path, settings: Settings, options: BatchOptions, out: Path, *, skip_bad: bool
) -> RowList:
    """The list, with every row that is owed looked at before anything is spent. Leaves where one is
    bad."""
    from ideatrail.batch.rows import BadRow, RowList, read_list
    from ideatrail.batch.writer import BatchWriter
    from ideatrail.run.inputs import models_of
    from ideatrail.run.rows import COLUMNS, row_fault
    from ideatrail.run.shared import Shared

    found = read_list(rows, COLUMNS)
    shared = Shared(sends=False)
    models_of(settings, shared)  # an unknown model or a missing key is told here, once
    kept: list[Row] = []
    bad = list(found.bad)
    settled = BatchWriter.settled_in(out)
    for row in found.rows:
        fault = "" if row.key in settled else row_fault(row, options, shared)
        if fault:
            bad.append(BadRow(row.line, fault))
        else:
            kept.append(row)
    looked = RowList(tuple(kept), tuple(sorted(bad, key=lambda one: one.line)))
    if looked.bad:
        say(f"{rows}: {len(looked.bad)} bad rows:\n{looked.told()}")
        if not skip_bad or not kept:
            say("nothing was made; mend them, or leave them out with --skip-bad")
            raise typer.Exit(REFUSED)
    return looked


def _make(
    rows: Sequence[Row],
    options: BatchOptions,
    out: Path,
    *,
    workers: int,
    concurrency: int,
    dedup: bool,
    engine: str,
    ray_address: str | None,
    shard: int | None,
    metrics_port: int | None,
) -> tuple[int, Report]:
    from ideatrail.batch.duplicates import Duplicates
    from ideatrail.batch.folder import BatchFolder
    from ideatrail.batch.local import LocalPool
    from ideatrail.batch.ray_pool import RayPool
    from ideatrail.batch.report import report
    from ideatrail.batch.writer import BatchWriter
    from ideatrail.run.rows import shaping

    started = time.monotonic()
    folder = BatchFolder(out)
    folder.begin(rows, {**shaping(options), "shard": shard, "dedup": dedup})
    writer = BatchWriter(out, shard=shard)
    owed = [row for row in rows if row.key not in writer.settled]
    pool: LocalPool | RayPool
    if engine == "ray":
        pool = RayPool(
            WORKER, options, workers=workers, concurrency=concurrency, address=ray_address
        )
    else:
        pool = LocalPool(WORKER, options, workers=workers, concurrency=concurrency)
    view = BatchView(len(rows), writer.results, maximum=options.settings.get("max_cost"))
    export = _metrics(metrics_port)
    last = 0.0

    seen = Duplicates()
    twins: list[Twin] = []
    for known in writer.results.values():
        _near(seen, known, twins)

    def put(result: RowResult, record: bytes | None) -> None:
        twin = _near(seen, result, twins)
        if dedup and twin is not None:
            seen.drop(result.key)
            why = f"nearly the same as line {writer.results[twin.other].line}"
            result = replace(
                result, ending="rejected", cause="duplicate", codes=("near_duplicate",), why=why
            )
            record = None
        writer.put(result, record)
        if result.cause == "budget":
            pool.stop()

    def tell(looks: list[Mapping[str, Any]]) -> None:
        nonlocal last
        view.show(looks)
        export(view.figures())
        if time.monotonic() - last >= _STATUS_EVERY:
            last = time.monotonic()
            folder.tell(view.figures())

    before = {s: signal.signal(s, _stopping(pool.stop)) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        with view:
            pool.run(owed, put, tell)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        made = report(len(rows), writer.results.values(), time.monotonic() - started)
        writer.close()
        folder.tell(view.figures() | {"ended": True})
        folder.close()
    told_of = {**made.values(), "near_duplicates": [asdict(twin) for twin in twins]}
    folder.report.write_bytes(orjson.dumps(told_of, option=orjson.OPT_INDENT_2))
    if twins and not dedup:
        say(f"{len(twins)} trails are nearly the same as an earlier one: see {folder.report}")
    return _code(made, interrupted=pool.stopped), made


def _near(seen: Duplicates, result: RowResult, twins: list[Twin]) -> Twin | None:
    """The earlier row that a row's trail is nearly the same as; it is noted."""
    signed = result.figures.get("signature")
    if result.ending != "accepted" or not isinstance(signed, str):
        return None
    twin = seen.add(result.key, signed)
    if twin is not None:
        twins.append(twin)
    return twin


def _stopping(stop: Callable[[], None]) -> Callable[[int, FrameType | None], None]:
    def handler(number: int, frame: FrameType | None) -> None:
        stop()

    return handler


def _code(made: Report, *, interrupted: bool) -> int:
    if made.whole:
        return ACCEPTED
    if made.causes.get("budget"):
        return BUDGET
    if interrupted or made.owed:
        return INTERRUPTED
    return OUTSIDE if made.failed else REFUSED


def _metrics(port: int | None) -> Callable[[Mapping[str, Any]], None]:
    """Shows figures to Prometheus, where a port is given."""
    if port is None:
        return lambda figures: None
    try:
        from prometheus_client import Gauge, start_http_server
    except ImportError as error:
        say("--metrics-port: prometheus-client is not installed: pip install 'ideatrail[metrics]'")
        raise typer.Exit(REFUSED) from error
    gauges: dict[str, Any] = {}
    start_http_server(port, addr="127.0.0.1")

    def show(figures: Mapping[str, Any]) -> None:
        for name, value in figures.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                if name not in gauges:
                    gauges[name] = Gauge(f"ideatrail_batch_{name}", name.replace("_", " "))
                gauges[name].set(value)

    return show
