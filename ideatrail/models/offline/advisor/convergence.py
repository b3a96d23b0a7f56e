"""judge_convergence: does a result share problem, mechanism and direction with the anchor?

A lexical judge (paper, section 5.1; equation 6). Each text becomes a bag of weighted features:
stems weighted by rarity, groups of near-synonyms, pairs of neighbouring stems. Two bags are alike
as far as the heaviest features of each are met in the other:

    covered(a, b) = sum of weight * match over the K heaviest features of a / sum of their weights
    alike(a, b)   = sqrt(covered(a, b) * covered(b, a))

with match 1 for the same feature, less for a near one. How alike two mechanisms are is the mean of
this and of the cosine of what they do: their operations, weighted by rarity. Words of the public
direction are shared by everyone on the topic and hardly count in the mechanism. The score is a
weighted geometric mean of the three parts, so that none can be bought with another, put on a scale
where one half parts the same mechanism from another one on the same topic
(`benchmarks/convergence.py` shows by how much).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ideatrail.models.offline.advisor.concepts import (
    DOWNWARD,
    FINDING,
    OPERATION_WEIGHT,
    OPERATIONS_OF,
    PLUMBING,
    UNWANTED,
    UPWARD,
)
from ideatrail.models.offline.advisor.material import Material
from ideatrail.models.offline.advisor.names import texts_of
from ideatrail.models.offline.advisor.pieces import plain, sentences_of
from ideatrail.models.offline.advisor.rarity import Rarities
from ideatrail.trail.answers import ConvergenceAnswer
from ideatrail.trail.text import STOPWORDS, stem, words

HEAVIEST: Final = 40
"""K: features that describe a mechanism; more only add chance meetings between long texts."""
PUBLIC_SHARE: Final = 0.25
"""What a word of the direction, or of the effect hoped for, still counts in the mechanism."""
NEAR: Final = 0.7
"""Match of two stems that speak of one operation."""
ALIKE_STEM: Final = 0.5
"""Match of two longer stems with a common beginning (`calibr`, `calibrat`)."""
PUBLIC_OPERATION: Final = 0.4
"""What an operation that the direction names still counts."""
PAIR: Final = 0.6
"""Weight of a pair of neighbours, as a share of its stems' weights together."""
PARTS: Final[Mapping[str, float]] = {"mechanism": 0.6, "core_problem": 0.3, "direction": 0.1}
"""Exponents of the geometric mean."""
SCALE: Final = 0.85
"""Power that brings the geometric mean to the scale of the role's prompt, where another mechanism
on the same topic stays below one half (`benchmarks/convergence.py` shows how well)."""
_FLOOR: Final = 0.02
_PREFIX: Final = 5

_FIELD: Final = re.compile(r"^- ([a-z][a-z ]*): ?(.*)$")
_CITATION: Final = re.compile(
    r"\[[CI]\d+(?:\s*,\s*[CI]\d+)*\]|<!--.*?-->|\b[CI]\d+\b"
    r"|(?:,? after )?\b[A-Z][\w’'-]+(?: (?:and|&) [A-Z][\w’'-]+| et al\.?),? \(?\d{4}\)?"
)
"""References to claims and papers: whose work it is says nothing of how it works."""
_MECHANISM: Final = ("name", "mechanism", "novelty", "thesis", "method", "implementation")
_PROBLEM: Final = (
    "research question",
    "motivation",
    "name",
    "mechanism",
    "thesis",
    "rests_on",
    "novelty",
)
_EFFECT: Final = (
    "name",
    "mechanism",
    "novelty",
    "thesis",
    "expected contribution",
    "method",
    "decision",
)
_VERBS: Final = UPWARD | DOWNWARD | FINDING
_WINDOW: Final = 6
"""Words after an effect verb in which its object is looked for."""


@dataclass(frozen=True)
class Bag:
    """Weighted features of a text."""

    weights: Mapping[str, float]
    """Stems, and pairs of stems with a space between."""

    @property
    def heaviest(self) -> list[tuple[str, float]]:
        """The HEAVIEST features, heaviest first; ties by name."""
        return sorted(self.weights.items(), key=lambda kv: (-kv[1], kv[0]))[:HEAVIEST]


def judge_convergence(material: Material) -> ConvergenceAnswer:
    """Score `<candidate>` against `<anchor>` under the public `<direction>`."""
    anchor = anchor_fields(material)
    candidate = candidate_fields(material)
    return compare(
        anchor, candidate, material.text("direction"), Rarities.of(material.data("rarities"))
    )


