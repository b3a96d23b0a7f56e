"""How late the text of a catalogue's record can be.

Catalogues (Semantic Scholar, OpenAlex, Crossref) keep one record a work: the newest title and
abstract they have, under the oldest date. Recorded answers show what that does. A chemistry paper
stands under its preprint's day of April 2023 with the title and the DOI of the journal, May 2024;
a paper of June 23 stands under June 1, one of March 2025 under April 2024 and `bioRxiv`. So:

- A day that is the first of a month is the month, 1 January the year: days not known are filled up.
- A later year anywhere in the record (its own, one in the DOI, one in an ACL id) counts, whole.
- What is or was a preprint has had versions, and nobody says which one the text is from: it is not
  dated by a catalogue. For arXiv's, the version that stood is asked for there; see `preprints`.
- A banner ("RETRACTED: …") was put on later, nobody says when.

Where a catalogue says when it last touched a record, the text is no later than that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ideatrail.evidence.dates import FIRST_YEAR, LAST_YEAR

_FIRST: Final = re.compile(r"(\d{4})-(\d{2})-01")
_DOI_YEAR: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)|^s\d{5}-0(\d\d)-\d")
"""A year in a DOI's suffix, as in `j.xgen.2025.100814`, or Springer Nature's, as in
`s42256-024-00832-8`. Other numbers look like years, too; a year too many only widens."""
_ACL_YEAR: Final = re.compile(r"(?:[A-Za-z](\d\d)-\d{4,5}|(\d{4})\.[a-z0-9_]+-[a-z0-9_]+\.\d+)")
_ACL_DOI: Final = re.compile(r"10\.(?:18653|3115)/v1/([a-z]\d{2}-\d{4}|\d{4}\.[a-z0-9_.-]+\.\d+)")
_SERVERS: Final = re.compile(
    r"rxiv|\bcorr\b|research square|\bssrn\b|preprint|authorea|\bosf\b|\brepec\b|working papers?\b",
    re.IGNORECASE,
)
_PREFIXES: Final = frozenset(
    (
        "10.1101",  # bioRxiv, medRxiv
        "10.64898",  # the same, since 2025
        "10.48550",  # arXiv
        "10.2139",  # SSRN
        "10.21203",  # Research Square
        "10.20944",  # Preprints.org
        "10.22541",  # Authorea
        "10.26434",  # ChemRxiv
        "10.31219",  # OSF
        "10.31234",  # PsyArXiv
        "10.31235",  # SocArXiv
        "10.36227",  # TechRxiv
    )
)
"""Under these a DOI stands for all versions of a preprint."""
_BANNER: Final = re.compile(
    r"\W*(?:retracted|withdrawn|removed|retraction|withdrawal|expression of concern)\b"
    r"(?:\s+(?:article|paper|chapter|notice|note))?\s*[:\]\-–—]",
    re.IGNORECASE,
)
_NOTICE: Final = re.compile(
    r"\W*(?:this|the) (?:article|paper|manuscript|work|preprint|chapter)s? "
    r"(?:has been|was|is|have been) (?:\w+ly )?(?:retracted|withdrawn|removed)\b",
    re.IGNORECASE,
)


def unpadded(date: str) -> str:
    """A day that may have been filled up, as the month or year that was known."""
    match = _FIRST.fullmatch(date)
    if match is None:
        return date
    return match[1] if match[2] == "01" else f"{match[1]}-{match[2]}"


def moments(
    stated: str, years: Iterable[int | None], *, open_ended: bool, touched: str = ""
) -> list[tuple[str, str]]:
    """What a record's text can date from, as versions of a `Paper`.

    Args:
        stated: the date of publication, as given.
        years: further years that the record names.
        open_ended: whether the text can be later than all of them.
        touched: when the record was last changed; empty where nobody says.
    """
    known = [y for y in years if y is not None and FIRST_YEAR <= y <= LAST_YEAR]
    found = [("stated", unpadded(stated))] if stated else []
    latest = max(known, default=None)
    if latest is not None and (not stated or str(latest) > stated[:4]):
        found.append(("year", str(latest)))
    if open_ended and found:
        found.append(("record", touched))
    return found


def whole_year(value: object) -> int | None:
    """A year as JSON has it."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def doi_year(doi: str) -> int | None:
    """The latest year that a DOI's suffix names."""
    if acl := acl_of(doi):
        return acl_year(acl)
    years = [int(m[1] or f"20{m[2]}") for m in _DOI_YEAR.finditer(doi.partition("/")[2])]
    return max(years, default=None)


def acl_year(identifier: str) -> int | None:
    """The year that an ACL Anthology id names."""
    match = _ACL_YEAR.fullmatch(identifier)
    if match is None:
        return None
    short = match[1]
    return int(match[2]) if short is None else int(short) + (1900 if short >= "60" else 2000)


def acl_of(doi: str) -> str:
    """The ACL Anthology id in a DOI of its own; empty for others."""
    match = _ACL_DOI.fullmatch(doi.casefold().removeprefix("https://doi.org/"))
    if match is None:
        return ""
    return match[1] if "." in match[1] else match[1].upper()


def is_preprint(doi: str, venues: Iterable[str]) -> bool:
    """Whether a DOI or a venue is that of a preprint server."""
    bare = doi.casefold().removeprefix("https://doi.org/")
    return bare.partition("/")[0] in _PREFIXES or any(map(_SERVERS.search, venues))


def has_banner(title: str, abstract: str) -> bool:
    """Whether a record tells that the paper was retracted or withdrawn."""
    return bool(_BANNER.match(title) or _NOTICE.match(abstract))
