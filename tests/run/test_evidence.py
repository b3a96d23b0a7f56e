"""The evidence of a run is opened with the target's names known, or not at all."""

from __future__ import annotations

import sys
from pathlib import Path

import orjson
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "evidence" / "sources"))

from fixture_server import Services, Version, serving

from ideatrail.resources import folder
from ideatrail.run.evidence import TargetLookupError
from ideatrail.run.job import run_trail
from ideatrail.run.replay import load_trail, replay
from ideatrail.settings import Settings, SettingsError, resolve

PROPOSAL = str(folder("data") / "proposals" / "source_aware_decoding.md")
TITLE = "Marking which source each sentence of a summary rests on"


def asked(out: Path, url: str, **values: object) -> Settings:
    place = url.removeprefix("http://")
    given = {
        "proposal": PROPOSAL,
        "cutoff": "2024-06-15",
        "turns": 8,
        "out": out,
        "sources": ("index", "arxiv"),
        "source_urls": {"arxiv": f"{url}/api/query"},
        "allow_hosts": (place,),
        **values,
    }
    return Settings.model_validate(given)


async def test_a_source_that_cannot_be_asked_for_the_target_stops_the_run(tmp_path) -> None:
    with pytest.raises(TargetLookupError, match="under which ids"):
        await run_trail(asked(tmp_path, "http://127.0.0.1:9", target=TITLE))
    assert list(tmp_path.iterdir()) == [], "nothing is half begun"


async def test_the_target_is_hidden_under_what_only_the_source_knows_of_it(tmp_path) -> None:
    """The preprint of the target goes by another title there; its DOI ties the two."""
    services = Services()
    services.papers = {
        "2301.00077": [Version("Mon, 2 Jan 2023 10:00:00 GMT", TITLE, "We mark sources.")],
        **{
            f"2302.{n:05}": [
                Version("Mon, 6 Feb 2023 10:00:00 GMT", f"Unsupported details, study {n}",
                        "Summaries hold details that no source supports.")
            ]
            for n in range(12)
        },
    }  # fmt: skip
    async with serving(services):
        result = await run_trail(asked(tmp_path, services.url, target=TITLE))
        held = orjson.loads((result.folder / "advisor" / "withheld.json").read_bytes())
        assert "https://arxiv.org/abs/2301.00077" in held["addresses"]
        trail = load_trail(result.folder)
        shown = "\n".join(r.content for _, _, r in trail.calls)
        assert "2302.0" in shown, "the source is searched"
        assert "2301.00077" not in shown
        assert "Marking which source" not in shown
    assert (await replay(result.folder)).differences == ()
    again = await run_trail(asked(tmp_path, services.url, target=TITLE))
    assert again.already


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("index,arxxiv", "unknown source 'arxxiv'"),
        ("index,index", "names a source twice"),
    ],
)
def test_sources_are_checked_by_name(given, told) -> None:
    with pytest.raises(SettingsError, match=told):
        resolve({"proposal": PROPOSAL, "sources": given}, {})


async def test_a_host_that_cannot_be_allowed_is_told(tmp_path) -> None:
    with pytest.raises(SettingsError, match="allow_hosts"):
        await run_trail(asked(tmp_path, "http://127.0.0.1:9", allow_hosts=("not a host",)))
