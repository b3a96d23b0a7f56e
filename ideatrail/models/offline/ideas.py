"""Candidates: parts that were read, composed for the question, weighed, and all but one dropped."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ideatrail.models.offline.claims import Option, picked
from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory
from ideatrail.models.offline.operators import DESIGNS, Operator, suitability
from ideatrail.models.offline.parts import Part
from ideatrail.models.offline.phrases import all_stems
from ideatrail.models.offline.reading import sentences_of
from ideatrail.models.offline.restate import capitalise
from ideatrail.trail.artifacts import Candidate
from ideatrail.trail.text import stem, words


@dataclass(frozen=True)
class Idea:
    """A candidate."""

    id: str
    name: str
    operator: Operator
    parts: tuple[Part, ...]
    score: float
    fit: float
    suits: float
    novelty: float
    neighbour: str
    """How the nearest page read is cited."""
    goal: str

    @property
    def claims(self) -> list[str]:
        """Ids of the claims it rests on."""
        return list(dict.fromkeys(p.claim for p in self.parts))

    @property
    def contested(self) -> list[str]:
        """Those of them that are contested."""
        return list(dict.fromkeys(p.claim for p in self.parts if p.contested))


def all_drafts(memory: Memory, lens: Lens, parts: list[Part]) -> list[Idea]:
    """Every candidate that can be made of `parts`, best first, unnumbered."""
    goal = lens.goal
    drafts: list[Idea] = []
    best = parts[:14]
    for i, one in enumerate(best):
        for other in best[i + 1 :]:
            if one.page.url == other.page.url or one.term.lower() == other.term.lower():
                continue
            for operator, first, second in _ways(one, other, lens.direction):
                drafts.append(_idea(memory, lens, operator, (first, second), goal))
    drafts += [_idea(memory, lens, "transfer", (p,), goal) for p in best[:5]]
    if len({d.name for d in drafts}) < 4:
        for one in best:
            for other in best:
                if one.term.lower() != other.term.lower():
                    for operator in ("feed", "check", "contrast"):
                        drafts.append(_idea(memory, lens, operator, (one, other), goal))
        for part in best:
            for phrase in lens.phrases[1:4]:
                drafts.append(_idea(memory, lens, "transfer", (part,), phrase.text))
    drafts.sort(key=lambda d: (-d.score, d.name))
    return drafts


def compose(memory: Memory, lens: Lens, parts: list[Part], count: int = 4) -> list[Idea]:
    """Up to `count` different candidates; at least three where three parts exist."""
    drafts = all_drafts(memory, lens, parts)
    chosen: list[Idea] = []
    for strict in (True, False):
        for draft in drafts:
            if len(chosen) == count:
                break
            if any(d.name == draft.name for d in chosen):
                continue
            uses = [p.term for d in chosen for p in d.parts]
            repeated = max((uses.count(p.term) for p in draft.parts), default=0)
            same_way = sum(d.operator == draft.operator for d in chosen)
            if strict and (same_way or repeated > 1):
                continue
            if not strict and all(p.term in uses for p in draft.parts) and len(parts) > 4:
                continue
            chosen.append(draft)
    for draft in drafts:
        if len(chosen) < min(3, count) and all(d.name != draft.name for d in chosen):
            chosen.append(draft)
    # The best one does not stand first by rule: a reader must not be able to tell by the number.
    chosen.sort(key=lambda d: picked(d.name, 1 << 16))
    return [_numbered(d, f"I{n}") for n, d in enumerate(chosen, start=1)]


def _ways(one: Part, other: Part, direction: str) -> list[tuple[Operator, Part, Part]]:
    """How two parts can be combined: as their kinds allow, and as the question asks for."""
    ways: list[tuple[Operator, Part, Part]] = []
    for operator in _asked_for(direction):
        ways += [(operator, one, other), (operator, other, one)]
    for first, second in ((one, other), (other, one)):
        if first.kind == "signal" and second.kind in ("act", "select", "split"):
            ways.append(("gate", first, second))
            ways.append(("filter", first, second))
        if second.kind == "signal" and first.kind in ("act", "split", "select"):
            ways.append(("check", first, second))
        if first.kind == "select" and second.kind in ("act", "split"):
            ways.append(("select", first, second))
        if first.kind == "split" and second.kind in ("act", "select", "signal"):
            ways.append(("split", first, second))
    if one.kind == other.kind == "signal":
        ways.append(("contrast", one, other))
    if one.kind in ("act", "select") and other.kind in ("act", "select"):
        ways.append(("feed", one, other))
    return ways


def _asked_for(direction: str) -> list[Operator]:
    """The two designs that the question's words ask for most, where they do at all."""
    ranked = sorted(DESIGNS, key=lambda o: -suitability(o, direction))
    return [o for o in ranked[:2] if suitability(o, direction) >= 0.4]


