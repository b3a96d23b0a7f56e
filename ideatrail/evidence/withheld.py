"""What is withheld whatever its date: the target, under all its names and addresses."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.urls import arxiv_url, canonical, doi_url
from ideatrail.evidence.works import SHORT_TITLE
from ideatrail.trail.text import content_stems, fold, words

SHORT_NAME: Final = 4
"""A coined name of fewer letters (`APE`) is as often somebody else's."""
SHORT_ID: Final = 8
"""An id or address of fewer characters may be a number in a text."""
NEAR: Final = 0.9
"""Share of stems, or of letters, that two titles have in common where they are taken as one."""


@dataclass(frozen=True)
class Target:
    """The work behind a proposal, as far as it is known. Advisor side only."""

    titles: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    """Ids as sources give them: `2101.00001`, `P17-2008`."""
    urls: tuple[str, ...] = ()
    """Its pages, its repository: what lies below them is withheld, too."""
    dois: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()

    @classmethod
    def of(cls, paper: Paper, *titles: str) -> Target:
        """The target that a paper of the corpus is; `titles` are more names of it."""
        return cls(
            titles=(paper.title, *titles),
            ids=(paper.id,),
            urls=(paper.url, *paper.aliases),
            dois=(paper.doi,) if paper.doi else (),
            authors=paper.authors,
        )


@dataclass(frozen=True)
class Withheld:
    """Decides what of the target a paper or an address is. The empty one hides nothing."""

    addresses: frozenset[str] = frozenset()
    """Canonical addresses, DOIs and plain ids."""
    titles: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()

    @classmethod
    def of(cls, target: Target) -> Withheld:
        """Everything that follows from the target itself; see `spread` for what the corpus adds."""
        ids = [i.strip() for i in target.ids if i.strip()]
        arxiv = [arxiv_url(i) for i in ids]
        acl = [canonical(f"https://aclanthology.org/{i}") for i in ids]
        addresses = [*map(canonical, target.urls), *map(doi_url, target.dois), *ids, *arxiv, *acl]
        return cls(
            frozenset(a for a in addresses if a),
            tuple(sorted({t.strip() for t in target.titles if t.strip()})),
            tuple(sorted(set(target.authors))),
        )

    @cached_property
    def key(self) -> str:
        """A hash of all that is withheld: equal keys hide the same."""
        parts = [*sorted(self.addresses), "", *self.titles, "", *self.authors]
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def _names(self) -> tuple[_Name, ...]:
        return tuple(_Name(t, self.authors) for t in self.titles)

    @cached_property
    def told_titles(self) -> tuple[str, ...]:
        """Titles, with and without subtitle, that tell of the target in another paper's text."""
        parts = [p for t in self.titles for p in (t, main_title(t), t[len(main_title(t)) :])]
        return tuple(sorted({p.strip(" :-–—?!") for p in parts if len(words(p)) >= SHORT_TITLE}))

    @cached_property
    def told_names(self) -> tuple[str, ...]:
        """Names that it coins, ids and addresses that tell of it there, as they are written."""
        names = {c for t in self.titles if len(c := _coined_as_written(t)) >= SHORT_NAME}
        names |= {a.split("://", 1)[-1].rstrip("/") for a in self.addresses if len(a) >= SHORT_ID}
        return tuple(sorted(names))

    @property
    def coined(self) -> tuple[str, ...]:
        """Names before the colon of a title that were made up."""
        return tuple(c for t in self.titles if (c := _coined_as_written(t)))

    @cached_property
    def _told(self) -> re.Pattern[str] | None:
        told = [f"(?i:{_spaced(t)})" for t in self.told_titles]
        told += [_spaced(name) for name in self.told_names]
        return re.compile(rf"(?<!\w)(?:{'|'.join(told)})(?!\w)") if told else None

    def hides(self, paper: Paper) -> bool:
        """Whether `paper` is the target, or its title or text tells of it: the same id, address or
        DOI, nearly the same title, or one of these, or the target's coined name, in the text."""
        return self.is_target(paper) or self._tells(paper)

    def is_target(self, paper: Paper) -> bool:
        """Same id, address or DOI, or the same title, nearly the same among it."""
        if not self.addresses and not self.titles:
            return False
        if paper.id in self.addresses or not self.addresses.isdisjoint(paper.aliases):
            return True
        return any(name.meets(paper) for name in self._names)

    def _tells(self, paper: Paper) -> bool:
        told = self._told
        return told is not None and any(map(told.search, (paper.title, *paper.body)))

    def hides_url(self, url: str) -> bool:
        """Whether `url` is an address of the target, or lies below one."""
        address = canonical(url)
        return address in self.addresses or any(
            address.startswith((f"{a}/", f"{a}?")) for a in self.addresses if a.startswith("http")
        )

    def spread(self, papers: Sequence[Paper]) -> Withheld:
        """With the addresses and titles of every paper that is hidden, until none is added.

        A preprint that shares the target's title gives away its DOI, and by it the proceedings
        paper under another title.
        """
        found, hidden = self, -1
        while True:
            mine = [p for p in papers if found.is_target(p)]
            if len(mine) == hidden or not mine:
                return found
            hidden = len(mine)
            found = Withheld(
                found.addresses.union(*(p.aliases for p in mine), (p.id for p in mine)),
                tuple(sorted({*found.titles, *(p.title for p in mine)})),
                found.authors,
            )


