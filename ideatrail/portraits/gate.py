"""What no public word of a portrait may tell: who, where, which paper, which name.

The direction's gate is asked after the rules here; each statement passes both or is dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final

from ideatrail.evidence.paper import Paper
from ideatrail.evidence.withheld import NOTHING_WITHHELD, Withheld
from ideatrail.portraits.names import plain
from ideatrail.portraits.shelf import text_of
from ideatrail.trail.text import STOPWORDS, words

GRAM: Final = 4
"""Words in a row that give a title away."""
RECITED: Final = 8
"""Words in a row that give an abstract away."""
_TOPIC: Final = 3
"""Papers of others that hold a short title's words, from which on they are a topic."""
_KNOWN: Final = 5
"""Papers of others that hold a name, from which on it is everybody's."""

Faults = Callable[[str], list[str]]
"""What keeps a text from the Generator; empty where nothing does."""

_NAME: Final = re.compile(
    r"(?<![\w-])(?:[A-Za-z]+\d[\w-]*|\d+[A-Za-z][\w-]*|[A-Z]{2,}[\w-]*|[A-Z]?[a-z]+[A-Z][\w-]*)"
)
"""The shape of a name: a digit beside letters, capitals inside, an acronym."""
_INSIDE: Final = re.compile(r"(?<=[a-z,;:(] )[A-Z][a-z]+(?:[ -][A-Z][a-z]+)*")
"""Capitals inside a sentence."""
_PLACE: Final = re.compile(
    r"\b(?:universit\w+|universidad|université|college|institut(?:e|es|ion|ions)|laborator\w+|"
    r"\w+ lab|school of|department of|faculty of|academy of|academia sinica|ltd|gmbh|"
    r"google|deepmind|microsoft|facebook|meta ai|openai|anthropic|amazon|alexa|apple|nvidia|ibm|"
    r"baidu|tencent|alibaba|huawei|bytedance|salesforce|samsung|naver|yandex|xerox|adobe|allenai|"
    r"allen institute|hugging ?face|stanford|harvard|princeton|cornell|berkeley|caltech|"
    r"carnegie mellon|oxford|cambridge|edinburgh|tsinghua|peking|max planck|fraunhofer|inria|"
    r"cnrs|darmstadt|saarland|johns hopkins|ntt|riken|mila)\b",
    re.IGNORECASE,
)
_PLACE_ACRONYM: Final = re.compile(
    r"\b(?:MIT|CMU|UW|UCLA|USC|NYU|ETH|EPFL|KAIST|LMU|DFKI|FAIR|AI2|JHU)\b"
)
_VENUE: Final = re.compile(
    r"\b(?:N?AACL|EACL|AACL|ACL|EMNLP|COLING|TACL|CoNLL|CONLL|SemEval|IWSLT|WMT|LREC|INLG|SIGDIAL|"
    r"SIGIR|NeurIPS|NIPS|ICML|ICLR|AAAI|IJCAI|KDD|CVPR|INTERSPEECH|Interspeech|ICASSP|ARR|arXiv)\b"
    r"|\b(?:proceedings|anthology|workshop on|transactions of)\b"
)
_ADDRESS: Final = re.compile(
    r"https?:|www\.|\b10\.\d{4,}/|\S+@\S+\.\w|\b\d{4}\.\d{4,5}\b|\.(?:com|org)\b"
)
_YEAR: Final = re.compile(r"(?<![\w.,])(?:19|20)\d\d(?![\w%])")


