"""Value tiers by the paper's three definitions (5.2), each with its reason from provenance.

High: diagnoses root causes, brings in a mechanism, selects or revises the winning idea, formalises
the method, or fixes the proposal's final quality. Normal: useful work. Low: mechanical, redundant,
shallow or formatting. What a turn's text is worth follows from what it brought about: that quoted
text survives makes no turn high.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ideatrail.evidence.urls import canonical
from ideatrail.trail.artifacts import cited, parse
from ideatrail.trail.provenance import Edit, Provenance, build
from ideatrail.trail.simulate import normal_path
from ideatrail.trail.turn import AUTHORING, DISCOVERY, Tier, Trail, Turn
from ideatrail.verifier.observation import read_search
from ideatrail.verifier.terms import analyse

ROOT_CAUSES: Final = frozenset({"problem levels", "contradictions"})
MECHANISMS: Final = frozenset({"mechanism hypotheses"})
METHOD: Final = frozenset({"thesis", "method", "evaluation", "implementation"})


@dataclass(frozen=True)
class Label:
    """A turn's tier and why."""

    tier: Tier
    reason: str
    border: bool = False
    """Whether provenance leaves room between high and normal: the turn writes into an artifact in
    which a mechanism, a choice or a method can be made."""


def label(trail: Trail, found: Sequence[Label] | None = None) -> Trail:
    """`trail` with each turn's tier and the reason for it, by provenance where none are given."""
    found = labels(trail) if found is None else found
    turns = tuple(
        replace(turn, tier=one.tier, tier_reason=one.reason)
        for turn, one in zip(trail.turns, found, strict=True)
    )
    return replace(trail, turns=turns)


def labels(trail: Trail, graph: Provenance | None = None) -> list[Label]:
    """The label of each turn, in order."""
    return list(_Labels(trail, graph or build(trail, canonical=canonical)).all())


