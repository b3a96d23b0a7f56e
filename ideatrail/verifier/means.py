"""What checks are made from, and the form of a check. `Check` is open to others by entry points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from ideatrail.evidence.dates import Cutoff, Interval
from ideatrail.evidence.titles import TitleMatch
from ideatrail.trail.oracle import Oracle
from ideatrail.trail.verdict import Code, Finding, Layer, Pointer
from ideatrail.verifier.case import Case
from ideatrail.verifier.view import View

if TYPE_CHECKING:
    from ideatrail.embeddings.embedder import Embedder

Need = Literal["advisor", "corpus"]

TOOLS: Final[frozenset[str]] = frozenset(
    {"WebSearch", "Scraper", "View", "Write", "Edit", "Glob", "Grep"}
)


class LexiconLike(Protocol):
    """What checks ask of the full index's statistics (`ideatrail.evidence.lexicon.Lexicon`)."""

    @property
    def size(self) -> int:
        """Papers counted."""
        ...

    def frequency(self, term: str) -> int:
        """Papers that hold `term`, words side by side, by their stems."""
        ...

    def name_frequency(self, name: str) -> int:
        """Papers that hold a name as it is written."""
        ...

    def first(self, term: str) -> Interval | None:
        """Date of the paper that shows `term` first."""
        ...

    def first_name(self, name: str) -> Interval | None:
        """As `first`, for a name with its capitals."""
        ...

    def titles_in(self, text: str) -> tuple[TitleMatch, ...]:
        """(Nearly) complete titles that stand in `text`."""
        ...

    def match_title(self, text: str) -> tuple[str, ...]:
        """Ids of the papers whose title the whole of `text` is."""
        ...

    def is_topic(self, phrase: str) -> bool:
        """Whether many papers use these words that do not bear them as a title."""
        ...


ArgumentCheck = Callable[[str, Mapping[str, Any]], str | None]
"""The reason why a tool does not take these arguments, or None where it does."""


@dataclass(frozen=True)
class Means:
    """What a check may be made from besides the public record."""

    cutoff: Cutoff | None = None
    lexicon: LexiconLike | None = None
    oracle: Oracle | None = None
    tools: frozenset[str] = TOOLS
    arguments: ArgumentCheck | None = None
    later_titles: tuple[str, ...] = ()
    """Titles that the rest of a finished trail observes: known when a whole trail is audited."""
    embedder: Embedder | None = None
    """A sentence encoder, for what is said in other words."""
    target_titles: tuple[str, ...] = ()
    """Titles of the withheld target. A check whose outcome hangs on one is charged, so where the
    index does not hold it (there a title tells nothing apart from any other), it is a lock."""


@dataclass(frozen=True)
class Opinion:
    """What a check has to say of a draft."""

    findings: tuple[Finding, ...] = ()
    layers: tuple[Layer, ...] = ()


class Check(Protocol):
    """One check. Made from `Means`, it judges any number of drafts and keeps nothing of them."""

    name: str
    codes: frozenset[Code]
    needs: frozenset[Need]

    def judge(self, case: Case, view: View) -> Opinion:
        """The faults of a draft against the record before it."""
        ...


class Bench:
    """Collects findings, and which layers ran and hit, while a check works."""

    def __init__(self, check: str, code: Code, layers: tuple[str, ...]) -> None:
        self.check = check
        self.code = code
        self._layers: dict[str, Layer] = {n: Layer(f"{check}/{n}", ran=True) for n in layers}
        self._findings: list[Finding] = []
        self._places: set[tuple[Pointer, str]] = set()

    def skip(self, layer: str, why: str) -> None:
        """`layer` could not run."""
        self._layers[layer] = Layer(f"{self.check}/{layer}", ran=False, why=why)

    def hit(self, layer: str, pointer: Pointer, detail: str = "") -> None:
        """`layer` found a fault."""
        self._layers[layer] = Layer(f"{self.check}/{layer}", ran=True, hit=True)
        if (pointer, layer) not in self._places:
            self._places.add((pointer, layer))
            self._findings.append(Finding(self.code, pointer, layer, detail))

    @property
    def found(self) -> bool:
        """Whether anything was found so far."""
        return bool(self._findings)

    def opinion(self) -> Opinion:
        """All of it."""
        return Opinion(tuple(self._findings), tuple(self._layers.values()))


CheckMaker = Callable[[Means], Check]
"""A check's class: what the verifier's table and entry points hold."""
