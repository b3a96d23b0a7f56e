"""Role cards: what a role sees, which tools it may call, its prompts, its model slot.

Cards are TOML files in `agents/`. Which side of the wall a role stands on is fixed here by its
name, not by its card: a Generator-side card that lists an Advisor-only channel is refused.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from ideatrail.prompts import PromptError, PromptShelf
from ideatrail.trail.answers import Slot
from ideatrail.trail.channels import CHANNELS, PUBLIC

Side = Literal["generator", "advisor"]

SIDES: Final[Mapping[str, Side]] = {
    "generator": "generator",
    "reader": "advisor",
    "oracle_builder": "advisor",
    "director": "advisor",
    "anchor_builder": "advisor",
    "planner": "advisor",
    "verifier": "advisor",
    "reviewer": "advisor",
    "judge": "advisor",
    "labeler": "advisor",
    "grader": "advisor",
}
"""Roles of the main job. A role that is not named here stands on the Generator's side."""


class CardError(ValueError):
    """A role card cannot be used: one line, with the card's path and what to change."""


class Card(BaseModel):
    """A role card as it stands in its file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    about: str
    sees: tuple[str, ...]
    tools: tuple[str, ...] = ()
    slot: Slot | None = None
    """Model slot; a role without one works by rules alone."""
    prompts: dict[str, str] = {}
    """Use (such as `system`) → template path under `prompts/`."""

    @property
    def side(self) -> Side:
        """The side of the wall, by name."""
        return SIDES.get(self.name, "generator")


@dataclass(frozen=True)
class Roles:
    """All cards of a folder with the prompts they name."""

    cards: Mapping[str, Card]
    prompts: PromptShelf

    def __getitem__(self, name: str) -> Card:
        return self.cards[name]

    def prompt(self, role: str, use: str, **values: Any) -> str:
        """Render the prompt that `role`'s card names for `use`."""
        return self.prompts.render(self.cards[role].prompts[use], **values)


def load_card(path: Path) -> Card:
    """Read one card. Raises CardError with one clear line."""
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
        card = Card.model_validate(raw)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CardError(f"{path}: not a TOML file ({error})") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(p) for p in first["loc"]) or "card"
        raise CardError(f"{path}: {where}: {first['msg']}") from error
    if card.name != path.stem:
        raise CardError(f"{path}: name is {card.name!r}, but the file is called {path.stem!r}")
    unknown = sorted(set(card.sees) - CHANNELS)
    if unknown:
        known = ", ".join(sorted(CHANNELS))
        raise CardError(f"{path}: sees unknown channel {unknown[0]!r}; channels are {known}")
    hidden = sorted(set(card.sees) - PUBLIC)
    if card.side == "generator" and hidden:
        raise CardError(
            f"{path}: {card.name} stands on the Generator's side and may not see {hidden[0]!r}"
        )
    return card


def load_roles(
    agents: Path, prompts: Path, node_values: Mapping[str, Iterable[str]] | None = None
) -> Roles:
    """Load every card and check every prompt a card names.

    Args:
        agents: folder of role cards.
        prompts: folder of templates.
        node_values: role → names that its node gives its prompts besides the channels it sees.

    Raises:
        CardError: for a card or a prompt that cannot be used.
    """
    shelf = PromptShelf(prompts)
    cards: dict[str, Card] = {}
    for path in sorted(agents.glob("*.toml")):
        card = load_card(path)
        for use, template in card.prompts.items():
            allowed = set(card.sees) | set((node_values or {}).get(card.name, ()))
            try:
                unknown = sorted(shelf.placeholders(template) - allowed)
            except PromptError as error:
                raise CardError(f"{path}: prompt {use!r}: {error}") from error
            if unknown:
                raise CardError(
                    f"{path}: prompt {use!r} ({template}) uses {unknown[0]!r}, which "
                    f"{card.name} does not see; it may use {', '.join(sorted(allowed))}"
                )
        cards[card.name] = card
    missing = sorted(set(SIDES) - set(cards))
    if missing:
        raise CardError(f"{agents}: no card for the role {missing[0]!r}")
    return Roles(cards, shelf)


def load_alone(path: Path, prompts: Path, values: frozenset[str]) -> Roles:
    """The card of a role that works outside a trail, with its prompts `system` and `user`.

    Args:
        path: the card.
        prompts: folder of templates.
        values: names that the role gives its prompts.

    Raises CardError with one clear line.
    """
    try:
        card = load_card(path)
    except OSError as error:
        raise CardError(f"{path}: {error.strerror or error}") from error
    shelf = PromptShelf(prompts)
    for use in ("system", "user"):
        template = card.prompts.get(use)
        if template is None:
            raise CardError(f"{path}: names no prompt for {use!r}")
        try:
            unknown = sorted(shelf.placeholders(template) - values - set(card.sees))
        except PromptError as error:
            raise CardError(f"{path}: prompt {use!r}: {error}") from error
        if unknown:
            raise CardError(
                f"{path}: prompt {use!r} ({template}) uses {unknown[0]!r}; it may use "
                f"{', '.join(sorted(values))}"
            )
    return Roles({card.name: card}, shelf)
