"""What the services' answers have in common: JSON that may be none, dates that may be padded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.client import Client
from ideatrail.evidence.web.response import Caps, Response

CAPS: Final = Caps(max_bytes=16 * 2**20, max_seconds=60.0)
_FIRST: Final = re.compile(r"\d{4}-\d{2}-01")


async def get_json(
    client: Client, url: str, *, headers: Mapping[str, str] | None = None
) -> dict[str, Any] | None:
    """The JSON object at `url`; None where the service has none (400, 404, 410).

    Raises EvidenceError: as the client does, and `partial` for an answer that is no JSON object.
    """
    response = await client.get(url, headers=headers, caps=CAPS, sound=_is_object)
    if response.status in (400, 404, 410):
        return None
    if response.status != 200:
        raise EvidenceError("unreachable", detail=f"{response.url} answered {response.status}")
    loaded: dict[str, Any] = orjson.loads(response.body)
    return loaded


def _is_object(response: Response) -> bool:
    if response.status != 200:
        return True
    try:
        return isinstance(orjson.loads(response.body), dict)
    except orjson.JSONDecodeError:
        return False


def unpadded(date: str) -> str:
    """A date on the first of a month as the month: databases fill up days that they do not know.
    (1 January is taken for the year by `parse_date`.)"""
    return date[:7] if _FIRST.fullmatch(date) and date[5:7] != "01" else date


def text(value: Any) -> str:
    """A string on one line; anything else is empty."""
    return " ".join(value.split()) if isinstance(value, str) else ""


def texts(values: Any) -> list[str]:
    """The strings of a list."""
    return [t for v in values if (t := text(v))] if isinstance(values, list) else []


def dated(stated: str, year: Any, *, merged: bool) -> list[tuple[str, str]]:
    """The moments that a record's text can date from, as versions.

    Services keep the newest text they have and the oldest date: where a record has `merged` a
    preprint with what came of it, the text may be as late as the end of the year given.
    """
    whole = str(year) if isinstance(year, int) and 1000 <= year <= 9999 else ""
    versions = [("stated", stated)] if stated else []
    if whole and (merged or not stated or whole > stated[:4]):
        versions.append(("year", whole))
    return versions
