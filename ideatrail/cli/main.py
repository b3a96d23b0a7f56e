"""The `ideatrail` command."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from ideatrail import __version__
from ideatrail.cli import errors
from ideatrail.cli.run import run

LATER: Final[Mapping[str, tuple[str, str]]] = {
    "batch": (
        "ideatrail.cli.batch",
        "Make the trails of a list, at once and to the end.",
    ),
    "status": (
        "ideatrail.cli.status",
        "Tell where a batch stands.",
    ),
    "corpus": (
        "ideatrail.cli.corpus",
        "Build, describe and search paper indexes for `run --corpus`.",
    ),
    "models": (
        "ideatrail.cli.models",
        "Look at the models that a run would use.",
    ),
    "portrait": (
        "ideatrail.cli.portrait",
        "Distil how a researcher works from their papers, for `run --portrait`.",
    ),
    "verify": (
        "ideatrail.cli.verify",
        "Check finished records turn by turn, ours or anybody's.",
    ),
    "audit-hindsight": (
        "ideatrail.cli.hindsight",
        "Tell whether a trail knew where it was going.",
    ),
    "export": (
        "ideatrail.cli.export",
        "Write what trainers read from finished runs.",
    ),
    "replay": (
        "ideatrail.cli.replay",
        "Run a trail's evidence again from what is stored of it.",
    ),
    "warc": (
        "ideatrail.cli.warc",
        "Write a run's web evidence as a WARC file.",
    ),
    "schemas": (
        "ideatrail.cli.schemas",
        "Write the JSON Schemas of records, structured answers, settings and role cards.",
    ),
}
"""Command → (module with its `app`, one line of help). Loaded when used, so that help is quick."""


class LazyGroup(TyperGroup):
    """A group whose LATER commands are stand-ins until one of them is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command to run, with its module loaded. Raises ImportError for a broken module."""
        name, command, rest = super().resolve_command(ctx, args)
        if name is not None and name in LATER:
            command = get_command(importlib.import_module(LATER[name][0]).app)
            command.name = name
        return name, command, rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command; its errors become exit codes here, before typer sees an interrupt."""
        with errors.boundary():
            return super().invoke(ctx)


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode="markdown",  # paragraphs are filled to the terminal's width
    pretty_exceptions_enable=False,  # a defect shows Python's own traceback, with our note
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.command("run")(run)
for _name, (_module, _help) in LATER.items():
    app.add_typer(typer.Typer(), name=_name, help=_help)


@app.callback(invoke_without_command=True)
def ideatrail(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", is_eager=True)
    ] = False,
) -> None:
    """Make research trails: long, tool-using research processes, written forward in time.

    A trail starts from a finished research proposal and a date, and shows how an agent that knew
    nothing it could not have known then might have come to it. Nothing but this command is needed
    to begin: the offline model and a paper index are built in.

    Exit codes: 0 accepted or done, 2 refused before anything was written, 3 rejected, 4 budget
    reached, 5 failed for outside reasons, 130 interrupted. After 4, 5 and 130 the same command
    goes on where it stopped.
    """
    if version:
        typer.echo(f"ideatrail {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code.

    Args:
        argv: what follows `ideatrail`; None takes it from the process.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with errors.boundary():
            code = app(args=arguments, prog_name="ideatrail", standalone_mode=False)
    except typer.Exit as leave:
        return leave.exit_code
    return code if isinstance(code, int) else errors.ACCEPTED


if __name__ == "__main__":
    sys.exit(main())
