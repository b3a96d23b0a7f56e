"""What a worker process does: everything that is asked about one trail."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from benchmarks.verifier.injections import Injection, Shot, clean_turns, shoot
from benchmarks.verifier.site import Clean
from ideatrail.embeddings.cached import Cached
from ideatrail.embeddings.embedder import Embedder, load
from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.run.services import argument_fault


@cache
def _lexicon(folder: Path) -> Lexicon:
    return Lexicon(Corpus.open(folder))


@cache
def _embedder(folder: Path | None) -> Embedder | None:
    return None if folder is None else Cached(load(folder))


def judge(
    corpus: Path,
    one: Clean,
    injections: Sequence[Injection],
    stranger: Clean | None,
    model: Path | None = None,
) -> list[Shot]:
    """The faults put into a trail, its turns as they are, and those with a stranger's oracle."""
    lexicon, embedder = _lexicon(corpus), _embedder(model)
    shots = list(shoot(one, injections, lexicon, argument_fault, embedder))
    shots += clean_turns(one, lexicon, argument_fault, embedder=embedder)
    if stranger is not None:
        shots += clean_turns(one, lexicon, argument_fault, stranger, embedder)
    return shots
