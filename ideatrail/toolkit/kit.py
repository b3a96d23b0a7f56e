"""The toolkit: one batch of calls in, one outcome a call out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from ideatrail.evidence.source import EvidenceError
from ideatrail.toolkit import edit, find, scrape, search, view
from ideatrail.toolkit.definitions import check_arguments
from ideatrail.toolkit.known import Known
from ideatrail.toolkit.outcome import Outcome, RefusedError, refused
from ideatrail.toolkit.paths import hidden, normal
from ideatrail.toolkit.sources import Source, Sources
from ideatrail.toolkit.workspace import Workspace
from ideatrail.trail.turn import AUTHORING, RETRIEVAL, ArtifactChange, Call, Trail, Turn

TOPICS: Final = "research_topics"
"""The folder that topics' folders stand in."""


class EvidenceWorld(search.SearchWorld, scrape.ScrapeWorld, Protocol):
    """What the toolkit asks of the evidence world."""


class RestoreError(Exception):
    """A recorded trail does not run again as it ran: the record and the tools disagree."""


Arguments = dict[str, Any]


class Toolkit:
    """The seven tools of one trail. `slug` names its folder under `research_topics/`.

    Raises ValueError for a slug that is no plain folder name, OSError where the workspace cannot
    be made.
    """

    def __init__(self, world: EvidenceWorld, workspace: Workspace, slug: str) -> None:
        home = f"{TOPICS}/{slug}"
        try:
            plain = normal(home) == home and home.count("/") == 1 and not hidden(slug)
        except RefusedError:
            plain = False
        if not plain:
            raise ValueError(f"{slug!r} is no name for a topic's folder")
        self.world = world
        self.workspace = workspace
        self.home = home
        """The topic's folder, where alone files may be written."""
        self._begin()

    def _begin(self) -> None:
        self.known = Known()
        self.sources = Sources()
        self.workspace.make_folder(self.home)

    async def run(self, calls: Sequence[Call]) -> list[Outcome]:
        """Runs one message's calls; outcomes in the order of `calls`, whatever took how long.

        Searches and fetches wait side by side; then files are read as they stood when the message
        was sent; then fetched pages are saved and writes done, one by one in call order. What a
        tool or the evidence world will not do is an outcome. OSError is raised: a workspace that
        cannot be written is the run's affair, and `restore` makes it whole again.
        """
        arguments = [_checked(call) for call in calls]
        # Exceptions are kept in their places, so that none leaves the others running.
        fetched = await asyncio.gather(
            *(self._ask(c, a) for c, a in zip(calls, arguments, strict=True)),
            return_exceptions=True,
        )
        outcomes: dict[int, Outcome] = {}
        for step in (self._read, self._save, self._author):
            for number, call in enumerate(calls):
                checked, answer = arguments[number], fetched[number]
                if number in outcomes:
                    continue
                if isinstance(checked, RefusedError):
                    outcomes[number] = refused(call.id, call.name, checked)
                elif isinstance(answer, BaseException):
                    outcomes[number] = refused(call.id, call.name, _refusal(answer))
                elif isinstance(answer, Outcome):
                    outcomes[number] = answer
                else:
                    done = _settled(call, step, checked, answer)
                    if done is not None:
                        outcomes[number] = done
        self.known.end_message()
        return [outcomes[number] for number in range(len(calls))]

    async def _ask(
        self, call: Call, arguments: Arguments | RefusedError
    ) -> Outcome | scrape.ScrapedPage | None:
        """What the evidence world has to say to a call; None where it is not asked."""
        if isinstance(arguments, RefusedError) or call.name not in RETRIEVAL:
            return None
        if call.name == "WebSearch":
            return await search.search(self.world, call.id, arguments)
        url = scrape.check_address(arguments)
        return None if self.sources.of(url) else await self.world.scrape(url)

    def _read(self, call: Call, arguments: Arguments, _: object) -> Outcome | None:
        if call.name == "View":
            return view.view(self.workspace, self.sources, self.known, call.id, arguments)
        if call.name == "Glob":
            return find.glob(self.workspace, call.id, arguments)
        if call.name == "Grep":
            return find.grep(self.workspace, self.sources, call.id, arguments)
        return None

    def _save(
        self, call: Call, arguments: Arguments, page: scrape.ScrapedPage | None
    ) -> Outcome | None:
        if call.name != "Scraper":
            return None
        url = scrape.check_address(arguments)
        source = self.sources.of(url)
        if source is not None:
            return scrape.again(self.workspace, call.id, source)
        if page is None:
            raise AssertionError("a page that is not saved was not fetched")
        return scrape.save(self.workspace, self.sources, self.home, call.id, url, page)

    def _author(self, call: Call, arguments: Arguments, _: object) -> Outcome | None:
        tool = edit.write if call.name == "Write" else edit.edit
        return tool(self.workspace, self.known, self.home, call.id, arguments)

    def restore(
        self, trail: Trail, saved: Mapping[str, tuple[str, str]]
    ) -> tuple[ArtifactChange, ...]:
        """Makes the topic's folder, and what is known, what they were after `trail`.

        Whatever stands in the folder is removed first: the record is the truth, and a run that was
        killed, or a trail that was rewound, may have left more. `saved` holds the `Outcome.saved`
        of Scraper calls by call id (those of calls no longer in `trail` are passed over). Returns
        the changes of all writes, in order. Raises RestoreError where the record does not run
        again, OSError where the workspace cannot be written.
        """
        self.workspace.clear(self.home)
        self._begin()
        changes: list[ArtifactChange] = []
        for turn in trail.turns:
            self._restore_reads(turn, saved)
            for call, result in turn.pairs:
                if call.name in AUTHORING and result.status == "ok":
                    changes.append(self._again(call, turn))
            self.known.end_message()
        return tuple(changes)

    def _restore_reads(self, turn: Turn, saved: Mapping[str, tuple[str, str]]) -> None:
        """Files shown, then pages saved, in the order in which `run` does them."""
        for call, result in turn.pairs:
            if call.name == "View" and result.status == "ok":
                path = normal(str(call.parsed["file_path"]))
                if self.workspace.kind(path) == "file":
                    self.known.shown(path, self.workspace.read(path))
        for call, result in turn.pairs:
            if call.name != "Scraper" or result.source_file is None:
                continue
            source = self.sources.at(result.source_file)
            url = scrape.check_address(call.parsed)
            if source is not None:
                self.sources.add(source, url)
                continue
            path, text = saved.get(call.id, ("", ""))
            if path != result.source_file:
                raise RestoreError(f"{call.id}: the page it saved is not on record")
            source = Source(path, result.date_latest)
            scrape.restore(self.workspace, self.sources, source, url, text)

    def _again(self, call: Call, turn: Turn) -> ArtifactChange:
        """Does a recorded Write or Edit once more; its result must be the recorded one."""
        try:
            change = self._author(call, check_arguments(call.name, call.parsed), None)
        except RefusedError as error:
            raise RestoreError(f"{call.id}: {error}") from error
        if change is None or change.change is None:
            raise RestoreError(f"{call.id} changed nothing")
        recorded = next((c for c in turn.changes if c.call_id == call.id), change.change)
        if recorded != change.change:
            raise RestoreError(f"{call.id} left another text than the record says")
        return change.change


def _checked(call: Call) -> Arguments | RefusedError:
    try:
        return check_arguments(call.name, call.parsed)
    except RefusedError as error:
        return error


Step = Callable[[Call, Arguments, Any], Outcome | None]


def _settled(call: Call, step: Step, arguments: Arguments, answer: object) -> Outcome | None:
    """What `step` makes of the call, refusals included; None where another step is for it."""
    try:
        return step(call, arguments, answer)
    except RefusedError as error:
        return refused(call.id, call.name, error)


def _refusal(error: BaseException) -> RefusedError:
    """The refusal that a failed question to the evidence world comes to; raises all else."""
    if isinstance(error, RefusedError):
        return error
    if isinstance(error, EvidenceError):
        # "There is none" is an answer; everything else means that nobody could look.
        return RefusedError(
            str(error), status="refused" if error.ending == "nothing_found" else "error"
        )
    raise error
