"""What a row of a batch asks for: its settings, its proposal or paper, what it draws by lot."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

from ideatrail import __version__
from ideatrail.batch.rows import Row
from ideatrail.evidence.dates import Cutoff
from ideatrail.proposals.error import ProposalError
from ideatrail.proposals.source import read_proposal, split_fragment
from ideatrail.run.shared import Shared
from ideatrail.settings import OUTSIDE_FINGERPRINT, Settings, SettingsError

COLUMNS: Final = ("cutoff", "portrait", "topic", "seed", "settings")
"""What a row may say besides what it names."""
TRAILS: Final = "trails"
_FIXED: Final = frozenset({"proposal", "target", "out", "corpus", "max_cost", "max_tokens"})
"""Settings that a row's `settings` may not change."""


@dataclass(frozen=True)
class BatchOptions:
    """What every worker is told; plain enough to cross processes."""

    settings: Mapping[str, Any]
    """Of all trails; `proposal` is each row's."""
    out: str
    """The batch's folder."""
    beside: str
    """Folder of the list: rows' files are looked for there first."""
    vary: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Settings with their alternatives; each row draws one of each by its own content."""


def settings_of(row: Row, options: BatchOptions) -> Settings:
    """A row's settings, its proposal or paper left open.

    Raises SettingsError where the row asks for what cannot be set.
    """
    values: dict[str, Any] = {**options.settings, "out": Path(options.out) / TRAILS}
    more = row.values.get("settings") or {}
    if isinstance(more, str):
        try:
            more = orjson.loads(more)
        except orjson.JSONDecodeError as error:
            raise SettingsError(f"settings: not JSON: {error}") from error
    if not isinstance(more, dict):
        raise SettingsError("settings: not a JSON object")
    fixed = sorted(_FIXED & set(more))
    if fixed:
        raise SettingsError(f"settings: {fixed[0]!r} cannot be set by a row")
    unknown = sorted(set(more) - set(Settings.model_fields))
    if unknown:
        raise SettingsError(f"settings: unknown setting {unknown[0]!r}")
    values.update(drawn(row, options.vary))
    values.update(more)
    for name in ("cutoff", "portrait", "seed"):
        if name in row.values:
            values[name] = row.values[name]
    values["proposal"] = row.name
    try:
        return Settings.model_validate(values)
    except ValueError as error:
        line = str(error).splitlines()
        raise SettingsError("; ".join(part.strip() for part in line[1:3])) from error


def drawn(row: Row, vary: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """What a row draws: the same in every batch with these alternatives, whatever else is in it."""
    return {
        name: random.Random(f"{row.key} {name}").choice(list(choices))
        for name, choices in sorted(vary.items())
    }


def read_vary(path: Path) -> dict[str, list[Any]]:
    """Alternatives by setting, from a TOML file: `turns = [30, 40, 50]`.

    Raises SettingsError with one clear line.
    """
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"--vary {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"--vary {path}: not a TOML file: {error}") from error
    for name, choices in raw.items():
        if name not in Settings.model_fields or name in _FIXED:
            raise SettingsError(f"--vary {path}: {name!r} is no setting that a row can have")
        if not isinstance(choices, list) or not choices:
            raise SettingsError(f"--vary {path}: {name}: give a list of alternatives")
    return raw


def row_fault(row: Row, options: BatchOptions, shared: Shared) -> str:
    """Why a row cannot be made, as far as can be told before it is begun; empty where it can."""
    try:
        settings = settings_of(row, options)
        path = file_of(row, options)
        if path is not None:
            read_proposal(path)
        elif shared.corpus(settings.corpus).find(row.name) is None:
            return f"{row.name}: no file of that name, and no paper of the index"
        if settings.cutoff is not None:
            Cutoff.parse(settings.cutoff)
    except (SettingsError, ProposalError, ValueError) as error:
        return " ".join(str(error).split())
    return ""


def shaping(options: BatchOptions) -> dict[str, Any]:
    """What shapes a batch's trails, for telling one batch from another."""
    kept = {k: v for k, v in options.settings.items() if k not in OUTSIDE_FINGERPRINT}
    varied = {"vary": dict(options.vary)} if options.vary else {}
    return {"ideatrail": __version__, **kept, **varied}


def file_of(row: Row, options: BatchOptions) -> str | None:
    """The proposal file that a row names, with its fragment; None where it names a paper."""
    for base in (Path(options.beside), Path()):
        given = str(base / row.name) if not Path(row.name).is_absolute() else row.name
        path, _ = split_fragment(given)
        if path.is_file():
            return given
    return None