NOTHING_WITHHELD: Final = Withheld()


def same_title(one: str, other: str) -> bool:
    """Whether two titles are of one work: equal once folded, equal without a subtitle, or with
    nearly all stems or letters in common. Titles of fewer than 4 words have to be equal."""
    return _Name(one, ()).is_title(other)


class _Name:
    """A title of the target, taken apart once."""

    def __init__(self, title: str, authors: Iterable[str]) -> None:
        self.words = words(title)
        self.main = words(main_title(title))
        self.coined = _coined(title)
        self.stems = frozenset(content_stems(title))
        self.surnames = frozenset(s for a in authors for s in words(a)[-1:])
        probed = self.main if len(self.main) >= SHORT_TITLE else self.words
        self.probes = frozenset(part for w in probed if len(w) > 3 for part in (w[:4], w[-4:]))

    def meets(self, paper: Paper) -> bool:
        """Whether `paper` has this title, or shares its coined name and an author."""
        if self._far(paper.title):
            return False
        if self.is_title(paper.title):
            return True
        if self.coined and _coined(paper.title) == self.coined:
            return not self.surnames.isdisjoint(s for a in paper.authors for s in words(a)[-1:])
        return False

    def _far(self, title: str) -> bool:
        """A cheap no for most papers: hardly a beginning or an end of its words stands there. (One
        slip of the pen spoils one end of a word, not both.)"""
        folded = fold(title)
        if self.coined and folded.startswith(self.coined):
            return False
        return sum(probe in folded for probe in self.probes) * 3 < len(self.probes)

    def is_title(self, title: str) -> bool:
        theirs = words(title)
        if not theirs or not self.words:
            return False
        if theirs == self.words:
            return True
        main = words(main_title(title))
        for whole, short in ((self.words, main), (theirs, self.main), (self.main, main)):
            if whole == short and len(short) >= SHORT_TITLE:
                return True
        if min(len(theirs), len(self.words)) < SHORT_TITLE:
            return False
        stems = frozenset(content_stems(title))
        if 2 * len(self.stems & stems) >= NEAR * (len(self.stems) + len(stems)) > 0:
            return True
        return _alike(" ".join(self.words), " ".join(theirs))


def main_title(title: str) -> str:
    """The title before its subtitle; the whole of it where it has none."""
    for mark in (": ", " - ", " – ", " — ", "? ", "! "):
        head, found, _ = title.partition(mark)
        if found:
            return head
    return title


def _spaced(text: str) -> str:
    """A pattern for `text` with any white space between its words."""
    return r"\s+".join(map(re.escape, text.split()))


def _coined_as_written(title: str) -> str:
    """The name before a colon, where it is one word that was made up: a capital or digit after its
    first letter (`SciWalker: …`). Empty otherwise."""
    head, mark, _ = title.partition(":")
    head = head.strip()
    one = bool(mark) and " " not in head and any(c.isupper() or c.isdigit() for c in head[1:])
    return head if one else ""


def _coined(title: str) -> str:
    """The coined name, folded."""
    return fold(_coined_as_written(title))


def _alike(one: str, other: str) -> bool:
    """Whether the edit distance is at most a tenth of the longer text."""
    if one > other:
        one, other = other, one
    most = int(max(len(one), len(other)) * (1 - NEAR) + 1e-9)
    if abs(len(one) - len(other)) > most:
        return False
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        before, row = row, [i]
        for j, b in enumerate(other, start=1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
        if min(row) > most:
            return False
    return row[-1] <= most
