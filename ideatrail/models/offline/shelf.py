"""Choosing what to open: hits weighed against the direction, sources looked up again."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory, Reading
from ideatrail.models.offline.observed import Hit
from ideatrail.models.offline.phrases import Phrase, all_stems, key_phrases
from ideatrail.models.offline.wordlists import FIELD, GENERIC


@dataclass(frozen=True)
class Pick:
    """A hit to open, with what speaks for it."""

    hit: Hit
    score: float
    shared: tuple[str, ...]
    times: int
    """Result lists it has stood in."""


def fit_of(hit: Hit, lens: Lens) -> float:
    """How close a hit's entry lies to the direction."""
    return lens.fit(f"{hit.title} {hit.snippet}")


def promising(memory: Memory, lens: Lens, rng: random.Random) -> list[Pick]:
    """Hits that were not opened and are worth it, the best first."""
    read = set(memory.readings) | set(memory.failed)
    read |= {r.page.url for r in memory.readings.values()}
    titles = {r.page.title.lower() for r in memory.readings.values()}
    picks = []
    for url, hit in memory.hits.items():
        if url in read or hit.title.lower() in titles or not url.startswith("http"):
            continue
        text = f"{hit.title} {hit.snippet}"
        score = lens.fit(text) + 0.4 * lens.fit(hit.title)
        score += 0.06 * min(memory.seen_count[url] - 1, 3) + 0.02 * rng.random()
        picks.append(
            Pick(hit, round(score, 6), tuple(lens.shared(text, 3)), memory.seen_count[url])
        )
    picks.sort(key=lambda p: (-p.score, p.hit.url))
    if not picks:
        return []
    fits = sorted(
        (lens.fit(" ".join([r.page.title, *r.passages])) for r in memory.readings.values()),
        reverse=True,
    )
    # What is opened should be able to hold its own beside the better half of what was read.
    floor = max(0.3, 0.42 * fits[min(4, len(fits) - 1)]) if len(fits) >= 5 else 0.12
    return [p for p in picks if p.score >= floor]


def unread_rest(memory: Memory) -> list[Reading]:
    """Pages of which Scraper showed only the beginning."""
    return [r for r in memory.readings.values() if not r.whole and r.page.path]


def covering(memory: Memory, phrase: Phrase) -> list[Reading]:
    """Pages that hold every word of a phrase of the direction."""
    wanted = set(phrase.stems)
    out = []
    for reading in memory.readings.values():
        if wanted <= all_stems((reading.page.title, *reading.passages)):
            out.append(reading)
    return out


def common_terms(memory: Memory, lens: Lens) -> list[str]:
    """Terms that stand on more than one page and were not looked up yet, the closest first."""
    asked = {str(c.arguments.get("pattern", "")).lower() for c in memory.calls if c.name == "Grep"}
    count: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for reading in memory.readings.values():
        seen: set[str] = set()
        for line in reading.passages:
            for phrase in key_phrases(line, 3):
                low = phrase.text.lower()
                if phrase.stems and low not in seen and low.isascii() and _grepable(low):
                    seen.add(low)
                    shown.setdefault(low, phrase.text)
        count.update(seen)
    ranked = sorted(
        (low for low in count if count[low] > 1 and not any(low in a for a in asked)),
        key=lambda low: (-(min(count[low], 5) * (0.15 + lens.fit(low))), low),
    )
    rare = [low for low in count if count[low] == 1 and len(low.split()) > 1 and lens.fit(low) > 0]
    rest = sorted(
        (r for r in rare if not any(r in a for a in asked)), key=lambda r: (-lens.fit(r), r)
    )
    return ranked or rest


def _grepable(low: str) -> bool:
    tokens = low.split()
    strange = [t for t in tokens if t not in FIELD and t not in GENERIC]
    return bool(strange) and (len(tokens) > 1 or len(low) > 8) and not low.endswith(("ed", "ing"))


def years(memory: Memory) -> list[int]:
    """Years of all hits, in order."""
    return sorted(int(h.year) for h in memory.hits.values() if h.year.isdigit())
