"""A trail in numbers: the paper's four constraints (4.3), its artifact metrics (6.3), and shares.

All numbers are rounded to four places; None means that a trail has nothing to measure it by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any, Final

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.urls import canonical
from ideatrail.trail.leakage import LeakLedger
from ideatrail.trail.oracle import Oracle
from ideatrail.trail.provenance import Provenance, Sentence, artifact_sentences, build
from ideatrail.trail.stage import ARTIFACTS, ArtifactName
from ideatrail.trail.turn import AUTHORING, DISCOVERY, RETRIEVAL, Trail
from ideatrail.verifier.case import make_case
from ideatrail.verifier.leakage import LeakageCheck
from ideatrail.verifier.means import LexiconLike, Means
from ideatrail.verifier.naturalness import components, naturalness, order
from ideatrail.verifier.observation import read_page, read_search
from ideatrail.verifier.terms import analyse
from ideatrail.verifier.tiers import labels
from ideatrail.verifier.view import View

STEPS: Final = 3
"""Steps in which an artifact grows at least: skeleton, fill, finalize."""
SENTENCE_WORDS: Final = 5
"""Shorter lines (`- status: open`) state nothing."""


def measure(
    trail: Trail,
    *,
    oracle: Oracle | None = None,
    convergence: float | None = None,
    ledger: LeakLedger | None = None,
    lexicon: LexiconLike | None = None,
    cutoff: Cutoff | None = None,
    target_titles: Sequence[str] = (),
) -> dict[str, Any]:
    """Every metric of `trail`, flat, JSON-able.

    grounding: mean of `grounding_rate` and of the share of citing sentences in the other artifacts
        whose claims are all grounded; the rate alone where nothing cites.
    leakage: turns in which the leakage check finds something; None without an oracle. Give the
        lexicon that the trail was verified with, since rarity decides about acronyms.
    causal_order: share of steps whose ground was there before (`naturalness.order`).
    usefulness: value as supervision: (1 - share of low turns) times the share of high turns over
        0.2, at most 1.
    """
    graph = build(trail, canonical=canonical)
    parts = components(trail.turns, graph)
    by_rule = labels(trail, graph)
    count = Counter(t.tier or one.tier for t, one in zip(trail.turns, by_rule, strict=True))
    turns = max(1, len(by_rule))
    means = Means(cutoff=cutoff, lexicon=lexicon, oracle=oracle, target_titles=tuple(target_titles))
    leaks = _leaks(trail, means) if oracle is not None else None
    step = order(trail.turns, graph)
    values: dict[str, Any] = {
        "convergence": convergence,
        "leakage": leaks,
        "grounding": grounding(graph),
        "naturalness": naturalness(parts),
        "grounding_rate": grounding_rate(graph),
        "traceability_gap_rate": traceability_gap_rate(graph),
        "proposal_recoverability": proposal_recoverability(trail, graph),
        "leakage_score": None if leaks is None else leaks / turns,
        "artifact_incrementality": artifact_incrementality(graph),
        "causal_order": 0.0 if step is None else step,
        "usefulness": (1 - count["low"] / turns) * min(1.0, count["high"] / turns / 0.2),
        "ledger_bits": ledger.bits if ledger else None,
        "high_share": count["high"] / turns,
        "normal_share": count["normal"] / turns,
        "low_share": count["low"] / turns,
        **{f"naturalness_{name}": value for name, value in parts.items()},
        **_shape(trail),
    }
    return {k: round(v, 4) if isinstance(v, float) else v for k, v in values.items()}


def grounding_rate(graph: Provenance) -> float:
    """Share of claims of which every quote and note was observed before, in the source it names."""
    claims = graph.artifacts["claim_audit.md"].claims
    return len(graph.grounded) / len(claims) if claims else 0.0


def grounding(graph: Provenance) -> float:
    """Grounding of the whole trail: its claims, and what is said with them."""
    rate = grounding_rate(graph)
    citing = [
        set(s.rests_on) <= graph.grounded
        for s in graph.sentences
        if s.artifact != "claim_audit.md" and s.rests_on and not _numbered(s)
    ]
    return (rate + fmean(citing)) / 2 if citing else rate


def _numbered(sentence: Sentence) -> bool:
    """Whether its only claim is the section it stands under, which is a candidate's number."""
    return sentence.artifact == "idea_candidates.md" and all(
        sentence.section.startswith(f"{name}.") for name in sentence.rests_on
    )


