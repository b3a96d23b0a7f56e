"""What every test may use: the real inputs beside the checkout, and the command line."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
SHARED = CHECKOUT.parent / "shared" / "data"

# A shell that started this in the background has SIGINT ignored, and children inherit that: the
# runs that tests interrupt would not hear of it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Two cores shared with others: a slow example says nothing about the code.
hypothesis.settings.register_profile("shared-machine", deadline=None)
hypothesis.settings.load_profile("shared-machine")


@dataclass(frozen=True)
class Done:
    """What a command line came to."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real inputs; skips where it is not there."""
    if not SHARED.is_dir():
        pytest.skip("the real inputs (../shared/data) are not beside this checkout")
    return SHARED


@pytest.fixture
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without IDEATRAIL_* settings of the person who runs the tests."""
    for name in os.environ:
        if name.startswith("IDEATRAIL_"):
            monkeypatch.delenv(name)


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str], no_settings: None) -> Callable[..., Done]:
    """Runs `ideatrail ARGS…` in this process, as the console script does."""

    def call(*args: object) -> Done:
        from ideatrail.cli.main import main

        capfd.readouterr()
        code = main([str(a) for a in args])
        got = capfd.readouterr()
        return Done(code, got.out, got.err)

    return call
