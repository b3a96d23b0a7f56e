"""build_anchors: target versions of the four artifacts, from seed, oracle and papers found.

(Paper, section 4.6.) Deterministic; the proposal adds nothing to the seed, and every quotation is a
sentence of a paper that was really found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ideatrail.models.offline.advisor.material import Material
from ideatrail.models.offline.advisor.names import coined, texts_of, title_of
from ideatrail.models.offline.advisor.pieces import plain, sentences_of, shorten
from ideatrail.models.offline.advisor.rarity import Rarities
from ideatrail.trail.answers import AnchorsAnswer
from ideatrail.trail.artifacts import MIN_QUOTE
from ideatrail.trail.oracle import Anchor, AnchorSection, Atom, Seed
from ideatrail.trail.text import content_stems, squeeze

_MOST_CLAIMS: Final = 12
_SUPPORTED: Final = 0.35
"""Share of a point's weight in words that a passage must share to count as support."""
_CONTRAST: Final = re.compile(
    r"\b(?:however|yet|but|although|whereas|while|despite|in contrast|unlike|conflict\w*|"
    r"contradict\w*)\b",
    re.IGNORECASE,
)
_OUR_OWN_WORDS: Final = re.compile(r"not the authors' own words", re.IGNORECASE)


@dataclass(frozen=True)
class _Passage:
    paper: Mapping[str, Any]
    text: str
    stems: frozenset[str]


def build_anchors(material: Material) -> AnchorsAnswer:
    """The four anchors from `<seed>`, `<oracle>` and `<papers>`."""
    seed = material.seed
    atoms = [a for a in material.oracle.atoms if a.kind != "artifact"]
    papers = material.data("papers")
    found = [p for p in papers if isinstance(p, dict)] if isinstance(papers, list) else []
    rarities = Rarities.of(material.data("rarities"))
    audit, claims = _audit(atoms, found, rarities)
    return AnchorsAnswer(
        anchors=[
            audit,
            _synthesis(atoms, claims),
            _idea(seed, atoms, claims),
            _proposal(seed, atoms),
        ]
    )


def _of(atoms: Sequence[Atom], *prefixes: str) -> list[Atom]:
    """Atoms by the name before the number of their id, or by kind."""
    return [a for a in atoms if a.id.rsplit("-", 1)[0] in prefixes or a.kind in prefixes]


def _grounds(atoms: Sequence[Atom]) -> list[Atom]:
    """What a claim audit has to establish: problem, observations, the state of the art."""
    grounds = [a for a in atoms if a.kind == "other"]
    return grounds or list(atoms)


def _audit(
    atoms: Sequence[Atom], papers: Sequence[Mapping[str, Any]], rarities: Rarities
) -> tuple[Anchor, dict[str, list[str]]]:
    """Claim audit, and for each atom the claims that speak to it."""
    passages = [p for paper in papers for p in _passages(paper)]
    sections: list[AnchorSection] = []
    claims: dict[str, list[str]] = {}
    used: set[str] = set()
    for atom in [*_grounds(atoms), *_of(atoms, "thesis", "method")]:
        if len(sections) == _MOST_CLAIMS:
            break
        wanted = dict.fromkeys(content_stems(atom.text))
        total = sum(rarities.weight(s) for s in wanted) or 1.0
        best: tuple[float, _Passage] | None = None
        for passage in passages:
            if passage.text in used:
                continue
            shared = sum(rarities.weight(s) for s in wanted if s in passage.stems)
            value = shared / total / (1 + len(passage.stems) / 60)
            if shared > 0 and (best is None or value > best[0] + 1e-12):
                best = (value, passage)
        if best is None:
            continue
        score, passage = best
        used.add(passage.text)
        number = f"C{len(sections) + 1}"
        claims.setdefault(atom.id, []).append(number)
        sections.append(
            AnchorSection(
                heading=f"{number}. {shorten(atom.text, 40)}",
                text=_claim_block(passage, score >= _SUPPORTED),
                atoms=[atom.id],
            )
        )
    return Anchor(artifact="claim_audit.md", sections=sections), claims


def _passages(paper: Mapping[str, Any]) -> list[_Passage]:
    text = "\n".join(
        texts_of([paper.get(k) for k in ("text", "paragraphs", "abstract", "snippet")])
    )
    kept = []
    for sentence in sentences_of(text):
        if len(sentence) < max(MIN_QUOTE, 30) or '"' in sentence or _OUR_OWN_WORDS.search(sentence):
            continue
        if sentence in squeeze(text):
            kept.append(_Passage(paper, sentence, frozenset(content_stems(sentence))))
    return kept