def traceability_gap_rate(graph: Provenance) -> float | None:
    """Share of stating sentences outside the audit with no way to an observation: neither they nor
    their section cites a grounded claim."""
    by_section: dict[tuple[str, str], bool] = {}
    stating: list[Sentence] = []
    for sentence in graph.sentences:
        if sentence.artifact == "claim_audit.md":
            continue
        key = (sentence.artifact, sentence.section)
        held = bool(graph.grounded & set(sentence.rests_on))
        by_section[key] = by_section.get(key, False) or held
        if len(sentence.text.split()) >= SENTENCE_WORDS:
            stating.append(sentence)
    if not stating:
        return None
    return fmean(not by_section[s.artifact, s.section] for s in stating)


def proposal_recoverability(trail: Trail, graph: Provenance) -> float | None:
    """Share of the content words of the endpoint (the proposal, or the selected idea) that stand
    in the artifacts before it or in the direction."""
    ends = [n for n in reversed(ARTIFACTS) if graph.artifacts[n].state != "absent"]
    if not ends or ends[0] not in ("research_proposal.md", "idea_candidates.md"):
        return None
    end = ends[0]
    chosen = graph.artifacts["idea_candidates.md"].selected
    if end == "research_proposal.md":
        text = graph.artifacts[end].text
    elif chosen:
        text = " ".join((chosen.name, chosen.mechanism, chosen.novelty, chosen.risk))
    else:
        return None
    wanted = set(analyse(text).content)
    held = set(analyse(trail.user).content)
    for name in ARTIFACTS[: ARTIFACTS.index(end)]:
        held.update(analyse(graph.artifacts[name].text).content)
    return len(wanted & held) / len(wanted) if wanted else None


def artifact_incrementality(graph: Provenance) -> float | None:
    """Mean over the artifacts of (1 - share of the final sentences that the largest step wrote)
    times steps over STEPS, at most 1; the first factor is scaled so that STEPS even steps give 1.
    """
    scores = []
    for name in ARTIFACTS:
        edits = [e for e in graph.edits if e.artifact == name]
        if edits:
            scores.append(_growth(graph, name, len(edits)))
    return fmean(scores) if scores else None


def _growth(graph: Provenance, name: ArtifactName, steps: int) -> float:
    final = [s for s in graph.sentences if s.artifact == name]
    if not final:
        return 0.0
    largest = Counter(s.call_id for s in final).most_common(1)[0][1] / len(final)
    even = 1 - 1 / STEPS
    return min(1.0, (1 - largest) / even) * min(1.0, steps / STEPS)


def _leaks(trail: Trail, means: Means) -> int:
    """Turns with a finding of the leakage check, each judged against the record before it."""
    check = LeakageCheck(means)
    view = View(trail.user, trail.system)
    leaks = 0
    for turn in trail.turns:
        case = make_case(turn.draft, turn.stage, view.files)
        leaks += bool(check.judge(case, view).findings)
        view.observe(turn)
    return leaks


def _shape(trail: Trail) -> dict[str, Any]:
    """Counts and shares of calls."""
    names: Counter[str] = Counter()
    refused = 0
    before_write: int | None = None
    listed: set[str] = set()
    linked = 0
    for _, call, result in trail.calls:
        if call.name in AUTHORING and before_write is None:
            before_write = sum(names.values())
        if call.name == "Scraper" and result.status == "ok":
            linked += canonical(str(call.parsed.get("url", ""))) not in listed
        names[call.name] += 1
        refused += result.status != "ok"
        if result.observed and call.name == "WebSearch":
            listed.update(canonical(h.url) for h in read_search(result.content))
        elif result.observed and call.name == "Scraper":
            page = read_page(result.content)
            if page:
                listed.add(canonical(page.url))
    calls = sum(names.values())

    def share(some: frozenset[str]) -> float:
        return sum(names[n] for n in some) / calls if calls else 0.0

    return {
        "turns": len(trail.turns),
        "calls": calls,
        "refused_calls": refused,
        "fan_out": calls / max(1, sum(bool(t.draft.calls) for t in trail.turns)),
        "calls_before_first_write": before_write,
        "view_share": share(frozenset({"View"})),
        "retrieval_share": share(RETRIEVAL),
        "authoring_share": share(AUTHORING),
        "discovery_share": share(DISCOVERY),
        "linked_scrapes": linked,
        "retries": sum(t.retries for t in trail.turns),
        "artifact_sentences": sum(len(artifact_sentences(a)) for a in _last_texts(trail).values()),
    }


def _last_texts(trail: Trail) -> dict[str, str]:
    return {c.path: c.after for t in trail.turns for c in t.changes}