def _idea(
    memory: Memory, lens: Lens, operator: Operator, parts: tuple[Part, ...], goal: str
) -> Idea:
    fit = sum(p.fit for p in parts) / len(parts) ** 0.7
    suits = suitability(operator, lens.direction)
    novelty, neighbour = _novelty(memory, parts)
    score = fit + suits + 0.3 * novelty + (0.15 if any(p.contested for p in parts) else 0.0)
    return Idea(
        "I0",
        _name(operator, parts, goal),
        operator,
        parts,
        round(score, 6),
        round(fit, 6),
        suits,
        novelty,
        neighbour,
        goal,
    )


def _numbered(idea: Idea, name: str) -> Idea:
    return replace(idea, id=name)


def _novelty(memory: Memory, parts: tuple[Part, ...]) -> tuple[float, str]:
    """1 where no page read speaks of all parts, less where one does; and the nearest other page."""
    wanted = [{stem(w) for w in words(p.term)} for p in parts]
    best, name = 0.0, ""
    own = {p.page.url for p in parts}
    for reading in memory.readings.values():
        there = all_stems(reading.page.lines)
        share = sum(len(w & there) / max(1, len(w)) for w in wanted) / len(wanted)
        if reading.url not in own and share > best:
            best, name = share, reading.page.cite
    if len(parts) == 1:
        best = max(best, 0.6)
    return round(1.0 - best, 6), name


def _name(operator: Operator, parts: tuple[Part, ...], goal: str) -> str:
    return capitalise(_filled(DESIGNS[operator].name, parts, goal))


def _filled(template: str, parts: tuple[Part, ...], goal: str) -> str:
    """A design's template with the parts put in."""
    a, b = parts[0], parts[-1]
    return template.format(a=a.sourced, b=b.sourced, ta=a.term, tb=b.term, goal=goal)


def mechanism(idea: Idea, lens: Lens, *, full: bool) -> str:
    """What goes in, what is computed, what comes out, on one line."""
    more = [a for a in lens.aims[:4] if a != idea.goal][:2]
    design = DESIGNS[idea.operator]
    text = f"goes in: the cases that the question is about ({'; '.join([idea.goal, *more])}). "
    text += f"Computed: {_filled(design.computed, idea.parts, idea.goal)}."
    if full:
        text += f" Comes out: {design.out}. {design.why}"
        text += f" The question it is meant to answer: {lens.question or lens.direction}"
    return text


def gist(idea: Idea) -> str:
    """The idea in a clause, for reasoning."""
    return _filled(DESIGNS[idea.operator].gist, idea.parts, idea.goal)


def thesis(idea: Idea) -> str:
    """Why the idea should work, in a clause."""
    return _filled(DESIGNS[idea.operator].thesis, idea.parts, idea.goal)


