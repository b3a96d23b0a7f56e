"""Same-name authors told apart: who of the papers' bearers of a name are one person.

Papers are tied by co-authors, a rare one telling more than a common one; the groups that this gives
are joined where topic, venues and years speak for it and the printed names do not speak against
it. The corpus prints no affiliation and no ORCID, so neither is weighed. What stays unsure is said.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from itertools import combinations, pairwise
from typing import Final

from ideatrail.evidence.paper import Paper
from ideatrail.portraits.names import Name, likeness, parse, plain
from ideatrail.portraits.shelf import Shelf, age, text_of
from ideatrail.trail.text import content_stems, stem, words

_TIED: Final = 0.6
"""Weight of shared co-authors from which on two papers are one person's: a rare one is enough, of
those with a hundred papers it takes two."""
_RARE: Final = 20
"""Papers up to which a co-author counts in full."""
_ALIKE: Final = 0.16
"""Likeness of topic, venue and years from which on groups of an ordinary name are joined."""
_ALIKE_RARE: Final = 0.05
"""The same for a rare name: two people of it would be a strange chance."""
_ALIKE_COMMON: Final = 0.45
"""The same for a common one."""
_RARE_NAME: Final = 0.05
"""People of a name that are to be expected where given names and surnames meet by chance, up to
which the name is rare."""
_COMMON_NAME: Final = 0.5
"""The same, from which on it is common."""
_PAUSE: Final = 8
"""Years without a paper that make it doubtful that it is one person."""
_INITIALS: Final = 0.5
"""What an initial, where the other paper has the whole name, takes off the likeness."""
_TERMS: Final = 6
_COAUTHORS: Final = 5


@dataclass(frozen=True)
class Cluster:
    """Papers taken for one person's, oldest first."""

    papers: tuple[Paper, ...]
    names: tuple[str, ...]
    """As the papers print it, the most frequent first."""
    coauthors: tuple[str, ...]
    """The most frequent ones."""
    terms: tuple[str, ...]
    """Words that tell its topic."""
    by_topic: int = 0
    """Papers that no shared co-author ties to the rest."""

    @property
    def years(self) -> tuple[int, int]:
        """The first and the last paper's."""
        return _year(self.papers[0]), _year(self.papers[-1])


@dataclass(frozen=True)
class Choice:
    """The cluster that a portrait rests on."""

    cluster: Cluster
    others: tuple[Cluster, ...]
    by: str
    """What decided: `only one`, `paper`, `topic`, `co-authors and topic` or `most papers`."""
    doubts: tuple[str, ...]
    """What stays unsure, a sentence each."""


@dataclass(frozen=True)
class Hint:
    """What is known of the person that is meant. Advisor side."""

    paper: str | None = None
    """Id or address of a paper that is surely theirs."""
    topic: str = ""
    coauthors: tuple[str, ...] = ()


NO_HINT: Final = Hint()


def tell_apart(shelf: Shelf) -> tuple[Cluster, ...]:
    """The people behind a name, the one with most papers first."""
    return _Sorter(shelf).clusters()


def choose(shelf: Shelf, clusters: Sequence[Cluster], hint: Hint) -> Choice:
    """The cluster that is meant: by a paper of theirs, by co-authors and topic, else the largest.

    Raises:
        LookupError: `hint.paper` is none of the clusters'.
    """
    doubts = list(_doubts(clusters))
    if hint.paper is not None:
        for cluster in clusters:
            if any(hint.paper in (p.id, p.url, *p.aliases) for p in cluster.papers):
                return _choice(cluster, clusters, "paper", doubts)
        raise LookupError(hint.paper)
    if len(clusters) == 1:
        return _choice(clusters[0], clusters, "only one", doubts)
    if hint.topic.strip() or hint.coauthors:
        space = _Space.of(shelf)
        scores = [_nearness(space, c, hint) for c in clusters]
        best = max(range(len(clusters)), key=lambda n: (scores[n], -n))
        if scores[best] > 0:
            second = max((s for n, s in enumerate(scores) if n != best), default=0.0)
            if second > 0.7 * scores[best]:
                doubts.append("Two people of this name are about equally near to what was given.")
            by = "co-authors and topic" if hint.coauthors else "topic"
            return _choice(clusters[best], clusters, by, doubts)
        doubts.append("Nothing that was given tells which of the people of this name is meant.")
    biggest = clusters[0]
    if len(clusters) > 1 and 2 * len(clusters[1].papers) > len(biggest.papers):
        doubts.append("The people of this name with most papers have about equally many.")
    return _choice(biggest, clusters, "most papers", doubts)


