"""Prices: what is known, and that the unknown is not free."""

from __future__ import annotations

from pathlib import Path

import pytest

from ideatrail.models.options import DEFAULT_URL
from ideatrail.models.prices import LongRates, Price, PriceError, load_prices
from ideatrail.models.protocol import Usage

OPENAI, ANTHROPIC = DEFAULT_URL["openai"], DEFAULT_URL["anthropic"]


def test_shipped_prices_are_whole() -> None:
    prices = load_prices()
    for name, price in prices._table.items():
        assert price.as_of, name
        assert price.source, name
        assert price.output >= price.input > 0, name
        assert price.cached_input is None or price.cached_input < price.input, name
        assert price.long is None or price.long.input > price.input, name


def test_a_pinned_name_has_the_price_of_its_family() -> None:
    prices = load_prices()
    assert prices.of("openai", "gpt-4o-2024-11-20", OPENAI) == prices.of("openai", "gpt-4o", OPENAI)
    dated = prices.of("anthropic", "claude-haiku-4-5-20251001", ANTHROPIC)
    assert dated == prices.of("anthropic", "claude-haiku-4-5", ANTHROPIC)
    assert dated is not None
    assert (dated.input, dated.cache_write, dated.output) == (1, 1.25, 5)


def test_a_name_at_another_host_is_another_model() -> None:
    prices = load_prices()
    assert prices.of("openai", "gpt-4o", "http://127.0.0.1:8000/v1") is None
    assert prices.of("openai", "deepseek-chat", "https://api.deepseek.com/v1") is not None
    assert prices.of("openai", "no-such-model", OPENAI) is None


def test_own_prices_come_first(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(
        '["openai:gpt-4o"]\ninput = 0\noutput = 0\n["127.0.0.1:m"]\ninput = 1\noutput = 1\n'
    )
    prices = load_prices(file)
    assert prices.of("openai", "gpt-4o", OPENAI) == Price(input=0, output=0)
    assert prices.of("openai", "m", "http://127.0.0.1:8000/v1") == Price(input=1, output=1)
    assert prices.of("openai", "gpt-4.1", OPENAI) is not None


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("input = ", "not a TOML file"),
        ('["gpt-4o"]\ninput = 1\noutput = 1', "provider or host"),
        ('["openai:m"]\ninput = -1\noutput = 1', "input: "),
        ('["openai:m"]\ninput = 1\noutput = 1\ncached = 1', "cached: "),
    ],
)
def test_a_bad_table_is_refused_in_one_line(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text)
    with pytest.raises(PriceError, match=what) as caught:
        load_prices(file)
    assert "\n" not in str(caught.value)


def test_cost_counts_each_kind_of_token_once() -> None:
    price = Price(input=3, cached_input=0.3, cache_write=3.75, output=15)
    usage = Usage(input=1_000_000, cached=600_000, cache_write=100_000, output=200_000)
    assert price.cost(usage) == pytest.approx(0.9 + 0.18 + 0.375 + 3.0)


def test_unknown_figures_make_the_cost_unknown() -> None:
    price = Price(input=3, output=15)
    assert price.cost(Usage(input=None, output=1)) is None
    assert price.cost(Usage(input=10, output=None)) is None
    assert price.cost(Usage(input=10, cached=5, output=1)) is None, "no price for cached tokens"
    assert price.cost(Usage(input=1_000_000, output=0)) == 3.0, "told no cache: the dearest reading"


def test_long_prompts_have_their_own_rates() -> None:
    price = Price(input=1, output=1, long=LongRates(above=1000, input=2, output=4))
    assert price.cost(Usage(input=1000, output=0)) == pytest.approx(0.001)
    assert price.cost(Usage(input=2000, output=1000)) == pytest.approx(0.008)
    assert price.most(2000, 1000) == pytest.approx(0.008)


@pytest.mark.parametrize("written", [None, 3.75])
def test_the_most_is_never_below_the_cost(written: float | None) -> None:
    price = Price(input=3, cached_input=0.3, cache_write=written, output=15)
    for cached, fresh in ((0, 0), (500, 0), (0, 500), (300, 300)):
        usage = Usage(input=1000, cached=cached, cache_write=fresh, output=100)
        cost = price.cost(usage)
        assert cost is not None
        assert cost <= price.most(1000, 100) + 1e-12
