"""The claim audit: which sentences of which pages become claims, and the file in its steps."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory, Reading
from ideatrail.models.offline.reading import Sentence, sentences_of
from ideatrail.models.offline.restate import (
    capitalise,
    decapitalise,
    shorten,
    statement,
    third_person,
)

MOST_CLAIMS: Final = 14


_LONGEST: Final = 230


_NEGATION: Final = re.compile(
    r"\b(?:not|no|nor|never|cannot|without|neither|hardly|scarcely|unable|fail\w*|lack\w*|little|few)\b|n['’]t\b",
    re.IGNORECASE,
)
_LOOSE: Final = re.compile(
    r"^(?:the|this) (?:method|approach|model|framework|system|ranker|algorithm|dataset|corpus|"
    r"technique|proposed|resulting|results?|authors?|study|paper|work|experiments?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Option:
    """A sentence that could be a claim, and the claim it would be."""

    claim: str
    sentence: Sentence
    url: str
    score: float

    @property
    def role(self) -> str:
        """The part the sentence plays, the most useful one first."""
        for role in ("finding", "limitation", "mechanism", "problem", "contrast"):
            if role in self.sentence.roles:
                return role
        return "other"


def claim_text(sentence: Sentence, reading: Reading) -> str:
    """The claim that a sentence makes, in the third person; "" where none can be taken."""
    if not sentence.quotable or sentence.dangling:
        return ""
    page = reading.page
    return _claim(sentence.text, page.cite, single=len(page.authors) == 1, summary=page.summary)


@lru_cache(maxsize=32_768)
def _claim(said: str, cite: str, *, single: bool, summary: bool) -> str:
    body, led = statement(said)
    if "[" in body or "]" in body:
        return ""
    own = bool(
        re.search(r"\b(?:we|our|us|this (?:paper|work|study|article))\b", body, re.IGNORECASE)
    )
    if summary:
        text = f"In {cite}, {decapitalise(body)}"
    elif own and re.match(r"(?:In (?:this|our) \w+,? )?[Ww]e\b", body):
        text = third_person(capitalise(body), cite, single)
    elif own or _LOOSE.match(body):
        text = f"In {cite}, {decapitalise(third_person(body, cite, single))}"
    elif led:
        text = f"{cite} report{'s' if single else ''} that {decapitalise(body)}"
    else:
        text = capitalise(body)
    text = shorten(text, _LONGEST).strip(" ,;:")
    if len(_NEGATION.findall(text)) < len(_NEGATION.findall(said)):
        return ""  # what was cut off may turn what is left around
    if len(text) < 40 or text.endswith("?") or re.search(r"\b(?:we|our)\b", text, re.IGNORECASE):
        return ""
    return text


def options_of(reading: Reading, lens: Lens) -> list[Option]:
    """The claims a page offers, best first."""
    found = sentences_of(reading.passages)
    page_fit = lens.fit(" ".join([reading.page.title, *reading.passages]))
    out = []
    for sentence in found:
        if reading.page.summary and "limitation" in sentence.roles:
            continue  # what is open is the summary's own remark, and no claim of the paper
        text = claim_text(sentence, reading)
        if not text:
            continue
        score = lens.fit(sentence.text) + 0.5 * page_fit
        bonus = {"finding": 0.35, "mechanism": 0.3, "limitation": 0.22, "problem": 0.15}
        score += max((bonus.get(r, 0.0) for r in sentence.roles), default=0.0)
        score -= 0.001 * max(0, len(sentence.text) - 200)
        out.append(Option(text, sentence, reading.url, round(score, 6)))
    out.sort(key=lambda o: (-o.score, o.sentence.index))
    return out


def all_options(memory: Memory, lens: Lens) -> dict[str, Option]:
    """Every claim that the pages read could supply, by its text."""
    return {
        option.claim: option
        for reading in memory.readings.values()
        for option in options_of(reading, lens)
    }


def choose(memory: Memory, lens: Lens, count: int, taken: list[Option]) -> list[Option]:
    """Up to `count` claims besides `taken`: the best pages first, a second from a page only later.

    Complaints and limits are wanted beside successes: without them nothing can be weighed.
    """
    urls = {o.url for o in taken}
    texts = {o.claim for o in taken}
    ranked = []
    for reading in memory.readings.values():
        options = [o for o in options_of(reading, lens) if o.claim not in texts]
        if options:
            ranked.append(options)
    ranked.sort(key=lambda options: -options[0].score)
    if len(ranked) > 6:
        # A page at the edge of the subject supplies no claim where better ones are at hand.
        floor = 0.4 * ranked[2][0].score
        ranked = [options for n, options in enumerate(ranked) if n < 6 or options[0].score > floor]
    chosen: list[Option] = []

    def add(option: Option) -> None:
        if len(chosen) < count and not any(_same(option, o) for o in [*taken, *chosen]):
            chosen.append(option)

    for options in ranked:
        if options[0].url not in urls:
            negative = sum(o.sentence.polarity < 0 for o in [*taken, *chosen])
            wanted = len(taken) + len(chosen) >= 3 and negative * 3 < len(taken) + len(chosen)
            pool = [
                o for o in options if o.sentence.polarity < 0 and o.score > options[0].score - 0.4
            ]
            add(pool[0] if wanted and pool else options[0])
    for options in ranked:
        mine = [o for o in [*taken, *chosen] if o.url == options[0].url]
        for option in options:
            if len(mine) < 2 and all(option.role != o.role for o in mine):
                add(option)
                break
    return chosen


def _same(one: Option, other: Option) -> bool:
    if one.url == other.url and one.sentence.text == other.sentence.text:
        return True
    a, b = one.sentence.stems, other.sentence.stems
    return bool(a) and len(a & b) / len(a | b) > 0.7


def second_source(option: Option, memory: Memory, lens: Lens) -> Option | None:
    """A sentence of another page that says nearly the same, where there is one."""
    best: tuple[float, Option] | None = None
    mine = option.sentence.stems
    for reading in memory.readings.values():
        if reading.url == option.url:
            continue
        for sentence in sentences_of(reading.passages):
            if not sentence.quotable or sentence.dangling:
                continue
            if sentence.polarity * option.sentence.polarity < 0:
                continue
            shared = mine & sentence.stems
            share = len(shared) / max(1, min(len(mine), len(sentence.stems)))
            if len(shared) >= 4 and share >= 0.42 and (best is None or share > best[0]):
                best = (share, Option("", sentence, reading.url, share))
    return best[1] if best else None


def picked(key: str, count: int) -> int:
    """A number below `count` that depends on `key` alone: the same in every process."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") % count
