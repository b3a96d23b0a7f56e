"""Rows on a real Ray cluster of this machine; one of its workers is killed."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from ideatrail.batch.rows import Row

sys.path.insert(0, str(Path(__file__).resolve().parent))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.ray,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed"),
]


@pytest.fixture(scope="module")
def cluster():
    import ray

    os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parent)
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    yield ray
    ray.shutdown()
    del os.environ["PYTHONPATH"]


def rows(*names: str) -> list[Row]:
    return [Row(n, name, {}) for n, name in enumerate(names, 1)]


def pool(folder: Path, **given):
    from ideatrail.batch.ray_pool import RayPool

    return RayPool("errands:make", str(folder), **{"workers": 2, "concurrency": 6, **given})


def test_all_rows_are_done(cluster, tmp_path: Path) -> None:
    got = []
    names = [f"row {n}" for n in range(20)] + ["no thanks"]
    pool(tmp_path).run(rows(*names), lambda result, record: got.append(result.name))
    assert sorted(got) == sorted(names)


def test_a_killed_worker_costs_its_unfinished_rows_once(cluster, tmp_path: Path) -> None:
    got = []
    names = [f"row {n}" for n in range(6)] + ["die once", "wait 1"]
    pool(tmp_path).run(rows(*names), lambda result, record: got.append(result.name))
    assert sorted(got) == sorted(names)


def test_a_worker_killed_from_outside(cluster, tmp_path: Path) -> None:
    got = []

    def kill() -> None:
        until = time.monotonic() + 30
        while not (pids := list(tmp_path.glob("pid *"))) and time.monotonic() < until:
            time.sleep(0.1)
        os.kill(int(pids[0].name.split()[1]), signal.SIGKILL)

    threading.Thread(target=kill).start()
    names = ["pid wait", "row 1", "row 2"]
    pool(tmp_path).run(rows(*names), lambda result, record: got.append(result.name))
    assert sorted(got) == sorted(names)


def test_a_stop_leaves_rows_to_be_gone_on_with(cluster, tmp_path: Path) -> None:
    got = []
    made = pool(tmp_path)
    threading.Timer(3.0, made.stop).start()
    made.run(rows("row 1", "wait 60"), lambda result, record: got.append(result.name))
    assert got == ["row 1"]
    assert (tmp_path / "left wait 60").exists()
