"""The steps of the idea candidates: names, mechanisms, novelty and risk, the choice."""

from __future__ import annotations

from ideatrail.models.offline import ideas as ideation
from ideatrail.models.offline import ledger
from ideatrail.models.offline.board import Board
from ideatrail.models.offline.job import Job


def ideas_step(desk: Board) -> Job | None:
    """Next step of the candidates."""
    found = desk.artifact("idea_candidates.md")
    if found.state == "final":
        return None
    ideas = desk.ideas()
    if len(ideas) < 3:
        return None
    if found.state == "absent":
        topic = ledger.topic_of(desk.memory.folder)
        blocks = [(i.id, [f"## {i.id}. {i.name}", "- status: open"]) for i in ideas]
        after = ledger.join_blocks(
            [f"# Idea candidates: {topic}", "", f"Asked: {desk.then_lens.question}"], blocks
        )
        return Job("idea_candidates.md", "skeleton", after, tuple(i.id for i in ideas))
    head, blocks = ledger.split_blocks(desk.text("idea_candidates.md"))
    written = {c.id: c for c in found.candidates}
    by_id = {i.id: i for i in ideas}
    best = desk.leading(ideas)
    limits = {c.id: c.limitation for c in desk.artifact("claim_audit.md").claims}
    if not all(c.mechanism for c in written.values()):
        new = [
            (
                i,
                [
                    *b,
                    f"- mechanism: {ideation.mechanism(by_id[i], desk.then_lens, full=False)}",
                    f"- rests on: {', '.join(by_id[i].claims)}",
                ],
            )
            if i in by_id
            else (i, b)
            for i, b in blocks
        ]
        return Job("idea_candidates.md", "fill", ledger.join_blocks(head, new), tuple(by_id))
    if not all(c.novelty for c in written.values()):
        new = [
            (
                i,
                [
                    *b,
                    f"- novelty: {ideation.novelty(by_id[i])}",
                    f"- risk: {ideation.risk(by_id[i], limits)}",
                ],
            )
            if i in by_id
            else (i, b)
            for i, b in blocks
        ]
        return Job("idea_candidates.md", "fill", ledger.join_blocks(head, new), tuple(by_id))
    sharper = f"- mechanism: {ideation.mechanism(best, desk.then_lens, full=True)}"
    if sharper not in dict(blocks).get(best.id, []):
        new = [
            (i, [sharper if i == best.id and x.startswith("- mechanism:") else x for x in b])
            for i, b in blocks
        ]
        return Job("idea_candidates.md", "revise", ledger.join_blocks(head, new), (best.id,))
    new = []
    for i, b in blocks:
        kept = [x for x in b if x != "- status: open" and not x.startswith("- decision:")]
        if i == best.id:
            kept.append(f"- decision: selected, because {ideation.selection(best, desk.lens)}")
        elif i in by_id:
            reason = ideation.rejection(by_id[i], best, desk.options, desk.lens)
            kept.append(f"- decision: rejected, because {reason}")
        new.append((i, kept))
    return Job("idea_candidates.md", "finalize", ledger.join_blocks(head, new), tuple(by_id))
