"""Opens the evidence of one run: its sources, what they tell of the target, and where all that they
answer is kept."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import orjson

from ideatrail.evidence.observations import Observations
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.source import EvidenceError, Source
from ideatrail.evidence.sources.registry import INDEX, make_sources
from ideatrail.evidence.stored import RecordingWorld
from ideatrail.evidence.web.exchanges import Exchanges
from ideatrail.evidence.withheld import Withheld
from ideatrail.evidence.world import World
from ideatrail.run.folder import RunFolder, dump, write_atomic
from ideatrail.run.inputs import Inputs
from ideatrail.run.shared import Shared

_MOST_NAMES: Final = 12
"""Names of the target under which each source is asked for its records."""


@dataclass(frozen=True)
class Evidence:
    """The evidence world, once for each side of the wall. Both see the same; what the Advisor asks
    tells of the target, and is kept on the Advisor's side."""

    withheld: Withheld
    generator: RecordingWorld
    advisor: World


class TargetLookupError(OSError):
    """A source could not be asked under which ids the target goes there: the run cannot be sure to
    withhold it. One clear line."""


async def open_evidence(inputs: Inputs, folder: RunFolder, shared: Shared) -> Evidence:
    """Open it, and learn the target's names before anything is searched.

    Raises:
        TargetLookupError: a source cannot be asked.
        OSError: the folder cannot be written.
    """
    settings = inputs.settings
    indexed = INDEX in settings.sources
    public = _sources(inputs, shared, Exchanges(folder.exchanges, "record", behind=_cache(inputs)))
    private = _sources(
        inputs, shared, Exchanges(folder.advisor / "web", "record", behind=_cache(inputs))
    )
    withheld = inputs.withheld
    if private and (withheld.addresses or withheld.titles):
        withheld = await _resolved(withheld, private, folder)
    elif withheld.addresses or withheld.titles:
        _keep(withheld, folder)
    world = World(inputs.corpus, inputs.cutoff, withheld, public, indexed)
    return Evidence(
        withheld=withheld,
        generator=RecordingWorld(world, Observations(folder.evidence)),
        advisor=World(inputs.corpus, inputs.cutoff, withheld, private, indexed),
    )


def _cache(inputs: Inputs) -> Exchanges | None:
    folder = inputs.settings.web_cache
    return None if folder is None else Exchanges(folder, "cache")


def _sources(inputs: Inputs, shared: Shared, exchanges: Exchanges) -> tuple[Source, ...]:
    settings = inputs.settings
    if set(settings.sources) <= {INDEX}:
        return ()
    client = shared.client(settings).keeping(exchanges)
    return make_sources(settings.sources, client, settings.source_urls)


async def _resolved(withheld: Withheld, sources: tuple[Source, ...], folder: RunFolder) -> Withheld:
    """What is withheld, with the ids under which the target goes at each source. It is asked for
    once: a run that goes on must withhold what it withheld before."""
    path = folder.advisor / "withheld.json"
    if path.exists():
        held = orjson.loads(path.read_bytes())
        return Withheld(frozenset(held["addresses"]), tuple(held["titles"]), tuple(held["authors"]))
    known = [*withheld.titles, *sorted(a for a in withheld.addresses if "://" in a)]
    names = known[:_MOST_NAMES]
    answers = await asyncio.gather(
        *(source.records(name) for source in sources for name in names), return_exceptions=True
    )
    records: list[Paper] = []
    for answer in answers:
        if isinstance(answer, EvidenceError):
            if answer.ending == "nothing_found":
                continue
            raise TargetLookupError(
                f"cannot learn under which ids the target goes elsewhere ({answer.ending}: "
                f"{answer.detail or answer.message}): run again later, or leave out that source"
            ) from answer
        if isinstance(answer, BaseException):
            raise answer
        records += answer
    found = withheld.spread(records)
    _keep(found, folder)
    return found


def _keep(withheld: Withheld, folder: RunFolder) -> None:
    """What verification of the finished trail needs to know of the target."""
    values = {
        "addresses": sorted(withheld.addresses),
        "titles": withheld.titles,
        "authors": withheld.authors,
    }
    write_atomic(folder.advisor / "withheld.json", dump(values))
