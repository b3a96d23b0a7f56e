"""What every adapter is: a request in, one exchange, an answer out."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Protocol

import orjson

from ideatrail.models import tokens
from ideatrail.models.endings import EndingError
from ideatrail.models.options import EndpointOptions, SchemaMode
from ideatrail.models.protocol import Answer, CallPart, Message, Request, TextPart, Usage

_PER_MESSAGE: Final = 4
"""Tokens that a chat template puts around a message, roughly."""
_MOST_DEFINITIONS: Final = 64


class Adapter(Protocol):
    """Speaks one API. Retries, limits, budget and cache are around it, not in it."""

    version: str
    """Part of the cache key: what this adapter makes of requests and answers."""
    schema_mode: SchemaMode

    async def send(self, request: Request, output: int) -> Answer:
        """One request, one answer.

        Args:
            request: what the model is given.
            output: most tokens of the answer.

        Raises:
            EndingError: there is no answer; `usage` tells what was used all the same.
        """
        ...

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        ...


def sampling_limit(request: Request, options: EndpointOptions, output: int) -> int:
    """Most tokens of the answer, by the request, the options and what the window leaves."""
    return min(output, options.max_output, request.max_tokens or output)


def no_choice(usage: Usage | None) -> EndingError:
    """The ending of an answer without a choice."""
    return EndingError(
        "empty_answer", "an answer without a choice", usage=usage, unmetered=usage is None
    )


def model_told(told: str | None, asked: str) -> str:
    """The model's name as the endpoint tells it; local servers tell a path on their own disk."""
    name = told or asked
    local = name.startswith(("/", "~", "./")) or "\\" in name
    return name.replace("\\", "/").rpartition("/")[2] if local else name


@lru_cache(maxsize=8192)
def _count(text: str) -> int:
    return tokens.count(text)


@lru_cache(maxsize=8192)
def _count_message(message: Message) -> int:
    """Tokens of one message, reasoning with it. The messages of a trail come again each turn."""
    total = _PER_MESSAGE
    for part in message.parts:
        match part:
            case CallPart():
                total += _count(part.name) + _count(part.arguments)
            case TextPart():
                total += _count(part.text)
            case _:
                total += _count(part.text) + _count(part.redacted or part.item or "")
    return total


def prompt_tokens(request: Request) -> int:
    """Tokens of a request, as an estimate: endpoints have their own tokenizers and templates."""
    total = sum(_count_message(message) for message in request.messages)
    if request.tools or request.answer_schema is not None:
        total += _count_definitions(request.tools) + _count_definitions(request.answer_schema)
    return total


_definitions: dict[int, tuple[Any, int]] = {}
"""Tokens of tool lists and schemas by identity: the same few objects come with every request."""


def _count_definitions(value: Any) -> int:
    if not value:
        return 0
    known = _definitions.get(id(value))
    if known is not None and known[0] is value:
        return known[1]
    if len(_definitions) > _MOST_DEFINITIONS:
        _definitions.clear()
    counted = _count(orjson.dumps(value).decode())
    _definitions[id(value)] = (value, counted)
    return counted
