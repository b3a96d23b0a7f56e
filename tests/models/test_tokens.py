"""Exact token counts with no network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COUNT = "from ideatrail.models import tokens; print(tokens.exact(), tokens.count('{text}'))"


def count(folder: Path, text: str, hidden: str = "") -> list[str]:
    code = COUNT.format(text=text)
    if hidden:
        code = f"import sys; sys.modules['{hidden}'] = None; " + code
    env = {**os.environ, "TIKTOKEN_CACHE_DIR": str(folder), "http_proxy": "http://127.0.0.1:9"}
    env["https_proxy"] = env["http_proxy"]
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("text", "tokens"), [("hello world", "2"), ("<|endoftext|>", "7"), ("", "0")]
)
def test_the_ranks_of_a_package_count_exactly(tmp_path: Path, text: str, tokens: str) -> None:
    assert count(tmp_path, text) == ["True", tokens]
    assert len(list(tmp_path.iterdir())) == 1


def test_a_broken_file_without_a_network_is_an_estimate(tmp_path: Path) -> None:
    (tmp_path / "fb374d419588a4632f3f557e76b4b70aebbca790").write_bytes(b"broken")
    assert count(tmp_path, "a" * 44)[1] == "10"
