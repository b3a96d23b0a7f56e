"""API keys: read from the environment alone, shown nowhere.

A key lives in a `Key` that does not print itself, and `scrub` takes keys out of every text that
leaves this room: error lines, recorded exchanges, cached answers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from ideatrail.models.refused import ModelSettingsError

HIDDEN: Final = "[key removed]"

KEY_VARIABLES: Final[Mapping[str, str]] = {
    "api.openai.com": "OPENAI_API_KEY",
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
    "api.deepseek.com": "DEEPSEEK_API_KEY",
    "api.mistral.ai": "MISTRAL_API_KEY",
    "api.together.xyz": "TOGETHER_API_KEY",
    "api.fireworks.ai": "FIREWORKS_API_KEY",
    "api.groq.com": "GROQ_API_KEY",
    "api.x.ai": "XAI_API_KEY",
    "dashscope.aliyuncs.com": "DASHSCOPE_API_KEY",
    "dashscope-intl.aliyuncs.com": "DASHSCOPE_API_KEY",
    "api.moonshot.ai": "MOONSHOT_API_KEY",
    "generativelanguage.googleapis.com": "GEMINI_API_KEY",
}
"""Host → the environment variable that its own documentation names for the key."""

_SHORTEST: Final = 6
"""Shorter values (`EMPTY`, `x`) are stand-ins for servers without keys, and words of texts."""

_SHAPES: Final = re.compile(
    r"""
      # the prefixes that providers use, also where they mask the rest
      \b(?:sk|rk|pk|xai|gsk|fw|hf)[-_][A-Za-z0-9_*.\-]{6,}
    | \bAIza[A-Za-z0-9_\-]{20,}
    | (?<=bearer\ )[^\s"',;]{6,}
    | (?<=api_key=)[^\s"'&]{6,} | (?<=[?&]key=)[^\s"'&]{6,}
    """,
    re.VERBOSE | re.IGNORECASE,
)


class KeyFaultError(ModelSettingsError):
    """A key is missing or stands where none may stand: one clear line."""


@dataclass(frozen=True)
class Key:
    """An API key that does not print itself."""

    variable: str
    """The environment variable it came from; empty for a stand-in."""
    value: str = field(repr=False)


def find_key(host: str, default_variable: str, variable: str | None, *, needed: bool) -> Key:
    """The key for an endpoint.

    Args:
        host: the endpoint's host; hosts with a variable of their own get that key and no other.
        default_variable: the variable for hosts that have none.
        variable: a variable named in the configuration, which wins.
        needed: whether the endpoint is known to want a key; else a stand-in is sent.

    Raises:
        KeyFaultError: a key is needed and the environment has none.
    """
    name = variable or KEY_VARIABLES.get(host, default_variable)
    value = os.environ.get(name, "").strip()
    if value:
        remember(value)
        return Key(name, value)
    if needed or variable:
        raise KeyFaultError(f"{host} needs an API key: set the environment variable {name}")
    return Key("", "none")


_known: set[str] = set()


def remember(value: str) -> None:
    """Take `value` out of every text that `scrub` is given from now on."""
    if len(value) >= _SHORTEST:
        _known.add(value)


def scrub(text: str) -> str:
    """`text` without any key in use and without what has a key's shape."""
    for value in sorted(_known, key=len, reverse=True):
        if value in text:
            text = text.replace(value, HIDDEN)
    return _SHAPES.sub(HIDDEN, text)


def scrub_known(text: str) -> str:
    """`text` without the keys in use; what merely looks like a key stays (recorded bodies)."""
    for value in sorted(_known, key=len, reverse=True):
        if value in text:
            text = text.replace(value, HIDDEN)
    return text


def check_url(url: str) -> str:
    """A base URL that carries no secret, without its closing slash. Raises KeyFaultError."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise KeyFaultError(
            f"{public_url(url)!r} is no base URL: it begins with http:// or https://"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise KeyFaultError(
            f"{public_url(url)!r}: a base URL carries no user, password or query; "
            "keys come from the environment"
        )
    return url.rstrip("/")


def public_url(url: str) -> str:
    """`url` without user, password, query and fragment, for showing."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))
