"""Claims of two papers that pull apart."""

from __future__ import annotations

from dataclasses import dataclass

from ideatrail.models.offline.claims import Option
from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory
from ideatrail.models.offline.phrases import adjacent_stems, key_phrases, lowered
from ideatrail.models.offline.reading import Sentence, sentences_of
from ideatrail.models.offline.wordlists import is_field
from ideatrail.trail.text import stem, words


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


def tensions(claims: list[tuple[str, Option]], memory: Memory, lens: Lens) -> list[Tension]:
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
    shared = {s for s in mine & other if not is_field(s) or s in lens.word_of}
    if not shared:
        return None
    score = sum(lens.weight.get(s, 0.4) * lens.rarity(s) for s in shared)
    topical = [s for s in shared if lens.weight.get(s, 0.0) > 0.0]
    split = one.sentence.polarity * against.polarity < 0
    split = split or (one.sentence.polarity > 0 and "limitation" in against.roles)
    both = adjacent_stems(one.sentence.text) & adjacent_stems(against.text)
    beside = [pair for pair in both if shared.issuperset(pair)]
    opposed = split and len(topical) >= 2 and (len(shared) >= 3 or bool(beside))
    score += 1.5 if opposed else 0.0
    score -= 0.5 if one.sentence.polarity == against.polarity != 0 else 0.0
    term = max(sorted(shared), key=lambda s: lens.weight.get(s, 0.2) * lens.rarity(s))
    phrases = [
        lowered(p.text)
        for p in key_phrases(one.sentence.text, 3)
        if term in p.stems and set(p.stems) <= other
    ]
    if not topical and not any(len(p.split()) > 1 for p in phrases):
        return None
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
