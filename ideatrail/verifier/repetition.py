"""repetition: reasoning that loops, and calls that can bring nothing new."""

from __future__ import annotations

import zlib
from collections import Counter
from typing import Any, Final

from ideatrail.trail.simulate import normal_path
from ideatrail.trail.text import sentences
from ideatrail.trail.turn import Call
from ideatrail.trail.verdict import Code, Pointer
from ideatrail.verifier.case import Case
from ideatrail.verifier.means import Bench, Means, Need, Opinion
from ideatrail.verifier.view import View, call_key, line_key

LINE_WORDS: Final = 6
"""Shorter sentences ("Let me look.") may come again."""
OWN: Final = 3
"""Times that a sentence may not stand in one reasoning."""
EVER: Final = 3
"""Turns that may have held a sentence before: with this one it would be four."""
SHARE: Final = 0.5
"""Share of a reasoning's sentences, two at least, that may not be those of recent turns."""
LOOP_CHARS: Final = 1_500
LOOP_RATIO: Final = 0.18
"""Compressed size of a long reasoning as a share of it; prose stays above 0.35."""


class RepetitionCheck:
    """The same again."""

    name = "repetition"
    codes: frozenset[Code] = frozenset({"repetition"})
    needs: frozenset[Need] = frozenset()

    def __init__(self, means: Means) -> None:
        pass

    def judge(self, case: Case, view: View) -> Opinion:
        """Reasoning against itself and recent turns, calls against all earlier ones."""
        layers = ("own lines", "recent lines", "loop", "same call", "same view", "no change")
        bench = Bench(self.name, "repetition", layers)
        self._reasoning(case.draft.reasoning, view, bench)
        writes = {edit.call for edit in case.edits}
        here: set[str] = set()
        for index, call in enumerate(case.draft.calls):
            pointer = Pointer("call", index)
            key = call_key(call) or (_exact(call) if call.name == "View" else "")
            if key and key in here:
                bench.hit("same call", pointer, key)
            here.add(key)
            done = view.calls_made.get(key) if key else None
            if done is not None and (call.name in ("WebSearch", "Scraper") or done == view.change):
                bench.hit("same call", pointer, key)
            if call.name == "View" and _seen_whole(call, view):
                bench.hit("same view", pointer, key)
            if call.name == "Write" and index in writes:
                edit = next(e for e in case.edits if e.call == index)
                if edit.before == edit.after:
                    bench.hit("no change", pointer, edit.path)
        return bench.opinion()

    def _reasoning(self, text: str, view: View, bench: Bench) -> None:
        pointer = Pointer("reasoning")
        lines = [k for s in sentences(text) if len((k := line_key(s)).split()) >= LINE_WORDS]
        counted = Counter(lines)
        for line, times in counted.items():
            if times >= OWN:
                bench.hit("own lines", pointer, f"{times} times: {line[:80]}")
        if len(lines) >= 6 and len(lines) - len(counted) > len(lines) / 3:
            bench.hit("own lines", pointer, f"{len(lines) - len(counted)} of {len(lines)} lines")
        recent = frozenset().union(*view.recent_lines)
        again = [line for line in counted if line in recent]
        if len(again) >= 2 and len(again) >= SHARE * len(counted):
            bench.hit("recent lines", pointer, f"{len(again)} of {len(counted)} lines")
        for line in counted:
            if view.lines_said[line] >= EVER:
                bench.hit("recent lines", pointer, f"said before: {line[:80]}")
        if len(text) >= LOOP_CHARS:
            data = text.encode("utf-8", "replace")
            if len(zlib.compress(data, 9)) < LOOP_RATIO * len(data):
                bench.hit("loop", pointer, "the text compresses to nearly nothing")


def _given(call: Call) -> dict[str, Any]:
    return call.parsed if isinstance(call.parsed, dict) else {}


def _exact(call: Call) -> str:
    given = _given(call)
    return f"View {given.get('file_path')} {given.get('offset')} {given.get('limit')}"


def _seen_whole(call: Call, view: View) -> bool:
    """Whether every line that a View asks for was shown since the file last changed."""
    given = _given(call)
    path = given.get("file_path")
    if not isinstance(path, str):
        return False
    known = view.shown_lines.get(normal_path(path))
    if known is None or not known.lines:
        return False
    first = given.get("offset") if isinstance(given.get("offset"), int) else 1
    limit = given.get("limit") if isinstance(given.get("limit"), int) else None
    first = max(1, first or 1)
    if limit is None:
        if known.end is None:
            return False
        last = known.end
    else:
        last = first + limit - 1 if known.end is None else min(first + limit - 1, known.end)
    return last >= first and known.lines.issuperset(range(first, last + 1))
