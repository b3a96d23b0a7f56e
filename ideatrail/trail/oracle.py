"""Advisor-only values: seed, oracle, anchors, milestones (paper, sections 4.2 to 4.7)."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from ideatrail.trail.stage import ArtifactName, ArtifactState, Stage, stage_rank

AtomKind = Literal[
    "thesis", "method", "evaluation", "decision_rule", "novelty", "risk", "other", "artifact"
]


PAPER_ATOM: Final = "paper"
"""Id of the atom that stands for the paper behind the proposal. Its locks never open: its title,
its authors and the names it coins are not to be found but to be kept out."""


class Strict(BaseModel):
    """Base of everything that is read back from disk: unknown keys are an error."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Seed(Strict):
    """What stands in the proposal, and nothing else (paper, section 4.4). Empty means absent."""

    proposal_id: str
    research_question: str = ""
    thesis: str = ""
    method: str = ""
    evaluation: str = ""
    baselines: list[str] = Field(default_factory=list)
    risks: list[str] = Field(default_factory=list)
    novelty_claim: str = ""
    parse_quality: Literal["high", "medium", "low"]
    extra: dict[str, Any] = Field(default_factory=dict, alias="_extra")
    """What else the proposal holds: title, motivation, dates, steps, coined names."""


class Atom(Strict):
    """One thing the endpoint rests on."""

    id: str
    kind: AtomKind
    artifact: ArtifactName | None = None
    """For `artifact` atoms: the file that should come to hold it."""
    text: str
    needs: list[str] = Field(default_factory=list)
    """Ids of the atoms that have to appear or be observed before this one."""


class Lock(Strict):
    """Surface forms of an atom that may not appear in Generator text before a stage."""

    id: str
    atom: str
    forms: list[str]
    opens_at: Stage


_OPENS: Final[dict[AtomKind, Stage]] = {"evaluation": "propose", "decision_rule": "propose"}
"""When an atom without locks may be spoken of; else with the ideas."""


class Oracle(Strict):
    """The Advisor-only context o_adv (paper, equation 5)."""

    atoms: list[Atom]
    locks: list[Lock]

    def opens(self, atom: Atom) -> Stage:
        """The stage from which on all locks of `atom` are open."""
        stages = [lock.opens_at for lock in self.locks if lock.atom == atom.id]
        return max(stages, key=stage_rank, default=_OPENS.get(atom.kind, "ideate"))


class MilestonePublic(Strict):
    """The half of a milestone that any reader of the turn budget could compute."""

    stage: Stage
    file: ArtifactName | None = None
    state: ArtifactState = "absent"


class Milestone(Strict):
    """What should have been reached by a turn; `atoms` never leaves the Advisor's side."""

    id: str
    by_turn: int
    public: MilestonePublic
    atoms: list[str] = Field(default_factory=list)


class AnchorSection(Strict):
    """A section of an anchor artifact with the atoms it is made of."""

    heading: str
    text: str
    atoms: list[str] = Field(default_factory=list)


class Anchor(Strict):
    """A target version of one artifact (paper, section 4.6)."""

    artifact: ArtifactName
    sections: list[AnchorSection]

    def markdown(self) -> str:
        """The anchor as `advisor/anchors/<artifact>` holds it, atom ids in trailing comments."""
        blocks = [
            f"## {s.heading}\n\n{s.text}\n\n<!-- atoms: {' '.join(s.atoms)} -->"
            for s in self.sections
        ]
        return "\n\n".join(blocks) + "\n"
