"""Records are written whole or not at all."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.records.fault import RecordError
from ideatrail.records.reader import read
from ideatrail.records.writer import append, encode, write


def test_write_replaces_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    write(path, {"sample_id": "a"})
    write(path, {"sample_id": "b\u2028\n"})
    assert path.read_bytes() == '{"sample_id":"b\u2028\\n"}\n'.encode()
    assert [p.name for p in tmp_path.iterdir()] == ["t.jsonl"]


def test_write_keeps_the_order_of_keys() -> None:
    assert encode({"z": 1, "a": None}) == b'{"z":1,"a":null}'


@pytest.mark.parametrize("value", ["\ud800", 2**70, {1: 2}])
def test_what_json_cannot_hold_is_refused_before_anything_is_touched(
    tmp_path: Path, value: object
) -> None:
    path = tmp_path / "t.jsonl"
    write(path, {"sample_id": "a"})
    for put in (write, append):
        with pytest.raises(RecordError, match="cannot be written"):
            put(path, {"sample_id": "b", "x": value})
    assert path.read_bytes() == b'{"sample_id":"a"}\n'


def test_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    write(path, {"sample_id": "a"})
    with pytest.raises(OSError, match="File too large"):
        _limited(write, path)
    assert path.read_bytes() == b'{"sample_id":"a"}\n'
    assert [p.name for p in tmp_path.iterdir()] == ["t.jsonl"]


def test_append_that_fails_cuts_its_half_line_off(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    append(path, {"sample_id": "a"})
    with pytest.raises(OSError, match="File too large"):
        _limited(append, path)
    assert path.read_bytes() == b'{"sample_id":"a"}\n'


def _limited(put: object, path: Path) -> None:
    """Write 100 kB where files may hold 10 kB, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        put(path, {"sample_id": "b", "x": "y" * 100_000})  # type: ignore[operator]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, old)


@given(
    done=st.lists(st.text(max_size=20), max_size=4),
    cut=st.integers(min_value=0, max_value=200),
    data=st.data(),
)
def test_append_after_a_kill_loses_only_the_torn_line(
    tmp_path_factory: pytest.TempPathFactory, done: list[str], cut: int, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("a") / "t.jsonl"
    for text in done:
        append(path, {"sample_id": text})
    whole = path.read_bytes() if done else b""
    kept = whole[: min(cut, len(whole))]
    path.write_bytes(kept)
    append(path, {"sample_id": "last"})
    lines = path.read_bytes().split(b"\n")
    assert lines.pop() == b""
    ids = [orjson.loads(line)["sample_id"] for line in lines]
    # A record whose newline alone is missing is whole.
    unended = kept[kept.rfind(b"\n") + 1 :]
    finished = kept.count(b"\n") + (unended.endswith(b"}") and whole.startswith(kept + b"\n"))
    assert ids == [*done[:finished], "last"]


def test_append_is_seen_by_another_process(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    script = "import sys, pathlib, ideatrail.records.writer as w\n" + (
        "w.append(pathlib.Path(sys.argv[1]), {'sample_id': sys.argv[2]})"
    )
    for name in ("a", "b"):
        subprocess.run([sys.executable, "-c", script, str(path), name], check=True)
    assert [row.sample_id for row in read(path)] == ["a", "b"]
