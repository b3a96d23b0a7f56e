"""Whole runs: determinism, resume, and what is left on disk."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import orjson
import pytest

from ideatrail.models.offline.model import OfflineModel
from ideatrail.models.protocol import ModelError
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.run.log import read_log
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings

pytestmark = pytest.mark.slow

TURNS = 16
SHIPPED = "source_aware_decoding.md"


def settings(out: Path, **values) -> Settings:
    proposal = str(folder("data") / "proposals" / SHIPPED)
    return Settings(proposal=proposal, turns=TURNS, out=out, **values)


def record_and_workspace(run: Path) -> dict[str, bytes]:
    files = [run / "trajectory.jsonl", run / "advisor" / "rejected_trajectory.jsonl"]
    files += sorted((run / "workspace").rglob("*"))
    return {p.relative_to(run).as_posix(): p.read_bytes() for p in files if p.is_file()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """One finished run."""
    result = asyncio.run(run_trail(settings(tmp_path_factory.mktemp("whole"))))
    assert result.outcome in ("accepted", "rejected")
    return result


def command(out: Path) -> list[str]:
    proposal = str(folder("data") / "proposals" / SHIPPED)
    return [
        sys.executable, "-m", "ideatrail.cli.main", "run", "--proposal", proposal,
        "--turns", str(TURNS), "--out", str(out), "--quiet",
    ]  # fmt: skip


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_equal_settings_give_equal_bytes_in_another_process(whole, tmp_path, hash_seed):
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command(tmp_path), env=env, capture_output=True, check=False)
    assert done.returncode == whole.exit_code, done.stderr
    assert record_and_workspace(tmp_path / whole.sample_id) == record_and_workspace(whole.folder)


async def test_eight_at_once_give_the_same_bytes_as_one(whole, tmp_path):
    shared = Shared()
    many = [settings(tmp_path / str(n)) for n in range(8)]
    results = await asyncio.gather(*(run_trail(s, shared=shared) for s in many))
    expected = record_and_workspace(whole.folder)
    assert all(record_and_workspace(r.folder) == expected for r in results)


async def test_a_finished_trail_is_not_made_again(whole):
    before = (whole.folder / "log.jsonl").stat().st_mtime_ns
    again = await run_trail(settings(whole.folder.parent))
    assert (again.already, again.exit_code) == (True, whole.exit_code)
    assert (whole.folder / "log.jsonl").stat().st_mtime_ns == before


class Stopping:
    """A model that fails, as an endpoint does, after so many answers."""

    name = "offline"

    def __init__(self, answers: int) -> None:
        self.left = answers
        self.asked = 0

    async def answer(self, request):
        if self.left == 0:
            raise ModelError("the endpoint went away")
        self.left -= 1
        self.asked += 1
        return await OfflineModel().answer(request)


@pytest.mark.parametrize("answers", [1, 5, 14])
async def test_a_run_goes_on_where_it_stopped(whole, tmp_path, answers):
    stopping = Stopping(answers)
    with pytest.raises(ModelError):
        await run_trail(settings(tmp_path), models={"generator": stopping})
    (run,) = tmp_path.iterdir()
    assert orjson.loads((run / "manifest.json").read_bytes())["exit_code"] == 5
    assert not (run / "trajectory.jsonl").exists()
    rest = Stopping(-1)
    result = await run_trail(settings(tmp_path), models={"generator": rest})
    assert result.resumed
    drafts = [e for e in read_log(run / "log.jsonl") if e.get("node") == "generate"]
    assert stopping.asked + rest.asked == len(drafts), "no draft is paid for twice"
    assert record_and_workspace(run) == record_and_workspace(whole.folder)


def test_a_kill_loses_nothing_that_was_finished(whole, tmp_path):
    started = subprocess.Popen(command(tmp_path))
    log = tmp_path / whole.sample_id / "log.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if log.exists() and log.read_bytes().count(b'"node":"act"') >= 4:
            break
        time.sleep(0.02)
    started.send_signal(signal.SIGKILL)
    started.wait()
    kept = log.read_bytes()
    done = subprocess.run(command(tmp_path), capture_output=True, check=False)
    assert done.returncode == whole.exit_code, done.stderr
    whole_lines = kept[: kept.rfind(b"\n") + 1]
    assert log.read_bytes().startswith(whole_lines)
    assert record_and_workspace(log.parent) == record_and_workspace(whole.folder)


def test_an_interrupt_exits_with_130_and_can_be_gone_on_with(whole, tmp_path):
    started = subprocess.Popen(command(tmp_path), stderr=subprocess.PIPE)
    log = tmp_path / whole.sample_id / "log.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (log.exists() and log.stat().st_size > 20_000):
        time.sleep(0.02)
    started.send_signal(signal.SIGINT)
    _, stderr = started.communicate(timeout=60)
    assert started.returncode == 130, stderr
    assert b"Traceback" not in stderr
    manifest = orjson.loads((log.parent / "manifest.json").read_bytes())
    assert (manifest["outcome"], manifest["exit_code"]) == ("interrupted", 130)
    done = subprocess.run(command(tmp_path), capture_output=True, check=False)
    assert done.returncode == whole.exit_code, done.stderr
    assert record_and_workspace(log.parent) == record_and_workspace(whole.folder)


async def test_two_processes_do_not_make_one_trail(whole, tmp_path):
    from ideatrail.run.folder import RunFolder
    from ideatrail.run.inputs import RunRefused

    taken = RunFolder(tmp_path / whole.sample_id)
    taken.root.mkdir()
    assert taken.lock()
    with pytest.raises(RunRefused, match="another process"):
        await run_trail(settings(tmp_path))
    taken.unlock()


def test_the_manifest_says_what_the_contract_lists(whole):
    manifest = orjson.loads((whole.folder / "manifest.json").read_bytes())
    keys = """format_version sample_id outcome endpoint reasons exit_code cutoff settings
        fingerprint versions models counts usage cost timings""".split()
    assert set(keys) <= set(manifest)
    assert set(manifest["anchors"]) == {
        "claim_audit.md", "synthesis.md", "idea_candidates.md", "research_proposal.md"
    }  # fmt: skip
