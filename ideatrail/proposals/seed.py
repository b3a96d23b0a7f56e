"""The seed of a proposal: what stands there, verbatim, and nothing filled in (paper, section 4.4).

`parse_quality` says how it went. **high**: a question, problem or objective, a method and an
evaluation each stand under a label of their own. **medium**: question and method were both found,
by label or by wording. **low**: anything less, or the question could only be taken from a
sentence that describes something else. A proposal that was drafted from less than a whole paper is
medium at most.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from ideatrail.proposals.gather import Gathered, gather
from ideatrail.proposals.names import capital_names, coined_names
from ideatrail.proposals.question import find_question
from ideatrail.proposals.source import Proposal
from ideatrail.proposals.spans import Span, join, within
from ideatrail.trail.oracle import Seed

FIELD_CHARS: Final = 8_000
"""Characters of one long field; what is beyond stays in the proposal, and a note says so."""
SHORT_CHARS: Final = 1_500
"""Characters of a thesis or a claim of novelty that was found by wording."""
OTHER_CHARS: Final = 4_000
"""Characters of text kept that no field took."""
CUE_SENTENCES: Final = 3
"""Sentences kept of a field that was found by wording alone."""

Quality = Literal["high", "medium", "low"]


def make_seed(proposal: Proposal, proposal_id: str) -> Seed:
    """The seed of `proposal` under the caller's id. Every string is made of its verbatim spans."""
    parts = gather(proposal)
    notes = list(proposal.notes)
    sources: dict[str, str] = {}

    def field(name: str, spans: list[Span], source: str, limit: int = FIELD_CHARS) -> str:
        kept = within(spans, limit)
        if len(kept) < len(spans):
            notes.append(f"{name} cut at {limit:,} characters")
        text = join(kept)
        if text:
            sources[name] = source
        return text

    question = find_question(proposal, parts)
    research_question = field("research_question", list(question.spans), question.source)
    method_spans, method_source = _method(parts)
    method = field("method", method_spans, method_source)
    evaluation_spans, evaluation_source = _evaluation(parts)
    evaluation = field("evaluation", evaluation_spans, evaluation_source)
    thesis = _labelled_or_cued(parts, "thesis", field)
    novelty = _labelled_or_cued(parts, "novelty", field)
    decision = _labelled_or_cued(parts, "decision_rule", field)
    title = proposal.title
    others = frozenset(
        word.lower()
        for text in (*parts.baselines, *parts.datasets, *parts.metrics)
        for word in (text, *capital_names(text))
    )
    names = coined_names(title, parts.own_sentences, others)
    if question.weak:
        notes.append("no question is stated; the nearest sentence stands in its place")
    quality = _quality(
        question.labelled,
        bool(research_question) and not question.weak,
        method_source if method else "",
        evaluation_source if evaluation else "",
    )
    drafted = _drafted(proposal)
    if drafted:
        # Its labels are the drafter's, not the authors': an abstract holds no proposal.
        quality = "medium" if quality == "high" else quality
        notes.append(f"drafted from {drafted} alone")
    extra: dict[str, Any] = {
        "title": title,
        "motivation": field("motivation", parts.of("motivation"), "label or wording"),
        "implementation": parts.steps,
        "contribution": field(
            "contribution", parts.of("contribution") or parts.of("outcome"), "label"
        ),
        "datasets": parts.datasets,
        "dataset_names": capital_names("\n".join(s.text for s in parts.of("datasets"))),
        "metrics": parts.metrics,
        "decision_rule": decision,
        "fallback": field("fallback", parts.of("fallback"), "label"),
        "coined_names": names,
        "date": proposal.date or "",
        "language": proposal.language,
        "notes": notes,
        "other": join(within(parts.of("other"), OTHER_CHARS)),
        "sources": sources,
    }
    return Seed(
        proposal_id=proposal_id,
        research_question=research_question,
        thesis=thesis,
        method=method,
        evaluation=evaluation,
        baselines=parts.baselines,
        risks=parts.risks,
        novelty_claim=novelty,
        parse_quality=quality,
        _extra=extra,
    )


def _method(parts: Gathered) -> tuple[list[Span], str]:
    labelled = parts.of("method")
    if labelled:
        return parts.of("problem_method") + labelled, "label"
    if parts.of("steps"):
        return parts.of("steps"), "label"
    if parts.of("plan_method"):
        return parts.of("plan_method"), "label: plan"
    return parts.cued("method"), "wording"


def _evaluation(parts: Gathered) -> tuple[list[Span], str]:
    labelled = parts.of("evaluation")
    if labelled:
        return labelled, "label"
    if parts.of("plan_evaluation"):
        return parts.of("plan_evaluation"), "label: plan"
    return parts.cued("evaluation"), "wording"


def _labelled_or_cued(parts: Gathered, name: Any, field: Any) -> str:
    labelled = parts.of(name)
    if labelled:
        return str(field(name, labelled, "label"))
    found = parts.cued(name)
    if not found and name == "thesis":
        found = parts.cued("promise")[:2]  # "This could lead to …": weaker, so fewer
    found = found[:CUE_SENTENCES]
    return str(field(name, found, "wording", SHORT_CHARS))


def _quality(
    question_labelled: bool, has_question: bool, method_source: str, evaluation_source: str
) -> Quality:
    """The rule in this file's first lines."""
    if question_labelled and has_question and method_source == evaluation_source == "label":
        return "high"
    return "medium" if has_question and method_source else "low"


def _drafted(proposal: Proposal) -> str:
    """What the proposal was drafted from where that is less than a whole paper."""
    source = proposal.front.get("drafted_from", "")
    return "" if source == "full text" else source
