"""Small papers for the tests of this room."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ideatrail.evidence.paper import Paper

WORDS = ("parsing", "neural", "retrieval", "calibration", "bias", "language", "models", "treebank")
DATES = ("2017", "2018-05", "2018-11", "2019-06-03", "2019-06", "2019", "2020-01-01", "2021", "")


def make(**given: Any) -> Paper:
    """A paper of which only what matters is said."""
    number = given.get("id", "P17-0001")
    values: dict[str, Any] = {
        "id": number,
        "title": "Neural Parsing of Rare Languages",
        "body": ["We parse rare languages."],
        "authors": ["Ada Example"],
        "venue": "ACL",
        "date": "2018-05",
        "url": f"https://aclanthology.org/{number}/",
        "doi": None,
        "kind": "abstract",
    }
    return Paper.make(**{**values, **given})


def texts(least: int, most: int) -> st.SearchStrategy[str]:
    """Text of few words, so that scores tie."""
    return st.lists(st.sampled_from(WORDS), min_size=least, max_size=most).map(" ".join)


def papers() -> st.SearchStrategy[list[Paper]]:
    """Papers with few words and dates; some are records of one work."""
    one = st.builds(
        lambda n, title, body, date, author, doi: make(
            id=f"P17-{n:04}", title=title, body=[body], date=date, authors=[author], doi=doi
        ),
        st.integers(1, 40),
        texts(2, 6),
        texts(3, 12),
        st.sampled_from(DATES),
        st.sampled_from(("Ada Example", "Bo Sample")),
        st.sampled_from((None, "10.1000/a", "10.1000/b")),
    )
    return st.lists(one, max_size=14)
