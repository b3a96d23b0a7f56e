"""What a batch shows while it runs and after, and to Prometheus."""

from __future__ import annotations

import socket
import urllib.request
from pathlib import Path

from rich.console import Console

from ideatrail.batch.report import report
from ideatrail.batch.result import RowResult
from ideatrail.cli.batch import _metrics
from ideatrail.cli.batch_view import BatchView, line, screen, told

LOOK = {
    "rows": [
        {
            "line": 3,
            "name": "a\x1b[31m.md",
            "stage": "audit",
            "turn": 4,
            "of": 20,
            "retries": 1,
            "seconds": 61.0,
        }
    ],
    "memory": 2**27,
    "turns": 12,
    "calls": 30,
    "verdicts": 13,
    "retries": 1,
    "tokens": 12_345,
    "usd": 0.5,
    "priced": True,
    "codes": {"repetition": 1},
}


def results() -> dict[str, RowResult]:
    figures = {"endpoint": "idea", "grade": "B", "tiers": {"high": 3}, "turns": 20, "tokens": None}
    made = [
        RowResult("a", 1, "a", "accepted", figures={**figures, "usd": 0.1}),
        RowResult("b", 2, "b", "rejected", codes=("target_drift",), figures={"tokens": 4}),
        RowResult("c", 3, "c", "failed", cause="endpoint"),
    ]
    return {r.key: r for r in made}


def test_a_screen_holds_what_one_needs() -> None:
    view = BatchView(9, {}, maximum=5.0)
    view.show([LOOK])
    console = Console(width=220, record=True, force_terminal=False)
    console.print(screen(view.figures()))
    text = console.export_text()
    for part in (
        "0/9 rows",
        "1 in hand",
        "12.3k tokens, 0.50 USD of 5.00",
        "audit 1",
        "4/20",
        "1:01",
    ):
        assert part in text, part
    assert "repetition 1" in text
    assert "\x1b" not in text, "a row's name cannot steer the terminal"
    assert "0/9 rows" in line(view.figures())


def test_a_report_counts_the_last_of_each_row() -> None:
    made = report(4, results().values(), 12.0)
    assert (made.accepted, made.rejected, made.failed, made.owed) == (1, 1, 1, 1)
    assert (made.endpoints, made.codes, made.causes) == (
        {"idea": 1},
        {"target_drift": 1},
        {"endpoint": 1},
    )
    assert made.tokens is None, "a sum with an unknown part is unknown"
    text = told(made, Path("out"))
    assert "1 of 4 rows accepted" in text
    assert "tokens unknown" in text
    assert not made.whole


def test_prometheus_is_told() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    _metrics(port)({"done": 3, "usd": 0.25, "stages": {"audit": 1}, "priced": True})
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    assert "ideatrail_batch_done 3.0" in text
    assert "ideatrail_batch_usd 0.25" in text
    assert "ideatrail_batch_priced" not in text