def _choice(
    cluster: Cluster, clusters: Sequence[Cluster], by: str, doubts: Iterable[str]
) -> Choice:
    said = list(doubts)
    if cluster.by_topic:
        said.append(
            f"{cluster.by_topic} of {len(cluster.papers)} papers are tied to the others by topic, "
            "venue and years alone."
        )
    first = min((parse(n).given[:1] for n in cluster.names), key=lambda g: len("".join(g)))
    if first and len(first[0]) == 1:
        said.append("Some papers print an initial only, which others may share.")
    gaps = [b - a for a, b in _steps(cluster.papers) if b - a >= _PAUSE]
    if gaps:
        said.append(f"No paper for {max(gaps)} years: before and after may be two people.")
    others = tuple(c for c in clusters if c is not cluster)
    return Choice(cluster, others, by, tuple(dict.fromkeys(said)))


def _doubts(clusters: Sequence[Cluster]) -> Iterable[str]:
    if len(clusters) > 1:
        sizes = ", ".join(str(len(c.papers)) for c in clusters[:6])
        more = f" and {len(clusters) - 6} smaller ones" if len(clusters) > 6 else ""
        yield (
            f"The name may be that of {len(clusters)} people, with {sizes} papers{more}; papers of "
            "one person that share no co-author and no topic count as two people's."
        )


def _steps(papers: Sequence[Paper]) -> Iterable[tuple[int, int]]:
    return pairwise(sorted(_year(p) for p in papers))


def _year(paper: Paper) -> int:
    when = paper.published or paper.shown
    # In the widest reading a year begins on the last of December, at UTC+14.
    return (when.earliest + timedelta(days=1)).year if when else 0


def _nearness(space: _Space, cluster: Cluster, hint: Hint) -> float:
    near = space.cosine(space.mean(cluster.papers), space.vector(hint.topic)) if hint.topic else 0.0
    wanted = [parse(name) for name in hint.coauthors]
    shared = sum(
        any(likeness(w, parse(a)) != "none" for p in cluster.papers for a in p.authors)
        for w in wanted
    )
    return near + shared


class _Space:
    """Topics as weighted stems; weights come from the sample of admitted papers."""

    def __init__(self, counts: Mapping[str, int], size: int) -> None:
        self._counts = counts
        self._size = size

    @classmethod
    def of(cls, shelf: Shelf) -> _Space:
        own = {s for p in shelf.papers for s in content_stems(text_of(p))}
        counts = shelf.frequencies((s,) for s in own)
        return cls({s[0]: n for s, n in counts.items()}, shelf.sample_size)

    def vector(self, text: str) -> dict[str, float]:
        counted = Counter(content_stems(text))
        return {
            s: (1 + math.log(n)) * math.log((self._size + 1) / (self._counts.get(s, 0) + 1))
            for s, n in sorted(counted.items())
            if s in self._counts
        }

    def mean(self, papers: Iterable[Paper]) -> dict[str, float]:
        total: dict[str, float] = defaultdict(float)
        for paper in papers:
            one = self.vector(text_of(paper))
            length = math.sqrt(sum(v * v for v in one.values())) or 1.0
            for s, v in one.items():
                total[s] += v / length
        return dict(total)

    def cosine(self, one: Mapping[str, float], other: Mapping[str, float]) -> float:
        if len(other) < len(one):
            one, other = other, one
        dot = sum(v * other.get(s, 0.0) for s, v in one.items())
        lengths = math.sqrt(sum(v * v for v in one.values())) * math.sqrt(
            sum(v * v for v in other.values())
        )
        return dot / lengths if lengths else 0.0


