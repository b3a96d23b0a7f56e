"""Settings of a run: options, `IDEATRAIL_*` environment variables, a TOML file, defaults.

Nearer wins: an option beats the environment, the environment beats the file.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from ideatrail.evidence.sources.registry import check_names
from ideatrail.models.options import EndpointOptions, Provider
from ideatrail.models.secrets import check_url
from ideatrail.trail.leakage import DEFAULT_CAP

PREFIX: Final = "IDEATRAIL_"
SPENDING: Final = ("max_cost", "max_tokens", "cache", "record", "replay", "prices")
"""Settings of what may be spent, and of where answers and exchanges are kept."""
OUTSIDE_FINGERPRINT: Final = frozenset(
    {"out", "proposal", "base_url", "endpoints", "web_cache", "allow_hosts", *SPENDING}
)
"""Settings that do not shape a trail, or that count otherwise: the proposal by its content, the
base URL and the endpoints' options by those of the models in use."""
_NOT_REPEATED: Final = ("base_url", "endpoints")
"""Settings whose faulty value may be a key in the wrong place: no error repeats it."""


class SettingsError(ValueError):
    """A setting cannot be used: one clear line."""


class Settings(BaseModel):
    """Everything a run can be told, resolved."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    proposal: str
    """Path, with `#N` or `#key` where the file holds several ideas."""
    cutoff: str | None = None
    """Information horizon; None: the proposal's own date, else today."""
    turns: int = Field(default=40, ge=6, le=400)
    """Turns until the idea must stand; a proposal has turns of its own on top."""
    seed: int = Field(default=0, ge=0)
    model: str = "offline"
    """Generator's model, `provider:name`."""
    advisor_model: str = "offline"
    judge_model: str | None = None
    """None: the Advisor's model."""
    base_url: str | None = None
    """Address of an OpenAI-compatible server, for `openai:` models that have none of their own."""
    endpoints: dict[str, EndpointOptions] = Field(default_factory=dict)
    """By `provider:name`, or by provider for all its models."""
    max_cost: float | None = Field(default=None, gt=0)
    """USD that a run, or all trails of a process, may spend."""
    max_tokens: int | None = Field(default=None, gt=0)
    """Tokens, prompts and answers, that they may spend."""
    cache: Path | None = None
    """Folder of answers: an equal request is paid for once."""
    record: Path | None = None
    """Folder into which raw exchanges with endpoints are recorded."""
    replay: Path | None = None
    """Folder of recorded exchanges that take the place of the endpoints."""
    prices: Path | None = None
    """TOML file of prices that come before the shipped ones."""
    target: str | None = None
    """The paper behind the proposal: an id, a title or a file."""
    portrait: Path | None = None
    """A file, or `auto`: the target's first author is portrayed."""
    corpus: Path | None = None
    """Paper index; None: the bundled bibliography."""
    sources: tuple[str, ...] = ("index",)
    """Where evidence comes from, in this order where they are equally good: `index` (the corpus),
    `arxiv`, `semantic_scholar`, `openalex`, `crossref`, `archive`, or what another package
    brings."""
    source_urls: dict[str, str] = Field(default_factory=dict)
    """Base URL of a source by name, where it is not the service's own: a mirror, a local server."""
    web_cache: Path | None = None
    """Folder of raw answers from the web, shared by runs."""
    allow_hosts: tuple[str, ...] = ()
    """`host:port` of servers that may be asked although their addresses are not public."""
    embedding_model: Path | None = None
    """Folder of a sentence encoder (ONNX or sentence-transformers), by which the verifier finds
    what is said in other words; None: it does without."""
    out: Path = Path("trails")
    gamma: float = Field(default=0.5, ge=0, le=1)
    """Convergence at or above which an idea goes on to a proposal (paper, equation 6)."""
    delta: float = Field(default=0.12, ge=0, le=1)
    """Convergence below which a trail has drifted off its target."""
    eta: float = Field(default=0.8, ge=0, le=1)
    """Least grounding of an accepted trail (paper, equation 8)."""
    nu: float = Field(default=0.7, ge=0, le=1)
    """Least naturalness of an accepted trail (paper, equation 9)."""
    leak_cap: float = Field(default=DEFAULT_CAP, gt=0)
    """Bits that oracle-dependent verdicts may tell over a trail."""
    turn_retries: int = Field(default=3, ge=0)
    trail_retries: int = Field(default=12, ge=0)
    min_papers: int = Field(default=8, ge=1)
    """Papers that the direction must find under the cutoff."""

    @field_validator("base_url")
    @classmethod
    def _without_secret(cls, url: str | None) -> str | None:
        return None if url is None else check_url(url)

    @field_validator("endpoints")
    @classmethod
    def _for_known_providers(
        cls, endpoints: dict[str, EndpointOptions]
    ) -> dict[str, EndpointOptions]:
        providers = get_args(Provider)
        for name in endpoints:
            if name.partition(":")[0] not in providers:
                raise ValueError(f"{name!r} is none: give {' or '.join(providers)}, or one's model")
        return endpoints

    @field_validator("sources", "allow_hosts", mode="before")
    @classmethod
    def _listed(cls, given: Any) -> Any:
        """A list, or one line with commas: options and the environment have no lists."""
        return [part.strip() for part in given.split(",")] if isinstance(given, str) else given

    @field_validator("sources")
    @classmethod
    def _known_sources(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if not names:
            raise ValueError("give at least one source, `index` for one")
        if len(set(names)) < len(names):
            raise ValueError("names a source twice")
        check_names(names)
        return names

    @model_validator(mode="after")
    def _record_or_replay(self) -> Self:
        if self.record is not None and self.replay is not None:
            raise ValueError("give --record or --replay, not both")
        return self


def _nearest(key: str, valid: list[str]) -> str:
    close = difflib.get_close_matches(key, valid, n=1, cutoff=0.4)
    return f"; did you mean {close[0]!r}?" if close else f"; valid names: {', '.join(valid)}"


def read_config(path: Path) -> dict[str, Any]:
    """The TOML file's settings. Raises SettingsError with the path and the nearest valid name."""
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise SettingsError(f"--config {path}: no such file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"--config {path}: not a TOML file: {error}") from error
    except OSError as error:
        raise SettingsError(f"--config {path}: {error.strerror or error}") from error
    valid = sorted(Settings.model_fields)
    for key in raw:
        if key not in valid:
            raise SettingsError(f"--config {path}: unknown setting {key!r}{_nearest(key, valid)}")
    return raw


def read_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """Settings from `IDEATRAIL_*`. Raises SettingsError for a name that is none."""
    valid = {PREFIX + name.upper(): name for name in Settings.model_fields}
    found: dict[str, Any] = {}
    for key, value in environ.items():
        if not key.startswith(PREFIX):
            continue
        if key not in valid:
            raise SettingsError(
                f"environment variable {key}: unknown{_nearest(key, sorted(valid))}"
            )
        found[valid[key]] = value
    return found


def resolve(
    options: Mapping[str, Any], environ: Mapping[str, str], config: Path | None = None
) -> Settings:
    """Merge the layers into Settings. Raises SettingsError with one clear line.

    Args:
        options: values given on the command line; None means not given.
        environ: the process environment.
        config: a TOML file.
    """
    merged: dict[str, Any] = dict(read_config(config)) if config else {}
    merged.update(read_environment(environ))
    merged.update({k: v for k, v in options.items() if v is not None})
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        first = error.errors()[0]
        message = first["msg"].removeprefix("Value error, ")
        if not first["loc"]:
            raise SettingsError(message) from error
        name = str(first["loc"][0])
        if name == "proposal" and first["type"] == "missing":
            raise SettingsError("no proposal: give --proposal FILE") from error
        if name in _NOT_REPEATED:
            where = ".".join(str(part) for part in first["loc"])
            where = "--base-url" if name == "base_url" else where
            raise SettingsError(f"{where}: {message}") from error
        shown = f" (given: {merged[name]!r})" if name in merged else ""
        option = "--" + name.replace("_", "-")
        raise SettingsError(f"{option}: {message.lower()}{shown}") from error
