"""Write and Edit: the only ways in which a file of the Generator's changes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ideatrail.toolkit.document import Document
from ideatrail.toolkit.known import Known
from ideatrail.toolkit.outcome import Outcome, RefusedError
from ideatrail.toolkit.paths import hidden, normal
from ideatrail.toolkit.sources import FOLDER
from ideatrail.toolkit.view import near_names
from ideatrail.toolkit.workspace import Workspace
from ideatrail.trail.turn import ArtifactChange

FILE_CHARS: Final = 1_000_000
"""Longest text a file may come to hold: some ten times the longest proposal ever seen, and a stop
for a replace_all that would fill the disk."""

_LINES_TOLD: Final = 20
_BARE_LF: Final = re.compile(r"(?<!\r)\n")
_NUMBERED: Final = re.compile(r"\s*\d+\t")
_QUOTES: Final = str.maketrans("‘’‚‛“”„‟«»", '\'\'\'\'""""""')


def own_path(home: str, path: str) -> str:
    """`path` in its normal form, if the Generator may write there. Raises RefusedError."""
    path = normal(path)
    if not path.startswith(f"{home}/"):
        raise RefusedError(f"{path} cannot be written: only files in {home}/ can.")
    parts = path[len(home) + 1 :].split("/")
    # Folded, because some file systems take `Sources` and `sources` for one folder.
    if unicodedata.normalize("NFKC", parts[0]).casefold() == FOLDER:
        raise RefusedError(f"{path} cannot be changed: {home}/{FOLDER}/ holds fetched pages only.")
    if any(hidden(part) for part in parts):
        raise RefusedError(f"{path} has a name that begins with a dot and would not be listed.")
    return path


def write(
    workspace: Workspace, known: Known, home: str, call_id: str, arguments: Mapping[str, Any]
) -> Outcome:
    """Writes a file whole. Raises RefusedError, and OSError with the old file still there."""
    path = own_path(home, str(arguments["file_path"]))
    after = str(arguments["content"])
    if "\0" in after:
        raise RefusedError("the content holds a NUL character, which no text file holds.")
    _check_size(len(after))
    data = Document(after).encode()

    before: str | None = None
    old: bytes | None = None
    if workspace.kind(path) != "absent":
        old = _known_bytes(workspace, known, path)
        document = Document.decode(old)
        before = document.text if document else None
    if old != data:
        workspace.write(path, data)
    known.wrote(path, data)

    lines = len(Document(after).lines)
    size = f"{lines:,} line{'' if lines == 1 else 's'}, {len(after):,} characters"
    told = f"Wrote {path}: {size}." if old != data else f"{path} held exactly this already: {size}."
    change = ArtifactChange(call_id, path, before, after)
    return Outcome(call_id, "Write", told, change=change)


def edit(
    workspace: Workspace, known: Known, home: str, call_id: str, arguments: Mapping[str, Any]
) -> Outcome:
    """Replaces a passage. Raises RefusedError, and OSError with the old file still there."""
    path = own_path(home, str(arguments["file_path"]))
    if workspace.kind(path) == "absent":
        hint = near_names(workspace, path)
        raise RefusedError(f"{path} does not exist.{hint} Write makes a new file.")
    data = _known_bytes(workspace, known, path)
    document = Document.decode(data)
    if document is None:
        raise RefusedError(f"{path} is a binary file and cannot be edited.")

    edited, at = replace_text(
        document,
        str(arguments["old_string"]),
        str(arguments["new_string"]),
        replace_all=bool(arguments.get("replace_all", False)),
    )
    changed = edited.encode()
    if Document.decode(changed) != edited:
        # In an old encoding, new bytes can happen to spell something else in another one.
        raise RefusedError(f"{path} would not read back as the same text. Nothing was changed.")
    workspace.write(path, changed)
    known.wrote(path, changed)

    times = "1 replacement" if len(at) == 1 else f"{len(at):,} replacements"
    return Outcome(
        call_id,
        "Edit",
        f"Edited {path}: {times}, {_told(at)}.",
        change=ArtifactChange(call_id, path, document.text, edited.text),
    )


def replace_text(
    document: Document, old: str, new: str, *, replace_all: bool = False
) -> tuple[Document, list[int]]:
    """`document` with `old` replaced by `new`, and the lines (from 1) where `old` stood.

    Matching is exact, but for one thing: a file that ends every line in CRLF takes LF in either
    string as CRLF, because View shows no line ends (contract, "Edit and Write"). Raises
    RefusedError where `old` is empty, absent, equal to `new`, or stands twice without
    `replace_all`.
    """
    if not old:
        raise RefusedError("old_string is empty. Give the passage to replace.")
    if "\0" in new:
        raise RefusedError("new_string holds a NUL character, which no text file holds.")
    if document.all_crlf:
        old, new = _BARE_LF.sub("\r\n", old), _BARE_LF.sub("\r\n", new)
    if old == new:
        raise RefusedError("old_string and new_string are the same. Nothing was changed.")

    text = document.text
    found = _positions(text, old)
    if not found:
        raise RefusedError(f"old_string does not stand in the file.{_hint(document, old)}")
    if len(found) > 1 and not replace_all:
        raise RefusedError(
            f"old_string stands in the file {len(found):,} times, "
            f"{_told([document.line_at(position) for position in found])}. "
            "Give more of the text around it, or set replace_all."
        )
    if replace_all:
        found = _apart(found, len(old))
    _check_size(len(text) + len(found) * (len(new) - len(old)))
    lines = [document.line_at(position) for position in found]
    return replace(document, text=text.replace(old, new)), lines


def _positions(text: str, old: str) -> list[int]:
    """Where `old` begins, overlapping places too: `aa` in `aaa` is as ambiguous as any."""
    found = []
    position = text.find(old)
    while position >= 0:
        found.append(position)
        position = text.find(old, position + 1)
    return found


def _apart(found: list[int], length: int) -> list[int]:
    """The places that a replacement from the left takes."""
    taken: list[int] = []
    for position in found:
        if not taken or position >= taken[-1] + length:
            taken.append(position)
    return taken


def _hint(document: Document, old: str) -> str:
    """What may have gone wrong, where that can be said."""
    if _NUMBERED.match(old) and _NUMBERED.sub("", old, count=1) in document.text:
        return " Leave out the line number and the tab that View puts before each line."
    if document.mixed and "\n" in old:
        if _loose(old) in _loose(document.text):
            return " The file mixes line ends of several kinds, and they must be given as they are."
        return ""
    first = next((_loose(line) for line in old.splitlines() if line.strip()), "")
    if first:
        for number, line in enumerate(document.lines, start=1):
            if first in _loose(line):
                return (
                    f" Line {number} comes close to its first line: "
                    "compare spaces, tabs, quotation marks and the lines that follow."
                )
    return " Look at the file with View and copy the passage exactly."


def _loose(text: str) -> str:
    """`text` with white space joined and quotation marks made straight."""
    return " ".join(text.translate(_QUOTES).split())


def _told(lines: list[int]) -> str:
    """`line 3`, or `lines 3, 8 and 9`."""
    distinct = list(dict.fromkeys(lines))
    if len(distinct) == 1:
        return f"line {distinct[0]}"
    if len(distinct) > _LINES_TOLD:
        shown = ", ".join(map(str, distinct[:_LINES_TOLD]))
        return f"lines {shown} and {len(distinct) - _LINES_TOLD} more"
    return f"lines {', '.join(map(str, distinct[:-1]))} and {distinct[-1]}"


def _known_bytes(workspace: Workspace, known: Known, path: str) -> bytes:
    """The bytes of an existing file that the Generator knows. Raises RefusedError."""
    data = workspace.read(path)
    if not known.holds(path, data):
        raise RefusedError(
            f"{path} exists, and its present content was not shown to you in an earlier message. "
            "Look at it with View first."
        )
    return data


def _check_size(chars: int) -> None:
    if chars > FILE_CHARS:
        raise RefusedError(f"the file would hold more than {FILE_CHARS:,} characters.")
