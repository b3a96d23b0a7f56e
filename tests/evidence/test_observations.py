"""Observations are stored once, whole, under the hash of their text."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.evidence.observations import Observations, content_hash

ASKED = {"tool": "WebSearch", "arguments": {"query": "parsing"}}


@pytest.fixture(params=["memory", "folder"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Observations:
    return Observations(None if request.param == "memory" else tmp_path / "observations")


def test_what_is_put_comes_back(store: Observations) -> None:
    sha = store.put("text\u2028of two\r\nlines", ASKED, "2018-06-01T11:59:59+00:00")
    assert sha == hashlib.sha256("text\u2028of two\r\nlines".encode()).hexdigest()
    assert store.get(sha) == "text\u2028of two\r\nlines"
    assert list(store) == [sha]
    assert sha in store
    assert store.find(ASKED) == sha
    assert store.find({"tool": "Other"}) is None


def test_the_same_text_is_stored_once_with_each_of_its_requests(store: Observations) -> None:
    other = {"tool": "WebSearch", "arguments": {"query": "treebanks"}}
    first = store.put("nothing", ASKED, None)
    assert store.put("nothing", ASKED, None) == store.put("nothing", other, None) == first
    about = store.about(first)
    assert about is not None
    assert [r.request for r in about.requests] == [ASKED, other]
    assert store.find(other) == first


def test_what_is_not_stored_is_a_key_error(store: Observations) -> None:
    for sha in ("0" * 64, "../../etc/passwd", ""):
        with pytest.raises(KeyError):
            store.get(sha)
        assert sha not in store


def test_another_process_reads_it(tmp_path: Path) -> None:
    sha = Observations(tmp_path).put("text", ASKED, "2018")
    again = Observations(tmp_path)
    assert again.get(sha) == "text"
    assert again.find(ASKED) == sha
    before = {p: p.stat().st_mtime_ns for p in tmp_path.iterdir()}
    again.put("text", ASKED, "2018")
    assert {p: p.stat().st_mtime_ns for p in tmp_path.iterdir()} == before


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    store = Observations(tmp_path)
    one, two = store.put("one", ASKED, None), store.put("two", ASKED, None)
    (tmp_path / f"{one}.zst").write_bytes((tmp_path / f"{two}.zst").read_bytes())
    (tmp_path / f"{two}.zst").write_bytes(b"broken")
    for sha in (one, two):
        with pytest.raises(ValueError, match=sha):
            store.get(sha)


@given(st.text(max_size=200))
def test_any_text_survives(text: str) -> None:
    store = Observations()
    assert store.get(store.put(text, ASKED, None)) == text
    assert store.put(text, ASKED, None) == content_hash(text)
