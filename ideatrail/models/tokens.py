"""Token counts by o200k_base, exact where its ranks lie on this machine, else estimated.

tiktoken downloads its ranks on first use; a run must not wait for a network, so only ranks that
are in tiktoken's own cache folder are used.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import tiktoken

ENCODING: Final = "o200k_base"
_RANKS: Final = "fb374d419588a4632f3f557e76b4b70aebbca790"
"""Name of o200k_base's rank file in tiktoken's cache: the SHA-1 of its address."""

CHARACTERS_A_TOKEN: Final = 4.4
"""English scientific prose under o200k_base, roughly; only used where exact counting is out."""


def _cache_folder() -> Path:
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if os.environ.get(name):
            return Path(os.environ[name])
    return Path(tempfile.gettempdir()) / "data-gym-cache"


@cache
def _encoding() -> tiktoken.Encoding | None:
    if not (_cache_folder() / _RANKS).is_file():
        return None
    import tiktoken

    return tiktoken.get_encoding(ENCODING)


def exact() -> bool:
    """Whether counts are o200k_base's own."""
    return _encoding() is not None


def count(text: str) -> int:
    """Tokens of `text`; strings that look like special tokens are ordinary text."""
    encoding = _encoding()
    if encoding is None:
        return round(len(text) / CHARACTERS_A_TOKEN)
    return len(encoding.encode_ordinary(text))
