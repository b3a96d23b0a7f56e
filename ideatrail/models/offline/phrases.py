"""Key phrases of running text, and the lens through which the direction looks at what is read."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from ideatrail.models.offline.field import field_terms
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
    review promising developed develop next clear clearly made extra outside own same amount spend
    spent hard easy hurting signal looks all alike stated each wants use usable call called while
    others whole per among hardly based sometimes never
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
    drive drives collect collects trained train trains tested steer tends tend say says said
    grade cause causes spend spends solve solves reproduce reproduces handle handles adapt adapts
    share shares sometimes never reach reaches help change changes hurt hurts exploit exploited
    spreading spread attend attends allow cover covers support supports occur occurs assign assigns
    map maps infer infers detect detects receive receives connect connects raise raises shed sheds
    propagate propagates facilitate am concentrate generate generates reduce reduces reduced
    explain explains recognise recognize relate relates relating improve improves enhance enhances
    presuppose presupposes lend lends belong belongs mix mixes lose loses win wins reveal reveals
    incorporate incorporates investigate investigating ensure ensuring understand mitigate mitigates
    bring brings come comes fall falls cost costs stay stays leave leaves hold holds appear appears
    serve serves become gain gains carry carries join joins mean means turn test tests cut cuts
    """.split()
)


FIELD: Final = frozenset(
    """model models language languages neural large pre-trained pretrained training train data learning
    learn natural processing nlp deep machine text texts network networks llm llms fine-tuning word
    words sentence sentences human humans quality generation generative experiments trained transformer
    transformers representation representations input inputs output outputs parameters information
    application applications algorithm process domain domains knowledge research step steps example
    examples type types level levels feature features user users time content size sizes dominant
    zero shot few unsupervised supervised prompting prompts form forms source sources corpus corpora benchmark benchmarks evaluation""".split()
)
"""Words that say which field one is in, but not what one asks of it."""

_FIELD_STEMS: Final = frozenset(stem(w) for token in (FIELD | GENERIC) for w in words(token))


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
    while run and (
        _weak(run[-1]) or run[-1].isdigit() or (_loose_end(run[-1]) and len(run) > 1)
    ):
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
        if len(piece) == 1 and "-" not in single and not single.isupper() and not _noun(single):
            continue
        stems_of = tuple(stem(w) for token in piece for w in words(token))
        if stems_of and sum(len(t) for t in piece) > 4:
            out.append(Phrase(" ".join(piece), stems_of))
    return out


_NOUN_END: Final = re.compile(
    r"(?:tion|sion|ment|ness|ity|ance|ence|ism|ship|ure|cy|sis|logy|back|match|ary|ator|ifier|[^su]s)s?$"
)


def _noun(token: str) -> bool:
    """Whether a single word looks like a noun; without a tagger only its ending can tell."""
    low = token.lower()
    return bool(_NOUN_END.search(low)) and low not in ("sometimes", "always", "perhaps", "besides")


def _loose_end(token: str) -> bool:
    """An adjective or participle, with which no noun phrase ends."""
    low = token.lower()
    return low.endswith(("ed", "able", "ible", "ful", "ous", "less", "ically")) and len(low) > 4


def _weak(token: str) -> bool:
    return token.lower() in GENERIC or len(token) < 2


@lru_cache(maxsize=4096)
def all_stems(lines: tuple[str, ...]) -> frozenset[str]:
    """Stems of all words of these lines."""
    return frozenset(stem(w) for line in lines for w in words(line))


@lru_cache(maxsize=16384)
def topic_stems(text: str) -> frozenset[str]:
    """Content stems without the words that any abstract holds."""
    return frozenset(
        stem(w) for w in words(text) if w not in STOPWORDS and w not in GENERIC and len(w) > 2
    )


