"""The writing desk: which step each artifact needs next, and the call that does it.

Each file grows by skeleton, fill, revise and finalize. What a step writes follows from what has been
read and from the file as it stands, so that the next request finds its way without any notes.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

from ideatrail.models.offline import claims as audit
from ideatrail.models.offline import ideas as ideation
from ideatrail.models.offline import proposal as plan
from ideatrail.models.offline import synthesis
from ideatrail.models.offline.claims import Option
from ideatrail.models.offline.edits import edits_between
from ideatrail.models.offline.ideas import Idea
from ideatrail.models.offline.memory import Memory
from ideatrail.models.offline.parts import Part, parts_of
from ideatrail.models.offline.phrases import Lens, topic_stems
from ideatrail.trail.artifacts import Artifact, parse
from ideatrail.trail.stage import ARTIFACTS, ArtifactName, artifact_stage, stage_rank

Step = Literal["skeleton", "fill", "extend", "revise", "finalize"]

FILL_BATCH: Final = 4
"""Claims that one Edit fills."""

_SYNTHESIS_FILLS: Final = (
    ("Problem levels", "Evidence base", "Mechanism hypotheses"),
    ("Contradictions", "Boundaries", "Candidate directions"),
)
_PROPOSAL_FILLS: Final = (
    ("Research question", "Motivation", "Thesis"),
    ("Method", "Expected contribution", "Novelty"),
    ("Evaluation", "Baselines", "Risks", "Implementation"),
)


@dataclass(frozen=True)
class Job:
    """A step on a file."""

    file: ArtifactName
    step: Step
    after: str
    """The whole file once the step is done."""
    ids: tuple[str, ...] = ()
    """Claims, candidates or sections it touches."""


@dataclass
class Desk:
    """The files as they stand, jobs done in this message included."""

    memory: Memory
    lens: Lens
    files: dict[str, str] = field(default_factory=dict)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    _ideas: dict[tuple[str, str], list[Idea]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.files = dict(self.memory.files)

    # What stands

    def artifact(self, name: ArtifactName) -> Artifact:
        """An artifact as it stands on the desk."""
        return parse(name, self.files.get(self.memory.path(name)))

    def text(self, name: ArtifactName) -> str:
        """Its text, empty where there is none."""
        return self.files.get(self.memory.path(name), "")

    @cached_property
    def options(self) -> dict[str, Option]:
        """Claims that the pages read can supply, by their text."""
        return audit.all_options(self.memory, self.lens)

    def claims(self) -> list[tuple[str, Option]]:
        """Claims of the audit with the sentences behind them."""
        found = self.artifact("claim_audit.md").claims
        return [(c.id, self.options[c.text]) for c in found if c.text in self.options]

    def evidence(self) -> synthesis.Evidence:
        """The audit as later files use it."""
        found = self.artifact("claim_audit.md").claims
        settled = [(i, o) for i, o in self.claims() if self._settled(i)]
        contested = {c.id for c in found if c.status == "contested"}
        limits = {c.id: c.limitation for c in found}
        return synthesis.Evidence(
            settled, limits, contested, self.parts(settled, contested), self.lens, self.memory
        )

    def _settled(self, claim_id: str) -> bool:
        return any(
            c.id == claim_id and not audit.is_open(c)
            for c in self.artifact("claim_audit.md").claims
        )

    def parts(self, claims: list[tuple[str, Option]], contested: set[str]) -> list[Part]:
        """Mechanisms to build with, as read before the candidates were first named."""
        return parts_of(self._then, self._then_lens, claims, contested, self._named_at)

    @cached_property
    def _named_at(self) -> int:
        """The message that first wrote the candidates, or the one being made."""
        path = self.memory.path("idea_candidates.md")
        for done in self.memory.calls:
            if done.name == "Write" and done.arguments.get("file_path") == path and not done.refused:
                return done.turn
        return self.memory.steps + 1

    @cached_property
    def _then(self) -> Memory:
        """The memory without pages read after the candidates were named: their names must hold."""
        then = copy.copy(self.memory)
        then.readings = {u: r for u, r in self.memory.readings.items() if r.turn < self._named_at}
        return then

    @cached_property
    def _then_lens(self) -> Lens:
        return lens_of(self.memory, self._named_at)

    def ideas(self) -> list[Idea]:
        """The candidates of the file, or those that would go into it."""
        key = (self.text("claim_audit.md"), self.text("idea_candidates.md"))
        if key not in self._ideas:
            evidence = self.evidence()
            written = self.artifact("idea_candidates.md").candidates
            count = 3 if len(evidence.parts) < 5 else 4
            self._ideas[key] = (
                ideation.recall(self._then, self._then_lens, evidence.parts, written)
                if written
                else ideation.compose(self._then, self._then_lens, evidence.parts, count)
            )
        return self._ideas[key]

    def leading(self, ideas: list[Idea]) -> Idea:
        """The most promising candidate."""
        return max(ideas, key=lambda i: (i.score, i.name))

    # What is next

    def next_job(self) -> Job | None:
        """The next step that the stage allows, in the order of the files."""
        for name in ARTIFACTS:
            if stage_rank(artifact_stage(name)) > stage_rank(self.memory.stage):
                return None
            if name != "claim_audit.md" and not self._ready(name):
                return None
            job = _STEPS[name](self)
            if job is not None:
                return job
        return None

    def _ready(self, name: ArtifactName) -> bool:
        """Whether the files before `name` hold enough to write it from."""
        if not self.claims():
            return False
        return name != "research_proposal.md" or self.artifact("idea_candidates.md").selected is not None

    def pending(self) -> int:
        """About how many steps are left in the files that the stage allows."""
        left = 0
        for name in ARTIFACTS:
            if stage_rank(artifact_stage(name)) <= stage_rank(self.memory.stage):
                left += self._pending(name)
        return left

    def _pending(self, name: ArtifactName) -> int:
        found = self.artifact(name)
        if found.state == "final":
            return 0
        if name == "claim_audit.md":
            waiting = sum(audit.is_open(c) for c in found.claims)
            fills = -(-waiting // FILL_BATCH)
            return 5 if found.state == "absent" else fills + 1
        total = {"synthesis.md": 4, "idea_candidates.md": 5, "research_proposal.md": 5}[name]
        return max(1, total - self.memory.changes.get(self.memory.path(name), 0))

    def do(self, job: Job, most: int = 2) -> bool:
        """Puts the calls of `job` on the desk; False where nothing would change."""
        path = self.memory.path(job.file)
        before = self.files.get(path)
        if before is None:
            if "Write" not in self.memory.tools:
                return False
            self.calls.append(("Write", {"file_path": path, "content": job.after}))
        else:
            pairs = edits_between(before, job.after, most)
            if not pairs or "Edit" not in self.memory.tools:
                return False
            for old, new in pairs:
                self.calls.append(
                    ("Edit", {"file_path": path, "old_string": old, "new_string": new})
                )
        self.files[path] = job.after
        return True

    # The four files

    def audit_step(self) -> Job | None:
        """Next step of the claim audit."""
        found = self.artifact("claim_audit.md")
        if found.state == "absent":
            return self._audit_skeleton()
        if found.state == "final":
            return None
        head, blocks = audit.split_blocks(self.text("claim_audit.md"))
        waiting = [c.id for c in found.claims if audit.is_open(c) and c.text in self.options]
        claims = dict(self.claims())
        if waiting:
            batch = tuple(waiting[:FILL_BATCH])
            new = [
                (i, audit.block(i, claims[i], self.memory, self.lens, full=False) if i in batch else b)
                for i, b in blocks
            ]
            return Job("claim_audit.md", "fill", audit.join_blocks(head, new), batch)
        extra = self._extra_claims(len(found.claims))
        if extra:
            new = list(blocks)
            number = max(int(c.id[1:]) for c in found.claims)
            for offset, option in enumerate(extra, start=1):
                name = f"C{number + offset}"
                new.append((name, audit.block(name, option, self.memory, self.lens, full=False)))
            return Job(
                "claim_audit.md",
                "extend",
                audit.join_blocks(head, new),
                tuple(f"C{number + k}" for k in range(1, len(extra) + 1)),
            )
        return self._audit_close(head, blocks, claims)

    def _audit_skeleton(self) -> Job | None:
        wanted = 9 if self.memory.budget >= 24 else 7
        chosen = audit.choose(self.memory, self.lens, wanted, [])
        if not chosen:
            return None
        topic = audit.topic_of(self.memory.folder)
        blocks = [(f"C{n}", audit.open_block(f"C{n}", o)) for n, o in enumerate(chosen, start=1)]
        after = audit.join_blocks([f"# Claim audit: {topic}"], blocks)
        return Job("claim_audit.md", "skeleton", after, tuple(i for i, _ in blocks))

    def _extra_claims(self, have: int) -> list[Option]:
        """Claims from pages that none rests on yet, while the audit is young enough."""
        path = self.memory.path("claim_audit.md")
        if have >= audit.MOST_CLAIMS or self.memory.changes.get(path, 0) > 5:
            return []
        taken = [o for _, o in self.claims()]
        urls = {o.url for o in taken}
        found = [
            o
            for o in audit.choose(self.memory, self.lens, 3, taken)
            if have < 5 or (o.url not in urls and self.lens.fit(o.sentence.text) > 0.3)
        ]
        return found[: max(2, 5 - have)]

    def _audit_close(
        self, head: list[str], blocks: list[tuple[str, list[str]]], claims: dict[str, Option]
    ) -> Job | None:
        """Statuses and implications, now that all claims can be seen side by side."""
        if all(any(x.startswith("- implication:") for x in lines) for _, lines in blocks):
            return None
        rivals = self._rivals(claims)
        new = []
        touched = []
        for claim_id, lines in blocks:
            option = claims.get(claim_id)
            kept = [x for x in lines if not x.startswith("- implication:")]
            rival = rivals.get(claim_id, "")
            if rival:
                kept = [
                    "- status: contested" if x.startswith("- status: ") else x for x in kept
                ]
            if option is not None:
                kept.append(f"- implication: {audit.implication(option, self.lens, rival)}")
            new.append((claim_id, kept))
            if kept != lines:
                touched.append(claim_id)
        if not touched:
            return None
        return Job("claim_audit.md", "finalize", audit.join_blocks(head, new), tuple(touched))

    def _rivals(self, claims: dict[str, Option]) -> dict[str, str]:
        out: dict[str, str] = {}
        for tension in audit.tensions(list(claims.items()), self.memory, self.lens):
            if tension.opposed and len(out) < 4:
                out[tension.a], out[tension.b] = tension.b, tension.a
        return out

    def synthesis_step(self) -> Job | None:
        """Next step of the synthesis."""
        found = self.artifact("synthesis.md")
        if found.state == "absent":
            after = synthesis.skeleton(audit.topic_of(self.memory.folder))
            return Job("synthesis.md", "skeleton", after)
        if found.state == "final":
            return None
        evidence = self.evidence()
        return self._sections_step(
            "synthesis.md", _SYNTHESIS_FILLS, lambda h: synthesis.section(evidence, h)
        )

    def ideas_step(self) -> Job | None:
        """Next step of the candidates."""
        found = self.artifact("idea_candidates.md")
        if found.state == "final":
            return None
        ideas = self.ideas()
        if len(ideas) < 3:
            return None
        if found.state == "absent":
            topic = audit.topic_of(self.memory.folder)
            blocks = [(i.id, [f"## {i.id}. {i.name}", "- status: open"]) for i in ideas]
            after = audit.join_blocks([f"# Idea candidates: {topic}"], blocks)
            return Job("idea_candidates.md", "skeleton", after, tuple(i.id for i in ideas))
        head, blocks = audit.split_blocks(self.text("idea_candidates.md"))
        written = {c.id: c for c in found.candidates}
        by_id = {i.id: i for i in ideas}
        best = self.leading(ideas)
        limits = {c.id: c.limitation for c in self.artifact("claim_audit.md").claims}
        if not all(c.mechanism for c in written.values()):
            new = [
                (i, [*b, f"- mechanism: {ideation.mechanism(by_id[i], self._then_lens, full=False)}",
                     f"- rests on: {', '.join(by_id[i].claims)}"]) if i in by_id else (i, b)
                for i, b in blocks
            ]
            return Job("idea_candidates.md", "fill", audit.join_blocks(head, new), tuple(by_id))
        if not all(c.novelty for c in written.values()):
            new = [
                (i, [*b, f"- novelty: {ideation.novelty(by_id[i])}",
                     f"- risk: {ideation.risk(by_id[i], limits)}"]) if i in by_id else (i, b)
                for i, b in blocks
            ]
            return Job("idea_candidates.md", "fill", audit.join_blocks(head, new), tuple(by_id))
        sharper = f"- mechanism: {ideation.mechanism(best, self._then_lens, full=True)}"
        if sharper not in dict(blocks).get(best.id, []):
            new = [
                (i, [sharper if i == best.id and x.startswith("- mechanism:") else x for x in b])
                for i, b in blocks
            ]
            return Job("idea_candidates.md", "revise", audit.join_blocks(head, new), (best.id,))
        new = []
        for i, b in blocks:
            kept = [x for x in b if x != "- status: open" and not x.startswith("- decision:")]
            if i == best.id:
                kept.append(f"- decision: selected, because {ideation.selection(best, self.lens)}")
            elif i in by_id:
                reason = ideation.rejection(by_id[i], best, self.options, self.lens)
                kept.append(f"- decision: rejected, because {reason}")
            new.append((i, kept))
        return Job("idea_candidates.md", "finalize", audit.join_blocks(head, new), tuple(by_id))

    def selected(self) -> Idea | None:
        """The candidate that the file selects."""
        chosen = self.artifact("idea_candidates.md").selected
        if chosen is None:
            return None
        return next((i for i in self.ideas() if i.id == chosen.id), None)

    def proposal_step(self) -> Job | None:
        """Next step of the proposal."""
        idea = self.selected()
        found = self.artifact("research_proposal.md")
        if idea is None or found.state == "final":
            return None
        if found.state == "absent":
            return Job("research_proposal.md", "skeleton", plan.skeleton(idea), (idea.id,))
        evidence = self.evidence()
        rejected = [
            c.id for c in self.artifact("idea_candidates.md").candidates if c.id != idea.id
        ]
        return self._sections_step(
            "research_proposal.md",
            _PROPOSAL_FILLS,
            lambda h: plan.section(evidence, idea, h, rejected),
        )

    def _sections_step(self, name: ArtifactName, fills: Any, write: Any) -> Job | None:
        """Fills the next group of sections; once all are filled, closes the open markers."""
        text = self.text(name)
        for group in fills:
            if any(not self._section_body(text, h) for h in group):
                after = text
                for heading in group:
                    keep_open = heading == group[-1]
                    lines = list(write(heading))
                    if keep_open:
                        lines.append("- status: open")
                    after = self._put_section(after, heading, lines)
                return Job(name, "fill", after, tuple(group))
        after = text.replace("\n- status: open", "")
        after = _sharpen(after, name, self)
        return Job(name, "finalize", after) if after != text else None

    @staticmethod
    def _section_body(text: str, heading: str) -> str:
        match = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
        body = match.group(1) if match else ""
        return body.replace("- status: open", "").strip()

    @staticmethod
    def _put_section(text: str, heading: str, lines: list[str]) -> str:
        fresh = f"## {heading}\n" + "\n".join(lines) + "\n\n"
        out = re.sub(
            rf"^## {re.escape(heading)}\n.*?(?=^## |\Z)", lambda _: fresh, text, flags=re.M | re.S
        )
        return out.rstrip("\n") + "\n"


def _sharpen(text: str, name: ArtifactName, desk: Desk) -> str:
    """One sentence made more exact at the end: a revision that really changes the file."""
    evidence = desk.evidence()
    if name == "synthesis.md" and evidence.contested:
        ids = ", ".join(f"[{i}]" for i, _ in evidence.claims if i in evidence.contested)
        line = f"Contested in the audit: {ids}. Nothing below may rest on one of them alone."
        return Desk._put_section(
            text, "Boundaries", [*Desk._section_body(text, "Boundaries").split("\n"), line]
        )
    return text


def lens_of(memory: Memory, before: int | None = None) -> Lens:
    """The lens as sharpened by what was observed before message `before`."""
    documents: list[tuple[str, frozenset[str]]] = []
    for search in memory.searches:
        if before is None or search.turn < before:
            asked = topic_stems(search.query)
            documents += [(f"{h.title} {h.snippet}", asked) for h in search.new]
    return Lens(memory.direction, documents)


_STEPS: Final[dict[ArtifactName, Any]] = {
    "claim_audit.md": Desk.audit_step,
    "synthesis.md": Desk.synthesis_step,
    "idea_candidates.md": Desk.ideas_step,
    "research_proposal.md": Desk.proposal_step,
}
