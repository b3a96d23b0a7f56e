"""Ways across the wall that were once open, each with its test."""

from __future__ import annotations

import ast
from pathlib import Path

import orjson
import pytest

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.withheld import Target, Withheld
from ideatrail.evidence.world import World
from ideatrail.nodes.build_oracle import paper_locks
from ideatrail.nodes.rooms import InputRefused
from ideatrail.resources import folder
from ideatrail.run.inputs import RunRefused, read_inputs
from ideatrail.run.job import run_trail
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings
from ideatrail.trail.oracle import PAPER_ATOM, Atom, Lock, Oracle
from ideatrail.trail.turn import Call, Draft, Trail
from ideatrail.trail.verdict import Finding, Pointer, public
from ideatrail.verifier.check import Verifier

SHIPPED = str(folder("data") / "proposals" / "source_aware_decoding.md")


def paper(identity: str, title: str, body: str, date: str = "2020-03") -> Paper:
    return Paper.make(
        id=identity,
        title=title,
        body=(body,),
        authors=("Ada Okafor",),
        venue="Proceedings",
        date=date,
        url=f"https://aclanthology.org/{identity}/",
        doi=None,
        kind="abstract",
    )


TARGET = paper("2020.acl-main.1", "ZeTrack: Following Zebras through Text", "We present ZeTrack.")
FOLLOW_UP = paper(
    "2020.acl-main.2",
    "Stripes Revisited in Narrative Corpora",
    "ZeTrack follows zebras; we do not.",
)
OTHER = paper("2020.acl-main.3", "Herds of Horses in Narrative Corpora", "Horses are followed.")


async def test_a_paper_that_tells_of_the_target_is_withheld_as_well():
    withheld = Withheld.of(Target.of(TARGET))
    world = World(Corpus.of([TARGET, FOLLOW_UP, OTHER]), Cutoff.parse("2024-01-01"), withheld)
    assert [h.id for h in (await world.search("narrative corpora zebras")).hits] == [OTHER.id]


@pytest.mark.parametrize(
    "text",
    [
        "As in Following Zebras through Text, stripes matter.",
        "See https://aclanthology.org/2020.acl-main.1/ for stripes.",
        "Code of ZeTrack is reused.",
    ],
)
def test_title_address_and_name_in_a_text_tell_of_the_target(text):
    withheld = Withheld.of(Target.of(TARGET))
    assert withheld.hides(paper("2021.acl-main.9", "Stripes of Many Kinds in Corpora", text))
    assert not withheld.hides(
        paper("2021.acl-main.9", "Stripes of Many Kinds", "Tracks of zebras.")
    )


def test_the_papers_own_locks_never_open():
    oracle = paper_locks({"title": TARGET.title, "authors": ["Ada Okafor"]}, Fake())
    verifier = Verifier(cutoff="2024-01-01")
    verifier.follow(Trail("", "How are animals followed through text?"), oracle)
    draft = Draft("Then ZeTrack by Ada Okafor would do.", "", (call(),))
    assert verifier.judge(draft, "propose").code == "oracle_leakage"


class Fake:
    """Statistics of an index that knows no name."""

    def name_frequency(self, name: str) -> int:
        return 0


def call(number: int = 1) -> Call:
    return Call(f"call_{number}", "WebSearch", '{"query":"animals"}', {"query": "animals"})


def test_the_gate_closes_every_lock():
    oracle = Oracle(
        atoms=[Atom(id="A1", kind="method", text="gradient masking of segments")],
        locks=[Lock(id="L1", atom="A1", forms=["gradient masking"], opens_at="explore")],
    )
    verifier = Verifier(cutoff="2024-01-01")
    assert verifier.direction_faults("Could gradient masking be of help to us here?", oracle)


