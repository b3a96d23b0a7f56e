"""The writing desk: which step each artifact needs next, and the call that does it.

Each file grows by skeleton, fill, revise and finalize. What a step writes follows from what was
read and from the file as it stands, so that the next request finds its way without any notes.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from ideatrail.models.offline import ideas as ideation
from ideatrail.models.offline import ledger, synthesis
from ideatrail.models.offline.audit_steps import FILL_BATCH, audit_step
from ideatrail.models.offline.claims import Option, all_options
from ideatrail.models.offline.edits import edits_between
from ideatrail.models.offline.idea_steps import ideas_step
from ideatrail.models.offline.ideas import Idea
from ideatrail.models.offline.job import Job
from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory
from ideatrail.models.offline.parts import Part, parts_of
from ideatrail.models.offline.phrases import topic_stems
from ideatrail.models.offline.section_steps import proposal_step, synthesis_step
from ideatrail.trail.artifacts import Artifact, parse
from ideatrail.trail.stage import ARTIFACTS, ArtifactName, artifact_stage, stage_rank


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
        return all_options(self.memory, self.lens)

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
            c.id == claim_id and not ledger.is_open(c)
            for c in self.artifact("claim_audit.md").claims
        )

    def parts(self, claims: list[tuple[str, Option]], contested: set[str]) -> list[Part]:
        """Mechanisms to build with, as read before the candidates were first named."""
        return parts_of(self.then, self.then_lens, claims, contested, self._named_at)

    @cached_property
    def _named_at(self) -> int:
        """The message that first wrote the candidates, or the one being made."""
        path = self.memory.path("idea_candidates.md")
        for done in self.memory.calls:
            if (
                done.name == "Write"
                and done.arguments.get("file_path") == path
                and not done.refused
            ):
                return done.turn
        return self.memory.steps + 1

    @cached_property
    def then(self) -> Memory:
        """The memory without pages read after the candidates were named: their names must hold."""
        then = copy.copy(self.memory)
        then.readings = {u: r for u, r in self.memory.readings.items() if r.turn < self._named_at}
        return then

    @cached_property
    def then_lens(self) -> Lens:
        return lens_of(self.memory, self._named_at)

    def ideas(self) -> list[Idea]:
        """The candidates of the file, or those that would go into it."""
        key = (self.text("claim_audit.md"), self.text("idea_candidates.md"))
        if key not in self._ideas:
            evidence = self.evidence()
            written = self.artifact("idea_candidates.md").candidates
            count = 3 if len(evidence.parts) < 5 else 4
            self._ideas[key] = (
                ideation.recall(self.then, self.then_lens, evidence.parts, written)
                if written
                else ideation.compose(self.then, self.then_lens, evidence.parts, count)
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
        return (
            name != "research_proposal.md"
            or self.artifact("idea_candidates.md").selected is not None
        )

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
            waiting = sum(ledger.is_open(c) for c in found.claims)
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

    def selected(self) -> Idea | None:
        """The candidate that the file selects."""
        chosen = self.artifact("idea_candidates.md").selected
        if chosen is None:
            return None
        return next((i for i in self.ideas() if i.id == chosen.id), None)


def lens_of(memory: Memory, before: int | None = None) -> Lens:
    """The lens as sharpened by what was observed before message `before`."""
    documents: list[tuple[str, frozenset[str]]] = []
    for search in memory.searches:
        if before is None or search.turn < before:
            asked = topic_stems(search.query)
            documents += [(f"{h.title} {h.snippet}", asked) for h in search.new]
    return Lens(memory.direction, documents)


_STEPS: Final[dict[ArtifactName, Callable[[Desk], Job | None]]] = {
    "claim_audit.md": audit_step,
    "synthesis.md": synthesis_step,
    "idea_candidates.md": ideas_step,
    "research_proposal.md": proposal_step,
}
