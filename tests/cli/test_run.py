"""`ideatrail run` as a person or a program meets it."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
SHIPPED = CHECKOUT / "data" / "proposals" / "asking_before_answering.md"

SHORT = ("--turns", "12")
"""Enough turns to stop and go on; whether such a short trail is accepted is no matter here."""


def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("IDEATRAIL_")}
    return {**kept, "PYTHONPATH": str(CHECKOUT)}


def _command(out: Path, *more: str, proposal: Path = SHIPPED) -> list[str]:
    where = ["--proposal", str(proposal), "--out", str(out)]
    return [sys.executable, "-m", "ideatrail.cli.main", "run", *where, *more]


def _run(
    out: Path, *more: str, proposal: Path = SHIPPED, largest_file: int | None = None
) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        if largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, resource.RLIM_INFINITY))

    return subprocess.run(
        _command(out, *more, proposal=proposal),
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=limit,
        check=False,
    )


@contextmanager
def _running(out: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A run some turns into its trail, held still (SIGSTOP), and its folder."""
    process = subprocess.Popen(
        _command(out, *more),
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        until = time.monotonic() + 120
        while time.monotonic() < until and process.poll() is None:
            logs = list(out.glob("*/log.jsonl"))
            if logs and logs[0].read_bytes().count(b'"node":"act"') >= 3:
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGSTOP)
        assert process.poll() is None, "the run was over before it could be held"
        yield process, logs[0].parent
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _tree(folder: Path) -> dict[str, bytes]:
    """Every file below `folder` with its bytes."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def _trail(folder: Path) -> dict[str, bytes]:
    """What equal settings make equal: the record, released or not, and the workspace."""
    return {
        name: data
        for name, data in _tree(folder).items()
        if name.startswith("workspace/") or name.endswith("trajectory.jsonl")
    }


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """Folder and exit code of a short run that nobody disturbed."""
    out = tmp_path_factory.mktemp("undisturbed")
    done = _run(out, *SHORT, "--json")
    assert done.returncode in (0, 3), done.stderr
    told = json.loads(done.stdout)
    return Path(told["folder"]), done.returncode


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """`--out` and the JSON summary of a whole default run."""
    out = tmp_path_factory.mktemp("accepted")
    done = _run(out, "--json")
    assert done.returncode == 0, done.stderr
    return out, json.loads(done.stdout)


@pytest.mark.slow
def test_json_is_one_object_and_points_to_what_is_there(
    accepted: tuple[Path, dict[str, Any]],
) -> None:
    _, told = accepted
    assert told["outcome"] == "accepted"
    assert told["endpoint"] in ("idea", "proposal")
    assert told["claims"] >= 5
    assert told["selected_idea"]
    assert told["cost"] == {"usd": 0.0}
    assert Path(told["record"]).is_file()
    assert len(told["artifacts"]) == (4 if told["endpoint"] == "proposal" else 3)
    assert all(Path(path).is_file() for path in told["artifacts"].values())


@pytest.mark.slow
def test_a_run_leaves_the_folder_of_the_contract(accepted: tuple[Path, dict[str, Any]]) -> None:
    out, told = accepted
    folder = out / told["sample_id"]
    wanted = {"trajectory.jsonl", "workspace", "observations", "advisor", "log.jsonl"}
    assert {p.name for p in folder.iterdir()} == wanted | {"manifest.json"}
    assert [p.name for p in out.iterdir()] == [told["sample_id"]]


@pytest.mark.slow
def test_a_finished_trail_is_told_and_left_alone(
    accepted: tuple[Path, dict[str, Any]], cli: Callable[..., Any]
) -> None:
    out, told = accepted
    before = _tree(out)
    done = cli("run", "--proposal", SHIPPED, "--out", out)
    assert done.code == 0
    assert "already" in done.out
    assert _tree(out) == before
    for words in (told["selected_idea"], told["record"], "claims", "calls", "leak bits", "cost 0"):
        assert words in done.out
    assert max(len(line) for line in done.out.splitlines() if "/" not in line) < 120


def test_quiet_says_nothing_but_the_summary(
    undisturbed: tuple[Path, int], cli: Callable[..., Any]
) -> None:
    folder, code = undisturbed
    done = cli("run", "--proposal", SHIPPED, "--out", folder.parent, *SHORT, "--quiet")
    assert (done.code, done.err) == (code, "")
    assert folder.name in done.out


def test_force_makes_the_same_trail_anew(undisturbed: tuple[Path, int], tmp_path: Path) -> None:
    folder, code = undisturbed
    copied = tmp_path / folder.name
    shutil.copytree(folder, copied)
    (copied / "workspace" / "stray.md").write_text("not of this trail")
    done = _run(tmp_path, *SHORT, "--force", "--json")
    assert done.returncode == code, done.stderr
    assert json.loads(done.stdout)["already"] is False
    assert _trail(copied) == _trail(folder)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["ctrl-c", "kill -9"])
def test_a_stopped_run_goes_on_to_the_same_trail(
    undisturbed: tuple[Path, int], tmp_path: Path, how: signal.Signals
) -> None:
    folder, code = undisturbed
    with _running(tmp_path, *SHORT) as (process, stopped):
        process.send_signal(how)
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert process.returncode == 130, err
        assert out == ""
        assert "Go on with: ideatrail run" in err.splitlines()[-1]
        assert "Traceback" not in err
    kept = (stopped / "log.jsonl").read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    done = _run(tmp_path, *SHORT, "--json")
    assert done.returncode == code, done.stderr
    assert json.loads(done.stdout)["resumed"] is True
    assert (stopped / "log.jsonl").read_bytes().startswith(kept), "a finished step was repeated"
    assert _trail(stopped) == _trail(folder)


def test_a_proposal_deleted_midway_loses_nothing(
    undisturbed: tuple[Path, int], tmp_path: Path
) -> None:
    folder, code = undisturbed
    proposal = tmp_path / "mine.md"
    shutil.copy(SHIPPED, proposal)
    out = tmp_path / "out"
    process = subprocess.Popen(
        _command(out, *SHORT, proposal=proposal), env=_environment(), stderr=subprocess.PIPE
    )
    until = time.monotonic() + 120
    while not list(out.glob("*/advisor/seed.json")) and time.monotonic() < until:
        time.sleep(0.02)
    proposal.unlink()
    assert process.wait(timeout=200) == code
    assert process.stderr is not None
    process.stderr.close()
    assert _trail(out / folder.name) == _trail(folder)


def test_a_proposal_deleted_between_two_goes_is_refused_and_nothing_is_lost(
    tmp_path: Path, undisturbed: tuple[Path, int]
) -> None:
    with _running(tmp_path, *SHORT) as (process, stopped):
        process.kill()
        process.communicate()
    before = _tree(stopped)
    done = _run(tmp_path, *SHORT, proposal=tmp_path / "gone.md")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert _tree(stopped) == before


@pytest.mark.parametrize("largest_file", [300, 60_000], ids=["at the start", "midway"])
def test_a_full_disk_ends_in_one_line_and_the_run_goes_on_later(
    undisturbed: tuple[Path, int], tmp_path: Path, largest_file: int
) -> None:
    folder, code = undisturbed
    done = _run(tmp_path, *SHORT, "--quiet", largest_file=largest_file)
    assert (done.returncode, done.stdout) == (5, ""), done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("ideatrail: ")
    assert not list(tmp_path.rglob("*.part")), "something half-written was left"
    assert not list(tmp_path.rglob("trajectory.jsonl"))
    done = _run(tmp_path, *SHORT)
    assert done.returncode == code, done.stderr
    assert _trail(tmp_path / folder.name) == _trail(folder)


def test_two_processes_do_not_make_one_trail(tmp_path: Path) -> None:
    with _running(tmp_path, *SHORT) as (_, _folder):
        done = _run(tmp_path, *SHORT)
    assert (done.returncode, done.stdout) == (2, "")
    assert "another process" in done.stderr


@pytest.mark.parametrize("args", [(), ("run",), ("corpus",), ("corpus", "build"), ("schemas",)])
def test_help_is_there_for_every_command(args: tuple[str, ...], cli: Callable[..., Any]) -> None:
    done = cli(*args, "--help")
    assert done.code == 0
    assert "Usage: ideatrail" in done.out


def test_the_first_help_loads_no_room_of_the_house() -> None:
    heavy = ["langgraph", "tantivy", "openai", "anthropic", "pydantic"]
    code = (
        "import sys, ideatrail.cli.main as m; m.main(['--help']); "
        f"print(sorted(set({heavy}) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=_environment(), capture_output=True, text=True, check=True
    )
    # typer itself loads pydantic; nothing heavier may come with it.
    assert done.stdout.splitlines()[-1] in ("[]", "['pydantic']")


def test_the_version_is_told(cli: Callable[..., Any]) -> None:
    from ideatrail import __version__

    assert cli("--version").out == f"ideatrail {__version__}\n"


@pytest.mark.parametrize("command", ["rum", "corpsu"])
def test_a_mistyped_command_is_corrected(command: str, cli: Callable[..., Any]) -> None:
    done = cli(command)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert "Did you mean" in done.err
