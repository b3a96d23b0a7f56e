"""What many trails of one process share: corpora, their statistics, and the models' endpoints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.settings import SPENDING, Settings, SettingsError

if TYPE_CHECKING:
    from ideatrail.embeddings.embedder import Embedder
    from ideatrail.evidence.web.client import Client
    from ideatrail.models.endpoints import Endpoints


class Shared:
    """Caches by folder, by content hash and by settings. One a process."""

    def __init__(self, *, sends: bool = True) -> None:
        """`sends` is False where endpoints are asked for their prices alone."""
        self._sends = sends
        self._corpora: dict[Path | None, Corpus] = {}
        self._lexicons: dict[str, Lexicon] = {}
        self._embedders: dict[Path, Embedder] = {}
        self._endpoints: dict[str, Endpoints] = {}
        self._clients: dict[tuple[str, ...], Client] = {}
        self._counted: set[str] = set()

    def corpus(self, folder: Path | None) -> Corpus:
        """The corpus of a folder, or the bundled bibliography. Raises CorpusError."""
        if folder not in self._corpora:
            self._corpora[folder] = Corpus.bundled() if folder is None else Corpus.open(folder)
        return self._corpora[folder]

    def lexicon(self, corpus: Corpus) -> Lexicon:
        """The statistics of a corpus."""
        if corpus.hash not in self._lexicons:
            self._lexicons[corpus.hash] = Lexicon(corpus)
        return self._lexicons[corpus.hash]

    def embedder(self, folder: Path | None) -> Embedder | None:
        """The sentence encoder of a folder, remembering what it has encoded; None for none.

        Raises EmbeddingError.
        """
        if folder is None:
            return None
        if folder not in self._embedders:
            from ideatrail.embeddings.cached import Cached
            from ideatrail.embeddings.embedder import load

            self._embedders[folder] = Cached(load(folder))
        return self._embedders[folder]

    def endpoints(self, settings: Settings) -> Endpoints:
        """Limiters, budget, cache and recordings for all trails with these settings of them.

        Raises:
            ModelSettingsError: prices or recordings cannot be used.
            OSError: a folder or file cannot be opened.
        """
        key = settings.model_dump_json(include={"base_url", "endpoints", *SPENDING})
        if key not in self._endpoints:
            self._endpoints[key] = _endpoints(settings, sends=self._sends)
        return self._endpoints[key]

    def client(self, settings: Settings) -> Client:
        """The web client of the process. Raises SettingsError for hosts that cannot be allowed."""
        hosts = settings.allow_hosts
        if hosts not in self._clients:
            from ideatrail.evidence.web.client import Client

            try:
                self._clients[hosts] = Client(allow=hosts)
            except ValueError as error:
                raise SettingsError(f"allow_hosts: {error}") from error
        return self._clients[hosts]

    def first_sight(self, sample_id: str) -> bool:
        """Whether this process has not had a hand in the trail before: what an earlier process
        spent on it is not in the budget yet."""
        known = sample_id in self._counted
        self._counted.add(sample_id)
        return not known

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        for endpoints in self._endpoints.values():
            await endpoints.aclose()
        for client in self._clients.values():
            await client.aclose()


def _endpoints(settings: Settings, *, sends: bool) -> Endpoints:
    # The SDKs behind it take a second to import; a run without endpoints need not wait.
    from ideatrail.models.budget import Budget
    from ideatrail.models.cache import ResponseCache
    from ideatrail.models.cassette import Cassette
    from ideatrail.models.endpoints import Endpoints
    from ideatrail.models.prices import load_prices

    cassette = None
    if settings.record is not None:
        cassette = Cassette(settings.record, "record")
    elif settings.replay is not None:
        cassette = Cassette(settings.replay, "replay")
    return Endpoints(
        options=settings.endpoints,
        base_url=settings.base_url,
        budget=Budget(settings.max_cost, settings.max_tokens),
        prices=load_prices(settings.prices),
        cache=None if settings.cache is None else ResponseCache(settings.cache),
        cassette=cassette,
        sends=sends,
    )
