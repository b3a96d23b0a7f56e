"""The shape of a record: its figures, and what counts as one sentence plan."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from handmade import Maker, good, search_text
from independent import shape
from independent_shape import sentences, skeletons


def test_shape_counts_what_the_record_holds() -> None:
    record, _, _ = good()
    figures = shape(record)
    assert figures["calls"] == 26
    assert figures["calls_before_write"] == 10
    assert figures["fan_out_max"] == 6
    assert figures["authoring"] == pytest.approx(16 / 26)
    # The scraped head had shown the one line of the only View that came to something.
    assert figures["views_repeated"] == 1.0
    assert sum(figures[f"characters_{k}"] for k in ("observations", "reasoning", "visible")) < 1
    assert figures["tier_normal"] == 1.0


def talk(*lines: str) -> dict[str, Any]:
    maker = Maker()
    maker.turn("explore", "Well.", ("WebSearch", {"query": "q"}, search_text()))
    for line in lines:
        maker.turn("explore", line)
    return maker.record("idea")


def test_fillers_make_no_new_skeletons() -> None:
    record = talk(
        'What the Echo study says is "much of it. And more", so I would stay with it.',
        'What the Mori snippet says is "nothing", so I would stay with it.',
        "What it says about 14 rooms, speech and Falk is not what I would stay with.",
    )
    found = skeletons(record)
    assert found["skeletons"] == 2
    assert found["skeleton_max"] == 2


def test_a_sentence_said_thrice_is_counted_thrice() -> None:
    found = skeletons(talk(*["So there is more to do here."] * 3))
    assert found["sentence_max"] == 3
    assert found["skeleton_max"] == 3


def test_a_full_stop_inside_a_quote_ends_a_sentence_only_at_its_end() -> None:
    assert len(sentences('He says "a. B c" and goes. She says "d." Then they rest.')) == 3


def test_shape_benchmark_prints_ours_beside_theirs(tmp_path: Path) -> None:
    file = tmp_path / "two.jsonl"
    file.write_bytes(b"".join(orjson.dumps(good(e)[0]) + b"\n" for e in ("idea", "proposal")))
    script = Path(__file__).resolve().parents[1] / "benchmarks" / "shape.py"
    done = subprocess.run(
        [sys.executable, str(script), str(file)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("2 trail(s)\n")
    fan_out = next(line for line in done.stdout.splitlines() if line.startswith("calls a calling"))
    assert fan_out.split()[-4:] == ["3.27", "(paper,", "section", "7)"]
