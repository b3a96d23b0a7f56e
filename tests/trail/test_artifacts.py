"""The artifacts' one parser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.trail.artifacts import PROPOSAL_SECTIONS, SYNTHESIS_SECTIONS, cited, parse
from ideatrail.trail.stage import ARTIFACT_STATES, ARTIFACTS


def claim(number, **fields):
    values = {"support": "abstract", "status": "supported", "limitation": "l", "implication": "i"}
    values.update(fields)
    lines = [
        f"## C{number}. Claim number {number}",
        f"- source: A title: with (brackets) (Okafor et al., 2020) https://example.org/{number}",
        '- quote: "a passage that is long enough"',
    ]
    lines += [f"- {k}: {v}" for k, v in values.items() if v]
    return "\n".join(lines)


def audit(count, **fields):
    return "# Claim audit\n\n" + "\n\n".join(claim(n + 1, **fields) for n in range(count)) + "\n"


def candidate(number, decision):
    return (
        f"## I{number}. Idea {number}\n- mechanism: in, computed, out\n- rests on: C1, C2\n"
        f"- novelty: n\n- risk: r\n- decision: {decision}\n"
    )


def test_a_claim_is_read_whole():
    parsed = parse("claim_audit.md", audit(1)).claims[0]
    assert (parsed.id, parsed.text) == ("C1", "Claim number 1")
    source = parsed.sources[0]
    assert source.title == "A title: with (brackets)"
    assert (source.author, source.year, source.url) == ("Okafor", "2020", "https://example.org/1")
    assert source.quotes == ("a passage that is long enough",)


def test_an_author_with_brackets_is_read():
    line = "- source: A (b) title (Juanhe (TJ) Tan et al., 2025) https://example.org/1"
    text = claim(1).replace(claim(1).splitlines()[1], line)
    source = parse("claim_audit.md", text).claims[0].sources[0]
    assert (source.title, source.author, source.year) == ("A (b) title", "Juanhe (TJ) Tan", "2025")


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (None, "absent"),
        ("## C1. A claim\n- status: open\n", "skeleton"),
        (audit(2), "draft"),
        (audit(5), "final"),
        (audit(5, limitation=""), "filled"),
        (audit(5) + "\n## C9. Later\n- status: open\n", "filled"),
    ],
)
def test_states_of_the_claim_audit(text, state):
    assert parse("claim_audit.md", text).state == state


def test_states_of_the_synthesis():
    skeleton = "".join(f"## {s}\n- status: open\n\n" for s in SYNTHESIS_SECTIONS)
    assert parse("synthesis.md", skeleton).state == "skeleton"
    written = "".join(f"## {s}\nA sentence [C1] and [C2].\n\n" for s in SYNTHESIS_SECTIONS)
    assert parse("synthesis.md", written).state == "final"
    assert parse("synthesis.md", written.replace(" and [C2]", "")).state == "filled"
    assert parse("synthesis.md", written + "- status: open\n").state == "filled"


def test_states_of_the_candidates():
    rejected = "rejected, because [C2] shows otherwise"
    whole = candidate(1, "selected, because [C1]") + candidate(2, rejected) + candidate(3, rejected)
    assert parse("idea_candidates.md", whole).state == "final"
    assert parse("idea_candidates.md", whole).selected.id == "I1"
    two = whole.replace(rejected, "selected, because [C1]", 1)
    assert parse("idea_candidates.md", two).state == "filled"
    assert parse("idea_candidates.md", whole.replace("[C2] shows", "it shows")).state == "filled"
    assert parse("idea_candidates.md", "## I1. A\n- status: open\n").state == "skeleton"


def test_states_of_the_proposal():
    evaluation = "- data: d\n- metric: m\n- baseline: b\n- decision rule: r\n"
    steps = "1. one\n2. two\n3. three\n"
    body = {"Evaluation": evaluation, "Implementation": steps}
    text = "".join(f"## {s}\n{body.get(s, 'Words [C1] [I1].')}\n\n" for s in PROPOSAL_SECTIONS)
    assert parse("research_proposal.md", text).state == "final"
    assert parse("research_proposal.md", text.replace("- metric: m\n", "")).state == "filled"
    assert parse("research_proposal.md", text.replace("3. three", "")).state == "filled"


def test_numbers_used_twice_are_a_fault():
    assert "used twice" in parse("claim_audit.md", claim(1) + "\n" + claim(1)).faults[0].message


def test_citations_in_order_of_first_use():
    assert cited("as [C2, C1] and [I3], then [C1]; not [X1] or C5") == ("C2", "C1", "I3")


@given(st.sampled_from(ARTIFACTS), st.text())
def test_parsing_never_raises(name, text):
    assert parse(name, text).state in ARTIFACT_STATES


_lines = st.sampled_from(
    [*audit(2).splitlines(), *candidate(1, "selected").splitlines(), "## Method", "- a: b", ""]
)


@given(st.sampled_from(ARTIFACTS), st.lists(_lines).map("\n".join))
def test_parsing_near_misses_never_raises(name, text):
    assert parse(name, text).state in ARTIFACT_STATES
