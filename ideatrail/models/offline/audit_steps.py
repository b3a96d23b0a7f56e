"""The steps of the claim audit: skeleton, fill, extend, close."""

from __future__ import annotations

from typing import Final

from ideatrail.models.offline import ledger
from ideatrail.models.offline.board import Board
from ideatrail.models.offline.claims import MOST_CLAIMS, Option, choose
from ideatrail.models.offline.job import Job
from ideatrail.models.offline.tension import tensions
from ideatrail.trail.artifacts import MIN_CLAIMS

FILL_BATCH: Final = 4
"""Claims that one Edit fills."""


def audit_step(desk: Board) -> Job | None:
    """Next step of the claim audit."""
    found = desk.artifact("claim_audit.md")
    if found.state == "absent":
        return _skeleton(desk)
    if found.state == "final":
        return None
    head, blocks = ledger.split_blocks(desk.text("claim_audit.md"))
    waiting = [c.id for c in found.claims if ledger.is_open(c) and c.text in desk.options]
    claims = dict(desk.claims())
    if waiting:
        # A claim that could not be taken as it was waits for the others, and comes barer then.
        doubted = desk.memory.doubted
        free = [i for i in waiting if i not in doubted]
        bare = not free or (desk.memory.file_doubted and not doubted)
        batch = tuple((free or waiting)[: 2 if bare else FILL_BATCH])
        new = [
            (
                i,
                ledger.block(i, claims[i], desk.memory, desk.lens, full=False, bare=bare)
                if i in batch
                else b,
            )
            for i, b in blocks
        ]
        return Job("claim_audit.md", "fill", ledger.join_blocks(head, new), batch)
    extra = _extra(desk, len(found.claims))
    if extra:
        new = list(blocks)
        number = max(int(c.id[1:]) for c in found.claims)
        for offset, option in enumerate(extra, start=1):
            name = f"C{number + offset}"
            new.append((name, ledger.block(name, option, desk.memory, desk.lens, full=False)))
        return Job(
            "claim_audit.md",
            "extend",
            ledger.join_blocks(head, new),
            tuple(f"C{number + k}" for k in range(1, len(extra) + 1)),
        )
    return _close(desk, head, blocks, claims)


def _skeleton(desk: Board) -> Job | None:
    wanted = 9 if desk.memory.budget >= 24 else 7
    doubted = desk.memory.doubted
    found = choose(desk.memory, desk.lens, wanted + len(doubted), [])
    chosen = [o for n, o in enumerate(found, start=1) if f"C{n}" not in doubted]
    if desk.memory.file_doubted and not doubted:
        chosen = [o for o in chosen if not any(c.isdigit() for c in o.sentence.text)] or chosen
    if not chosen:
        return None
    topic = ledger.topic_of(desk.memory.folder)
    blocks = [(f"C{n}", ledger.open_block(f"C{n}", o)) for n, o in enumerate(chosen, start=1)]
    after = ledger.join_blocks([f"# Claim audit: {topic}"], blocks)
    return Job("claim_audit.md", "skeleton", after, tuple(i for i, _ in blocks))


def _extra(desk: Board, have: int) -> list[Option]:
    """Claims from pages that none rests on yet, while the audit is young enough."""
    path = desk.memory.path("claim_audit.md")
    if desk.memory.file_doubted and have >= MIN_CLAIMS:
        return []
    if have >= MOST_CLAIMS or desk.memory.changes.get(path, 0) > 5:
        return []
    taken = [o for _, o in desk.claims()]
    urls = {o.url for o in taken}
    found = [
        o
        for o in choose(desk.memory, desk.lens, 3, taken)
        if have < 5 or (o.url not in urls and desk.lens.fit(o.sentence.text) > 0.3)
    ]
    return found[: max(2, 5 - have)]


def _close(
    desk: Board, head: list[str], blocks: list[tuple[str, list[str]]], claims: dict[str, Option]
) -> Job | None:
    """Statuses and implications, now that all claims can be seen side by side."""
    if all(any(x.startswith("- implication:") for x in lines) for _, lines in blocks):
        return None
    rivals = _rivals(desk, claims)
    new = []
    touched = []
    for claim_id, lines in blocks:
        option = claims.get(claim_id)
        kept = [x for x in lines if not x.startswith("- implication:")]
        rival = rivals.get(claim_id, "")
        if rival:
            kept = ["- status: contested" if x.startswith("- status: ") else x for x in kept]
        if option is not None:
            kept.append(f"- implication: {ledger.implication(option, desk.lens, rival)}")
        new.append((claim_id, kept))
        if kept != lines:
            touched.append(claim_id)
    if not touched:
        return None
    return Job("claim_audit.md", "finalize", ledger.join_blocks(head, new), tuple(touched))


def _rivals(desk: Board, claims: dict[str, Option]) -> dict[str, str]:
    out: dict[str, str] = {}
    for tension in tensions(list(claims.items()), desk.memory, desk.lens):
        if tension.opposed and len(out) < 4:
            out[tension.a], out[tension.b] = tension.b, tension.a
    return out
