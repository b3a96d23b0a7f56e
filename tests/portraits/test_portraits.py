"""Portraits rest on papers and name nobody."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.withheld import NOTHING_WITHHELD, Target, Withheld
from ideatrail.portraits.authors import tell_apart
from ideatrail.portraits.portrait import HEADINGS
from ideatrail.portraits.shelf import PortraitError, open_shelf
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.settings import Settings
from ideatrail.trail.text import words

PROPOSAL = str(folder("data") / "proposals" / "source_aware_decoding.md")
CUTOFF = "2022-06-01"


def paper(number: int, authors: list[str], topic: str, year: int) -> Paper:
    body = (
        f"We study {topic} and propose a model with latent trees. Experiments on three languages "
        f"show gains of {number + 1} points over strong baselines. An ablation confirms the effect."
    )
    return Paper.make(
        id=f"P{year % 100}-{number:04}",
        title=f"Study {number} of {topic} with latent trees",
        body=[body],
        authors=authors,
        venue="ACL",
        date=f"{year}-07",
        url=f"https://aclanthology.org/P{year % 100}-{number:04}/",
        doi=None,
        kind="abstract",
    )


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """One name borne by two people, and papers of others."""
    parser = [paper(n, ["Ada Example", "Cee Coworker"], "dependency parsing", 2016 + n % 5)
              for n in range(9)]  # fmt: skip
    speaker = [paper(100 + n, ["Ada Example", "Dee Other"], "speech prosody", 2016 + n % 5)
               for n in range(4)]  # fmt: skip
    others = [paper(200 + n, [f"Someone Else{n}"], "machine translation", 2016 + n % 5)
              for n in range(40)]  # fmt: skip
    late = [paper(300, ["Ada Example", "Cee Coworker"], "dependency parsing", 2023)]
    return Corpus.of([*parser, *speaker, *others, *late])


def test_people_of_one_name_are_told_apart(corpus) -> None:
    shelf = open_shelf(corpus, Cutoff.parse(CUTOFF), NOTHING_WITHHELD, "Example, Ada")
    sizes = [len(cluster.papers) for cluster in tell_apart(shelf)]
    assert sizes == [9, 4]
    assert not any(p.date.startswith("2023") for p in shelf.papers)


def test_the_target_is_never_read(corpus) -> None:
    target = next(p for p in corpus.papers if p.authors[0] == "Ada Example")
    withheld = Withheld.of(Target.of(target)).spread(corpus.papers)
    shelf = open_shelf(corpus, Cutoff.parse(CUTOFF), withheld, "Ada Example")
    assert target.id not in {p.id for p in shelf.papers}


@pytest.mark.parametrize("name", ["Nobody Atall", "Ada Exampel", ""])
def test_an_unknown_name_is_told(corpus, name) -> None:
    with pytest.raises(PortraitError) as caught:
        open_shelf(corpus, Cutoff.parse(CUTOFF), NOTHING_WITHHELD, name)
    assert "\n" not in str(caught.value)


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("author", ["Graham Neubig", "Iryna Gurevych", "Yulia Tsvetkov"])
def test_a_real_portrait_names_nobody_and_rests_on_papers(
    cli, shared_data, tmp_path_factory, author
) -> None:
    index = tmp_path_factory.getbasetemp() / "acl_small"
    source = shared_data / "papers_acl_small.jsonl.gz"
    if not index.exists():
        assert cli("corpus", "build", source, "--out", index).code == 0
    out = tmp_path_factory.mktemp("portrait") / "p.md"
    done = cli("portrait", "--author", author, "--cutoff", CUTOFF, "--corpus", index, "--out", out)
    assert done.code == 0, done.err
    text = out.read_text("utf-8")
    told = orjson.loads(out.with_name("p.evidence.json").read_bytes())
    papers = {p.id: p for p in Corpus.open(index).papers}
    assert sum(heading in text for heading in HEADINGS.values()) == 5
    assert told["statements"]
    said = words(text)
    for statement in told["statements"]:
        assert statement["support"], statement
        for support in statement["support"]:
            held = papers[support["paper"]]
            whole = " ".join([held.title, *held.body])
            assert " ".join(support["quote"].split()) in " ".join(whole.split())
            assert Cutoff.parse(CUTOFF).admits(held.shown)
            title = words(held.title)
            grams = {tuple(title[i : i + 5]) for i in range(len(title) - 4)}
            assert grams.isdisjoint(tuple(said[i : i + 5]) for i in range(len(said) - 4))
    for name in (author, author.split()[-1], "University", "Institute"):
        assert name.casefold() not in text.casefold()


async def test_auto_portrays_the_targets_first_author(corpus, tmp_path, monkeypatch) -> None:
    index = tmp_path / "index"
    rows = tmp_path / "rows.jsonl"
    bundled = Corpus.bundled().papers
    rows.write_bytes(b"".join(orjson.dumps(p.row()) + b"\n" for p in (*corpus.papers, *bundled)))
    from ideatrail.evidence.corpus import build

    build([rows], index)
    target = tmp_path / "target.json"
    target.write_bytes(
        orjson.dumps({"title": "A hidden paper on parsing trees",
                      "authors": ["Ada Example", "Cee Coworker"],
                      "abstract": "Dependency parsing with latent trees."})
    )  # fmt: skip
    result = await run_trail(
        Settings(proposal=PROPOSAL, cutoff=CUTOFF, turns=6, out=tmp_path / "out", corpus=index,
                 portrait=Path("auto"), target=str(target), min_papers=1)
    )  # fmt: skip
    assert result.exit_code in (0, 3)
    kept = orjson.loads((result.folder / "advisor" / "portrait.json").read_bytes())
    assert kept["statements"]
    assert [r["chosen"] for r in kept["same_name"]].count(True) == 1
    public = b"".join(
        p.read_bytes() for p in result.folder.rglob("*")
        if p.is_file() and "advisor" not in p.parts and p.name == "trajectory.jsonl"
    )  # fmt: skip
    record = result.folder / "trajectory.jsonl"
    if not record.exists():
        record = result.folder / "advisor" / "rejected_trajectory.jsonl"
    system = orjson.loads(record.read_bytes())["messages"][0]["content"]
    assert "Domain knowledge" in system
    assert b"Cee Coworker" not in public
    for name in ("Ada", "Example", "Coworker"):
        assert name not in system


async def test_auto_without_a_known_author_is_refused(tmp_path) -> None:
    from ideatrail.nodes.rooms import InputRefused

    with pytest.raises(InputRefused, match="--portrait auto"):
        await run_trail(Settings(proposal=PROPOSAL, out=tmp_path, portrait=Path("auto"), turns=6))
    assert list(tmp_path.iterdir()) == []
