"""Naturalness: realistic uncertainty, reading, revision and staged convergence (paper, 4.3).

Each component is a number in 0..1, or None where a stretch has nothing to measure it by. The whole
is `order` times the mean of the others: work whose steps do not follow from each other is not
natural, however varied it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import Final

from ideatrail.evidence.urls import canonical
from ideatrail.trail.provenance import Provenance
from ideatrail.trail.simulate import normal_path
from ideatrail.trail.stage import ARTIFACTS, stage_rank
from ideatrail.trail.text import words
from ideatrail.trail.turn import AUTHORING, Turn
from ideatrail.verifier.observation import read_page, read_search, urls_in
from ideatrail.verifier.terms import analyse

REFORMULATED: Final = 0.3
"""Share of searches that take up words of an earlier one and change others, for full marks."""
UNUSED: Final = (0.15, 0.95)
"""Share of found sources that are never quoted: between these, full marks."""
REVISIONS: Final = 4
"""Edits that take back or reword what stood there, for full marks."""
OPENINGS: Final = 0.8
"""Share of turns whose first three words no other turn begins with, for full marks."""


def components(turns: Sequence[Turn], graph: Provenance) -> dict[str, float | None]:
    """All components over a stretch of turns; `graph` is the trail's.

    reformulation: share of searches after the first that share content words with an earlier one
        and differ from it, over REFORMULATED.
    reading: share of supports whose source was scraped or viewed before the support was written.
    dead_ends: 1 while the share of found sources never quoted lies in UNUSED, falling to 0
        outside.
    rejections: candidates rejected with a reason, over 2.
    revisions: edits that remove sentences, over REVISIONS.
    stages: share of neighbouring first writes of artifacts that are in order, and of pairs of
        turns whose stages are; their mean.
    openings: share of distinct first three words of reasoning, over OPENINGS.
    order: share of steps that rest on an earlier one (see `order`).
    """
    here = {t.index for t in turns}
    return {
        "reformulation": _reformulation(turns),
        "reading": _reading(turns, graph, here),
        "dead_ends": _dead_ends(turns, graph),
        "rejections": _rejections(graph, here),
        "revisions": _revisions(graph, here),
        "stages": _stages(turns, graph, here),
        "openings": _openings(turns),
        "order": order(turns, graph),
    }


def naturalness(parts: dict[str, float | None]) -> float:
    """`order` times the mean of the other components that could be measured, in 0..1."""
    rest = [v for k, v in parts.items() if k != "order" and v is not None]
    if not rest:
        return 0.0
    step = parts.get("order")
    return round(fmean(rest) * (1.0 if step is None else step), 4)


def order(turns: Sequence[Turn], graph: Provenance) -> float | None:
    """Share of steps whose ground was there before: an address scraped after it was found, a saved
    page viewed after it was saved, an edit that finds its passage, a quote after its observation.
    """
    seen: set[str] = set()
    saved: set[str] = set()
    good = asked = 0
    texts: dict[str, str] = {}
    for turn in turns:
        changed = {c.call_id: c for c in turn.changes}
        for call in turn.draft.calls:
            if call.name == "Scraper":
                url = call.parsed.get("url")
                asked += 1
                good += isinstance(url, str) and canonical(url) in seen
            elif call.name == "View":
                path = normal_path(str(call.parsed.get("file_path", "")))
                if "/sources/" in path:
                    asked += 1
                    good += path in saved
            elif call.name in AUTHORING and call.id in changed:
                change = changed[call.id]
                asked += 1
                good += texts.get(change.path) == change.before
                texts[change.path] = change.after
        for _, result in turn.pairs:
            if result.observed and result.status == "ok":
                seen.update(canonical(u) for u in urls_in(result.content))
                if result.name == "Scraper" and result.source_file:
                    saved.add(result.source_file)
    if turns and turns[0].index > 1:
        # A stretch from the middle: its ground lies before it, and only quotes can be judged.
        good = asked = 0
    here = {t.index for t in turns}
    for support in graph.supports:
        if support.written in here:
            asked += 1
            good += support.span is not None
    return good / asked if asked else None


def _reformulation(turns: Sequence[Turn]) -> float | None:
    earlier: list[frozenset[str]] = []
    changed = 0
    for turn in turns:
        for call in turn.draft.calls:
            if call.name != "WebSearch":
                continue
            query = frozenset(analyse(str(call.parsed.get("query", ""))).content)
            if any(query & old and query != old for old in earlier):
                changed += 1
            earlier.append(query)
    if len(earlier) < 2:
        return None
    return min(1.0, changed / (len(earlier) - 1) / REFORMULATED)


def _reading(turns: Sequence[Turn], graph: Provenance, here: set[int]) -> float | None:
    supports = [s for s in graph.supports if s.written in here]
    if not supports:
        return None
    read: dict[str, int] = {}
    for turn in turns:
        for call, result in turn.pairs:
            if call.name == "Scraper" and result.status == "ok":
                page = read_page(result.content)
                for url in (str(call.parsed.get("url", "")), page.url if page else ""):
                    read.setdefault(canonical(url), turn.index)
    if turns and turns[0].index > 1:
        return fmean(s.span is not None for s in supports)
    return fmean(read.get(canonical(s.source.url), s.written) < s.written for s in supports)


def _dead_ends(turns: Sequence[Turn], graph: Provenance) -> float | None:
    found: dict[str, None] = {}
    for turn in turns:
        for call, result in turn.pairs:
            if call.name == "WebSearch" and result.status == "ok":
                found.update(dict.fromkeys(canonical(h.url) for h in read_search(result.content)))
    used = {canonical(s.source.url) for s in graph.supports}
    if not found or not used:
        return None
    share = sum(url not in used for url in found) / len(found)
    low, high = UNUSED
    if share < low:
        return share / low
    return 1.0 if share <= high else (1.0 - share) / (1.0 - high)


def _rejections(graph: Provenance, here: set[int]) -> float | None:
    ideas = graph.artifacts["idea_candidates.md"]
    if not any(e.artifact == ideas.name and e.turn in here for e in graph.edits):
        return None
    return min(1.0, sum(c.rejected for c in ideas.candidates) / 2)


def _revisions(graph: Provenance, here: set[int]) -> float | None:
    edits = [e for e in graph.edits if e.turn in here]
    if not edits:
        return None
    return min(1.0, sum(bool(e.removed) and e.before is not None for e in edits) / REVISIONS)


def _stages(turns: Sequence[Turn], graph: Provenance, here: set[int]) -> float | None:
    ranks = [stage_rank(t.stage) for t in turns]
    pairs = [a <= b for i, a in enumerate(ranks) for b in ranks[i + 1 :]]
    first: dict[str, int] = {}
    for edit in graph.edits:
        if edit.turn in here:
            first.setdefault(edit.artifact, edit.turn)
    places = [ARTIFACTS.index(name) for name in ARTIFACTS if name in first]
    at = [first[ARTIFACTS[p]] for p in places]
    ordered = [a <= b for a, b in pairwise(at)]
    shares = [fmean(x) for x in (pairs, ordered) if x]
    return fmean(shares) if shares else None


def _openings(turns: Sequence[Turn]) -> float | None:
    heads = [" ".join(words(t.draft.reasoning[:200])[:3]) for t in turns]
    if len(heads) < 3:
        return None
    return min(1.0, len(set(heads)) / len(heads) / OPENINGS)
