"""A draft as the checks read it: its texts with their places, and the files as it leaves them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from ideatrail.trail.artifacts import Artifact
from ideatrail.trail.simulate import Edited, simulate
from ideatrail.trail.stage import ArtifactName, Stage
from ideatrail.trail.turn import Call, Draft
from ideatrail.trail.verdict import Pointer

SpotKind = Literal[
    "reasoning", "content", "query", "url", "path", "pattern", "old", "text", "other"
]

_KINDS: Final[dict[str, SpotKind]] = {
    "query": "query",
    "url": "url",
    "file_path": "path",
    "path": "path",
    "glob": "path",
    "pattern": "pattern",
    "old_string": "old",
    "new_string": "text",
    "content": "text",
}
_ID: Final = re.compile(r"^([CI]\d+)\.")


@dataclass(frozen=True)
class Spot:
    """One text of the Generator's and where it stands."""

    kind: SpotKind
    text: str
    pointer: Pointer
    file: ArtifactName | None = None
    """The artifact that the text stands in."""


@dataclass(frozen=True)
class Case:
    """A draft under judgement."""

    draft: Draft
    stage: Stage
    spots: tuple[Spot, ...]
    """Reasoning, visible text, then each call's texts in order; a changed section of a file stands
    whole, so that what an edit completes is seen."""
    edits: tuple[Edited, ...]

    def artifact(self, name: ArtifactName, before: Mapping[ArtifactName, Artifact]) -> Artifact:
        """The artifact as the draft leaves it; `before` holds all four."""
        for edit in reversed(self.edits):
            if edit.name == name and edit.new is not None:
                return edit.new
        return before[name]


def section_id(heading: str) -> str | None:
    """How a pointer names a section: by its number, else its heading."""
    match = _ID.match(heading)
    return match.group(1) if match else heading or None


def make_case(draft: Draft, stage: Stage, files: Mapping[str, str]) -> Case:
    """`draft` taken apart; `files` are the Generator's own as they stand."""
    edits = simulate(files, draft.calls)
    spots = [Spot("reasoning", draft.reasoning, Pointer("reasoning"))]
    if draft.content:
        spots.append(Spot("content", draft.content, Pointer("reasoning")))
    by_call = {edit.call: edit for edit in edits}
    for index, call in enumerate(draft.calls):
        spots.extend(_call_spots(index, call, by_call.get(index)))
    sound = (replace(s, text=_sound(s.text)) for s in spots if s.text)
    return Case(draft, stage, tuple(sound), tuple(edits))


def _sound(text: str) -> str:
    """`text` without lone surrogates, which a model's JSON may spell and no index takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _call_spots(index: int, call: Call, edit: Edited | None) -> Iterator[Spot]:
    pointer = Pointer("call", index)
    if not isinstance(call.parsed, dict) or not call.parsed:
        yield Spot("other", call.arguments, pointer)
        return
    for key, value in call.parsed.items():
        if edit is not None and key in ("content", "new_string"):
            continue
        kind = _KINDS.get(key, "other")
        if isinstance(value, str):
            yield Spot(kind, value, pointer)
        elif not isinstance(value, bool | int | None):
            yield Spot("other", _plain(value), pointer)
        if key not in _KINDS and key not in _OPTIONS:
            yield Spot("other", key, pointer)
    if edit is not None:
        for section, text in edit.changed_sections():
            place = Pointer("file", index, section_id(section.heading))
            yield Spot("text", text, place, edit.name)


_OPTIONS: Final = frozenset({"max_results", "offset", "limit", "replace_all", "output_mode"})


def _plain(value: Any) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)
