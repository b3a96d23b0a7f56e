"""Each public check: what it must find, and what it must let pass."""

from __future__ import annotations

from typing import Any

import pytest

from ideatrail.evidence.lexicon import Lexicon
from ideatrail.trail.turn import Call, Draft
from ideatrail.trail.verdict import Pointer
from ideatrail.verifier.check import Verifier

# --- fake_url ---


def test_unobserved_address_is_fake(world: Any, kit: Any) -> None:
    maker = world.maker
    fake = maker.call("Scraper", url="https://aclanthology.org/P19-9999/")
    verdict = world.judge(maker.draft("Open it.", fake))
    assert (verdict.code, verdict.pointer) == ("fake_url", Pointer("call", 0))
    assert world.say("See https://example.org/made-up/paper.").code == "fake_url"
    assert world.say("See arXiv:2001.01234 for it.").code == "fake_url"


@pytest.mark.parametrize(
    "url",
    [
        "https://aclanthology.org/2020.findings-sample.12.pdf",
        "http://www.aclanthology.org/2020.findings-sample.12/?utm_source=x#abs",
        "https://aclanthology.org/2020.findings-sample.12",
    ],
)
def test_observed_address_in_another_form_passes(world: Any, kit: Any, url: str) -> None:
    maker = world.maker
    assert world.judge(maker.draft("Open it.", maker.call("Scraper", url=url))).ok


def test_link_inside_a_page_counts_as_observed(world: Any, kit: Any) -> None:
    maker = world.maker
    page = kit.Paper("P", ("A. Bo",), "V", "2019", kit.ASKED.url, "Code: https://git.org/a/b.")
    maker.scrape(page)
    verdict = world.judge(maker.draft("x y", maker.call("Scraper", url="https://git.org/a/b")))
    assert verdict.ok
    assert "https://git.org/a/b" in world.verifier.view.linked
    assert "https://git.org/a/b" not in world.verifier.view.listed


# --- premature_artifact ---


def _write(world: Any, kit: Any, name: str, text: str, stage: str) -> Any:
    call = world.maker.call("Write", file_path=f"{kit.HOME}/{name}", content=text)
    return world.judge(world.maker.draft("A first skeleton.", call), stage)


def test_artifact_before_its_stage(world: Any, kit: Any) -> None:
    verdict = _write(world, kit, "claim_audit.md", kit.SKELETON, "explore")
    assert verdict.code == "premature_artifact"
    assert _write(world, kit, "claim_audit.md", kit.SKELETON, "audit").ok


def test_artifact_before_the_one_it_rests_on(world: Any, kit: Any) -> None:
    verdict = _write(world, kit, "synthesis.md", "## Problem levels\n", "synthesize")
    assert verdict.code == "premature_artifact"


def test_artifact_in_another_folder(world: Any, kit: Any) -> None:
    verdict = _write(world, kit, "old/claim_audit.md", kit.SKELETON, "audit")
    assert verdict.code == "premature_artifact"
    assert _write(world, kit, "notes.md", "## Notes\n", "explore").ok


def _five(kit: Any) -> str:
    quote = "It fails when a claim rests on facts from several sentences."
    text = "Entailment fails where facts come from several sentences"
    return "".join(kit.claim(n, kit.KEPT, f"{text} {'abcde'[n - 1]}", quote) for n in range(1, 6))


def test_artifact_in_one_block(world: Any, kit: Any) -> None:
    text = _five(kit)
    assert _write(world, kit, "claim_audit.md", text, "audit").code == "premature_artifact"
    world.maker.write("claim_audit.md", kit.SKELETON, "audit")
    assert _write(world, kit, "claim_audit.md", text, "audit").code == "premature_artifact"


# --- anachronism ---


@pytest.mark.parametrize(
    "said",
    [
        "Work published in 2023 may do better.",
        "The March 2022 release changes that.",
        "From 2021-08-01 on this was known.",
        "See arXiv:2305.12345 for that." if False else "Look at 2305.12345v2 for that.",
        "ChatGPT would answer this at once.",
        "Compare 2023.acl-long.12 on this.",
        "The ACL 2022 papers say more.",
    ],
)
def test_anachronism(world: Any, said: str) -> None:
    verdict = world.say(said)
    assert verdict.code == "anachronism"


