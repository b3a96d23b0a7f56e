"""The state machine, whole (design, section 4).

ingest → build_oracle → write_direction → build_anchors → plan_milestones
      → generate → verify ─retry→ generate
                     └pass→ act → (segment due?) → review_segment → generate …
      → judge_convergence → finish as idea │ extend to proposal → generate …
      → review_trail (a fault: once back to generate) → label_tiers → grade → release

Every exit stands in its node's return type, `Command[Literal[...]]`; there are no conditional
edges. What each node is given and may write stands in `ideatrail.state.TABLE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from ideatrail.nodes import brief
from ideatrail.nodes import build_anchors as anchors
from ideatrail.nodes import build_oracle as oracle
from ideatrail.nodes import judge_convergence as judge
from ideatrail.nodes import label_tiers as labels
from ideatrail.nodes import plan_milestones as milestones
from ideatrail.nodes import review_segment as review
from ideatrail.nodes import verify as verification
from ideatrail.nodes import write_direction as direction
from ideatrail.nodes.act import act
from ideatrail.nodes.extend import extend
from ideatrail.nodes.finish import finish
from ideatrail.nodes.generate import generate
from ideatrail.nodes.grade import grade
from ideatrail.nodes.ingest import ingest
from ideatrail.nodes.release import release
from ideatrail.nodes.review_trail import review_trail
from ideatrail.nodes.rooms import Services
from ideatrail.nodes.seat import Node, seat
from ideatrail.roles import Card
from ideatrail.state import TABLE, State, projection

NODES: Final[Mapping[str, Node]] = {
    "ingest": ingest,
    "build_oracle": oracle.build_oracle,
    "write_direction": direction.write_direction,
    "build_anchors": anchors.build_anchors,
    "plan_milestones": milestones.plan_milestones,
    "generate": generate,
    "verify": verification.verify,
    "act": act,
    "review_segment": review.review_segment,
    "judge_convergence": judge.judge_convergence,
    "finish": finish,
    "extend": extend,
    "review_trail": review_trail,
    "label_tiers": labels.label_tiers,
    "grade": grade,
    "release": release,
}

PROMPT_VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "generator": brief.PROMPT_VALUES,
    "oracle_builder": oracle.PROMPT_VALUES,
    "director": direction.PROMPT_VALUES,
    "anchor_builder": anchors.PROMPT_VALUES,
    "planner": milestones.PROMPT_VALUES,
    "reviewer": review.PROMPT_VALUES,
    "judge": judge.PROMPT_VALUES,
    "labeler": labels.PROMPT_VALUES,
    "verifier": verification.PROMPT_VALUES,
}
"""Names that nodes give their role's prompts besides the channels the card sees."""


def build(
    cards: Mapping[str, Card], entry: str = "ingest"
) -> CompiledStateGraph[State, Services, Any, Any]:
    """The compiled graph. `entry` is where it starts: a resumed run goes on at its next node."""
    graph = StateGraph(State, context_schema=Services)
    for name, node in NODES.items():
        spec = TABLE[name]
        # LangGraph's overloads know node signatures written out, not ones made at run time.
        seated: Any = seat(spec, node)
        graph.add_node(name, seated, input_schema=projection(spec, cards))
    graph.add_edge(START, entry)
    return graph.compile()
