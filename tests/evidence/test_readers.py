"""Papers are read from real files; bad lines are told by number and skipped."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard

from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.readers import BadLine, SourceError, expand, read

ACL: dict[str, Any] = {
    "id": "P17-0001",
    "title": "A  Title",
    "abstract": "One. Two.",
    "authors": ["Ada Example"],
    "venue": "ACL",
    "year": 2017,
    "month": 7,
    "date": "2017-07",
    "doi": "10.18653/v1/P17-0001",
    "url": "https://aclanthology.org/P17-0001/",
    "ingest_date": "2024-01-01",
}
ARXIV: dict[str, Any] = {
    "id": "1706.03762", "title": "Attention\n  Is It", "abstract": "  Two\nlines.\n",
    "authors": "C. Bal\\'azs (1), Ada Example and Bo Sample, Jr. ((1) Somewhere, Far)",
    "comments": "later comment", "journal-ref": "J. Later 2020", "doi": "10.1/later",
    "report-no": "R-LATER", "categories": "cs.CL",
    "versions": [{"version": "v10", "created": "Wed, 5 Feb 2020 18:00:00 GMT"},
                 {"version": "v1", "created": "Mon, 12 Jun 2017 17:57:34 GMT"}],
    "update_date": "2021-03-03",
}  # fmt: skip


def lines(*records: Any) -> bytes:
    return b"".join(orjson.dumps(r) + b"\n" for r in records)


def read_all(path: Path) -> tuple[list[Paper], list[BadLine]]:
    bad: list[BadLine] = []
    return list(read(path, bad.append)), bad


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "jsonl.zst"])
def test_all_packings_read_alike(tmp_path: Path, suffix: str) -> None:
    raw = lines(ACL, {**ACL, "id": "P17-0002", "title": "Split\u2028line"})
    pack = {"jsonl": lambda b: b, "jsonl.gz": gzip.compress,
            "jsonl.zst": zstandard.ZstdCompressor().compress}[suffix]  # fmt: skip
    (tmp_path / f"a.{suffix}").write_bytes(pack(raw))
    papers, bad = read_all(tmp_path / f"a.{suffix}")
    assert [p.id for p in papers] == ["P17-0001", "P17-0002"]
    assert bad == []
    assert papers[0].title == "A Title"
    assert papers[0].aliases == (
        "https://aclanthology.org/P17-0001", "https://doi.org/10.18653/v1/p17-0001",
    )  # fmt: skip


def test_bad_lines_are_told_by_number_and_skipped(tmp_path: Path) -> None:
    bad_ones = [b"{broken", b"[1]", b'"text"', b"\xff\xfe", orjson.dumps({"id": "x"}),
                orjson.dumps({**ACL, "title": ""}), orjson.dumps({**ACL, "authors": "Ada"}),
                orjson.dumps({**ACL, "url": None}), orjson.dumps({**ARXIV, "versions": []}),
                orjson.dumps({**ARXIV, "versions": [{"version": "vx", "created": "?"}]}),
                orjson.dumps({**ARXIV, "versions": None})]  # fmt: skip
    (tmp_path / "a.jsonl").write_bytes(b"\n".join([lines(ACL)[:-1], b"", *bad_ones, lines(ACL)]))
    papers, bad = read_all(tmp_path / "a.jsonl")
    assert len(papers) == 2
    assert [b.line for b in bad] == list(range(3, 3 + len(bad_ones)))
    assert all(b.source == "a.jsonl" and b.why and "\n" not in b.why for b in bad)


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_a_damaged_file_keeps_what_stood_before(tmp_path: Path, suffix: str) -> None:
    raw = lines(*({**ACL, "id": f"P17-{n:04}", "abstract": f"Text {n} " * 9} for n in range(3000)))
    packed = gzip.compress(raw) if suffix == "gz" else zstandard.compress(raw)
    (tmp_path / f"a.jsonl.{suffix}").write_bytes(packed[: len(packed) // 2])
    papers, bad = read_all(tmp_path / f"a.jsonl.{suffix}")
    assert len(papers) < 3000
    assert len(bad) == 1


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no file"):
        expand([tmp_path / "none.jsonl"])
    with pytest.raises(SourceError, match="holds no"):
        expand([tmp_path])
    (tmp_path / "b.jsonl").write_bytes(b"")
    (tmp_path / "a.jsonl.gz").write_bytes(b"not gzip")
    assert [p.name for p in expand([tmp_path])] == ["a.jsonl.gz", "b.jsonl"]
    assert read_all(tmp_path / "a.jsonl.gz")[1][0].line == 1


def test_an_arxiv_paper_is_as_old_as_its_last_version(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(ARXIV))
    (paper,), _ = read_all(tmp_path / "a.jsonl")
    assert paper.title == "Attention Is It"
    assert paper.body == ("Two lines.",)
    assert paper.authors == ("C. Balázs", "Ada Example", "Bo Sample Jr.")
    assert paper.date == "2017-06-12"
    assert [label for label, _ in paper.versions] == ["v1", "v10"]
    assert not Cutoff.parse("2017-06-11").admits(paper.published)
    assert Cutoff.parse("2017-06-12").admits(paper.published)
    assert not Cutoff.parse("2020-02-04").admits(paper.shown)
    assert Cutoff.parse("2020-02-05").admits(paper.shown)
    assert "later" not in repr(paper).casefold()


def test_no_arxiv_paper_is_shown_before_the_month_of_its_id(tmp_path: Path) -> None:
    early = [{"version": "v1", "created": "Sat, 31 Mar 2007 02:26:18 GMT"}]
    (tmp_path / "a.jsonl").write_bytes(lines({**ARXIV, "id": "0704.0002", "versions": early}))
    (paper,), _ = read_all(tmp_path / "a.jsonl")
    assert not Cutoff.parse("2007-03-31").admits(paper.shown)
    assert Cutoff.parse("2007-04-01").admits(paper.shown)


def test_an_unreadable_version_date_is_no_date(tmp_path: Path) -> None:
    versions = [*ARXIV["versions"], {"version": "v2", "created": "long ago"}]
    (tmp_path / "a.jsonl").write_bytes(lines({**ARXIV, "versions": versions}))
    (paper,), _ = read_all(tmp_path / "a.jsonl")
    assert paper.shown is None


def test_a_bibliography_line_is_a_summary(tmp_path: Path) -> None:
    line = {**ACL, "summary": "First part.\n\nSecond\npart."}
    del line["abstract"]
    (tmp_path / "a.jsonl").write_bytes(lines(line))
    (paper,), _ = read_all(tmp_path / "a.jsonl")
    assert paper.kind == "summary"
    assert paper.body == ("First part.", "Second part.")


@pytest.mark.shared
def test_the_real_arxiv_files_read_whole(shared_data: Path) -> None:
    for name, count in (("arxiv_kaggle_200.jsonl", 200), ("arxiv_versions_browse.jsonl.gz", 1130)):
        papers, bad = read_all(shared_data / name)
        assert (len(papers), bad) == (count, [])
        assert all(p.shown and p.authors and p.published for p in papers)
        assert not any("\\'" in a or "{" in a for p in papers for a in p.authors)


@pytest.mark.shared
def test_the_real_acl_file_keeps_its_dates(shared_data: Path) -> None:
    papers, bad = read_all(shared_data / "papers_acl_small.jsonl.gz")
    assert (len(papers), bad) == (5000, [])
    with gzip.open(shared_data / "papers_acl_small.jsonl.gz") as records:
        raw = [orjson.loads(r) for r in records]
    for paper, record in zip(papers, raw, strict=True):
        assert paper.published is not None
        assert (
            paper.published.latest.isoformat() > f"{record['year']}-{record['month'] or 12:02}-28"
        )
