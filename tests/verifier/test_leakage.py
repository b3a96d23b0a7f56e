"""oracle_leakage: every surface form is found, and what was observed is free."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import quote

import pytest

from ideatrail.trail.oracle import Atom, Lock, Oracle
from ideatrail.trail.turn import Call
from ideatrail.verifier.check import Verifier

FORM = "Braided Witness Tally"

SURFACES = {
    "exact": FORM,
    "case": FORM.upper(),
    "hyphen": "braided-witness tally",
    "joined": "BraidedWitnessTally",
    "underscore": "braided_witness_tally",
    "plural": "braided witness tallies",
    "inflected": "braiding witnesses tally",
    "acronym": "the BWT score",
    "zero width": "Brai\u200bded Wit\u200dness Tally",
    "soft hyphen": "Brai\u00added Wit\u00adness Tal\u00adly",
    "look-alike": "Brаidеd Wіtness Таllу",
    "full width": "Ｂｒａｉｄｅｄ　Ｗｉｔｎｅｓｓ　Ｔａｌｌｙ",
    "mathematical": "𝐁𝐫𝐚𝐢𝐝𝐞𝐝 𝐖𝐢𝐭𝐧𝐞𝐬𝐬 𝐓𝐚𝐥𝐥𝐲",
    "accents": "Bráidéd Wítness Tálly",
    "spaced letters": "B r a i d e d W i t n e s s T a l l y",
    "line break": "Braided Wit-\nness Tally",
    "base64": base64.b64encode(FORM.encode()).decode(),
    "base64 lower": base64.b64encode(FORM.lower().encode()).decode(),
    "percent": quote(FORM),
    "percent whole": "".join(f"%{b:02x}" for b in FORM.encode()),
    "hex": FORM.encode().hex(),
    "entities": "".join(f"&#{ord(c)};" for c in FORM),
    "escapes": "".join(f"\\u{ord(c):04x}" for c in FORM),
    "percent in base64": base64.b64encode(quote(FORM).encode()).decode(),
    "word order": "a tally of braided witness",
    "letters reversed": FORM.lower().replace(" ", "")[::-1],
    "digits for letters": "Bra1d3d W1tn3ss T4lly",
    "markup": "Bra**id**ed Wit`ness` Tally",
}


@pytest.mark.parametrize("surface", SURFACES.values(), ids=SURFACES.keys())
def test_surface_form_is_found(world: Any, kit: Any, surface: str) -> None:
    verdict = world.say(f"One could compare this with {surface} on news.", oracle=kit.ORACLE)
    assert verdict.code == "oracle_leakage"
    assert verdict.pointer.part == "reasoning"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("WebSearch", {"query": "braided witness tally"}),
        ("Grep", {"pattern": "braided.witness.tally"}),
        ("Glob", {"pattern": "**/braided-witness-tally*.md"}),
        ("View", {"file_path": "research_topics/consistency-checks/BraidedWitnessTally.md"}),
        ("Grep", {"pattern": "x", "path": "research_topics/braided_witness_tally"}),
        ("WebSearch", {"query": "summaries", "max_results": {"note": "braided witness tally"}}),
    ],
)
def test_leak_in_arguments_points_to_the_call(
    world: Any, kit: Any, name: str, arguments: dict[str, Any]
) -> None:
    maker = world.maker
    draft = maker.draft("A look at what is there.", Call("call_9", name, "{}", arguments))
    verdict = world.judge(draft, oracle=kit.ORACLE)
    assert verdict.code in ("oracle_leakage", "malformed_call")
    if verdict.code == "oracle_leakage":
        assert verdict.pointer.part == "call"


def test_leak_in_files(world: Any, kit: Any) -> None:
    maker = world.maker
    text = "# Notes\n\n## Open points\nA quorum sieve would settle it.\n"
    note = f"{kit.HOME}/notes.md"
    write = maker.call("Write", file_path=note, content=text)
    verdict = world.judge(maker.draft("A note for later.", write), oracle=kit.ORACLE)
    assert (verdict.code, verdict.pointer.part) == ("oracle_leakage", "file")
    assert verdict.pointer.section == "Open points"

    maker.add("A note.", (maker.call("Write", file_path=note, content="A quorum"), "Wrote."))
    edit = maker.call("Edit", file_path=note, old_string="quorum", new_string="quorum sieve")
    verdict = world.judge(maker.draft("More.", edit), oracle=kit.ORACLE)
    assert verdict.code == "oracle_leakage"
    old = maker.call("Edit", file_path=note, old_string="a quorum sieve", new_string="nothing")
    verdict = world.judge(maker.draft("Less.", old), oracle=kit.ORACLE)
    assert (verdict.code, verdict.pointer.part) == ("oracle_leakage", "call")


def test_edit_that_completes_a_term_is_found(world: Any, kit: Any) -> None:
    maker = world.maker
    note = f"{kit.HOME}/notes.md"
    maker.add("A note.", (maker.call("Write", file_path=note, content="A quorum X"), "Wrote."))
    edit = maker.call("Edit", file_path=note, old_string="X", new_string="sieve")
    assert world.judge(maker.draft("More.", edit), oracle=kit.ORACLE).code == "oracle_leakage"


def test_split_over_two_calls(world: Any, kit: Any) -> None:
    maker = world.maker
    for first, second in (
        ("braided witness", "tally"),
        ("summaries checked by braided", "witness tally for news"),
        ("news and a quorum", "sieve of votes"),
    ):
        calls = [maker.call("WebSearch", query=q) for q in (first, second)]
        verdict = world.judge(maker.draft("Two searches.", *calls), oracle=kit.ORACLE)
        assert verdict.code == "oracle_leakage", (first, second)
        assert {f.layer for f in verdict.findings} <= {"split", "window"}


def test_one_word_a_turn(world: Any, kit: Any) -> None:
    maker = world.maker
    maker.search("sentence entailment braided", kit.KEPT)
    maker.search("document summaries witness", kit.ASKED)
    call = maker.call("WebSearch", query="long reports tally")
    verdict = world.judge(maker.draft("Another.", call), oracle=kit.ORACLE)
    assert verdict.code == "oracle_leakage"


def test_one_word_a_turn_in_reasoning(world: Any, kit: Any) -> None:
    maker = world.maker
    maker.search("a", kit.KEPT, reasoning="The first page speaks of something braided.")
    maker.search("b", kit.ASKED, reasoning="It helps to think of it as a witness.")
    assert world.say("Then there is the tally.", oracle=kit.ORACLE).code == "oracle_leakage"


def test_atom_text_recited(world: Any, kit: Any) -> None:
    said = "It exposes summaries that join true facts into a false whole, perhaps."
    verdict = world.say(said, oracle=kit.ORACLE)
    assert verdict.code == "oracle_leakage"
    assert verdict.findings[0].layer == "atom text"


def test_number_and_benchmark_locks(world: Any, kit: Any) -> None:
    assert world.say("Take a margin of 0.37.", oracle=kit.ORACLE).code == "oracle_leakage"
    assert world.say("Take KestrelSum.", oracle=kit.ORACLE).code == "oracle_leakage"
    assert world.say("The share was 10.37 or 37.", oracle=kit.ORACLE).ok


def test_lock_opens_with_its_stage(world: Any, kit: Any) -> None:
    said = (
        "Pairwise overlap ignores pronoun resolution in legislative texts; a quorum sieve may do."
    )
    assert world.say(said, "synthesize", oracle=kit.ORACLE).code == "oracle_leakage"
    assert world.say(said, "ideate", oracle=kit.ORACLE).ok
    assert world.say("Measured on KestrelSum.", "ideate", oracle=kit.ORACLE).code
    assert world.say("Measured on KestrelSum.", "propose", oracle=kit.ORACLE).ok


@pytest.mark.parametrize("said", ["quorum sieve", "Quorum-Sieves", "quorumsieve", "QUORUM SIEVE"])
def test_observed_term_is_free(world: Any, kit: Any, said: str) -> None:
    paper = kit.Paper(
        "Settling Votes", ("A. Bo",), "V", "2019", "https://x.org/votes", "We use a quorum sieve."
    )
    world.maker.search("settling votes", paper)
    assert world.say(f"The {said} from the last result is new.", oracle=kit.ORACLE).ok


def test_own_file_viewed_frees_nothing(world: Any, kit: Any) -> None:
    maker = world.maker
    path = f"{kit.HOME}/notes.md"
    maker.add("x", (maker.call("View", file_path=path), "1\tquorum sieve"))
    assert world.say("The quorum sieve.", oracle=kit.ORACLE).code == "oracle_leakage"


def test_term_of_the_direction_is_free(kit: Any, world: Any) -> None:
    oracle = Oracle(
        atoms=[Atom(id="a", kind="method", text="Factual consistency scoring.")],
        locks=[Lock(id="l", atom="a", forms=["factual consistency"], opens_at="propose")],
    )
    assert world.say("Factual consistency is the matter.", oracle=oracle).ok


def test_innocent_words(world: Any, kit: Any) -> None:
    for said in (
        "The witness accounts and tally sheets are not braided here in any sense of it.",
        "A tally of votes. Later a witness was heard.",
        "SGVsbG8gd29ybGQsIGhvdyBhcmUgeW91 is some code.",
        "100%25 of it",
    ):
        verdict = world.say(said, oracle=kit.ORACLE)
        if "braided" not in said:
            assert verdict.ok, verdict.findings


def test_acronym_lock_finds_its_defined_expansion(world: Any) -> None:
    oracle = Oracle(
        atoms=[Atom(id="a", kind="method", text="Tiered Umbral Decoding (TUD) keeps beams.")],
        locks=[Lock(id="l", atom="a", forms=["TUD"], opens_at="propose")],
    )
    assert world.say("Perhaps tiered umbral decoding.", oracle=oracle).code == "oracle_leakage"


def test_layers_not_run_are_told(world: Any, kit: Any) -> None:
    verdict = world.say("Nothing special in this.", oracle=kit.ORACLE)
    layers = {layer.name: layer for layer in verdict.layers}
    assert layers["leakage/surface"].ran
    assert not layers["leakage/embedding"].ran
    assert layers["leakage/embedding"].why
    without = {layer.name: layer for layer in world.say("Nothing special in this.").layers}
    assert not without["leakage/surface"].ran
    assert without["leakage/surface"].why


def test_words_of_an_observation_are_free_in_whatever_order_they_spell(
    world: Any, kit: Any
) -> None:
    text = "The tally of each braided witness was kept."
    world.maker.search("votes", kit.Paper("T", ("A. Bo",), "V", "2019", "https://x.org/v", text))
    said = 'It says "The tally of each braided witness was kept."'
    assert world.say(said, oracle=kit.ORACLE).ok


def test_name_made_of_common_words_counts_as_it_is_written(kit: Any, lexicon: Any) -> None:
    oracle = Oracle(
        atoms=[Atom(id="a", kind="method", text="The model in text is large.")],
        locks=[Lock(id="l", atom="a", forms=["IN-MODEL"], opens_at="propose")],
    )
    maker = kit.Maker()
    verifier = Verifier(cutoff="2025-06-30", lexicon=lexicon)
    verifier.follow(maker.trail, oracle)
    call = maker.call("WebSearch", query="faithful summaries")
    assert verifier.judge(maker.draft("This stands in models.", call), "explore").ok
    for said in ("Take IN-MODEL here.", "Take IN MODEL here.", "Take in-model here."):
        verdict = verifier.judge(maker.draft(said, call), "explore")
        assert verdict.code == "oracle_leakage", said
