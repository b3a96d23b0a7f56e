"""How far the offline judge tells one proposal's idea from another's, and what γ and δ follow.

    python benchmarks/convergence.py --proposals ../shared/data/proposals \\
        --papers ../shared/data/papers_acl_small.jsonl.gz [--runs /tmp/real]

Four distributions of the score, each over the same proposals:

- *others*: the idea part of one proposal (first words of thesis and method, as long as a trail's
  candidate) against the anchor of another; *like* are each proposal's three nearest by topic;
- *retold*: the anchor against the same proposal's motivation, novelty, contribution and plan,
  without a sentence that stands in the anchor;
- *halves*: every other sentence of a mechanism against the sentences between;
- *trails* (with --runs): the selected idea of each finished trail against its own anchor and
  against the anchors of its three nearest others.

γ and δ are set on a fixed half of the proposals (by a hash of the name) and reported on the other.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from real_proposals import RESEARCH

from ideatrail.evidence.corpus import Corpus, build
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.models.offline.advisor.anchors import build_anchors
from ideatrail.models.offline.advisor.convergence import (
    alike,
    anchor_fields,
    bag,
    compare,
    idea_lines,
)
from ideatrail.models.offline.advisor.direction import write_direction
from ideatrail.models.offline.advisor.material import Material
from ideatrail.models.offline.advisor.names import texts_of
from ideatrail.models.offline.advisor.oracle import build_oracle
from ideatrail.models.offline.advisor.pieces import sentences_of
from ideatrail.models.offline.advisor.rarity import Rarities
from ideatrail.nodes.build_oracle import rarities, seed_texts
from ideatrail.nodes.judge_convergence import candidate_text
from ideatrail.proposals.seed import make_seed
from ideatrail.proposals.source import list_ideas, read_proposal
from ideatrail.trail.artifacts import parse
from ideatrail.trail.oracle import Seed

SAME_WORK = (
    # Tellings of one piece of work: high scores between them are right.
    {"novi_human_idea.txt", "variant_bom_crlf_novi_human_idea.md"},
    {
        # One recipe: estimate a property of the input's difficulty, adjust attention by it.
        "sakana_nanogpt_ideas.json#45",
        "sakana_nanogpt_ideas.json#50",
        "sakana_nanogpt_ideas.json#information_density_aware_gpt",
        "sakana_nanogpt_ideas.json#linguistic_difficulty_gpt",
        "sakana_nanogpt_ideas.json#cognitive_load_aware_gpt",
    },
    {
        # One recipe: a meta-learning component that adapts the model to new tasks or domains.
        "sakana_nanogpt_ideas.json#meta_attention_gpt",
        "sakana_nanogpt_ideas.json#domain_adaptation_meta_learning",
    },
    {"novi_human_plan_2.txt", "novi_plan_analogical_prompting.md"},
    {"codescientist_action_transfer_textworld.md", "codescientist_ideas_8.json#idea-10-simplified"},
)
IDEA_WORDS = 110
"""Length of a candidate's mechanism in trails."""
NEAREST = 3
MAY_CONVERGE = 0.05
"""Share of trails that may reach gamma against another proposal on a like topic."""
LEAST_WORDS = 30


@dataclass(frozen=True)
class Case:
    """A proposal as the judge meets it."""

    name: str
    seed: Seed
    direction: str
    anchor: dict[str, str]
    topic: str
    """Question and motivation: what likeness of topic is measured on."""

    @property
    def idea(self) -> dict[str, str]:
        """The proposal's own idea, nameless and as long as a trail's candidate."""
        return {"mechanism": " ".join(self.anchor.get("mechanism", "").split()[:IDEA_WORDS])}

    @property
    def fixed_half(self) -> bool:
        """Whether thresholds are set on this proposal."""
        return hashlib.sha256(self.name.encode()).digest()[0] % 2 == 0


