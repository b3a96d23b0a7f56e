"""The research question of a proposal, by the surest place that holds one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ideatrail.proposals.gather import Gathered
from ideatrail.proposals.source import Proposal
from ideatrail.proposals.spans import Span, within
from ideatrail.trail.cues import cues, is_question

QUESTION_CHARS: Final = 1_200
"""Characters of a question; of a longer problem statement, the sentences that name the trouble."""
QUESTION_SENTENCES: Final = 3
TROUBLE_SENTENCES: Final = 2

_TROUBLE: Final = re.compile(
    r"\b(?:however|yet|problem(?!-solving)|lacks?|limited|limits?|fails?|struggles?"
    r"|suffers?|challenges?|gap|unclear|unknown"
    r"|remains?|difficult|hard|bottleneck|cannot|impossible|drawback|need for"
    r"|insufficient|poorly|untapped|expensive|hallucinat\w+)\b",
    re.IGNORECASE,
)
_FIND_OUT: Final = re.compile(
    r"(?:To |Objective \d+:? )?(?:[Uu]nderstand|[Qq]uantify|[Ii]nvestigate"
    r"|[Ee]xplor\w+|[Ee]xamine|[Ss]tudy|[Dd]etermine"
    r"|[Ii]dentify|[Cc]haracteri[sz]e|[Aa]nalyse|[Ee]stablish|[Ii]mprove|[Rr]educe"
    r"|[Ff]ind|[Aa]llow|[Tt]est whether|[Hh]ow|[Ww]hether|[Pp]rovide|[Aa]ddress"
    r"|[Pp]erform)\b"
)
"""How an item of a list of objectives begins that says what to find out, not what to build."""
_KIND: Final = re.compile(r"This is an? [\w-]+ (?:paper|project|proposal)\.$")
_LINK_ONLY: Final = re.compile(r"^\W*(?:https?://\S+\W*)+$")


@dataclass(frozen=True)
class Question:
    """Where the question was found, and how."""

    spans: tuple[Span, ...]
    source: str
    labelled: bool = False
    weak: bool = False
    """Nothing states a question or a goal; the nearest sentence was taken."""


def find_question(proposal: Proposal, parts: Gathered) -> Question:
    """The question by label, by a question mark, as the problem, the objective, or the goal.

    Sentences that describe the method are left out as long as anything else states the question.
    """
    asked = _usable(parts.of("question"))
    if asked:
        marks = [s for s in asked if is_question(s.text)]
        return Question(_cut(marks or asked), "label: question", labelled=True)
    problem = _usable(parts.of("problem"))
    objective = _usable(parts.of("objective"))
    for spans in (problem, objective, parts.cued("question")):
        marks = [s for s in spans if is_question(s.text) and len(s.text.split()) >= 5]
        if marks:
            return Question(
                _cut(marks[:QUESTION_SENTENCES]),
                "question mark",
                labelled=bool(problem or objective),
            )
    free = [s for s in problem if "method" not in cues(s.text)]
    if free:
        return Question(_cut(free), "label: problem", labelled=True)
    aims = [s for s in objective if _is_aim(s.text, listed=s.list_item)]
    if aims:
        # Objectives alone seldom say what is wrong today; the trouble told before them does.
        told = [s for s in _trouble(parts) if s < aims[0]][:TROUBLE_SENTENCES]
        source = "label: objective" + (", wording: trouble" if told else "")
        return Question((*told, *_cut(aims)), source, labelled=True)
    goals = parts.cued("goal")
    bare = [s for s in goals if "method" not in cues(s.text)]
    if bare:
        return Question(_cut(bare[:QUESTION_SENTENCES]), "wording: goal")
    told = _trouble(parts)[:TROUBLE_SENTENCES] if objective else []
    if told:
        return Question(tuple(told), "wording: trouble", labelled=True)
    if problem or objective:
        return Question(_cut(problem or objective), "label", labelled=True)
    if goals:
        return Question(_cut(goals[:1]), "wording: goal")
    return _nearest(parts)


def _nearest(parts: Gathered) -> Question:
    """Where nothing is asked: what is to be compared, else what trouble is told, else the first."""
    for name, spans in (
        ("wording: trouble", _trouble(parts)),
        ("wording: comparison", [*parts.of("plan_evaluation"), *parts.cued("evaluation")]),
        ("label: thesis", parts.of("thesis")),
        ("wording: benefit", parts.cued("promise")),
        ("first sentence", [*parts.of("motivation"), *parts.of("plan_method"), *parts.of("other")]),
    ):
        usable = _usable(spans)
        if usable:
            return Question(_cut(usable[:1]), name, weak=True)
    return Question((), "")


def _trouble(parts: Gathered) -> list[Span]:
    """Sentences of the motivation that tell what is wrong, and nothing of the method."""
    return [
        s
        for s in parts.of("motivation")
        if _TROUBLE.search(s.text) and "method" not in cues(s.text) and not s.list_item
    ]


def _is_aim(text: str, *, listed: bool) -> bool:
    """Whether an objective's sentence says what to find out, not what to build or measure."""
    text = re.sub(r"^(?:O|RQ|Obj|Aim)\s?\d+\s*[:.]\s*", "", text)
    told = cues(text)
    if listed and not _FIND_OUT.match(text):
        return False
    return (
        not told & {"method", "thesis"}
        and not text.endswith(":")
        and not re.match(
            r"(?:Assess|Evaluate|Measure|Compare|Formulate|Empirically validate)\b", text
        )
    )


def _usable(spans: list[Span]) -> list[Span]:
    return [
        s
        for s in spans
        if not _LINK_ONLY.match(s.text) and not _KIND.match(s.text) and len(s.text) > 12
    ]


def _cut(spans: list[Span]) -> tuple[Span, ...]:
    """`spans` within the limit; of a long text, the sentences that name the trouble."""
    if sum(len(s.text) + 1 for s in spans) > QUESTION_CHARS:
        telling = [s for s in spans if _TROUBLE.search(s.text) or is_question(s.text)]
        spans = [s for s in telling if not s.list_item] or telling or spans
    return tuple(within(spans, QUESTION_CHARS))
