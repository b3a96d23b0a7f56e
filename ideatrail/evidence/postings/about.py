"""What a corpus folder says of itself: `corpus.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

ABOUT: Final = "corpus.json"
FORMAT: Final = 1
"""One file, `papers.jsonl.zst`, read whole."""
SEGMENTED: Final = 2
"""A folder `segments/`, of which only what is asked for is read."""
BAD_LINES_KEPT: Final = 1_000
"""Bad lines that `corpus.json` lists one by one; all are counted."""


class CorpusError(Exception):
    """A corpus cannot be read or built; the text is one line that says what to do."""


class BadLineModel(BaseModel):
    """A line that held no paper."""

    model_config = ConfigDict(extra="forbid")

    source: str
    line: int
    why: str


class SegmentModel(BaseModel):
    """A part of a large corpus, written once and never changed."""

    model_config = ConfigDict(extra="forbid")

    name: str
    """Its folder below `segments/`."""
    hash: str
    """SHA-256 of the lines of its `papers.jsonl.zst`, unpacked."""
    papers: int
    """Lines of it."""
    dropped: list[int] = []
    """Rows that count no more: a richer record of the same paper and date came later."""


class About(BaseModel):
    """`corpus.json`."""

    model_config = ConfigDict(extra="forbid")

    format_version: int
    hash: str
    """SHA-256 of the lines of `papers.jsonl.zst`, unpacked; of a large corpus, that of its
    segments' hashes and dropped rows."""
    papers: int
    """Papers that count."""
    works: int
    """Papers with the records of one work (preprint and proceedings, say) counted once."""
    undated: int
    """Papers without a readable date: they are kept, and never shown."""
    earliest: str | None
    """First moment that any paper's date can mean, ISO 8601."""
    latest: str | None
    kinds: dict[str, int]
    sources: list[str]
    """Names of the files it was built from."""
    duplicates: int
    """Records dropped because a richer one of the same paper and date was there."""
    bad_lines: int
    bad: list[BadLineModel]
    segments: list[SegmentModel] = []
    """Of a large corpus, in the order of their names; of a small one, none."""


def read_about(folder: Path) -> About:
    """`corpus.json` of a folder. Raises CorpusError."""
    if not folder.exists():
        raise CorpusError(f"there is no folder {folder}")
    if not folder.is_dir():
        raise CorpusError(f"{folder} is a file: a corpus is a folder made by `corpus build`")
    try:
        held: Any = orjson.loads((folder / ABOUT).read_bytes())
    except FileNotFoundError as fault:
        raise CorpusError(f"{folder} is no corpus: it has no {ABOUT}") from fault
    except (OSError, orjson.JSONDecodeError) as fault:
        raise CorpusError(f"{folder / ABOUT} cannot be read: build it again") from fault
    version = held.get("format_version") if isinstance(held, dict) else None
    if version not in (FORMAT, SEGMENTED):
        raise CorpusError(
            f"{folder} has format {version}, this program reads {FORMAT} and {SEGMENTED}: "
            "build again"
        )
    try:
        return About.model_validate(held)
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise CorpusError(f"{folder / ABOUT} is broken at {where!r}: build it again") from fault
