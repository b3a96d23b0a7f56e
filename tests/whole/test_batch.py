"""Batches by the real command, in processes of their own: interrupted, killed, gone on with."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import orjson
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "models"))

from engine_server import EngineServer, in_background

from ideatrail.resources import folder

pytestmark = pytest.mark.slow

SHIPPED = sorted((folder("data") / "proposals").glob("*.md"))


def command(*given: object) -> list[str]:
    return [sys.executable, "-m", "ideatrail.cli.main", *map(str, given)]


def run(*given: object, **more) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*given), capture_output=True, text=True, check=False, **more)


def rows_of(path: Path) -> list[dict]:
    """Whole lines, each of which has to be JSON."""
    raw = path.read_bytes() if path.exists() else b""
    return [orjson.loads(line) for line in raw[: raw.rfind(b"\n") + 1].split(b"\n")[:-1]]


def a_list(path: Path, count: int) -> Path:
    lines = ["input,seed"]
    lines += [f"{SHIPPED[n % len(SHIPPED)]},{n // len(SHIPPED)}" for n in range(count)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_a_list_to_its_end_and_again(tmp_path: Path) -> None:
    rows = a_list(tmp_path / "l.csv", 3)
    out = tmp_path / "out"
    done = run("batch", rows, "--out", out, "--turns", 8, "--json")
    assert done.returncode == 0, done.stderr
    report = orjson.loads(done.stdout)
    assert report["accepted"] + report["rejected"] == report["asked"] == 3
    released = rows_of(out / "trajectories.jsonl")
    assert len(released) == report["accepted"] > 0
    assert len({r["sample_id"] for r in released}) == len(released)
    kept = (out / "trajectories.jsonl").read_bytes()

    started = time.monotonic()
    again = run("batch", rows, "--out", out, "--turns", 8, "--json")
    assert again.returncode == 0
    assert (out / "trajectories.jsonl").read_bytes() == kept
    assert time.monotonic() - started < 20
    told = run("status", out, "--json")
    assert orjson.loads(told.stdout)["done"] == 3
    assert not orjson.loads(told.stdout)["running"]

    other = run("batch", rows, "--out", out, "--turns", 9)
    assert other.returncode == 2
    assert "turns: 8 there, 9 now" in other.stderr


def test_bad_rows_are_told_before_anything_is_made(tmp_path: Path) -> None:
    rows = tmp_path / "l.jsonl"
    lines = [
        {"input": str(SHIPPED[0]), "cutoff": "2024-01-01"},
        {"input": str(SHIPPED[0]), "cutoff": "yesterday"},
        {"input": "no such thing"},
        {"input": str(SHIPPED[1]), "settings": {"turnz": 3}},
        {"input": str(SHIPPED[1]), "settings": {"turns": 8}},
    ]
    rows.write_bytes(b"\n".join(map(orjson.dumps, lines)) + b"\n")
    out = tmp_path / "out"
    done = run("batch", rows, "--out", out, "--turns", 8)
    assert done.returncode == 2
    assert [f"line {n}:" in done.stderr for n in (1, 2, 3, 4, 5)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert not out.exists()
    done = run("batch", rows, "--out", out, "--turns", 8, "--skip-bad")
    assert done.returncode == 0, done.stderr
    assert len(rows_of(out / "rows.jsonl")) == 2


def test_papers_become_proposals_and_are_withheld(tmp_path: Path) -> None:
    from ideatrail.evidence.corpus import Corpus

    papers = [p for p in Corpus.bundled().papers if p.published and p.date > "2021"][:40]
    rows = tmp_path / "papers.txt"
    rows.write_text("\n".join(p.url for p in papers[:4]) + "\n", "utf-8")
    out = tmp_path / "out"
    done = run("batch", rows, "--out", out, "--turns", 8, "--json")
    report = orjson.loads(done.stdout)
    ended = rows_of(out / "rows.jsonl")
    assert len(ended) == 4
    assert all(r["ending"] != "failed" for r in ended), ended
    assert report["set_aside"] < 4
    for path in (out / "proposals").glob("*.md"):
        text = path.read_text("utf-8")
        assert "drafted_from: title and summary" in text
        assert "## Research question" in text
    for made in (out / "trails").glob("it_*"):
        seed = orjson.loads((made / "advisor" / "seed.json").read_bytes())
        assert seed["parse_quality"] in ("medium", "low")
        held = orjson.loads((made / "advisor" / "withheld.json").read_bytes())
        target = held["titles"][0].casefold()
        for path in made.rglob("trajectory.jsonl"):
            assert target not in path.read_text("utf-8").casefold()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_a_batch_that_goes_on(tmp_path: Path, sent: signal.Signals) -> None:
    rows = a_list(tmp_path / "l.csv", 4)
    out = tmp_path / "out"
    given = command("batch", rows, "--out", out, "--turns", 12, "--json")
    with subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        _wait_for(lambda: any((out / "trails").glob("*/log.jsonl")))
        time.sleep(1.0)
        process.send_signal(sent)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert run("status", out).stdout.startswith("ended")
    done = run("batch", rows, "--out", out, "--turns", 12, "--json")
    assert done.returncode == 0, done.stderr
    assert len({r["key"] for r in rows_of(out / "rows.jsonl")}) == 4


def test_killed_at_twenty_moments_every_row_stands_once(tmp_path: Path) -> None:
    kills, count, turns = 20, 6, 8
    rows = a_list(tmp_path / "l.csv", count)
    out = tmp_path / "out"
    chance = random.Random(7)
    with in_background(EngineServer()) as server:
        config = tmp_path / "batch.toml"
        config.write_text(
            f'model = "openai:engine"\n[endpoints."openai:engine"]\n'
            f'base_url = "{server.base_url}"\n',
            "utf-8",
        )
        given = command("batch", rows, "--out", out, "--turns", turns, "--config", config)
        environment = {**os.environ, "OPENAI_API_KEY": "sk-of-no-use-0123456789"}
        for _ in range(kills):
            with subprocess.Popen(
                given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
            ) as process:
                time.sleep(chance.uniform(1.5, 4.0))
                process.kill()
            rows_of(out / "trajectories.jsonl")  # every whole line is JSON
        done = run(*given[3:], "--json", env=environment)
        report = orjson.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert report["accepted"] + report["rejected"] == count
    released = [r["sample_id"] for r in rows_of(out / "trajectories.jsonl")]
    assert len(released) == len(set(released)) == report["accepted"]
    asked = Counter(orjson.dumps(body) for body in server.requests)
    twice = sum(times - 1 for times in asked.values())
    assert twice <= kills * count, f"{twice} calls were paid again"
    assert len(asked) >= count * turns


@pytest.mark.ray
def test_ray_gives_the_same_trails(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="ray is not installed")
    rows = a_list(tmp_path / "l.csv", 4)
    made = {}
    for engine in ("local", "ray"):
        out = tmp_path / engine
        done = run("batch", rows, "--out", out, "--turns", 8, "--engine", engine, "--json")
        assert done.returncode == 0, done.stderr
        lines = (out / "trajectories.jsonl").read_bytes().split(b"\n")[:-1]
        made[engine] = {orjson.loads(line)["sample_id"]: line for line in lines}
    assert made["local"]
    assert made["local"] == made["ray"]


def _wait_for(what, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until
        time.sleep(0.1)
