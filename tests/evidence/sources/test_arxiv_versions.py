# ruff: noqa: E501
"""The version that stood, over real histories of versions and over any that one can think of."""

from __future__ import annotations

import asyncio
import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path

import arxiv as package
import orjson
import pytest
from fixture_server import Services, Version, serving
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.evidence.dates import Cutoff, parse_date
from ideatrail.evidence.paper import arxiv_month
from ideatrail.evidence.sources.arxiv import Arxiv
from ideatrail.evidence.sources.arxiv_record import announced, is_withdrawn
from ideatrail.evidence.sources.arxiv_versions import Versions
from ideatrail.evidence.sources.preprints import identifier_of
from ideatrail.evidence.web.client import Client
from ideatrail.evidence.web.limits import Limiters

MOMENTS = st.datetimes(datetime(2019, 11, 1), datetime(2020, 6, 1)).map(
    lambda d: d.replace(tzinfo=UTC, microsecond=0)
)


@pytest.mark.shared
async def test_every_real_history_at_every_cutoff_between_its_versions(shared_data: Path) -> None:
    """433 papers with two or more versions: one second before and after each of them, the newest
    version at or before that moment is shown, by its own title, and nothing of the others."""
    checked = 0
    async with serving(Services()) as services:
        client = Client(allow=[services.place], limiters=Limiters())
        with gzip.open(shared_data / "arxiv_versions_browse.jsonl.gz") as file:
            rows = [orjson.loads(line) for line in file]
        for row in (r for r in rows if len(r["versions"]) > 1):
            stamps = [parse_date(v["created"]) for v in row["versions"]]
            services.papers = {
                row["id"]: [
                    Version(v["created"], f"Title of {v['version']}", f"Text of {v['version']}.")
                    for v in row["versions"]
                ]
            }
            moments = [s.latest for s in stamps if s is not None]
            assert len(moments) == len(stamps)
            source = Arxiv(client, f"{services.url}/api/query")
            for at in sorted({m + timedelta(seconds=d) for m in moments for d in (-1, 1)}):
                cutoff = Cutoff.parse(at.isoformat())
                found = await source.search("title", 5, cutoff)
                standing = [n for n, m in enumerate(moments, start=1) if m <= at]
                if not standing or moments[0] > at or not announced(row["id"], cutoff):
                    assert found.papers == ()
                    continue
                [paper] = found.papers
                assert paper.title == f"Title of v{standing[-1]}"
                assert paper.body == (f"Text of v{standing[-1]}.",)
                assert paper.date == moments[0].date().isoformat()
                assert cutoff.admits(paper.shown)
                checked += 1
        await client.aclose()
    assert checked >= 900


@pytest.mark.shared
async def test_the_four_versions_of_a_real_paper(shared_data: Path) -> None:
    """arXiv:1404.3450 changed its title and abstract twice; recorded version by version."""
    docs = [
        orjson.loads((shared_data / "fixtures/arxiv_docmeta" / f"1404.3450{v}.json").read_bytes())
        for v in ("v1", "v2", "v3", "")
    ]
    async with serving(Services()) as services:
        services.papers = {
            "1404.3450": [
                Version(
                    datetime.fromisoformat(d["submitted_date"])
                    .astimezone(UTC)
                    .strftime("%a, %d %b %Y %H:%M:%S GMT"),
                    d["title"],
                    d["abstract"],
                    comment=d["comments"] or "",
                    doi=d["doi"] or "",
                )
                for d in docs
            ]
        }
        client = Client(allow=[services.place], limiters=Limiters())
        source = Arxiv(client, f"{services.url}/api/query")
        for cutoff, number in (("2014-04-30", 1), ("2014-06-01", 2), ("2014-08-15", 3), ("2015-01-01", 4)):  # fmt: skip
            paper = await source.open("https://arxiv.org/abs/1404.3450", Cutoff.parse(cutoff))
            assert paper is not None
            assert paper.title == docs[number - 1]["title"]
            assert paper.body[0] == " ".join(docs[number - 1]["abstract"].split())
            assert "Accepted by Phys. Rev. D" not in repr(paper)
            assert paper.doi is None
        await client.aclose()


class _Feeds:
    """The API over a history, with holes in it."""

    def __init__(self, papers: dict[str, list[package.Result]], lost: frozenset[str]) -> None:
        self.papers = papers
        self.lost = lost

    async def results(self, asked: package.Search) -> tuple[list[package.Result], bool]:
        found = []
        for name in asked.id_list:
            identifier, mark, number = name.partition("v")
            held = self.papers.get(identifier, [])
            if name not in self.lost and held:
                found.append(held[int(number) - 1 if mark else -1])
        return found, False


