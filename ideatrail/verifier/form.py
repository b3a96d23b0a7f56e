"""malformed_call: drafts that cannot run, or hold nothing."""

from __future__ import annotations

from typing import Final

from ideatrail.trail.stage import ArtifactName
from ideatrail.trail.verdict import Code, Pointer
from ideatrail.verifier.case import Case
from ideatrail.verifier.means import Bench, Means, Need, Opinion
from ideatrail.verifier.view import View

MOST_CALLS: Final = 13
"""The widest fan-out of the published trails."""


class FormCheck:
    """The form of an assistant message."""

    name = "form"
    codes: frozenset[Code] = frozenset({"malformed_call"})
    needs: frozenset[Need] = frozenset()

    def __init__(self, means: Means) -> None:
        self._tools = means.tools
        self._arguments = means.arguments

    def judge(self, case: Case, view: View) -> Opinion:
        """The model's own faults first, then each call, then the message."""
        layers = ("model", "tool", "arguments", "reasoning", "ending", "width")
        bench = Bench(self.name, "malformed_call", layers)
        if self._arguments is None:
            bench.skip("arguments", "no check of arguments was given")
        draft = case.draft
        for fault in draft.faults:
            where = draft.faulty_call
            pointer = Pointer("call", where) if where is not None else Pointer("reasoning")
            bench.hit("model", pointer, fault)
        for index, call in enumerate(draft.calls):
            pointer = Pointer("call", index)
            if call.name not in self._tools:
                bench.hit("tool", pointer, f"no tool {call.name!r}")
            elif not isinstance(call.parsed, dict):
                bench.hit("arguments", pointer, "arguments are no object")
            elif self._arguments is not None:
                reason = self._arguments(call.name, call.parsed)
                if reason:
                    bench.hit("arguments", pointer, reason)
        if not draft.reasoning.strip():
            bench.hit("reasoning", Pointer("reasoning"), "blank reasoning")
        if not draft.calls:
            end: ArtifactName = (
                "research_proposal.md" if case.stage == "propose" else "idea_candidates.md"
            )
            if view.artifacts[end].state != "final":
                bench.hit("ending", Pointer("reasoning"), f"no call, and {end} is not final")
        if len(draft.calls) > MOST_CALLS:
            bench.hit("width", Pointer("call", MOST_CALLS), f"{len(draft.calls)} calls")
        return bench.opinion()
