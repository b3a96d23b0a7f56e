"""What an endpoint can do, found out by asking it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import orjson

from ideatrail.models.endings import EndingError, ending_of
from ideatrail.models.protocol import Answer, ChatModel, ModelError, Request, Usage, message

_TOKENS: Final = 2048
"""Room for a model that thinks before it answers a small question."""

_LOOK_UP: Final[dict[str, Any]] = {
    "type": "function",
    "function": {
        "name": "population",
        "description": "The number of people who live in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}
_SUM: Final[dict[str, Any]] = {
    "title": "Sum",
    "type": "object",
    "properties": {"sum": {"type": "integer"}},
    "required": ["sum"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Capabilities:
    """What two small requests showed. None: not found out."""

    answers: bool
    error: str | None = None
    """Why there was no answer, in one line."""
    ending: str | None = None
    """How the first request ended."""
    tool_calls: bool | None = None
    parallel_tool_calls: bool | None = None
    json_schema: bool | None = None
    reasoning: Literal["native", "visible", "none"] | None = None
    """`visible`: none was returned apart, but text stood beside the calls."""
    usage: bool | None = None
    model: str | None = None
    """The model's name as the endpoint tells it."""
    seconds: float | None = field(default=None, compare=False)
    spent: Usage = field(default_factory=Usage)
    cost: float | None = None


async def find_out(model: ChatModel) -> Capabilities:
    """Ask for two look-ups at once, then for a structured answer."""
    started = time.monotonic()
    asked = message("user", "How many people live in Oslo, and in Lima? Look both up at once.")
    try:
        answer = await model.answer(Request((asked,), tools=(_LOOK_UP,), max_tokens=_TOKENS))
    except ModelError as error:
        ending = error.ending if isinstance(error, EndingError) else None
        return Capabilities(answers=False, error=str(error), ending=ending)
    found = _from_calls(answer)
    try:
        sum_ = message("user", "What is the sum of 17 and 25?")
        second = await model.answer(Request((sum_,), answer_schema=_SUM, max_tokens=_TOKENS))
    except ModelError as error:
        found = replace(found, json_schema=False, error=f"structured answer: {error}")
    else:
        found = replace(found, json_schema=_fits(second), cost=_sum(answer.cost, second.cost))
    return replace(found, seconds=round(time.monotonic() - started, 2))


def _from_calls(answer: Answer) -> Capabilities:
    good = [call for call in answer.calls if call.name == "population"]
    reasoning: Literal["native", "visible", "none"] = "none"
    if answer.reasoning.strip():
        reasoning = "native"
    elif answer.text.strip() and answer.calls:
        reasoning = "visible"
    return Capabilities(
        answers=True,
        ending=ending_of(answer),
        tool_calls=bool(good),
        parallel_tool_calls=len(good) > 1,
        reasoning=reasoning,
        usage=answer.usage.input is not None and answer.usage.output is not None,
        model=answer.model or None,
        spent=answer.usage,
        cost=answer.cost,
    )


def _fits(answer: Answer) -> bool:
    try:
        value = orjson.loads(answer.text)
    except orjson.JSONDecodeError:
        return False
    return isinstance(value, dict) and type(value.get("sum")) is int and len(value) == 1


def _sum(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else left + right
