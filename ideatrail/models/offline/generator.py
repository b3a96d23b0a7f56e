"""The offline Generator: one assistant message out of what the request holds, and nothing else.

`generate` is a pure function. It reads the request back into a memory, remarks on what the last
calls brought, decides what to search, open, look up and write next, and says why.
"""

from __future__ import annotations

import hashlib
import random
from typing import Any, Final

import orjson

from ideatrail.models.offline.account import Account
from ideatrail.models.offline.desk import Desk, lens_of
from ideatrail.models.offline.job import Job
from ideatrail.models.offline.memory import Memory, remember, vocabulary
from ideatrail.models.offline.notes import Notes
from ideatrail.models.offline.reach import Calls, Reach
from ideatrail.models.offline.restate import decapitalise
from ideatrail.models.offline.speech import MOST_SENTENCES, Voice, listed
from ideatrail.models.protocol import (
    Answer,
    CallPart,
    Finish,
    Part,
    ReasoningPart,
    Request,
    TextPart,
)
from ideatrail.trail.stage import stage_ends

MODEL: Final = "offline:researcher"
MUCH: Final = 150
"""Calls after which reading beside the writing is cut down."""

MOST_CALLS: Final = 8
"""Calls of one message; more than this and the thought behind each would be lost."""


def generate(request: Request) -> Answer:
    """The next assistant message: reasoning, and calls or a closing text."""
    memory = remember(request)
    return _Turn(memory).answer()


