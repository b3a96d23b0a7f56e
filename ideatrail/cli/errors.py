"""The one place that turns an exception into an exit code and one clear line.

Exceptions are known by name, not by import, so that `ideatrail --help` need not load the rooms
that raise them; a test holds every name here to a real class.
"""

from __future__ import annotations

import errno
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import typer

ACCEPTED: Final = 0
REFUSED: Final = 2
REJECTED: Final = 3
BUDGET: Final = 4
OUTSIDE: Final = 5
INTERRUPTED: Final = 130

CODES: Final[Mapping[str, int]] = {
    "ideatrail.nodes.rooms.InputRefused": REFUSED,
    "ideatrail.proposals.error.ProposalError": REFUSED,
    "ideatrail.evidence.postings.about.CorpusError": REFUSED,
    "ideatrail.roles.CardError": REFUSED,
    "ideatrail.prompts.PromptError": REFUSED,
    "ideatrail.settings.SettingsError": REFUSED,
    "ideatrail.run.inputs.RunRefused": REFUSED,
    "ideatrail.run.inputs.RunBusyError": REFUSED,
    "ideatrail.run.log.LogError": REFUSED,
    "ideatrail.batch.rows.ListError": REFUSED,
    "ideatrail.batch.ray_pool.RayMissingError": REFUSED,
    "ideatrail.batch.folder.BatchRefused": REFUSED,
    "ideatrail.embeddings.error.EmbeddingError": REFUSED,
    "ideatrail.models.refused.ModelSettingsError": REFUSED,
    "ideatrail.evidence.readers.line.SourceError": REFUSED,
    "ideatrail.records.fault.LineError": REFUSED,
    "ideatrail.inspect.verify.AdvisorFilesError": REFUSED,
    "ideatrail.inspect.pairs.PairsError": REFUSED,
    "typer.exceptions.TyperException": REFUSED,
    "ideatrail.models.budget.BudgetReached": BUDGET,
    "ideatrail.models.protocol.ModelError": OUTSIDE,
    "ideatrail.evidence.source.EvidenceError": OUTSIDE,
    "ideatrail.run.evidence.TargetLookupError": OUTSIDE,
    "builtins.OSError": OUTSIDE,
    "builtins.KeyboardInterrupt": INTERRUPTED,
}
"""Exception → exit code (contract, "Exit codes"). Whatever is not here is a defect of ours."""

DEFECT_NOTE: Final = (
    "ideatrail: this is a defect of ideatrail, not of your input. Please report it with the lines "
    "above; what the run had finished is kept, and the same command goes on from there."
)

_MEND: Final[Mapping[int, str]] = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some of your quota",
    errno.EFBIG: "raise the limit on file sizes",
    errno.EACCES: "change its permissions or choose another place",
    errno.EPERM: "change its permissions or choose another place",
    errno.EROFS: "choose a place that can be written",
    errno.ENOTDIR: "a file stands where a folder is needed: choose another place",
    errno.EEXIST: "a file stands where a folder is needed: choose another place",
    errno.ENOENT: "give a place that exists",
}


def exit_code(error: BaseException) -> int | None:
    """The exit code that `error` asks for; None for a defect of ours."""
    for cls in type(error).__mro__:
        code = CODES.get(f"{cls.__module__}.{cls.__qualname__}")
        if code is not None:
            return code
    return None


def same_command(argv: Sequence[str] | None = None) -> str:
    """The command that is running, as one would type it again."""
    return shlex.join(["ideatrail", *(sys.argv[1:] if argv is None else argv)])


def _os_line(error: OSError) -> str:
    what = error.strerror or str(error)
    where = f": {error.filename}" if error.filename else ""
    mend = _MEND.get(error.errno or 0, "mend it")
    return f"{what}{where}: {mend}; the same command then goes on, nothing finished is lost"


def line(error: BaseException) -> str:
    """What is wrong, where, and what to do, in one line."""
    text: str
    if isinstance(error, OSError):
        text = _os_line(error)
    elif isinstance(error, KeyboardInterrupt):
        text = "interrupted; give the same command again to go on"
    else:
        text = str(error)
        detail = getattr(error, "detail", "")
        if detail and exit_code(error) == OUTSIDE and detail not in text:
            text = f"{text.rstrip('.')} ({detail})"
    context = getattr(error, "ctx", None)  # typer's usage errors know their command
    format_message = getattr(error, "format_message", None)
    if callable(format_message):
        text = str(format_message()).rstrip(".") or "a command is missing"
        path = getattr(context, "command_path", "ideatrail")
        text += f"; see '{path} --help'"
    elif exit_code(error) == OUTSIDE and getattr(error, "resumable", False):
        text = text.rstrip(".") + "; give the same command again to go on from there"
    elif exit_code(error) == BUDGET:
        text += "; what was finished is kept, and the same command with more of it goes on"
    return " ".join(text.split()) or type(error).__name__


def say(text: str) -> None:
    """One line on stderr, as it is: no wrapping, no markup."""
    typer.echo(f"ideatrail: {text}", err=True)


@contextmanager
def boundary() -> Iterator[None]:
    """Turns what comes out of a command into its exit code.

    Raises:
        typer.Exit: with the code, after one line on stderr.
        BaseException: the error itself where it is a defect of ours, with a note that says so.
    """
    try:
        yield
    except (typer.Exit, typer.Abort, BrokenPipeError):
        raise  # a reader that has gone away (`| head`) is typer's to settle, quietly
    except (Exception, KeyboardInterrupt) as error:
        code = exit_code(error)
        if code is None:
            if DEFECT_NOTE not in getattr(error, "__notes__", ()):
                error.add_note(DEFECT_NOTE)
            raise
        say(line(error))
        raise typer.Exit(code) from error
