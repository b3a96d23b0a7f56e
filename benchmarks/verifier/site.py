"""A place in a clean trail where a fault may be put, and the means to put it there.

Written without the verifier: what was observed before a turn is read off the trail by plain string
work, so that operators follow from the definitions and not from the checks that they are to test.
"""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ideatrail.evidence.paper import Paper
from ideatrail.trail.oracle import Atom, Lock, Oracle
from ideatrail.trail.turn import Call, Draft, Result, Trail, Turn

STAGES = ("explore", "audit", "synthesize", "ideate", "propose")


@dataclass(frozen=True)
class Clean:
    """An accepted trail with what its Advisor knew and the world that it searched."""

    name: str
    trail: Trail
    oracle: Oracle
    titles: tuple[str, ...]
    """Of the withheld target."""
    cutoff: str
    """`YYYY-MM-DD`."""
    papers: Sequence[Paper]
    """The whole index, later papers among them."""

    @cached_property
    def later_papers(self) -> tuple[Paper, ...]:
        """Papers of the index from a year after the cutoff's."""
        year = int(self.cutoff[:4])
        return tuple(p for p in self.papers if p.date[:4].isdigit() and int(p.date[:4]) > year)

    @cached_property
    def earlier_papers(self) -> tuple[Paper, ...]:
        """Papers of the index from before the cutoff's year."""
        year = int(self.cutoff[:4])
        return tuple(p for p in self.papers if p.date[:4].isdigit() and int(p.date[:4]) < year)

    @cached_property
    def _counts(self) -> Counter[str]:
        """Papers by the roots of the words they hold."""
        texts = (plain(f"{p.title} {' '.join(p.body)}") for p in self.papers)
        return Counter(root for text in texts for root in set(map(_root, text.split())))

    def papers_with(self, root: str) -> int:
        """Papers that hold a word with this root."""
        return self._counts[root]

    @cached_property
    def files_before(self) -> tuple[dict[str, str], ...]:
        """The Generator's own files as they stood before each turn."""
        held: dict[str, str] = {}
        found = []
        for turn in self.trail.turns:
            found.append(dict(held))
            for change in turn.changes:
                held[change.path] = change.after
        return tuple(found)

    @cached_property
    def shown_before(self) -> tuple[str, ...]:
        """`plain` text of the direction and all results before each turn."""
        text = f" {plain(self.trail.user)} "
        found = []
        for turn in self.trail.turns:
            found.append(text)
            text += "".join(f"| {plain(r.content)} " for r in turn.results if r.status == "ok")
        return tuple(found)


