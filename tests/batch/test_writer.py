"""Every row is in the release once, whenever the writer died."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.batch.result import RowResult
from ideatrail.batch.writer import BatchWriter


def result(number: int, ending: str = "accepted") -> RowResult:
    return RowResult(f"k{number}", number, f"row {number}", ending)


def record(number: int) -> bytes:
    return orjson.dumps({"sample_id": f"s{number}", "text": "a\u2028b" * number})


def released(folder: Path) -> list[str]:
    found = []
    for path in sorted(folder.glob("trajectories*")):
        raw = path.read_bytes()
        if path.suffix == ".zst":
            with zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True) as file:
                raw = file.read()
        found += [orjson.loads(line)["sample_id"] for line in raw.split(b"\n")[:-1]]
    return found


@pytest.mark.parametrize("shard", [None, 2])
def test_records_and_failures(tmp_path: Path, shard: int | None) -> None:
    writer = BatchWriter(tmp_path, shard=shard)
    for n in range(5):
        writer.put(result(n), record(n))
    writer.put(result(7, "rejected"))
    writer.put(result(8, "failed"))
    writer.close()
    again = BatchWriter(tmp_path, shard=shard)
    assert again.settled == {"k0", "k1", "k2", "k3", "k4", "k7"}
    again.put(result(8), record(8))
    again.close()
    assert sorted(released(tmp_path)) == ["s0", "s1", "s2", "s3", "s4", "s8"]
    assert len(list(tmp_path.glob("*.zst"))) == (3 if shard else 0)
    failures = (tmp_path / "failures.jsonl").read_bytes().splitlines()
    assert [orjson.loads(x)["ending"] for x in failures] == ["rejected", "failed"]


@given(cut=st.integers(0, 400), which=st.sampled_from(["rows.jsonl", "trajectories.jsonl"]))
def test_a_torn_end_is_owed(tmp_path_factory, cut: int, which: str) -> None:
    folder = tmp_path_factory.mktemp("batch")
    writer = BatchWriter(folder)
    for n in range(3):
        writer.put(result(n), record(n))
    writer.close()
    path = folder / which
    if which == "rows.jsonl":
        path.write_bytes(path.read_bytes()[: max(0, path.stat().st_size - cut)])
    else:
        path.write_bytes(path.read_bytes() + b'{"sample_id": "torn'[:cut])
    again = BatchWriter(folder)
    for n in range(3):
        if f"k{n}" not in again.settled:
            again.put(result(n), record(n))
    again.close()
    assert released(folder) == ["s0", "s1", "s2"]


def test_a_shard_is_whole_after_each_record(tmp_path: Path) -> None:
    writer = BatchWriter(tmp_path, shard=10)
    for n in range(3):
        writer.put(result(n), record(n))
        assert len(released(tmp_path)) == n + 1
    writer.close()
