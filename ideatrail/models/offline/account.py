"""Thinking aloud about one's own files: why a claim, a status, a candidate, a decision."""

from __future__ import annotations

import random

from ideatrail.models.offline import ideas as ideation
from ideatrail.models.offline.claims import Option
from ideatrail.models.offline.desk import Desk
from ideatrail.models.offline.ideas import Idea
from ideatrail.models.offline.job import Job
from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory
from ideatrail.models.offline.notes import Notes
from ideatrail.models.offline.restate import decapitalise, span
from ideatrail.models.offline.speech import Voice, listed, number
from ideatrail.models.offline.tension import Tension


class Account:
    """Remarks on the writing jobs of a message."""

    def __init__(
        self, memory: Memory, lens: Lens, desk: Desk, voice: Voice, notes: Notes, rng: random.Random
    ) -> None:
        self.memory = memory
        self.lens = lens
        self.desk = desk
        self.voice = voice
        self.notes = notes
        self.rng = rng

    def on(self, job: Job) -> None:
        """Says why `job` is done; to be called after it stands on the desk."""
        if job.file == "claim_audit.md":
            self._audit(job)
        elif job.file == "synthesis.md":
            self._synthesis(job)
        elif job.file == "idea_candidates.md":
            self._ideas(job)
        else:
            self._proposal(job)

    # The audit

    def _claim_slots(self, claim_id: str, option: Option) -> dict[str, str]:
        reading = self.memory.readings[option.url]
        slots = self.notes.slots(reading)
        slots["id"] = claim_id
        slots["terms"] = listed(self.lens.shared(option.sentence.text, 2))
        slots["quote"] = span(option.sentence.text)
        limits = {c.id: c.limitation for c in self.desk.artifact("claim_audit.md").claims}
        slots["limit"] = limits.get(claim_id, "").split(";")[0].rstrip(".")
        slots["stmt"] = decapitalise(option.claim.rstrip("."))
        return slots

    def _audit(self, job: Job) -> None:
        claims = dict(self.desk.claims())
        ids = [i for i in job.ids if i in claims]
        if job.step == "skeleton":
            self.voice.say("audit_start", count=number(len(ids)))
            for claim_id in self._some(ids, 4):
                self.voice.say("audit_choice", **self._claim_slots(claim_id, claims[claim_id]))
            used = {o.url for o in claims.values()}
            left = [
                r
                for u, r in self.memory.readings.items()
                if u not in used and self.notes.page_fit(r) < 0.45
            ]
            if left:
                self.voice.say("audit_leave", **self.notes.slots(self.rng.choice(left)))
        elif job.step == "fill":
            for claim_id in self._some(ids, 3):
                slots = self._claim_slots(claim_id, claims[claim_id])
                self.voice.say("fill", **slots)
                self.voice.say("limit", **slots)
            if self.rng.random() < 0.5:
                self.voice.say("support_note") if self._abstract(ids, claims) else None
        elif job.step == "extend":
            for claim_id in ids:
                self.voice.say("audit_more", **self._claim_slots(claim_id, claims[claim_id]))
        else:
            self._close_audit(claims)

    def _abstract(self, ids: list[str], claims: dict[str, Option]) -> bool:
        return any(not self.memory.readings[claims[i].url].page.summary for i in ids)

    def _some(self, ids: list[str], most: int) -> list[str]:
        picked = self.rng.sample(ids, min(most, len(ids)))
        return sorted(picked, key=lambda i: int(i[1:]))

    def _close_audit(self, claims: dict[str, Option]) -> None:
        found = self.desk.artifact("claim_audit.md").claims
        contested = [c.id for c in found if c.status == "contested" and c.id in claims]
        for tension in self.desk.evidence().pairs:
            if tension.opposed and tension.a in contested:
                self.voice.say("contest", a=tension.a, b=tension.b)
                self._clash(tension)
        missing = self.lens.missing(" ".join(o.sentence.text for o in claims.values()), 2)
        if missing:
            self.voice.say("audit_gap", missing=listed(missing, "or"))
        weakest = min(claims, key=lambda i: self.lens.fit(claims[i].sentence.text))
        self.voice.say("audit_weak", id=weakest)
        supported = sum(c.status == "supported" for c in found)
        self.voice.say("audit_done", supported=number(supported), contested=number(len(contested)))

    def _clash(self, tension: Tension) -> None:
        claims = dict(self.desk.claims())
        said = [
            self.notes.statement(sentence, self.memory.readings[claims[i].url], 160)
            for i, sentence in ((tension.a, tension.said_a), (tension.b, tension.said_b))
        ]
        self.voice.say("contest_why", sa=said[0], sb=said[1])

    # The synthesis

    def _synthesis(self, job: Job) -> None:
        evidence = self.desk.evidence()
        ids = [i for i, _ in evidence.claims]
        if job.step == "skeleton":
            self.voice.say("syn_start")
            if evidence.pairs:
                t = evidence.pairs[0]
                self.voice.say("syn_tension", a=t.a, b=t.b, term=t.term)
            return
        if job.step == "finalize":
            self.voice.say("syn_done")
            if evidence.contested:
                self.voice.say("syn_bound", ids=listed(sorted(evidence.contested, key=_number)[:3]))
            return
        if "Problem levels" in job.ids and len(ids) > 1:
            bad = evidence.by("problem", "limitation", negative=True)
            first = bad[0][0] if bad else ids[0]
            other = next((i for i, _ in evidence.by("mechanism", "finding") if i != first), ids[-1])
            self.voice.say("syn_levels", a=first, b=other)
            self.voice.say("syn_base", ids=listed(self._some(ids, 3)))
            for part in evidence.parts[:2]:
                self.voice.say("syn_mech", thing=part.noun, term=part.term, id=part.claim)
        else:
            for t in evidence.pairs[:2]:
                self.voice.say("syn_tension", a=t.a, b=t.b, term=t.term)
                self._clash(t)
            self.voice.say("syn_bound", ids=listed(self._some(ids, 2)))
            self.voice.say("syn_dirs")

    # The candidates

    def _ideas(self, job: Job) -> None:
        ideas = [i for i in self.desk.ideas() if i.id in job.ids] or self.desk.ideas()
        best = self.desk.leading(self.desk.ideas())
        if job.step == "skeleton":
            self.voice.say("idea_start", count=number(len(ideas)))
            for idea in ideas:
                self._from(idea)
        elif job.step == "fill" and any(
            c.novelty for c in self.desk.artifact("idea_candidates.md").candidates
        ):
            for idea in ideas[:3]:
                self._novel(idea)
                self.voice.say("idea_risk", id=idea.id, risk=self.risk(idea))
        elif job.step == "fill":
            for idea in ideas:
                self._from(idea)
            self.voice.say("idea_fit", id=best.id, shared=self.shared(best))
        elif job.step == "revise":
            self.voice.say("idea_revise", id=best.id)
            self._mechanism(best)
        else:
            self._decide(ideas, best)

    def _from(self, idea: Idea) -> None:
        if len(idea.parts) > 1:
            self.voice.say(
                "idea_from",
                id=idea.id,
                cite_a=idea.parts[0].page.cite,
                cite_b=idea.parts[1].page.cite,
                gist=ideation.gist(idea),
            )
        else:
            self.voice.say("idea_alone", id=idea.id, cite_a=idea.parts[0].page.cite)

    def _novel(self, idea: Idea) -> None:
        if len(idea.parts) > 1:
            self.voice.say("idea_novel", id=idea.id, cite=idea.neighbour)

    def risk(self, idea: Idea) -> str:
        return ideation.risk(idea, {}).split(";")[0]

    def shared(self, idea: Idea) -> str:
        return listed(self.lens.shared(" ".join(p.fragment.sentence.text for p in idea.parts), 3))

    def _mechanism(self, idea: Idea) -> None:
        for part in idea.parts:
            text = self.notes.statement(part.fragment.sentence, self.memory.readings[part.url], 170)
            if text:
                self.voice.say("page_mech", stmt=text)

    def _decide(self, ideas: list[Idea], best: Idea) -> None:
        written = {c.id: c for c in self.desk.artifact("idea_candidates.md").candidates}
        for idea in ideas:
            if idea.id != best.id and idea.id in written:
                reason = written[idea.id].decision.partition("because ")[2].rstrip(".")
                self.voice.say("idea_drop", id=idea.id, reason=_bare(reason))
        chosen = written.get(best.id)
        if chosen is not None:
            reason = chosen.decision.partition("because ")[2].split(";")[0]
            self.voice.say("idea_pick", id=best.id, reason=_bare(reason))
            self.voice.say("idea_fit", id=best.id, shared=self.shared(best))

    # The proposal

    def _proposal(self, job: Job) -> None:
        idea = self.desk.selected()
        if idea is None:
            return
        if job.step == "skeleton":
            self.voice.say("prop_start", id=idea.id)
            self._mechanism(idea)
        elif job.step == "finalize":
            self.voice.say("prop_done")
            self.voice.say("idea_risk", id=idea.id, risk=self.risk(idea))
        else:
            self.voice.say(
                "prop_part",
                sections=listed([s.lower() for s in job.ids]),
                ids=listed([*idea.claims, idea.id]),
            )
            if "Method" in job.ids:
                self.voice.say("prop_method")
            if "Evaluation" in job.ids:
                self.voice.say("prop_eval")
                self.voice.say("prop_eval")
            if "Motivation" in job.ids:
                evidence = self.desk.evidence()
                for t in evidence.pairs[:1]:
                    self.voice.say("syn_tension", a=t.a, b=t.b, term=t.term)


def _bare(text: str) -> str:
    """A reason without the brackets of its citations."""
    return text.replace("[", "").replace("]", "")


def _number(claim_id: str) -> int:
    return int(claim_id[1:])
