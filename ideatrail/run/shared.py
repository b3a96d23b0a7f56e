"""Evidence that many trails of one process share: corpora and their statistics, read once."""

from __future__ import annotations

from pathlib import Path

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.lexicon import Lexicon


class Shared:
    """Caches by folder and by content hash. One a process; trails only read what it holds."""

    def __init__(self) -> None:
        self._corpora: dict[Path | None, Corpus] = {}
        self._lexicons: dict[str, Lexicon] = {}

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
