"""The services on loopback, and the client that asks them."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from fixture_server import Services, serving

from ideatrail.evidence.sources.arxiv import Arxiv
from ideatrail.evidence.sources.crossref import Crossref
from ideatrail.evidence.sources.openalex import OpenAlex
from ideatrail.evidence.sources.semantic_scholar import SemanticScholar
from ideatrail.evidence.web.client import Client, Patience
from ideatrail.evidence.web.limits import Limiters


@pytest.fixture
async def services() -> AsyncIterator[Services]:
    async with serving(Services()) as running:
        yield running


@pytest.fixture
async def client(services: Services) -> AsyncIterator[Client]:
    made = Client(
        allow=[services.place], patience=Patience(attempts=2, first_wait=0.01), limiters=Limiters()
    )
    yield made
    await made.aclose()


@pytest.fixture
def arxiv(client: Client, services: Services) -> Arxiv:
    return Arxiv(client, f"{services.url}/api/query")


@pytest.fixture
def scholar(client: Client, services: Services, arxiv: Arxiv) -> SemanticScholar:
    return SemanticScholar(client, services.url, arxiv=arxiv)


@pytest.fixture
def alexandria(client: Client, services: Services, arxiv: Arxiv) -> OpenAlex:
    return OpenAlex(client, services.url, arxiv=arxiv)


@pytest.fixture
def crossref(client: Client, services: Services) -> Crossref:
    return Crossref(client, services.url)
