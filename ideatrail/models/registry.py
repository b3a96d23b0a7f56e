"""Makes a model from its name, `provider:name`."""

from __future__ import annotations

from typing import Final

from ideatrail.models.protocol import ChatModel

PROVIDERS: Final[tuple[str, ...]] = ("offline",)


class UnknownModelError(ValueError):
    """No model has this name: one clear line."""


def make_model(name: str) -> ChatModel:
    """The model called `name`. Raises UnknownModelError."""
    provider, _, rest = name.partition(":")
    if provider == "offline" and not rest:
        from ideatrail.models.offline.model import OfflineModel

        return OfflineModel()
    raise UnknownModelError(
        f"unknown model {name!r}: this version knows {', '.join(PROVIDERS)}"
    )