def novelty(idea: Idea) -> str:
    """What no page read does, as far as the reading went."""
    if len(idea.parts) == 1:
        part = idea.parts[0]
        return (
            f"{part.page.cite} use{'s' if len(part.page.authors) == 1 else ''} the step for "
            "another purpose "
            f"[{part.claim}]; no page read applies it to {idea.goal} in this form"
        )
    a, b = idea.parts[0], idea.parts[1]
    text = (
        f"{a.page.cite} and {b.page.cite} each have one half [{a.claim}, {b.claim}]; no page "
        "read joins them"
    )
    if idea.neighbour and idea.novelty < 0.6:
        text += f", the nearest being {idea.neighbour}"
    return text


def risk(idea: Idea, limits: dict[str, str]) -> str:
    """What would sink it, from the limits of the claims it rests on."""
    known = next((limits[c] for c in idea.claims if limits.get(c)), "")
    claim = next((c for c in idea.claims if limits.get(c)), "")
    text = DESIGNS[idea.operator].risk
    return f"{text}; besides, {known} [{claim}]" if known else text


def rejection(idea: Idea, chosen: Idea, options: dict[str, Option], lens: Lens) -> str:
    """Why `idea` is dropped in favour of `chosen`: its weakest point, with the claim."""
    claim = idea.claims[-1]
    gaps = {
        "fit": (chosen.fit - idea.fit) / 1.5,
        "suits": chosen.suits - idea.suits,
        "novelty": (chosen.novelty - idea.novelty) * 0.8,
    }
    worst = max(gaps, key=lambda k: gaps[k])
    weakest = min(idea.parts, key=lambda p: p.fit)
    text = " ".join(p.fragment.sentence.text for p in idea.parts)
    missing = lens.missing(text, 2)
    if idea.contested and picked(idea.name, 2):
        return (
            f"it would stand on [{idea.contested[0]}], which is contested, without a way to "
            "tell which side holds"
        )
    if worst == "novelty" and gaps["novelty"] > 0.1:
        near = idea.neighbour or weakest.page.cite
        return (
            f"most of it is at hand already in what {near} and [{claim}] report",
            f"the step beyond [{claim}] is small once {near} is taken into account",
        )[picked(idea.name, 2)]
    if worst == "suits" and gaps["suits"] > 0.1:
        return (
            f"[{claim}] improves a means, while the question asks for what {chosen.id} decides",
            f"what it takes from [{claim}] answers a neighbouring question, unlike {chosen.id}",
            f"solid as [{claim}] may be, this use of it does not bear on the decision to be made",
            f"it changes how [{claim}] is done and not what the question is about",
        )[picked(idea.name, 4)]
    if missing:
        return (
            f"neither [{'] nor ['.join(idea.claims[:2])}] speaks of {' or '.join(missing[:2])}"
            if (len(idea.claims) > 1)
            else f"[{claim}] alone says nothing of {' or '.join(missing[:2])}"
        )
    return f"[{weakest.claim}] lies further from the question than what {chosen.id} rests on"


def selection(idea: Idea, lens: Lens) -> str:
    """Why it is selected."""
    text = " ".join(p.fragment.sentence.text for p in idea.parts)
    shared = lens.shared(text, 3)
    on = " and ".join(shared[:2]) if shared else idea.goal
    cites = ", ".join(idea.claims)
    reason = f"its parts speak to {on} [{cites}]"
    if len(idea.parts) > 1:
        reason += " and it gives a measurable step between them"
    if idea.contested:
        reason += f"; it also puts the contested point in [{idea.contested[0]}] to the test"
    return reason


def recall(
    memory: Memory, lens: Lens, parts: list[Part], written: tuple[Candidate, ...]
) -> list[Idea]:
    """The candidates of a file, found again by their names."""
    by_name: dict[str, Idea] = {}
    for draft in all_drafts(memory, lens, parts):
        by_name.setdefault(draft.name, draft)
    return [_numbered(by_name[c.name], c.id) for c in written if c.name in by_name]


def has_material(memory: Memory) -> bool:
    """Whether anything read holds a sentence to build on."""
    return any(sentences_of(r.passages) for r in memory.readings.values())
