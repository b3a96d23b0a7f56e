"""Whole runs against endpoints over real HTTP: the offline engine behind three ways to speak."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "models"))

from engine_server import EngineServer, in_background
from fault_server import QUICK, at_random, serving

from ideatrail.models import secrets
from ideatrail.models.budget import BudgetReached
from ideatrail.models.endings import EndingError
from ideatrail.models.offline.model import OfflineModel
from ideatrail.models.options import EndpointOptions, Limits, Patience
from ideatrail.models.protocol import Answer, Request, TextPart
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings

pytestmark = pytest.mark.slow

TURNS = 10
PLANTED = {
    "OPENAI_API_KEY": "sk-planted-openai-0123456789",
    "ANTHROPIC_API_KEY": "sk-ant-planted-anthropic-0123456789",
}
FAULTS = [
    "status:429:0.02", "status:429", "status:500", "status:503", "status:529", "reset",
    "invalid_json", "html", "empty_choices", "error_body", "truncated_json",
]  # fmt: skip
STURDY = Patience(attempts=12, wait=60, first_wait=0.002, longest_wait=0.02, silence=20, total=60)
CHAT, MESSAGES = "openai:engine", "anthropic:engine"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_known", set())
    for name, value in PLANTED.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
async def server():
    async with serving(EngineServer()) as running:
        yield running


@pytest.fixture(scope="module")
def shared():
    return Shared()


def options(server: EngineServer, **values) -> EndpointOptions:
    return EndpointOptions(**{"base_url": server.base_url, "patience": QUICK, **values})


def settings(out: Path, server: EngineServer, model: str = CHAT, **values) -> Settings:
    given = {
        "proposal": str(folder("data") / "proposals" / "source_aware_decoding.md"),
        "turns": TURNS,
        "out": out,
        "model": model,
        "advisor_model": model,
        "endpoints": {model: options(server)},
        **values,
    }
    return Settings(**given)


class Masked:
    """The offline engine, asked with the seed that an API leaves of ours."""

    name = "offline"

    def __init__(self, bits: int) -> None:
        self.bits = bits

    async def answer(self, request: Request) -> Answer:
        return await OfflineModel().answer(replace(request, seed=request.seed & self.bits))


def trail_of(run: Path) -> tuple[object, dict[str, bytes]]:
    """The record without what names the models, and the workspace."""
    paths = [run / "trajectory.jsonl", run / "advisor" / "rejected_trajectory.jsonl"]
    record = orjson.loads(next(p for p in paths if p.exists()).read_bytes())
    for key in ("sample_id", "_src"):
        record.pop(key)
    for key in ("models", "usage", "fingerprint"):
        record["_trail"].pop(key)
    # An endpoint is asked about the border between high and normal, the engine's rules are not.
    for message in record["messages"]:
        message.pop("value_tier", None)
    record["_trail"].pop("tier_reasons")
    record.pop("_grade", None)
    for key in ("usefulness", "high_share", "normal_share", "low_share"):
        record["_trail"]["metrics"].pop(key)
    files = sorted((run / "workspace").rglob("*"))
    return record, {str(p.relative_to(run)): p.read_bytes() for p in files if p.is_file()}


async def offline(out: Path, server: EngineServer, bits: int, shared: Shared) -> Path:
    masked = Masked(bits)
    plain = settings(out, server, "offline", endpoints={})
    models = dict.fromkeys(("generator", "advisor", "judge"), masked)
    return (await run_trail(plain, models=models, shared=shared)).folder


@pytest.mark.parametrize("stream", [False, True])
async def test_a_chat_endpoint_makes_the_trail_that_the_engine_makes(
    tmp_path, server, shared, stream
) -> None:
    asked = settings(tmp_path / "http", server, endpoints={CHAT: options(server, stream=stream)})
    result = await run_trail(asked)
    alone = await offline(tmp_path / "alone", server, 0x7FFFFFFF, shared)
    assert trail_of(result.folder) == trail_of(alone)
    usage = result.manifest["usage"]
    for name in ("input", "output", "cached", "reasoning"):
        assert sum(role[name] for role in usage.values()) == server.told[name], name
    attempts = sum(role["attempts"] for role in result.manifest["cost"]["roles"].values())
    assert attempts == len(server.requests)
    assert result.manifest["cost"]["usd"] is None, "no price is known"


@pytest.mark.parametrize("mode", ["native", "tool"])
async def test_signed_thoughts_go_back_and_the_trail_is_the_engines(
    tmp_path, server, shared, mode
) -> None:
    asked = settings(
        tmp_path / "http",
        server,
        MESSAGES,
        endpoints={MESSAGES: options(server, schema_mode=mode)},
    )
    result = await run_trail(asked)
    alone = await offline(tmp_path / "alone", server, 0, shared)
    assert trail_of(result.folder) == trail_of(alone)
    assert server.returned > TURNS
    assert b"redacted" not in next(result.folder.rglob("*trajectory.jsonl")).read_bytes()


async def test_a_resumed_run_sends_its_signed_thoughts_too(tmp_path, server) -> None:
    asked = settings(tmp_path, server, MESSAGES)
    count = len((await run_trail(asked)).manifest["usage"])
    assert count
    log = next(tmp_path.glob("*/log.jsonl"))
    lines = log.read_bytes().split(b"\n")
    acts = [n for n, line in enumerate(lines) if b'"node":"act"' in line]
    before = trail_of(log.parent)
    log.write_bytes(b"\n".join(lines[: acts[4] + 1]) + b"\n")
    for name in ("manifest.json", "trajectory.jsonl", "advisor/rejected_trajectory.jsonl"):
        (log.parent / name).unlink(missing_ok=True)
    returned = server.returned
    result = await run_trail(asked)
    assert result.resumed
    assert server.returned > returned
    assert trail_of(log.parent) == before


async def test_hidden_reasoning_is_asked_for_in_the_text(tmp_path, server) -> None:
    server.visible = True
    told = {CHAT: options(server, reasoning="visible")}
    result = await run_trail(settings(tmp_path / "told", server, endpoints=told))
    record, _ = trail_of(result.folder)
    assert record["_trail"]["reasoning_source"] == "visible"
    thoughts = [m["reasoning_content"] for m in record["messages"] if m["role"] == "assistant"]
    assert all(t.strip() for t in thoughts)
    assert not any("<thinking>" in str(m.get("content")) for m in record["messages"])
    generator = result.manifest["usage"]["generator"]["calls"]
    assert server.asked_visibly == generator

    found_out = EngineServer(visible=True)
    async with serving(found_out):
        again = await run_trail(settings(tmp_path / "found", found_out))
    assert again.manifest["usage"]["generator"]["calls"] >= generator
    record, _ = trail_of(again.folder)
    assert record["_trail"]["turns"][0]["retries"] == 1, "the first draft came without reasoning"
    assert sum(turn["retries"] for turn in record["_trail"]["turns"][1:]) == 0


async def test_fifty_trails_finish_although_a_fifth_of_the_calls_fail(tmp_path, shared) -> None:
    server = EngineServer(otherwise=at_random(0.2, FAULTS, seed=3))
    async with serving(server):
        endpoint = options(server, patience=STURDY, limits=Limits(concurrency=64))
        many = [
            settings(tmp_path, server, seed=n, advisor_model="offline", endpoints={CHAT: endpoint})
            for n in range(50)
        ]
        ended = await asyncio.gather(*(run_trail(s, shared=shared) for s in many))
        model = shared.endpoints(many[0]).model(CHAT)
        await shared.aclose()
    assert {r.exit_code for r in ended} <= {0, 3}
    assert len({r.sample_id for r in ended}) == 50
    used = [r.manifest["usage"]["generator"] for r in ended]
    for name in ("input", "output", "cached", "reasoning"):
        assert sum(u[name] for u in used) == server.told[name], name
    costs = [r.manifest["cost"]["roles"]["generator"] for r in ended]
    assert sum(c["attempts"] for c in costs) == len(server.requests)
    assert len(server.requests) > sum(u["calls"] for u in used)
    # Answers that were broken off may have been charged: the budget counts them at their most.
    assert model.budget.tokens >= server.told["input"] + server.told["output"]
    assert model.budget.held_tokens == 0


async def test_the_budget_ends_a_run_that_goes_on_with_more(tmp_path, server) -> None:
    told = {CHAT: options(server, max_output=2000)}
    with pytest.raises(BudgetReached):
        await run_trail(settings(tmp_path, server, endpoints=told, max_tokens=60_000))
    (run,) = tmp_path.iterdir()
    manifest = orjson.loads((run / "manifest.json").read_bytes())
    assert (manifest["outcome"], manifest["exit_code"]) == ("interrupted", 4)
    first = sum(server.told[name] for name in ("input", "output"))
    assert 30_000 < first <= 60_000
    paid = sum(role["tokens_paid"] for role in manifest["cost"]["roles"].values())
    assert paid == first
    with pytest.raises(BudgetReached):
        # What the earlier go has spent counts: there is no room for one more call.
        await run_trail(settings(tmp_path, server, endpoints=told, max_tokens=61_000))
    assert sum(server.told[name] for name in ("input", "output")) <= 61_000
    result = await run_trail(settings(tmp_path, server, endpoints=told, max_tokens=9_000_000))
    assert result.resumed
    assert result.exit_code in (0, 3)
    usage = result.manifest["usage"]
    for name in ("input", "output"):
        assert sum(role[name] for role in usage.values()) == server.told[name], name


async def test_a_cap_on_money_is_kept(tmp_path, server) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["127.0.0.1:engine"]\ninput = 1\ncached_input = 0.5\noutput = 4\n', "utf-8")
    told = {CHAT: options(server, max_output=8000)}
    capped = {"endpoints": told, "prices": prices, "max_cost": 0.1}
    with pytest.raises(BudgetReached, match=r"of \$0.10 is spent"):
        await run_trail(settings(tmp_path / "out", server, **capped))
    paid = server.told["input"] + 4 * server.told["output"] - 0.5 * server.told["cached"]
    (run,) = (tmp_path / "out").iterdir()
    cost = orjson.loads((run / "manifest.json").read_bytes())["cost"]
    assert cost["usd"] == pytest.approx(paid / 1e6)
    assert 0.05 < cost["usd"] <= 0.1
    assert sum(role["usd"] for role in cost["roles"].values()) == pytest.approx(cost["usd"])
    assert set(cost["nodes"]) <= {
        "build_oracle", "write_direction", "build_anchors", "plan_milestones", "generate",
        "review_segment", "judge_convergence",
    }  # fmt: skip


async def test_the_same_run_with_a_cache_asks_nothing(tmp_path, server) -> None:
    cached = tmp_path / "cache"
    first = await run_trail(settings(tmp_path / "a", server, cache=cached))
    asked = len(server.requests)
    second = await run_trail(settings(tmp_path / "b", server, cache=cached))
    assert asked
    assert len(server.requests) == asked
    names = ("trajectory.jsonl", "advisor/rejected_trajectory.jsonl")
    for name in names:
        one, other = first.folder / name, second.folder / name
        assert one.exists() == other.exists()
        assert not one.exists() or one.read_bytes() == other.read_bytes()
    assert second.manifest["cost"]["usd"] == 0


async def test_a_recorded_run_replays_without_server_and_key(tmp_path, server, monkeypatch) -> None:
    tape = tmp_path / "tape"
    server.faults = ["status:500", "", "status:429"]
    first = await run_trail(settings(tmp_path / "a", server, record=tape))
    asked = len(server.requests)
    monkeypatch.delenv("OPENAI_API_KEY")
    second = await run_trail(settings(tmp_path / "b", server, replay=tape))
    assert len(server.requests) == asked
    assert trail_of(first.folder) == trail_of(second.folder)
    assert first.sample_id == second.sample_id
    with pytest.raises(EndingError, match="not recorded"):
        await run_trail(settings(tmp_path / "c", server, replay=tape, seed=9))


async def test_no_key_is_in_any_file_that_a_run_leaves(tmp_path, server) -> None:
    server.faults = ["status:500", "", "error_body"]
    extra = {"metadata": {"note": PLANTED["OPENAI_API_KEY"]}}
    for model in (CHAT, MESSAGES):
        told = {model: options(server, extra_body=extra)}
        where = {"cache": tmp_path / "cache", "record": tmp_path / "tape"}
        await run_trail(settings(tmp_path / "out", server, model, endpoints=told, **where))
    server.otherwise = lambda: "echo_key"
    with pytest.raises(EndingError) as caught:
        await run_trail(settings(tmp_path / "out", server, seed=5))
    texts = [p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()]
    assert len(texts) > 50
    for key in PLANTED.values():
        assert key not in str(caught.value)
        assert not [text for text in texts if key.encode() in text]


MALFORMED = [
    "arguments_broken", "unknown_tool", "empty_name", "missing_argument", "one_id_twice",
    "refusal", "cut_off", "only_thought",
]  # fmt: skip


@pytest.mark.parametrize("api", [CHAT, MESSAGES])
async def test_malformed_answers_are_verdicts_and_no_part_of_the_trail(
    tmp_path, server, api
) -> None:
    server.faults = [fault for name in MALFORMED for fault in (name, "")]
    result = await run_trail(settings(tmp_path, server, api, advisor_model="offline"))
    assert result.exit_code in (0, 3)
    lines = (result.folder / "advisor" / "rejected.jsonl").read_bytes().splitlines()
    codes = [orjson.loads(line)["findings"][0]["code"] for line in lines]
    assert codes.count("malformed_call") == len(MALFORMED)
    record, _ = trail_of(result.folder)
    called = [c for m in record["messages"] for c in m.get("tool_calls", ())]
    assert len({c["id"] for c in called}) == len(called)
    known = {tool["function"]["name"] for tool in record["tools"]}
    for call in called:
        assert call["id"].startswith("call_")
        assert call["function"]["name"] in known
        assert isinstance(orjson.loads(call["function"]["arguments"]), dict)


async def test_an_outage_is_resumable_and_has_a_name(tmp_path, server) -> None:
    server.faults = [""] * 6
    server.otherwise = lambda: "status:503"
    with pytest.raises(EndingError, match="overloaded"):
        await run_trail(settings(tmp_path, server))
    (run,) = tmp_path.iterdir()
    manifest = orjson.loads((run / "manifest.json").read_bytes())
    assert (manifest["outcome"], manifest["exit_code"]) == ("failed", 5)
    assert "overloaded" in manifest["error"]
    server.otherwise = lambda: ""
    result = await run_trail(settings(tmp_path, server))
    assert result.resumed
    assert result.exit_code in (0, 3)


class Deaf:
    """An Advisor that answers every question with the same word."""

    name = "offline"

    def __init__(self, from_request: int) -> None:
        self.left = from_request

    async def answer(self, request: Request) -> Answer:
        self.left -= 1
        return await OfflineModel().answer(request) if self.left >= 0 else Answer((TextPart("No"),))


@pytest.mark.parametrize("slot", ["advisor", "judge"])
@pytest.mark.parametrize("answers", [0, 5])
async def test_a_model_without_a_usable_answer_settles_the_trail(
    tmp_path, server, shared, slot, answers
) -> None:
    asked = settings(tmp_path, server, "offline", endpoints={})
    result = await run_trail(asked, models={slot: Deaf(answers)}, shared=shared)
    if slot == "judge" and answers:
        assert result.exit_code in (0, 3)
        return
    assert (result.outcome, result.exit_code) == ("rejected", 3)
    assert [r["code"] for r in result.reasons] == ["no_valid_answer"]
    assert "3 answers" in result.manifest["error"]
    kept = result.folder / "advisor" / "rejected_trajectory.jsonl"
    assert kept.exists() == (slot == "judge" or answers > 0)
    again = await run_trail(asked, models={slot: Deaf(answers)}, shared=shared)
    assert again.already


async def test_a_small_window_is_kept_and_the_record_is_whole(tmp_path, server, shared) -> None:
    alone = await offline(tmp_path / "alone", server, 0x7FFFFFFF, shared)
    window = 15_000
    told = {CHAT: options(server, context_window=window, max_output=2000)}
    asked = settings(
        tmp_path / "http", server, endpoints=told, advisor_model="offline", turns=TURNS
    )
    result = await run_trail(asked)
    assert result.exit_code in (0, 3)
    from ideatrail.models.adapter import prompt_tokens

    sizes = [prompt_tokens(request) for request in server.seen]
    assert max(sizes) <= window - 2000
    assert any("Shown before" in m.text for r in server.seen for m in r.messages)
    record, _ = trail_of(result.folder)
    assert not any("Shown before" in str(m["content"]) for m in record["messages"])
    whole, _ = trail_of(alone)
    assert record["messages"][:6] == whole["messages"][:6], "the same while it was shown whole"


async def test_a_server_that_finds_the_prompt_too_long_is_asked_shorter(tmp_path, server) -> None:
    most = 12_000

    async def refuse(request, api, body, fault):
        too_long = len(orjson.dumps(body)) // 4 > most
        return await answer(request, api, body, "overflow" if too_long and api else fault)

    answer = server._answer
    server._answer = refuse
    result = await run_trail(settings(tmp_path, server, advisor_model="offline"))
    assert result.exit_code in (0, 3)
    assert not any(r["code"] == "context_overflow" for r in result.reasons)


def test_the_command_ends_with_4_and_goes_on(tmp_path, no_settings, capfd, monkeypatch) -> None:
    from ideatrail.cli.main import main

    with in_background(EngineServer()) as server:
        proposal = folder("data") / "proposals" / "source_aware_decoding.md"
        command = [
            "run", "--proposal", str(proposal), "--turns", str(TURNS), "--out", str(tmp_path),
            "--model", CHAT, "--base-url", server.base_url, "--quiet",
        ]  # fmt: skip
        assert main([*command, "--max-cost", "1"]) == 2
        assert "--max-tokens" in capfd.readouterr().err
        assert not list(tmp_path.iterdir())
        assert main([*command, "--max-tokens", "60000"]) == 4
        told = capfd.readouterr().err
        assert "budget reached" in told
        assert len(told.splitlines()) == 1
        code = main([*command, "--json"])
        summary = orjson.loads(capfd.readouterr().out)
        assert code in (0, 3)
        assert summary["resumed"]
        assert summary["cost"] == {"usd": None}
        assert summary["cost_by_role"]["generator"]["attempts"] > 5
