"""What the engine knows: the request read back as searches, hits, pages, files and own words.

Nothing is kept between requests. A fresh process given the same request has the same memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, cast, get_args

import orjson

from ideatrail.models.offline.observed import (
    Hit,
    Page,
    is_refusal,
    parse_grep,
    parse_hits,
    parse_page,
    parse_view,
)
from ideatrail.models.protocol import Message, Request
from ideatrail.trail.artifacts import Artifact, artifact_name, parse
from ideatrail.trail.stage import ArtifactName, Stage, stage_ends
from ideatrail.trail.text import sentences, squeeze, words

_FOLDER: Final = re.compile(r"research_topics/[A-Za-z0-9][\w.-]*")
_DATE: Final = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_STAGE_LINE: Final = re.compile(r"Stage: (\w+)\. Turn (\d+) of (\d+)\.")
_FEEDBACK: Final = re.compile(r"not taken: (\w+)(?: in ([^.]*))?")


@dataclass(frozen=True)
class Feedback:
    """Code and pointer on the draft of this turn that was not taken."""

    code: str
    part: str
    """`reasoning`, `call`, `file` or empty."""
    call: int | None
    """Index of the call, from 0, where one is named."""
    section: str
    """An id such as `C3`, or empty."""


@dataclass(frozen=True)
class Done:
    """A call that ran, with its result."""

    name: str
    arguments: dict[str, Any]
    result: str
    turn: int
    """Number of the assistant message it stood in, from 1."""

    @property
    def refused(self) -> bool:
        """Whether the tool refused it."""
        return is_refusal(self.result)


@dataclass(frozen=True)
class Search:
    """A query and its hits."""

    query: str
    hits: tuple[Hit, ...]
    new: tuple[Hit, ...]
    """Hits that no earlier search had shown."""
    turn: int


@dataclass(frozen=True)
class Reading:
    """A page that was scraped, with what View showed of it later."""

    page: Page
    turn: int
    passages: tuple[str, ...]
    """Lines of text as observed, each whole line in one observation."""
    whole: bool
    """True once everything that the saved file holds has been shown."""

    @property
    def url(self) -> str:
        """The page's URL as observed."""
        return self.page.url


@dataclass
class Memory:
    """The request, understood. Filled by `remember` and only read afterwards."""

    direction: str
    folder: str
    cutoff: str
    stage: Stage = "explore"
    turn: int = 1
    budget: int = 40
    seed: int = 0
    feedback: tuple[Feedback, ...] = ()
    tools: frozenset[str] = frozenset()
    steps: int = 0
    """Assistant messages so far."""
    calls: list[Done] = field(default_factory=list)
    searches: list[Search] = field(default_factory=list)
    hits: dict[str, Hit] = field(default_factory=dict)
    """First sight of each URL, in order."""
    seen_count: dict[str, int] = field(default_factory=dict)
    """In how many result lists each URL stood."""
    readings: dict[str, Reading] = field(default_factory=dict)
    """Scraped pages by the URL that was asked for, in order."""
    failed: dict[str, str] = field(default_factory=dict)
    """URLs that could not be read, with the refusal."""
    files: dict[str, str] = field(default_factory=dict)
    """Own files by path, as they stand after every Write and Edit that was carried out."""
    written_at: dict[str, int] = field(default_factory=dict)
    """Last assistant message that changed an own file."""
    viewed_at: dict[str, int] = field(default_factory=dict)
    """Last assistant message whose View showed a file."""
    changes: dict[str, int] = field(default_factory=dict)
    """How often each own file has been changed."""
    said: list[str] = field(default_factory=list)
    """Sentences of own reasoning so far, in order."""
    openings: list[str] = field(default_factory=list)
    """First sentence of each assistant message."""

    @property
    def careful(self) -> bool:
        """Whether the last draft of this turn was not taken."""
        return bool(self.feedback)

    @property
    def doubted(self) -> frozenset[str]:
        """Ids of claims or candidates in the last draft of this turn that were not taken."""
        return frozenset(f.section for f in self.feedback if f.section)

    @property
    def file_doubted(self) -> bool:
        """Whether what was not taken stood in a file."""
        return any(f.part == "file" for f in self.feedback)

    def path(self, name: ArtifactName) -> str:
        """Workspace path of an artifact."""
        return f"{self.folder}/{name}"

    def artifact(self, name: ArtifactName) -> Artifact:
        """An artifact as it stands."""
        return parse(name, self.files.get(self.path(name)))

    @property
    def last_calls(self) -> list[Done]:
        """The calls of the last assistant message."""
        return [c for c in self.calls if c.turn == self.steps]

    @property
    def queries(self) -> list[str]:
        """Every query so far."""
        return [s.query for s in self.searches]

    @property
    def left_in_stage(self) -> int:
        """Turns left for this stage, this one included, by the public plan."""
        if self.stage in ("ideate", "propose"):
            return max(1, self.budget - self.turn + 1)
        return max(1, stage_ends(self.budget)[self.stage] - self.turn + 1)

    @property
    def left(self) -> int:
        """Turns left in all, this one included."""
        return max(1, self.budget - self.turn + 1)


