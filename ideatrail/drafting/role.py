"""The drafter's role card: it works before a trail begins and sees no channel of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ideatrail.roles import Roles, load_alone

ROLE: Final = "drafter"
PROMPT_VALUES: Final = frozenset({"paper"})


def load_drafter(agents: Path, prompts: Path) -> Roles:
    """The one card, its prompts checked. Raises CardError with one clear line."""
    return load_alone(agents / "drafting" / f"{ROLE}.toml", prompts, PROMPT_VALUES)