class _NoOai:
    async def get(self, *args: object, **kwargs: object) -> object:
        from ideatrail.evidence.source import EvidenceError

        raise EvidenceError("unreachable")


@given(
    st.lists(MOMENTS, min_size=1, max_size=6),
    MOMENTS,
    st.sets(st.integers(1, 6)),
    st.sampled_from(["1911.00001", "2001.00001", "2003.00001", "2006.00001", "2013.00001"]),
    st.none() | st.integers(1, 7),
)
@settings(max_examples=400, deadline=None)
def test_no_version_is_shown_whose_moment_is_later(dates, at, lost, identifier, most) -> None:
    """Whatever the order of the dates, whatever the API leaves out."""
    history = [
        package.Result(f"http://arxiv.org/abs/{identifier}v{n}", date, dates[0], f"Title {n}")
        for n, date in enumerate(dates, start=1)
    ]
    feeds = _Feeds({identifier: history}, frozenset(f"{identifier}v{n}" for n in lost))
    versions = Versions(_NoOai(), feeds, "http://oai")  # type: ignore[arg-type]
    cutoff = Cutoff.parse(at.isoformat())

    async def ask():
        from ideatrail.evidence.source import EvidenceError

        try:
            return (await versions.of([identifier], cutoff, most)).papers.get(identifier)
        except EvidenceError:
            return None

    paper = asyncio.run(ask())
    if paper is None:
        return
    number = int(paper.title.split()[1])
    month = arxiv_month(f"https://arxiv.org/abs/{identifier}")
    assert dates[number - 1] <= at
    assert dates[0] <= at
    assert month is None or month.latest <= at
    assert most is None or number <= most
    known = [
        n for n, d in enumerate(dates, start=1) if d <= at and (n not in lost or n == len(dates))
    ]
    assert number == max(n for n in known if most is None or n <= most)


WITHDRAWN = [
    ("This paper has been withdrawn by the authors. This paper has been accepted", ""),
    ("This article has been withdrawn because it has been merged with the earlier article", ""),
    ("paper withdrawn by author", ""), ("This papers has been withdrawn", ""),
    ("withdrawn by arXiv administrators due to plagiarism.", ""),
    ("This paper has been withdrawn due to an error in Lemma 8", "A celebrated result."),
    ("This has been withdrawn by arXiv administrators due to an unresolvable dispute", "x"),
    ("", "This paper has been removed by arXiv administrators because it plagiarizes others"),
    ("", "paper withdrawn due to the possible error"), ("12 pages. Withdrawn.", "x"),
    ("8 pages; this submission was temporarily withdrawn by the author", "x"),
]  # fmt: skip
KEPT = [
    ("14 pages; added recognition algorithms for free groups", "groups with local retractions"),
    ("12 pages, accepted at ACL", "We study how retracted articles are cited."),
    ("", "Citations go on after a paper was retracted. We ask why."),
    ("", "Withdrawal symptoms in models of addiction."),
    ("Retracted papers data set at example.org", "We look at them."),
    ("", "We show that the article has been withdrawn from circulation more often than thought."),
]


def _result(comment: str, summary: str) -> package.Result:
    now = datetime(2020, 1, 2, tzinfo=UTC)
    return package.Result(
        "http://arxiv.org/abs/2001.00001v2", now, now, "T", summary=summary, comment=comment
    )


@pytest.mark.parametrize(("comment", "summary"), WITHDRAWN)
def test_notices_of_withdrawal_as_arxiv_has_them(comment: str, summary: str) -> None:
    assert is_withdrawn(_result(comment, summary))


@pytest.mark.parametrize(("comment", "summary"), KEPT)
def test_what_is_no_notice_of_withdrawal(comment: str, summary: str) -> None:
    assert not is_withdrawn(_result(comment, summary))


def test_a_comment_that_the_newest_version_has_too_is_not_the_older_ones() -> None:
    gone = _result("withdrawn", "A celebrated result.")
    assert not is_withdrawn(_result("withdrawn", "A celebrated result."), gone)


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("https://arxiv.org/abs/2001.00077v3", "2001.00077"), ("arXiv:math.GT/0309136", "math/0309136"),
        ("https://arxiv.org/abs/https://arxiv.org/api/errors#x", None), ("https://arxiv.org/list/cs", None),
        ("https://example.org/abs/2001.00077", None), ("10.48550/arXiv.2001.00077", "2001.00077"),
        ("", None),
    ],
)  # fmt: skip
def test_ids_of_addresses(text: str, identifier: str | None) -> None:
    assert identifier_of(text) == identifier
