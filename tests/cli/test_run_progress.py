"""The live display: what it counts, that it is quiet, that it fits."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from ideatrail.cli.progress import Progress, Tally, action, clock, short
from ideatrail.events import Event, Kind
from ideatrail.models.protocol import Usage

STARTED: dict[str, Any] = {
    "sample_id": "t_0123",
    "folder": "trails/t_0123",
    "cutoff": "2024-06-30",
    "cutoff_from": "option",
    "model": "offline",
    "advisor_model": "offline",
    "corpus": "bundled",
    "papers": 190,
    "turns": 40,
}


def _progress(width: int = 80, *, terminal: bool = True, quiet: bool = False) -> Progress:
    console = Console(
        file=io.StringIO(), force_terminal=terminal, width=width, color_system=None, height=24
    )
    return Progress(quiet=quiet, console=console)


def _watch(progress: Progress, *events: tuple[Kind, dict[str, Any]]) -> str:
    with progress:
        for kind, values in events:
            progress.listen(Event(kind, values))
    file = progress.console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def _tally(*events: tuple[Kind, dict[str, Any]]) -> Tally:
    tally = Tally()
    for kind, values in events:
        tally.take(Event(kind, values))
    return tally


def test_verdicts_calls_and_stages_are_counted() -> None:
    tally = _tally(
        ("started", STARTED),
        ("stage", {"stage": "explore", "turn": 1, "of": 40}),
        ("verdict", {"turn": 1, "ok": True}),
        ("call", {"turn": 1, "name": "WebSearch", "arguments": '{"query": "abstention"}'}),
        ("result", {"turn": 1, "name": "WebSearch", "status": "ok", "chars": 900}),
        ("verdict", {"turn": 2, "ok": False, "code": "fake_url"}),
        ("draft", {"turn": 2, "attempt": 1, "calls": 3}),
    )
    assert (tally.passed, tally.refused, tally.calls, tally.turn, tally.of) == (1, 1, 1, 2, 40)
    assert tally.last_refusal == "fake_url"
    assert tally.last == "WebSearch abstention"


def test_tokens_are_marked_until_they_are_counted() -> None:
    tally = _tally(("result", {"chars": 4400}))
    assert tally.shown_tokens == "≈1.0k tokens"
    tally.take(Event("usage", {"role": "generator", "usage": Usage(input=900, output=100)}))
    assert tally.shown_tokens == "1.0k tokens"
    tally.take(Event("usage", {"role": "generator", "usage": Usage()}))
    tally.take(Event("result", {"chars": 440}))
    assert tally.shown_tokens == "≈1.1k tokens"


def test_an_unknown_price_is_unknown_and_offline_is_free() -> None:
    assert _tally(("started", STARTED)).shown_money == "cost 0"
    paid = {**STARTED, "model": "openai:gpt-x"}
    assert _tally(("started", paid)).shown_money == "cost unknown"


@pytest.mark.parametrize("quiet", [False, True])
def test_it_is_quiet_where_no_terminal_is(quiet: bool) -> None:
    progress = _progress(terminal=False, quiet=quiet)
    said = _watch(progress, ("started", STARTED), ("stage", {"stage": "audit", "turn": 3}))
    assert said == ""


def test_quiet_is_quiet_on_a_terminal() -> None:
    progress = _progress(quiet=True)
    assert _watch(progress, ("started", STARTED), ("ended", {"outcome": "accepted"})) == ""


def test_a_cutoff_that_nobody_gave_is_said_aloud(capsys: pytest.CaptureFixture[str]) -> None:
    own = {**STARTED, "cutoff_from": "proposal"}
    _watch(_progress(terminal=False), ("started", own))
    assert "cutoff 2024-06-30 (proposal)" in capsys.readouterr().err
    _watch(_progress(terminal=False, quiet=True), ("started", own))
    assert capsys.readouterr().err == ""


def test_the_display_goes_away_when_the_run_breaks() -> None:
    progress = _progress()
    with contextlib.suppress(KeyError), progress:
        progress.listen(Event("started", STARTED))
        raise KeyError
    file = progress.console.file
    assert isinstance(file, io.StringIO)
    assert file.getvalue().count("\x1b[?25h") == 1  # the cursor is back


@given(
    width=st.integers(8, 200),
    query=st.text(max_size=300),
    turn=st.integers(0, 10**6),
)
def test_the_display_is_two_lines_within_any_terminal(width: int, query: str, turn: int) -> None:
    progress = _progress(width)
    progress.tally = _tally(
        ("stage", {"stage": "synthesize", "turn": turn, "of": 40}),
        ("call", {"name": "WebSearch", "arguments": {"query": query}}),
    )
    lines = progress.render().plain.split("\n")
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)
    for line in progress.render().split("\n"):
        assert line.cell_len <= max(width, 11)


@given(st.sampled_from(["stage", "call", "verdict", "usage", "result", "resumed", "ended"]))
def test_an_event_without_its_values_is_no_matter(kind: Kind) -> None:
    Tally().take(Event(kind))


def test_figures_are_short() -> None:
    assert [short(n) for n in (0, 950, 12_345, 4_100_000)] == ["0", "950", "12.3k", "4.1M"]
    assert [clock(s) for s in (7.9, 187, 3723)] == ["7 s", "3:07", "1:02:03"]
    assert action("View", '{"file_path": "a/b.md"}') == "View a/b.md"
    assert action("View", "{broken") == "View"
