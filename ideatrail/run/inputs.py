"""What a run starts from: proposal, cutoff, literature, target, portrait, cards, fingerprint.

Everything that can be refused is refused here, before anything is written.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import orjson

from ideatrail import __version__
from ideatrail.events import EventStream
from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff, Interval, parse_date
from ideatrail.evidence.index import spread
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.withheld import Target, Withheld
from ideatrail.graph import PROMPT_VALUES
from ideatrail.models.endpoint import EndpointModel
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.protocol import ChatModel
from ideatrail.models.registry import UnknownModelError, make_model
from ideatrail.nodes.rooms import Pen
from ideatrail.portraits.role import ROLE, load_portraitist
from ideatrail.proposals.source import Proposal, read_proposal
from ideatrail.resources import folder
from ideatrail.roles import Roles, load_roles
from ideatrail.run.shared import Shared
from ideatrail.settings import OUTSIDE_FINGERPRINT, Settings, SettingsError
from ideatrail.toolkit.definitions import definitions
from ideatrail.trail.answers import Slot
from ideatrail.trail.oracle import Oracle
from ideatrail.verifier.check import Verifier

if TYPE_CHECKING:
    from ideatrail.embeddings.embedder import Embedder

FINGERPRINT_VERSION: Final = 1
AUTO: Final = Path("auto")
"""What `--portrait` is given where the target's first author is to be portrayed."""
CutoffFrom = Literal["option", "proposal", "target", "today"]
_WEST: Final = timedelta(hours=12)
"""From UTC to UTC-12, where a day ends last; _EAST: to UTC+14, where it begins first."""
_EAST: Final = timedelta(hours=14)
_ID: Final = re.compile(
    r"(?:arXiv:)?\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}|10\.\d{4,9}/\S+"
    r"|[A-Z]\d{2}-\d{4}|\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+"
)
"""Ids of arXiv (new and old), DOI, the ACL Anthology (old and new)."""
_LONGEST_PORTRAIT: Final = 20_000


class RunRefused(ValueError):  # noqa: N818 - it is a refusal, not a failure
    """The run cannot start: one clear line."""


class RunBusyError(RunRefused):
    """Another process is making this very trail."""


@dataclass(frozen=True)
class Inputs:
    """Everything a run needs, read and checked."""

    settings: Settings
    proposal: Proposal
    cutoff: Cutoff
    cutoff_from: CutoffFrom
    corpus: Corpus
    withheld: Withheld
    paper: dict[str, Any] | None
    """The paper behind the proposal, for the Advisor; None where no target was given."""
    portrait: str | None
    roles: Roles
    models: dict[Slot, ChatModel]
    embedder: Embedder | None
    fingerprint: str
    """Of everything that shapes the trail; for the manifest."""
    public_fingerprint: str
    """The same without proposal and target; for the record."""

    @cached_property
    def sample_id(self) -> str:
        """Stable for equal input and settings; tells nothing of the target.

        Derived slowly: a reader of the record who tries every paper of an index as the target has
        to pay for each.
        """
        derived = hashlib.scrypt(
            self.fingerprint.encode(), salt=b"ideatrail sample_id", n=2**14, r=8, p=1, dklen=8
        )
        return f"it_{derived.hex()}"

    @property
    def base_seed(self) -> int:
        """Where everything random of this run descends from.

        Made of public things alone: a seed drawn from the proposal, or from an index that holds
        later papers, would carry it, hashed, into the Generator's requests.
        """
        public = [
            self.settings.seed,
            self.settings.turns,
            self.cutoff.text,
            self.portrait,
        ]
        return int.from_bytes(hashlib.sha256(orjson.dumps(public)).digest()[:6], "big")


