"""What a message reaches for: searches, pages to open, the rest of a page, terms in the saved ones.

Each call is made together with the reason that is given for it.
"""

from __future__ import annotations

import random
from typing import Any

from ideatrail.models.offline.desk import Desk
from ideatrail.models.offline.job import Job
from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory
from ideatrail.models.offline.notes import Notes
from ideatrail.models.offline.queries import Query, QueryMaker, Why, clean_term
from ideatrail.models.offline.shelf import Pick, common_terms, promising, unread_rest, years
from ideatrail.models.offline.speech import Voice, listed, number

Calls = list[tuple[str, dict[str, Any]]]


class Reach:
    """Makes the reading calls of one message."""

    def __init__(
        self, memory: Memory, lens: Lens, desk: Desk, voice: Voice, notes: Notes, rng: random.Random
    ) -> None:
        self.memory = memory
        self.lens = lens
        self.desk = desk
        self.voice = voice
        self.notes = notes
        self.rng = rng
        self.queries = QueryMaker(memory, lens, rng)
        self.calls: Calls = []

    def check_wording(self, job: Job) -> None:
        """Looks up who else in the saved pages uses a term of the claims just filled, and how."""
        if job.file != "claim_audit.md" or job.step not in ("fill", "extend"):
            return
        claims = dict(self.desk.claims())
        asked = {str(c.arguments.get("pattern", "")).lower() for c in self.memory.calls}
        for claim_id in job.ids:
            for term in self.lens.shared(claims[claim_id].sentence.text, 2):
                pattern = f"(?i){clean_term(term)}"
                if (
                    len(term.split()) > 1
                    and pattern.lower() not in asked
                    and "Grep" in self.memory.tools
                ):
                    self.voice.say("grep_why", term=term)
                    arguments = {"pattern": pattern, "path": f"{self.memory.folder}/sources"}
                    self.calls.append(("Grep", arguments))
                    return

    def novelty(self, count: int) -> bool:
        """Searches for the leading candidate as if it existed."""
        if not count or self.desk.artifact("idea_candidates.md").state == "absent":
            return False
        ideas = self.desk.ideas()
        if not ideas:
            return False
        best = self.desk.leading(ideas)
        terms = [p.term for p in best.parts]
        texts: list[tuple[str, Why]] = [(" ".join(terms), "novelty")]
        texts += [(f"{t} {best.goal}", "novelty") for t in terms]
        for other in ideas:
            texts.append((" ".join(p.term for p in other.parts), "novelty"))
        found = self.queries.about(texts, count)
        if not found:
            return False
        self.voice.say("idea_check", id=best.id)
        for query in found:
            self._ask(query)
        return True

    def search(self, count: int, *, deep: bool) -> None:
        if "WebSearch" not in self.memory.tools or count < 1:
            return
        for query in self.queries.take(count, deep=deep):
            self._ask(query)

    def _ask(self, query: Query) -> None:
        self.voice.say(f"plan_{query.why}", q=query.text, term=query.term)
        if self.rng.random() < 0.3:
            self.voice.say("expect", goal=self.lens.goal)
        arguments: dict[str, Any] = {"query": query.text}
        # Long lists are skimmed at first; later a few good hits are what is wanted.
        sizes = [6, 8, 10] if self.memory.steps < 3 else [4, 4, 5, 5, 6]
        arguments["max_results"] = self.rng.choice(sizes)
        self.calls.append(("WebSearch", arguments))

    def open(self, count: int) -> None:
        if "Scraper" not in self.memory.tools or count < 1:
            return
        said = 0
        for pick in promising(self.memory, self.lens, self.rng)[:count]:
            if said < 3 and self._why_open(pick):
                said += 1
            self.calls.append(("Scraper", {"url": pick.hit.url}))

    def _why_open(self, pick: Pick) -> bool:
        slots = self.notes.hit_slots(pick.hit)
        slots["shared"] = listed(list(pick.shared))
        known = years(self.memory)
        late = (
            bool(known)
            and pick.hit.year.isdigit()
            and int(pick.hit.year) >= known[(3 * len(known)) // 4]
        )
        if pick.times >= 3 and self.rng.random() < 0.6:
            nth = {3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}.get(pick.times, "")
            if self.voice.say("choose_again", times=number(pick.times), nth=nth, **slots):
                return True
        if late and self.rng.random() < 0.3 and self.voice.say("choose_recent", **slots):
            return True
        return self.voice.say("choose", **slots)

    def rest(self) -> None:
        """The rest of pages that were shown only in part."""
        if "View" not in self.memory.tools:
            return
        for reading in unread_rest(self.memory)[:2]:
            page = reading.page
            self.voice.say("view_more", cite=page.cite)
            arguments: dict[str, Any] = {"file_path": page.path}
            if page.more_from:
                arguments["offset"] = page.more_from
            self.calls.append(("View", arguments))

    def grep(self) -> None:
        if "Grep" not in self.memory.tools or len(self.memory.readings) < 4:
            return
        asked = {str(c.arguments.get("pattern", "")).lower() for c in self.memory.calls}
        asked |= {str(c[1].get("pattern", "")).lower() for c in self.calls}
        terms = [clean_term(t) for t in common_terms(self.memory, self.lens)[:6]]
        terms = [t for t in terms if t and f"(?i){t}".lower() not in asked][:3]
        if not terms:
            return
        term = terms[self.rng.randrange(len(terms))]
        self.voice.say("grep_why", term=term)
        self.calls.append(
            ("Grep", {"pattern": f"(?i){term}", "path": f"{self.memory.folder}/sources"})
        )
