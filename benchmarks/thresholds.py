"""Where gamma, delta, eta and nu come from: set on one half of the proposals, told on the other.

    python benchmarks/thresholds.py RUNS --corpus CORPUS [--research]

RUNS is the folder that `real_proposals.py` filled. gamma: the least score at which at most 5% of
trails reach the anchor of another proposal on a like topic. delta: the score below which trails
meet their own anchor no better than unrelated ones do. eta and nu: grounding and naturalness that
reject controls made from the same trails: claims paired with other sources, turns shuffled, writing
without reading.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import random
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from ideatrail.events import EventStream
from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.evidence.observations import Observations
from ideatrail.graph import PROMPT_VALUES
from ideatrail.models.ledger import UsageLedger
from ideatrail.models.offline.model import OfflineModel
from ideatrail.nodes.act import artifacts_of
from ideatrail.nodes.build_oracle import rarities
from ideatrail.nodes.judge_convergence import candidate_text
from ideatrail.nodes.rooms import Pen
from ideatrail.resources import folder
from ideatrail.roles import load_roles
from ideatrail.run.codec import Codec
from ideatrail.run.log import replay
from ideatrail.settings import Settings
from ideatrail.trail.answers import ConvergenceAnswer
from ideatrail.trail.artifacts import parse
from ideatrail.trail.oracle import Anchor
from ideatrail.trail.text import content_stems
from ideatrail.trail.turn import AUTHORING, ArtifactChange, Trail, Turn
from ideatrail.verifier.metrics import measure

NEAREST = 3
"""Proposals on a like topic that a trail is held against: the nearest by their questions."""
TOO_CLOSE = 0.75
"""Share of common stems from which on two questions are one: variants of one proposal."""
ALLOWED = 0.05


@dataclass(frozen=True)
class Run:
    """A finished run, as far as thresholds need it."""

    idea: str
    direction: str
    question: frozenset[str]
    trail: Trail
    anchor: Anchor

    @property
    def first_half(self) -> bool:
        """Which half it belongs to: by a hash of its name, fixed for good."""
        return hashlib.sha256(self.idea.encode()).digest()[0] % 2 == 0


def load(runs: Path, research: bool) -> list[Run]:
    """Runs that came to an idea, by the names in `rows.json`."""
    found = []
    for row in orjson.loads((runs / "rows.json").read_bytes()):
        if row["ending"] not in ("accepted", "rejected") or (research and not row["research"]):
            continue
        root = runs / row["sample_id"]
        store = Observations(root / "observations")
        state, _ = replay(root / "log.jsonl", Codec(store), UsageLedger())
        trail = state.get("idea_end") or state["trail"]
        if parse("idea_candidates.md", artifacts_of(trail).get("idea_candidates.md")).selected:
            question = state["seed"].research_question or state["direction"]
            anchor = next(a for a in state["anchors"] if a.artifact == "idea_candidates.md")
            found.append(
                Run(
                    row["idea"],
                    state["direction"],
                    frozenset(content_stems(question)),
                    trail,
                    anchor,
                )
            )
    return found


def alike(one: Run, other: Run) -> float:
    """Shared stems of two questions over those of the smaller one."""
    return len(one.question & other.question) / max(1, min(len(one.question), len(other.question)))


class Judge:
    """The offline convergence judge, asked as the node asks it."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        roles = load_roles(folder("agents"), folder("prompts"), PROMPT_VALUES)
        self._pen = Pen("judge", roles, OfflineModel(), UsageLedger(), EventStream(), 0)

    def score(self, run: Run, anchor: Anchor) -> ConvergenceAnswer:
        """How far the idea of `run` meets `anchor`."""
        texts = artifacts_of(run.trail)
        candidate = candidate_text(
            parse("idea_candidates.md", texts["idea_candidates.md"]),
            parse("claim_audit.md", texts.get("claim_audit.md")),
        )
        said = [str(v) for v in candidate.values()] + [s.text for s in anchor.sections]
        return asyncio.run(
            self._pen.ask(
                ConvergenceAnswer,
                direction=run.direction,
                endpoint="idea",
                anchor=anchor.model_dump(),
                candidate=candidate,
                rarities=rarities(said, self._lexicon),
            )
        )


def other_sources(trail: Trail, _: random.Random) -> Trail:
    """Control: every claim is paired with the source of another one."""
    lines: dict[str, None] = {}
    for text in artifacts_of(trail).values():
        lines.update(dict.fromkeys(re.findall(r"^- source: .+$", text, re.MULTILINE)))
    order = list(lines)
    turned = dict(zip(order, order[1:] + order[:1], strict=True))

    def swap(text: str | None) -> str | None:
        if text is None:
            return None
        return re.sub(r"^- source: .+$", lambda m: turned.get(m[0], m[0]), text, flags=re.MULTILINE)

    def mend(turn: Turn) -> Turn:
        calls = []
        for call in turn.draft.calls:
            if call.name in AUTHORING:
                parsed = {k: swap(v) if isinstance(v, str) else v for k, v in call.parsed.items()}
                arguments = orjson.dumps(parsed).decode()
                calls.append(replace(call, arguments=arguments, parsed=parsed))
            else:
                calls.append(call)
        changes = tuple(
            ArtifactChange(c.call_id, c.path, swap(c.before), swap(c.after) or "")
            for c in turn.changes
        )
        return replace(turn, draft=replace(turn.draft, calls=tuple(calls)), changes=changes)

    return replace(trail, turns=tuple(map(mend, trail.turns)))


