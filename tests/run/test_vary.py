"""Rows draw their settings from declared alternatives, each by its own content."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ideatrail.batch.rows import Row
from ideatrail.run.rows import BatchOptions, drawn, read_vary, settings_of
from ideatrail.settings import Settings, SettingsError


def options(**vary) -> BatchOptions:
    given = Settings(proposal="x").model_dump(mode="json", exclude={"proposal", "out"})
    return BatchOptions(given, "out", ".", vary)


def rows(count: int) -> list[Row]:
    return [Row(n, f"p{n}.md", {}) for n in range(count)]


def test_all_alternatives_are_drawn() -> None:
    made = [settings_of(row, options(turns=[20, 30, 40])).turns for row in rows(120)]
    counted = Counter(made)
    assert set(counted) == {20, 30, 40}
    assert min(counted.values()) > 20


def test_a_row_draws_the_same_whatever_else_is_in_the_list() -> None:
    one = Row(1, "a.md", {})
    assert (
        drawn(one, {"turns": [20, 30]})["turns"]
        == drawn(Row(9, "a.md", {}), {"turns": [20, 30], "gamma": [0.4, 0.5]})["turns"]
    )


def test_what_a_row_says_itself_comes_first() -> None:
    row = Row(1, "a.md", {"settings": {"turns": 12}})
    assert settings_of(row, options(turns=[20, 30])).turns == 12


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("turnz = [1]", "no setting"),
        ("out = ['a']", "no setting"),
        ("turns = 3", "list"),
        ("turns = []", "list"),
        ("turns = [", "TOML"),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "v.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(SettingsError, match=told):
        read_vary(path)


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "v.toml"
    path.write_text("turns = [30, 40]\nsources = [['index']]\n", "utf-8")
    assert read_vary(path) == {"turns": [30, 40], "sources": [["index"]]}
