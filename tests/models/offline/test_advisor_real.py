"""The offline Advisor on real proposals: every answer has its form, and the direction is clean."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from ideatrail.models.offline.advisor import advise
from ideatrail.models.offline.advisor.forbidden import Forbidden
from ideatrail.models.protocol import Request, message
from ideatrail.proposals.seed import make_seed
from ideatrail.proposals.source import list_ideas, read_proposal
from ideatrail.trail.answers import AnchorsAnswer, DirectionAnswer, OracleAnswer, StructuredAnswer
from ideatrail.trail.oracle import Seed
from ideatrail.trail.text import words

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = sorted((ROOT / "data" / "proposals").iterdir())
SHARED = ROOT.parent / "shared" / "data" / "proposals"


def ask(schema: type[StructuredAnswer], **sections: Any) -> Any:
    body = "\n".join(
        f"<{k}>\n{v if isinstance(v, str) else orjson.dumps(v).decode()}\n</{k}>"
        for k, v in sections.items()
    )
    request = Request((message("user", body),), answer_schema=schema.model_json_schema())
    return schema.model_validate_json(advise(request).text)


def direction_of(seed: Seed, oracle: OracleAnswer) -> tuple[DirectionAnswer, Forbidden]:
    motivation = str(seed.extra.get("motivation", ""))
    forms = [form for lock in oracle.locks for form in lock.forms]
    answer = ask(
        DirectionAnswer,
        question=seed.research_question or motivation,
        context=motivation,
        forbidden=forms,
    )
    return answer, Forbidden.of(forms)


def check(path: str) -> DirectionAnswer:
    """Oracle, direction and anchors of one proposal hold together."""
    seed = make_seed(read_proposal(path), "case")
    oracle = ask(OracleAnswer, seed=seed.model_dump(by_alias=True), rarities={})
    seen: set[str] = set()
    for atom in oracle.atoms:
        assert atom.text.strip()
        assert set(atom.needs) <= seen
        seen.add(atom.id)
    assert {lock.atom for lock in oracle.locks} <= seen
    assert all(form.strip() for lock in oracle.locks for form in lock.forms)
    answer, forbidden = direction_of(seed, oracle)
    assert not forbidden.within(f"{answer.direction}\n{answer.topic}")
    assert 1 <= len(words(answer.topic)) <= 8
    assert answer.direction.endswith((".", "?"))
    anchors = ask(
        AnchorsAnswer, seed=seed.model_dump(by_alias=True), oracle=oracle.model_dump(), papers=[]
    )
    assert len(anchors.anchors) == 4
    return answer


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_advisor_serves_the_proposals_we_ship(path: Path) -> None:
    answer = check(str(path))
    assert re.search(r"\?(?:\s|$)", answer.direction)
    assert 2 <= len(re.findall(r"[.?](?:\s|$)", answer.direction)) <= 6


@pytest.mark.parametrize(
    ("name", "says", "hides"),
    [
        (
            "asking_before_answering.md",
            "answers to withhold",
            "forecast sealcast mismatch truthfulqa",
        ),
        ("tests_as_questions.md", "competing candidate programs", "forkwitness testimony spider"),
        ("source_aware_decoding.md", "unsupported details", "witness withdrawal xsum"),
        ("disagreement_aware_judging.md", "distribution of scores", "mend poll sham ledger"),
        ("borrowed_vocabulary.txt", "low-resource language", "loan ledger masakhaner"),
    ],
)
def test_advisor_directions_ask_the_problem_and_hide_the_method(
    name: str, says: str, hides: str
) -> None:
    answer = check(str(ROOT / "data" / "proposals" / name))
    assert says in answer.direction
    assert not set(hides.split()) & set(words(answer.direction))


@pytest.mark.shared
def test_advisor_serves_every_real_proposal() -> None:
    if not SHARED.is_dir():
        pytest.skip("../shared/data/proposals is not at hand")
    paths = [
        f"{file}#{idea}" if idea else str(file)
        for file in sorted(SHARED.iterdir())
        if file.name != "index.jsonl"
        for idea in list_ideas(file) or [""]
    ]
    assert len(paths) > 100
    for path in paths:
        check(path)
