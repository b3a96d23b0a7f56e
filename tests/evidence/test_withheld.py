"""The target is withheld under all its names, and nothing but the target."""

from __future__ import annotations

from pathlib import Path

import pytest

from ideatrail.evidence.readers import read
from ideatrail.evidence.withheld import NOTHING_WITHHELD, Target, Withheld, same_title

from .conftest import make

TITLE = "TrailBlazer: Writing Long Research Processes Forward in Time"


@pytest.mark.parametrize(
    "other",
    [
        TITLE,
        "trailblazer – writing long research-processes FORWARD in time.",
        "Trailblazer: Writing Long Research Processes Forwards in Time",
        "Writing Long Research Processes Forward in Time with TrailBlazer",
        "TrailBlazer: Writing Long Research Process Forward in Tme",
        "TrailBlazer:  Writing\u200b Long Research Processes Forward in Time",
    ],
)
def test_near_titles_are_the_same(other: str) -> None:
    assert same_title(TITLE, other)
    assert same_title(other, TITLE)


@pytest.mark.parametrize(
    "other",
    ["TrailBlazer", "Writing Research", "", "Writing Long Novels Forward in Time",
     "Reading Short Research Summaries Backward in Space", "TrailBlazer: A Video Controller"],
)  # fmt: skip
def test_other_titles_are_other_works(other: str) -> None:
    assert not same_title(TITLE, other)


def test_a_subtitle_makes_no_difference() -> None:
    assert same_title("Attention Is All You Need", "Attention Is All You Need: A Replication")
    assert same_title("On Rare Treebank Parsing: One", "On Rare Treebank Parsing - Two")
    assert not same_title("Parsing", "Parsing: A Replication")
    assert not same_title("Parsing Text", "Parsing Texts")


def test_every_way_to_name_the_target_hides_it() -> None:
    paper = make(id="P17-2008", doi="10.18653/v1/P17-2008", title=TITLE)
    other = make(id="P17-0001", title="Neural Parsing of Rare Languages", url="https://x.org/1")
    for target in (
        Target(titles=(TITLE,)),
        Target(ids=("P17-2008",)),
        Target(urls=("https://www.aclweb.org/anthology/P17-2008.pdf",)),
        Target(dois=("doi:10.18653/V1/P17-2008",)),
        Target.of(paper),
    ):
        withheld = Withheld.of(target)
        assert withheld.hides(paper)
        assert not withheld.hides(other)
    assert not NOTHING_WITHHELD.hides(paper)


def test_an_arxiv_id_hides_each_of_its_versions_and_pages() -> None:
    withheld = Withheld.of(Target(ids=("arXiv:1706.03762v2",)))
    for url in ("arxiv.org/abs/1706.03762", "https://arxiv.org/pdf/1706.03762v5.pdf"):
        assert withheld.hides_url(url)
    assert not withheld.hides_url("https://arxiv.org/abs/1706.03763")


def test_what_lies_below_a_repository_is_hidden() -> None:
    withheld = Withheld.of(Target(urls=("https://github.com/ada/trail",)))
    assert withheld.hides_url("http://github.com/ada/trail/blob/main/README.md")
    assert withheld.hides_url("https://github.com/ada/trail.git")
    assert not withheld.hides_url("https://github.com/ada/trailing")


def test_a_coined_name_needs_an_author_in_common() -> None:
    withheld = Withheld.of(Target(titles=(TITLE,), authors=("Ada Example",)))
    renamed = make(title="TrailBlazer: Research Agents That Remember")
    assert withheld.is_target(renamed)
    chance = make(title=renamed.title, authors=["Bo Sample"])
    assert not withheld.is_target(chance)
    assert withheld.hides(chance), "another work of the name would still tell it"


def test_withholding_spreads_over_shared_addresses() -> None:
    preprint = make(id="a1", url="https://arxiv.org/abs/1801.00001", title=TITLE, doi="10.1000/t")
    printed = make(id="P18-0001", doi="10.1000/t", title="A Wholly New Name for It")
    talk = make(id="t1", url="https://x.org/t", title="A Wholly New Name for It!")
    other = make(id="P17-0001")
    withheld = Withheld.of(Target(titles=(TITLE,)))
    assert not withheld.hides(printed)
    spread = withheld.spread([other, talk, printed, preprint])
    assert [spread.hides(p) for p in (preprint, printed, talk, other)] == [True, True, True, False]
    assert spread.key != withheld.key
    assert spread.spread([other, talk, printed, preprint]).key == spread.key


@pytest.mark.shared
def test_a_real_target_hides_itself_alone(shared_data: Path) -> None:
    found = list(read(shared_data / "papers_acl_small.jsonl.gz", lambda bad: None))
    for target in found[::250]:
        withheld = Withheld.of(Target.of(target)).spread(found)
        assert [p.id for p in found if withheld.is_target(p)] == [target.id]
        told = [p for p in found if withheld.hides(p) and p.id != target.id]
        name = target.title.partition(":")[0]
        assert all(name in " ".join((p.title, *p.body)) for p in told), target.title
