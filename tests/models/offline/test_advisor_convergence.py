"""The offline Advisor's judge: same problem, mechanism and direction, in whatever words."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.models.offline.advisor import advise
from ideatrail.models.offline.advisor.convergence import alike, bag, compare
from ideatrail.models.offline.advisor.rarity import Rarities
from ideatrail.models.protocol import Request, message
from ideatrail.trail.answers import ConvergenceAnswer
from ideatrail.trail.oracle import Anchor, AnchorSection

DIRECTION = "Summaries often state things that the source does not support. What could reduce that?"
ANCHOR = {
    "name": "Narrow Support",
    "mechanism": "While decoding, mask one source sentence at a time, compare the token "
    "distributions with and without it, and prefer tokens whose probability falls for exactly one "
    "sentence. This reduces unsupported statements.",
    "novelty": "Sentence-wise masking has not been used to score tokens during decoding.",
}
RETOLD = {
    "name": "Leave-one-out witnesses",
    "mechanism": "At each decoding step the source is read again with single sentences removed; a "
    "candidate token is kept if its distribution shifts for one masked sentence alone, so that "
    "unsupported details are reduced.",
}
SAME_TOPIC = {
    "name": "Entailment filter",
    "mechanism": "Generate a summary, let an entailment classifier check every statement against "
    "the source, and train a reviser on its corrections with reinforcement learning. This reduces "
    "unsupported statements.",
}
ELSEWHERE = {
    "name": "Loans",
    "mechanism": "New subwords of a low-resource language start from donor embeddings in related "
    "languages and pay a penalty that fades with their count.",
}


def score(candidate: dict[str, str], rarities: Rarities | None = None) -> ConvergenceAnswer:
    return compare(ANCHOR, candidate, DIRECTION, rarities or Rarities())


def test_advisor_judge_orders_itself_retold_same_topic_elsewhere() -> None:
    own, retold, topic, far = (score(c).score for c in (ANCHOR, RETOLD, SAME_TOPIC, ELSEWHERE))
    assert own > 0.95 > retold > 0.5 > topic > far
    assert far < 0.3


def test_advisor_judge_counts_public_words_little_in_the_mechanism() -> None:
    parrot = {"mechanism": "Summaries state things the source does not support. Reduce that."}
    judged = score(parrot)
    assert judged.mechanism < 0.2
    assert judged.score < 0.5


def test_advisor_judge_marks_the_opposite_direction_down() -> None:
    up = {"mechanism": ANCHOR["mechanism"].replace("reduces", "increases")}
    assert score(up).direction < score(ANCHOR).direction


def test_advisor_judge_gives_an_empty_candidate_nothing() -> None:
    assert score({}).score == 0.0
    assert score({"mechanism": ""}).score == 0.0


def test_advisor_judge_reads_anchor_and_candidate_from_the_request() -> None:
    section = AnchorSection(
        heading="I1. Narrow Support",
        text="\n".join(f"- {k}: {v}" for k, v in ANCHOR.items() if k != "name"),
    )
    anchor = Anchor(artifact="idea_candidates.md", sections=[section])

    def judged(candidate: Any) -> ConvergenceAnswer:
        body = (
            f"<direction>\n{DIRECTION}\n</direction>\n<endpoint>\nidea\n</endpoint>\n"
            f"<anchor>\n{anchor.model_dump_json()}\n</anchor>\n"
            f"<candidate>\n{orjson.dumps(candidate).decode()}\n</candidate>\n"
            "<rarities>\n{}\n</rarities>"
        )
        request = Request(
            (message("user", body),), answer_schema=ConvergenceAnswer.model_json_schema()
        )
        return ConvergenceAnswer.model_validate_json(advise(request).text)

    retold = judged({**RETOLD, "rests_on": ["Masking changes what is written."]})
    assert retold.score > judged(SAME_TOPIC).score
    assert retold.why
    assert "\n" not in retold.why


TEXTS = st.lists(
    st.sampled_from(
        "mask token source sentence penalty donor judge rater verify prompt graph tree".split()
    ),
    min_size=1,
    max_size=30,
).map(" ".join)


@settings(max_examples=80, deadline=None)
@given(TEXTS, TEXTS)
def test_advisor_likeness_is_symmetric_bounded_and_whole_for_equals(a: str, b: str) -> None:
    table = Rarities()
    one, two = bag(a, table), bag(b, table)
    assert alike(one, two) == alike(two, one)
    assert 0.0 <= alike(one, two) <= 1.0 + 1e-9
    assert abs(alike(one, one) - 1.0) < 1e-9