def read_inputs(settings: Settings, shared: Shared, today: str | None = None) -> Inputs:
    """Read and check everything.

    Args:
        settings: the resolved settings.
        shared: where corpora are read once a process.
        today: ISO day taken where neither option nor proposal gives a cutoff.

    Raises:
        RunRefused, SettingsError, ProposalError, CorpusError, CardError, ModelSettingsError: one
            clear line each.
    """
    proposal = read_proposal(settings.proposal)
    models = models_of(settings, shared)
    try:
        definitions()
    except (OSError, ValueError) as error:
        raise RunRefused(f"{folder('tools')}: {error}") from error
    portrait = _portrait(settings.portrait)
    roles = load_roles(folder("agents"), folder("prompts"), PROMPT_VALUES)
    corpus = shared.corpus(settings.corpus)
    target, paper, dated = find_target(settings.target, corpus)
    cutoff, cutoff_from = _cutoff(settings, proposal, dated, today)
    withheld = spread(corpus, Withheld.of(target)) if target else Withheld()
    public = _public_settings(settings, cutoff, corpus, portrait)
    embedder = shared.embedder(settings.embedding_model)
    if embedder is not None:
        public["embedding"] = embedder.name
    asked = {slot: m.about() for slot, m in models.items() if isinstance(m, EndpointModel)}
    if asked:
        public["endpoints"] = asked
    private = {"proposal": [proposal.sha256, proposal.fragment], "withheld": withheld.key}
    return Inputs(
        settings=settings,
        proposal=proposal,
        cutoff=cutoff,
        cutoff_from=cutoff_from,
        corpus=corpus,
        withheld=withheld,
        paper=paper,
        portrait=portrait,
        roles=roles,
        models=models,
        embedder=embedder,
        fingerprint=_fingerprint({**public, **private}),
        public_fingerprint=_fingerprint(public),
    )


def _cutoff(
    settings: Settings, proposal: Proposal, target: Interval | None, today: str | None
) -> tuple[Cutoff, CutoffFrom]:
    """The option's, else the proposal's own date, else the day before the target, else today."""
    if settings.cutoff is not None:
        try:
            return Cutoff.parse(settings.cutoff), "option"
        except ValueError as error:
            raise SettingsError(f"--cutoff: {error}") from error
    stated = parse_date(proposal.date)
    if stated is not None:
        # A proposal dated by month or year is taken at its end: it was not written later.
        last = (stated.latest - _WEST).date()
        return Cutoff.parse(last.isoformat()), "proposal"
    if target is not None:
        before = (target.earliest + _EAST).date() - timedelta(days=1)
        return Cutoff.parse(before.isoformat()), "target"
    return Cutoff.parse(today or datetime.now(UTC).date().isoformat()), "today"


def models_of(settings: Settings, shared: Shared) -> dict[Slot, ChatModel]:
    """The model of each slot. Raises SettingsError, ModelSettingsError, RunRefused."""
    names: dict[Slot, tuple[str, str]] = {
        "generator": ("--model", settings.model),
        "advisor": ("--advisor-model", settings.advisor_model),
        "judge": ("judge_model", settings.judge_model or settings.advisor_model),
    }
    return {
        slot: model_of(option, name, settings, shared) for slot, (option, name) in names.items()
    }


def model_of(option: str, name: str, settings: Settings, shared: Shared) -> ChatModel:
    """The model that `option` names. Raises SettingsError, ModelSettingsError, RunRefused."""
    try:
        return make_model(name, lambda: shared.endpoints(settings))
    except UnknownModelError as error:
        raise SettingsError(f"{option}: {error}") from error
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise RunRefused(f"{where}{error.strerror or error}") from error


