"""The portraitist's role card: it works before a trail begins and sees no channel of it.

The card stands in a folder of its own under `agents/`, since those beside the trail's cards are
nodes of the graph. It names no side, and so is held to the Generator's: a portrait is read there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ideatrail.roles import Roles, load_alone

ROLE: Final = "portraitist"
PROMPT_VALUES: Final = frozenset({"papers", "phrases", "elsewhere", "refused"})


def load_portraitist(agents: Path, prompts: Path) -> Roles:
    """The one card, its prompts checked. Raises CardError with one clear line."""
    return load_alone(agents / "portraits" / f"{ROLE}.toml", prompts, PROMPT_VALUES)