class Lens:
    """The direction as weights on stems and phrases, sharpened by what has been observed.

    A stem that stands in many results of queries which did not ask for it tells little; one that is
    rare there tells much. With nothing observed yet every stem of the direction weighs the same.
    """

    def __init__(self, direction: str, documents: Iterable[tuple[str, frozenset[str]]]) -> None:
        """`documents` are observed texts, each with the stems that its query asked for."""
        self.direction = direction
        self.question = question_of(direction)
        count: Counter[str] = Counter()
        asked_for: Counter[str] = Counter()
        total = 0
        self._documents: list[frozenset[str]] = []
        texts = [direction.lower()]
        for text, asked in documents:
            total += 1
            texts.append(text.lower())
            self._documents.append(topic_stems(text))
            asked_for.update(asked)
            count.update(topic_stems(text) - asked)
        self._count, self._asked, self._total = count, asked_for, total
        excluded = _excluded(direction)
        kept = [w for w in words(direction) if _topical(w)]
        self.order = list(dict.fromkeys(stem(w) for w in kept))
        self.word_of = {stem(w): w for w in reversed(kept)}
        in_question = {stem(w) for w in words(self.question)}
        frequency = Counter(stem(w) for w in kept)
        self.weight: dict[str, float] = {}
        for one in self.order:
            base = 1.0 + 0.25 * min(frequency[one] - 1, 3) + (0.3 if one in in_question else 0.0)
            base *= 0.35 if self.word_of[one] in FIELD else 1.0
            base *= 0.4 if one in excluded else 1.0
            self.weight[one] = base * self.rarity(one)
        seen = "\n".join(texts)
        # A spelling with hyphens is used once it was met; before that the plain words are.
        self.terms = tuple(t if t in seen else t.replace("-", " ") for t in field_terms(direction))
        foreign = sum(w in STOPWORDS for w in words(direction)) < 0.18 * len(words(direction))
        for at, term in enumerate(self.terms[:16]):
            for w in words(term):
                if _topical(w) and w not in FIELD and w not in GENERIC:
                    one = stem(w)
                    self.weight.setdefault(one, max(0.25, 0.7 - 0.04 * at) * self.rarity(one))
        self._mass = sum(sorted(self.weight.values(), reverse=True)[:8]) or 1.0
        self.phrases = self._phrases(direction, excluded)
        if foreign and self.terms:
            # A brief in another language: the field's words stand in for its own.
            self.phrases = [Phrase(t, tuple(stem(w) for w in words(t))) for t in self.terms]
        texts = [*(p.text for p in self.phrases), *self.terms]
        self._pairs = {
            pair
            for text in texts
            for run in [[stem(w) for w in words(text)]]
            for pair in zip(run, run[1:], strict=False)
            if not all(is_field(s) for s in pair)
        }

    def rarity(self, one: str) -> float:
        """How telling a stem is, 0.35 to 1.6, by the documents observed so far."""
        seen = self._total - self._asked[one]
        if seen < 12:
            return 1.0
        share = (self._count[one] + 0.5) / (seen + 1)
        return min(1.6, max(0.35, 0.4 * -math.log(share)))

    def fit(self, text: str) -> float:
        """How much of the direction `text` speaks of: 0 for nothing, around 1 for a close match."""
        there = topic_stems(text)
        score = sum(self.weight[s] for s in there if s in self.weight)
        if self._pairs:
            score += 0.8 * len(adjacent_stems(text) & self._pairs)
        return score / self._mass

    def shared(self, text: str, most: int = 3) -> list[str]:
        """Noun phrases of `text` that touch the direction, the closest first."""
        scored: list[tuple[float, int, Phrase]] = []
        for at, phrase in enumerate(key_phrases(text, 3)):
            if len(phrase.text) > 42 or any(c.isdigit() for c in phrase.text):
                continue
            worth = sum(self.weight.get(s, 0.0) for s in set(phrase.stems))
            if worth > 0.3 and not all(is_field(s) for s in phrase.stems):
                scored.append((worth / len(phrase.stems) ** 0.5, -at, phrase))
        scored.sort(key=lambda item: (-item[0], -item[1]))
        out: list[Phrase] = []
        for _, _, phrase in scored:
            if not any(set(phrase.stems) & set(o.stems) for o in out):
                out.append(phrase)
            if len(out) == most:
                break
        return [lowered(p.text) for p in out]

    def telling_words(self, text: str, most: int = 4) -> list[str]:
        """Words of the direction that `text` shares, the most telling first."""
        there = topic_stems(text)
        both = [s for s in self.order if s in there]
        both.sort(key=lambda s: -self.weight[s])
        return [self.word_of[s] for s in both[:most]]

    def missing(self, text: str, most: int = 3) -> list[str]:
        """Phrases of the direction of which `text` holds no telling word in any inflection."""
        there = {stem(w) for w in words(text)}
        out = []
        for phrase in self.phrases[:6]:
            telling = [s for s in phrase.stems if not is_field(s)] or list(phrase.stems)
            if not set(telling) & there:
                out.append(phrase.text)
        return out[:most]

    @cached_property
    def aims(self) -> list[str]:
        """Phrases that name the matter, those first which what was observed uses too."""
        names = [p.text for p in self.phrases if not all(is_field(s) for s in p.stems)]
        names += [t for t in self.terms[:6] if t not in names]
        used, unused = [], []
        for name in names[:12]:
            wanted = topic_stems(name)
            count = sum(wanted <= there for there in self._documents) if wanted else 0
            (used if count >= 3 else unused).append(name)
        used.sort(key=lambda n: len(n.split()) == 1 and "-" not in n)
        return [*used, *unused] or [p.text for p in self.phrases] or ["the question"]

    @property
    def goal(self) -> str:
        """The phrase that stands for the whole direction."""
        return self.aims[0]

    def _phrases(self, direction: str, excluded: frozenset[str]) -> list[Phrase]:
        scored: dict[tuple[str, ...], tuple[float, Phrase]] = {}
        for piece in sentences(direction):
            for phrase in key_phrases(piece, 3):
                kept = [
                    t
                    for t in phrase.text.split()
                    if (t.lower() not in BRIEF and t.lower() not in _VERBS and len(t) > 2) or "-" in t
                ]
                while kept and _adjective(kept[-1]):
                    kept.pop()
                text = " ".join(kept)
                stems_of = tuple(stem(w) for w in words(text))
                if not stems_of or set(stems_of) & excluded:
                    continue
                if len(kept) == 1 and "-" not in text and not _noun(text):
                    continue
                weight = sum(self.weight.get(s, 0.2) for s in stems_of)
                if all(is_field(s) for s in stems_of):
                    weight *= 0.4
                bonus = 1.0 if len(stems_of) > 1 else 0.6
                scored.setdefault(stems_of, (weight * bonus, Phrase(lowered(text), stems_of)))
        ranked = sorted(scored.values(), key=lambda pair: -pair[0])
        out: list[Phrase] = []
        for _, phrase in ranked:
            if not any(set(phrase.stems) <= set(o.stems) for o in out):
                out.append(phrase)
        return out


