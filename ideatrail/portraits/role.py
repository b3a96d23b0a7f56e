"""The portraitist's role card: it works before a trail begins and sees no channel of it.

The card stands in a folder of its own under `agents/`, since those beside the trail's cards are
nodes of the graph. It names no side, and so is held to the Generator's: a portrait is read there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ideatrail.prompts import PromptError, PromptShelf
from ideatrail.roles import CardError, Roles, load_card

ROLE: Final = "portraitist"
PROMPT_VALUES: Final = frozenset({"papers", "phrases", "elsewhere", "refused"})


def load_portraitist(agents: Path, prompts: Path) -> Roles:
    """The one card, its prompts checked. Raises CardError with one clear line."""
    path = agents / "portraits" / f"{ROLE}.toml"
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
            unknown = sorted(shelf.placeholders(template) - PROMPT_VALUES - set(card.sees))
        except PromptError as error:
            raise CardError(f"{path}: prompt {use!r}: {error}") from error
        if unknown:
            raise CardError(
                f"{path}: prompt {use!r} ({template}) uses {unknown[0]!r}; it may use "
                f"{', '.join(sorted(PROMPT_VALUES))}"
            )
    return Roles({card.name: card}, shelf)
