"""Which version of a paper at arXiv stood on the cutoff, and what it said.

The API gives the newest version. Where that is later than the cutoff, all earlier ones of all such
papers are asked for by number in one request (a request takes three seconds, by arXiv's rules), and
each comes with its own date. Where one does not come, the dates are taken from OAI-PMH and the
version that stood is asked for by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import arxiv
from lxml import etree

from ideatrail.evidence.dates import Cutoff, parse_date
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.sources.arxiv_feed import Feeds
from ideatrail.evidence.sources.arxiv_record import (
    announced,
    is_withdrawn,
    record_of,
    version_of,
    written,
)
from ideatrail.evidence.sources.standing import Stood
from ideatrail.evidence.urls import doi_url
from ideatrail.evidence.web.client import Client
from ideatrail.evidence.web.response import Caps, Response

_CAPS: Final = Caps(max_bytes=4 * 2**20, max_seconds=60.0)
_ASKED: Final = 100
"""Versions asked for in one request."""
_DATED: Final = 4
"""Papers of one question whose dates are asked for one by one."""
_MANY: Final = 50
"""Versions of a paper; of one that has more, the dates are asked for."""
_NEWEST: Final = 1_000_000
"""Stands for the number of a newest version that came without one."""
_KEPT: Final = 2_000
"""Papers whose versions are remembered."""
_RAW: Final = "{http://arxiv.org/OAI/arXivRaw/}"
_OAI: Final = "{http://www.openarchives.org/OAI/2.0/}"


@dataclass(slots=True)
class _Known:
    """What is known of one paper."""

    newest: arxiv.Result
    count: int | None
    """Number of the newest version, where the API tells it."""
    earlier: dict[int, arxiv.Result] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether no version is lacking."""
        return self.count is not None and len(self.earlier) >= self.count - 1

    def is_later(self, cutoff: Cutoff, most: int | None) -> bool:
        """Whether the newest version is not the one to show, and an earlier one may be."""
        if not cutoff.admits(parse_date(self.newest.published.isoformat())):
            return False
        beyond = most is not None and (self.count or 0) > most
        return beyond or not cutoff.admits(written(self.newest))

    def stood(self, cutoff: Cutoff, most: int | None) -> Paper | None:
        """The newest known version, up to the number `most`, that stood on the cutoff; None where
        there is none, or where it is a notice of withdrawal."""
        held = {**self.earlier, self.count or _NEWEST: self.newest}
        standing = [
            number
            for number in sorted(held)
            if cutoff.admits(written(held[number])) and (most is None or number <= most)
        ]
        if not standing:
            return None
        shown = held[standing[-1]]
        if is_withdrawn(shown, None if shown is self.newest else self.newest):
            return None
        stamps = {1: shown.published, **{n: held[n].updated for n in standing}}
        paper = record_of(
            shown,
            [
                ("newest" if n == _NEWEST else f"v{n}", stamps[n].isoformat())
                for n in sorted(stamps)
            ],
            [doi_url(self.newest.doi)] if self.newest.doi else [],
        )
        return paper if paper is not None and cutoff.admits(paper.shown) else None


