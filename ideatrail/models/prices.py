"""What tokens cost. A price that is not known is unknown, never zero."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ideatrail.models.options import DEFAULT_URL, Provider, host_of
from ideatrail.models.protocol import Usage
from ideatrail.models.refused import ModelSettingsError

_MILLION: Final = 1_000_000
_DATED: Final = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})$")
"""The date at the end of a model's pinned name; the price is that of the name without it."""


class PriceError(ModelSettingsError):
    """A table of prices cannot be used: one clear line."""


class Rates(BaseModel):
    """USD per million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0)
    """Prompt tokens read from the provider's cache; None: unknown."""
    cache_write: float | None = Field(default=None, ge=0)
    """Prompt tokens written to it; None: charged as `input`."""

    def cost(self, usage: Usage) -> float | None:
        """USD of one answer; None where a figure that counts is unknown.

        A server that does not tell what it read from its cache is charged as if it read nothing,
        the dearest reading.
        """
        if usage.input is None or usage.output is None:
            return None
        cached, written = usage.cached or 0, usage.cache_write or 0
        if cached and self.cached_input is None:
            return None
        write_rate = self.input if self.cache_write is None else self.cache_write
        return (
            (usage.input - cached - written) * self.input
            + cached * (self.cached_input or 0)
            + written * write_rate
            + usage.output * self.output
        ) / _MILLION

    def most(self, prompt: int, output: int) -> float:
        """The most USD that a prompt of so many tokens and its largest answer can cost."""
        dearest = max(self.input, self.cached_input or 0, self.cache_write or 0)
        return (prompt * dearest + output * self.output) / _MILLION


class LongRates(Rates):
    """The rates of prompts above a length, for the whole request."""

    above: int = Field(ge=1)
    """Prompt tokens above which they hold."""


class Price(Rates):
    """A model's price."""

    long: LongRates | None = None
    as_of: str | None = None
    source: str | None = None

    def cost(self, usage: Usage) -> float | None:
        """USD of one answer; None where unknown."""
        if self.long is not None and usage.input is not None and usage.input > self.long.above:
            return self.long.cost(usage)
        return super().cost(usage)

    def most(self, prompt: int, output: int) -> float:
        """The most USD that one call can cost."""
        if self.long is not None and prompt > self.long.above:
            return self.long.most(prompt, output)
        return super().most(prompt, output)


class Prices:
    """Prices by `<provider>:<model>` and, for other hosts, by `<host>:<model>`."""

    def __init__(self, table: Mapping[str, Price], own: Mapping[str, Price] | None = None) -> None:
        self._table = table
        self._own = own or {}

    def of(self, provider: Provider, model: str, base_url: str) -> Price | None:
        """The price of a model at an endpoint; None: unknown.

        A model's name at another host than the provider's own is not that provider's model: its
        price is the one given for the host, or one's own for `<provider>:<model>`.
        """
        host = host_of(base_url)
        at_home = host == host_of(DEFAULT_URL[provider])
        for name in (model, _DATED.sub("", model)):
            own = self._own.get(f"{host}:{name}") or self._own.get(f"{provider}:{name}")
            key = f"{provider}:{name}" if at_home else f"{host}:{name}"
            found = own or self._table.get(key)
            if found is not None:
                return found
        return None


def _read(text: str, where: str) -> dict[str, Price]:
    try:
        raw: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PriceError(f"{where}: not a TOML file: {error}") from error
    shared = {key: str(raw.pop(key)) for key in ("as_of", "source") if key in raw}
    prices: dict[str, Price] = {}
    for name, values in raw.items():
        if not isinstance(values, Mapping) or ":" not in name:
            form = '["<provider or host>:<model>"]'
            raise PriceError(f"{where}: {name!r}: a price is a table {form}")
        try:
            prices[name] = Price.model_validate({**shared, **values})
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise PriceError(f"{where}: {name!r}: {field}: {first['msg'].lower()}") from error
    return prices


@cache
def _shipped() -> Mapping[str, Price]:
    return _read((files("ideatrail") / "models" / "prices.toml").read_text("utf-8"), "prices.toml")


def load_prices(own: Path | None = None) -> Prices:
    """The shipped prices, with those of a file of one's own before them.

    Raises:
        PriceError: the file is not a table of prices.
        OSError: it cannot be read.
    """
    return Prices(_shipped(), _read(own.read_text("utf-8"), str(own)) if own else None)