@pytest.mark.parametrize(
    "said",
    [
        "Inputs are cut at 2048 tokens.",
        "A test set of 2022 examples is small.",
        "Work published in 2019 and in June 2021 is at hand.",
        "A batch = 2023 of them.",
        "BERT was there by then.",
        "GPT-3 was there by then.",
    ],
)
def test_no_anachronism(world: Any, said: str) -> None:
    assert world.say(said).ok


def test_observed_later_year_is_free(world: Any, kit: Any) -> None:
    paper = kit.Paper("T", ("A. Bo",), "V", "2019", "https://x.org/t", "Goals for 2030 are set.")
    world.maker.search("goals", paper)
    assert world.say("The goals for 2030 are far.").ok


def test_name_that_the_index_has_only_later(kit: Any, lexicon: Lexicon) -> None:
    verifier = Verifier(cutoff="2017-01-31", lexicon=lexicon)
    maker = kit.Maker()
    verifier.follow(maker.trail)
    call = maker.call("WebSearch", query="faithfulness of summaries")
    assert verifier.judge(maker.draft("A BERT encoder might do.", call), "explore").code
    free = verifier.judge(maker.draft("An LSTM encoder with attention might do.", call), "explore")
    assert free.ok, free.findings


# --- pipeline_language ---


@pytest.mark.parametrize(
    "said",
    [
        "The oracle expects a graph here.",
        "I must match the anchor proposal.",
        "The Advisor wants a different query.",
        "The verifier rejected my last call.",
        "My last draft was not taken, so another query is due.",
        "The last verdict named call 2.",
        "This would trip the leakage check.",
        "The next milestone requires a skeleton.",
        "That is a leakage lock.",
        "The hidden target may be about graphs.",
        "Stage: audit. Turn 14 of 40.",
        "claim_audit.md should be filled by now.",
        "That was oracle_leakage, so I rephrase.",
        "On this retry I choose other words.",
        "There are 3 turns left before the end.",
    ],
)
def test_pipeline_language(world: Any, said: str) -> None:
    assert world.say(said).code == "pipeline_language"


@pytest.mark.parametrize(
    "said",
    [
        "The anchor text of a link is a weak label.",
        "Greedy oracle summaries give an upper bound.",
        "They train against oracle sentences and an oracle extractor.",
        "A verifier model reranks solutions; the verifier reaches 80 points in their setting."
        if False
        else "A verifier model reranks solutions.",
        "BERT was a milestone in the field.",
        "Each claim gets a verdict of supported or refuted.",
        "The target language has few resources, and the target proposal distribution is flat."
        if False
        else "The target language has few resources.",
        "Retrying failed requests helps crawlers.",
        "They lock the encoder weights.",
        "Anchor points and anchor sentences are used for alignment.",
        "Her thesis advisor is thanked.",
        "The pipeline retrieves passages first.",
    ],
)
def test_innocent_research_words(world: Any, said: str) -> None:
    verdict = world.say(said)
    assert verdict.ok, verdict.findings


# --- malformed_call ---


def test_malformed(world: Any) -> None:
    maker = world.maker
    ok = maker.call("WebSearch", query="faithful summaries")
    cases: list[tuple[Draft, int | None]] = [
        (Draft("Reason.", "", (Call("call_1", "", "{}", {}),)), 0),
        (Draft("Reason.", "", (ok, Call("call_2", "Bash", "{}", {"c": 1}))), 1),
        (Draft("Reason.", "", (ok,), faults=("bad JSON",), faulty_call=0), 0),
        (Draft("  \n", "", (ok,)), None),
        (Draft("Done.", "All is said.", ()), None),
        (Draft("Wide.", "", tuple(maker.call("Glob", pattern=f"{n}*") for n in range(14))), 13),
    ]
    for draft, where in cases:
        verdict = world.judge(draft)
        assert verdict.code == "malformed_call"
        assert verdict.pointer.call == where


def test_arguments_are_checked_by_the_given_callable(maker: Any) -> None:
    def check(name: str, given: Any) -> str | None:
        return None if "query" in given else "needs query"

    verifier = Verifier(cutoff="2021-06-30", arguments=check)
    verifier.follow(maker.trail)
    bad = maker.draft("A search.", maker.call("WebSearch", q="x"))
    assert verifier.judge(bad, "explore").code == "malformed_call"
    good = maker.draft("A search.", maker.call("WebSearch", query="x"))
    assert verifier.judge(good, "explore").ok


