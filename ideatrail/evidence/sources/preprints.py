"""Catalogues' records of papers at arXiv, shown as they stood there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.sources.standing import Standing
from ideatrail.evidence.urls import locate

HEAD: Final = "https://arxiv.org/abs/"
"""What canonical addresses of arXiv's papers begin with."""

_ID: Final = re.compile(r"\d{4}\.\d{4,5}|[a-z][a-z-]*/\d{7}")


def identifier_of(address: str) -> str | None:
    """The id, without version, of the paper at an address; None where that is not arXiv's."""
    url = locate(address).url
    name = url.removeprefix(HEAD)
    return name if name != url and _ID.fullmatch(name) else None


def arxiv_id(paper: Paper) -> str | None:
    """The id of a record at arXiv; None where it names none."""
    return next((i for i in map(identifier_of, paper.aliases) if i is not None), None)


async def as_they_stood(
    papers: Sequence[Paper], arxiv: Standing | None, cutoff: Cutoff
) -> tuple[list[Paper], bool]:
    """What of a catalogue's records may be seen, in their order, and whether some are missing.

    Which version of a preprint a catalogue's text is from, nobody says, so that the one that stood
    is asked for at arXiv. Where that is not possible, a record is left out unless its own dates
    bound it. Raises EvidenceError where nothing is left because arXiv could not be asked.
    """
    ids = [arxiv_id(paper) for paper in papers]
    stood: dict[str, Paper] = {}
    partial, failure = False, None
    wanted = [i for i in ids if i is not None]
    if arxiv is not None and wanted:
        try:
            answer = await arxiv.standing(wanted, cutoff)
            stood, partial = answer.papers, answer.partial
        except EvidenceError as error:
            partial, failure = True, error
    found: list[Paper] = []
    for paper, identifier in zip(papers, ids, strict=True):
        if identifier is not None and identifier in stood:
            found.append(joined(stood[identifier], paper))
        elif cutoff.admits(paper.shown):
            found.append(paper)
    if failure is not None and not found:
        raise failure
    return found, partial


def joined(stood: Paper, record: Paper) -> Paper:
    """The version that stood, under the addresses of the record too."""
    return replace(stood, aliases=tuple(dict.fromkeys([*stood.aliases, *record.aliases])))
