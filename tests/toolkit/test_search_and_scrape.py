"""WebSearch and Scraper: texts as the contract has them, pages saved once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from ideatrail.toolkit.kit import Toolkit
from ideatrail.toolkit.outcome import Outcome
from ideatrail.toolkit.sources import file_name

from .conftest import HOME, SLUG, call

Do = Callable[..., Awaitable[Outcome]]
PAGE = "https://example.org/papers/1"
LONG = "https://example.org/papers/3"


async def test_hits_have_the_contracts_form(do: Do) -> None:
    outcome = await do("WebSearch", query="overconfident answers temperature", max_results=1)
    assert outcome.content.split("\n")[:3] == [
        "1. Calibration of answers under shift",
        "   Ada Lindqvist, Bo Varga | Workshop on Honest Models | 2020-07-05",
        f"   {PAGE}",
    ]
    assert outcome.content.split("\n")[3].startswith("   ")
    assert (outcome.status, outcome.observed) == ("ok", True)


async def test_the_latest_moment_is_that_of_the_latest_hit(do: Do) -> None:
    outcome = await do("WebSearch", query="calibration")
    assert outcome.date_latest is not None
    # "2021-01" can be as late as 31 January at UTC-12; what came after the cutoff is not there.
    assert outcome.date_latest.startswith("2021-02-01T1")
    assert outcome.date_latest.endswith("+00:00")
    assert "A study from later" not in outcome.content


async def test_a_bar_in_a_venue_does_not_make_a_field(do: Do) -> None:
    outcome = await do("WebSearch", query="second study same title", max_results=1)
    about = outcome.content.split("\n")[1].split(" | ")
    assert about[1:] == ["Other Venue / Track", "2020-07-06"]


async def test_nothing_found_is_an_answer_without_a_word_of_the_query(do: Do) -> None:
    outcome = await do("WebSearch", query="zygomorphic quaternions")
    assert outcome.status == "ok"
    assert not outcome.content.startswith("Error")
    assert "zygomorphic" not in outcome.content
    assert not outcome.observed
    assert (await do("WebSearch", query=" \n ")).content == "Error: the query is empty."
    assert (await do("WebSearch", query="calibration \ud800 \0")).status == "ok"


async def test_a_page_is_saved_whole_and_shown_by_its_head(do: Do, kit: Toolkit) -> None:
    outcome = await do("Scraper", url=PAGE)
    path = f"{HOME}/sources/lindqvist-2020-calibration-of-answers-under-shift.md"
    assert outcome.source_file == path
    assert outcome.content == (
        "Title: Calibration of answers under shift\n"
        "Authors: Ada Lindqvist, Bo Varga\n"
        "Venue: Workshop on Honest Models\n"
        "Date: 2020-07-05\n"
        f"URL: {PAGE}\n"
        f"Saved as: {path}\n"
        "\n"
        "Calibration falls when questions come from another domain.\n"
        "Scaling the temperature mends a third of the gap; "
        "12.5% of answers stay overconfident."
    )
    assert kit.workspace.read(path).decode() == outcome.content + "\n"
    assert outcome.saved == (path, outcome.content + "\n")
    assert outcome.observed
    assert outcome.date_latest is not None


async def test_a_long_page_is_cut_at_a_word_and_says_where_to_read_on(do: Do) -> None:
    outcome = await do("Scraper", url=LONG)
    *shown, note = outcome.content.split("\n")
    body = "\n".join(shown[7:])
    assert len(body) <= 1_500
    line = 7 + len(shown[7:])
    assert note == f"(The text goes on: View {outcome.source_file} with offset {line}.)"
    further = await do("View", file_path=outcome.source_file, offset=line, limit=1)
    assert further.content.startswith(f"{line}\t{shown[-1]}")
    assert len(further.content.split("\n")[0]) > len(f"{line}\t{shown[-1]}")


async def test_a_page_scraped_again_makes_no_new_file(do: Do, kit: Toolkit) -> None:
    first = await do("Scraper", url=PAGE)
    second = await do("Scraper", url=PAGE)
    other_form = await do("Scraper", url="http://www.example.org/papers/1/#top")
    for again in (second, other_form):
        assert again.source_file == first.source_file
        assert again.saved is None
        assert again.date_latest == first.date_latest
        assert again.content.startswith(first.content)
        assert "saved before" in again.content
    listed = await do("Glob", pattern="*", path=f"{HOME}/sources")
    assert listed.content == first.source_file


async def test_names_in_one_batch_follow_the_order_of_calls(kit: Toolkit) -> None:
    outcomes = await kit.run(
        [
            call("Scraper", url="https://example.org/papers/2"),
            call("Scraper", url=PAGE),
            call("Scraper", url=PAGE),
        ]
    )
    stem = f"{HOME}/sources/lindqvist-2020-calibration-of-answers-under-shift"
    assert [o.source_file for o in outcomes] == [f"{stem}.md", f"{stem}_2.md", f"{stem}_2.md"]
    assert [o.saved is None for o in outcomes] == [False, False, True]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/papers/5",  # after the cutoff
        "https://example.org/none",
        "https://[not an address",
        "ftp://example.org/papers/1",
        "example.org/papers/1",
        "",
        "https://example.org/\ud800",
        "https://exa mple.org/",
    ],
)
async def test_what_cannot_be_had_is_a_refusal(do: Do, url: str) -> None:
    outcome = await do("Scraper", url=url)
    assert outcome.content.startswith("Error: ")
    assert outcome.status == "refused"
    assert not outcome.observed
    assert outcome.source_file is None


async def test_a_later_page_reads_like_an_unknown_one(do: Do) -> None:
    later = await do("Scraper", url="https://example.org/papers/5")
    unknown = await do("Scraper", url="https://example.org/papers/77")
    assert later.content == unknown.content


def test_file_names_come_from_the_page_alone() -> None:
    def free(name: str) -> bool:
        return False

    assert file_name(("Élise Ó Súilleabháin",), "2019-03", "A/B: “Tests” & more!", "u", free) == (
        "suilleabhain-2019-a-b-tests-more.md"
    )
    assert file_name(("van der Berg, Jan",), "", "On x", "u", free) == (
        "vanderberg-undated-on-x.md"
    )
    nameless = file_name((), "1999", "校准", "https://example.org/4", free)
    assert nameless.startswith("anon-1999-")
    assert nameless == file_name((), "1999", "另", "https://example.org/4", free)
    assert len(file_name(("x" * 300,), "2020", "t", "u", free)) < 100
    taken = {"anon-2020-a.md", "anon-2020-a_2.md"}
    assert file_name((), "2020", "A", "u", taken.__contains__) == "anon-2020-a_3.md"
    assert SLUG not in nameless