def _claim_block(passage: _Passage, supported: bool) -> str:
    paper = passage.paper
    authors = texts_of(paper.get("authors"))
    surname = authors[0].split()[-1] if authors else "n.n."
    year = re.search(r"\d{4}", str(paper.get("date") or paper.get("year") or ""))
    kind = str(paper.get("kind") or "abstract")
    support = kind if kind in ("full text", "abstract", "summary") else "snippet"
    return "\n".join(
        [
            f"- source: {paper.get('title', '')} ({surname} et al., {year[0] if year else 'n.d.'}) "
            f"{paper.get('url', '')}",
            f'- {"note" if support == "summary" else "quote"}: "{passage.text}"',
            f"- support: {support}",
            f"- status: {'supported' if supported else 'open'}",
        ]
    )


def _cite(claims: Mapping[str, list[str]], atoms: Sequence[Atom]) -> str:
    """` [C1, C2]` for the claims that speak to `atoms` or to what they need, or nothing."""
    ids = [i for a in atoms for k in (a.id, *a.needs) for i in claims.get(k, [])]
    unique = list(dict.fromkeys(ids))[:3]
    return f" [{', '.join(unique)}]" if unique else ""


def _line(atom: Atom, claims: Mapping[str, list[str]]) -> str:
    return atom.text + _cite(claims, [atom])


def _section(heading: str, atoms: Sequence[Atom], claims: Mapping[str, list[str]]) -> AnchorSection:
    return AnchorSection(
        heading=heading,
        text="\n".join(_line(a, claims) for a in atoms),
        atoms=[a.id for a in atoms],
    )


def _synthesis(atoms: Sequence[Atom], claims: Mapping[str, list[str]]) -> Anchor:
    observations = _of(atoms, "observation")
    baselines = _of(atoms, "baseline")
    contrasts = [a for a in observations if _CONTRAST.search(a.text)] or observations[-1:]
    return Anchor(
        artifact="synthesis.md",
        sections=[
            _section("Problem levels", _of(atoms, "problem") + observations[:1], claims),
            _section("Evidence base", observations + baselines, claims),
            _section("Mechanism hypotheses", _of(atoms, "thesis") or _of(atoms, "method"), claims),
            _section("Contradictions", contrasts, claims),
            _section("Boundaries", _of(atoms, "risk"), claims),
            _section(
                "Candidate directions", (_of(atoms, "method") + _of(atoms, "novelty"))[:4], claims
            ),
        ],
    )


def _idea(seed: Seed, atoms: Sequence[Atom], claims: Mapping[str, list[str]]) -> Anchor:
    """The winning idea, one section."""
    mechanism = _of(atoms, "thesis") + _of(atoms, "method")
    if not mechanism:
        mechanism = _of(atoms, "novelty") or _of(atoms, "problem")
    novelty, risk = _of(atoms, "novelty"), _of(atoms, "risk")
    names = coined(seed)
    name = (names[0] if names else "") or title_of(seed) or shorten(mechanism[0].text, 10)
    ids = list(
        dict.fromkeys(i for a in mechanism for k in (a.id, *a.needs) for i in claims.get(k, []))
    )
    lines = [f"- mechanism: {' '.join(a.text for a in mechanism)}"]
    if ids:
        lines.append(f"- rests on: {', '.join(ids)}")
    if novelty:
        lines.append(f"- novelty: {' '.join(a.text for a in novelty)}")
    if risk:
        lines.append(f"- risk: {' '.join(a.text for a in risk)}")
    lines.append("- decision: selected")
    held = [*mechanism, *novelty, *risk]
    return Anchor(
        artifact="idea_candidates.md",
        sections=[
            AnchorSection(
                heading=f"I1. {' '.join(plain(name).split())}",
                text="\n".join(lines),
                atoms=[a.id for a in held],
            )
        ],
    )


def _proposal(seed: Seed, atoms: Sequence[Atom]) -> Anchor:
    """The proposal, section by section; a section that the seed lacks is left out."""
    extra = seed.extra

    def joined(*keys: str) -> str:
        return "\n".join(t for k in keys for t in texts_of(extra.get(k)))

    def listed(items: Sequence[str]) -> str:
        return "\n".join(f"- {' '.join(i.split())}" for i in items)

    rule = joined("decision_rule")
    tests = seed.evaluation if rule in seed.evaluation else f"{seed.evaluation}\n{rule}"
    rows: list[tuple[str, str, tuple[str, ...]]] = [
        ("Research question", seed.research_question, ("problem",)),
        ("Motivation", joined("motivation"), ("observation",)),
        ("Thesis", seed.thesis, ("thesis",)),
        ("Method", seed.method, ("method",)),
        ("Expected contribution", joined("contribution"), ("novelty",)),
        ("Evaluation", tests, ("evaluation", "decision_rule")),
        ("Baselines", listed(seed.baselines), ("baseline",)),
        ("Risks", listed(seed.risks), ("risk",)),
        ("Novelty", seed.novelty_claim, ("novelty",)),
        ("Implementation", joined("implementation"), ("method",)),
    ]
    return Anchor(
        artifact="research_proposal.md",
        sections=[
            AnchorSection(
                heading=heading,
                text=text.strip(),
                atoms=[a.id for a in _of(atoms, *kinds)],
            )
            for heading, text, kinds in rows
            if text.strip()
        ],
    )
