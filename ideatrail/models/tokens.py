"""Token counts by o200k_base, exact where its ranks lie on this machine, else estimated.

tiktoken downloads its ranks on first use; a run must not wait for a network, so only ranks that
are in tiktoken's own cache folder are used, or those that the package bpe-openai carries, which are
unpacked there.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
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
_SHA256: Final = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""Hash of that file, as tiktoken pins it."""
_CARRIED: Final = "data/o200k_base.tiktoken.gz"

CHARACTERS_A_TOKEN: Final = 4.4
"""English scientific prose under o200k_base, roughly; only used where exact counting is out."""


def _cache_folder() -> Path:
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if os.environ.get(name):
            return Path(os.environ[name])
    return Path(tempfile.gettempdir()) / "data-gym-cache"


def _unpack() -> bool:
    """Put the ranks that bpe-openai carries where tiktoken looks. The package is not imported: it
    is a tokenizer of its own, and large."""
    spec = importlib.util.find_spec("bpe_openai")
    if spec is None or spec.origin is None:
        return False
    folder = _cache_folder()
    torn = folder / f"{_RANKS}.{os.getpid()}"
    try:
        ranks = gzip.decompress((Path(spec.origin).parent / _CARRIED).read_bytes())
        if hashlib.sha256(ranks).hexdigest() != _SHA256:
            return False
        folder.mkdir(parents=True, exist_ok=True)
        torn.write_bytes(ranks)
        torn.replace(folder / _RANKS)
    except OSError:  # not there in this version, or no place to put it: counts are estimated
        return False
    return True


@cache
def _ranks_are_here() -> bool:
    return (_cache_folder() / _RANKS).is_file() or _unpack()


@cache
def _encoding() -> tiktoken.Encoding | None:
    if not _ranks_are_here():
        return None
    import tiktoken

    try:
        return tiktoken.get_encoding(ENCODING)
    except OSError:  # the file is broken, and no network is there to get another
        return None


def exact() -> bool:
    """Whether counts are o200k_base's own."""
    return _ranks_are_here()


def count(text: str) -> int:
    """Tokens of `text`; strings that look like special tokens are ordinary text."""
    encoding = _encoding()
    if encoding is None:
        return round(len(text) / CHARACTERS_A_TOKEN)
    return len(encoding.encode_ordinary(text))
