"""Keys come from the environment and go to their endpoint, and to nowhere else."""

from __future__ import annotations

import logging
import pickle
from pathlib import Path

import pytest

from ideatrail.models.adapter import model_told
from ideatrail.models.cache import ResponseCache
from ideatrail.models.endings import EndingError
from ideatrail.models.endpoints import Endpoints, ModelNameError
from ideatrail.models.options import EndpointOptions
from ideatrail.models.protocol import Request, message
from ideatrail.models.secrets import HIDDEN, KeyFaultError, check_url, find_key, scrub

ASK = Request((message("user", "Hello?"),))


def test_a_key_does_not_print_itself(planted_keys) -> None:
    key = find_key("api.openai.com", "OPENAI_API_KEY", None, needed=True)
    assert key.value == planted_keys["OPENAI_API_KEY"]
    assert key.value not in f"{key} {key!r}"


def texts(folder: Path) -> list[str]:
    return [file.read_text() for file in folder.rglob("*.json")]


@pytest.mark.parametrize("api", ["chat", "messages"])
async def test_a_key_that_the_server_repeats_is_taken_out(
    connect, server, api, planted_keys, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    server.faults = ["echo_key"]
    model = connect(api, endpoints={"cache": ResponseCache(tmp_path)})
    with pytest.raises(EndingError) as caught:
        await model.answer(ASK)
    await model.answer(ASK)
    assert HIDDEN in str(caught.value)
    sent = " ".join(f"{k} {v}" for head in server.headers for k, v in head.items())
    shown = [str(caught.value), repr(caught.value), repr(model), caplog.text]
    shown += texts(tmp_path)
    for key in planted_keys.values():
        assert all(key not in text for text in shown)
    assert any(key in sent for key in planted_keys.values()), "it was really sent"


def test_each_host_gets_its_own_key_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "sk-planted-deepseek")
    key = find_key("api.deepseek.com", "OPENAI_API_KEY", None, needed=True)
    assert key.variable == "DEEPSEEK_API_KEY"
    with pytest.raises(KeyFaultError, match="OPENROUTER_API_KEY"):
        find_key("openrouter.ai", "OPENAI_API_KEY", None, needed=True)


def test_a_named_variable_wins_and_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KEY", "lab-secret-value")
    assert find_key("127.0.0.1", "OPENAI_API_KEY", "LAB_KEY", needed=False).variable == "LAB_KEY"
    with pytest.raises(KeyFaultError, match="OTHER_KEY"):
        find_key("127.0.0.1", "OPENAI_API_KEY", "OTHER_KEY", needed=False)


def test_a_server_of_ones_own_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    Endpoints(base_url="http://127.0.0.1:8000/v1").model("openai:qwen3:8b")
    with pytest.raises(KeyFaultError, match="OPENAI_API_KEY"):
        Endpoints().model("openai:gpt-4o")


@pytest.mark.parametrize(
    "url",
    [
        "http://user:hunter2-secret@127.0.0.1/v1",
        "https://example.org/v1?key=hunter2-secret",
        "hunter2-secret",
        "ftp://example.org",
    ],
)
def test_a_base_url_carries_no_secret(url: str) -> None:
    with pytest.raises(KeyFaultError) as caught:
        check_url(url)
    assert "hunter2-secret@" not in str(caught.value)
    assert "key=" not in str(caught.value)


def test_what_has_the_shape_of_a_key_is_taken_out() -> None:
    text = "Incorrect API key provided: sk-proj-****wxyz. Bearer abcdef123456 and key=zzzzzz99"
    assert scrub(f"{text}?key=qqqqqq88") == (
        f"Incorrect API key provided: {HIDDEN} Bearer {HIDDEN} and key=zzzzzz99?key={HIDDEN}"
    )
    assert scrub("a task-specific risk_assessment, sk- and sklearn") == (
        "a task-specific risk_assessment, sk- and sklearn"
    )


@pytest.mark.parametrize("name", ["gpt-4o", "openai:", "google:gemini", ":x", ""])
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(ModelNameError, match="openai:<model>"):
        Endpoints().model(name)


def test_a_path_on_the_servers_disk_is_not_told() -> None:
    assert model_told("/home/someone/models/Small-Q4.gguf", "m") == "Small-Q4.gguf"
    assert model_told("C:\\models\\Small-Q4.gguf", "m") == "Small-Q4.gguf"
    assert model_told("deepseek/deepseek-r1", "m") == "deepseek/deepseek-r1"
    assert model_told(None, "m") == "m"


def test_options_hold_no_place_for_a_key() -> None:
    assert not [f for f in EndpointOptions.model_fields if "key" in f and f != "api_key_env"]
    assert b"planted" not in pickle.dumps(EndpointOptions())
