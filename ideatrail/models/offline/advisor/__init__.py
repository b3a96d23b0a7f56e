"""The offline Advisor: one policy a file, chosen by the title of the answer's schema.

A policy sees the data in the request and nothing else; equal requests get equal answers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ideatrail.models.offline.advisor.anchors import build_anchors
from ideatrail.models.offline.advisor.convergence import judge_convergence
from ideatrail.models.offline.advisor.direction import write_direction
from ideatrail.models.offline.advisor.material import Material, read
from ideatrail.models.offline.advisor.milestones import plan_milestones
from ideatrail.models.offline.advisor.oracle import build_oracle
from ideatrail.models.offline.advisor.paraphrase import judge_paraphrase
from ideatrail.models.offline.advisor.review import review_segment
from ideatrail.models.offline.advisor.worth import judge_worth
from ideatrail.models.offline.drafter import draft
from ideatrail.models.offline.portraitist import portray
from ideatrail.models.protocol import Answer, ModelError, Request, TextPart
from ideatrail.trail.answers import StructuredAnswer

POLICIES: Final[dict[str, Callable[[Material], StructuredAnswer]]] = {
    "OracleAnswer": build_oracle,
    "DirectionAnswer": write_direction,
    "AnchorsAnswer": build_anchors,
    "MilestonesAnswer": plan_milestones,
    "SegmentReview": review_segment,
    "ConvergenceAnswer": judge_convergence,
    "LeakageAnswer": judge_paraphrase,
    "TierAnswer": judge_worth,
    "PortraitAnswer": portray,
    "DraftAnswer": draft,
}


def advise(request: Request) -> Answer:
    """Answer an Advisor-side request; the text is JSON of its schema.

    Raises:
        ModelError: not resumable, for a schema without a policy or a request without its data.
    """
    title = str((request.answer_schema or {}).get("title", ""))
    policy = POLICIES.get(title)
    if policy is None:
        raise ModelError(f"the offline model has no policy for {title!r}", resumable=False)
    try:
        given = policy(read(request))
    except ValueError as error:
        raise ModelError(
            f"{title}: the request's data do not fit: {error}", resumable=False
        ) from error
    return Answer((TextPart(given.model_dump_json(by_alias=True)),), model="offline")


__all__ = ["POLICIES", "advise"]