def compare(
    anchor: Mapping[str, str], candidate: Mapping[str, str], direction: str, rarities: Rarities
) -> ConvergenceAnswer:
    """Score the fields of a candidate against the fields of an anchor."""
    public = _public(direction)
    told = alike(
        _mechanism_bag(anchor, rarities, public),
        _mechanism_bag(candidate, rarities, public),
    )
    done = same_operations(_joined(anchor, _MECHANISM), _joined(candidate, _MECHANISM), direction)
    mechanism = (told + done) / 2
    problem = _same_problem(anchor, candidate, direction, rarities)
    effect = _same_direction(
        _effects(_joined(anchor, _EFFECT), rarities),
        _effects(_joined(candidate, _EFFECT), rarities),
    )
    values = {"mechanism": mechanism, "core_problem": problem, "direction": effect}
    score = math.prod(max(values[k], _FLOOR) ** share for k, share in PARTS.items()) ** SCALE
    if not _joined(candidate, _MECHANISM).strip():
        score = 0.0
    shared = _shared(anchor, candidate, rarities, public)
    return ConvergenceAnswer(
        core_problem=round(problem, 4),
        mechanism=round(mechanism, 4),
        direction=round(effect, 4),
        score=round(score, 4),
        why=(
            f"problem {problem:.2f}, mechanism {mechanism:.2f}, direction {effect:.2f}; "
            + (f"both speak of {', '.join(shared)}" if shared else "no distinctive word is shared")
        ),
    )


def _public(direction: str) -> frozenset[str]:
    """Stems of the direction, and the same negated: `support` makes `unsupported` public too."""
    roots = {stem(w) for w in words(direction)}
    return frozenset(roots | {p + r for p in ("un", "non", "in", "dis", "mis") for r in roots})


def anchor_fields(material: Material) -> dict[str, str]:
    """Fields of the anchor: of its one idea, or its sections by heading."""
    fields: dict[str, str] = {}
    for anchor in material.anchors[:1]:
        for section in anchor.sections:
            if anchor.artifact == "idea_candidates.md":
                fields["name"] = re.sub(r"^I\d+\.\s*", "", section.heading)
                fields.update(idea_lines(section.text))
            else:
                fields[section.heading.lower()] = section.text
    return fields


def candidate_fields(material: Material) -> dict[str, str]:
    """Fields of the candidate, by lower-case name; running text counts as its mechanism."""
    value = material.data("candidate", "artifact")
    if isinstance(value, dict):
        return {str(k).lower(): " ".join(texts_of(v)) for k, v in value.items()}
    text = material.text("candidate", "artifact")
    return idea_lines(text) or {"mechanism": text}


def idea_lines(text: str) -> dict[str, str]:
    """The `- key: value` lines of an idea."""
    return {m[1]: m[2] for line in text.splitlines() if (m := _FIELD.match(line))}


def _joined(fields: Mapping[str, str], names: Sequence[str]) -> str:
    return "\n".join(_CITATION.sub(" ", fields[n]) for n in names if fields.get(n))


def bag(text: str, rarities: Rarities, public: frozenset[str] = frozenset()) -> Bag:
    """Features of `text`: weight of a stem times a slowly growing count; pairs weigh less."""
    counts: dict[str, int] = {}
    for sentence in sentences_of(text) or [plain(text)]:
        previous = ""
        for word in words(sentence):
            if word in STOPWORDS or len(word) < 2 or word.isdigit():
                previous = ""
                continue
            root = stem(word)
            counts[root] = counts.get(root, 0) + 1
            if previous and previous != root:
                pair = f"{previous} {root}"
                counts[pair] = counts.get(pair, 0) + 1
            previous = root
    return Bag({f: _weight(f, rarities, public) * (1 + math.log(n)) for f, n in counts.items()})


def _mechanism_bag(fields: Mapping[str, str], rarities: Rarities, public: frozenset[str]) -> Bag:
    """The bag of how it works; what it is good for counts as little as what everyone knows."""
    text = _joined(fields, _MECHANISM)
    hoped = {
        hope
        for roots in _tokens(text)
        for at, (root, _) in enumerate(roots)
        if root in UPWARD | DOWNWARD
        for hope in (root, *(o for o, _ in _objects(roots, at)))
    }
    return bag(text, rarities, public | hoped | PLUMBING)


def _weight(feature: str, rarities: Rarities, public: frozenset[str]) -> float:
    def single(root: str) -> float:
        return rarities.weight(root) * (PUBLIC_SHARE if root in public else 1.0)

    parts = feature.split(" ")
    if len(parts) == 1:
        return single(parts[0])
    return PAIR * sum(single(p) for p in parts)


def alike(a: Bag, b: Bag) -> float:
    """Likeness of two bags in 0..1; symmetric."""
    return math.sqrt(covered(a, b) * covered(b, a))


def covered(a: Bag, b: Bag) -> float:
    """Share of the weight of a's heaviest features that is met in b."""
    heavy = a.heaviest
    total = sum(w for _, w in heavy)
    if total <= 0:
        return 0.0
    concepts = {name for f in b.weights for name in OPERATIONS_OF.get(f, ())}
    prefixes = {f[:_PREFIX] for f in b.weights if " " not in f and len(f) > _PREFIX}
    return sum(w * _match(f, b, concepts, prefixes) for f, w in heavy) / total


def operations(text: str, public: frozenset[str] = frozenset()) -> dict[str, float]:
    """Operation → weight: its rarity times a slowly growing count, less where the topic has it."""
    counts: dict[str, int] = {}
    for word in words(text):
        for name in OPERATIONS_OF.get(stem(word), ()):
            counts[name] = counts.get(name, 0) + 1
    return {
        name: OPERATION_WEIGHT[name]
        * (1 + math.log(count))
        * (PUBLIC_OPERATION if name in public else 1.0)
        for name, count in sorted(counts.items())
    }