def shuffled(trail: Trail, dice: random.Random) -> Trail:
    """Control: the turns in another order."""
    turns = list(trail.turns)
    dice.shuffle(turns)
    return replace(trail, turns=tuple(replace(t, index=n) for n, t in enumerate(turns, start=1)))


def unread(trail: Trail, _: random.Random) -> Trail:
    """Control: the same writing with nothing read, search results alone."""

    def mend(turn: Turn) -> Turn:
        kept = [(c, r) for c, r in turn.pairs if c.name in AUTHORING or c.name == "WebSearch"]
        calls = tuple(c for c, _ in kept)
        return replace(
            turn, draft=replace(turn.draft, calls=calls), results=tuple(r for _, r in kept)
        )

    return replace(trail, turns=tuple(map(mend, trail.turns)))


CONTROLS = {"other sources": other_sources, "shuffled": shuffled, "unread": unread}


def quantile(values: list[float], share: float) -> float:
    """The value below which `share` of the sorted values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def line(name: str, values: Iterable[float]) -> str:
    """A row of quantiles."""
    got = list(values)
    shown = "  ".join(f"{quantile(got, q):.3f}" for q in (0.05, 0.25, 0.5, 0.75, 0.95))
    return f"  {name:<34}{len(got):>4}  {shown}"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--research", action="store_true", help="NLP and ML proposals alone")
    arguments = parser.parse_args()
    runs = load(arguments.runs, arguments.research)
    judge = Judge(Lexicon(Corpus.open(arguments.corpus)))

    own: dict[str, ConvergenceAnswer] = {}
    cross: dict[str, list[float]] = {}
    for number, run in enumerate(runs, start=1):
        own[run.idea] = judge.score(run, run.anchor)
        others = [o for o in runs if o is not run and alike(run, o) < TOO_CLOSE]
        others.sort(key=lambda o: (-alike(run, o), o.idea))
        cross[run.idea] = [judge.score(run, o.anchor).score for o in others[:NEAREST]]
        print(f"\r{number}/{len(runs)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    halves = {
        "first half": [r for r in runs if r.first_half],
        "second half": [r for r in runs if not r.first_half],
    }
    highest = {r.idea: max(cross[r.idea], default=0.0) for r in runs}
    print(f"{'quantiles':<36}{'n':>4}   5%     25%    50%    75%    95%")
    for name, half in halves.items():
        print(name)
        print(line("own anchor", (own[r.idea].score for r in half)))
        print(line("own anchor, mechanism alone", (own[r.idea].mechanism for r in half)))
        print(line(f"best of {NEAREST} like proposals", (highest[r.idea] for r in half)))
        print(line("like proposals", (s for r in half for s in cross[r.idea])))
    first = halves["first half"]
    gamma = round(quantile([highest[r.idea] for r in first], 1 - ALLOWED) + 0.005, 2)
    print(f"\ngamma set on the first half: {gamma}; the default: {default('gamma')}")
    for value in (gamma, default("gamma")):
        for name, half in halves.items():
            false = sum(highest[r.idea] >= value for r in half)
            true = sum(own[r.idea].score >= value for r in half)
            print(
                f"  at {value} {name}: {false}/{len(half)} reach another proposal's anchor"
                f" ({false / max(1, len(half)):.1%}), {true} their own"
                f" ({true / max(1, len(half)):.1%})"
            )
    controls(halves)
    return 0


def default(name: str) -> float:
    """A threshold as it ships."""
    return float(Settings.model_fields[name].default)


def controls(halves: dict[str, list[Run]]) -> None:
    """Print how genuine trails and controls are measured."""
    eta, nu = default("eta"), default("nu")
    print(f"\ngrounding and naturalness (eta {eta}, nu {nu})")
    for name, half in halves.items():
        print(name)
        measured: dict[str, list[dict[str, Any]]] = {"genuine": [measure(r.trail) for r in half]}
        for control, make in CONTROLS.items():
            measured[control] = [
                measure(make(r.trail, random.Random(f"{r.idea}:{control}"))) for r in half
            ]
        for kind, values in measured.items():
            print(line(f"{kind}: grounding", (v["grounding"] for v in values)))
            print(line(f"{kind}: naturalness", (v["naturalness"] for v in values)))
        for kind, values in measured.items():
            out = sum(v["grounding"] < eta or v["naturalness"] < nu for v in values)
            print(f"    {kind}: {out}/{len(values)} rejected ({out / max(1, len(values)):.1%})")


if __name__ == "__main__":
    raise SystemExit(main())
