"""The budget is asked before each call, and what is in flight counts."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.models.budget import Budget, BudgetFaultError, BudgetReached
from ideatrail.models.endpoints import Endpoints
from ideatrail.models.options import EndpointOptions
from ideatrail.models.prices import Price, Prices
from ideatrail.models.protocol import Request, Usage, message

PRICE = Price(input=1.0, output=2.0, cached_input=0.1)
ASK = Request((message("user", "Hello?"),))


async def test_spent_and_held_count_together() -> None:
    budget = Budget(max_tokens=100)
    first = await budget.hold(20, 40, None)
    late = asyncio.create_task(budget.hold(20, 40, None))
    await asyncio.sleep(0)
    assert not late.done(), "it waits for what others hold"
    budget.settle(first, Usage(input=10, output=10), None)
    await late
    assert (budget.tokens, budget.held_tokens) == (20, 60)


async def test_what_can_never_fit_ends_at_once() -> None:
    budget = Budget(max_tokens=100)
    hold = await budget.hold(10, 10, None)
    budget.settle(hold, Usage(input=50, output=10), None)
    with pytest.raises(BudgetReached, match="60 of 100 tokens"):
        await budget.hold(20, 40, None)


async def test_money_is_held_too() -> None:
    budget = Budget(max_cost=1.0)
    hold = await budget.hold(100_000, 200_000, PRICE)
    assert budget.held_cost == pytest.approx(0.5)
    budget.settle(hold, Usage(input=100_000, output=100_000), 0.3)
    assert budget.cost == pytest.approx(0.3)
    with pytest.raises(BudgetReached, match=r"\$0.30 of \$1.00"):
        await budget.hold(100_000, 400_000, PRICE)


async def test_unknown_usage_counts_as_all_that_was_held() -> None:
    budget = Budget(max_tokens=1000)
    budget.settle(await budget.hold(100, 200, None), Usage(input=90), None)
    assert budget.tokens == 300
    assert budget.cost_unknown


async def test_a_call_that_used_nothing_costs_nothing() -> None:
    budget = Budget(max_tokens=1000)
    budget.settle(await budget.hold(100, 200, None), None, None)
    assert (budget.tokens, budget.cost, budget.cost_unknown) == (0, 0.0, False)


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50), st.integers(0, 50))))
def test_spending_never_passes_the_cap(calls: list[tuple[int, int, int]]) -> None:
    budget = Budget(max_tokens=300)

    async def one(prompt: int, most: int, used: int) -> None:
        try:
            hold = await budget.hold(prompt, most, None)
        except BudgetReached:
            return
        await asyncio.sleep(0)
        budget.settle(hold, Usage(input=prompt, output=min(used, most)), None)

    async def everyone() -> None:
        await asyncio.gather(*(one(*call) for call in calls))

    asyncio.run(everyone())
    assert budget.tokens <= 300
    assert budget.held_tokens == 0


async def test_the_budget_ends_calls_over_http(connect, server) -> None:
    budget = Budget(max_tokens=400)
    model = connect("chat", endpoints={"budget": budget}, max_output=200)
    answers = 0

    async def until_it_ends() -> None:
        nonlocal answers
        while True:
            await model.answer(ASK)
            answers += 1

    with pytest.raises(BudgetReached) as caught:
        await until_it_ends()
    assert caught.value.resumable
    assert caught.value.ending == "budget_reached"
    assert budget.tokens == server.told["input"] + server.told["output"] == 52 * answers
    assert len(server.requests) == answers, "the call that would not fit was never sent"


def test_a_cap_on_money_without_a_price_is_refused() -> None:
    options = {"openai:m": EndpointOptions(base_url="http://127.0.0.1:9/v1")}
    with pytest.raises(BudgetFaultError, match="price of openai:m is unknown"):
        Endpoints(options=options, budget=Budget(max_cost=1)).model("openai:m")
    Endpoints(options=options, budget=Budget(max_cost=1, max_tokens=10)).model("openai:m")
    own = Prices({}, {"openai:m": PRICE})
    Endpoints(options=options, budget=Budget(max_cost=1), prices=own).model("openai:m")
