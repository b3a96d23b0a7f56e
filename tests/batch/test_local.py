"""Rows over real worker processes: a killed worker costs nothing that was finished."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest

from ideatrail.batch.local import DEATHS, LocalPool
from ideatrail.batch.rows import Row

sys.path.insert(0, str(Path(__file__).resolve().parent))


@pytest.fixture(autouse=True)
def on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worker processes find the errands, too."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parent))


def rows(*names: str) -> list[Row]:
    return [Row(n, name, {}) for n, name in enumerate(names, 1)]


def pool(folder: Path, **given) -> LocalPool:
    return LocalPool("errands:make", str(folder), **{"workers": 2, "concurrency": 8, **given})


def test_all_rows_are_done(tmp_path: Path) -> None:
    got = []
    names = [f"row {n}" for n in range(30)] + ["no thanks"]
    pool(tmp_path).run(rows(*names), lambda result, record: got.append((result, record)))
    assert sorted(r.name for r, _ in got) == sorted(names)
    assert {r.name for r, record in got if record is None} == {"no thanks"}
    assert len(list(tmp_path.glob("closed *"))) == 2


def test_a_killed_worker_costs_its_unfinished_rows_once(tmp_path: Path) -> None:
    got = []
    names = [f"row {n}" for n in range(10)] + ["die once", "wait 0.5"]
    pool(tmp_path).run(rows(*names), lambda result, record: got.append(result.name))
    assert sorted(got) == sorted(names)


def test_a_row_that_kills_its_workers_is_given_up(tmp_path: Path) -> None:
    got = []
    pool(tmp_path, concurrency=2).run(
        rows("die always", "row 1"), lambda result, record: got.append(result)
    )
    by_name = {r.name: r for r in got}
    assert by_name["row 1"].ending == "accepted"
    assert (by_name["die always"].ending, by_name["die always"].cause) == ("failed", "killed")
    starts = (tmp_path / "starts").read_text().splitlines()
    assert starts.count("die always") == DEATHS


def test_a_stop_leaves_rows_to_be_gone_on_with(tmp_path: Path) -> None:
    got = []
    made = pool(tmp_path)
    threading.Timer(2.0, made.stop).start()
    started = time.monotonic()
    made.run(rows("row 1", "wait 60", "wait 61"), lambda result, record: got.append(result.name))
    assert time.monotonic() - started < 20
    assert got == ["row 1"]
    assert (tmp_path / "left wait 60").exists()
    assert made.stopped


def test_what_the_writer_raises_ends_the_run(tmp_path: Path) -> None:
    def full(result, record) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        pool(tmp_path).run(rows("row 1", "wait 60"), full)
    assert (tmp_path / "left wait 60").exists()


def test_a_worker_that_cannot_start_is_told(tmp_path: Path) -> None:
    broken = LocalPool("errands:broken", str(tmp_path), workers=1, concurrency=1, grace=2)
    with pytest.raises(RuntimeError, match="no such luck"):
        broken.run(rows("row 1"), lambda result, record: None)


def test_where_rows_stand_is_told(tmp_path: Path) -> None:
    seen = []
    pool(tmp_path).run(rows("wait 3"), lambda result, record: None, seen.extend)
    assert any(look.get("doing") == ["wait 3"] for look in seen)
