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
    from ideatrail.evidence.sources.arxiv import Arxiv
    from ideatrail.evidence.web.client import Client

INDEX: Final = "index"
"""The corpus's own index; it is no source of this kind, and needs no network."""
GROUP: Final = "ideatrail.sources"

Maker = Callable[["Client", str | None], Source]


class UnknownSourceError(ValueError):
    """No source has this name: one clear line."""


def _arxiv(client: Client, urls: Mapping[str, str]) -> Arxiv:
    from ideatrail.evidence.sources.arxiv import API, Arxiv

    return Arxiv(client, urls.get("arxiv", API))


def _catalogue(name: str, client: Client, urls: Mapping[str, str], arxiv: Arxiv | None) -> Source:
    from ideatrail.evidence.sources import crossref, openalex, semantic_scholar

    url = urls.get(name)
    if name == "crossref":
        return crossref.Crossref(client, url or crossref.API)
    if name == "openalex":
        return openalex.OpenAlex(client, url or openalex.API, arxiv=arxiv)
    return semantic_scholar.SemanticScholar(client, url or semantic_scholar.API, arxiv=arxiv)


def _archive(client: Client, urls: Mapping[str, str]) -> Source:
    from ideatrail.evidence.sources.archive import Archive

    return Archive(client, urls["archive"]) if "archive" in urls else Archive(client)


_CATALOGUES: Final = ("semantic_scholar", "openalex", "crossref")
NAMES: Final = (INDEX, "arxiv", *_CATALOGUES, "archive")


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

    Catalogues ask arXiv how its papers stood, be it among the sources or not; but a mirror of a
    catalogue is not taken for a leave to ask arXiv's own service.

    Raises UnknownSourceError.
    """
    arxiv: Arxiv | None = None
    made: list[Source] = []
    wanted = tuple(names)
    for name in wanted:
        if name == INDEX:
            continue
        asks = "arxiv" in wanted or "arxiv" in urls or name not in urls
        if name == "arxiv" or (name in ("semantic_scholar", "openalex") and asks):
            arxiv = arxiv or _arxiv(client, urls)
        if name == "arxiv":
            assert arxiv is not None
            made.append(arxiv)
        elif name in _CATALOGUES:
            made.append(_catalogue(name, client, urls, arxiv if asks else None))
        elif name == "archive":
            made.append(_archive(client, urls))
        elif (maker := _brought(name)) is not None:
            made.append(maker(client, urls.get(name)))
        else:
            raise UnknownSourceError(f"unknown source {name!r}: give {', '.join(NAMES)}")
    return tuple(made)


def _brought(name: str) -> Maker | None:
    found: EntryPoint | None = next(iter(entry_points(group=GROUP, name=name)), None)
    if found is None:
        return None
    maker: Maker = found.load()
    return maker
