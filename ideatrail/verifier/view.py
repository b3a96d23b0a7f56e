"""What the checks know of the public record so far. `observe(turn)` is the only way in."""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from ideatrail.evidence.urls import canonical
from ideatrail.trail.artifacts import Artifact, artifact_name, parse
from ideatrail.trail.simulate import normal_path
from ideatrail.trail.stage import ARTIFACTS, ArtifactName
from ideatrail.trail.text import fold, sentences, squeeze
from ideatrail.trail.turn import AUTHORING, Call, Result, Turn
from ideatrail.verifier.case import Spot, make_case
from ideatrail.verifier.observation import (
    SUMMARY,
    Listing,
    read_grep,
    read_page,
    read_search,
    read_view,
    urls_in,
)
from ideatrail.verifier.sources import Passage, SourceRecord, squash
from ideatrail.verifier.terms import Seen

_TOPIC: Final = re.compile(r"research_topics/([\w.-]+)")
RECENT: Final = 4
"""Turns that a window across turns reaches back."""


@dataclass
class ShownLines:
    """Which lines of a file, as it stands, View has shown."""

    lines: set[int] = field(default_factory=set)
    end: int | None = None
    """The last line, once it was shown."""


class View:
    """The public record as the checks need it; grows by a turn at a time, never re-reads.

    Attributes:
        shown: all that was observed, with the direction: what the Generator may speak of.
        said: all that the Generator wrote itself in accepted turns.
        sources: canonical URL → what was observed of it.
        by_file: saved page's path → canonical URL.
        listed: canonical URLs that stood in search results or heads of pages, or the direction.
        linked: canonical URLs that stood only inside texts of pages.
        files: the Generator's own files as they stand.
        artifacts: the four artifacts, parsed.
    """

    def __init__(self, direction: str = "", system: str = "") -> None:
        self.direction = direction
        self.shown = Seen()
        self.said = Seen()
        self.direction_seen = Seen()
        self.shown.add(direction)
        self.direction_seen.add(direction)
        self.sources: dict[str, SourceRecord] = {}
        self.by_file: dict[str, str] = {}
        self._by_surname: dict[str, dict[int, SourceRecord]] = {}
        self.titles: set[str] = set()
        self.listed: set[str] = set()
        self.linked: set[str] = set()
        self._hosts: set[str] = set()
        for url in urls_in(direction):
            self._saw(url, self.listed)
        self.files: dict[str, str] = {}
        self.artifacts: dict[ArtifactName, Artifact] = {n: parse(n, None) for n in ARTIFACTS}
        self.topic = ""
        self.turns = 0
        self.recent: deque[tuple[Spot, ...]] = deque(maxlen=RECENT)
        self.lines_said: Counter[str] = Counter()
        self.recent_lines: deque[frozenset[str]] = deque(maxlen=10)
        self.calls_made: dict[str, int] = {}
        self.change = 0
        self.shown_lines: dict[str, ShownLines] = {}
        self.own_texts: list[str] = [squeeze(direction)]
        self.observed_texts: list[tuple[str, str]] = []
        self.set_system(system)

    def set_system(self, system: str) -> None:
        """Read the workspace folder out of the system prompt."""
        match = _TOPIC.search(system)
        if match:
            self.topic = match.group(1).rstrip(".")

    @property
    def home(self) -> str:
        """The topic's folder, or an empty string while it is unknown."""
        return f"research_topics/{self.topic}" if self.topic else ""

    def observe(self, turn: Turn) -> None:
        """Take in one accepted turn with its results."""
        case = make_case(turn.draft, turn.stage, self.files)
        for spot in case.spots:
            self.said.add(spot.text)
        self.recent.append(case.spots)
        lines = [line_key(s) for s in sentences(turn.draft.reasoning)]
        self.lines_said.update(lines)
        self.recent_lines.append(frozenset(lines))
        self.turns += 1
        changed = {change.call_id: change for change in turn.changes}
        by_call = {edit.call: edit for edit in case.edits}
        for index, (call, result) in enumerate(zip(turn.draft.calls, turn.results, strict=False)):
            if not self.topic:
                self.set_system(call.arguments)
            if call.name in AUTHORING:
                if result.status != "ok":
                    continue
                change = changed.get(call.id)
                edit = by_call.get(index)
                if change is not None:
                    self._wrote(normal_path(change.path), change.after)
                elif edit is not None:
                    self._wrote(edit.path, edit.after)
            else:
                self._result(call, result)
        for call in turn.draft.calls:
            key = call_key(call)
            if key:
                self.calls_made[key] = self.change
        for spot in case.spots:
            if spot.kind in ("query", "pattern"):
                self.own_texts.append(squeeze(spot.text))
        for call, result in zip(turn.draft.calls, turn.results, strict=False):
            # What failed for outside reasons may be tried again.
            if result.status == "error":
                self.calls_made.pop(call_key(call), None)

    def _wrote(self, path: str, after: str) -> None:
        if self.files.get(path) == after:
            return
        self.files[path] = after
        self.change += 1
        self.shown_lines.pop(path, None)
        name = artifact_name(path)
        if name is not None:
            self.artifacts[name] = parse(name, after)

    def _result(self, call: Call, result: Result) -> None:
        if result.status != "ok":
            return
        if call.name == "View":
            self._note_lines(call, result)
        if not result.observed:
            return
        self.shown.add(result.content)
        self.observed_texts.append((result.call_id, squeeze(result.content)))
        if call.name == "WebSearch":
            for item in read_search(result.content):
                self._listing(item, result.call_id)
        elif call.name == "Scraper":
            self._page(call, result)
        elif call.name == "View":
            self._viewed(call, result)
        elif call.name == "Grep":
            for path, _, line in read_grep(result.content):
                self._more(normal_path(path), line, result.call_id)
        for url in urls_in(result.content):
            self._saw(url, self.linked)

    def _saw(self, url: str, where: set[str]) -> None:
        where.add(canonical(url))
        self._hosts.add(host_of(url))

    def observed_host(self, url: str) -> bool:
        """Whether any observed address was of the same host."""
        return host_of(url) in self._hosts

    def _record(self, url: str) -> SourceRecord:
        address = canonical(url)
        if address not in self.sources:
            self.sources[address] = SourceRecord(address)
        return self.sources[address]

    def _learn(self, record: SourceRecord, fact: Listing) -> None:
        record.learn(fact)
        for name in record.surnames:
            self._by_surname.setdefault(name, {})[id(record)] = record

    def authored_by(self, surname: str) -> list[SourceRecord]:
        """Observed works of which an author has this folded last name."""
        return list(self._by_surname.get(surname, {}).values())

    def _listing(self, item: Listing, call_id: str) -> None:
        self.titles.add(squash(item.title))
        if not item.url:
            return
        self._saw(item.url, self.listed)
        record = self._record(item.url)
        self._learn(record, item)
        if item.text:
            # The ellipsis marks where words are missing; a quote does not carry it.
            record.passages.append(Passage(call_id, squeeze(item.text), "snippet"))

    def _page(self, call: Call, result: Result) -> None:
        page = read_page(result.content)
        asked = call.parsed.get("url") if isinstance(call.parsed, dict) else None
        address = (page.url if page else "") or (asked if isinstance(asked, str) else "")
        if not address:
            return
        record = self._record(address)
        self._saw(address, self.listed)
        path = normal_path((page.saved_as if page else "") or result.source_file or "")
        if path:
            self.by_file[path] = record.url
            if path not in self.files:
                self.change += 1
        if page:
            self._learn(record, page)
            self.titles.add(squash(page.title))
        text = page.text if page else result.content
        self._take(record, text, result.call_id)
        if isinstance(asked, str) and canonical(asked) != record.url:
            # The address asked for and the page's own are one work from here on.
            self.sources.setdefault(canonical(asked), record)

    def _viewed(self, call: Call, result: Result) -> None:
        asked = call.parsed.get("file_path") if isinstance(call.parsed, dict) else None
        path = normal_path(result.source_file or (asked if isinstance(asked, str) else ""))
        self._more(path, read_view(result.content).text, result.call_id)

    def _more(self, path: str, text: str, call_id: str) -> None:
        address = self.by_file.get(path)
        if address is not None:
            self._take(self.sources[address], text, call_id)

    def _take(self, record: SourceRecord, text: str, call_id: str) -> None:
        record.paged = True
        record.summary = record.summary or bool(SUMMARY.search(text[:400]))
        record.page_chars = max(record.page_chars, len(text))
        record.passages.append(Passage(call_id, squeeze(text), "page"))

    def _note_lines(self, call: Call, result: Result) -> None:
        asked = call.parsed.get("file_path") if isinstance(call.parsed, dict) else None
        if not isinstance(asked, str):
            return
        part = read_view(result.content)
        known = self.shown_lines.setdefault(normal_path(asked), ShownLines())
        known.lines.update(range(part.first, part.last + 1))
        if not part.more:
            known.end = part.last

    def observed(self, url: str) -> bool:
        """Whether the address stood in a search result, a page's head or text, or the direction."""
        address = canonical(url)
        return address in self.listed or address in self.linked


def host_of(url: str) -> str:
    """The host of an address without `www.`; empty where it has none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def line_key(sentence: str) -> str:
    """A sentence as repetitions are counted."""
    return " ".join(fold(sentence).split())


def call_key(call: Call) -> str:
    """What makes two calls the same call; empty for calls that are judged by their effect."""
    given = call.parsed if isinstance(call.parsed, dict) else {}
    if call.name == "WebSearch":
        query = given.get("query")
        return f"WebSearch {' '.join(fold(str(query)).split())}" if query else ""
    if call.name == "Scraper":
        return f"Scraper {canonical(str(given.get('url', '')))}"
    if call.name in ("Glob", "Grep"):
        parts = [f"{key}={given[key]}" for key in sorted(given)]
        return f"{call.name} {' '.join(parts)}"
    return ""
