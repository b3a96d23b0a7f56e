"""Undoes Content-Encoding piece by piece, so that a bomb is seen before it has gone off."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Final, Protocol

import brotli
import zstandard

PIECE: Final = 256 * 1024
"""Bytes that one step gives at most, about: a millisecond's work."""
_ZSTD_STEP: Final = 64
"""Input bytes a step of zstd, which cannot be told to stop: a block of 4 bytes can unpack to
128 KiB."""
_SURE: Final = 1024
"""Bytes by which raw deflate is told from what is none."""
_MEMBERS: Final = 256
"""Members of a body after which others get their turn."""
_WINDOW: Final = 8 * 2**20
"""Largest zstd window, as RFC 9659 has it for HTTP."""
_MOST_LAYERS: Final = 2
_KNOWN: Final = frozenset("compress dcb dcz exi pack200-gzip aes128gcm bzip2 lzma xz".split())
"""Codings that are registered or seen, and cannot be undone here."""

ACCEPTED: Final = "gzip, deflate"
"""What is asked for. Archives give pages in what coding they were stored, asked for or not, so
that more can be read than this."""


class UnpackError(Exception):
    """A body is not what its Content-Encoding says, from some place on, or is cut short."""


class UnknownCodingError(Exception):
    """A coding that cannot be undone here."""


class TooMuchError(Exception):
    """More came out than may."""


class Layer(Protocol):
    """One coding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Unpacked pieces, empty ones where much work gave nothing. Raises UnpackError."""
        ...

    def finish(self) -> bytes:
        """What was held back. Raises UnpackError where the end is missing."""
        ...


class _Inflate:
    """gzip with any number of members, zlib, raw deflate; bytes as they are if it is neither."""

    def __init__(self, coding: str) -> None:
        self._gzip = coding == "gzip"
        self._head = b""
        """Too few bytes yet to tell what begins with them."""
        self._inner: zlib._Decompress | None = None
        self._begun = False
        self._plain = False
        self._over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        data, self._head = self._head + data, b""
        members = 0
        while data and not self._over:
            if self._plain:
                yield data
                return
            if self._inner is None:
                if len(data) < 2 or (len(data) < _SURE and self._is_doubtful(data)):
                    self._head = data
                    return
                self._choose(data)
                continue
            try:
                piece = self._inner.decompress(data, PIECE)
            except zlib.error as error:
                raise UnpackError(str(error)) from error
            data = self._inner.unconsumed_tail
            if piece:
                yield piece
            if self._inner.eof:
                data, self._inner = self._inner.unused_data, None
                self._over = not self._gzip
                members += 1
                if members % _MEMBERS == 0:
                    yield b""

    def finish(self) -> bytes:
        if self._inner is not None:
            raise UnpackError("the packed body is cut short")
        if self._begun:
            return b""
        if not self._gzip and self._head and _is_raw(self._head):
            return zlib.decompress(self._head, -15)
        return self._head

    def _is_doubtful(self, data: bytes) -> bool:
        """Whether it takes more bytes to tell raw deflate from none."""
        return not (self._gzip or _is_zlib(data))

    def _choose(self, data: bytes) -> None:
        """Decide what begins here; what follows the last member is no part of the body."""
        if self._gzip:
            bits = 31 if data[:2] == b"\x1f\x8b" else None
        elif _is_zlib(data):
            bits = 15
        else:
            bits = -15 if _is_raw(data) else None
        if bits is not None:
            self._inner, self._begun = zlib.decompressobj(bits), True
        elif self._begun:
            self._over = True
        else:
            self._plain = True


