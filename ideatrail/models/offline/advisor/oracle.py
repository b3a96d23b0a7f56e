"""build_oracle: atoms, what they need, and locks (paper, section 4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ideatrail.models.offline.advisor.locks import find_locks
from ideatrail.models.offline.advisor.material import Material
from ideatrail.models.offline.advisor.names import texts_of, title_of
from ideatrail.models.offline.advisor.pieces import parts_of, sentences_of, shorten
from ideatrail.models.offline.advisor.rarity import Rarities
from ideatrail.trail.answers import OracleAnswer
from ideatrail.trail.oracle import Atom, AtomKind, Seed
from ideatrail.trail.stage import ArtifactName
from ideatrail.trail.text import content_stems

MOST: Final[dict[str, int]] = {
    "problem": 2,
    "observation": 5,
    "thesis": 3,
    "method": 8,
    "evaluation": 5,
    "decision": 3,
    "novelty": 3,
    "risk": 6,
    "baseline": 6,
}
_PLAN: Final = re.compile(
    r"\b(?:we|i|this (?:project|proposal|paper|work))\b.{0,40}\b(?:propose|introduce|present|"
    r"develop|aim|want|would like|hope|plan|intend)"
    r"|\b(?:our|the proposed) (?:method|approach|framework)\b",
    re.IGNORECASE,
)
"""Sentences of a motivation that tell what will be done, not what was seen."""
_NEEDED: Final = 2
"""Observations an atom may rest on: those nearest in words."""


def build_oracle(material: Material) -> OracleAnswer:
    """Atoms and locks from `<seed>`, with term frequencies from `<rarities>`."""
    seed = material.seed
    rarities = Rarities.of(material.data("rarities"))
    finals = final_atoms(seed, rarities)
    atoms = [*finals, *artifact_atoms(finals)]
    return OracleAnswer(atoms=atoms, locks=find_locks(seed, finals, rarities))


def final_atoms(seed: Seed, rarities: Rarities) -> list[Atom]:
    """What the proposal comes to: problem, observations, thesis, method, evaluation and so on."""
    extra = seed.extra
    motivation = [s for t in texts_of(extra.get("motivation")) for s in sentences_of(t)]
    question = parts_of(seed.research_question, MOST["problem"])
    if not question and title_of(seed):
        question = [title_of(seed)]
    rule = [s for t in texts_of(extra.get("decision_rule")) for s in sentences_of(t)]
    stated = " ".join(question)
    observations = [
        shorten(s)
        for s in motivation
        if s not in stated and len(s.split()) > 4 and not s.endswith(":") and not _PLAN.search(s)
    ]
    evaluation = [p for p in parts_of(seed.evaluation, MOST["evaluation"]) if p not in rule]

    atoms: list[Atom] = []

    def add(
        name: str, kind: AtomKind, texts: Iterable[str], needs: Iterable[str] = ()
    ) -> list[str]:
        rests = list(needs)
        made: list[str] = []
        for text in texts:
            atom = Atom(id=f"{name}-{len(made) + 1}", kind=kind, text=text, needs=rests)
            atoms.append(atom)
            made.append(atom.id)
        return made

    problem = add("problem", "other", question)
    seen = add("observation", "other", _telling(observations, rarities, MOST["observation"]))
    grounds = [a for a in atoms if a.id in seen]

    def rest_on(name: str, kind: AtomKind, texts: Iterable[str]) -> list[str]:
        made = []
        for number, text in enumerate(texts, 1):
            needs = problem[:1] + _nearest(text, grounds, rarities)
            atoms.append(Atom(id=f"{name}-{number}", kind=kind, text=text, needs=needs))
            made.append(atoms[-1].id)
        return made

    thesis = rest_on("thesis", "thesis", parts_of(seed.thesis, MOST["thesis"]))
    method = rest_on("method", "method", parts_of(seed.method, MOST["method"]))
    core = method[:1] or thesis[:1] or problem[:1]
    tested = add("evaluation", "evaluation", evaluation, core)
    add(
        "baseline",
        "other",
        [shorten(b, 30) for b in seed.baselines[: MOST["baseline"]]],
        problem[:1],
    )
    add(
        "decision",
        "decision_rule",
        [shorten(r) for r in rule[: MOST["decision"]]],
        tested[:1] or core,
    )
    add("novelty", "novelty", parts_of(seed.novelty_claim, MOST["novelty"]), core)
    add("risk", "risk", [shorten(r) for r in seed.risks[: MOST["risk"]]], core)
    if not atoms:
        add("problem", "other", [shorten(seed.proposal_id)])
    return atoms


def artifact_atoms(finals: list[Atom]) -> list[Atom]:
    """What each artifact should come to hold, each resting on the artifact before it."""
    atoms: list[Atom] = []

    def add(file: ArtifactName, about: str, holds: list[Atom], needs: list[str]) -> list[str]:
        made = []
        for held in holds:
            number = sum(a.artifact == file for a in atoms) + 1
            identity = f"{file.removesuffix('.md').replace('_', '-')}-{number}"
            text = f"{about}: {held.text}"
            rests = list(dict.fromkeys([*held.needs, *needs]))
            atoms.append(Atom(id=identity, kind="artifact", artifact=file, text=text, needs=rests))
            made.append(identity)
        return made

    def of(*prefixes: str) -> list[Atom]:
        return [a for a in finals if a.id.rsplit("-", 1)[0] in prefixes]

    grounds = of("observation") or of("problem")
    audit = add("claim_audit.md", "a sourced claim on", grounds, [])
    audit += add("claim_audit.md", "a sourced claim on what is done so far", of("baseline"), [])
    first = audit[:1]
    synthesis = add("synthesis.md", "problem level", of("problem")[:1], first)
    synthesis += add(
        "synthesis.md", "mechanism hypothesis", of("thesis") or of("method")[:1], first
    )
    synthesis += add("synthesis.md", "boundary", of("risk")[:2], first)
    second = synthesis[:1] or first
    ideas = add("idea_candidates.md", "mechanism of the winning idea", of("method"), second)
    ideas += add("idea_candidates.md", "novelty of the winning idea", of("novelty")[:1], second)
    ideas += add("idea_candidates.md", "risk of the winning idea", of("risk")[:1], second)
    third = ideas[:1] or second
    add("research_proposal.md", "question", of("problem")[:1], third)
    add("research_proposal.md", "method", of("method"), third)
    add("research_proposal.md", "evaluation", of("evaluation", "decision"), third)
    return atoms


def _telling(texts: list[str], rarities: Rarities, most: int) -> list[str]:
    """The `most` texts that say most in the field's rarer words, in their own order."""
    unique = list(dict.fromkeys(texts))

    def value(text: str) -> float:
        found = dict.fromkeys(content_stems(text))
        return sum(rarities.weight(s) for s in found) / (8 + len(found))

    ranked = sorted(range(len(unique)), key=lambda i: (-value(unique[i]), i))
    return [unique[i] for i in sorted(ranked[:most])]


def _nearest(text: str, grounds: list[Atom], rarities: Rarities) -> list[str]:
    """Ids of the observations that share most of their weight in words with `text`."""
    own = set(content_stems(text))
    scored: list[tuple[float, int]] = []
    for index, ground in enumerate(grounds):
        theirs = dict.fromkeys(content_stems(ground.text))
        shared = sum(rarities.weight(s) for s in theirs if s in own)
        total = sum(rarities.weight(s) for s in theirs) or 1.0
        if shared / total >= 0.15 and shared > 1.0:
            scored.append((-shared / total, index))
    return [grounds[i].id for _, i in sorted(scored)[:_NEEDED]]
