"""The claim audit: which sentences of which pages become claims, and the file in its steps."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from ideatrail.models.offline.memory import Memory, Reading
from ideatrail.models.offline.phrases import Lens, adjacent_stems, is_field, key_phrases, lowered, topic_stems
from ideatrail.models.offline.reading import (
    Sentence,
    capitalise,
    decapitalise,
    sentences_of,
    shorten,
    statement,
    third_person,
)
from ideatrail.trail.artifacts import Claim
from ideatrail.trail.text import stem, words

MOST_CLAIMS: Final = 14
_LONGEST: Final = 230
_DEFINITE: Final = re.compile(
    r"^(?:the|a|an|one|two|three|each|its|how|whether|training|against|across|on|in|for|with|using)\b",
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
    """The claim that a sentence makes, in the third person, or "" where none can be taken from it."""
    if not sentence.quotable or sentence.dangling:
        return ""
    page = reading.page
    single = len(page.authors) == 1
    body, led = statement(sentence.text)
    if "[" in body or "]" in body:
        return ""
    own = bool(re.search(r"\b(?:we|our|us|this (?:paper|work|study|article))\b", body, re.IGNORECASE))
    if page.summary:
        text = f"In {page.cite}, {decapitalise(body)}"
    elif own and re.match(r"(?:In (?:this|our) \w+,? )?[Ww]e\b", body):
        text = third_person(capitalise(body), page.cite, single)
    elif own or _LOOSE.match(body):
        text = f"In {page.cite}, {decapitalise(third_person(body, page.cite, single))}"
    elif led:
        text = f"{page.cite} report{'s' if single else ''} that {decapitalise(body)}"
    else:
        text = capitalise(body)
    text = shorten(text, _LONGEST).strip(" ,;:")
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
            pool = [o for o in options if o.sentence.polarity < 0 and o.score > options[0].score - 0.4]
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


@dataclass(frozen=True)
class Tension:
    """Two claims of different papers that pull apart over a term."""

    a: str
    b: str
    term: str
    said_a: Sentence
    """What the first says; the claim's own sentence."""
    said_b: Sentence
    """What stands against it: the second claim's sentence, or a limit named on its page."""
    opposed: bool
    """False where they only stress different things."""
    score: float


def tensions(
    claims: list[tuple[str, Option]], memory: Memory, lens: Lens
) -> list[Tension]:
    """Pairs of claims from different pages that pull apart, best first, each claim once."""
    found: list[Tension] = []
    for a, one in claims:
        for b, other in claims:
            if a == b or one.url == other.url:
                continue
            sides = [other.sentence]
            sides += [
                s
                for s in sentences_of(memory.readings[other.url].passages)
                if "limitation" in s.roles and s.quotable and not s.dangling
            ]
            for against in sides:
                tension = _tension(a, one, b, against, lens)
                if tension is not None:
                    found.append(tension)
    found.sort(key=lambda t: (-t.score, int(t.a[1:]), int(t.b[1:]), t.said_b.index))
    used: set[str] = set()
    out = []
    for tension in found:
        if tension.a not in used and tension.b not in used:
            used |= {tension.a, tension.b}
            out.append(tension)
    return out


def _tension(a: str, one: Option, b: str, against: Sentence, lens: Lens) -> Tension | None:
    mine, other = one.sentence.stems, against.stems
    shared = {s for s in mine & other if not is_field(s)}
    if not shared:
        return None
    score = sum(lens.weight.get(s, 0.4) * lens.rarity(s) for s in shared)
    on_topic = any(lens.weight.get(s, 0.0) > 0.3 for s in shared)
    split = one.sentence.polarity * against.polarity < 0
    split = split or (one.sentence.polarity > 0 and "limitation" in against.roles)
    beside = adjacent_stems(one.sentence.text) & adjacent_stems(against.text)
    beside = {p for p in beside if p[0] in shared and p[1] in shared}
    opposed = split and on_topic and (len(shared) >= 3 or bool(beside))
    score += 1.5 if opposed else 0.0
    score -= 0.5 if one.sentence.polarity == against.polarity != 0 else 0.0
    term = max(sorted(shared), key=lambda s: lens.weight.get(s, 0.2) * lens.rarity(s))
    phrases = [
        lowered(p.text)
        for p in key_phrases(one.sentence.text, 3)
        if term in p.stems and set(p.stems) <= other
    ]
    return Tension(
        a,
        b,
        phrases[0] if phrases else _word(term, one.sentence.text),
        one.sentence,
        against,
        opposed,
        round(score, 6),
    )


def _word(one: str, text: str) -> str:
    return next((w for w in words(text) if stem(w) == one), one)


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


def support_of(reading: Reading) -> str:
    """What kind of text the claim rests on."""
    if reading.page.summary:
        return "summary"
    return "full text" if sum(map(len, reading.passages)) > 6000 else "abstract"


def source_lines(option: Option, reading: Reading) -> list[str]:
    """A source block: the source and its verbatim passage."""
    page = reading.page
    several = " et al." if len(page.authors) > 1 else ""
    # Brackets inside a name would read as the brackets around name and year.
    author = " ".join(re.sub(r"\([^()]*\)|[()]", " ", page.first_author).split())
    key = "note" if page.summary else "quote"
    return [
        f"- source: {page.title} ({author}{several}, {page.year}) {page.url}",
        f'- {key}: "{option.sentence.text}"',
    ]


