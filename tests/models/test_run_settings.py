"""Settings of endpoints: what is refused, what shapes a trail, what a process shares."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from ideatrail.models.budget import BudgetFaultError
from ideatrail.models.options import EndpointOptions
from ideatrail.models.registry import make_model
from ideatrail.models.secrets import KeyFaultError
from ideatrail.resources import folder
from ideatrail.run.inputs import read_inputs
from ideatrail.run.shared import Shared
from ideatrail.settings import Settings, SettingsError, resolve

PROPOSAL = str(folder("data") / "proposals" / "source_aware_decoding.md")
LOCAL = "http://127.0.0.1:9/v1"
SECRET = "sk-in-the-wrong-place-0123"


def settings(**values) -> Settings:
    return Settings(**{"proposal": PROPOSAL, "model": "openai:m", "base_url": LOCAL, **values})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('base_url = "http://user:SECRET@host/v1"', "--base-url: .*carries no user, password"),
        ('base_url = "http://host/v1?key=SECRET"', "--base-url: .*carries no user, password"),
        ('[endpoints.openai]\napi_key = "SECRET"', "endpoints.openai.api_key: "),
        ('[endpoints.openai]\napi_key_env = "SECRET"', "endpoints.openai.api_key_env: "),
        ('[endpoints."openai:m"]\nbase_url = "https://u:SECRET@h/v1"', "openai:m.base_url: "),
        ("[endpoints.opnai]\nmax_output = 3", "'opnai' is none: give openai or anthropic"),
        ("max_cost = 0", "--max-cost"),
        ('record = "a"\nreplay = "b"', "--record or --replay"),
    ],
)
def test_what_cannot_be_is_refused_without_repeating_a_key(tmp_path, text, message) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text.replace("SECRET", SECRET), "utf-8")
    with pytest.raises(SettingsError, match=message) as caught:
        resolve({"proposal": "p.md"}, {}, path)
    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_options_of_an_endpoint_come_from_the_file(tmp_path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(
        'advisor_model = "anthropic:big"\njudge_model = "openai:small"\n'
        '[endpoints."openai:small"]\ncontext_window = 9000\nlimits = {requests_per_minute = 5}\n',
        "utf-8",
    )
    got = resolve({"proposal": "p.md"}, {"IDEATRAIL_MODEL": "openai:mid"}, path)
    assert (got.model, got.advisor_model, got.judge_model) == (
        "openai:mid",
        "anthropic:big",
        "openai:small",
    )
    assert got.endpoints["openai:small"].limits.requests_per_minute == 5


def test_what_may_be_spent_and_kept_does_not_shape_a_trail(tmp_path) -> None:
    shared = Shared()

    def id_of(**values) -> str:
        return read_inputs(settings(**values), shared).sample_id

    plain = id_of()
    assert plain == id_of(
        max_tokens=5, max_cost=1.5, cache=tmp_path / "c", record=tmp_path / "r", prices=None
    )
    patient = {"openai:m": EndpointOptions(limits={"concurrency": 3}, patience={"attempts": 2})}
    assert plain == id_of(endpoints=patient)
    assert plain == id_of(endpoints={"anthropic": EndpointOptions(temperature=1)}), "not in use"
    assert plain != id_of(endpoints={"openai": EndpointOptions(temperature=1)})
    assert plain != id_of(base_url="http://127.0.0.1:10/v1")
    offline = id_of(model="offline", base_url=None)
    assert offline == id_of(model="offline", endpoints={"openai": EndpointOptions(temperature=1)})


def test_slots_and_trails_share_limiter_and_budget() -> None:
    shared = Shared()
    one = read_inputs(settings(advisor_model="openai:m", max_tokens=10), shared).models
    two = read_inputs(settings(seed=3, advisor_model="openai:n", max_tokens=10), shared).models
    assert one["generator"] is one["advisor"] is one["judge"] is two["generator"]
    assert two["advisor"].limiter is two["generator"].limiter  # type: ignore[attr-defined]
    assert two["advisor"].budget is two["generator"].budget  # type: ignore[attr-defined]


def test_a_cap_on_money_needs_a_price_or_a_cap_on_tokens(tmp_path) -> None:
    with pytest.raises(BudgetFaultError, match="--max-tokens too"):
        read_inputs(settings(max_cost=3), Shared())
    prices = tmp_path / "prices.toml"
    prices.write_text('["127.0.0.1:m"]\ninput = 1\noutput = 2\n', "utf-8")
    assert read_inputs(settings(max_cost=3, prices=prices), Shared())


def test_a_key_that_is_missing_is_asked_for_by_name(monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(KeyFaultError, match="set the environment variable OPENAI_API_KEY"):
        read_inputs(settings(base_url=None), Shared())


@pytest.mark.parametrize(
    ("options", "hidden", "window"),
    [
        (EndpointOptions(base_url=LOCAL), False, None),
        (EndpointOptions(base_url=LOCAL, reasoning="visible"), True, None),
        (EndpointOptions(), True, None),
        (EndpointOptions(api="responses"), False, None),
        (EndpointOptions(base_url=LOCAL, context_window=8000, max_output=500), False, 8000),
    ],
)
def test_a_model_tells_what_requests_must_reckon_with(options, hidden, window) -> None:
    asked = settings(base_url=None, endpoints={"openai": options})
    model = make_model("openai:m", lambda: Shared().endpoints(asked))
    assert model.traits.hides_reasoning is hidden  # type: ignore[attr-defined]
    assert model.traits.window == window  # type: ignore[attr-defined]


def test_a_folder_that_cannot_be_opened_is_refused(cli, tmp_path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("x")
    done = cli(
        "run", "--proposal", PROPOSAL, "--model", "openai:m", "--base-url", LOCAL,
        "--cache", blocked, "--out", tmp_path / "out",
    )  # fmt: skip
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert not Path(tmp_path / "out").exists()


@pytest.mark.slow
def test_an_estimate_is_a_range_and_leaves_nothing(cli, tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)  # nothing is sent, so none is needed
    out = tmp_path / "out"
    command = ("run", "--proposal", PROPOSAL, "--turns", "10", "--out", out, "--estimate")
    done = cli(*command, "--model", "openai:gpt-5-mini", "--json")
    assert done.code == 0
    told = orjson.loads(done.out)
    low, high = told["usd"]
    assert 0.01 < low < high < 1
    assert told["slots"]["advisor"]["usd"] == [0, 0]
    assert told["slots"]["generator"]["calls"] >= 8
    assert not out.exists()
    unknown = cli(*command, "--model", "openai:m", "--base-url", LOCAL)
    assert "cost unknown" in unknown.out
