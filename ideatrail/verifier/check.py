"""The verifier: all checks over a draft, public ones first.

Only where no public check finds anything do the oracle-dependent ones run, so that a public verdict
tells nothing of the oracle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final

from ideatrail.evidence.dates import Cutoff
from ideatrail.trail.oracle import Atom, Oracle
from ideatrail.trail.stage import Stage
from ideatrail.trail.turn import Draft, Trail, Turn
from ideatrail.trail.verdict import CODES, PARTS, Code, Finding, Layer, Verdict
from ideatrail.verifier.anachronism import AnachronismCheck
from ideatrail.verifier.case import Case, make_case
from ideatrail.verifier.causal_order import CausalOrderCheck
from ideatrail.verifier.direction import direction_faults
from ideatrail.verifier.drift import DriftCheck
from ideatrail.verifier.evidence import EvidenceCheck
from ideatrail.verifier.form import FormCheck
from ideatrail.verifier.language import LanguageCheck
from ideatrail.verifier.leakage import LeakageCheck
from ideatrail.verifier.means import (
    ArgumentCheck,
    Check,
    CheckMaker,
    LexiconLike,
    Means,
    Opinion,
)
from ideatrail.verifier.observation import read_page, read_search
from ideatrail.verifier.order import OrderCheck
from ideatrail.verifier.repetition import RepetitionCheck
from ideatrail.verifier.suspicion import nearest_sentences, suspects
from ideatrail.verifier.titles import TitleCheck
from ideatrail.verifier.urls import UrlCheck
from ideatrail.verifier.view import View

if TYPE_CHECKING:
    from ideatrail.embeddings.embedder import Embedder

CHECKS: Final[tuple[CheckMaker, ...]] = (
    FormCheck,
    RepetitionCheck,
    UrlCheck,
    OrderCheck,
    EvidenceCheck,
    TitleCheck,
    AnachronismCheck,
    LanguageCheck,
    LeakageCheck,
    CausalOrderCheck,
    DriftCheck,
)

_TELLING: Final[frozenset[Code]] = frozenset({"oracle_leakage", "title_pre_knowledge"})


def outside_checks() -> tuple[CheckMaker, ...]:
    """Checks that other distributions register under `ideatrail.checks`, by name."""
    found = sorted(entry_points(group="ideatrail.checks"), key=lambda e: e.name)
    return tuple(entry.load() for entry in found)


class Verifier:
    """Judges drafts against the record before them, and whole trails turn by turn."""

    def __init__(
        self,
        *,
        cutoff: Cutoff | str | None,
        lexicon: LexiconLike | None = None,
        arguments: ArgumentCheck | None = None,
        tools: frozenset[str] | None = None,
        target_titles: Sequence[str] = (),
        embedder: Embedder | None = None,
        checks: Sequence[CheckMaker] = CHECKS,
    ) -> None:
        """`cutoff` as text is parsed; raises ValueError where it is none."""
        means = Means(
            cutoff=Cutoff.parse(cutoff) if isinstance(cutoff, str) else cutoff,
            lexicon=lexicon,
            arguments=arguments,
            target_titles=tuple(target_titles),
            embedder=embedder,
        )
        self._means = means if tools is None else replace(means, tools=tools)
        self._makers = tuple(checks)
        self._view = View()
        self._user = ""
        self._turns: list[Turn] = []
        self._public: tuple[Check, ...] = ()
        self._advisor: tuple[Check, ...] = ()
        self._make(self._means)

    def _make(self, means: Means) -> None:
        made = [maker(means) for maker in self._makers]
        self._means = means
        self._advisor = tuple(c for c in made if "advisor" in c.needs)
        # What costs nothing must not know anything: public checks are made without the oracle.
        blind = replace(means, oracle=None, target_titles=(), embedder=None)
        self._public = tuple(
            maker(blind)
            for maker, check in zip(self._makers, made, strict=True)
            if "advisor" not in check.needs
        )

    @property
    def view(self) -> View:
        """The public record as followed so far."""
        return self._view

    def follow(self, trail: Trail, oracle: Oracle | None = None) -> View:
        """Bring the view up to `trail`. Where the trail goes on from the turns followed so far,
        only the new ones are read; else (after a rewind, on another trail) it starts over."""
        if oracle is not self._means.oracle:
            self._make(replace(self._means, oracle=oracle))
        done = len(self._turns)
        goes_on = (
            trail.user == self._user
            and len(trail.turns) >= done
            and all(a is b for a, b in zip(self._turns, trail.turns, strict=False))
        )
        if not goes_on:
            self._view = View(trail.user)
            self._user = trail.user
            self._turns = []
            done = 0
        self._view.set_system(trail.system)
        for turn in trail.turns[done:]:
            self._view.observe(turn)
            self._turns.append(turn)
        return self._view

    def judge(self, draft: Draft, stage: Stage) -> Verdict:
        """The verdict on `draft`, made in `stage` after the trail followed so far."""
        case = make_case(draft, stage, self._view.files)
        findings, layers = self._run(self._public, case)
        charged = not findings
        if findings:
            layers += [
                Layer(check.name, ran=False, why="a public check found a fault first")
                for check in self._advisor
            ]
        else:
            findings, more = self._run(self._advisor, case)
            layers += more
        findings.sort(key=_rank)
        if not findings:
            return Verdict(ok=True, layers=tuple(layers))
        first = findings[0]
        return Verdict(
            ok=False,
            code=first.code,
            pointer=first.pointer,
            layers=tuple(layers),
            findings=tuple(findings),
            charged=charged,
        )

    def leaks(self, draft: Draft, stage: Stage) -> list[Finding]:
        """What a draft gives away, whatever else may be wrong with it: the findings of the leakage
        and title checks alone. Asked before a draft that was not taken is released."""
        case = make_case(draft, stage, self._view.files)
        asked = [c for c in (*self._public, *self._advisor) if c.codes & _TELLING]
        return self._run(asked, case)[0]

    def suspects(self, draft: Draft, stage: Stage) -> tuple[Atom, ...]:
        """Closed atoms that a draft may paraphrase, for a judge to read; none without an oracle."""
        oracle = self._means.oracle
        if oracle is None:
            return ()
        case = make_case(draft, stage, self._view.files)
        return suspects(case, self._view, oracle, self._means.lexicon)

    def bearing_on(self, texts: Sequence[str], most: int) -> list[str]:
        """The observed sentences that share most content words with `texts`, best first."""
        return nearest_sentences(texts, self._view.observed_texts, most)

    def direction_faults(self, text: str, oracle: Oracle) -> list[str]:
        """What keeps a starting message from being shown to the Generator (Advisor side only)."""
        return direction_faults(text, oracle, self._means)

    def _run(self, checks: Sequence[Check], case: Case) -> tuple[list[Finding], list[Layer]]:
        opinions: list[Opinion] = [check.judge(case, self._view) for check in checks]
        findings = [f for opinion in opinions for f in opinion.findings]
        return findings, [layer for opinion in opinions for layer in opinion.layers]

    def audit(self, trail: Trail, oracle: Oracle | None = None) -> Iterator[tuple[Turn, Verdict]]:
        """Judge a finished trail turn by turn, as if each had just been drafted; titles that it
        observes later are known here. What this verifier follows is left alone."""
        other = copy(self)
        later = tuple(dict.fromkeys(_titles(trail)))
        other._make(replace(self._means, oracle=oracle, later_titles=later))
        other._view = View(trail.user, trail.system)
        for turn in trail.turns:
            yield turn, other.judge(turn.draft, turn.stage)
            other._view.observe(turn)


def _rank(finding: Finding) -> tuple[int, int, int, str, str]:
    """Order of findings: by code, then by place in the draft."""
    pointer = finding.pointer
    call = -1 if pointer.call is None else pointer.call
    return (
        CODES.index(finding.code),
        PARTS.index(pointer.part),
        call,
        pointer.section or "",
        finding.layer,
    )


def _titles(trail: Trail) -> Iterator[str]:
    for _, call, result in trail.calls:
        if not result.observed or result.status != "ok":
            continue
        if call.name == "WebSearch":
            yield from (item.title for item in read_search(result.content))
        elif call.name == "Scraper":
            page = read_page(result.content)
            if page and page.title:
                yield page.title


__all__ = ["CHECKS", "Check", "Means", "Opinion", "Verifier", "outside_checks"]
