"""Settings: which layer wins, and what is refused."""

from __future__ import annotations

import pytest

from ideatrail.settings import Settings, SettingsError, resolve


def config(tmp_path, text):
    path = tmp_path / "run.toml"
    path.write_text(text, "utf-8")
    return path


def test_nearer_layers_win(tmp_path):
    path = config(tmp_path, 'turns = 20\nseed = 1\nmodel = "a:b"\n')
    environ = {"IDEATRAIL_SEED": "2", "IDEATRAIL_MODEL": "c:d", "HOME": "/"}
    settings = resolve({"proposal": "p.md", "model": "offline", "turns": None}, environ, path)
    assert (settings.turns, settings.seed, settings.model) == (20, 2, "offline")


def test_defaults_need_a_proposal_alone():
    assert resolve({"proposal": "p.md"}, {}).turns == Settings.model_fields["turns"].default


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tuns = 3", "unknown setting 'tuns'; did you mean 'turns'"),
        ("turns = ", "not a TOML file"),
    ],
)
def test_a_bad_file_is_refused(tmp_path, text, message):
    with pytest.raises(SettingsError, match=message):
        resolve({"proposal": "p.md"}, {}, config(tmp_path, text))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(SettingsError, match="no such file"):
        resolve({"proposal": "p.md"}, {}, tmp_path / "none.toml")


def test_an_unknown_environment_variable_is_refused():
    with pytest.raises(SettingsError, match="did you mean 'IDEATRAIL_TURNS'"):
        resolve({"proposal": "p.md"}, {"IDEATRAIL_TURN": "3"})


@pytest.mark.parametrize("turns", ["-3", "0", "many", "100000"])
def test_a_bad_value_names_the_option_and_the_value(turns):
    with pytest.raises(SettingsError, match=f"--turns: .*{turns}"):
        resolve({"proposal": "p.md", "turns": turns}, {})


def test_grades_use_the_thresholds_of_acceptance():
    from ideatrail.verifier.grade import THRESHOLDS

    default = {name: f.default for name, f in Settings.model_fields.items()}
    assert THRESHOLDS["convergence"][1:] == (default["gamma"], default["delta"])
    assert THRESHOLDS["grounding"][2] == default["eta"]
    assert THRESHOLDS["naturalness"][2] == default["nu"]
