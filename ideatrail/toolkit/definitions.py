"""The seven tool definitions, and the check of a call's arguments against them."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from difflib import get_close_matches
from functools import cache
from typing import Any, Final

import orjson

from ideatrail import resources
from ideatrail.toolkit.outcome import RefusedError

TOOLS: Final[tuple[str, ...]] = (
    "WebSearch",
    "Scraper",
    "View",
    "Write",
    "Edit",
    "Glob",
    "Grep",
)
"""The order in which every record carries them."""

_TYPES: Final[dict[str, tuple[type, str]]] = {
    "string": (str, "a text"),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
}


@cache
def _load() -> tuple[dict[str, Any], ...]:
    folder = resources.folder("tools")
    loaded: list[dict[str, Any]] = []
    for name in TOOLS:
        definition = orjson.loads((folder / f"{name}.json").read_bytes())
        if definition["function"]["name"] != name:
            raise ValueError(f"tools/{name}.json defines {definition['function']['name']!r}")
        for key, schema in definition["function"]["parameters"]["properties"].items():
            if schema["type"] not in _TYPES:
                raise ValueError(f"tools/{name}.json: {key} has a type that calls cannot carry")
        loaded.append(definition)
    return tuple(loaded)


def definitions() -> tuple[dict[str, Any], ...]:
    """The seven OpenAI function definitions, in fixed order; the caller's own copy.

    Raises FileNotFoundError where a definition is missing, ValueError where one is unusable.
    """
    return deepcopy(_load())


def _parameters(tool: str) -> Mapping[str, Any]:
    for definition in _load():
        if definition["function"]["name"] == tool:
            parameters: Mapping[str, Any] = definition["function"]["parameters"]
            return parameters
    raise RefusedError(f"there is no tool {tool!r}. The tools are {', '.join(TOOLS)}.")


def check_arguments(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call to `tool`, as its definition allows them.

    An optional argument given as null counts as left out. Raises RefusedError with a reason that
    names the valid arguments where one is unknown, missing or of another kind.
    """
    parameters = _parameters(tool)
    properties: Mapping[str, Any] = parameters["properties"]
    required: list[str] = parameters["required"]
    valid = ", ".join(f"{key} (required)" if key in required else key for key in properties)

    for key in arguments:
        if key not in properties:
            near = get_close_matches(key, properties, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise RefusedError(f"{tool} has no argument {key!r}.{hint} Valid arguments: {valid}.")

    checked = {
        key: value
        for key, value in arguments.items()
        if not (value is None and key not in required)
    }
    for key in required:
        if key not in checked:
            raise RefusedError(f"{tool} needs the argument {key!r}. Valid arguments: {valid}.")
    for key, value in checked.items():
        _check_value(tool, key, value, properties[key])
    return checked


def _check_value(tool: str, key: str, value: Any, schema: Mapping[str, Any]) -> None:
    """Raises RefusedError where `value` is not what `schema` allows."""
    kind, words = _TYPES[schema["type"]]
    # bool is an int to Python, and to no one else.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RefusedError(f"{tool}: {key!r} must be {words}.")
    if "enum" in schema and value not in schema["enum"]:
        raise RefusedError(f"{tool}: {key!r} must be one of {', '.join(schema['enum'])}.")
    if "minimum" in schema and value < schema["minimum"]:
        raise RefusedError(f"{tool}: {key!r} must be {schema['minimum']} or more.")
    if "maximum" in schema and value > schema["maximum"]:
        raise RefusedError(f"{tool}: {key!r} must be {schema['maximum']} or less.")
