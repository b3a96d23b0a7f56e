"""Live progress on stderr: two lines that change, and one for each stage gone through."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self

import orjson
from rich.console import Console
from rich.live import Live
from rich.text import Text

from ideatrail.events import Event
from ideatrail.models.protocol import Usage
from ideatrail.models.tokens import CHARACTERS_A_TOKEN

_REFRESH: Final = 4
"""Redraws a second: enough to follow, and little work beside a run."""


def short(number: float) -> str:
    """A figure a person reads at a glance: 950, 12.3k, 4.1M."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if round(number) >= size:
            return f"{number / size:.1f}{letter}"
    return f"{number:.0f}"


def clock(seconds: float) -> str:
    """Time as 7 s, 3:07 or 1:02:03."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def printable(text: str) -> str:
    """`text` on one line, without what could steer a terminal: models choose queries and paths."""
    return "".join(c if c.isprintable() else " " for c in text)


def action(name: str, arguments: Any) -> str:
    """A call in a few words: `WebSearch factual consistency`."""
    if isinstance(arguments, str):
        try:
            arguments = orjson.loads(arguments)
        except orjson.JSONDecodeError:
            return name
    if not isinstance(arguments, dict):
        return name
    for key in ("query", "url", "pattern", "file_path"):
        if isinstance(arguments.get(key), str):
            return f"{name} {arguments[key]}"
    return name


@dataclass
class Tally:
    """What the events have told so far."""

    sample_id: str = ""
    stage: str = "preparing"
    turn: int = 0
    of: int | None = None
    doing: str = "reading the proposal"
    """The node at work, in words."""
    last: str = ""
    """The last call, in words."""
    passed: int = 0
    refused: int = 0
    last_refusal: str = ""
    calls: int = 0
    tokens: int = 0
    """Tokens that the models have counted."""
    rough: float = 0.0
    """Tokens estimated for answers that were not counted."""
    usd: float = 0.0
    unpriced: bool = False
    """Whether an answer came whose price is not known."""
    free: bool = True
    """True while only the offline model has been asked."""
    stages: list[str] = field(default_factory=list)

    def take(self, event: Event) -> None:
        """Note one event; unknown kinds and missing values are no matter."""
        values = event.values
        match event.kind:
            case "started":
                self.sample_id = str(values.get("sample_id", ""))
                self.of = values.get("turns")
                models = (values.get("model"), values.get("advisor_model"))
                self.free = all(str(m or "offline").split(":")[0] == "offline" for m in models)
            case "resumed":
                self.turn = int(values.get("turn") or 0)
                self.doing = f"going on after turn {self.turn}"
            case "node":
                self.doing = str(values.get("name", "")).replace("_", " ")
            case "stage":
                self.stage = str(values.get("stage", self.stage))
                self.turn = int(values.get("turn") or self.turn)
                self.of = values.get("of", self.of)
                if self.stage not in self.stages:
                    self.stages.append(self.stage)
            case "draft":
                self.turn = int(values.get("turn") or self.turn)
            case "verdict":
                self.turn = int(values.get("turn") or self.turn)
                if values.get("ok"):
                    self.passed += 1
                else:
                    self.refused += 1
                    self.last_refusal = str(values.get("code") or "")
            case "call":
                self.last = action(str(values.get("name", "")), values.get("arguments"))
            case "result":
                self.calls += 1
                name = str(values.get("name", ""))
                # The same call comes first with its arguments, which tell more than its name.
                self.last = self.last if self.last.startswith(name) else name
                # The next request carries this text: count it roughly until its usage comes.
                self.rough += float(values.get("chars") or 0) / CHARACTERS_A_TOKEN
            case "usage":
                self._count(values.get("usage"))
                cost = values.get("cost")
                self.unpriced |= cost is None
                self.usd += cost or 0.0
            case "ended":
                self.doing = str(values.get("outcome", ""))

    def _count(self, usage: Any) -> None:
        if isinstance(usage, Usage) and usage.input is not None and usage.output is not None:
            self.tokens += usage.input + usage.output
            self.rough = 0.0

    @property
    def shown_tokens(self) -> str:
        """Tokens so far, marked ≈ unless all of them were counted."""
        mark = "≈" if self.rough else ""
        return f"{mark}{short(self.tokens + self.rough)} tokens"

    @property
    def shown_money(self) -> str:
        """Money so far: nothing for the offline model, unknown where no price is known."""
        if self.free:
            return "cost 0"
        if self.unpriced or not self.usd:
            return "cost unknown"
        return f"${self.usd:.2f}"


class Progress:
    """Shows a run while it goes; silent where nobody watches.

    A context manager: the display is gone, and the cursor back, when it is left, whatever happened.
    """

    def __init__(self, *, quiet: bool = False, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True, highlight=False)
        self.quiet = quiet
        self.live = not quiet and self.console.is_terminal
        self.tally = Tally()
        self._began = time.monotonic()
        self._display: Live | None = None

    def __enter__(self) -> Self:
        if self.live:
            self._display = Live(
                get_renderable=self.render,
                console=self.console,
                refresh_per_second=_REFRESH,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._display.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Take the display away; harmless when there is none."""
        display, self._display = self._display, None
        if display is not None:
            display.stop()

    def listen(self, event: Event) -> None:
        """Take one event of the run's stream."""
        stage = self.tally.stage
        self.tally.take(event)
        if event.kind == "started":
            self._announce(event.values)
        elif self.live and event.kind == "stage" and stage not in ("preparing", self.tally.stage):
            self._print(f"  {stage} done at turn {self.tally.turn}, {self._elapsed}")

    def _announce(self, values: dict[str, Any]) -> None:
        """Say what begins; the cutoff is said even where no terminal is, unless it was given."""
        source = str(values.get("cutoff_from", "option"))
        if self.live:
            self._print(
                f"{values.get('sample_id', '')}: cutoff {values.get('cutoff', '?')} ({source}), "
                f"{values.get('papers', '?')} papers in {values.get('corpus', 'the index')}, "
                f"model {values.get('model', '?')}"
            )
        elif not self.quiet and "option" not in source:
            sys.stderr.write(f"ideatrail: cutoff {values.get('cutoff', '?')} ({source})\n")

    def _print(self, text: str) -> None:
        target = self._display.console if self._display is not None else self.console
        target.print(Text(text), soft_wrap=False)

    @property
    def _elapsed(self) -> str:
        return clock(time.monotonic() - self._began)

    def render(self) -> Text:
        """The two changing lines, cut to the terminal's width."""
        t = self.tally
        # A trail may close with a few turns beyond its budget.
        of = f" of {t.of}" if t.of and t.turn <= t.of else ""
        head = f"{t.stage}  turn {t.turn}{of}  {t.doing}  {t.last}".rstrip()
        retries = f"{t.refused} retried" + (f" ({t.last_refusal})" if t.last_refusal else "")
        foot = "  ".join(
            (
                f"{t.passed} passed, {retries}",
                f"{t.calls} calls",
                t.shown_tokens,
                t.shown_money,
                self._elapsed,
            )
        )
        width = max(self.console.width - 1, 10)
        lines = [Text(printable(line), no_wrap=True) for line in (head, foot)]
        for line in lines:
            line.truncate(width, overflow="ellipsis")
        lines[0].stylize("bold", 0, len(t.stage))
        return Text("\n").join(lines)
