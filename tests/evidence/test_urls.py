"""All addresses of one work have one form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.evidence.urls import Address, canonical, locate

WORKS = {
    "https://arxiv.org/abs/1706.03762": [
        "http://arxiv.org/abs/1706.03762v1", "https://www.arxiv.org/pdf/1706.03762.pdf",
        "arxiv.org/pdf/1706.03762v7", "https://arxiv.org/html/1706.03762v7/", "arXiv:1706.03762",
        "https://export.arxiv.org/abs/1706.03762#S1", "https://ar5iv.labs.arxiv.org/html/1706.03762",
        "https://doi.org/10.48550/arXiv.1706.03762", "HTTPS://ARXIV.ORG/abs/1706.03762?utm_source=x",
    ],
    "https://arxiv.org/abs/math/0202001": [
        "https://arxiv.org/abs/math.GR/0202001v3", "arxiv.org/pdf/math/0202001.pdf",
    ],
    "https://aclanthology.org/P17-2008": [
        "https://aclanthology.org/P17-2008/", "https://www.aclweb.org/anthology/P17-2008.pdf",
        "https://aclanthology.org/P17-2008.bib", "http://aclanthology.info/papers/P17-2008/",
        "https://aclanthology.org/p17-2008v2.pdf",
    ],
    "https://aclanthology.org/2020.acl-main.1": ["https://www.aclweb.org/anthology/2020.acl-main.1/"],
    "https://doi.org/10.18653/v1/p17-2008": [
        "doi:10.18653/v1/P17-2008", "10.18653/v1/P17-2008", "http://dx.doi.org/10.18653/V1/P17-2008",
    ],
    "https://openreview.net/forum?id=abc": ["https://openreview.net/pdf?id=abc"],
    "https://example.org/a/b?x=1&y=2": [
        "http://www.example.org:80/a//b/?y=2&x=1&utm_medium=z&fbclid=q#top",
        "example.org/a/b?x=1&y=2",
    ],
    "https://github.com/x/y": ["https://github.com/x/y.git", "https://www.github.com/x/y/"],
}  # fmt: skip


@pytest.mark.parametrize(("one", "other"), [(k, v) for k, vs in WORKS.items() for v in (k, *vs)])
def test_addresses_of_one_work(one: str, other: str) -> None:
    assert canonical(other) == one


def test_the_version_is_kept_aside() -> None:
    assert locate("arxiv.org/pdf/1706.03762v1") == Address("https://arxiv.org/abs/1706.03762", "v1")
    assert locate("https://aclanthology.org/P17-2008v2.pdf").version == "v2"
    assert locate("https://arxiv.org/abs/1706.03762").version is None


@pytest.mark.parametrize("text", ["", "no address", "http://[", "mailto:a@b.org", "ftp://x.org/a"])
def test_what_is_no_web_address_stays(text: str) -> None:
    assert canonical(text) == text


def test_different_pages_stay_different() -> None:
    pages = [
        "https://x.org/a",
        "https://x.org/A",
        "https://x.org/a?p=1",
        "https://y.org/a",
        "https://arxiv.org/list/cs.CL/recent",
        "https://aclanthology.org/venues/acl",
    ]
    assert len({canonical(p) for p in pages}) == len(pages)


@given(st.one_of(st.text(max_size=60), st.text(max_size=40).map(lambda t: f"https://x.org/{t}")))
def test_canonical_is_idempotent_and_never_raises(text: str) -> None:
    assert canonical(canonical(text)) == canonical(text)