def same_operations(a: str, b: str, direction: str) -> float:
    """Cosine of what two texts do, in 0..1; operations that the direction names count less."""
    public = frozenset(operations(direction))
    one, two = operations(a, public), operations(b, public)
    norm = math.sqrt(sum(w * w for w in one.values()) * sum(w * w for w in two.values()))
    return sum(w * two.get(name, 0.0) for name, w in one.items()) / norm if norm else 0.0


def _match(feature: str, other: Bag, concepts: set[str], prefixes: set[str]) -> float:
    if feature in other.weights:
        return 1.0
    if " " in feature:
        return 0.0
    if OPERATIONS_OF.get(feature, frozenset()) & concepts:
        return NEAR
    if len(feature) > _PREFIX and feature[:_PREFIX] in prefixes:
        return ALIKE_STEM
    return 0.0


def _same_problem(
    anchor: Mapping[str, str], candidate: Mapping[str, str], direction: str, rarities: Rarities
) -> float:
    """How far both texts speak of what the direction asks about."""
    asked = bag(direction, rarities)
    theirs = bag(_joined(candidate, _PROBLEM), rarities)
    ours = bag(_joined(anchor, _PROBLEM), rarities)
    direct = alike(ours, theirs)
    wanted = covered(asked, ours)
    if not asked.weights or wanted <= 0:
        return direct
    return max(direct, min(1.0, covered(asked, theirs) / max(wanted, 0.3)))


def _tokens(text: str) -> list[list[tuple[str, str]]]:
    """(stem, word) of each sentence."""
    return [[(stem(w), w) for w in words(s)] for s in sentences_of(text)]


def _objects(tokens: Sequence[tuple[str, str]], at: int) -> list[tuple[str, str]]:
    """What the effect verb at `at` acts on: the words after it, in the passive those before."""
    passive = at > 0 and tokens[at - 1][1] in ("is", "are", "be", "was", "were", "been", "being")
    near = tokens[max(0, at - _WINDOW) : at] if passive else tokens[at + 1 : at + 1 + _WINDOW]
    return [(r, w) for r, w in near if w not in STOPWORDS and r not in _VERBS]


def _effects(text: str, rarities: Rarities) -> dict[tuple[str, str], float]:
    """(sign, object) → weight: what a text wants more of, less of, or to find out."""
    found: dict[tuple[str, str], float] = {}
    for tokens in _tokens(text):
        for at, (root, _) in enumerate(tokens):
            sign = (
                "up"
                if root in UPWARD
                else "down"
                if root in DOWNWARD
                else "find"
                if root in FINDING
                else ""
            )
            if not sign:
                continue
            for target, _ in _objects(tokens, at):
                key = (sign, min(OPERATIONS_OF.get(target, frozenset({target}))))
                found[key] = max(found.get(key, 0.0), rarities.weight(target))
    return found


def _same_direction(
    a: Mapping[tuple[str, str], float], b: Mapping[tuple[str, str], float]
) -> float:
    """Agreement of effects in 0..1; 0.5 where a text names none, lower where signs are opposed."""
    if not a or not b:
        return 0.5
    objects_a, objects_b = {o for _, o in a}, {o for _, o in b}
    both = objects_a & objects_b
    agree = conflict = 0.0
    for thing in sorted(both):
        signs_a = {s for s, o in a if o == thing}
        signs_b = {s for s, o in b if o == thing}
        weight = min(max(a[s, thing] for s in signs_a), max(b[s, thing] for s in signs_b))
        if signs_a & signs_b:
            agree += weight
        elif {"up", "down"} <= signs_a | signs_b:
            conflict += weight
        else:
            agree += weight / 2
    whole = min(_sum_by_object(a), _sum_by_object(b)) or 1.0
    general = 0.3 if _betters(a) & _betters(b) else 0.0
    return min(1.0, max(0.0, general + 1.5 * (agree - conflict) / whole))


def _sum_by_object(effects: Mapping[tuple[str, str], float]) -> float:
    best: dict[str, float] = {}
    for (_, thing), weight in effects.items():
        best[thing] = max(best.get(thing, 0.0), weight)
    return sum(sorted(best.values(), reverse=True)[:15])


def _betters(effects: Iterable[tuple[str, str]]) -> set[str]:
    """Kinds of aim: to make something better, or to find something out."""
    return {
        "find" if sign == "find" else "worse" if (sign == "up") == (thing in UNWANTED) else "better"
        for sign, thing in effects
    }


def _shared(
    anchor: Mapping[str, str],
    candidate: Mapping[str, str],
    rarities: Rarities,
    public: frozenset[str],
) -> list[str]:
    a = _mechanism_bag(anchor, rarities, public)
    b = _mechanism_bag(candidate, rarities, public)
    return [f for f, _ in a.heaviest if f in b.weights][:4]
