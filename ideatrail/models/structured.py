"""Structured answers: how each kind of endpoint is asked for one, and how its text is found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import orjson

from ideatrail.models.options import SchemaMode
from ideatrail.models.protocol import Answer, CallPart, Part, ReasoningPart, TextPart

_UNNAMED: Final = "answer"
_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+")
_FENCE: Final = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL | re.IGNORECASE)
_LOOSE: Final = frozenset(
    {"default", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "pattern"}
    | {"exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "format"}
    | {"patternProperties", "oneOf", "allOf", "not", "if", "prefixItems"}
)
"""Keywords with which a strict decoder may refuse a schema."""


def schema_name(schema: Mapping[str, Any]) -> str:
    """The schema's title as a name that every endpoint takes."""
    return _NAME.sub("_", str(schema.get("title") or _UNNAMED))[:64] or _UNNAMED


def strict_ready(schema: Any) -> bool:
    """Whether a strict decoder takes the schema: closed objects, all keys required, no bounds."""
    if isinstance(schema, list):
        return all(strict_ready(item) for item in schema)
    if not isinstance(schema, Mapping):
        return True
    properties = schema.get("properties")
    if schema.get("type") == "object" or isinstance(properties, Mapping):
        names = set(properties or {})
        if (
            schema.get("additionalProperties") is not False
            or set(schema.get("required", ())) != names
        ):
            return False
    if _LOOSE & set(schema):
        return False
    for key, value in schema.items():
        if key in ("properties", "$defs", "definitions") and isinstance(value, Mapping):
            if not all(strict_ready(item) for item in value.values()):
                return False
        elif key not in ("enum", "const", "required", "examples") and not strict_ready(value):
            return False
    return True


def instruction(schema: Mapping[str, Any]) -> str:
    """What asks for a structured answer where the endpoint has no mode for it."""
    text = orjson.dumps(schema).decode()
    return (
        "Answer with one JSON object and nothing else. It must satisfy this JSON Schema:\n" + text
    )


def unwrap(answer: Answer, schema: Mapping[str, Any], mode: SchemaMode) -> Answer:
    """The answer with the JSON text alone as its text, where one can be found in it."""
    if mode == "tool":
        name = schema_name(schema)
        for part in answer.parts:
            if isinstance(part, CallPart) and part.name == name:
                return _with_text(answer, part.arguments)
    text = answer.text
    if _is_object(text):
        return answer
    found = [match.group(1) for match in _FENCE.finditer(text)]
    start, end = text.find("{"), text.rfind("}")
    if 0 <= start < end:
        found.append(text[start : end + 1])
    for candidate in found:
        if _is_object(candidate):
            return _with_text(answer, candidate)
    return answer


def _is_object(text: str) -> bool:
    try:
        return isinstance(orjson.loads(text), dict)
    except orjson.JSONDecodeError:
        return False


def _with_text(answer: Answer, text: str) -> Answer:
    parts: list[Part] = [p for p in answer.parts if isinstance(p, ReasoningPart)]
    return replace(
        answer,
        parts=(*parts, TextPart(text)),
        finish="stop" if answer.finish == "tool_calls" else answer.finish,
    )
