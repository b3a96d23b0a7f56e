"""Exceptions become exit codes and one line; defects keep their traceback."""

from __future__ import annotations

import errno
import importlib
from pathlib import Path

import pytest
import typer

from ideatrail.cli import errors


def _class(name: str) -> type[BaseException]:
    module, _, attribute = name.rpartition(".")
    found = getattr(importlib.import_module(module), attribute)
    assert isinstance(found, type)
    return found


@pytest.mark.parametrize("name", errors.CODES)
def test_every_name_in_the_table_is_an_exception_of_that_name(name: str) -> None:
    cls = _class(name)
    assert issubclass(cls, BaseException)
    assert f"{cls.__module__}.{cls.__qualname__}" == name


def test_subclasses_take_the_code_of_their_class() -> None:
    class SpecialError(FileNotFoundError):
        pass

    assert errors.exit_code(SpecialError()) == errors.OUTSIDE
    assert errors.exit_code(KeyError("x")) is None


def test_a_refusal_is_one_line_with_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    refused = _class("ideatrail.settings.SettingsError")
    with pytest.raises(typer.Exit) as leave, errors.boundary():
        raise refused("--turns: not\na number")
    assert leave.value.exit_code == errors.REFUSED
    assert capsys.readouterr().err == "ideatrail: --turns: not a number\n"


def test_a_full_disk_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as leave, errors.boundary():
        raise OSError(errno.ENOSPC, "No space left on device", "trails/t1/log.jsonl")
    assert leave.value.exit_code == errors.OUTSIDE
    said = capsys.readouterr().err
    assert "trails/t1/log.jsonl" in said
    assert "free some space" in said
    assert said.count("\n") == 1


def test_an_outage_says_that_the_run_can_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    from ideatrail.models.protocol import ModelError

    with pytest.raises(typer.Exit) as leave, errors.boundary():
        raise ModelError("openai:m: no answer in 60 s")
    assert leave.value.exit_code == errors.OUTSIDE
    assert "same command again" in capsys.readouterr().err
    assert "same command again" not in errors.line(ModelError("no such model", resumable=False))


def test_a_defect_keeps_its_type_and_says_whose_it_is() -> None:
    with pytest.raises(KeyError) as defect, errors.boundary(), errors.boundary():
        raise KeyError("oracle")
    assert defect.value.__notes__ == [errors.DEFECT_NOTE]


def test_an_interrupt_has_its_own_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as leave, errors.boundary():
        raise KeyboardInterrupt
    assert leave.value.exit_code == errors.INTERRUPTED
    assert "again to go on" in capsys.readouterr().err


def test_leaving_passes_through_untouched() -> None:
    with pytest.raises(typer.Exit) as leave, errors.boundary():
        raise typer.Exit(3)
    assert leave.value.exit_code == 3


def test_the_command_can_be_typed_again(tmp_path: Path) -> None:
    argv = ["run", "--proposal", "my ideas.json#2"]
    assert errors.same_command(argv) == "ideatrail run --proposal 'my ideas.json#2'"
