"""Key phrases of running text, and the lens through which the direction looks at what is read."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ideatrail.trail.text import STOPWORDS, sentences, stem, words

_TOKEN: Final = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*", re.UNICODE)
_BREAK: Final = re.compile(r"[.,;:!?()\[\]{}\"“”—–…|]|\s-\s")

BRIEF: Final = frozenset(
    """
    question questions research researcher interested interest look looking find finding study
    studying explore exploring understand understanding investigate investigating want know
    knowing help please paper papers work works working idea ideas topic direction problem
    problems literature recent whether could would like begin start survey existing propose
    proposed aim goal think thinking figure possible concrete new project proposal currently
    today field area make making get getting try trying come comes give gives given tell tells
    say says mean means need needs see seen way ways thing things someone anything something
    first second good better best one kind kinds sort real take takes taken keep keeps let go
    goes going case cases often much many part parts matter matters happen happens seem seems
    actually simply mostly usually current common widely prior previous reliably read reading
    review promising developed develop answer-worthy next clear clearly
    """.split()
)
"""Words of a brief that say nothing of its topic."""

GENERIC: Final = frozenset(
    """
    paper papers work works approach approaches method methods result results show shows shown
    showing propose proposes proposed present presents presented introduce introduces introduced
    novel new existing recent recently previous prior various different several important
    significant significantly experiment experiments experimental demonstrate demonstrates
    demonstrated find finds found finding findings achieve achieves achieved improve improves
    improved improving improvement improvements performance state-of-the-art state art
    outperform outperforms outperformed study studies based provide provides provided address
    addresses addressed explore explores explored investigate investigates investigated analysis
    analyses analyze use used uses using effective effectiveness efficient good better best high
    higher large larger low lower well known first second two three one many number set sets way
    ways case cases order able allow allows require requires required requiring need needs
    needed develop develops developed framework frameworks system systems problem problems task
    tasks available code data dataset datasets github https com www publicly release released
    make makes including include includes included compared comparison suggest suggests
    particular particularly specifically general generally potential further future aim aims
    focus focuses focused consider considers considered given e.g i.e etc et al common
    additional respectively lead leads leading led open simple strong rich key main major real
    extensive comprehensive challenging challenge challenges crucial essential popular promising
    help helps helped obtain obtains obtained yield yields create created creates creating apply
    applied applies report reports reported reveal reveals evaluate evaluates evaluated overall
    remain remains remaining called namely wide widely range variety becomes become despite due
    perform performs performed performing offer offers enable enables enabled enabling against
    tackle tackles solve solves solving describe describes described discuss discusses hope
    believe setting settings scenario scenarios aspect aspects perspective insight insights
    total across abstract summary authors author nothing appears says whether left leave leaves
    """.split()
)
"""Words that any abstract may hold; a key phrase neither starts nor ends with one."""

_VERBS: Final = frozenset(
    """
    is are was were be been being has have had do does did can could may might must should will
    would shall contain contains rely relies consist consists learn learns take takes taken keep
    keeps get gets follow follows struggle struggles suffer suffers lack lacks fail fails become
    exhibit exhibits involve involves capture captures combine combines encourage encourages
    seem seems hinder hinders arise arises exist exists differ differs affect affects produce
    produces select selects predict predicts measure measures depend depends treat treats turn
    turns compare compares examine examines argue argues conduct conducts employ employs
    leverage leverages utilize utilizes adopt adopts design designs build builds identify
    identifies answer answers ask asks asked think tells tell give gives gave made guide guides
    drive drives collect collects trained train trains tested test-bed trick steer tends tend
    say says said
    """.split()
)


@dataclass(frozen=True)
class Phrase:
    """A key phrase as it stood in a text."""

    text: str
    stems: tuple[str, ...]


@lru_cache(maxsize=8192)
def key_phrases(text: str, longest: int = 4) -> tuple[Phrase, ...]:
    """Noun-like phrases of one to `longest` words in order of first appearance, duplicates out."""
    found: dict[tuple[str, ...], Phrase] = {}
    for piece in _BREAK.split(text):
        run: list[str] = []
        for token in [*_TOKEN.findall(piece), ""]:
            low = token.lower()
            if token and low not in STOPWORDS and low not in _VERBS and not _adverb(low):
                run.append(token)
                continue
            for phrase in _trim(run, longest):
                found.setdefault(phrase.stems, phrase)
            run = []
    return tuple(found.values())


def _adverb(low: str) -> bool:
    return low.endswith("ly") and len(low) > 4 and low not in ("family", "reply", "supply", "anomaly")


def _trim(run: list[str], longest: int) -> list[Phrase]:
    while run and (_weak(run[0]) or run[0].isdigit()):
        run = run[1:]
    while run and (_weak(run[-1]) or (run[-1].lower().endswith("ed") and len(run) > 1)):
        run = run[:-1]
    if not run:
        return []
    pieces = [run] if len(run) <= longest else [run[:longest], run[-longest:]]
    out = []
    for piece in pieces:
        single = piece[0]
        if len(piece) == 1 and not (
            "-" in single or (single.isupper() and len(single) > 2) or len(single) > 6
        ):
            continue
        stems_of = tuple(stem(w) for token in piece for w in words(token))
        if stems_of and sum(len(t) for t in piece) > 4:
            out.append(Phrase(" ".join(piece), stems_of))
    return out


def _weak(token: str) -> bool:
    return token.lower() in GENERIC or len(token) < 2


@lru_cache(maxsize=16384)
def topic_stems(text: str) -> frozenset[str]:
    """Content stems without the words that any abstract holds."""
    return frozenset(
        stem(w) for w in words(text) if w not in STOPWORDS and w not in GENERIC and len(w) > 2
    )


class Lens:
    """The direction as weights on stems and phrases, sharpened by what has been observed.

    A stem that stands in most of what was observed tells little; one that is rare there tells
    much. With nothing observed yet every stem of the direction weighs the same.
    """

    def __init__(self, direction: str, documents: Iterable[str]) -> None:
        self.direction = direction
        self.question = question_of(direction)
        kept = [
            w for w in words(direction) if w not in STOPWORDS and w not in BRIEF and len(w) > 2
        ]
        self.order = list(dict.fromkeys(stem(w) for w in kept))
        self.word_of = {stem(w): w for w in reversed(kept)}
        in_question = {stem(w) for w in words(self.question)}
        count: Counter[str] = Counter()
        total = 0
        for text in documents:
            total += 1
            count.update(topic_stems(text))
        self._count, self._total = count, total
        frequency = Counter(stem(w) for w in kept)
        self.weight: dict[str, float] = {}
        for one in self.order:
            base = 1.0 + 0.25 * min(frequency[one] - 1, 3) + (0.35 if one in in_question else 0.0)
            self.weight[one] = base * self.rarity(one)
        self._mass = sum(sorted(self.weight.values(), reverse=True)[:8]) or 1.0
        self.phrases = self._phrases(direction)
        self._pairs = {
            pair for p in self.phrases for pair in zip(p.stems, p.stems[1:], strict=False)
        }

    def rarity(self, one: str) -> float:
        """How telling a stem is, 0.35 to 1.6, by the documents observed so far."""
        if self._total < 8:
            return 1.0
        share = (self._count[one] + 1) / (self._total + 2)
        return min(1.6, max(0.35, 0.45 * -math.log(share)))

    def frequency(self, one: str) -> int:
        """In how many observed documents the stem stands."""
        return self._count[one]

    def fit(self, text: str) -> float:
        """How much of the direction `text` speaks of: 0 for nothing, around 1 for a close match."""
        there = topic_stems(text)
        score = sum(self.weight[s] for s in there if s in self.weight)
        if self._pairs:
            run = [stem(w) for w in words(text)]
            adjacent = set(zip(run, run[1:], strict=False)) & self._pairs
            score += 0.8 * len(adjacent)
        return score / self._mass

    def shared(self, text: str, most: int = 4) -> list[str]:
        """Words of the direction that `text` shares, the most telling first."""
        there = topic_stems(text)
        both = [s for s in self.order if s in there]
        both.sort(key=lambda s: -self.weight[s])
        return [self.word_of[s] for s in both[:most]]

    def missing(self, text: str, most: int = 3) -> list[str]:
        """Telling words of the direction that `text` does not hold in any inflection."""
        there = {stem(w) for w in words(text)}
        absent = [s for s in self.order if s not in there and len(self.word_of[s]) > 3]
        absent.sort(key=lambda s: -self.weight[s])
        return [self.word_of[s] for s in absent[:most]]

    def _phrases(self, direction: str) -> list[Phrase]:
        scored: dict[tuple[str, ...], tuple[float, Phrase]] = {}
        for piece in sentences(direction):
            for phrase in key_phrases(piece):
                kept = [
                    t for t in phrase.text.split() if t.lower() not in BRIEF or "-" in t
                ]
                if not kept:
                    continue
                text = " ".join(kept)
                stems_of = tuple(stem(w) for w in words(text))
                if not stems_of or all(s not in self.weight for s in stems_of):
                    continue
                weight = sum(self.weight.get(s, 0.2) for s in stems_of)
                bonus = 1.0 if len(stems_of) > 1 else 0.5
                scored.setdefault(stems_of, (weight * bonus, Phrase(text, stems_of)))
        ranked = sorted(scored.values(), key=lambda pair: -pair[0])
        out: list[Phrase] = []
        for _, phrase in ranked:
            if not any(set(phrase.stems) <= set(o.stems) for o in out):
                out.append(phrase)
        return out


def question_of(direction: str) -> str:
    """The sentence of the direction that asks; else the one that states what is wanted."""
    pieces = sentences(direction)
    asked = [s for s in pieces if s.rstrip("”\"')*").endswith("?")]
    if asked:
        return max(asked, key=len)
    cue = re.compile(r"\b(whether|how|what|why|which|can|could)\b", re.IGNORECASE)
    cued = [s for s in pieces if cue.search(s)]
    return (cued or pieces or [""])[0]