class _Turn:
    """One message in the making."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        key = f"{memory.seed}:{memory.steps}:{memory.direction}"
        self.rng = random.Random(hashlib.sha256(key.encode()).digest())
        self.lens = lens_of(memory)
        # Less is said where what was said was not taken.
        most = 7 if any(f.part == "reasoning" for f in memory.feedback) else MOST_SENTENCES
        self.voice = Voice(memory.said, memory.openings, vocabulary(memory), self.rng, most)
        self.notes = Notes(memory, self.lens, self.voice, self.rng)
        self.desk = Desk(memory, self.lens)
        self.account = Account(memory, self.lens, self.desk, self.voice, self.notes, self.rng)
        self.reach = Reach(memory, self.lens, self.desk, self.voice, self.notes, self.rng)

    def answer(self) -> Answer:
        if self._finished():
            return self._closing()
        if self.memory.careful:
            self.voice.say("careful")
        if self.memory.steps == 0:
            self._begin()
        else:
            self.notes.on_last()
        self.voice.paragraph()
        if self.memory.stage == "explore":
            self._explore()
        else:
            self._write_and_read()
        self._never_empty()
        self._enough_said()
        return self._made("")

    # Stages

    def _begin(self) -> None:
        phrases = [p.text for p in self.lens.phrases[:3]]
        if len(phrases) >= 2:
            self.voice.say("begin", a=phrases[0], b=phrases[1])
        if len(phrases) >= 3:
            self.voice.say("begin_more", c=phrases[2])
        telling = sorted(self.lens.order, key=lambda s: -self.lens.weight[s])[:4]
        telling.sort(key=self.lens.order.index)
        self.voice.say("begin_ask", words=listed([f"'{self.lens.word_of[s]}'" for s in telling]))
        self.voice.say("doubt")

    def _explore(self) -> None:
        end = stage_ends(self.memory.budget)["explore"]
        place = self.memory.turn / max(1, end)
        short = end < 6
        if self.memory.steps == 0:
            searches, opens = (4 if short else 3), 0
        elif place < 0.35:
            searches, opens = self.rng.choice([(2, 2), (2, 3), (3, 2)])
        elif place < 0.75:
            searches, opens = self.rng.choice([(1, 3), (2, 2), (1, 4), (2, 3)])
        else:
            searches, opens = self.rng.choice([(1, 2), (2, 2), (1, 3)])
        if short:
            opens = min(5, opens + 2) if self.memory.steps else 0
        if end > 20:  # a long budget is spent in smaller steps
            searches, opens = max(1, searches - 1), max(1, opens - 1)
        self._middle(place)
        self.reach.open(opens)
        self.reach.rest()
        self.reach.search(searches, deep=place > 0.4)
        if self.memory.steps > 3 and self.rng.random() < 0.28:
            self.reach.grep()

    def _middle(self, place: float) -> None:
        """Remarks that are about the whole and not about the last results."""
        moves: list[Any] = []
        if len(self.memory.readings) > 2:
            moves += [self.notes.coverage, self.notes.hunch, self.notes.recall, self.notes.recall]
        if len(self.memory.readings) > 5:
            moves.append(self.notes.so_far)
        moves.append(lambda: self.voice.say("doubt"))
        if place > 0.3:
            moves.append(lambda: self.voice.say("shift"))
        self.rng.shuffle(moves)
        wanted = self.rng.choice([2, 2, 3]) if self.voice.sentences < 7 else 1
        for move in moves[:wanted]:
            move()

    def _write_and_read(self) -> None:
        memory = self.memory
        jobs = self.desk.pending()
        turns = memory.left_in_stage
        if memory.stage in ("ideate", "propose"):
            turns = max(1, turns - 1)
        write = self._write_now(jobs, turns)
        done: list[Job] = []
        if write:
            wanted = max(1, -(-jobs // turns))
            for _ in range(wanted):
                job = self.desk.next_job()
                if job is None or not self.desk.do(job):
                    break
                done.append(job)
        if not done:
            self._look_again(jobs, turns)
        for job in done:
            self.account.on(job)
            self.reach.check_wording(job)
        self._middle_writing(bool(done))
        self._read_on(bool(done))
        self.reach.calls += self.desk.calls

    def _write_now(self, jobs: int, turns: int) -> bool:
        if self.desk.next_job() is None:
            return False
        if jobs >= turns:
            return True
        if self.memory.file_doubted and not self.memory.doubted:
            return False
        first = not self.memory.files
        if (
            first
            and not any(c.name == "Glob" for c in self.memory.calls)
            and "Glob" in self.memory.tools
        ):
            return False
        wrote_last = any(c.name in ("Write", "Edit") for c in self.memory.last_calls)
        if turns >= 2 * jobs:
            return not wrote_last
        return True if not wrote_last else self.rng.random() < 0.75

    def _look_again(self, jobs: int, turns: int) -> None:
        """A message without writing: an inventory, or a look at the file that is to be revised."""
        memory = self.memory
        if (
            not memory.files
            and "Glob" in memory.tools
            and not any(c.name == "Glob" for c in memory.calls)
        ):
            self.voice.say("glob_why")
            self.reach.calls.append(("Glob", {"pattern": f"{memory.folder}/sources/*.md"}))
            return
        job = self.desk.next_job()
        if (
            job is None
            or job.step not in ("revise", "finalize", "extend")
            or "View" not in memory.tools
        ):
            return
        path = memory.path(job.file)
        if path in memory.files and memory.viewed_at.get(path, 0) <= memory.written_at.get(path, 0):
            self.voice.say("view_own", file=job.file)
            self.reach.calls.append(("View", {"file_path": path}))

    def _middle_writing(self, wrote: bool) -> None:
        if self.voice.sentences < 9:
            self._middle(1.0)
        if wrote and self.rng.random() < 0.3:
            missing = self.lens.missing(" ".join(o.sentence.text for _, o in self.desk.claims()), 2)
            if missing:
                self.voice.say("next_read", missing=listed(missing, "and"))

    def _read_on(self, wrote: bool) -> None:
        """Reading beside the writing: for gaps, for counter-evidence, for neighbours of an idea."""
        stage = self.memory.stage
        tight = self.memory.budget < 20
        if stage == "audit":
            opens = self.rng.choice([1, 2, 2]) if wrote else self.rng.choice([2, 3, 3])
            searches = self.rng.choice([1, 1, 2]) if wrote else self.rng.choice([1, 2, 2])
        elif stage == "synthesize":
            opens, searches = (
                (self.rng.choice([1, 2]), 1) if wrote else (2, self.rng.choice([1, 2]))
            )
        elif stage == "ideate":
            opens, searches = (self.rng.choice([1, 1, 2]), 1) if wrote else (2, 2)
            if self.reach.novelty(searches):
                searches = 0
        else:
            opens, searches = (1, 1) if wrote else (2, self.rng.choice([1, 2]))
        if len(memory_calls := self.memory.calls) > MUCH and self.memory.budget <= 60:
            # Much has been read: what is left is writing, and one look a message.
            opens, searches = (0, 1) if wrote or len(memory_calls) > MUCH + 20 else (1, 1)
        if tight and wrote:
            opens, searches = min(opens, 1), min(searches, 1)
        self.reach.open(opens)
        self.reach.rest()
        self.reach.search(searches, deep=True)
        if self.rng.random() < 0.45 and len(self.memory.calls) < MUCH:
            self.reach.grep()

    def _enough_said(self) -> None:
        """A message with few remarks gets another thought on what was read before."""
        self.voice.before_last()
        if self.memory.stage != "explore" or self.voice.length < 700:
            self.notes.so_far()
        quiet = not any(c.name == "Scraper" for c in self.memory.last_calls)
        for _ in range(5 if quiet else 3):
            if self.voice.length < 1700 and self.voice.sentences < 13:
                self.notes.recall()
        if self.voice.sentences < 5:
            self.notes.tally()
        for move in ("doubt", "shift"):
            if self.voice.sentences < 3:
                self.voice.say(move)

    def _never_empty(self) -> None:
        """A message before the end always does something."""
        if self.memory.careful:
            self._drop_pointed()
        self.reach.calls = _once(self.reach.calls)[: MOST_CALLS + 2]
        if not self.reach.calls:
            self.reach.search(2, deep=True)
        if not self.reach.calls:
            self.reach.open(2)
        if not self.reach.calls:
            self.reach.grep()
        if not self.reach.calls and "Glob" in self.memory.tools:
            self.voice.say("glob_why")
            self.reach.calls.append(("Glob", {"pattern": f"{self.memory.folder}/**/*.md"}))
        if not self.reach.calls and "View" in self.memory.tools and self.memory.files:
            path = next(iter(self.memory.files))
            self.reach.calls.append(("View", {"file_path": path}))

    def _drop_pointed(self) -> None:
        """Leaves out the kind of call that the last draft stumbled over."""
        calls = self.reach.calls
        for item in self.memory.feedback:
            if item.call is None or not 0 <= item.call < len(calls) or len(calls) < 2:
                continue
            if calls[item.call][0] not in ("Write", "Edit"):
                del calls[item.call]

    def _finished(self) -> bool:
        wanted = {"ideate": "idea_candidates.md", "propose": "research_proposal.md"}
        name = wanted.get(self.memory.stage)
        return name is not None and self.desk.artifact(name).state == "final"  # type: ignore[arg-type]

    def _closing(self) -> Answer:
        self.voice.say("close")
        idea = self.desk.selected()
        missing = self.lens.missing(" ".join(o.sentence.text for _, o in self.desk.claims()), 2)
        if idea is not None:
            self.voice.say("idea_fit", id=idea.id, shared=self.account.shared(idea))
            self.voice.say("idea_risk", id=idea.id, risk=self.account.risk(idea))
            self.voice.say(
                "close_doubt", missing=listed(missing, "or"), cite=idea.parts[0].page.cite
            )
        if not self.voice.sentences:
            self.voice.add("I have what I need.")
        self.reach.calls = []
        return self._made(self._summary())

    def _summary(self) -> str:
        found = self.desk.artifact("idea_candidates.md")
        chosen = found.selected
        if chosen is None:
            return (
                "The files hold what could be established; no candidate could be chosen on "
                "this evidence."
            )
        reason = chosen.decision.partition("because ")[2].rstrip(".")
        dropped = [c.id for c in found.candidates if c.rejected]
        text = (
            f"I chose {chosen.id}, {decapitalise(chosen.name)}. It was preferred because {reason}. "
            f"{listed(dropped)} were rejected, with reasons in "
            f"{self.memory.path('idea_candidates.md')}."
        )
        if self.memory.stage == "propose":
            text += (
                " The plan to test it, with its decision rule, is in "
                f"{self.memory.path('research_proposal.md')}."
            )
        return text + f" Its main risk: {chosen.risk.split(';')[0].rstrip('.')}."

    def _made(self, visible: str) -> Answer:
        reasoning = self.voice.text() or "I go on from what I have."
        parts: list[Part] = [ReasoningPart(reasoning)]
        if visible:
            parts.append(TextPart(visible))
        for index, (name, arguments) in enumerate(self.reach.calls):
            text = orjson.dumps(arguments).decode()
            parts.append(CallPart(f"c{self.memory.steps + 1}_{index}", name, text))
        finish: Finish = "tool_calls" if self.reach.calls else "stop"
        return Answer(tuple(parts), finish=finish, model=MODEL)


def _once(calls: Calls) -> Calls:
    """Each call once, in order; what another call of the message asks already is left out."""
    seen: set[str] = set()
    out: Calls = []
    for name, arguments in calls:
        key = f"{name} {orjson.dumps(arguments).decode()}"
        if key not in seen:
            seen.add(key)
            out.append((name, arguments))
    return out
