"""Texts as numbered words, in the very tokens of the engine's analyzer, in half its time.

Words recur: each different one is analysed once. Texts are cut as bytes, many at once; characters
that Python and the engine hold for different kinds are looked up beforehand, and texts with one of
them go through the engine's own tokenizer.
"""

from __future__ import annotations

import re
import sys
from functools import cache, lru_cache
from typing import Final

import numpy as np

from ideatrail.evidence import engine
from ideatrail.evidence.postings.arrays import Array
from ideatrail.evidence.postings.keys import hashed

_BLANKED: Final = bytes(
    byte if byte >= 0x80 or chr(byte).isalnum() else ord(" ") for byte in range(256)
)
"""What each byte of UTF-8 becomes: ASCII that is no letter nor digit, a space."""
_COMMON: Final = "’‘“”–—…•·×≥≤→«»\xa0"
"""The signs beyond ASCII that texts have most: one by one they are replaced faster than by a
pattern."""
_SIGN: Final = re.compile(r"[^\x00-\x7f\w]")
_CASES: Final = (
    "\u0130\u0131\u017f\u212a\u00b5\u0345\u03a3\u03c2\u03d0"
    "\u03d1\u03d5\u03d6\u03f0\u03f1\u03f5\u1e9b\u1fbe"
)
"""Letters that a pattern which ignores case takes for others, and the engine does not."""
_CHUNK: Final = 1 << 17
"""Bytes of texts that are worked on together: what is made of them stays in the cache."""
_BASE: Final = 0x9E3779B97F4A7C15
_INVERSE: Final = pow(_BASE, -1, 1 << 64)
_MIX: Final = np.uint64(0xD6E8FEB86659FD93)
_PLANE: Final = 0x10000
"""Characters from here on are rare: texts with one of them go through the analyzer."""


@cache
def _odd() -> re.Pattern[str]:
    """Characters on which the engine may differ from Python: letter or not. Digits of other
    scripts are among them: they may be part of a date."""
    marked = [chr(c) for c in range(0x80, _PLANE) if not 0xD800 <= c < 0xE000]
    tokens = engine.split(" ".join(f"a{c}b" for c in marked))
    differs: list[str] = []
    at = 0
    for character in marked:
        joined = tokens[at] == f"a{character}b"
        at += 1 if joined else 2
        if joined != character.isalnum() or character.isdecimal():
            differs.append(character)
    inside = "".join(map(re.escape, differs)) + _CASES
    return re.compile(f"[{inside}\U00010000-{chr(sys.maxunicode)}]")


def is_odd(text: str) -> bool:
    """Whether Python's words of `text` may not be the engine's."""
    return not text.isascii() and _odd().search(text) is not None


def cut(text: str) -> list[bytes]:
    """The words of `text` as they stand, in UTF-8; each gives at most one token to `analyze`."""
    return _bytes(text).translate(_BLANKED).split()


def _bytes(text: str) -> bytes:
    """`text` as bytes whose words end where a byte is blanked."""
    if text.isascii():
        return text.encode()
    text = engine.clean(text)
    for sign in _COMMON:
        text = text.replace(sign, " ")
    if is_odd(text):
        return " ".join(engine.split(text)).encode()
    return _SIGN.sub(" ", text).encode()


class Vocabulary:
    """Numbers the words of texts as they come.

    Words are told apart by 64 bits: a polynomial of their bytes, worked out for all words of many
    texts at once from running sums.
    """

    def __init__(self) -> None:
        self._known = _Table()
        self._words: list[bytes] = []
        self._waiting: list[bytes] = []
        self._size = 0
        self._read: list[Array] = []
        self._counts: list[Array] = []

    def read(self, text: str) -> None:
        """Takes the words of `text`."""
        raw = _bytes(text)
        if self._size + len(raw) >= _CHUNK:
            self._flush()
        self._waiting.append(raw)
        self._size += len(raw) + 1

    def _flush(self) -> None:
        if not self._waiting:
            return
        raw = b"\n".join([*self._waiting, b""]).translate(_BLANKED)
        ends = np.cumsum([len(text) + 1 for text in self._waiting])
        self._waiting.clear()
        self._size = 0
        said = np.frombuffer(raw, dtype=np.uint8)
        edges = np.flatnonzero(np.diff((said != ord(" ")).view(np.int8), prepend=np.int8(0)))
        first, last = edges[::2], edges[1::2]  # every text ends with a blank, so that these pair
        hashes = _hashes(said, first, last)
        numbers = self._known.find(hashes)
        new = np.flatnonzero(numbers < 0)
        if len(new):
            fresh, at = np.unique(hashes[new], return_index=True)
            where = new[at]
            self._known.add(fresh, len(self._words))
            spans = zip(first[where].tolist(), last[where].tolist(), strict=True)
            self._words += [raw[begin:end] for begin, end in spans]
            numbers[new] = self._known.find(hashes[new])
        self._read.append(numbers.astype(np.uint32))
        self._counts.append(np.diff(np.searchsorted(first, ends), prepend=0))

    def words(self) -> tuple[Array, Array]:
        """The numbers (uint32) of all words taken, in order, and how many each text had (int64).
        They are given away."""
        self._flush()
        empty = np.zeros(0, dtype=np.int64)
        read, counts = [empty.astype(np.uint32), *self._read], [empty, *self._counts]
        self._read, self._counts = [], []
        return np.concatenate(read), np.concatenate(counts)

    def terms(self) -> tuple[Array, Array]:
        """Hashes of all index tokens, sorted; and the token of each word, by its place among them,
        -1 where the analyzer drops it."""
        self._flush()
        held: dict[str, int] = {}
        of_word = np.full(len(self._words), -1, dtype=np.int64)
        for at, word in enumerate(self._words):
            token = _token(word)
            if token is not None:
                of_word[at] = held.setdefault(token, len(held))
        hashes = np.array([hashed(token) for token in held], dtype=np.uint64)
        order = np.argsort(hashes, kind="stable")
        place = np.empty(len(held) + 1, dtype=np.int64)
        place[order] = np.arange(len(held))
        place[-1] = -1
        return hashes[order], place[of_word]