class _Labels:
    """Labels turn by turn, remembering what was found and shown so far."""

    def __init__(self, trail: Trail, graph: Provenance) -> None:
        self._trail = trail
        self._graph = graph
        self._edits: dict[int, list[Edit]] = {}
        for edit in graph.edits:
            self._edits.setdefault(edit.turn, []).append(edit)
        ideas = graph.artifacts["idea_candidates.md"]
        self._winner = ideas.selected
        self._rested: frozenset[str] = frozenset(
            c for candidate in ideas.candidates for c in candidate.rests_on
        )
        self._quoted = {canonical(s.source.url) for s in graph.supports}
        self._read = _scraped(trail)
        self._found: set[str] = set()
        self._shown: set[str] = set()

    def all(self) -> Iterator[Label]:
        for turn in self._trail.turns:
            tier, reason = self._label(turn)
            here = [e for e in self._edits.get(turn.index, []) if not _formatting(e)]
            border = tier != "low" and any(e.artifact != "claim_audit.md" for e in here)
            yield Label(tier, reason, border)

    def _label(self, turn: Turn) -> tuple[Tier, str]:
        edits = self._edits.get(turn.index, [])
        news = self._news(turn)
        for edit in edits:
            reason = self._high(edit)
            if reason:
                return "high", reason
        if not turn.draft.calls:
            return "normal", "closes the work with what was found"
        wrote = [e for e in edits if not _formatting(e)]
        if wrote:
            names = ", ".join(dict.fromkeys(e.artifact for e in wrote))
            return "normal", f"drafts or audits {names}"
        if edits:
            return "low", "changes form only"
        if all(r.status != "ok" for r in turn.results):
            return "low", "every call was refused"
        if all(c.name in DISCOVERY or self._own(c.parsed) for c in turn.draft.calls):
            return "low", "looks through files that hold nothing new"
        if news:
            return "normal", news
        if any(c.name in AUTHORING for c in turn.draft.calls):
            return "normal", "keeps notes"
        return "low", "brings nothing that anything later rests on"

    def _own(self, given: object) -> bool:
        """Whether a View shows a file of the Generator's own, or one that was shown before."""
        if not isinstance(given, dict):
            return False
        path = given.get("file_path")
        return isinstance(path, str) and "/sources/" not in normal_path(path)

    def _news(self, turn: Turn) -> str:
        """What of the turn's evidence is new and led to something; empty where nothing did."""
        borne = 0
        opened: set[str] = set()
        read = 0
        for call, result in turn.pairs:
            if result.status != "ok":
                continue
            borne += call.id in self._graph.observations
            if call.name == "WebSearch":
                urls = {canonical(h.url) for h in read_search(result.content)}
                opened |= (urls - self._found) & (self._read | self._quoted)
                self._found |= urls
            elif call.name == "Scraper":
                url = canonical(str(call.parsed.get("url", "")))
                read += url in self._quoted and url not in self._shown
                self._shown.add(url)
            elif result.observed:
                key = f"{call.name} {call.arguments}"
                read += key not in self._shown
                self._shown.add(key)
        if borne:
            return f"reads evidence that {borne} of its results bear into the audit"
        if read:
            return "reads a source that the work rests on"
        if opened:
            return f"finds {len(opened)} sources that are read later"
        return ""

    def _high(self, edit: Edit) -> str:
        """Why an edit is worth most, or an empty string."""
        added = _added(edit)
        if edit.artifact == "synthesis.md":
            for headings, what in ((ROOT_CAUSES, "diagnoses"), (MECHANISMS, "brings in")):
                claims = self._cites(added, headings)
                if what == "brings in":
                    claims &= self._rested
                if claims:
                    names = ", ".join(sorted(claims, key=_number))
                    thing = "root causes" if what == "diagnoses" else "a mechanism"
                    return f"{what} {thing} on {names}"
        elif edit.artifact == "idea_candidates.md":
            return self._choice(edit)
        elif edit.artifact == "research_proposal.md":
            states = [parse(edit.artifact, text).state for text in (edit.before, edit.after)]
            if states[1] == "final" and states[0] != "final":
                return "brings the proposal to its final form"
            if states[0] == "final" and not _formatting(edit):
                return "mends the final proposal"
            formal = [h for h, text in added if h.casefold() in METHOD and len(text.split()) > 7]
            if formal:
                return f"formalises {', '.join(dict.fromkeys(h.casefold() for h in formal))}"
        return ""

    def _choice(self, edit: Edit) -> str:
        """Whether an edit selects or revises the winning idea."""
        winner = self._winner
        if winner is None:
            return ""
        old = {c.id: c for c in parse(edit.artifact, edit.before).candidates}
        new = {c.id: c for c in parse(edit.artifact, edit.after).candidates}
        before, after = old.get(winner.id), new.get(winner.id)
        if after is None:
            return ""
        if after.selected and not (before and before.selected):
            return f"selects {winner.id}"
        if before is None or not before.mechanism:
            if after.mechanism and set(after.rests_on) & self._graph.grounded:
                return f"brings in the mechanism of {winner.id}"
        elif (before.mechanism, before.rests_on, before.novelty) != (
            after.mechanism,
            after.rests_on,
            after.novelty,
        ):
            return f"revises {winner.id}"
        dropped = [
            c.id
            for c in new.values()
            if c.rejected and cited(c.decision) and not (c.id in old and old[c.id].rejected)
        ]
        return f"settles the choice against {', '.join(dropped)}" if dropped else ""

    def _cites(self, added: Sequence[tuple[str, str]], headings: frozenset[str]) -> frozenset[str]:
        """Grounded claims that added sentences under these headings rest on."""
        names = {n for h, text in added if h.casefold() in headings for n in cited(text)}
        return frozenset(names) & self._graph.grounded


def _added(edit: Edit) -> list[tuple[str, str]]:
    """(heading, sentence) of what an edit brought in."""
    found = []
    for key in edit.added:
        heading, _, text = key.partition("\n")
        found.append((heading, text))
    return found


def _formatting(edit: Edit) -> bool:
    """Whether an edit leaves every content word as it was."""
    before, after = analyse(edit.before or ""), analyse(edit.after)
    return sorted(before.content) == sorted(after.content)


def _scraped(trail: Trail) -> set[str]:
    return {
        canonical(str(call.parsed.get("url", "")))
        for _, call, result in trail.calls
        if call.name == "Scraper" and result.status == "ok"
    }


def _number(name: str) -> int:
    return int(name[1:])
