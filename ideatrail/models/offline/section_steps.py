"""The steps of the synthesis and of the proposal: headings, groups of sections, a last revision."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from ideatrail.models.offline import ledger, synthesis
from ideatrail.models.offline import proposal as plan
from ideatrail.models.offline.board import Board
from ideatrail.models.offline.job import Job
from ideatrail.trail.stage import ArtifactName

_SYNTHESIS_FILLS: Final = (
    ("Problem levels", "Evidence base", "Mechanism hypotheses"),
    ("Contradictions", "Boundaries", "Candidate directions"),
)
_PROPOSAL_FILLS: Final = (
    ("Research question", "Motivation", "Thesis"),
    ("Method", "Expected contribution", "Novelty"),
    ("Evaluation", "Baselines", "Risks", "Implementation"),
)


def synthesis_step(desk: Board) -> Job | None:
    """Next step of the synthesis."""
    found = desk.artifact("synthesis.md")
    if found.state == "absent":
        after = synthesis.skeleton(ledger.topic_of(desk.memory.folder))
        return Job("synthesis.md", "skeleton", after)
    if found.state == "final":
        return None
    evidence = desk.evidence()
    return _sections(
        desk, "synthesis.md", _SYNTHESIS_FILLS, lambda h: synthesis.section(evidence, h)
    )


def proposal_step(desk: Board) -> Job | None:
    """Next step of the proposal."""
    idea = desk.selected()
    found = desk.artifact("research_proposal.md")
    if idea is None or found.state == "final":
        return None
    if found.state == "absent":
        return Job("research_proposal.md", "skeleton", plan.skeleton(idea), (idea.id,))
    evidence = desk.evidence()
    rejected = [c.id for c in desk.artifact("idea_candidates.md").candidates if c.id != idea.id]
    return _sections(
        desk,
        "research_proposal.md",
        _PROPOSAL_FILLS,
        lambda h: plan.section(evidence, idea, h, rejected),
    )


def _sections(
    desk: Board,
    name: ArtifactName,
    fills: Sequence[tuple[str, ...]],
    write: Callable[[str], list[str]],
) -> Job | None:
    """Fills the next group of sections; once all are filled, closes the open markers."""
    text = desk.text(name)
    for group in fills:
        if any(not section_body(text, h) for h in group):
            after = text
            for heading in group:
                keep_open = heading == group[-1]
                lines = list(write(heading))
                if keep_open:
                    lines.append("- status: open")
                after = put_section(after, heading, lines)
            return Job(name, "fill", after, tuple(group))
    after = text.replace("\n- status: open", "")
    after = _sharpen(after, name, desk)
    return Job(name, "finalize", after) if after != text else None


def section_body(text: str, heading: str) -> str:
    match = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    body = match.group(1) if match else ""
    return body.replace("- status: open", "").strip()


def put_section(text: str, heading: str, lines: list[str]) -> str:
    fresh = f"## {heading}\n" + "\n".join(lines) + "\n\n"
    out = re.sub(
        rf"^## {re.escape(heading)}\n.*?(?=^## |\Z)", lambda _: fresh, text, flags=re.M | re.S
    )
    return out.rstrip("\n") + "\n"


def _sharpen(text: str, name: ArtifactName, desk: Board) -> str:
    """One sentence made more exact at the end: a revision that really changes the file."""
    evidence = desk.evidence()
    if name == "synthesis.md" and evidence.contested:
        ids = ", ".join(f"[{i}]" for i, _ in evidence.claims if i in evidence.contested)
        line = f"Contested in the audit: {ids}. Nothing below may rest on one of them alone."
        return put_section(
            text, "Boundaries", [*section_body(text, "Boundaries").split("\n"), line]
        )
    return text
