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
        """Unpacked pieces. Raises UnpackError."""
        ...

    def finish(self) -> None:
        """Raises UnpackError where the end is missing."""
        ...


class _Inflate:
    """gzip with any number of members, zlib, raw deflate; bytes as they are if it is neither."""

    def __init__(self, coding: str) -> None:
        self._gzip = coding == "gzip"
        self._head = b""
        self._inner: zlib._Decompress | None = None
        self._plain = False
        self._over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._plain:
            yield data
            return
        if self._over:
            return  # what follows the last member is no part of the body
        if self._inner is None:
            data = self._head + data
            if len(data) < 2:
                self._head = data
                return
            self._head = b""
            if not self._choose(data):
                self._plain = True
                yield data
                return
        while data and not self._over:
            assert self._inner is not None
            try:
                piece = self._inner.decompress(data, PIECE)
            except zlib.error as error:
                raise UnpackError(str(error)) from error
            data = self._inner.unconsumed_tail
            if piece:
                yield piece
            if self._inner.eof:
                data = self._inner.unused_data
                if self._gzip and data[:2] == b"\x1f\x8b":
                    self._inner = zlib.decompressobj(31)
                elif self._gzip and data == b"\x1f":
                    self._inner, self._head, data = None, data, b""
                    return
                else:
                    self._over = True

    def finish(self) -> None:
        if self._plain or self._over:
            return
        if self._inner is not None and not self._inner.eof:
            raise UnpackError("the packed body is cut short")

    def _choose(self, data: bytes) -> bool:
        if self._gzip:
            if data[:2] != b"\x1f\x8b":
                return False
            self._inner = zlib.decompressobj(31)
            return True
        if data[0] & 0x0F == 8 and int.from_bytes(data[:2]) % 31 == 0:
            self._inner = zlib.decompressobj(15)
            return True
        try:
            zlib.decompressobj(-15).decompress(data, 1024)
        except zlib.error:
            return False
        self._inner = zlib.decompressobj(-15)
        return True


class _Zstd:
    """zstd, with any number of frames; bytes as they are if it is none."""

    def __init__(self) -> None:
        self._maker = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
        self._inner: zstandard.ZstdDecompressionObj | None = None
        self._head = b""
        self._plain = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._plain:
            yield data
            return
        data, self._head = self._head + data, b""
        while data:
            if self._inner is None:
                if len(data) < 4:
                    self._head = data
                    return
                if not _is_zstd(data):
                    self._plain = True
                    yield data
                    return
                self._inner = self._maker.decompressobj()
            step, data = data[:_ZSTD_STEP], data[_ZSTD_STEP:]
            try:
                piece = self._inner.decompress(step)
            except zstandard.ZstdError as error:
                raise UnpackError(str(error)) from error
            if piece:
                yield piece
            if self._inner.eof:
                data, self._inner = self._inner.unused_data + data, None
                if data and not _is_zstd(data[:4]):
                    return

    def finish(self) -> None:
        if self._inner is not None:
            raise UnpackError("the packed body is cut short")


class _Brotli:
    """Brotli, which cannot be told from plain bytes but by trying."""

    def __init__(self) -> None:
        self._inner = brotli.Decompressor()
        self._begun = False
        self._plain = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._plain:
            yield data
            return
        given = data
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

    def finish(self) -> None:
        if not self._plain and not self._inner.is_finished():
            raise UnpackError("the packed body is cut short")


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

    def finish(self) -> None:
        """Raises UnpackError where the end of a layer is missing."""
        for layer in self._layers:
            layer.finish()

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
