"""The text of a file: bytes that are text, and the way back to the same bytes."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

from ideatrail.toolkit.outcome import RefusedError

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_BOMS: Final[tuple[tuple[bytes, str], ...]] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PLAIN: Final[tuple[str, ...]] = ("utf-8", "cp1252", "latin-1")
"""Tried in turn where no mark names the encoding; the last takes any byte."""

_BINARY_SHARE: Final = 0.10
"""Share of control characters from which on something is no text."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True)
class Document:
    """A file's text, its encoding and its byte-order mark."""

    text: str
    """Without the mark; line ends as they are."""
    encoding: str = "utf-8"
    mark: bytes = b""

    @classmethod
    def decode(cls, data: bytes) -> Document | None:
        """The text in `data`, or None where it is binary. `encode` gives back the same bytes."""
        mark, encodings = next(
            ((bom, (name,)) for bom, name in _BOMS if data.startswith(bom)), (b"", _PLAIN)
        )
        if not mark and b"\0" in data:
            return None
        for encoding in encodings:
            try:
                text = data[len(mark) :].decode(encoding)
            except UnicodeDecodeError:
                continue
            if len(_CONTROL.findall(text)) > _BINARY_SHARE * len(text):
                return None
            return cls(text, encoding, mark)
        return None

    def encode(self) -> bytes:
        """The bytes of the file. Raises RefusedError for a character the encoding lacks."""
        try:
            return self.mark + self.text.encode(self.encoding)
        except UnicodeEncodeError as error:
            lacking = error.object[error.start]
            raise RefusedError(
                f"the file is in {self.encoding}, which has no character "
                f"U+{ord(lacking):04X}. Nothing was changed."
            ) from None

    @property
    def lines(self) -> list[str]:
        """The lines without their ends; an end at the very end opens no further line."""
        lines = _LINE_END.split(self.text)
        if lines[-1] == "":
            lines.pop()
        return lines

    @property
    def all_crlf(self) -> bool:
        """True where every line end is CRLF and there is one at least."""
        ends = {match.group() for match in _LINE_END.finditer(self.text)}
        return ends == {"\r\n"}

    @property
    def mixed(self) -> bool:
        """True where the file has line ends of more than one kind."""
        return len({match.group() for match in _LINE_END.finditer(self.text)}) > 1

    def line_at(self, position: int) -> int:
        """Number of the line, from 1, that holds the character at `position`."""
        number = 1
        # An end that `position` stands inside of belongs to the line it ends.
        for match in _LINE_END.finditer(self.text):
            if match.end() > position:
                break
            number += 1
        return number
