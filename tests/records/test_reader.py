"""Reading what the wild has, and saying exactly which line is no record."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.records import read
from ideatrail.records.fault import LineError, LineFault
from ideatrail.records.linkage import pair
from ideatrail.records.message import calls_of, reasoning_of, text_of

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "trajectories"


def put(path: Path, data: bytes, packing: str) -> Path:
    if packing == "gz":
        data = gzip.compress(data)
    elif packing == "zst":
        # Two frames, as a file that was appended to has them.
        half = len(data) // 2
        pack = zstandard.ZstdCompressor()
        data = pack.compress(data[:half]) + pack.compress(data[half:])
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("packing", ["plain", "gz", "zst"])
@given(texts=st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"])), max_size=5))
def test_read_gives_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, packing: str, texts: list[str]
) -> None:
    rows = [{"sample_id": text, "x": "\u2028\u0085\x0b"} for text in texts]
    path = put(
        tmp_path_factory.mktemp("r") / "t", b"".join(orjson.dumps(r) + b"\n" for r in rows), packing
    )
    found = list(read(path))
    assert [row.raw for row in found] == rows
    assert [row.line for row in found] == list(range(1, len(rows) + 1))


def test_read_takes_bom_crlf_blank_lines_and_a_missing_last_newline(tmp_path: Path) -> None:
    path = put(
        tmp_path / "t", b'\xef\xbb\xbf{"sample_id":"a"}\r\n\r\n \n{"sample_id":"b"}', "plain"
    )
    assert [(row.line, row.sample_id) for row in read(path)] == [(1, "a"), (4, "b")]


def test_read_names_each_line_that_is_no_record(tmp_path: Path) -> None:
    data = b'{"a":1}\n{"a":\n[1]\n{"a":"\xff"}\n{"a":2}\n{"a":'
    path = put(tmp_path / "t", data, "plain")
    faults: list[LineFault] = []
    assert [row.raw["a"] for row in read(path, faults.append)] == [1, 2]
    assert [(f.line, f.kind) for f in faults] == [
        (2, "not_json"),
        (3, "not_object"),
        (4, "not_utf8"),
        (6, "torn"),
    ]
    with pytest.raises(LineError, match=r"t:2: not_json") as caught:
        list(read(path))
    assert caught.value.fault == faults[0]


@pytest.mark.parametrize("packing", ["gz", "zst"])
def test_read_says_that_packed_data_breaks_off(tmp_path: Path, packing: str) -> None:
    lines = b"".join(orjson.dumps({"n": n, "x": "y" * 50}) + b"\n" for n in range(20_000))
    path = put(tmp_path / "t", lines, packing)
    path.write_bytes(path.read_bytes()[:-200])
    faults: list[LineFault] = []
    rows = list(read(path, faults.append))
    assert [row.raw["n"] for row in rows] == list(range(len(rows)))
    assert [f.kind for f in faults] == ["torn"]


def test_read_of_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(read(tmp_path / "none.jsonl"))


def test_cutoff_and_topic_are_found_by_the_rules(tmp_path: Path) -> None:
    def row(system: Any, arguments: Any) -> Any:
        call = {"id": "c", "function": {"name": "View", "arguments": arguments}}
        raw = {
            "messages": [
                {"role": "system", "content": system},
                {"role": "assistant", "content": None, "tool_calls": [call]},
            ]
        }
        return next(read(put(tmp_path / "t", orjson.dumps(raw), "plain")))

    first = row("Not 2021-13-01 nor 12021-01-02 but 2021-05-06, then 2020-01-01.", "{")
    assert (first.cutoff, first.topic) == ("2021-05-06", None)
    second = row(
        [{"type": "text", "text": "None."}], '{"file_path":"/w/research_topics/echo/a.md"}'
    )
    assert (second.cutoff, second.topic) == (None, "echo")
    assert row("", {"path": "research_topics/echo-2"}).topic == "echo-2"
    assert row("", {"path": "research_topics/*/x"}).topic is None


def test_contents_and_reasoning_are_read_in_every_form() -> None:
    parts = [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": "a"}, "b", {"n": 1}]
    assert [text_of(v) for v in ("x", None, parts, 3)] == ["x", "", "ab", ""]
    assert reasoning_of({"content": parts}) == "t"
    assert reasoning_of({"reasoning_content": "", "reasoning": "r"}) == "r"
    assert reasoning_of({}) == ""
    flat = calls_of({"tool_calls": [{"id": None, "name": "f", "arguments": {"a": 1}}, 3]})
    assert [(c.id, c.name, c.arguments) for c in flat] == [("", "f", '{"a":1}')]
    assert calls_of({"tool_calls": None}) == ()


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not beside the checkout")
def test_real_runs_of_another_benchmark_are_read_and_paired() -> None:
    rows = list(read(SHARED / "tau_bench_airline_gpt4o_40.jsonl.gz"))
    assert len(rows) == 40
    ids: Counter[str] = Counter()
    for row in rows:
        messages = row.raw["traj"]
        linkage = pair(messages)
        assert linkage.unmatched == ()
        answered = sum(link.result is not None for b in linkage.batches for link in b.links)
        assert answered == sum(m["role"] == "tool" for m in messages)
        ids.update(i for i, uses in linkage.id_uses.items() if uses > 1)
    assert sum(ids.values()) == 10  # the ten repeated ids that this sample is known for


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not beside the checkout")
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("webdancer_50.jsonl.gz", 50),
        ("swesmith_ft_xml_3.jsonl", 3),
        ("opendiscoverytrace_10.jsonl", 10),
        ("scider_chat_history.jsonl", 4),
    ],
)
def test_real_files_of_other_forms_are_streamed(name: str, count: int) -> None:
    assert sum(1 for _ in read(SHARED / name)) == count
