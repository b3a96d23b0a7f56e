"""The log: what is written is what is read, torn lines are owed, a trail costs its own length."""

from __future__ import annotations

import orjson
import pytest

from ideatrail.evidence.observations import Observations
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.protocol import Usage
from ideatrail.run.codec import Codec
from ideatrail.run.log import LogError, RunLog, read_log, replay
from ideatrail.state import Judgement, Outcome, PublicVerdict, Reason, Tally
from ideatrail.trail.leakage import LeakLedger
from ideatrail.trail.oracle import Atom, Oracle, Seed
from ideatrail.trail.turn import ArtifactChange, Call, Draft, Result, Trail, Turn
from ideatrail.trail.verdict import Pointer


def make_turn(index, store):
    call = Call(f"call_{index}", "Write", '{"file_path":"a.md"}', {"file_path": "a.md"})
    text = f"observation {index}\u2028" * 20
    result = Result(call.id, "Write", text, "ok", store.put(text, {}), None)
    change = ArtifactChange(call.id, "a.md", None if index == 1 else "x", f"x{index}")
    draft = Draft(f"thinking {index}", "", (call,))
    return Turn(index, "audit", "Stage: audit.", draft, (result,), (change,))


@pytest.fixture
def store(tmp_path):
    return Observations(tmp_path / "observations")


def test_every_kind_of_value_survives(tmp_path, store):
    trail = Trail("system", "user").append(make_turn(1, store)).append(make_turn(2, store))
    update = {
        "seed": Seed(proposal_id="x", parse_quality="low", _extra={"title": "t"}),
        "oracle": Oracle(atoms=[Atom(id="A1", kind="method", text="m")], locks=[]),
        "trail": trail,
        "draft": trail.turns[0].draft,
        "verdict": PublicVerdict("fake_url", Pointer("call", 2)),
        "ledger": LeakLedger(3.5, 32.0),
        "tally": Tally(retries=2),
        "judgements": (Judgement("review_segment", 3, True, {"ok": True}),),
        "outcome": Outcome(False, (Reason("incomplete", "artifacts", Pointer("file")),)),
        "artifacts": {"synthesis.md": "text"},
        "stage": "audit",
    }
    log = RunLog(tmp_path / "log.jsonl", Codec(store))
    log.step("act", update, "generate", {})
    log.close()
    state, entry = replay(tmp_path / "log.jsonl", Codec(store), UsageLedger())
    assert entry == "generate"
    assert state == update


def test_rewind_and_growth_are_replayed(tmp_path, store):
    log = RunLog(tmp_path / "log.jsonl", Codec(store))
    one = Trail("s", "u").append(make_turn(1, store))
    two = one.append(make_turn(2, store))
    other = one.append(make_turn(3, store))
    for trail in (one, two, one, other):
        log.step("act", {"trail": trail}, "generate", {})
    log.step("extend", {"trail": one, "idea_end": other}, "generate", {})
    log.close()
    state, _ = replay(tmp_path / "log.jsonl", Codec(store), UsageLedger())
    assert (state["trail"], state["idea_end"]) == (one, other)


def test_a_torn_last_line_is_cut_off(tmp_path, store):
    path = tmp_path / "log.jsonl"
    log = RunLog(path, Codec(store))
    log.step("a", {"turn": 1}, "generate", {})
    log.close()
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"event":"step","node"')
    assert [e["node"] for e in read_log(path)] == ["a"]
    assert path.read_bytes() == whole


def test_a_broken_line_in_the_middle_is_told(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"{}\nnonsense\n{}\n")
    with pytest.raises(LogError, match=r"log\.jsonl:2: not a log line"):
        list(read_log(path))


def test_the_log_grows_with_the_trail_and_not_with_its_square(tmp_path, store):
    def size(turns):
        path = tmp_path / f"log{turns}.jsonl"
        log, trail = RunLog(path, Codec(store)), Trail("s", "u")
        for index in range(1, turns + 1):
            trail = trail.append(make_turn(index, store))
            log.step("act", {"trail": trail}, "generate", {})
        log.close()
        return path.stat().st_size

    assert size(80) < 4.2 * size(20)


def test_usage_is_taken_over_from_finished_steps(tmp_path, store):
    usage = UsageLedger()
    usage.add("generator", Usage(input=10, output=None))
    log = RunLog(tmp_path / "log.jsonl", Codec(store))
    log.step("generate", {}, "verify", usage.of("generator"))
    log.close()
    again = UsageLedger()
    replay(tmp_path / "log.jsonl", Codec(store), again)
    assert again.as_dict() == usage.as_dict()
    assert again.total("output") is None


def test_lines_are_plain_json(tmp_path, store):
    log = RunLog(tmp_path / "log.jsonl", Codec(store))
    log.step("act", {"trail": Trail("s", "u").append(make_turn(1, store))}, "generate", {})
    log.close()
    (line,) = (tmp_path / "log.jsonl").read_bytes().splitlines()
    assert "observation" not in orjson.dumps(orjson.loads(line)["update"]["trail"]).decode()