@dataclass(frozen=True)
class Site:
    """One turn of a clean trail, with the randomness of one injection."""

    clean: Clean
    at: int
    """Index into `clean.trail.turns`, from 0."""
    rng: random.Random

    @property
    def turn(self) -> Turn:
        """The clean turn."""
        return self.clean.trail.turns[self.at]

    @property
    def draft(self) -> Draft:
        """Its draft: what an operator changes."""
        return self.turn.draft

    @property
    def stage(self) -> str:
        """explore, audit, synthesize, ideate or propose."""
        return self.turn.stage

    @property
    def oracle(self) -> Oracle:
        """Advisor-only: atoms and locks."""
        return self.clean.oracle

    @property
    def before(self) -> tuple[Turn, ...]:
        """The turns before it."""
        return self.clean.trail.turns[: self.at]

    @property
    def after(self) -> tuple[Turn, ...]:
        """The turns after it."""
        return self.clean.trail.turns[self.at + 1 :]

    @property
    def files(self) -> dict[str, str]:
        """Path to text of the Generator's own files before the turn."""
        return self.clean.files_before[self.at]

    @property
    def home(self) -> str:
        """The topic's folder, `research_topics/<slug>`."""
        match = re.search(r"research_topics/[\w.-]+\w", self.clean.trail.system)
        return match.group() if match else "research_topics/topic"

    def shown(self, text: str) -> bool:
        """Whether the words of `text` stood side by side in the direction or a result before."""
        return f" {plain(text)} " in self.clean.shown_before[self.at]

    def rare(self, word: str) -> bool:
        """Whether hardly a paper of the index uses the word, in any of its endings: one in a
        hundred, or three."""
        return self.clean.papers_with(_root(plain(word))) <= max(3, len(self.clean.papers) // 100)

    def any_shown(self, text: str) -> bool:
        """Whether any word of four letters or more of `text` stood there."""
        seen = self.clean.shown_before[self.at]
        return any(f" {w} " in seen for w in plain(text).split() if len(w) > 3)

    @property
    def results(self) -> Iterator[tuple[Call, Result]]:
        """Calls with their results before the turn, in order."""
        for turn in self.before:
            yield from turn.pairs

    def closed_locks(self) -> list[tuple[Lock, Atom, str]]:
        """(lock, its atom, form) for each form that is locked in the turn's stage and of which no
        word of four letters was shown before. Locks of the atom `paper` never open."""
        rank = STAGES.index(self.stage)
        atoms = {a.id: a for a in self.oracle.atoms}
        nothing = Atom(id="", kind="other", text="")
        return [
            (lock, atoms.get(lock.atom, nothing), form)
            for lock in self.oracle.locks
            if lock.atom == "paper" or STAGES.index(lock.opens_at) > rank
            for form in lock.forms
            if not self.any_shown(form) and not self.shown(form)
        ]

    # --- ways to change the draft; all give a new draft ---

    def say(self, sentence: str, draft: Draft | None = None) -> Draft:
        """The draft with `sentence` put between the sentences of its reasoning."""
        draft = draft or self.draft
        parts = re.split(r"(?<=[.!?]) +(?=[A-Z])", draft.reasoning)
        # Not inside a quotation, nor behind an abbreviation: either would be a fault of its own.
        places = [
            n
            for n in range(len(parts) + 1)
            if sum(p.count('"') for p in parts[:n]) % 2 == 0
            and sum(p.count("“") - p.count("”") for p in parts[:n]) == 0
            and not (n and re.search(r"(?:\b(?:e\.g|i\.e|al|cf|vs)|\b[A-Z])\.$", parts[n - 1]))
        ]
        parts.insert(self.rng.choice(places), sentence)
        return replace(draft, reasoning=" ".join(p for p in parts if p))

    def call(self, name: str, draft: Draft | None = None, **given: Any) -> Draft:
        """The draft with one call more."""
        draft = draft or self.draft
        call = Call(f"call_new_{len(draft.calls)}", name, json.dumps(given), given)
        return replace(draft, calls=(*draft.calls, call))

    def calls(self, *names: str) -> list[int]:
        """Indexes of the draft's calls of these tools."""
        return [n for n, c in enumerate(self.draft.calls) if c.name in names]

    def put(self, index: int, draft: Draft | None = None, **given: Any) -> Draft:
        """The draft with arguments of one call changed."""
        draft = draft or self.draft
        old = draft.calls[index]
        parsed = {**old.parsed, **given}
        new = Call(old.id, old.name, json.dumps(parsed), parsed)
        return replace(draft, calls=(*draft.calls[:index], new, *draft.calls[index + 1 :]))

    def authored(self, *files: str) -> list[tuple[int, str, str]]:
        """(call index, argument name, text) of what the draft writes into these artifacts (all
        four by default): `content` of a Write, `new_string` of an Edit."""
        found = []
        for index in self.calls("Write", "Edit"):
            given = self.draft.calls[index].parsed
            path = str(given.get("file_path", ""))
            if files and not path.endswith(files):
                continue
            key = "content" if "content" in given else "new_string"
            if isinstance(given.get(key), str):
                found.append((index, key, given[key]))
        return found

    def rewrite(self, change: Callable[[str], str | None], *files: str) -> Draft | None:
        """The draft with one text that it writes into `files` changed by `change`, the first that
        `change` does not answer with None; None where it finds nothing to change."""
        texts = self.authored(*files)
        self.rng.shuffle(texts)
        for index, key, text in texts:
            new = change(text)
            if new is not None and new != text:
                given: dict[str, Any] = {key: new}
                return self.put(index, **given)
        return None


Injected = Draft | tuple[Draft, ...] | None
"""The changed draft of the turn; or drafts of as many turns in a row that end with it; or None
where the site does not suit."""


@dataclass(frozen=True)
class Operator:
    """One kind of fault, or an innocent twin of one."""

    name: str
    """Short, unique, in words: `base64 of a locked term`."""
    code: str
    """The verdict that it deserves, by its definition; empty for an innocent twin."""
    definition: str
    """The rule that it breaks, or by which it is innocent, in one sentence."""
    make: Callable[[Site], Injected]
    subtle: bool = False
    """Paraphrase, translation and subtle drift: no rule decides them alone."""
    also: tuple[str, ...] = ()
    """Other codes that would be as right."""


def _root(word: str) -> str:
    """A word without what its endings may be, roughly."""
    return re.sub(r"(?:ing|ed|es|s|e|er|ers|ement)$", "", word) if len(word) > 5 else word


def plain(text: str) -> str:
    """Words of `text` in lower case, apart by single spaces, without punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"[^\W_]+", folded))
