"""What a draft's Write and Edit calls would make of the files: a pure simulation of exact edits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ideatrail.trail.artifacts import Artifact, Section, artifact_name, parse
from ideatrail.trail.stage import ArtifactName
from ideatrail.trail.turn import AUTHORING, Call

_BARE_LF: Final = re.compile(r"(?<!\r)\n")


@dataclass(frozen=True)
class Edited:
    """One authoring call with the file before and after it."""

    call: int
    """Index of the call in the draft."""
    tool: str
    path: str
    before: str | None
    after: str
    name: ArtifactName | None
    """The artifact that the path names, or None for another file."""
    old: Artifact | None
    """The artifact before and after, parsed, where the path names one."""
    new: Artifact | None

    def changed_sections(self) -> list[tuple[Section, str]]:
        """Sections that did not stand so before, each with its whole text; the text before the
        first heading counts as a section without one."""
        kept = set(section_texts(self.before or "").values())
        return [
            (section, text)
            for section, text in section_texts(self.after).items()
            if text not in kept
        ]


def section_texts(text: str) -> dict[Section, str]:
    """Each `## ` section of `text` with heading and body as one text, in order."""
    found: dict[Section, str] = {}
    lines = text.split("\n")
    start = 0
    for number, line in enumerate([*lines, "## "]):
        if (number and line.startswith("## ")) or number == len(lines):
            block = "\n".join(lines[start:number]).strip()
            if block:
                heading = lines[start][3:].strip() if lines[start].startswith("## ") else ""
                found[Section(heading, block, start + 1, ())] = block
            start = number
    return found


def normal_path(path: str) -> str:
    """`path` without `./`, doubled slashes and outer white space."""
    return "/".join(p for p in path.strip().split("/") if p not in ("", "."))


def replaced(text: str, old: str, new: str, *, every: bool) -> str | None:
    """`text` with `old` replaced; None where the edit is refused (contract, "Edit and Write")."""
    if not old or old == new:
        return None
    if "\r\n" in text and not _BARE_LF.search(text):
        old, new = _BARE_LF.sub("\r\n", old), _BARE_LF.sub("\r\n", new)
    at = text.find(old)
    if at < 0 or (text.find(old, at + 1) >= 0 and not every):
        return None
    return text.replace(old, new)


def simulate(files: Mapping[str, str], calls: Iterable[Call]) -> list[Edited]:
    """The authoring calls that would change a file, applied in order. `files` is left alone."""
    now = dict(files)
    done: list[Edited] = []
    for index, call in enumerate(calls):
        if call.name not in AUTHORING or not isinstance(call.parsed, dict):
            continue
        raw = call.parsed.get("file_path")
        if not isinstance(raw, str):
            continue
        path = normal_path(raw)
        before = now.get(path)
        after: str | None
        if call.name == "Write":
            content = call.parsed.get("content")
            after = content if isinstance(content, str) else None
        else:
            old, new = call.parsed.get("old_string"), call.parsed.get("new_string")
            if before is None or not isinstance(old, str) or not isinstance(new, str):
                continue
            after = replaced(before, old, new, every=call.parsed.get("replace_all") is True)
        if after is None:
            continue
        now[path] = after
        name = artifact_name(path)
        done.append(
            Edited(
                index,
                call.name,
                path,
                before,
                after,
                name,
                parse(name, before) if name else None,
                parse(name, after) if name else None,
            )
        )
    return done
