"""Role cards: what is refused at load, and that prompts carry the load."""

from __future__ import annotations

import shutil

import pytest

from ideatrail.graph import PROMPT_VALUES
from ideatrail.resources import folder
from ideatrail.roles import CardError, load_card, load_roles


@pytest.fixture
def copies(tmp_path):
    shutil.copytree(folder("agents"), tmp_path / "agents")
    shutil.copytree(folder("prompts"), tmp_path / "prompts")
    return tmp_path


def load(root):
    return load_roles(root / "agents", root / "prompts", PROMPT_VALUES)


def rewrite(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_shipped_cards_load():
    roles = load_roles(folder("agents"), folder("prompts"), PROMPT_VALUES)
    assert roles["generator"].slot == "generator"


@pytest.mark.parametrize("channel", ["oracle", "seed", "anchors", "proposal", "milestones"])
def test_a_generator_card_may_not_see_the_advisors_side(copies, channel):
    rewrite(copies / "agents/generator.toml", '"portrait"', f'"{channel}"')
    with pytest.raises(CardError, match=f"may not see '{channel}'"):
        load(copies)


def test_a_role_nobody_registered_stands_on_the_generators_side(copies):
    card = copies / "agents/stranger.toml"
    card.write_text('name = "stranger"\nabout = "?"\nsees = ["oracle"]\n', "utf-8")
    with pytest.raises(CardError, match="stands on the Generator's side"):
        load_card(card)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "not a TOML file"),
        ('name = "generator"\nabout = "x"\n', "sees"),
        ('name = "other"\nabout = "x"\nsees = []\n', "the file is called 'generator'"),
        ('name = "generator"\nabout = "x"\nsees = ["trial"]\n', "unknown channel 'trial'"),
        ('name = "generator"\nabout = "x"\nsees = []\ncolour = "red"\n', "colour"),
    ],
)
def test_a_broken_card_is_refused_in_one_line(copies, text, message):
    path = copies / "agents/generator.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(CardError, match=message) as caught:
        load(copies)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_placeholder_that_the_role_does_not_see_is_refused_at_load(copies):
    path = copies / "prompts/generator/stage_line.jinja"
    path.write_text("Stage: {{ stage }}. The oracle says {{ oracle }}.", "utf-8")
    with pytest.raises(CardError, match="uses 'oracle', which generator does not see"):
        load(copies)


def test_a_missing_template_is_refused_at_load(copies):
    (copies / "prompts/judge/user.jinja").unlink()
    with pytest.raises(CardError, match="no such template"):
        load(copies)


def test_a_missing_card_is_refused(copies):
    (copies / "agents/judge.toml").unlink()
    with pytest.raises(CardError, match="no card for the role 'judge'"):
        load(copies)


def test_a_changed_prompt_is_what_is_rendered(copies):
    rewrite(copies / "prompts/generator/stage_line.jinja", "Stage:", "Phase:")
    text = load(copies).prompt(
        "generator", "stage_line", stage="audit", turn=1, last_turn=2, due=""
    )
    assert text.startswith("Phase: audit")
