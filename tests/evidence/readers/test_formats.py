"""Every format that papers come in, by real answers where there are some, and by our own lines."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path

import orjson
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.readers import Abstracts, BadLine, expand, read, read_from

ACL_XML = """<?xml version='1.0' encoding='UTF-8'?>
<collection id="2020.acl"><volume id="main" ingest-date="2021-09-01"><meta>
<booktitle>Proceedings of the <fixed-case>ACL</fixed-case></booktitle><month>July</month>
<year>2020</year></meta><frontmatter><url hash="x">2020.acl-main.0</url></frontmatter>
<paper id="1">
<title>Marking <fixed-case>S</fixed-case>ources with <tex-math>k</tex-math> words</title>
<author><first>Ada</first><last>Example</last></author><author><last>Mononym</last></author>
<abstract>We mark <i>sources</i> for <tex-math>k &lt; 5</tex-math>.</abstract>
<url hash="y">2020.acl-main.1</url><doi>10.18653/v1/2020.acl-main.1</doi></paper>
<paper id="2"><title>Gone</title><retracted date="2021-01-01">Yes</retracted>
<url hash="z">2020.acl-main.2</url></paper>
<paper id="3"><title/><url hash="z">2020.acl-main.3</url></paper></volume></collection>"""

BIBTEX = r"""% a comment
@string{acl = "Annual Meeting"}
@inproceedings{example-2020-marking, title = {Marking {S}ources of Na{\"\i}ve Summaries},
 author = "Example, Ada and Bo Sample and others", booktitle = {Proceedings of ACL}, year = 2020,
 month = jul, doi = {10.18653/v1/2020.acl-main.1}, abstract = {We mark sources.}}
@article{broken, title = {No end
@misc{preprint, title={A Preprint}, author={Example, Ada}, eprint={2001.00077},
 archivePrefix={arXiv}, year={2020}}
@book{nowhere, title={A Book without Address}, year={2019}}
@misc{preprint, title={The Same Key}, url={https://example.org/x}, year={2018}}
"""

OPENALEX = {
    "id": "https://openalex.org/W77",
    "display_name": "Marking Sources",
    "publication_date": "2020-01-01",
    "publication_year": 2020,
    "doi": "https://doi.org/10.1/x",
    "authorships": [{"author": {"display_name": "Ada Example"}}],
    "abstract_inverted_index": {"mark": [1], "We": [0], "sources.": [2]},
    "cited_by_count": 981,
}
SCHOLAR = {
    "corpusid": 7,
    "externalids": {"DOI": "10.1/x", "ArXiv": None, "ACL": None},
    "title": "Marking Sources",
    "authors": [{"authorId": "1", "name": "Ada Example"}],
    "venue": "ACL",
    "year": 2020,
    "publicationdate": "2020-07-05",
    "citationcount": 981,
}


def everything(path: Path) -> tuple[list[Paper], list[BadLine]]:
    bad: list[BadLine] = []
    return list(read(path, bad.append)), bad


def test_the_anthologys_own_xml(tmp_path) -> None:
    (tmp_path / "2020.acl.xml").write_text(ACL_XML, "utf-8")
    papers, bad = everything(tmp_path / "2020.acl.xml")
    assert [b.why for b in bad] == ["retracted", "a paper without a title"]
    (paper,) = papers
    assert paper.id == "2020.acl-main.1"
    assert paper.title == "Marking Sources with $k$ words"
    assert paper.body == ("We mark sources for $k < 5$.",)
    assert paper.authors == ("Ada Example", "Mononym")
    assert (paper.venue, paper.date) == ("Proceedings of the ACL", "2020-07")
    assert "https://doi.org/10.18653/v1/2020.acl-main.1" in paper.aliases
    assert not Cutoff.parse("2020-07-15").admits(paper.shown), "the month is over when it is over"


@pytest.mark.parametrize(
    ("month", "date"),
    [("July", "2020-07"), ("July–August", "2020-08"), ("", "2020"), ("7", "2020-07"),
     ("Summer", "2020")],
)  # fmt: skip
def test_months_of_volumes(tmp_path, month, date) -> None:
    text = ACL_XML.replace("<month>July</month>", f"<month>{month}</month>" if month else "")
    (tmp_path / "a.xml").write_text(text, "utf-8")
    assert everything(tmp_path / "a.xml")[0][0].date == date


def test_bibtex_goes_on_behind_broken_entries(tmp_path) -> None:
    (tmp_path / "a.bib").write_text(BIBTEX, "utf-8")
    papers, bad = everything(tmp_path / "a.bib")
    assert papers[0].title == "Marking Sources of Naïve Summaries"
    assert papers[0].authors == ("Ada Example", "Bo Sample")
    assert papers[0].date == "2020-07"
    assert "preprint" in {p.id for p in papers}
    assert any("https://arxiv.org/abs/2001.00077" in p.aliases for p in papers)
    assert any("without an address" in b.why for b in bad)
    assert all(b.line > 1 for b in bad)


@pytest.mark.shared
def test_recorded_bibtex_and_oai(shared_data) -> None:
    fixtures = shared_data / "fixtures"
    for path in sorted((fixtures / "crossref").glob("*.bib")):
        papers, bad = everything(path)
        assert len(papers) + len(bad) == 1, (path, bad)
        assert all(paper.shown for paper in papers)
    for path in sorted((fixtures / "arxiv_oai").glob("*.xml")):
        everything(path)


def test_openalex_works(tmp_path) -> None:
    (tmp_path / "part_000.gz").write_bytes(gzip.compress(orjson.dumps(OPENALEX) + b"\n{}\nx\n"))
    papers, bad = everything(tmp_path / "part_000.gz")
    assert [b.line for b in bad] == [2, 3]
    assert papers[0].body == ("We mark sources.",)
    assert not Cutoff.parse("2020-06-30").admits(papers[0].shown), "1 January stands for the year"
    assert "981" not in repr(papers[0])


def test_semantic_scholars_papers_find_their_abstracts(tmp_path) -> None:
    (tmp_path / "abstracts-0.jsonl").write_bytes(
        orjson.dumps({"corpusid": 7, "abstract": "We mark sources."}) + b"\n"
    )
    (tmp_path / "papers-0.jsonl").write_bytes(orjson.dumps(SCHOLAR) + b"\n")
    bad: list[BadLine] = []
    with Abstracts(tmp_path / "held.sqlite") as held:
        names = ("abstracts-0.jsonl", "papers-0.jsonl")
        found = [p for n in names for _, p in read_from(tmp_path / n, bad.append, abstracts=held)]
    assert bad == []
    assert [p.body for p in found] == [("We mark sources.",)]
    assert everything(tmp_path / "papers-0.jsonl")[0][0].body == ()


def test_our_own_rows_come_back(tmp_path) -> None:
    (tmp_path / "a.xml").write_text(ACL_XML, "utf-8")
    paper = everything(tmp_path / "a.xml")[0][0]
    (tmp_path / "rows.jsonl").write_bytes(orjson.dumps(paper.row()) + b"\n")
    assert everything(tmp_path / "rows.jsonl")[0] == [paper]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, zstandard.compress])
def test_what_packs_a_file_is_told_by_its_bytes(tmp_path, pack) -> None:
    (tmp_path / "anything.dat").write_bytes(pack(ACL_XML.encode()))
    assert len(everything(tmp_path / "anything.dat")[0]) == 1


def test_damage_is_told_and_what_stood_before_is_kept(tmp_path) -> None:
    lines = b"".join(orjson.dumps(OPENALEX) + b"\n" for _ in range(2_000))
    for pack in (gzip.compress, bz2.compress):
        packed = pack(lines)
        (tmp_path / "cut").write_bytes(packed[: len(packed) - 20])
        papers, bad = everything(tmp_path / "cut")
        assert bad
        assert "damaged" in bad[-1].why
        if pack is gzip.compress:
            assert len(papers) > 1_000
    (tmp_path / "cut.xml").write_text(ACL_XML[:700], "utf-8")
    assert "damaged" in everything(tmp_path / "cut.xml")[1][-1].why


def test_an_entity_is_never_resolved(tmp_path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("TOP SECRET", "utf-8")
    text = ACL_XML.replace(
        "<collection", f'<!DOCTYPE c [<!ENTITY s SYSTEM "file://{secret}">]><collection', 1
    ).replace("We mark", "We &s; mark")
    (tmp_path / "a.xml").write_text(text, "utf-8")
    assert "TOP SECRET" not in repr(everything(tmp_path / "a.xml"))


def test_a_folder_stands_for_what_is_below_it(tmp_path) -> None:
    for name in ("updated_date=2024/part_000.gz", "a/b.xml", "c.bib", "notes.txt", ".hidden.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    found = {p.relative_to(tmp_path).as_posix() for p in expand([tmp_path])}
    assert found == {"updated_date=2024/part_000.gz", "a/b.xml", "c.bib"}


@given(st.binary(max_size=300) | st.text(max_size=200).map(lambda t: f"@misc{{{t}".encode()))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_papers_or_bad_lines(tmp_path, raw) -> None:
    (tmp_path / "x").write_bytes(raw)
    papers, bad = everything(tmp_path / "x")
    assert all(isinstance(p, Paper) for p in papers)
    assert all(b.why for b in bad)
