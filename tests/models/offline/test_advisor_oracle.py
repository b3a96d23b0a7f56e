"""The offline Advisor's oracle: atoms, needs and locks."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from ideatrail.models.offline.advisor import advise
from ideatrail.models.offline.advisor.names import benchmarks, coined
from ideatrail.models.offline.advisor.pieces import parts_of, plain, sentences_of, shorten
from ideatrail.models.offline.advisor.rarity import Rarities
from ideatrail.models.protocol import ModelError, Request, message
from ideatrail.trail.answers import OracleAnswer, StructuredAnswer
from ideatrail.trail.oracle import Seed

SEED = Seed.model_validate(
    {
        "proposal_id": "case",
        "research_question": "Can quill decoding reduce unsupported statements in summaries?",
        "thesis": "Statements without a feather score are the unsupported ones.",
        "method": (
            "We call the method **QuillDecode**. For each token compute the feather score.\n"
            "1. Remove one source sentence at a time.\n"
            "2. Compare the two distributions with the feather score.\n"
            "3. Keep the candidates whose feather score is high."
        ),
        "evaluation": "Data sets: XSumPlus and NewsRoom2. The metric is FactScore.",
        "baselines": ["greedy decoding", "contrastive decoding"],
        "risks": ["The feather score may be flat on short inputs."],
        "novelty_claim": "No one has removed single sentences to score tokens.",
        "parse_quality": "high",
        "_extra": {
            "title": "QuillDecode: Writing With a Feather",
            "motivation": (
                "Summaries contain statements that the source does not support. "
                "Existing decoding methods treat the source as one block."
            ),
            "decision_rule": "Supported if it wins by at least 1.5 points over the best baseline.",
            "dataset_names": ["XSumPlus"],
        },
    }
)


def ask(schema: type[StructuredAnswer], **sections: Any) -> Any:
    """Ask the offline Advisor as a node does: sections in the user message, schema by title."""
    body = "\n".join(
        f"<{name}>\n{v if isinstance(v, str) else orjson.dumps(v).decode()}\n</{name}>"
        for name, v in sections.items()
    )
    request = Request(
        (message("system", "role"), message("user", body)),
        answer_schema=schema.model_json_schema(),
    )
    return schema.model_validate_json(advise(request).text)


def oracle(seed: Seed = SEED, rarities: Any = None) -> OracleAnswer:
    answer = ask(OracleAnswer, seed=seed.model_dump(by_alias=True), rarities=rarities or {})
    assert isinstance(answer, OracleAnswer)
    return answer


def forms_by_stage(answer: OracleAnswer) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for lock in answer.locks:
        found.setdefault(lock.opens_at, set()).update(f.lower() for f in lock.forms)
    return found


def test_advisor_oracle_has_every_kind_of_atom() -> None:
    kinds = {a.kind for a in oracle().atoms}
    assert kinds == {
        "thesis",
        "method",
        "evaluation",
        "decision_rule",
        "novelty",
        "risk",
        "other",
        "artifact",
    }


def test_advisor_oracle_splits_the_method_into_its_steps() -> None:
    method = [a.text for a in oracle().atoms if a.kind == "method"]
    assert "Remove one source sentence at a time." in method
    assert len(method) == 4


def test_advisor_oracle_needs_point_to_earlier_atoms_only() -> None:
    seen: set[str] = set()
    for atom in oracle().atoms:
        assert set(atom.needs) <= seen, atom
        seen.add(atom.id)
    assert len(seen) == len(oracle().atoms)


def test_advisor_oracle_artifact_atoms_name_their_file() -> None:
    files = {a.artifact for a in oracle().atoms if a.kind == "artifact"}
    assert files == {
        "claim_audit.md",
        "synthesis.md",
        "idea_candidates.md",
        "research_proposal.md",
    }
    assert all((a.artifact is not None) == (a.kind == "artifact") for a in oracle().atoms)


def test_advisor_locks_hold_coined_names_terms_benchmarks_and_thresholds() -> None:
    by_stage = forms_by_stage(oracle(rarities={"feather": 0, "score": 40, "feather score": 0}))
    assert "feather score" in by_stage["ideate"]
    assert {"quilldecode", "quilldecode: writing with a feather", "xsumplus"} <= by_stage["propose"]
    assert any("at least 1.5 points" in f for f in by_stage["propose"])


def test_advisor_locks_leave_common_words_and_words_of_the_question_free() -> None:
    forms = {f for found in forms_by_stage(oracle()).values() for f in found}
    assert not forms & {
        "unsupported statements",
        "summaries",
        "decoding",
        "source sentence",
        "token",
    }


def test_advisor_locks_leave_terms_free_that_the_literature_uses() -> None:
    rare = {"feather": 30, "score": 900, "feather score": 25, "size": 5000}
    forms = {f for found in forms_by_stage(oracle(rarities=rare)).values() for f in found}
    assert "feather score" not in forms


def test_advisor_oracle_is_the_same_for_equal_requests() -> None:
    assert oracle().model_dump_json() == oracle().model_dump_json()


def test_advisor_oracle_of_a_bare_seed_still_has_an_atom() -> None:
    bare = Seed(proposal_id="case", parse_quality="low")
    assert len(oracle(bare).atoms) >= 1
    assert oracle(bare).locks == []


def test_advisor_refuses_what_it_has_no_policy_or_no_data_for() -> None:
    with pytest.raises(ModelError, match="no policy for 'Other'"):
        advise(Request((message("user", ""),), answer_schema={"title": "Other"}))
    with pytest.raises(ModelError, match="<seed>"):
        advise(Request((message("user", "hi"),), answer_schema={"title": "OracleAnswer"}))


def test_advisor_coined_names_come_from_naming_words_titles_and_expansions() -> None:
    method = (
        "Our working name is *mend-and-poll*. We introduce Privacy Prompt Sieving (PPS). "
        "It uses a Large Language Model (LLM)."
    )
    seed = SEED.model_copy(update={"method": method, "extra": {"title": "Forkful: a study"}})
    found = {n.lower() for n in coined(seed)}
    assert {"mend-and-poll", "privacy prompt sieving", "pps", "forkful"} <= found
    assert "llm" not in found
    assert "large language model" not in found


def test_advisor_benchmarks_are_known_by_their_shape() -> None:
    seed = SEED.model_copy(
        update={
            "evaluation": "We evaluate on the datasets TriviaQA, GSM8K and the Enron Email Dataset "
            "with GPT-4 and report BLEU on the benchmark.",
            "extra": {},
        }
    )
    found = set(benchmarks(seed))
    assert {"TriviaQA", "GSM8K", "Enron Email"} <= found
    assert not found & {"GPT-4", "BLEU"}


def test_advisor_pieces_drop_marks_and_keep_words() -> None:
    assert plain("## A **bold** [link](http://x.y) `code`") == "A bold link code"
    assert sentences_of("- One thing. Another thing.\n- A third") == [
        "One thing.",
        "Another thing.",
        "A third",
    ]
    assert len(parts_of("\n".join(f"{n}. step number {n} is here" for n in range(1, 13)), 5)) == 5
    assert shorten("one two three four, five six seven", 5) == "one two three four"


def test_advisor_rarities_grow_with_rarity() -> None:
    table = Rarities.of({"size": 5000, "documents": {"model": 4000, "quill": 0}})
    assert table.weight("model") < 0.1 < table.weight("quill") == pytest.approx(1.0, abs=0.15)
    flat = Rarities.of({"model": 700, "language": 560, "feather score": 3})
    assert 700 < flat.size < 1400, "the size follows from words whose share is known"
    assert flat.count("feather score") == 3