# --- repetition ---


def test_same_search_again(world: Any) -> None:
    maker = world.maker
    again = maker.call("WebSearch", query="Checking  summaries with ENTAILMENT")
    assert world.judge(maker.draft("Once more.", again)).code == "repetition"


def test_same_page_again(world: Any, kit: Any) -> None:
    maker = world.maker
    again = maker.call("Scraper", url=kit.KEPT.url + "?utm_source=a")
    assert world.judge(maker.draft("Once more.", again)).code == "repetition"


def test_view_of_what_was_shown(world: Any, kit: Any) -> None:
    maker = world.maker
    path = kit.KEPT.file
    shown = "1\tTitle: x\n2\ty\n3\tz"
    maker.add("Read it.", (maker.call("View", file_path=path), shown))
    again = maker.call("View", file_path=path, offset=2, limit=2)
    assert world.judge(maker.draft("Again.", again)).code == "repetition"
    other = maker.call("View", file_path=f"{kit.HOME}/other.md")
    assert world.judge(maker.draft("Other.", other)).ok


def test_view_after_a_change_is_new(world: Any, kit: Any) -> None:
    maker = world.maker
    path = f"{kit.HOME}/notes.md"
    maker.add("A note.", (maker.call("Write", file_path=path, content="a\nb"), "Wrote."))
    maker.add("Look.", (maker.call("View", file_path=path), "1\ta\n2\tb"))
    view = maker.call("View", file_path=path)
    assert world.judge(maker.draft("Again.", view)).code == "repetition"
    edit = maker.call("Edit", file_path=path, old_string="b", new_string="c")
    maker.add("Change it.", (edit, "Edited."))
    assert world.judge(maker.draft("Look at it now.", view)).ok


def test_looping_reasoning(world: Any) -> None:
    line = "The entailment model should be compared with question answering next."
    assert world.say(" ".join([line] * 3)).code == "repetition"
    for n in range(3):
        world.maker.search(f"query number {n}", reasoning=f"{line} Then part {n} follows.")
    assert world.say(f"{line} Nothing else is new in this one.").code == "repetition"


# --- title_pre_knowledge ---

TITLE = "Challenges in Data-to-Document Generation"


def _titles(kit: Any, lexicon: Lexicon) -> tuple[Verifier, Any]:
    verifier = Verifier(cutoff="2021-06-30", lexicon=lexicon)
    maker = kit.Maker()
    maker.search("records to text", kit.KEPT)
    verifier.follow(maker.trail)
    return verifier, maker


@pytest.mark.parametrize(
    "query",
    [
        TITLE,
        "challenges in data to document generation",
        "Challenges in Data-to-Document Generation pdf",
        "CHALLENGES IN DATA-TO-DOCUMENT GENERATION.",
        "Ensure the Correctness of a Summary: Incorporate Entailment Knowledge into Abstractive "
        "Sentence Summarization",
        "Ensure the Correctness of the Summary",
    ],
)
def test_title_searched_before_it_was_observed(kit: Any, lexicon: Lexicon, query: str) -> None:
    verifier, maker = _titles(kit, lexicon)
    draft = maker.draft("A search.", maker.call("WebSearch", query=query))
    assert verifier.judge(draft, "explore").code == "title_pre_knowledge"


def test_title_observed_one_turn_before_is_free(kit: Any, lexicon: Lexicon) -> None:
    verifier, maker = _titles(kit, lexicon)
    paper = kit.Paper(TITLE, ("Sam Wiseman",), "EMNLP", "2017-09", "https://x.org/1", "Text.")
    maker.search("documents from data", paper)
    verifier.follow(maker.trail)
    draft = maker.draft("A search.", maker.call("WebSearch", query=TITLE.lower()))
    assert verifier.judge(draft, "explore").ok


def test_title_that_the_trail_observes_later(kit: Any) -> None:
    verifier = Verifier(cutoff="2021-06-30")
    maker = kit.Maker()
    maker.search(kit.LATER.title, kit.KEPT)
    maker.search("dialogue archives", kit.LATER)
    verdicts = [v.code for _, v in verifier.audit(maker.trail)]
    assert verdicts == ["title_pre_knowledge", None]
    again = [v.code for _, v in verifier.audit(maker.trail)]
    assert again == verdicts
