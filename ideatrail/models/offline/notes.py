"""Thinking aloud about what the last calls brought: every remark is true of what was shown."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from ideatrail.models.offline.fragments import fragments
from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Done, Memory, Reading, Search
from ideatrail.models.offline.observed import Hit, parse_grep, short_names
from ideatrail.models.offline.phrases import Phrase, key_phrases, lowered
from ideatrail.models.offline.reading import Sentence, pick, sentences_of
from ideatrail.models.offline.restate import decapitalise, shorten, span, statement, third_person
from ideatrail.models.offline.shelf import covering, fit_of
from ideatrail.models.offline.speech import Voice, listed, number
from ideatrail.trail.text import sentences, stems

WEAK: float = 0.28
"""A page that fits the direction less than this is a detour."""


class Notes:
    """Remarks on results, said through a voice."""

    def __init__(self, memory: Memory, lens: Lens, voice: Voice, rng: random.Random) -> None:
        self.memory = memory
        self.lens = lens
        self.voice = voice
        self.rng = rng
        self._past = " ".join(memory.said)

    def on_last(self) -> None:
        """Remarks on the results of the last message."""
        last = self.memory.last_calls
        searches = [s for s in self.memory.searches if s.turn == self.memory.steps]
        pages = [r for r in self.memory.readings.values() if r.turn == self.memory.steps]
        parts: list[Callable[[], None]] = [
            lambda: self._searches(searches),
            lambda: self._pages(pages),
        ]
        if self.rng.random() < 0.5:
            parts.reverse()
        for part in parts:
            part()
            if self.voice.sentences:
                self.voice.paragraph()
        failed = [c for c in last if c.name == "Scraper" and c.refused]
        if failed:
            self.voice.say("page_failed")
        for done in last:
            if done.name == "Grep":
                self._grep(done)
            elif done.name == "Glob" and not done.refused:
                count = len([x for x in done.result.split("\n") if x.endswith(".md")])
                if count:
                    self.voice.say("glob_seen", count=number(count))

    # Searches

    def _searches(self, found: list[Search]) -> None:
        for search in found[: 2 if self.rng.random() < 0.6 else 3]:
            self._search(search)

    def _search(self, search: Search) -> None:
        if not search.hits:
            self.voice.say("search_empty", q=search.query)
            return
        pool = [h for h in (search.new or search.hits) if h.url not in self.memory.readings]
        ranked = sorted(pool or search.hits, key=lambda h: (-fit_of(h, self.lens), h.rank))
        best = ranked[0]
        if len(search.new) <= max(1, len(search.hits) // 4):
            self.voice.say(
                "search_thin",
                q=search.query,
                new=number(len(search.new)),
                new_of="none" if not search.new else f"only {number(len(search.new))}",
                all=number(len(search.hits)),
            )
        elif fit_of(best, self.lens) > 0.3:
            self.voice.say(
                "search_good", q=search.query, new=number(len(search.new)), **self.hit_slots(best)
            )
            if self.rng.random() < 0.4:
                self._snippet(best)
        worst = ranked[-1]
        if self.rng.random() < 0.45 and worst is not best and fit_of(worst, self.lens) < 0.3:
            self._off(worst)
        spread = sorted(h.year for h in search.hits if h.year.isdigit())
        if self.rng.random() < 0.25 and len(spread) > 3 and spread[0] != spread[-1]:
            self.voice.say("search_list", q=search.query, y1=spread[0], y2=spread[-1])

    def hit_slots(self, hit: Hit) -> dict[str, str]:
        """What can be said of a search result in any move."""
        title = "" if '"' in hit.title else hit.title
        return {
            "title": title,
            "cite": f"{short_names(hit.authors)} ({hit.year})",
            "short": short_names(hit.authors),
            "year": hit.year,
            "rank": number(hit.rank),
            "shared": listed(self.lens.shared(f"{hit.title} {hit.snippet}", 3)),
            "single": "1" if len(hit.authors) == 1 else "",
        }

    def _snippet(self, hit: Hit) -> None:
        for piece in sentences(hit.snippet):
            if "…" in piece or "..." in piece or piece[-1:] not in ".!?":
                continue
            quote = span(piece)
            if quote and self._new_quote(quote) and "IdeaTrail" not in quote:
                self.voice.say("snippet", quote=quote, **self.hit_slots(hit))
                return

    def _off(self, hit: Hit) -> None:
        slots = self.hit_slots(hit)
        if slots["shared"]:
            slots["shared"] = listed(self.lens.shared(f"{hit.title} {hit.snippet}", 2))
            self.voice.say("search_off", **slots)
        else:
            missing = listed(self.lens.missing(f"{hit.title} {hit.snippet}", 2), "or")
            self.voice.say("search_none", missing=missing, **slots)

    # Pages

    def _pages(self, pages: list[Reading]) -> None:
        ranked = sorted(pages, key=lambda r: -self.page_fit(r))
        for index, reading in enumerate(ranked[:4]):
            self._page(reading, index)
        if ranked and self.rng.random() < 0.7:
            self._compare(ranked[0])

    def page_fit(self, reading: Reading) -> float:
        """How close a page lies to the direction."""
        return self.lens.fit(" ".join([reading.page.title, *reading.passages]))

    def slots(self, reading: Reading) -> dict[str, str]:
        """What can be said of a page in any move."""
        text = " ".join([reading.page.title, *reading.passages])
        return {
            "cite": reading.page.cite,
            "short": reading.page.short,
            "title": "" if '"' in reading.page.title else reading.page.title,
            "shared": listed(self.lens.shared(text, 3)),
            "missing": listed(self.lens.missing(text, 2), "or"),
            "single": "1" if len(reading.page.authors) == 1 else "",
        }

    def _page(self, reading: Reading, place: int) -> None:
        brief = place > 1
        found = sentences_of(reading.passages)
        slots = self.slots(reading)
        if self.page_fit(reading) < WEAK and len(self.memory.readings) > 2:
            self.voice.say("page_weak", **slots)
            return
        used = self._quote(reading, found, slots)
        moves = [
            ("page_mech", "mechanism"),
            ("page_finding", "finding"),
            ("page_limit", "limitation"),
            ("page_problem", "problem"),
        ]
        self.rng.shuffle(moves)
        told = 0
        for move, role in moves:
            if told >= (3, 2, 1, 1)[place]:
                break
            for sentence in sorted(pick(found, role), key=lambda s: -self.lens.fit(s.text)):  # type: ignore[arg-type]
                if sentence in used or (role == "problem" and "finding" in sentence.roles):
                    continue
                text = self.statement(sentence, reading)
                if text and text not in self._past and self.voice.say(move, stmt=text, **slots):
                    used.append(sentence)
                    told += 1
                    break
        text = " ".join(reading.passages)
        if not brief and self.rng.random() < 0.5:
            self.voice.say("use_page", **slots)
        if not brief and self.rng.random() < 0.5:
            if slots["missing"] and self.rng.random() < 0.6:
                self.voice.say("page_missing", **slots)
            elif not re.search(r"\d", text):
                self.voice.say("page_nonum", **slots)
            else:
                self.voice.say("page_shared", **slots)

    def _quote(
        self, reading: Reading, found: tuple[Sentence, ...], slots: dict[str, str]
    ) -> list[Sentence]:
        ranked = sorted(
            (s for s in found if s.quotable), key=lambda s: (-self.lens.fit(s.text), s.index)
        )
        move = "summary_quote" if reading.page.summary else "page_quote"
        for sentence in ranked[:4]:
            quote = span(sentence.text)
            if quote and self._new_quote(quote) and self.voice.say(move, quote=quote, **slots):
                return [sentence]
        return []

    def _fresh_pair(self, one: str, other: str) -> bool:
        """Two quotes for one sentence: new, and without figures that could be read across."""
        fresh = self._new_quote(one) and self._new_quote(other)
        return fresh and not re.search(r"\d", one + other)

    def _new_quote(self, quote: str) -> bool:
        return quote not in self._past and quote not in self.voice.text()

    def statement(self, sentence: Sentence, reading: Reading, most: int = 190) -> str:
        """A sentence of a page restated for reasoning, or "" where it cannot be."""
        if sentence.dangling:
            return ""
        body, _ = statement(sentence.text)
        text = third_person(body, reading.page.short, len(reading.page.authors) == 1)
        text = shorten(text, most)
        if not text or re.search(r"\b(?:[Ww]e|[Oo]ur)\b", text) or any(c in text for c in '"“”?'):
            return ""
        return decapitalise(text)

    def _compare(self, reading: Reading) -> None:
        mine = sentences_of(reading.passages)
        best: tuple[float, Reading, Sentence, Sentence, str] | None = None
        for other in self.memory.readings.values():
            if other.turn == reading.turn and other.url == reading.url:
                continue
            for one in mine:
                for two in sentences_of(other.passages):
                    shared = [s for s in one.stems & two.stems if s in self.lens.word_of]
                    if not shared or one.polarity * two.polarity >= 0:
                        continue
                    score = sum(self.lens.weight[s] for s in shared) + 0.1 * len(
                        one.stems & two.stems
                    )
                    if best is None or score > best[0]:
                        term = max(sorted(shared), key=lambda s: self.lens.weight[s])
                        best = (score, other, one, two, self.lens.word_of[term])
        if best is not None and best[0] > 1.6:
            score, other, one, two, term = best
            qa, qb = span(one.text), span(two.text)
            if one.polarity < 0:
                reading, other, qa, qb = other, reading, qb, qa
            if qa and qb and self._fresh_pair(qa, qb):
                self.voice.say(
                    "compare_split",
                    cite_a=reading.page.cite,
                    cite_b=other.page.cite,
                    short_a=reading.page.short,
                    short_b=other.page.short,
                    qa=qa,
                    qb=qb,
                    term=term,
                )
                return
        self._join(reading)

    def _join(self, reading: Reading) -> None:
        """A term that the page shares with one read before."""
        mine = self._terms(reading)
        best: tuple[float, Reading, str] | None = None
        for other in self.memory.readings.values():
            if other.url == reading.url:
                continue
            there = self._terms(other)
            for stems_of, text in mine.items():
                if stems_of in there:
                    worth = self.lens.fit(text) + 0.02 * len(stems_of)
                    if best is None or worth > best[0]:
                        best = (worth, other, text)
        if best is not None:
            self.voice.say(
                "compare_join", cite_a=reading.page.cite, cite_b=best[1].page.cite, term=best[2]
            )

    def _terms(self, reading: Reading) -> dict[tuple[str, ...], str]:
        return {
            p.stems: lowered(p.text)
            for line in reading.passages
            for p in key_phrases(line, 3)
            if len(p.stems) > 1 and not any(c.isdigit() for c in p.text)
        }

    def _grep(self, done: Done) -> None:
        term = re.sub(r"^\(\?i\)", "", str(done.arguments.get("pattern", ""))).replace("\\b", "")
        if done.refused or not term:
            return
        paths = list(dict.fromkeys(p for p, _, _ in parse_grep(done.result)))
        names = [
            r.page.cite for p in paths for r in self.memory.readings.values() if r.page.path == p
        ]
        if names:
            self.voice.say(
                "grep_found", term=term, count=number(len(names)), names=listed(names[:3])
            )
        elif "No line matches" in done.result:
            self.voice.say("grep_none", term=term)

    # The whole

    def coverage(self) -> None:
        """What the pages read so far cover of the direction, and what not."""
        phrases = self.lens.phrases[:4]
        phrases += [Phrase(t, tuple(stems(t))) for t in self.lens.met[:3]]
        counted = [(len(covering(self.memory, p)), p) for p in phrases]
        have = [(c, p) for c, p in counted if c > 0]
        lack = [p for c, p in counted if c == 0]
        if have and lack:
            count, phrase = max(have, key=lambda pair: pair[0])
            gap = self.rng.choice(lack).text
            self.voice.say("cover", some=number(count), a=phrase.text, b=gap)
        elif len(have) > 1:
            self.voice.say("cover_all", a=have[0][1].text, b=have[1][1].text)

    def recall(self) -> None:
        """Something from a page read before this message's results, not said yet."""
        older = [r for r in self.memory.readings.values() if r.turn < self.memory.steps]
        older = sorted(older, key=lambda r: -self.page_fit(r))[:10]
        self.rng.shuffle(older)
        for reading in older:
            told = self._untold(reading)
            if told and self.voice.say("recall", stmt=told, **self.slots(reading)):
                return

    def _untold(self, reading: Reading) -> str:
        """The best statement of a page that has not been made yet in this trail."""
        spoken = self.voice.text()
        for sentence in sorted(
            sentences_of(reading.passages), key=lambda s: -self.lens.fit(s.text)
        ):
            if sentence.quotable and sentence.roles != frozenset({"other"}):
                text = self.statement(sentence, reading, 170)
                if text and text not in self._past and text not in spoken:
                    return text
        return ""

    def tally(self) -> None:
        """How much was read, in numbers."""
        pages, seen = len(self.memory.readings), len(self.memory.hits)
        if pages > 3 and seen > pages:
            self.voice.say(
                "tally",
                pages=number(pages),
                unopened=number(seen - pages),
                lists=number(len(self.memory.searches)),
            )

    def so_far(self) -> None:
        """The two statements that carry most, from two papers."""
        ranked = sorted(self.memory.readings.values(), key=lambda r: -self.page_fit(r))[:8]
        found: list[tuple[Reading, str]] = []
        for reading in ranked:
            results = pick(sentences_of(reading.passages), "finding")
            for sentence in sorted(results, key=lambda s: -self.lens.fit(s.text)):
                text = self.statement(sentence, reading, 140)
                if text and self._past.count(text) < 2 and not re.search(r"\d", text):
                    found.append((reading, text))
                    break
        if len(found) < 2:
            return
        (one, sa), (other, sb) = self.rng.sample(found, 2)
        self.voice.say(
            "so_far",
            sa=sa,
            sb=sb,
            cite_a=one.page.cite,
            cite_b=other.page.cite,
            short_a=one.page.short,
            short_b=other.page.short,
        )

    def hunch(self) -> None:
        """A tentative thought from a mechanism that was read."""
        if not self.lens.phrases:
            return
        goal = self.lens.phrases[self.rng.randrange(min(3, len(self.lens.phrases)))].text
        for reading in reversed(list(self.memory.readings.values())):
            if self.page_fit(reading) < WEAK:
                continue
            for sentence in pick(sentences_of(reading.passages), "mechanism"):
                for fragment in fragments(sentence):
                    words_in = fragment.text.split()
                    if (
                        fragment.kind == "thing"
                        and 4 <= len(words_in) <= 16
                        and (fragment.text not in self._past)
                    ):
                        self.voice.say("hunch", thing=fragment.text, goal=goal)
                        return
