"""Sources by their names, and who asks arXiv."""

from __future__ import annotations

import pytest

from ideatrail.evidence.sources import arxiv
from ideatrail.evidence.sources.registry import NAMES, UnknownSourceError, check_names, make_sources
from ideatrail.evidence.web.client import Client

CATALOGUES = ("semantic_scholar", "openalex")


def test_every_source_is_made_in_the_order_of_the_names() -> None:
    made = make_sources(NAMES, Client(), {})
    assert [source.name for source in made] == [n for n in NAMES if n != "index"]
    check_names(NAMES)
    with pytest.raises(UnknownSourceError):
        check_names(["arxxiv"])
    with pytest.raises(UnknownSourceError):
        make_sources(["arxxiv"], Client(), {})


@pytest.mark.parametrize("name", CATALOGUES)
def test_catalogues_share_one_arxiv(name) -> None:
    first, second = make_sources(
        ("arxiv", name), Client(), {"arxiv": "http://127.0.0.1:9/api/query"}
    )
    assert second._arxiv is first
    [alone] = make_sources((name,), Client(), {})
    assert isinstance(alone._arxiv, arxiv.Arxiv)
    [mirror] = make_sources((name,), Client(), {name: "http://127.0.0.1:9"})
    assert mirror._arxiv is None, "a mirror is no leave to ask arXiv itself"