class Gate:
    """Judges public text about the author of some papers."""

    def __init__(
        self,
        papers: Sequence[Paper],
        *,
        others: Sequence[Paper] = (),
        people: Iterable[str] = (),
        withheld: Withheld = NOTHING_WITHHELD,
        direction: Faults = lambda text: [],
    ) -> None:
        """
        Args:
            papers: those by anybody of the author's name.
            others: admitted papers, by which it is known what is everybody's word.
            people: more people who may not be named: the target's authors.
            withheld: the target.
            direction: the direction's gate.
        """
        own = {p.id for p in papers}
        self._papers = papers
        self._others = [p for p in others if p.id not in own]
        self._people = [*people, *withheld.authors]
        self._withheld = withheld
        self._direction = direction

    def faults(self, text: str) -> list[str]:
        """Why `text` may not be shown, each fault once; empty where it may."""
        return list(dict.fromkeys([*self._own_faults(text), *self._direction(text)]))

    def _own_faults(self, text: str) -> Iterable[str]:
        said = words(text)
        folded = f" {_folded(text)} "
        for person in self._full_names:
            if f" {person} " in folded:
                yield f"a person: {person}"
        for surname in self._surnames:
            if f" {surname} " in folded and (
                surname not in self._ordinary or _as_name(surname, text)
            ):
                yield f"a person: {surname}"
        for at in range(len(said) - GRAM + 1):
            if tuple(said[at : at + GRAM]) in self._title_grams:
                yield f"words of a title: {' '.join(said[at : at + GRAM])}"
        joined = f" {' '.join(said)} "
        for title in self._short_titles:
            if f" {title} " in joined:
                yield f"a title: {title}"
        for told in self._told:
            if f" {told} " in joined:
                yield f"the target: {told}"
        for at in range(len(said) - RECITED + 1):
            if " ".join(said[at : at + RECITED]) in self._body_text:
                yield f"recited from a paper: {' '.join(said[at : at + RECITED])}"
        for kind, pattern in (
            ("an institution", _PLACE),
            ("an institution", _PLACE_ACRONYM),
            ("a venue", _VENUE),
            ("an address", _ADDRESS),
            ("a year", _YEAR),
        ):
            yield from (f"{kind}: {m[0]}" for m in pattern.finditer(text))
        yield from self._names_in(text)

    def _names_in(self, text: str) -> Iterable[str]:
        for match in (*_NAME.finditer(text), *_INSIDE.finditer(text)):
            name = match[0]
            own = any(name.casefold() == c for c in self._coined)
            if own or self._spread[name.casefold()] < _KNOWN:
                yield f"a name: {name}"
        for name in self._coined:
            if name not in self._ordinary and re.search(
                rf"(?<!\w){re.escape(name)}(?!\w)", text.casefold()
            ):
                yield f"a name: {name}"

    @cached_property
    def _full_names(self) -> tuple[str, ...]:
        printed = [*self._people, *(a for p in self._papers for a in p.authors)]
        names = {_folded(n) for n in printed}
        turned = {" ".join(reversed(n.split())) for n in names}
        return tuple(sorted(n for n in names | turned if " " in n))

    @cached_property
    def _surnames(self) -> tuple[str, ...]:
        printed = [*self._people, *(a for p in self._papers for a in p.authors)]
        found = {w for n in printed for w in _folded(n).split()}
        return tuple(sorted(w for w in found if len(w) > 2))

    @cached_property
    def _ordinary(self) -> frozenset[str]:
        """Words that papers write small: `field` and `graham` may both be names."""
        counted: Counter[str] = Counter()
        for paper in (*self._others, *self._papers):
            for paragraph in paper.body:
                counted.update(set(re.findall(r"(?<![\w-])[a-z]{3,}(?![\w-])", paragraph)))
        few = 1 if len(self._others) < 1_000 else 2
        return frozenset(w for w, n in counted.items() if n > few) | STOPWORDS

    @cached_property
    def _titles(self) -> tuple[str, ...]:
        return (*(p.title for p in self._papers), *self._withheld.titles)

    @cached_property
    def _title_grams(self) -> frozenset[tuple[str, ...]]:
        said = [words(t) for t in self._titles]
        return frozenset(
            tuple(run[i : i + GRAM]) for run in said for i in range(len(run) - GRAM + 1)
        )

    @cached_property
    def _short_titles(self) -> tuple[str, ...]:
        """Whole titles of two or three words, where they are no topic."""
        short = {" ".join(w) for t in self._titles if 1 < len(w := words(t)) < GRAM}
        known = (
            Counter(t for p in self._others for t in short if t in " ".join(words(text_of(p))))
            if short
            else Counter()
        )
        return tuple(sorted(t for t in short if known[t] < _TOPIC))

    @cached_property
    def _told(self) -> tuple[str, ...]:
        """Whatever tells of the target, folded."""
        withheld = self._withheld
        told = (*withheld.told_titles, *withheld.told_names, *withheld.coined)
        return tuple(sorted({t for n in told if (t := " ".join(words(n)))}))

    @cached_property
    def _body_text(self) -> str:
        return "\n".join(" ".join(words(part)) for p in self._papers for part in p.body)

    @cached_property
    def _coined(self) -> frozenset[str]:
        """Names that titles put before a colon, and what the papers call by a name of that shape
        and hardly anybody else does; folded."""
        heads = {
            h for t in self._titles for h in [t.partition(":")[0]] if ":" in t and " " not in h
        }
        shaped = {m[0] for p in self._papers for m in _NAME.finditer(text_of(p))}
        rare = {n for n in shaped if self._spread[n.casefold()] < _KNOWN}
        return frozenset(n.casefold() for n in heads | rare if len(n) > 2)

    @cached_property
    def _spread(self) -> Counter[str]:
        """Papers of others by the names that stand in them, folded."""
        counted: Counter[str] = Counter()
        for paper in self._others:
            text = text_of(paper)
            found = {m[0].casefold() for m in _NAME.finditer(text)}
            found |= {m[0].casefold() for m in _INSIDE.finditer(text)}
            counted.update(found)
        return counted


def _folded(name: str) -> str:
    """The words of a name or text without accents."""
    return " ".join(re.findall(r"[^\W_]+", plain(name)))


def _as_name(surname: str, text: str) -> bool:
    """Whether an ordinary word is written as a name: with a capital inside a sentence."""
    return any(
        plain(m[0]) == surname
        for m in re.finditer(r"(?<=[\w,;:(] )[^\W\d_]+", text)
        if m[0][0].isupper()
    )