def remember(request: Request) -> Memory:
    """Read `request` into a memory."""
    messages = request.messages
    system = next((m.text for m in messages if m.role == "system"), "")
    users = [m.text for m in messages if m.role == "user"]
    passing = users[-1] if users and _STAGE_LINE.search(users[-1]) else ""
    direction = users[0] if users and users[0] != passing else ""
    folder = _FOLDER.search(system)
    cutoff = _DATE.search(system)
    memory = Memory(
        direction=squeeze(direction),
        folder=folder.group(0).rstrip(".") if folder else "research_topics/topic",
        cutoff=cutoff.group(0) if cutoff else "",
        seed=request.seed,
        tools=frozenset(_tool_names(request)),
    )
    line = _STAGE_LINE.search(passing)
    if line and line.group(1) in get_args(Stage):
        memory.stage = cast(Stage, line.group(1))
        memory.turn, memory.budget = int(line.group(2)), int(line.group(3))
    memory.feedback = tuple(_feedback(passing))
    _replay(memory, messages)
    if not line:
        memory.turn = memory.steps + 1
    return memory


def _tool_names(request: Request) -> list[str]:
    return [str(tool.get("function", tool).get("name", "")) for tool in request.tools]


def _feedback(text: str) -> list[Feedback]:
    found = []
    for match in _FEEDBACK.finditer(text):
        where = match.group(2) or ""
        call = re.search(r"call (\d+)", where)
        section = re.search(r"\b([CI]\d+)\b", where)
        part = next((p for p in ("reasoning", "call", "file") if p in where), "")
        found.append(
            Feedback(
                match.group(1),
                part,
                int(call.group(1)) - 1 if call else None,
                section.group(1) if section else "",
            )
        )
    return found


def _replay(memory: Memory, messages: tuple[Message, ...]) -> None:
    waiting: dict[str, tuple[str, dict[str, Any]]] = {}
    for item in messages:
        if item.role == "assistant":
            memory.steps += 1
            own = sentences(item.reasoning)
            memory.said.extend(own)
            if own:
                memory.openings.append(own[0])
            waiting = {}
            for call in item.calls:
                waiting[call.id] = (call.name, _arguments(call.arguments))
        elif item.role == "tool" and item.tool_call_id in waiting:
            name, arguments = waiting[item.tool_call_id]
            done = Done(name, arguments, item.text, memory.steps)
            memory.calls.append(done)
            _note(memory, done)


def _arguments(text: str) -> dict[str, Any]:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _note(memory: Memory, done: Done) -> None:
    if done.name == "WebSearch":
        _note_search(memory, done)
    elif done.name == "Scraper":
        _note_page(memory, done)
    elif done.name == "View":
        _note_view(memory, done)
    elif done.name == "Grep" and not done.refused:
        _note_grep(memory, done)
    elif done.name in ("Write", "Edit") and not done.refused:
        _note_change(memory, done)


def _note_search(memory: Memory, done: Done) -> None:
    hits = () if done.refused else parse_hits(done.result)
    new = tuple(h for h in hits if h.url not in memory.hits)
    for hit in hits:
        memory.hits.setdefault(hit.url, hit)
        memory.seen_count[hit.url] = memory.seen_count.get(hit.url, 0) + 1
    memory.searches.append(Search(str(done.arguments.get("query", "")), hits, new, done.turn))


def _note_page(memory: Memory, done: Done) -> None:
    url = str(done.arguments.get("url", ""))
    page = parse_page(done.result)
    if page is None:
        memory.failed[url] = done.result
    elif url not in memory.readings:
        memory.readings[url] = Reading(page, done.turn, page.lines, not page.more)


def _note_view(memory: Memory, done: Done) -> None:
    path = str(done.arguments.get("file_path", ""))
    if done.refused:
        return
    memory.viewed_at[path] = done.turn
    for url, reading in memory.readings.items():
        if reading.page.path == path:
            known = set(reading.passages)
            added = tuple(
                line.strip()
                for _, line in parse_view(done.result)
                if len(line.strip()) > 80 and line.strip() not in known
            )
            memory.readings[url] = replace(
                reading, passages=(*reading.passages, *added), whole=True
            )


def _note_grep(memory: Memory, done: Done) -> None:
    for path, _, _ in parse_grep(done.result):
        memory.viewed_at.setdefault(path, done.turn)


def _note_change(memory: Memory, done: Done) -> None:
    path = str(done.arguments.get("file_path", ""))
    if artifact_name(path) is None:
        return
    if done.name == "Write":
        memory.files[path] = str(done.arguments.get("content", ""))
    else:
        old, new = (str(done.arguments.get(k, "")) for k in ("old_string", "new_string"))
        text = memory.files.get(path, "")
        if old not in text:
            return
        count = -1 if done.arguments.get("replace_all") else 1
        memory.files[path] = text.replace(old, new, count)
    memory.written_at[path] = done.turn
    memory.changes[path] = memory.changes.get(path, 0) + 1


def vocabulary(memory: Memory) -> frozenset[str]:
    """Folded words of every observation and of the direction."""
    seen: set[str] = set(words(memory.direction))
    for done in memory.calls:
        own = artifact_name(str(done.arguments.get("file_path", ""))) is not None
        if done.name in ("WebSearch", "Scraper", "View", "Grep") and not own:
            seen.update(_words_of(done.result))
    return frozenset(seen)


@lru_cache(maxsize=4096)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(words(text))
