"""The Advisor's files of a run: seed, oracle, anchors, milestones, judgements, rejected drafts.

Each is written as its node ends, for people; the run itself resumes from the log alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from ideatrail.run.codec import plain
from ideatrail.run.folder import RunFolder, dump, write_atomic


class AdvisorFiles:
    """Writes `advisor/`. Implements the nodes' `RejectedDrafts`."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        path = folder.advisor / "judgements.jsonl"
        self._judged = path.read_bytes().count(b"\n") if path.exists() else 0

    def keep(self, values: Mapping[str, Any]) -> None:
        """Append one rejected draft."""
        self._folder.append_advisor("rejected.jsonl", values)

    def keep_step(self, update: Mapping[str, Any]) -> None:
        """Write what a node's update holds for the Advisor's side."""
        advisor = self._folder.advisor
        if "seed" in update:
            write_atomic(advisor / "seed.json", dump(plain(update["seed"])))
        if "oracle" in update:
            write_atomic(advisor / "oracle.json", dump(plain(update["oracle"])))
        if "milestones" in update:
            write_atomic(advisor / "milestones.json", dump(plain(update["milestones"])))
        for anchor in update.get("anchors", ()):
            path = advisor / "anchors" / anchor.artifact
            write_atomic(path, anchor.markdown().encode())
        for judgement in update.get("judgements", ())[self._judged :]:
            self._folder.append_advisor("judgements.jsonl", plain(judgement))
            self._judged += 1
        if "ledger" in update:
            self._folder.append_advisor("ledger.jsonl", plain(update["ledger"]))

    def anchor_hashes(self) -> dict[str, str]:
        """SHA-256 of each anchor file, for the manifest."""
        folder = self._folder.advisor / "anchors"
        if not folder.is_dir():
            return {}
        return {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.glob("*.md"))
        }
