"""What the services' answers have in common: JSON that may be none, fields that may be missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

import orjson

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.client import Client
from ideatrail.evidence.web.response import Caps, Response

ABSENT: Final = frozenset({400, 404, 410})
"""Statuses by which a service says that it has nothing under a name, or that the name is none."""
_CAPS: Final = Caps(max_bytes=16 * 2**20, max_seconds=60.0)


async def get_json(
    client: Client,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    absent: Collection[int] = ABSENT,
) -> dict[str, Any] | None:
    """The JSON object at `url`; None where the status is one of `absent`.

    Raises EvidenceError: as the client does; `partial` for an answer that is no JSON object (HTML,
    or cut short), after it was asked for again; `refused` for another 4xx status.
    """
    response = await client.get(url, headers=headers, caps=_CAPS, sound=_is_object)
    if response.status in absent:
        return None
    if response.status != 200:
        ending: Final = "refused" if 400 <= response.status < 500 else "unreachable"
        raise EvidenceError(ending, detail=f"{response.url} answered {response.status}")
    loaded: dict[str, Any] = orjson.loads(response.body)
    return loaded


def _is_object(response: Response) -> bool:
    if response.status != 200:
        return True
    try:
        return isinstance(orjson.loads(response.body), dict)
    except orjson.JSONDecodeError:
        return False


def text(value: Any) -> str:
    """A string on one line; anything else is empty."""
    return " ".join(value.split()) if isinstance(value, str) else ""


def texts(values: Any) -> list[str]:
    """The strings of a list."""
    return [t for v in values if (t := text(v))] if isinstance(values, list) else []


def rows(values: Any) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [v for v in values if isinstance(v, dict)] if isinstance(values, list) else []


def field(value: Any, *names: str) -> Any:
    """What stands under nested names; None where an object is missing on the way."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
