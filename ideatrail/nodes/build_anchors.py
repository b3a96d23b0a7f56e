"""build_anchors: target versions of the four artifacts (paper, section 4.6)."""

from __future__ import annotations

from typing import Any, Final, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.world import World
from ideatrail.nodes.rooms import AdvisorRoom, need_pen
from ideatrail.state import State
from ideatrail.trail.answers import AnchorsAnswer
from ideatrail.trail.oracle import Oracle
from ideatrail.trail.text import content_stems

PROMPT_VALUES: Final = ("papers",)
_PAPERS: Final = 12
_QUERY_WORDS: Final = 24
_TEXT: Final = 4_000
"""Characters of a paper's text that are given: an abstract is shorter, a whole paper is not."""


async def papers_found(world: World, oracle: Oracle) -> list[dict[str, Any]]:
    """Papers under the cutoff that the atoms lead to, best first, each once."""
    found: dict[str, dict[str, Any]] = {}
    for atom in oracle.atoms:
        if atom.kind == "artifact" or len(content_stems(atom.text)) < 2:
            continue
        query = " ".join(atom.text.split()[:_QUERY_WORDS])
        for hit in (await world.search(query, 4)).hits:
            if hit.url in found:
                continue
            try:
                page = await world.scrape(hit.url)
            except EvidenceError:
                continue
            found[hit.url] = {
                "title": page.title,
                "authors": list(page.authors),
                "date": page.date,
                "url": hit.url,
                "kind": page.kind,
                "text": "\n".join(page.paragraphs)[:_TEXT],
            }
        if len(found) >= _PAPERS:
            break
    return list(found.values())[:_PAPERS]


async def build_anchors(
    state: State, runtime: Runtime[AdvisorRoom]
) -> Command[Literal["plan_milestones"]]:
    """Make the anchors, the claim audit grounded in papers really found under the cutoff."""
    room = runtime.context
    answer = await need_pen(room).ask(
        AnchorsAnswer,
        seed=state["seed"].model_dump(by_alias=True),
        oracle=state["oracle"].model_dump(),
        papers=await papers_found(room.world, state["oracle"]),
    )
    return Command(update={"anchors": tuple(answer.anchors)}, goto="plan_milestones")