def test_public_checks_are_made_without_the_oracle():
    seen = []

    class Nosy:
        name, codes, needs = "nosy", frozenset({"fake_url"}), frozenset()

        def __init__(self, means):
            seen.append((means.oracle, means.target_titles))

    class Knowing(Nosy):
        name, needs = "knowing", frozenset({"advisor"})

        def judge(self, case, view):
            from ideatrail.verifier.means import Opinion

            return Opinion((Finding("fake_url", Pointer("call", 3, "C9"), "rule"),))

    class Quiet(Nosy):
        def judge(self, case, view):
            from ideatrail.verifier.means import Opinion

            return Opinion()

    verifier = Verifier(cutoff=None, target_titles=("T",), checks=(Quiet, Knowing))
    verifier.follow(Trail("", "d"), Oracle(atoms=[], locks=[]))
    verdict = verifier.judge(Draft("r", "", ()), "explore")
    assert verdict.charged, "what an oracle-dependent check finds is charged, whatever its code"
    assert public(verdict.findings[0], charged=True) == ("fake_url", Pointer("call"))
    assert (None, ()) in seen


@pytest.mark.parametrize("code", ["anachronism", "title_pre_knowledge", "oracle_leakage"])
def test_part_only_codes_name_no_call(code):
    assert public(Finding(code, Pointer("call", 2, "C1"), "x")) == (code, Pointer("call"))


async def test_a_portrait_that_tells_of_the_answer_is_refused(tmp_path):
    portrait = tmp_path / "portrait.md"
    portrait.write_text("You have always believed in Witness-Withdrawal Decoding.", "utf-8")
    settings = Settings(proposal=SHIPPED, out=tmp_path / "out", portrait=portrait)
    with pytest.raises(InputRefused, match="--portrait"):
        await run_trail(settings)
    assert not list((tmp_path / "out").glob("*"))


def test_a_target_that_is_nothing_is_refused():
    with pytest.raises(RunRefused, match="neither an id"):
        read_inputs(Settings(proposal=SHIPPED, target="Nonesuch"), Shared())


def test_a_target_is_found_by_the_name_it_coins(tmp_path):
    inputs = read_inputs(Settings(proposal=SHIPPED, target="FEQA"), Shared())
    assert inputs.paper is not None
    assert inputs.paper["title"].startswith("FEQA:")
    assert inputs.withheld.titles


def test_a_proposal_without_a_date_is_cut_off_before_its_target(tmp_path):
    text = Path(SHIPPED).read_text("utf-8").replace("Date: 2024-06-15", "")
    proposal = tmp_path / "p.md"
    proposal.write_text(text, "utf-8")
    inputs = read_inputs(Settings(proposal=str(proposal), target="FEQA"), Shared())
    assert inputs.cutoff_from == "target"
    assert inputs.cutoff.day == "2020-06-30"


def test_the_generators_seed_holds_nothing_of_later_papers_or_of_the_proposal(tmp_path):
    shared = Shared()
    one = read_inputs(Settings(proposal=SHIPPED, cutoff="2020-01-01"), shared)
    other = str(folder("data") / "proposals" / "tests_as_questions.md")
    two = read_inputs(Settings(proposal=other, cutoff="2020-01-01", target="FEQA"), shared)
    assert one.base_seed == two.base_seed
    assert one.public_fingerprint == two.public_fingerprint
    assert one.sample_id != two.sample_id


def test_nodes_take_no_way_around_their_projection():
    """LangGraph's get_config() would reach every channel."""
    nodes = Path(__file__).resolve().parents[2] / "ideatrail" / "nodes"
    for path in sorted(nodes.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.ImportFrom) else []
            assert "get_config" not in names, path
            assert getattr(node, "module", None) != "langgraph.config", path


def test_schema_of_paper_lock_is_plain():
    oracle = paper_locks({"title": TARGET.title, "ids": ["2020.acl-main.1"]}, Fake())
    assert orjson.loads(oracle.model_dump_json())["locks"][0]["atom"] == PAPER_ATOM