class Judge:
    """The offline judge with document frequencies of one literature."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def table(self, texts: Iterable[str]) -> dict[str, int]:
        return rarities(list(texts), self._lexicon)

    def score(self, anchor: dict[str, str], idea: dict[str, str], direction: str) -> float:
        known = Rarities.of(self.table([*anchor.values(), *idea.values()]))
        return compare(anchor, idea, direction, known).score


def read_case(path: str, judge: Judge) -> Case:
    """Make seed, oracle, direction and anchor of a proposal, as a run would."""
    seed = make_seed(read_proposal(path), "case")
    raw = orjson.dumps(seed.model_dump(by_alias=True)).decode()
    table = orjson.dumps(judge.table(seed_texts(seed))).decode()
    oracle = build_oracle(Material({"seed": raw, "rarities": table}))
    motivation = "\n".join(texts_of(seed.extra.get("motivation")))
    forms = [form for lock in oracle.locks for form in lock.forms]
    direction = write_direction(
        Material(
            {
                "question": seed.research_question or motivation,
                "context": motivation,
                "forbidden": orjson.dumps(forms).decode(),
            }
        )
    ).direction
    anchors = build_anchors(Material({"seed": raw, "oracle": oracle.model_dump_json()})).anchors
    idea = next(a for a in anchors if a.artifact == "idea_candidates.md")
    return Case(
        name=Path(path).name.rstrip("#"),
        seed=seed,
        direction=direction,
        anchor=anchor_fields(Material({"anchor": idea.model_dump_json()})),
        topic=f"{seed.research_question}\n{motivation}",
    )


def nearest(cases: Sequence[Case]) -> dict[str, list[str]]:
    """Names of the NEAREST other proposals by topic, the same work left out."""
    bags = {c.name: bag(c.topic, Rarities()) for c in cases}
    found = {}
    for case in cases:
        others = [c.name for c in cases if c.name != case.name and not same(case.name, c.name)]
        others.sort(key=lambda n: (-alike(bags[case.name], bags[n]), n))
        found[case.name] = others[:NEAREST]
    return found


def same(a: str, b: str) -> bool:
    return any({a, b} <= work for work in SAME_WORK)


def retold(case: Case) -> dict[str, str] | None:
    """The same work in other sentences of its proposal, or None where there are too few."""
    extra = case.seed.extra
    held = set(sentences_of(case.anchor.get("mechanism", "")))
    texts = [extra.get(k) for k in ("motivation", "contribution", "implementation", "other")]
    sentences = [
        s
        for t in texts_of([case.seed.novelty_claim, *texts])
        for s in sentences_of(t)
        if s not in held
    ]
    text = " ".join(dict.fromkeys(sentences))
    return {"mechanism": text} if len(text.split()) >= LEAST_WORDS else None


def halves(case: Case) -> tuple[dict[str, str], dict[str, str]] | None:
    sentences = sentences_of(case.anchor.get("mechanism", ""))
    one, two = " ".join(sentences[::2]), " ".join(sentences[1::2])
    if min(len(one.split()), len(two.split())) < LEAST_WORDS:
        return None
    return {"mechanism": one}, {"mechanism": two}


@dataclass(frozen=True)
class Trail:
    """A finished run: its selected idea, its own anchor, its direction."""

    name: str
    idea: dict[str, str]
    anchor: dict[str, str]
    direction: str
    topic: str


def read_run(folder: Path) -> Trail | None:
    """A run's folder, or None where it has no selected idea."""
    try:
        anchor = (folder / "advisor/anchors/idea_candidates.md").read_text("utf-8")
        seed: Any = orjson.loads((folder / "advisor/seed.json").read_bytes())
        record: Any = orjson.loads((folder / "trajectory.jsonl").read_bytes().split(b"\n")[0])
    except FileNotFoundError:
        return None
    texts = {f.name: f.read_text("utf-8") for f in folder.glob("workspace/research_topics/*/*.md")}
    ideas = parse("idea_candidates.md", texts.get("idea_candidates.md"))
    chosen = candidate_text(ideas, parse("claim_audit.md", texts.get("claim_audit.md")))
    if not chosen:
        return None
    heading = re.search(r"^## I\d+\. (.*)$", anchor, re.MULTILINE)
    motivation = "\n".join(texts_of(seed.get("_extra", {}).get("motivation")))
    return Trail(
        name=folder.name,
        idea={k: " ".join(texts_of(v)) for k, v in chosen.items()},
        anchor={"name": heading[1] if heading else "", **idea_lines(anchor)},
        direction=next(m["content"] for m in record["messages"] if m["role"] == "user"),
        topic=f"{seed.get('research_question', '')}\n{motivation}",
    )


def quantiles(values: Iterable[float]) -> str:
    ordered = sorted(values)
    if not ordered:
        return "none"
    marks = (0, 5, 25, 50, 75, 90, 95, 99, 100)
    at = [ordered[min(len(ordered) - 1, int(m * len(ordered) / 100))] for m in marks]
    shown = "  ".join(f"{m}%: {v:.2f}" for m, v in zip(marks, at, strict=True))
    return f"{shown}  (n = {len(ordered)})"


def least_gamma(worst: Sequence[float]) -> float:
    """The least hundredth that at most MAY_CONVERGE of `worst` reach."""
    for hundredth in range(101):
        gamma = hundredth / 100
        if sum(w >= gamma for w in worst) <= MAY_CONVERGE * len(worst):
            return gamma
    return 1.0


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def proposals_of(folder: Path) -> list[str]:
    """Every idea of the research proposals in `folder`, and of those we ship."""
    shipped = Path(__file__).resolve().parents[1] / "data" / "proposals"
    files = [folder / n for n in sorted(RESEARCH)] + sorted(shipped.iterdir())
    return [
        f"{f}#{i}" if i else str(f) for f in files if f.is_file() for i in list_ideas(f) or [""]
    ]