class _Zstd:
    """zstd, with any number of frames; bytes as they are if it is none."""

    def __init__(self) -> None:
        self._maker = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
        self._inner: zstandard.ZstdDecompressionObj | None = None
        self._head = b""
        self._begun = False
        self._plain = False
        self._over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        data, self._head = self._head + data, b""
        at = frames = 0
        while at < len(data) and not self._over:
            if self._plain:
                yield data[at:]
                return
            if self._inner is None:
                head = data[at : at + 4]
                if len(head) < 4:
                    self._head = head
                    return
                if _is_zstd(head):
                    self._inner, self._begun = self._maker.decompressobj(), True
                else:
                    self._over, self._plain = self._begun, not self._begun
                continue
            step = data[at : at + _ZSTD_STEP]
            at += len(step)
            try:
                piece = self._inner.decompress(step)
            except zstandard.ZstdError as error:
                raise UnpackError(str(error)) from error
            if piece:
                yield piece
            if self._inner.eof:
                at -= len(self._inner.unused_data)
                self._inner = None
                frames += 1
                if frames % _MEMBERS == 0:
                    yield b""

    def finish(self) -> bytes:
        if self._inner is not None:
            raise UnpackError("the packed body is cut short")
        return b"" if self._begun else self._head


class _Brotli:
    """Brotli, which cannot be told from plain bytes but by trying."""

    def __init__(self) -> None:
        self._inner = brotli.Decompressor()
        self._fed = False
        self._begun = False
        self._plain = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._plain:
            yield data
            return
        given = data
        self._fed = self._fed or bool(data)
        while not self._inner.is_finished():
            try:
                piece = self._inner.process(given, output_buffer_limit=PIECE)
            except brotli.error as error:
                if self._begun:
                    raise UnpackError(str(error)) from error
                self._plain = True
                yield data
                return
            given = b""
            if piece:
                self._begun = True
                yield piece
            elif self._inner.can_accept_more_data():
                return

    def finish(self) -> bytes:
        if not (self._plain or self._inner.is_finished()) and self._fed:
            raise UnpackError("the packed body is cut short")
        return b""


def _is_zlib(data: bytes) -> bool:
    return data[0] & 0x0F == 8 and int.from_bytes(data[:2]) % 31 == 0


def _is_raw(data: bytes) -> bool:
    """Whether raw deflate goes on, or ends, over all of `data`."""
    inner = zlib.decompressobj(-15)
    try:
        inner.decompress(data, PIECE)
    except zlib.error:
        return False
    return len(data) >= _SURE or inner.eof


def _is_zstd(data: bytes) -> bool:
    return data[:4] == b"\x28\xb5\x2f\xfd" or (data[1:4] == b"\x2a\x4d\x18" and data[0] >> 4 == 5)


class Unpacker:
    """Undoes all codings of one body, with a bound on what any of them may give."""

    def __init__(self, codings: Sequence[str], most: int) -> None:
        """
        Args:
            codings: values of Content-Encoding headers. Names that are no codings (`utf-8`,
                `none`) are taken for nothing, as browsers do.
            most: bytes that any layer may give.

        Raises:
            UnknownCodingError: for a coding that cannot be undone, or for too many of them.
        """
        names = [name.strip().lower() for value in codings for name in value.split(",")]
        self._layers = [layer for name in reversed(names) if (layer := _layer(name)) is not None]
        if len(self._layers) > _MOST_LAYERS:
            raise UnknownCodingError(f"a body packed {len(self._layers)} times")
        self._given = [0] * len(self._layers)
        self._most = most

    def __bool__(self) -> bool:
        """Whether there is anything to undo."""
        return bool(self._layers)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Pieces of the body, empty ones among them: each is about a millisecond's work at most.

        Raises UnpackError, TooMuchError.
        """
        return self._through(0, data)

    def finish(self) -> Iterator[bytes]:
        """The last pieces. Raises UnpackError where the end of a layer is missing."""
        for depth, layer in enumerate(self._layers, start=1):
            if held := layer.finish():
                yield from self._through(depth, held)

    def _through(self, depth: int, data: bytes) -> Iterator[bytes]:
        if depth == len(self._layers):
            yield data
            return
        for piece in self._layers[depth].feed(data):
            self._given[depth] += len(piece)
            if self._given[depth] > self._most:
                raise TooMuchError
            yield from self._through(depth + 1, piece)
        yield b""


def _layer(name: str) -> Layer | None:
    match name.removeprefix("x-"):
        case "gzip" | "deflate" as coding:
            return _Inflate(coding)
        case "br":
            return _Brotli()
        case "zstd":
            return _Zstd()
        case coding if coding in _KNOWN:
            raise UnknownCodingError(f"a body in {coding}")
        case _:
            return None