class _Sorter:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._papers = shelf.papers
        self._printed = [_printed(shelf.name, p) for p in self._papers]
        self._parsed = [parse(name) for name in self._printed]
        self._space = _Space.of(shelf)

    @cached_property
    def _bar(self) -> float:
        """Likeness from which on two groups are joined, by how common the name is."""
        wanted = self._shelf.name
        known = {parse(b) for b in self._shelf.bearers}
        surname = sum(n.surname == wanted.surname for n in known)
        first = wanted.given[0] if wanted.given else ""
        given = sum(n.given[:1] == (first,) for n in known) if len(first) > 1 else len(known)
        expected = surname * given / max(len(known), 1)
        if expected <= _RARE_NAME:
            return _ALIKE_RARE
        return _ALIKE_COMMON if expected >= _COMMON_NAME else _ALIKE

    def clusters(self) -> tuple[Cluster, ...]:
        groups = self._tied()
        tied = {at: len(g) for g in groups for at in g}
        groups = self._joined(groups)
        made = [self._cluster(g, tied) for g in groups]
        return tuple(sorted(made, key=lambda c: (-len(c.papers), age(c.papers[0]))))

    def _tied(self) -> list[list[int]]:
        """Groups by co-authors."""
        coauthors = [
            {plain(a) for a in p.authors if a != self._printed[at]}
            for at, p in enumerate(self._papers)
        ]
        known: Counter[str] = Counter()
        for bearer, count in self._shelf.bearers.items():
            known[plain(bearer)] += count
        weight = {c: _weight(known[c]) for one in coauthors for c in one}
        pairs = []
        for a, b in combinations(range(len(self._papers)), 2):
            shared = sum(weight[c] for c in sorted(coauthors[a] & coauthors[b]))
            if shared >= _TIED:
                pairs.append((-shared, a, b))
        groups = {at: [at] for at in range(len(self._papers))}
        for _, a, b in sorted(pairs):
            if groups[a] is not groups[b] and self._may_be_one(groups[a], groups[b]):
                both = groups[a] + groups[b]
                groups.update(dict.fromkeys(both, both))
        return [g for at, g in groups.items() if min(g) == at]

    def _joined(self, groups: list[list[int]]) -> list[list[int]]:
        """Groups joined while two of them are alike."""
        groups = sorted((sorted(g) for g in groups), key=lambda g: (-len(g), g))
        means = [self._mean(g) for g in groups]
        while True:
            best, pair = self._bar, None
            for a, b in combinations(range(len(groups)), 2):
                if not self._may_be_one(groups[a], groups[b]):
                    continue
                near = self._alike(groups[a], groups[b], means[a], means[b])
                if near > best:
                    best, pair = near, (a, b)
            if pair is None:
                return groups
            a, b = pair
            groups[a] = sorted(groups[a] + groups.pop(b))
            means.pop(b)
            means[a] = self._mean(groups[a])

    def _mean(self, group: list[int]) -> dict[str, float]:
        return self._space.mean(self._papers[at] for at in group)

    def _alike(
        self,
        one: list[int],
        other: list[int],
        first: Mapping[str, float],
        second: Mapping[str, float],
    ) -> float:
        near = self._space.cosine(first, second)
        venues = [{w for at in g for w in _venue(self._papers[at])} for g in (one, other)]
        if venues[0] & venues[1]:
            near += 0.02
        years = [sorted(_year(self._papers[at]) for at in g) for g in (one, other)]
        pause = max(years[0][0] - years[1][-1], years[1][0] - years[0][-1], 0)
        near -= 0.02 * pause if pause < _PAUSE else 0.3
        full = [
            any(len(w) > 1 for at in g for w in self._parsed[at].given[:1]) for g in (one, other)
        ]
        if full[0] != full[1]:
            near *= _INITIALS
        return near

    def _may_be_one(self, one: list[int], other: list[int]) -> bool:
        """Whether no printed name of the one contradicts one of the other."""
        return all(
            likeness(a, b) != "none"
            for a in {self._parsed[at] for at in one}
            for b in {self._parsed[at] for at in other}
        )

    def _cluster(self, group: list[int], tied: Mapping[int, int]) -> Cluster:
        papers = tuple(self._papers[at] for at in sorted(group))
        names = Counter(self._printed[at] for at in group)
        own = set(names)
        also = Counter(a for p in papers for a in p.authors if a not in own)
        mean = self._mean(group)
        terms = sorted(mean, key=lambda s: (-mean[s], s))[:_TERMS]
        largest = max(tied[at] for at in group)
        loose = sum(tied[at] < largest for at in group) if largest < len(group) else 0
        return Cluster(
            papers=papers,
            names=tuple(sorted(names, key=lambda n: (-names[n], n))),
            coauthors=tuple(sorted(also, key=lambda n: (-also[n], n))[:_COAUTHORS]),
            terms=tuple(_words(terms, papers)),
            by_topic=loose,
        )


def _printed(wanted: Name, paper: Paper) -> str:
    """The name on the paper that is most like the wanted one."""
    order = ("same", "initials", "order", "none")
    return min(paper.authors, key=lambda a: order.index(likeness(wanted, parse(a))))


def _words(terms: Sequence[str], papers: Sequence[Paper]) -> Iterable[str]:
    """The words that most often stand behind these stems."""
    said = Counter(w for p in papers for w in words(text_of(p)))
    for term in terms:
        forms = [w for w in said if stem(w) == term]
        yield max(sorted(forms), key=lambda w: said[w], default=term)


def _weight(papers: int) -> float:
    """What a shared co-author tells: less where many papers bear the name."""
    return 1.0 if papers <= _RARE else 1 / (1 + math.log(papers / _RARE))


_VENUE: Final = re.compile(r"[A-Za-z]{4,}")


def _venue(paper: Paper) -> list[str]:
    dull = ("proceedings", "annual", "meeting", "conference", "association", "volume", "papers")
    found = [w.casefold() for w in _VENUE.findall(paper.venue)]
    return [w for w in found if w not in dull]