def _portrait(path: Path | None) -> str | None:
    if path is None or path == AUTO:
        return None
    try:
        text = path.read_text("utf-8").strip()
    except OSError as error:
        raise RunRefused(f"--portrait {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RunRefused(f"--portrait {path}: not UTF-8 text") from error
    if not text or len(text) > _LONGEST_PORTRAIT:
        raise RunRefused(
            f"--portrait {path}: has {len(text)} characters; give 1 to {_LONGEST_PORTRAIT}"
        )
    return text


def portraitist(settings: Settings, shared: Shared, model: str | None = None) -> Pen:
    """The portraitist's pen; by default it writes with the Advisor's model.

    Raises:
        SettingsError, ModelSettingsError, RunRefused, CardError: one clear line each.
    """
    name = model or settings.advisor_model
    roles = load_portraitist(folder("agents"), folder("prompts"))
    made = model_of("--model", name, settings, shared)
    return Pen(ROLE, roles, made, UsageLedger(), EventStream(), settings.seed)


def direction_gate(
    lexicon: Lexicon, cutoff: Cutoff, withheld: Withheld, oracle: Oracle
) -> Callable[[str], list[str]]:
    """What keeps a text from the Generator, as for the direction."""
    verifier = Verifier(cutoff=cutoff, lexicon=lexicon, target_titles=withheld.titles)
    return lambda text: verifier.direction_faults(text, oracle)


def find_target(
    given: str | None, corpus: Corpus
) -> tuple[Target | None, dict[str, Any] | None, Interval | None]:
    """The target by id, title or file, what is known of it, and its date. A file is JSON with a
    title and any of titles, ids, urls, doi, authors, abstract, names, date."""
    if given is None:
        return None, None, None
    path = Path(given)
    if path.suffix == ".json" or path.is_file():
        try:
            raw = orjson.loads(path.read_bytes())
        except OSError as error:
            raise RunRefused(f"--target {given}: {error.strerror or error}") from error
        except orjson.JSONDecodeError as error:
            raise RunRefused(f"--target {given}: not JSON ({error})") from error
        if not isinstance(raw, dict) or not isinstance(raw.get("title"), str):
            raise RunRefused(f"--target {given}: a JSON object with at least a `title` is needed")
        target = Target(
            titles=(raw["title"], *_strings(raw, "titles")),
            ids=_strings(raw, "ids"),
            urls=_strings(raw, "urls"),
            dois=_strings(raw, "doi") + _strings(raw, "dois"),
            authors=_strings(raw, "authors"),
        )
        return target, raw, parse_date(str(raw.get("date") or ""))
    found = corpus.find(given) or _by_coined_name(given, corpus)
    if found is not None:
        paper = {
            "title": found.title,
            "ids": [found.id],
            "authors": list(found.authors),
            "abstract": "\n".join(found.body),
        }
        return Target.of(found), paper, found.published
    if len(given.split()) >= 3:
        return Target(titles=(given,)), {"title": given}, None
    if "://" in given:
        return Target(urls=(given,)), {"ids": [given]}, None
    if _ID.fullmatch(given.strip()):
        return Target(ids=(given.strip(),)), {"ids": [given.strip()]}, None
    raise RunRefused(
        f"--target {given}: neither an id, an address nor a paper of the index; give its id, its "
        "whole title, or a JSON file with its title"
    )


def _by_coined_name(given: str, corpus: Corpus) -> Paper | None:
    """The one paper whose title begins with this name and a colon."""
    if corpus.segments is not None:
        return None  # a large one is not read through for it
    head = f"{given.strip().casefold()}:"
    found = [p for p in corpus.papers if p.title.casefold().startswith(head)]
    return found[0] if len(found) == 1 else None


def _strings(raw: dict[str, Any], key: str) -> tuple[str, ...]:
    value = raw.get(key, [])
    values = [value] if isinstance(value, str) else value
    return tuple(v for v in values if isinstance(v, str)) if isinstance(values, list) else ()


def _public_settings(
    settings: Settings, cutoff: Cutoff, corpus: Corpus, portrait: str | None
) -> dict[str, Any]:
    """What shapes the trail, without proposal and target: no time, no path, no secret."""
    outside = OUTSIDE_FINGERPRINT | {"corpus", "portrait", "target", "cutoff", "embedding_model"}
    return {
        "version": FINGERPRINT_VERSION,
        "ideatrail": __version__,
        "cutoff": cutoff.text,
        "corpus": corpus.hash,
        # One that is distilled follows from the rest, and from a model that may vary.
        "portrait": "auto" if settings.portrait == AUTO else portrait,
        "settings": settings.model_dump(mode="json", exclude=set(outside)),
        "tools": definitions(),
        "roles": _folder_hash(folder("agents"), "*.toml"),
        "prompts": _folder_hash(folder("prompts"), "*.jinja"),
    }


def _fingerprint(values: dict[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps(values, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _folder_hash(root: Path, pattern: str) -> str:
    digest = hashlib.sha256()
    for path in sorted(root.rglob(pattern)):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