class Versions:
    """Finds versions, and remembers them: a version never changes."""

    def __init__(self, client: Client, feeds: Feeds, oai: str) -> None:
        """`oai` is the base URL of the OAI-PMH service."""
        self._client = client
        self._feeds = feeds
        self._oai = oai
        self._known: dict[str, _Known] = {}

    def learn(self, newest: Iterable[arxiv.Result]) -> list[str]:
        """Take in newest versions as the API gave them. Returns their ids, in order."""
        found: list[str] = []
        for result in newest:
            named = version_of(result)
            if named is None:
                continue
            known = self._known.pop(named[0], None)
            if known is None or (known.count, known.newest.updated) != (named[1], result.updated):
                known = _Known(result, named[1], known.earlier if known else {})
            self._known[named[0]] = known  # last in order: the longest unused go first
            found.append(named[0])
        while len(self._known) > max(_KEPT, len(found)):
            del self._known[next(iter(self._known))]
        return list(dict.fromkeys(found))

    async def of(
        self, identifiers: Iterable[str], cutoff: Cutoff, most: int | None = None
    ) -> Stood:
        """The papers of these ids as they stood.

        Args:
            most: the number of the version asked for; a later one is not looked at.

        Raises:
            EvidenceError: arXiv could be asked about none.
        """
        wanted = [i for i in dict.fromkeys(identifiers) if announced(i, cutoff)]
        failure, partial = await self._meet([i for i in wanted if i not in self._known])
        held = {i: self._known[i] for i in wanted if i in self._known}
        later = {i: known for i, known in held.items() if known.is_later(cutoff, most)}
        try:
            partial |= await self._fill(later)
        except EvidenceError as error:
            failure = failure or error
        papers: dict[str, Paper] = {}
        dated = 0
        for identifier, known in held.items():
            lacking = identifier in later and not known.is_whole
            if lacking and dated < _DATED and (failure is None or failure.ending == "partial"):
                dated += 1
                try:
                    paper = await self._by_dates(identifier, known, cutoff, most)
                except EvidenceError as error:
                    failure, paper = error, known.stood(cutoff, most)
            else:
                partial |= lacking
                paper = known.stood(cutoff, most)
            if paper is not None:
                papers[identifier] = paper
        if failure is not None and not papers:
            raise failure
        return Stood(papers, partial or failure is not None)

    async def _meet(self, identifiers: Sequence[str]) -> tuple[EvidenceError | None, bool]:
        """Learn the newest versions of papers. Returns what failed, and whether the API stopped
        short."""
        partial = False
        for start in range(0, len(identifiers), _ASKED):
            part = list(identifiers[start : start + _ASKED])
            try:
                results, stopped = await self._feeds.results(
                    arxiv.Search(id_list=part, max_results=len(part))
                )
            except EvidenceError as error:
                return error, True
            partial |= stopped
            self.learn(results)
        return None, partial

    async def all_of(self, identifier: str) -> tuple[Paper, ...]:
        """Every version, newest first, whatever its date. Raises EvidenceError."""
        known = self._known.get(identifier)
        if known is None:
            results, _ = await self._feeds.results(arxiv.Search(id_list=[identifier]))
            if identifier not in self.learn(results):
                return ()
            known = self._known[identifier]
        await self._fill({identifier: known})
        found = [known.newest, *(known.earlier[n] for n in sorted(known.earlier, reverse=True))]
        return tuple(paper for paper in map(record_of, found) if paper is not None)

    async def _fill(self, papers: Mapping[str, _Known]) -> bool:
        """Ask for the earlier versions that are not known. Returns whether the API stopped short.
        Raises EvidenceError."""
        lacking = [
            f"{identifier}v{number}"
            for identifier, known in papers.items()
            for number in range(1, known.count or 1)
            if (known.count or 1) <= _MANY and number not in known.earlier
        ]
        partial = False
        for start in range(0, len(lacking), _ASKED):
            part = lacking[start : start + _ASKED]
            asked = arxiv.Search(id_list=part, max_results=len(part))
            results, stopped = await self._feeds.results(asked)
            partial |= stopped
            for result in results:
                identifier, number = version_of(result) or ("", None)
                # The newest text in place of what was asked for by number is not taken.
                if number is not None and f"{identifier}v{number}" in part:
                    papers[identifier].earlier[number] = result
        return partial

    async def _by_dates(
        self, identifier: str, known: _Known, cutoff: Cutoff, most: int | None
    ) -> Paper | None:
        """The version that stood, by the dates that OAI-PMH gives. Raises EvidenceError, `partial`
        where the service does not know the paper or the version does not come."""
        dates = await self._dates(identifier)
        standing = [
            number
            for number, stamp in dates
            if cutoff.admits(parse_date(stamp)) and (most is None or number <= most)
        ]
        if standing and standing[-1] not in known.earlier:
            asked = arxiv.Search(id_list=[f"{identifier}v{standing[-1]}"], max_results=1)
            results, _ = await self._feeds.results(asked)
            for result in results:
                if version_of(result) == (identifier, standing[-1]):
                    known.earlier[standing[-1]] = result
        if not dates or (standing and standing[-1] not in known.earlier):
            raise EvidenceError("partial", detail=f"arXiv lacks versions of {identifier}")
        return known.stood(cutoff, most)

    async def _dates(self, identifier: str) -> list[tuple[int, str]]:
        """(number, timestamp) of each version, oldest first. Raises EvidenceError."""
        url = (
            f"{self._oai}?verb=GetRecord&identifier=oai:arXiv.org:{identifier}"
            "&metadataPrefix=arXivRaw"
        )
        response = await self._client.get(url, caps=_CAPS, sound=_is_oai)
        if response.status != 200:
            return []
        found: list[tuple[int, str]] = []
        for version in etree.fromstring(response.body, _parser()).iter(f"{_RAW}version"):
            label = str(version.get("version") or "")
            if re.fullmatch(r"v\d{1,3}", label):
                stamp = version.findtext(f"{_RAW}date") or ""
                found.append((int(label[1:]), stamp.strip()))
        return sorted(found)


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)


def _is_oai(response: Response) -> bool:
    """Whether an answer is a whole one of OAI-PMH."""
    if response.status != 200:
        return True
    try:
        root = etree.fromstring(response.body, _parser())
    except etree.XMLSyntaxError:
        return False
    return bool(root.tag == f"{_OAI}OAI-PMH")