@lru_cache(maxsize=16384)
def adjacent_stems(text: str) -> frozenset[tuple[str, str]]:
    """Pairs of stems that stand side by side."""
    run = [stem(w) for w in words(text)]
    return frozenset(zip(run, run[1:], strict=False))


def _topical(word: str) -> bool:
    return word not in STOPWORDS and word not in BRIEF and word not in _PREFIXES and len(word) > 2


@lru_cache(maxsize=4096)
def is_field(one: str) -> bool:
    return one in _FIELD_STEMS


def _adjective(token: str) -> bool:
    low = token.lower()
    return low.endswith(("able", "ible", "ful", "ous", "less", "ive")) or low.endswith("ly")


def lowered(text: str) -> str:
    """Words of a title in running text: capitals go where more than one word has them."""
    tokens = text.split(" ")
    titled = [bool(_TITLED.fullmatch(t)) for t in tokens]
    if sum(titled) > 1:
        return " ".join(t.lower() if c else t for t, c in zip(tokens, titled, strict=True))
    return " ".join([tokens[0].lower() if titled[0] else tokens[0], *tokens[1:]])


_TITLED: Final = re.compile(r"[A-Z][a-z]+(?:-[A-Z]?[a-z]+)*")


def _excluded(direction: str) -> frozenset[str]:
    """Stems of what the direction rules out: `without extra training or outside tools`."""
    out: set[str] = set()
    for match in _RULED_OUT.finditer(direction):
        out.update(stem(w) for w in words(match.group(1)) if _topical(w))
    return frozenset(out)


_RULED_OUT: Final = re.compile(
    r"\b(?:without|instead of|rather than|no longer|no need for)\s+((?:[\w-]+\s+){0,5}[\w-]+)", re.IGNORECASE
)
_PREFIXES: Final = frozenset("self non multi cross pre re co sub inter intra semi un anti".split())


def question_of(direction: str) -> str:
    """The sentence of the direction that asks; else the one that states what is wanted."""
    pieces = sentences(direction)
    asked = [s for s in pieces if s.rstrip("”\"')*").endswith("?")]
    if asked:
        return max(asked, key=len)
    cue = re.compile(r"\b(whether|how|what|why|which|can|could)\b", re.IGNORECASE)
    cued = [s for s in pieces if cue.search(s)]
    return (cued or pieces or [""])[0]
