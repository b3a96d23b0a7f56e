"""The fault server, and models that speak to it."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from ideatrail.models import secrets
from ideatrail.models.endpoint import EndpointModel
from ideatrail.models.endpoints import Endpoints
from ideatrail.models.options import EndpointOptions

sys.path.insert(0, str(Path(__file__).resolve().parent))

from fault_server import QUICK, Api, FaultServer, serving

PLANTED = {
    "OPENAI_API_KEY": "sk-planted-openai-0123456789",
    "ANTHROPIC_API_KEY": "sk-ant-planted-anthropic-0123456789",
}
"""Keys that no file, error or log may hold."""

Connect = Callable[..., EndpointModel]


@pytest.fixture(autouse=True)
def planted_keys(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Keys in the environment, and none of the person who runs the tests."""
    monkeypatch.setattr(secrets, "_known", set())
    for name in (*secrets.KEY_VARIABLES.values(), "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in PLANTED.items():
        monkeypatch.setenv(name, value)
    return PLANTED


@pytest.fixture
async def server() -> AsyncIterator[FaultServer]:
    """A fault server on loopback."""
    async with serving(FaultServer()) as running:
        yield running


@pytest.fixture
async def connect(server: FaultServer) -> AsyncIterator[Connect]:
    """Makes a model at the server: `connect(api, stream=…, options…)`."""
    opened: list[Endpoints] = []

    def make(
        api: Api = "chat", *, endpoints: dict[str, Any] | None = None, **options: Any
    ) -> EndpointModel:
        options.setdefault("patience", QUICK)
        options.setdefault("base_url", server.base_url)
        name = "anthropic:m-1" if api == "messages" else "openai:m-1"
        if api == "responses":
            options["api"] = "responses"
        opened.append(Endpoints(options={name: EndpointOptions(**options)}, **(endpoints or {})))
        return opened[-1].model(name)

    yield make
    for one in opened:
        await one.aclose()