def limitation(option: Option, reading: Reading, lens: Lens) -> str:
    """What the source does not show, true of what was read of it."""
    page = reading.page
    found = sentences_of(reading.passages)
    kind = "summary" if page.summary else "abstract"
    own = [
        s
        for s in found
        if "limitation" in s.roles and s.text != option.sentence.text and (page.summary or s.last_third)
        and not s.dangling and s.quotable
    ]
    text = " ".join(reading.passages)
    parts: list[str] = []
    if own:
        best = max(own, key=lambda s: (lens.fit(s.text), -s.index))
        body, _ = statement(best.text)
        body = shorten(third_person(body, page.short, len(page.authors) == 1), 200)
        if body and not re.search(r"\b(?:we|our)\b", body, re.IGNORECASE):
            parts.append(decapitalise(body))
    missing = lens.missing(text, 2)
    silent = (
        "the {k} says nothing of {m}",
        "nothing in the {k} concerns {m}",
        "{m} stay outside of what the {k} covers",
        "no word on {m} in the {k}",
    )
    bare = (
        "no figure is given in the {k}, so the size of the effect is unknown",
        "the {k} states a direction and no magnitude",
        "how strong the effect is cannot be told from the {k}",
    )
    at = picked(option.claim, 12)
    if missing and len(parts) < 2:
        parts.append(silent[at % 4].format(k=kind, m=" or ".join(missing)))
    if not re.search(r"\d", text) and len(parts) < 2:
        parts.append(bare[at % 3].format(k=kind))
    if not parts:
        parts.append(f"only the {kind} was read, the conditions of the experiments are not known")
    return "; ".join(parts)


def implication(option: Option, lens: Lens, rival: str = "") -> str:
    """What follows for the question, worded by the part that the sentence plays."""
    shared = lens.shared(option.sentence.text, 3)
    about = " and ".join(shared[:2]) or (lens.phrases[0].text if lens.phrases else "the question")
    at = picked(option.claim + rival, 4)
    if rival:
        return (
            f"has to be read together with [{rival}]; any idea that builds on {about} must say which of the two it expects",
            f"as long as [{rival}] stands against it, {about} can be assumed only under a stated condition",
            f"[{rival}] shows the other side, so {about} becomes something to test and not to presume",
            f"together with [{rival}] it marks the point about {about} where an intervention would show",
        )[at]
    positive = {
        "finding": (
            f"there is a lever on {about}, whose reach in the case asked about is untested",
            f"makes {about} worth building on, provided the effect carries over",
            f"a new method would have to do at least as well on {about}",
            f"gives a result on {about} that an idea should explain and not repeat",
        ),
        "mechanism": (
            f"supplies a component that can be reused for {about}",
            f"shows one way of getting at {about}, so an idea need not start from nothing",
            f"its step on {about} can be combined with others, as far as the text tells",
            f"a part to borrow for {about}, with its costs still to be learned",
        ),
    }
    negative = (
        f"an idea that takes {about} for granted would inherit this weakness",
        f"says where present means fall short on {about}, and so where to aim",
        f"any candidate has to show that it does better on {about}",
        f"is a reason to treat {about} as the open part of the question",
    )
    if option.sentence.polarity >= 0 and option.role in positive:
        return positive[option.role][at]
    return negative[at]


def block(
    claim_id: str, option: Option, memory: Memory, lens: Lens, *, full: bool, rival: str = "", contested: bool = False
) -> list[str]:
    """The lines of a claim with its evidence; `full` adds what it implies."""
    reading = memory.readings[option.url]
    lines = [f"## {claim_id}. {option.claim}", *source_lines(option, reading)]
    support = support_of(reading)
    other = second_source(option, memory, lens)
    if other is not None:
        lines += source_lines(other, memory.readings[other.url])
        kinds = {support, support_of(memory.readings[other.url])}
        support = next(k for k in ("summary", "snippet", "abstract", "full text") if k in kinds)
    lines.append(f"- support: {support}")
    lines.append(f"- status: {'contested' if contested else 'supported'}")
    lines.append(f"- limitation: {limitation(option, reading, lens)}")
    if full:
        lines.append(f"- implication: {implication(option, lens, rival)}")
    return lines


def open_block(claim_id: str, option: Option) -> list[str]:
    """The lines of a claim that waits for its evidence."""
    return [f"## {claim_id}. {option.claim}", "- status: open"]


def is_open(claim: Claim) -> bool:
    """Whether a claim has no passage yet."""
    return not any(s.quotes or s.notes for s in claim.sources)


def split_blocks(text: str) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """The lines before the first claim, and (id, lines) of each block without trailing blanks."""
    head: list[str] = []
    blocks: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        match = re.match(r"^## ([CI]\d+)\. ", line)
        if match:
            blocks.append((match.group(1), [line]))
        elif blocks:
            blocks[-1][1].append(line)
        else:
            head.append(line)
    for _, lines in blocks:
        while lines and not lines[-1].strip():
            lines.pop()
    while head and not head[-1].strip():
        head.pop()
    return head, blocks


def join_blocks(head: list[str], blocks: list[tuple[str, list[str]]]) -> str:
    """The file of these blocks, ended by a newline."""
    parts = ["\n".join(head), *("\n".join(lines) for _, lines in blocks)]
    return "\n\n".join(p for p in parts if p) + "\n"


def topic_of(folder: str) -> str:
    """The topic in words, from the workspace folder."""
    return folder.rsplit("/", 1)[-1].replace("-", " ").replace("_", " ")


def claims_on(claims: list[tuple[str, Option]], url: str) -> list[str]:
    """Ids of the claims that rest on the page at `url`."""
    return [claim_id for claim_id, option in claims if option.url == url]


def overlap(one: str, other: str) -> int:
    """How many topic stems two texts share."""
    return len(topic_stems(one) & topic_stems(other))