def _hashes(said: Array, first: Array, last: Array) -> Array:
    """A hash (uint64, never 0) of each word: of the bytes from `first` to before `last`."""
    power, inverse = _powers(max(_CHUNK, 1 << len(said).bit_length()))
    sums = np.zeros(len(said) + 1, dtype=np.uint64)
    np.cumsum(said * power[: len(said)], out=sums[1:])
    found: Array = (sums[last] - sums[first]) * inverse[first]
    found += (last - first).astype(np.uint64) * _MIX
    found ^= found >> np.uint64(29)
    found *= _MIX
    found ^= found >> np.uint64(32)
    np.maximum(found, np.uint64(1), out=found)
    return found


@lru_cache(maxsize=2)
def _powers(size: int) -> tuple[Array, Array]:
    """The powers of _BASE and those of its inverse, modulo 2**64."""
    power, inverse = (np.full(size, base, dtype=np.uint64) for base in (_BASE, _INVERSE))
    power[0] = inverse[0] = 1
    return np.cumprod(power, dtype=np.uint64), np.cumprod(inverse, dtype=np.uint64)


class _Table:
    """Numbers by hash: open addressing, looked up for many hashes at once."""

    def __init__(self) -> None:
        self._bits = 12
        self._keys = np.zeros(1 << self._bits, dtype=np.uint64)
        self._numbers = np.zeros(1 << self._bits, dtype=np.int32)
        self._held = 0

    def find(self, hashes: Array) -> Array:
        """The number of each hash, -1 where there is none."""
        found = np.full(len(hashes), -1, dtype=np.int64)
        slots = (hashes >> np.uint64(64 - self._bits)).astype(np.int64)
        left = np.arange(len(hashes))
        while len(left):
            keys = self._keys[slots]
            hit = keys == hashes[left]
            found[left[hit]] = self._numbers[slots[hit]]
            on = ~hit & (keys != 0)
            left, slots = left[on], (slots[on] + 1) & ((1 << self._bits) - 1)
        return found

    def add(self, hashes: Array, number: int) -> None:
        """Numbers new and different hashes from `number` on."""
        if 3 * (self._held + len(hashes)) > len(self._keys):
            used = np.flatnonzero(self._keys)
            keys, numbers = self._keys[used], self._numbers[used]
            self._bits = (3 * (self._held + len(hashes))).bit_length() + 1
            self._keys = np.zeros(1 << self._bits, dtype=np.uint64)
            self._numbers = np.zeros(1 << self._bits, dtype=np.int32)
            self._put(keys, numbers)
        self._put(hashes, np.arange(number, number + len(hashes), dtype=np.int32))
        self._held += len(hashes)

    def _put(self, hashes: Array, numbers: Array) -> None:
        slots = (hashes >> np.uint64(64 - self._bits)).astype(np.int64)
        while len(hashes):
            free = self._keys[slots] == 0
            self._keys[slots[free]] = hashes[free]  # of several, the last one stays
            taken = self._keys[slots] == hashes
            self._numbers[slots[taken]] = numbers[taken]
            hashes, numbers = hashes[~taken], numbers[~taken]
            slots = (slots[~taken] + 1) & ((1 << self._bits) - 1)


@lru_cache(maxsize=300_000)
def _token(word: bytes) -> str | None:
    tokens = engine.analyze(word.decode())
    return tokens[0] if tokens else None
