"""The provenance graph, forward and back."""

from __future__ import annotations

import hashlib
import json

from ideatrail.trail.provenance import build
from ideatrail.trail.turn import ArtifactChange, Call, Draft, Result, Trail, Turn

HOME = "research_topics/t"
URL = "https://x.org/a"
QUOTE = "Naïve scores drop by a tenth on long inputs."
AUDIT = f'''## C1. Scores drop on long inputs
- source: On Length (Bo et al., 2019) {URL}
- quote: "{QUOTE}"
- support: abstract
- status: supported
- limitation: One language.
- implication: Length has to be modelled.
'''
SYNTHESIS = "## Problem levels\nLength hurts [C1]. Nothing is cited here.\n"
IDEAS = "## I1. Length buckets\n- mechanism: Sort by length [C1].\n- rests on: C1\n"


def turn(index: int, name: str, given: dict[str, str], text: str, **more: object) -> Turn:
    call = Call(f"call_{index}", name, json.dumps(given), dict(given))
    digest = hashlib.sha256(text.encode()).hexdigest()
    change = more.pop("change", None)
    result = Result(call.id, name, text, "ok", digest, **more)  # type: ignore[arg-type]
    changes = (ArtifactChange(call.id, *change),) if isinstance(change, tuple) else ()
    return Turn(index, "audit", "", Draft("Because.", "", (call,)), (result,), changes)


def trail(*turns: Turn) -> Trail:
    return Trail(f"Work in {HOME}/.", "Why?", turns)


PAGE = f"Title: On Length\nAuthors: A. Bo\nURL: {URL}\nSaved as: {HOME}/sources/a.md\n\nSo. {QUOTE}"


def whole() -> Trail:
    read = turn(1, "Scraper", {"url": URL}, PAGE, observed=True, source_file=f"{HOME}/sources/a.md")
    audit = turn(2, "Write", {}, "Wrote.", change=(f"{HOME}/claim_audit.md", None, AUDIT))
    notes = turn(3, "Write", {}, "Wrote.", change=(f"{HOME}/synthesis.md", None, SYNTHESIS))
    ideas = turn(4, "Write", {}, "Wrote.", change=(f"{HOME}/idea_candidates.md", None, IDEAS))
    return trail(read, audit, notes, ideas)


def test_quote_leads_to_the_bytes_that_hold_it() -> None:
    graph = build(whole())
    (support,) = graph.supports
    assert support.claim == "C1"
    assert support.span is not None
    data = PAGE.encode()[support.span.start : support.span.end]
    assert data.decode() == QUOTE
    assert graph.grounded == {"C1"}


def test_sentences_lead_to_their_edit_and_observation_and_back() -> None:
    graph = build(whole())
    by_text = {s.text: s for s in graph.sentences}
    cites = by_text["Length hurts [C1]."]
    assert (cites.call_id, cites.turn, cites.rests_on) == ("call_3", 3, ("C1",))
    assert graph.spans(cites)[0].call_id == "call_1"
    assert by_text["Nothing is cited here."].rests_on == ()
    assert cites in graph.resting_on("call_1")
    assert cites in graph.by_edit["call_3"]


def test_quote_across_lines_of_a_view() -> None:
    shown = "7\tSo. Naïve scores drop by a\n8\ttenth on long inputs. On.\n"
    first = turn(
        1,
        "Scraper",
        {"url": URL},
        PAGE.split("\n\n")[0],
        observed=True,
        source_file=f"{HOME}/sources/a.md",
    )
    view = turn(
        2,
        "View",
        {"file_path": f"{HOME}/sources/a.md"},
        shown,
        observed=True,
        source_file=f"{HOME}/sources/a.md",
    )
    audit = turn(3, "Write", {}, "Wrote.", change=(f"{HOME}/claim_audit.md", None, AUDIT))
    graph = build(trail(first, view, audit))
    # One paragraph a line: a passage over two lines is no verbatim quote, and none is claimed.
    assert graph.supports[0].span is None


def test_evidence_after_the_claim_is_none() -> None:
    turns = whole().turns
    from dataclasses import replace

    late = trail(replace(turns[1], index=1), replace(turns[0], index=2))
    assert build(late).grounded == frozenset()


def test_evidence_of_another_source_is_none() -> None:
    other = whole().turns[0]
    text = PAGE.replace(URL, "https://x.org/b").replace("On Length", "On Depth")
    read = turn(1, "Scraper", {"url": "https://x.org/b"}, text, observed=True)
    assert other.index == 1
    assert build(trail(read, whole().turns[1])).grounded == frozenset()


def test_sentence_belongs_to_the_last_edit_that_wrote_it() -> None:
    path = f"{HOME}/synthesis.md"
    changed = SYNTHESIS.replace("Nothing is cited here.", "Depth may matter.")
    first = turn(1, "Write", {}, "Wrote.", change=(path, None, SYNTHESIS))
    second = turn(2, "Edit", {}, "Edited.", change=(path, SYNTHESIS, changed))
    graph = build(trail(first, second))
    written = {s.text: s.call_id for s in graph.sentences}
    assert written["Length hurts [C1]."] == "call_1"
    assert written["Depth may matter."] == "call_2"
    assert graph.edits[1].removed == ("Problem levels\nNothing is cited here.",)


def test_empty_trail() -> None:
    graph = build(trail())
    assert (graph.edits, graph.sentences, graph.supports) == ((), (), ())
