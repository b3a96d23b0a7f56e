"""View: a file's lines, numbered."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from ideatrail.toolkit.document import Document
from ideatrail.toolkit.known import Known
from ideatrail.toolkit.outcome import OUTPUT_CAP, Outcome, RefusedError
from ideatrail.toolkit.paths import ROOT, normal
from ideatrail.toolkit.sources import Sources
from ideatrail.toolkit.wording import cut
from ideatrail.toolkit.workspace import Skipped, Workspace


def view(
    workspace: Workspace,
    sources: Sources,
    known: Known,
    call_id: str,
    arguments: Mapping[str, Any],
) -> Outcome:
    """Shows a file, and notes in `known` that it was shown. Raises RefusedError."""
    path = normal(str(arguments["file_path"]))
    kind = workspace.kind(path)
    if kind == "folder":
        raise RefusedError(f"{path} is a folder. Glob with the pattern {path}/* lists it.")
    if kind == "absent":
        raise RefusedError(f"{path} does not exist.{near_names(workspace, path)}")
    data = workspace.read(path)
    document = Document.decode(data)
    if document is None:
        raise RefusedError(f"{path} is a binary file ({len(data):,} bytes) and cannot be shown.")

    content = _numbered(path, document.lines, arguments.get("offset", 1), arguments.get("limit"))
    known.shown(path, data)
    source = sources.at(path)
    return Outcome(
        call_id,
        "View",
        content,
        date_latest=source.date_latest if source else None,
        source_file=path if source else None,
        observed=source is not None,
    )


def _numbered(path: str, lines: list[str], offset: int, limit: int | None) -> str:
    """`N<TAB>line` from line `offset` on, and where to read on if that is not all."""
    if not lines:
        return "(The file is empty.)"
    if offset > len(lines):
        have = "1 line" if len(lines) == 1 else f"{len(lines):,} lines"
        raise RefusedError(f"{path} has {have}; there is no line {offset}.")
    end = len(lines) if limit is None else min(len(lines), offset - 1 + limit)
    shown: list[str] = []
    room = OUTPUT_CAP
    for number in range(offset, end + 1):
        row = f"{number}\t{lines[number - 1]}"
        if len(row) >= room:
            if not shown:
                piece = cut(row, OUTPUT_CAP)
                shown += [piece, f"(Line {number} is cut: it has {len(row):,} characters.)"]
                offset = number + 1
            break
        shown.append(row)
        room -= len(row) + 1
        offset = number + 1
    if offset <= len(lines):
        shown.append(f"({len(lines):,} lines in all. Read on with offset {offset}.)")
    return "\n".join(shown)


def near_names(workspace: Workspace, path: str) -> str:
    """A sentence that names files like `path` in its folder, or nothing."""
    folder, _, name = path.rpartition("/")
    folder = folder or ROOT
    if workspace.kind(folder) != "folder":
        return f" Nor does the folder {folder}."
    # Only the folder itself: its entries come before those of its subfolders are needed.
    names = [
        below.rpartition("/")[2]
        for below, _ in workspace.walk(folder, Skipped())
        if (below.rpartition("/")[0] or ROOT) == folder
    ]
    near = get_close_matches(name, names, n=3)
    return f" In its folder there is {', '.join(near)}." if near else ""
