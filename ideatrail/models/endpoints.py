"""Everything that models of one process share: limiters, budget, prices, cache, recordings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

import httpx2

from ideatrail.models.adapter import Adapter
from ideatrail.models.budget import Budget
from ideatrail.models.cache import ResponseCache
from ideatrail.models.cassette import Cassette
from ideatrail.models.endpoint import EndpointModel
from ideatrail.models.limiter import Limiter
from ideatrail.models.options import DEFAULT_URL, EndpointOptions, Provider, host_of, known
from ideatrail.models.prices import Prices, load_prices
from ideatrail.models.refused import ModelSettingsError
from ideatrail.models.secrets import Key, check_url, find_key
from ideatrail.models.wire import SdkErrors, Wire

_KEY_VARIABLE: Final[Mapping[Provider, str]] = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "langchain": "",
}


class ModelNameError(ModelSettingsError):
    """A model's name cannot be used: one clear line."""


def split_name(name: str) -> tuple[Provider, str]:
    """`provider:name` in its two halves; names may hold colons. Raises ModelNameError."""
    provider, _, model = name.partition(":")
    for valid in get_args(Provider):
        if provider == valid and model:
            return valid, model
    shapes = ", ".join(f"{valid}:<model>" for valid in get_args(Provider))
    raise ModelNameError(f"unknown model {name!r}: give {shapes}, or offline")


@dataclass
class Endpoints:
    """Makes models. One a process, so that all trails stay under the same limits and budget."""

    options: Mapping[str, EndpointOptions] = field(default_factory=dict)
    """By `provider:name`, or by provider for all its models."""
    base_url: str | None = None
    """Address for `openai:` models whose options give none."""
    budget: Budget = field(default_factory=Budget)
    prices: Prices = field(default_factory=load_prices)
    cache: ResponseCache | None = None
    cassette: Cassette | None = None
    sends: bool = True
    """False where nothing will be sent, as in an estimate: no key is asked for."""
    _models: dict[str, EndpointModel] = field(default_factory=dict, init=False)
    _limiters: dict[str, Limiter] = field(default_factory=dict, init=False)

    def model(self, name: str) -> EndpointModel:
        """The model called `name`, one instance for all that ask.

        Raises:
            ModelNameError: no such provider.
            KeyFaultError: a key is missing, or the base URL carries one.
            BudgetFaultError: the budget could not be kept with it.
        """
        if name not in self._models:
            self._models[name] = self._make(name)
        return self._models[name]

    async def aclose(self) -> None:
        """Close all connections of the running loop."""
        for model in self._models.values():
            await model.aclose()

    def _make(self, name: str) -> EndpointModel:
        provider, model = split_name(name)
        options = self.options.get(name) or self.options.get(provider) or EndpointOptions()
        url = options.base_url or (self.base_url if provider == "openai" else None)
        url = check_url(url or DEFAULT_URL[provider]) if provider != "langchain" else ""
        replays = self.cassette is not None and self.cassette.mode == "replay"
        needed = known(url).needs_key and not replays and self.sends
        key = find_key(host_of(url), _KEY_VARIABLE[provider], options.api_key_env, needed=needed)
        price = self.prices.of(provider, model, url)
        self.budget.check(name, price)
        limits = f"{url or name} {options.limits.model_dump_json()}"
        return EndpointModel(
            name=name,
            base_url=url,
            adapter=_adapter(provider, model, url, options, key, self.cassette),
            options=options,
            # Models at one address share its limits, unless their options tell them apart.
            limiter=self._limiters.setdefault(limits, Limiter(options.limits)),
            budget=self.budget,
            price=price,
            cache=self.cache,
            hides_reasoning=_hides_reasoning(provider, url, options),
            waits=not replays,
        )


def _hides_reasoning(provider: Provider, url: str, options: EndpointOptions) -> bool:
    if options.reasoning is not None:
        return options.reasoning == "visible"
    if provider == "anthropic":
        return options.thinking == "off"
    return options.api == "chat" and known(url).reasoning == "visible"


def _adapter(
    provider: Provider,
    model: str,
    url: str,
    options: EndpointOptions,
    key: Key,
    cassette: Cassette | None,
) -> Adapter:
    # The SDKs take most of a second to import; a run without them need not wait.
    if provider == "langchain":
        from ideatrail.models.langchain_chat import LangChainChat

        return LangChainChat(model, options)
    if provider == "anthropic":
        from ideatrail.models.anthropic_messages import Messages

        return Messages(model, url, options, _anthropic_wire(url, options, key, cassette))
    wire = _openai_wire(url, options, key, cassette)
    if options.api == "responses":
        from ideatrail.models.openai_responses import Responses

        return Responses(model, url, options, wire)
    from ideatrail.models.openai_compatible import ChatCompletions

    return ChatCompletions(model, url, options, wire)


def _openai_wire(url: str, options: EndpointOptions, key: Key, cassette: Cassette | None) -> Wire:
    import openai

    def make(client: httpx2.AsyncClient, timeout: httpx2.Timeout) -> Any:
        return openai.AsyncOpenAI(
            api_key=key.value, base_url=url, max_retries=0, timeout=timeout, http_client=client
        )

    errors = SdkErrors(openai.APIStatusError, openai.APIConnectionError)
    return Wire(make, errors, options, url, cassette)


def _anthropic_wire(
    url: str, options: EndpointOptions, key: Key, cassette: Cassette | None
) -> Wire:
    import anthropic

    def make(client: httpx2.AsyncClient, timeout: httpx2.Timeout) -> Any:
        return anthropic.AsyncAnthropic(
            api_key=key.value,
            # The API's own address ends before /v1, which people often give with it.
            base_url=url.removesuffix("/v1"),
            max_retries=0,
            timeout=timeout,
            http_client=client,
        )

    errors = SdkErrors(anthropic.APIStatusError, anthropic.APIConnectionError)
    return Wire(make, errors, options, url, cassette)
