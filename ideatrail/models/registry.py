"""Makes a model from its name, `provider:name`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ideatrail.models.protocol import ChatModel

if TYPE_CHECKING:
    from ideatrail.models.endpoints import Endpoints

OFFLINE: Final = "offline"
ENDPOINTS: Final = ("openai", "anthropic", "langchain")
PROVIDERS: Final[tuple[str, ...]] = (OFFLINE, *(f"{name}:<model>" for name in ENDPOINTS))


class UnknownModelError(ValueError):
    """No model has this name: one clear line."""


def is_endpoint(name: str) -> bool:
    """Whether a model's name leads to an endpoint."""
    provider, _, model = name.partition(":")
    return provider in ENDPOINTS and bool(model)


def make_model(name: str, endpoints: Callable[[], Endpoints] | None = None) -> ChatModel:
    """The model called `name`.

    Args:
        name: `offline` or `provider:name`.
        endpoints: gives the process's endpoints; asked only where the name leads to one.

    Raises:
        UnknownModelError: no model has this name.
        ModelSettingsError: it has one and cannot be used: no key, no price for the budget.
    """
    if name == OFFLINE:
        from ideatrail.models.offline.model import OfflineModel

        return OfflineModel()
    if is_endpoint(name) and endpoints is not None:
        return endpoints().model(name)
    raise UnknownModelError(f"unknown model {name!r}: give one of {', '.join(PROVIDERS)}")
