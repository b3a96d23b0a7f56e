"""causal_order and target_drift, which depend on the oracle."""

from __future__ import annotations

from typing import Any

NEEDED = (
    "Pairwise overlap scores ignore pronoun resolution across distant paragraphs of "
    "legislative transcripts."
)


def test_atom_before_what_it_needs(world: Any, kit: Any) -> None:
    verdict = world.say("A quorum sieve would settle each bundle.", "ideate", kit.ORACLE)
    assert verdict.code == "causal_order"
    assert verdict.findings[0].detail == "a2 before a3"


def test_atom_after_what_it_needs_was_said(world: Any, kit: Any) -> None:
    world.maker.search("overlap scores", kit.KEPT, reasoning=NEEDED)
    assert world.say("A quorum sieve would settle each bundle.", "ideate", kit.ORACLE).ok


def test_atom_after_what_it_needs_was_observed(world: Any, kit: Any) -> None:
    paper = kit.Paper("On Overlap", ("A. Bo",), "V", "2019", "https://x.org/o", NEEDED)
    world.maker.search("overlap scores", paper)
    assert world.say("A quorum sieve would settle each bundle.", "ideate", kit.ORACLE).ok


def test_atom_said_once_is_not_judged_again(world: Any, kit: Any) -> None:
    world.maker.search("votes", kit.KEPT, reasoning="A quorum sieve settles each bundle.")
    assert world.say("Back to the quorum sieve of before.", "ideate", kit.ORACLE).ok


IDEA = """## I1. {name}
- mechanism: {mechanism}
- rests on: C1
- novelty: {novelty}
- risk: {risk}
"""
OFF = {
    "name": "Soil sensors for vineyards",
    "mechanism": "Moisture probes under each row of vines send hourly readings to a gateway, and "
    "irrigation valves open wherever roots run dry before noon heat arrives on slopes.",
    "novelty": "Growers today water by calendar, whatever the weather brings to their grapes.",
    "risk": "Probes corrode in clay and batteries empty during winter frost.",
}
ON = {
    "name": "Joining facts before checking",
    "mechanism": "Sentences of a summary are checked against joined source facts, so that "
    "consistency is tested over several sentences of the document at once with entailment.",
    "novelty": "Entailment was tested sentence by sentence, without joining evidence first.",
    "risk": "Joined facts may be wrong themselves and mislead the factual check entirely.",
}


def _idea(world: Any, kit: Any, fields: dict[str, str]) -> Any:
    maker = world.maker
    path = f"{kit.HOME}/idea_candidates.md"
    maker.files[f"{kit.HOME}/synthesis.md"] = ""
    world.verifier.follow(maker.trail, kit.ORACLE)
    call = maker.call("Write", file_path=path, content=IDEA.format(**fields))
    from ideatrail.verifier.case import make_case
    from ideatrail.verifier.drift import DriftCheck
    from ideatrail.verifier.means import Means

    case = make_case(maker.draft("A first idea.", call), "ideate", {})
    return DriftCheck(Means(oracle=kit.ORACLE)).judge(case, world.verifier.view)


def test_idea_from_another_field_is_drift(world: Any, kit: Any) -> None:
    opinion = _idea(world, kit, OFF)
    assert [f.code for f in opinion.findings] == ["target_drift"]
    assert opinion.findings[0].pointer.part == "file"


def test_idea_on_the_question_is_none(world: Any, kit: Any) -> None:
    assert not _idea(world, kit, ON).findings
