"""The pieces of the offline Generator: tool texts, phrases, restating, edits, speech."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.models.offline.claims import claim_text
from ideatrail.models.offline.edits import edits_between
from ideatrail.models.offline.fragments import fragments
from ideatrail.models.offline.lens import Lens, question_of
from ideatrail.models.offline.memory import Memory, Reading, Search
from ideatrail.models.offline.observed import Hit, Page, parse_hits, parse_page, parse_view
from ideatrail.models.offline.operators import DESIGNS
from ideatrail.models.offline.phrases import key_phrases
from ideatrail.models.offline.queries import QueryMaker
from ideatrail.models.offline.reading import sentences_of
from ideatrail.models.offline.restate import decapitalise, shorten, span, third_person
from ideatrail.models.offline.speech import GRAMMAR, Voice, number, skeleton

HITS = """1. A Study of Small Things
   Ann Roe, Bo van Dam | Proceedings of X (Volume 1: Long Papers) | 2021-08
   https://aclanthology.org/2021.x.1/
   Small things are hard to see. We look at them closely.
2. Another One
   unknown authors | unknown venue | no date
   https://aclanthology.org/2021.x.2/"""

PAGE = """Title: A Study of Small Things
Authors: Ann Roe, Bo van Dam
Venue: Proceedings of X
Date: 2021-08
URL: https://aclanthology.org/2021.x.1/
Saved as: research_topics/t/sources/roe-2021-a-study.md

Small things are hard to see. We propose a lens that enlarges them by bending light.
(The text goes on: View research_topics/t/sources/roe-2021-a-study.md with offset 8.)"""


def page(*lines: str, authors: tuple[str, ...] = ("Ann Roe", "Bo Dam", "Cy Ek")) -> Reading:
    made = Page(
        "A Study", authors, "X", "2021-08", "https://x.org/1", "p.md", lines, False, False, 0
    )
    return Reading(made, 1, lines, True)


def test_search_results_are_read_with_all_their_fields() -> None:
    first, second = parse_hits(HITS)
    assert first.title == "A Study of Small Things"
    assert first.authors == ("Ann Roe", "Bo van Dam")
    assert first.venue == "Proceedings of X (Volume 1: Long Papers)"
    assert (first.year, first.rank) == ("2021", 1)
    assert second.year == "n.d."
    assert second.snippet == ""


def test_nothing_found_is_an_empty_list() -> None:
    assert parse_hits("The search found nothing. Try other or fewer words.") == ()


def test_pages_are_read_without_the_notes_of_the_tool() -> None:
    found = parse_page(PAGE)
    assert found is not None
    assert found.more
    assert found.more_from == 8
    assert len(found.lines) == 1
    assert found.short == "Roe and van Dam"
    assert not found.summary


def test_a_summary_page_is_known_by_its_first_line() -> None:
    text = PAGE.split("\n\n")[0] + (
        "\n\nSummary written by the IdeaTrail project; not the authors' own words.\n"
        "The lens enlarges what is small."
    )
    found = parse_page(text)
    assert found is not None
    assert found.summary
    assert found.lines == ("The lens enlarges what is small.",)


def test_refusals_and_other_texts_are_no_pages() -> None:
    assert parse_page("Error: No page is stored for this address.") is None
    assert parse_page("") is None
    assert parse_view("3\tthree\n4\tfour\n(more)") == ((3, "three"), (4, "four"))


@given(st.text(max_size=400))
def test_reading_tool_texts_never_raises(text: str) -> None:
    parse_hits(text)
    parse_page(text)
    parse_view(text)
    key_phrases(text)


LINES = st.lists(st.sampled_from(["## C1. a", "## C2. b", "- status: open", "x", "y", ""]))


@given(LINES, LINES, st.integers(1, 3))
def test_edits_turn_one_text_into_the_other(a: list[str], b: list[str], most: int) -> None:
    before, after = "\n".join(["# Title", *a]), "\n".join(["# Title", *b])
    pairs = edits_between(before, after, most)
    text = before
    for old, new in pairs:
        assert old != new
        assert text.count(old) == 1
        text = text.replace(old, new, 1)
    assert text == after
    assert len(pairs) <= most


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("We propose a lens", "Roe et al. propose a lens"),
        ("We also show our lens to us", "Roe et al. also show their lens to them"),
        ("In this paper, we train it", "they train it"),
        ("This paper presents a lens", "the paper by Roe et al. presents a lens"),
        ("Our lens-based step helps", "their lens-based step helps"),
    ],
)
def test_third_person(text: str, told: str) -> None:
    assert third_person(text, "Roe et al.", single=False) == told


def test_third_person_conjugates_for_one_author() -> None:
    assert third_person("We study lenses", "Roe", single=True) == "Roe studies lenses"


def test_names_keep_their_capitals() -> None:
    assert decapitalise("Roe et al. propose") == "Roe et al. propose"
    assert decapitalise("Arabic is hard") == "Arabic is hard"
    assert decapitalise("BERT is large") == "BERT is large"
    assert decapitalise("In Roe et al. (2021), it holds") == "in Roe et al. (2021), it holds"
    assert decapitalise("Models fail") == "models fail"


