"""The synthesis: what the audited claims say together, in six sections that cite them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ideatrail.models.offline.claims import Option, picked
from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory
from ideatrail.models.offline.parts import Part
from ideatrail.models.offline.reading import Sentence
from ideatrail.models.offline.restate import decapitalise, shorten, statement, third_person
from ideatrail.models.offline.tension import Tension, tensions
from ideatrail.trail.artifacts import SYNTHESIS_SECTIONS


@dataclass(frozen=True)
class Evidence:
    """The audit as the synthesis uses it."""

    claims: list[tuple[str, Option]]
    """Ids and the sentences behind them, in the order of the file."""
    limits: dict[str, str]
    """Limitation of each claim."""
    contested: set[str]
    parts: list[Part]
    lens: Lens

    memory: Memory

    @cached_property
    def pairs(self) -> list[Tension]:
        """Claims of two papers that pull apart, the real oppositions first."""
        found = tensions(self.claims, self.memory, self.lens)
        return sorted(found, key=lambda t: not t.opposed)

    def restated(self, claim_id: str, sentence: Sentence) -> str:
        """What a sentence on the page of a claim says, attributed, for use within a sentence."""
        option = dict(self.claims)[claim_id]
        if sentence.text == option.sentence.text:
            return decapitalise(option.claim.rstrip("."))
        page = self.memory.readings[option.url].page
        body, _ = statement(sentence.text)
        text = shorten(third_person(body, page.cite, len(page.authors) == 1), 220)
        if page.cite not in text:
            text = f"of {page.cite} it is said that {decapitalise(text)}" if text else ""
        return text or decapitalise(option.claim.rstrip("."))

    def by(self, *roles: str, negative: bool | None = None) -> list[tuple[str, Option]]:
        """Claims whose sentence plays one of `roles`, the closest to the question first."""
        kept = [
            (i, o)
            for i, o in self.claims
            if set(roles) & set(o.sentence.roles)
            and (negative is None or (o.sentence.polarity < 0) == negative)
        ]
        return sorted(kept, key=lambda pair: -self.lens.fit(pair[1].sentence.text))


def skeleton(topic: str) -> str:
    """The headings, all open."""
    parts = [f"# Synthesis: {topic}"]
    parts += [f"## {heading}\n- status: open" for heading in SYNTHESIS_SECTIONS]
    return "\n\n".join(parts) + "\n"


def section(evidence: Evidence, heading: str) -> list[str]:
    """The lines of one section."""
    makers = {
        "Problem levels": _levels,
        "Evidence base": _base,
        "Mechanism hypotheses": _mechanisms,
        "Contradictions": _contradictions,
        "Boundaries": _boundaries,
        "Candidate directions": _directions,
    }
    return makers[heading](evidence)


def _say(option: Option) -> str:
    return decapitalise(option.claim.rstrip("."))


def _levels(evidence: Evidence) -> list[str]:
    lines = []
    seen = evidence.by("problem", "limitation", "finding", negative=True)[:1]
    causes = [p for p in evidence.by("problem", "contrast", "limitation") if p not in seen][:1]
    means = [p for p in evidence.by("mechanism", "finding") if p not in seen and p not in causes][
        :1
    ]
    for label, found in (
        ("What is observed", seen),
        ("What may lie behind it", causes),
        ("What is done about it", means),
    ):
        for claim_id, option in found:
            lines.append(f"{label}: {_say(option)} [{claim_id}].")
    if not lines:
        lines = [f"What is reported: {_say(o)} [{i}]." for i, o in evidence.claims[:2]]
    ids = [i for i, _ in [*seen, *causes, *means]]
    if len(ids) > 1:
        lines.append(
            f"The levels differ: [{ids[0]}] speaks of an outcome, [{ids[-1]}] of a means, and no "
            "source read "
            "connects the two by experiment."
        )
    return lines


def _base(evidence: Evidence) -> list[str]:
    ranked = sorted(evidence.claims, key=lambda p: -evidence.lens.fit(p[1].sentence.text))
    half = max(1, len(ranked) // 2)
    near, far = ranked[:half], ranked[half:]
    lines = []
    shared = evidence.lens.shared(" ".join(o.sentence.text for _, o in near), 3)
    lines.append(
        f"Closest to the question ({', '.join(shared) or 'by subject'}): "
        f"{_cites([i for i, _ in near])}."
    )
    if far:
        lines.append(f"Useful at one remove: {_cites([i for i, _ in far])}.")
    kinds = sorted({"a summary" if o.claim.startswith("In ") else "an abstract" for _, o in near})
    lines.append(
        f"None of it was read beyond {' or '.join(kinds)}, so strength is judged by what is "
        "stated there "
        f"[{near[0][0]}]."
    )
    top = near[0]
    lines.append(f"The strongest single statement is that {_say(top[1])} [{top[0]}].")
    return lines


def _mechanisms(evidence: Evidence) -> list[str]:
    lines = []
    goal = evidence.lens.goal
    for number, part in enumerate(_different(evidence.parts, 3), start=1):
        effect = (
            f"then it should matter for {goal} in the cases where {part.term} can be observed",
            f"then {goal} should improve where {part.term} is available, and stay as it is "
            "elsewhere",
            f"then removing it should make {goal} worse again",
            f"then the same step should show up in {goal} when {part.term} is varied alone",
        )[picked(part.noun, 4)]
        text = part.noun
        lines.append(
            f"H{number}. What may carry the result of {part.page.cite} is {text} [{part.claim}]. "
            "If so, "
            f"{effect.removeprefix('then ')}."
        )
    if not lines:
        lines = [
            f"H{n}. If it holds that {_say(o)} [{i}], it should hold for {goal} as well."
            for n, (i, o) in enumerate(evidence.claims[:2], start=1)
        ]
    return lines


def _different(parts: list[Part], count: int) -> list[Part]:
    out: list[Part] = []
    for part in parts:
        if all(part.page.url != p.page.url for p in out):
            out.append(part)
        if len(out) == count:
            break
    return out


def _contradictions(evidence: Evidence) -> list[str]:
    lines = []
    opposed = [t for t in evidence.pairs if t.opposed][:3]
    for t in opposed or evidence.pairs[:2]:
        one, other = evidence.restated(t.a, t.said_a), evidence.restated(t.b, t.said_b)
        if t.opposed:
            end = (
                "Both can hold only if the conditions differ, and neither text states the "
                "condition.",
                "If both are right, something that neither of them varies decides which one "
                "applies.",
                "The two were not tested on the same material, so the difference may lie there.",
            )[picked(t.a + t.b + t.term, 3)]
            lines.append(f"[{t.a}] against [{t.b}], over {t.term}: {one}; but {other}. {end}")
        else:
            lines.append(
                f"[{t.a}] and [{t.b}] treat {t.term} differently: {one}; {other}. This is a "
                "difference of emphasis "
                "and no refutation, but an idea has to take a side."
            )
    if not lines and len(evidence.claims) > 1:
        (a, first), (b, second) = evidence.claims[0], evidence.claims[1]
        lines.append(
            f"[{a}] and [{b}] do not speak to each other: {_say(first)}; {_say(second)}. Nothing "
            "read says which of "
            "them matters more."
        )
    return lines


def _boundaries(evidence: Evidence) -> list[str]:
    lines = [
        f"[{i}] stops here: {evidence.limits[i]}."
        for i, _ in evidence.claims
        if evidence.limits.get(i)
    ][:4]
    everything = " ".join(o.sentence.text for _, o in evidence.claims)
    missing = evidence.lens.missing(everything, 3)
    if missing:
        lines.append(f"No claim in the audit speaks of {', '.join(missing)}.")
    if not lines:
        lines = [
            "Only short texts were read; nothing is known of the conditions of the experiments."
        ]
    return lines


def _directions(evidence: Evidence) -> list[str]:
    lines = []
    parts = _different(evidence.parts, 4)
    for number, part in enumerate(parts[:3], start=1):
        other = parts[number] if number < len(parts) else None
        if other is not None:
            lines.append(
                f"{number}. Bring {part.term} [{part.claim}] and {other.term} [{other.claim}] "
                "together, one after "
                "the other or one as the test of the other."
            )
        else:
            lines.append(
                f"{number}. Carry {part.term} over to the case asked about [{part.claim}]."
            )
    pairs = evidence.pairs
    if pairs:
        t = pairs[0]
        lines.append(
            f"{len(lines) + 1}. Find the condition on {t.term} that separates [{t.a}] from [{t.b}]."
        )
    if not lines:
        lines = [f"1. Test [{i}] on the case asked about." for i, _ in evidence.claims[:1]]
    return lines


def _cites(ids: list[str]) -> str:
    return ", ".join(f"[{i}]" for i in ids)