def report_proposals(cases: Sequence[Case], judge: Judge) -> tuple[float, float]:
    """Print the distributions over proposals; (gamma, delta) from the fixed half."""
    like = nearest(cases)
    by_name = {c.name: c for c in cases}
    others: dict[tuple[str, str], float] = {}
    for a in cases:
        for b in cases:
            if a.name != b.name and not same(a.name, b.name):
                others[a.name, b.name] = judge.score(a.anchor, b.idea, a.direction)
    near = [others[a, b] for a, names in like.items() for b in names]
    far = {k: v for k, v in others.items() if k[1] not in like[k[0]]}
    again = [judge.score(c.anchor, r, c.direction) for c in cases if (r := retold(c))]
    split = [judge.score(*h, c.direction) for c in cases if (h := halves(c))]
    say(f"others, all    {quantiles(others.values())}")
    say(f"others, like   {quantiles(near)}")
    say(f"retold         {quantiles(again)}")
    say(f"halves         {quantiles(split)}")
    worst = {c.name: max(others[n, c.name] for n in like[c.name]) for c in cases}
    fixed = [w for n, w in worst.items() if by_name[n].fixed_half]
    rest = [w for n, w in worst.items() if not by_name[n].fixed_half]
    gamma = least_gamma(fixed)
    drifted = sorted(v for (a, _), v in far.items() if by_name[a].fixed_half)
    delta = drifted[len(drifted) // 2] if drifted else 0.0
    say(
        f"gamma {gamma:.2f} from {len(fixed)} proposals; of the other {len(rest)}, "
        f"{sum(w >= gamma for w in rest) / (len(rest) or 1):.1%} reach it against a like topic"
    )
    say(
        f"same work reaching it: {_share(s >= gamma for s in again)} of the retold, "
        f"{_share(s >= gamma for s in split)} of the halves"
    )
    say(f"delta {delta:.2f}: half of the pairs on other topics lie below")
    return gamma, delta


def report_trails(trails: Sequence[Trail], judge: Judge) -> None:
    """Print how trails stand to their own anchors and to those on like topics."""
    bags = [bag(t.topic, Rarities()) for t in trails]
    own = [judge.score(t.anchor, t.idea, t.direction) for t in trails]
    worst: list[float] = []
    for i, trail in enumerate(trails):
        ranked = sorted(
            (j for j in range(len(trails)) if trails[j].anchor != trail.anchor),
            key=lambda j: (-alike(bags[i], bags[j]), j),
        )
        scores = [
            judge.score(trails[j].anchor, trail.idea, trails[j].direction) for j in ranked[:NEAREST]
        ]
        worst.append(max(scores, default=0.0))
    say(f"trails, own    {quantiles(own)}")
    say(f"trails, like   {quantiles(worst)}")
    fixed = [
        hashlib.sha256(" ".join(t.anchor.values()).encode()).digest()[0] % 2 == 0 for t in trails
    ]
    gamma = least_gamma([w for w, f in zip(worst, fixed, strict=True) if f])
    rest = [(w, o) for w, o, f in zip(worst, own, fixed, strict=True) if not f]
    say(
        f"gamma from trails {gamma:.2f}; on the other half {_share(w >= gamma for w, _ in rest)} "
        f"reach another's anchor, {_share(o >= gamma for _, o in rest)} their own"
    )


def _share(flags: Iterable[bool]) -> str:
    held = list(flags)
    return f"{sum(held) / (len(held) or 1):.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--proposals", type=Path, required=True)
    parser.add_argument("--papers", type=Path, help="JSONL of papers; default: the bundled ones")
    parser.add_argument("--runs", type=Path, help="folder of finished runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if options.papers:
            build([options.papers], Path(scratch) / "corpus")
            corpus = Corpus.open(Path(scratch) / "corpus")
        else:
            corpus = Corpus.bundled()
        judge = Judge(Lexicon(corpus))
        cases = [read_case(p, judge) for p in proposals_of(options.proposals)]
        usable = [c for c in cases if len(c.anchor.get("mechanism", "").split()) >= LEAST_WORDS]
        say(f"{len(usable)} proposals with a mechanism of {LEAST_WORDS} words, of {len(cases)}")
        report_proposals(usable, judge)
        if options.runs:
            folders = sorted(f.parent for f in options.runs.rglob("manifest.json"))
            report_trails([t for f in folders if (t := read_run(f))], judge)


if __name__ == "__main__":
    main()