def test_shortening_keeps_a_main_clause_or_gives_nothing() -> None:
    long = "Since the rise of very large models that can write whole programs, " + "x" * 300
    assert shorten(long, 120) == ""
    kept = shorten(
        "The lens enlarges small things by a factor of ten, which makes them visible to all", 60
    )
    assert kept == "The lens enlarges small things by a factor of ten"
    assert shorten("We do (1) this and (2) that", 100) == ""


def test_spans_are_verbatim() -> None:
    text = "Results show that the lens enlarges every small thing we tried it on, in two settings."
    assert span(text) in text
    assert span('He says "no" to every one of the small things here.') == ""


def test_a_claim_never_loses_the_negation_of_its_sentence() -> None:
    sentence = (
        "We show that the enlarging lens improves the sight of small things in every room that "
        "was tried and in all kinds of light that could be made there at the time, and it needs "
        "little care, which does not hold for the older lens that others have described at length"
        " in earlier work on this matter."
    )
    reading = page(sentence)
    found = sentences_of(reading.passages)[0]
    claim = claim_text(found, reading)
    assert claim == "" or "not" in claim


def test_mechanisms_are_taken_from_own_work_only() -> None:
    reading = page(
        "Earlier systems are trained by a costly search over rooms and lights.",
        "We propose a curved lens that enlarges small things by bending light around them.",
    )
    others, own = sentences_of(reading.passages)
    assert "mechanism" not in others.roles
    assert "mechanism" in own.roles
    assert fragments(own)[0].text.startswith("a curved lens that enlarges")


def test_the_lens_leaves_out_what_is_ruled_out_and_what_briefs_always_say() -> None:
    lens = Lens(
        "I would like to know how a model could mend its own answers, without extra training or "
        "outside tools. What would make such self-correction reliable?",
        [],
    )
    assert question_of(lens.direction).startswith("What would make")
    assert all("tools" not in p.text for p in lens.phrases)
    assert "know" not in lens.order
    assert lens.fit("self-correction of answers") > lens.fit("outside tools for training")


def searched(*queries: str) -> Memory:
    memory = Memory("How can lenses enlarge small things without costly glass?", "f", "2024-01-01")
    hit = Hit(
        "Enlarging Small Things with Curved Glass", ("A B",), "X", "2021", "https://x/1", "", 1
    )
    memory.hits[hit.url] = hit
    memory.searches = [Search(q, (hit,), (hit,), 1) for q in queries]
    return memory


def test_queries_are_new_and_no_titles() -> None:
    memory = searched("lenses small things", "curved lenses")
    maker = QueryMaker(memory, Lens(memory.direction, []), random.Random(1))
    assert not maker.fresh("small things lenses")
    assert not maker.fresh("enlarging small things with curved glass")
    assert not maker.fresh("")
    taken = [q.text for q in maker.take(8)]
    assert len(set(taken)) == len(taken)


def test_the_voice_does_not_repeat_itself() -> None:
    voice = Voice([], [], frozenset(), random.Random(1), most=100)
    said = [voice.say("doubt"), voice.say("doubt")]
    assert said == [True, False]
    first = voice.text()
    again = Voice([first], [first], frozenset(), random.Random(1))
    again.say("doubt")
    assert again.text() != first


def test_skeletons_mask_quotes_names_numbers_and_observed_words() -> None:
    vocabulary = frozenset(["lens", "light"])
    one = skeleton('What Roe et al. (2021) say is "the lens bends", so be it.', vocabulary)
    two = skeleton('What Dam et al. (2019) say is "it breaks", so be it.', vocabulary)
    assert one == two


SLOTS = frozenset(
    """a all b c cite cite_a cite_b contested count file gist goal id ids limit lists missing names
    new new_of nth pages q qa qb quote rank reason risk sa sb sections short short_a short_b shared
    some stmt supported term terms thing times title unopened words y1 y2 year""".split()
)


def test_the_grammar_is_large_and_speaks_of_research_alone() -> None:
    assert sum(len(ways) for ways in GRAMMAR.values()) > 400
    assert all(len(ways) >= 3 for ways in GRAMMAR.values())
    forbidden = re.compile(
        r"\b(?:oracle|anchor|advisor|verifier|verdict|milestone|lock|target|retry|pipeline|"
        r"stage|turns? left|instructed)\b",
        re.IGNORECASE,
    )
    for ways in GRAMMAR.values():
        for way in ways:
            assert not forbidden.search(way), way
            assert set(re.findall(r"\{(\w+)\}", way)) <= SLOTS, way
            assert way.rstrip("\"'")[-1] in ".?", way


def test_designs_fill_with_parts() -> None:
    for design in DESIGNS.values():
        for template in (design.name, design.computed, design.gist, design.thesis):
            assert template.format(a="A", b="B", ta="TA", tb="TB", goal="G")


def test_small_counts_are_words() -> None:
    assert [number(n) for n in (0, 3, 20, 21)] == ["no", "three", "twenty", "21"]
