"""The data of a request: tagged sections of its user messages.

A section is `<name>` on a line of its own, JSON or text, `</name>` on a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from ideatrail.models.protocol import ModelError, Request
from ideatrail.trail.oracle import Anchor, Oracle, Seed

_OPEN: Final = re.compile(r"^<([a-z][a-z_]*)>[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Material:
    """What a role was given, by section name."""

    sections: Mapping[str, str]

    def text(self, *names: str) -> str:
        """The first section of `names` that holds anything, as text; a JSON string is decoded."""
        for name in names:
            body = self.sections.get(name, "").strip()
            if body and body != "null":
                value = _json(body)
                return value.strip() if isinstance(value, str) else body
        return ""

    def data(self, *names: str) -> Any:
        """The first section of `names` that holds JSON, decoded, or None."""
        for name in names:
            value = _json(self.sections.get(name, "").strip())
            if value is not None:
                return value
        return None

    @property
    def seed(self) -> Seed:
        """The proposal's seed. Raises ModelError where the request holds none."""
        value = self.data("seed")
        if not isinstance(value, dict):
            raise ModelError("the request holds no <seed>", resumable=False)
        return Seed.model_validate(value)

    @property
    def oracle(self) -> Oracle:
        """Atoms and locks; empty where the request holds none."""
        value = self.data("oracle")
        if not isinstance(value, dict):
            return Oracle(atoms=[], locks=[])
        return Oracle.model_validate(value)

    @property
    def anchors(self) -> list[Anchor]:
        """The anchors given, one or several; empty where the request holds none."""
        value = self.data("anchors", "anchor")
        if isinstance(value, dict):
            value = value.get("anchors", [value])
        return [Anchor.model_validate(v) for v in value] if isinstance(value, list) else []


def read(request: Request) -> Material:
    """The sections of all user messages of `request`; of equal names the last one counts."""
    sections: dict[str, str] = {}
    for item in request.messages:
        if item.role == "user":
            sections.update(_sections(item.text))
    return Material(sections)


def _sections(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    position = 0
    while start := _OPEN.search(text, position):
        close = re.compile(rf"^</{start[1]}>[ \t]*$", re.MULTILINE).search(text, start.end())
        if close is None:
            position = start.end()
            continue
        found[start[1]] = text[start.end() : close.start()].strip("\n")
        position = close.end()
    return found


def _json(body: str) -> Any:
    if not body or body[0] not in '{["':
        return None
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
