"""premature_artifact: files before their stage, before the one they rest on, or in one block."""

from __future__ import annotations

from ideatrail.trail.artifacts import Artifact
from ideatrail.trail.simulate import normal_path
from ideatrail.trail.stage import ARTIFACTS, ArtifactName, artifact_stage, stage_rank
from ideatrail.trail.verdict import Code, Pointer
from ideatrail.verifier.case import Case
from ideatrail.verifier.means import Bench, Means, Need, Opinion
from ideatrail.verifier.view import View

_DONE = ("filled", "final")


class OrderCheck:
    """Artifacts come one after the other, and grow."""

    name = "order"
    codes: frozenset[Code] = frozenset({"premature_artifact"})
    needs: frozenset[Need] = frozenset()

    def __init__(self, means: Means) -> None:
        pass

    def judge(self, case: Case, view: View) -> Opinion:
        """Each authoring call, in order: two in a row see each other's result."""
        layers = ("stage", "before", "one block", "place")
        bench = Bench(self.name, "premature_artifact", layers)
        now: dict[ArtifactName, Artifact] = dict(view.artifacts)
        for edit in case.edits:
            pointer = Pointer("file", edit.call)
            name = edit.name
            if name is None or edit.new is None:
                continue
            if view.home and edit.path != normal_path(f"{view.home}/{name}"):
                bench.hit("place", pointer, edit.path)
                continue
            if stage_rank(case.stage) < stage_rank(artifact_stage(name)):
                bench.hit("stage", pointer, f"{name} in stage {case.stage}")
            place = ARTIFACTS.index(name)
            if place and now[ARTIFACTS[place - 1]].state in ("absent", "skeleton"):
                bench.hit("before", pointer, f"{ARTIFACTS[place - 1]} has no content yet")
            if edit.tool == "Write" and edit.new.state in _DONE:
                # Overwriting a skeleton with the finished text is the same single block.
                start = edit.old.state if edit.old is not None else "absent"
                if start in ("absent", "skeleton"):
                    bench.hit("one block", pointer, f"{name}: {start} to {edit.new.state}")
            now[name] = edit.new
        return bench.opinion()
