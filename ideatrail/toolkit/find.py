"""Glob and Grep: finding files by name and lines by content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ideatrail.toolkit.document import Document
from ideatrail.toolkit.globs import PathPattern
from ideatrail.toolkit.outcome import OUTPUT_CAP, Outcome, RefusedError
from ideatrail.toolkit.paths import ROOT, normal
from ideatrail.toolkit.pattern import LinePattern
from ideatrail.toolkit.sources import Sources
from ideatrail.toolkit.view import near_names
from ideatrail.toolkit.workspace import Skipped, Workspace

GLOB_CAP: Final = 200
"""Paths that one Glob lists."""

FILE_BYTES: Final = 2_000_000
"""Larger files are no reading matter, and are left out by Grep."""

SHOWN_CHARS: Final = 2_000
"""Of a longer matching line, only the surroundings of the match are shown."""


def glob(workspace: Workspace, call_id: str, arguments: Mapping[str, Any]) -> Outcome:
    """Lists paths that match. Raises RefusedError."""
    pattern = PathPattern.parse(str(arguments["pattern"]))
    base = normal(str(arguments.get("path", ROOT)))
    kind = workspace.kind(base)
    if kind != "folder":
        what = "is a file; View shows it" if kind == "file" else "does not exist"
        hint = near_names(workspace, base) if kind == "absent" else ""
        raise RefusedError(f"{base} {what}.{hint}")

    skipped = Skipped()
    # The walk alone says what exists: it never leaves the root, whatever the pattern.
    found = [
        path + ("/" if kind == "folder" else "")
        for path, kind in workspace.walk(base, skipped)
        if pattern.matches(_below(base, path))
    ]
    lines = found[:GLOB_CAP]
    if not found:
        lines = ["Nothing matches. A pattern without ** stays in one folder."]
    elif len(found) > GLOB_CAP:
        lines.append(f"({len(found) - GLOB_CAP:,} more. Narrow the pattern or the path.)")
    return Outcome(call_id, "Glob", _with_skipped(lines, skipped))


@dataclass(frozen=True)
class _Hits:
    """The matching lines of one file."""

    path: str
    lines: list[tuple[int, str]]
    """Number from 1, and what is shown of the line."""


def grep(
    workspace: Workspace, sources: Sources, call_id: str, arguments: Mapping[str, Any]
) -> Outcome:
    """Lists lines that match. Raises RefusedError."""
    pattern = LinePattern(str(arguments["pattern"]))
    skipped = Skipped()
    hits = [
        _Hits(path, matching)
        for path, document in _documents(workspace, skipped, arguments)
        if (matching := list(_matching(pattern, document)))
    ]
    mode = str(arguments.get("output_mode", "content"))
    rows = list(_rows(mode, hits))
    shown: list[tuple[str, str]] = []
    room = OUTPUT_CAP
    for path, row in rows:
        if len(row) >= room:
            break
        shown.append((path, row))
        room -= len(row) + 1

    lines = [row for _, row in shown]
    if not rows:
        # The pattern is not repeated: no result holds words of the Generator's own for evidence.
        lines = ["No line matches."]
    elif len(shown) < len(rows):
        lines.append(f"({len(rows) - len(shown):,} more. Narrow the pattern, path or glob.)")

    saved = [sources.at(path) for path in dict.fromkeys(path for path, _ in shown)]
    pages = [source for source in saved if source is not None]
    # One line of the Generator's own file among them, and the text is no evidence as a whole.
    observed = mode == "content" and bool(pages) and len(pages) == len(saved)
    dates = [page.date_latest for page in pages if page.date_latest is not None]
    return Outcome(
        call_id,
        "Grep",
        _with_skipped(lines, skipped),
        date_latest=max(dates, default=None) if observed else None,
        source_file=pages[0].path if observed and len(pages) == 1 else None,
        observed=observed,
    )


def _documents(
    workspace: Workspace, skipped: Skipped, arguments: Mapping[str, Any]
) -> Iterator[tuple[str, Document]]:
    """The text files that a Grep looks into, by path."""
    base = normal(str(arguments.get("path", ROOT)))
    kind = workspace.kind(base)
    if kind == "absent":
        raise RefusedError(f"{base} does not exist.{near_names(workspace, base)}")
    wanted = PathPattern.parse(str(arguments["glob"])) if "glob" in arguments else None
    files: Iterator[str]
    if kind == "file":
        files = iter([base])
    else:
        files = (path for path, kind in workspace.walk(base, skipped) if kind == "file")
    for path in files:
        if wanted is not None:
            name = path.rpartition("/")[2]
            tried = name if wanted.one_name or kind == "file" else _below(base, path)
            if not wanted.matches(tried):
                continue
        if workspace.size(path) > FILE_BYTES:
            skipped.large += 1
            continue
        document = Document.decode(workspace.read(path))
        if document is None:
            skipped.binary += 1
            continue
        yield path, document


def _matching(pattern: LinePattern, document: Document) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(document.lines, start=1):
        end = pattern.find(line)
        if end is not None:
            yield number, _around(line, end)


def _around(line: str, end: int) -> str:
    """`line`, or SHOWN_CHARS of it around the match that ends at `end`, with dots for the rest."""
    if len(line) <= SHOWN_CHARS:
        return line
    first = max(0, min(end - SHOWN_CHARS // 2, len(line) - SHOWN_CHARS))
    piece = line[first : first + SHOWN_CHARS]
    if first:
        piece = "… " + piece.partition(" ")[2] if " " in piece[:100] else f"… {piece}"
    if first + SHOWN_CHARS < len(line):
        piece = piece.rpartition(" ")[0] + " …" if " " in piece[-100:] else f"{piece} …"
    return piece


def _rows(mode: str, hits: list[_Hits]) -> Iterator[tuple[str, str]]:
    """Path and printed row of every row in the mode asked for."""
    for hit in hits:
        if mode == "files_with_matches":
            yield hit.path, hit.path
        elif mode == "count":
            yield hit.path, f"{hit.path}:{len(hit.lines)}"
        else:
            for number, text in hit.lines:
                yield hit.path, f"{hit.path}:{number}:{text}"


def _below(base: str, path: str) -> str:
    return path if base == ROOT else path[len(base) + 1 :]


def _with_skipped(lines: list[str], skipped: Skipped) -> str:
    told = skipped.sentence()
    return "\n".join([*lines, f"({told})"] if told else lines)
