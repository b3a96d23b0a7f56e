"""Makes sources from their names.

A package may bring more by the entry point group `ideatrail.sources`: the name of the source, and a
function that takes a `Client` and a base URL (None: the source's own) and gives a `Source`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Final

from ideatrail.evidence.source import Source

if TYPE_CHECKING:
    # The client takes a third of a second to import; a run on the index alone need not wait.
    from ideatrail.evidence.web.client import Client

INDEX: Final = "index"
"""The corpus's own index; it is no source of this kind, and needs no network."""
GROUP: Final = "ideatrail.sources"

Maker = Callable[["Client", str | None], Source]


class UnknownSourceError(ValueError):
    """No source has this name: one clear line."""


def _arxiv(client: Client, url: str | None) -> Source:
    from ideatrail.evidence.sources.arxiv import Arxiv

    return Arxiv(client, url) if url else Arxiv(client)


def _semantic_scholar(client: Client, url: str | None) -> Source:
    from ideatrail.evidence.sources.semantic_scholar import SemanticScholar

    return SemanticScholar(client, url) if url else SemanticScholar(client)


def _openalex(client: Client, url: str | None) -> Source:
    from ideatrail.evidence.sources.openalex import OpenAlex

    return OpenAlex(client, url) if url else OpenAlex(client)


def _archive(client: Client, url: str | None) -> Source:
    from ideatrail.evidence.sources.archive import Archive

    return Archive(client, url) if url else Archive(client)


_OURS: Final[Mapping[str, Maker]] = {
    "arxiv": _arxiv,
    "semantic_scholar": _semantic_scholar,
    "openalex": _openalex,
    "archive": _archive,
}
NAMES: Final = (INDEX, *_OURS)


def check_names(names: Iterable[str]) -> None:
    """Raises UnknownSourceError for the first name that no source has."""
    for name in names:
        if name not in NAMES and _brought(name) is None:
            more = sorted(point.name for point in entry_points(group=GROUP))
            raise UnknownSourceError(f"unknown source {name!r}: give {', '.join([*NAMES, *more])}")


def make_sources(
    names: Iterable[str], client: Client, urls: Mapping[str, str]
) -> tuple[Source, ...]:
    """The sources of these names but the index, in their order; `urls` are base URLs by name.

    Raises UnknownSourceError.
    """
    made: list[Source] = []
    for name in names:
        if name == INDEX:
            continue
        maker = _OURS.get(name) or _brought(name)
        if maker is None:
            raise UnknownSourceError(f"unknown source {name!r}: give {', '.join(NAMES)}")
        made.append(maker(client, urls.get(name)))
    return tuple(made)


def _brought(name: str) -> Maker | None:
    found: EntryPoint | None = next(iter(entry_points(group=GROUP, name=name)), None)
    if found is None:
        return None
    maker: Maker = found.load()
    return maker
