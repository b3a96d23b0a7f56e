"""The research proposal: the selected candidate made concrete, section by section."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from ideatrail.models.offline.ideas import Idea, mechanism, risk, thesis
from ideatrail.models.offline.lens import problem_of
from ideatrail.models.offline.parts import Part
from ideatrail.models.offline.restate import decapitalise
from ideatrail.models.offline.synthesis import Evidence
from ideatrail.trail.artifacts import PROPOSAL_SECTIONS

_DATA: Final = re.compile(
    r"\b((?:[A-Z][A-Za-z0-9]*[A-Z0-9][A-Za-z0-9-]*|[A-Z][a-z]+(?:[ -][A-Z][a-z]+)+)"
    r"(?: (?:dataset|benchmark|corpus|datasets|benchmarks))?)\b"
)
_DATA_CUE: Final = re.compile(
    r"\b(?:datasets?|benchmarks?|corpus|corpora|test sets?)\b", re.IGNORECASE
)
_METRIC: Final = re.compile(
    r"\b(accuracy|F1|BLEU|ROUGE(?:-[L12])?|chrF|exact match|calibration error|AUROC|perplexity|"
    r"correlation|precision|recall|error rate|coverage|pass@k|human judg(?:e)?ments?|agreement)\b"
)


def skeleton(idea: Idea) -> str:
    """The headings, all open."""
    parts = [f"# Research proposal: {idea.name}"]
    parts += [f"## {heading}\n- status: open" for heading in PROPOSAL_SECTIONS]
    return "\n\n".join(parts) + "\n"


def section(evidence: Evidence, idea: Idea, heading: str, rejected: list[str]) -> list[str]:
    """The lines of one section."""
    lens, goal = evidence.lens, evidence.lens.asked
    a = idea.parts[0]
    b = idea.parts[1] if len(idea.parts) > 1 else None
    cites = ", ".join(idea.claims)
    if heading == "Research question":
        lines = [lens.question or lens.direction]
        lines.append(
            f"In the narrower form that can be tested here: does {_name(idea)} help, and when? "
            f"[{idea.id}]"
        )
        return lines
    if heading == "Motivation":
        return _motivation(evidence, idea)
    if heading == "Thesis":
        return [_thesis(idea)]
    if heading == "Method":
        return [*_method(evidence, idea)]
    if heading == "Expected contribution":
        lines = [
            f"A worked out and tested form of {_name(idea)} [{idea.id}], with its parts measured "
            f"apart [{cites}]."
        ]
        if evidence.pairs:
            t = evidence.pairs[0]
            lines.append(f"Beyond that, evidence on {t.term}, where [{t.a}] and [{t.b}] differ.")
        return lines
    if heading == "Evaluation":
        return _evaluation(evidence, idea)
    if heading == "Baselines":
        return [f"{n}. {t}" for n, t in enumerate(_baselines(idea, lens.asked), start=1)]
    if heading == "Risks":
        lines = [f"The main risk for {goal}: {risk(idea, evidence.limits)}."]
        if b is not None:
            lines.append(
                f"If {a.term} turns out to carry no information, the plan falls back on {b.term} "
                f"alone [{b.claim}] "
                "and reports the negative result."
            )
        lines.append(
            f"The evidence is from short texts; the full texts behind [{cites}] are to be read "
            "before coding."
        )
        return lines
    if heading == "Novelty":
        return _novelty(evidence, idea, rejected)
    steps = [
        "Collect the material named under Evaluation and set a part aside that is looked at once, "
        "at the end.",
        f"Rebuild the first part, {a.term}, as {a.page.cite} describe it [{a.claim}], and check "
        "it on its own."
        if len(a.page.authors) > 1
        else f"Rebuild the first part, {a.term}, after {a.page.cite} [{a.claim}], and check it on "
        "its own.",
    ]
    if b is not None:
        steps.append(
            f"Rebuild the second part, {b.term}, after {b.page.cite} [{b.claim}], and check it on "
            "its own."
        )
    steps += [
        f"Join them as the method says [{idea.id}], with every intermediate output written to "
        "disk.",
        "Run a small pilot on a sample; stop if the first part does not vary between cases.",
        "Run the baselines and the full method under equal cost, then the comparison with one "
        "part switched off.",
        f"Apply the decision rule once, and write up the outcome for {goal} whichever way it goes.",
    ]
    return [f"{n}. {s}" for n, s in enumerate(steps, start=1)]


def _name(idea: Idea) -> str:
    return decapitalise(idea.name)


def _motivation(evidence: Evidence, idea: Idea) -> list[str]:
    trouble = evidence.by("problem", "limitation", negative=True) or evidence.by(
        "problem", "limitation"
    )
    lines = problem_of(evidence.lens.direction)
    for claim_id, option in (trouble or evidence.by("finding", "mechanism", "other"))[:2]:
        lines.append(f"{option.claim.rstrip('.')} [{claim_id}].")
    if evidence.pairs:
        t = evidence.pairs[0]
        lines.append(
            f"Reports on {t.term} pull apart [{t.a}, {t.b}], and no source read says under which "
            "condition each holds."
        )
    lines.append(
        f"The parts of a remedy exist separately [{', '.join(idea.claims)}]; what is missing is "
        "their use for "
        f"{evidence.lens.asked} [{idea.id}]."
    )
    return lines


def _thesis(idea: Idea) -> str:
    return f"For {idea.goal}, {thesis(idea)} [{', '.join(idea.claims)}] [{idea.id}]."


def _method(evidence: Evidence, idea: Idea) -> list[str]:
    lines = [
        f"The selected candidate in full [{idea.id}]: {mechanism(idea, evidence.lens, full=True)}"
    ]
    for part in idea.parts:
        lines.append(
            f"What is taken from {part.page.cite} is {part.noun} [{part.claim}]; its inputs and "
            "outputs are recorded "
            "for every case."
        )
    if len(idea.parts) > 1:
        lines.append(
            "Every quantity that joins the two parts, a threshold or a number of rounds, is fixed "
            "on the part of the "
            "data kept apart and then left alone."
        )
    return lines


def _evaluation(evidence: Evidence, idea: Idea) -> list[str]:
    data = _found_data(evidence, idea)
    metric, where = _found_metric(evidence, idea)
    named = (
        f"{metric}, as reported in [{where}]" if where else "share of cases with the right outcome"
    )
    cites = ", ".join(idea.claims)
    shared = evidence.lens.phrases[1].text if len(evidence.lens.phrases) > 1 else idea.goal
    data_line = (
        f"{data}, and cases of {shared} collected for the purpose"
        if data
        else (
            f"material of the kind used in the sources [{cites}], and cases of {shared} collected "
            "for the purpose"
        )
    )
    return [
        f"- data: {data_line}",
        f"- metric: {named}; cost in model calls a case",
        "- baseline: the better of the single parts under equal cost, "
        f"{' and '.join(p.term for p in idea.parts)} [{cites}]",
        "- decision rule: supported if the combination beats that baseline on at least two of "
        "three collections and the "
        "bootstrap interval of the difference excludes zero; rejected if it does so on none; else "
        "inconclusive",
        f"For {evidence.lens.asked}, one part at a time is switched off, and the link between the "
        "parts is shuffled among cases: if the gain survives the shuffle, the mechanism "
        f"of [{idea.id}] is not what helps.",
    ]


def _found_data(evidence: Evidence, idea: Idea) -> str:
    count: Counter[str] = Counter()
    source: dict[str, str] = {}
    for claim_id, option in evidence.claims:
        text = option.sentence.text
        if _DATA_CUE.search(text):
            for name in _DATA.findall(text):
                if len(name) > 3 and not name.startswith(("In ", "The ", "Our ")):
                    count[name] += 1
                    source.setdefault(name, claim_id)
    names = [n for n, _ in count.most_common(2)]
    return " and ".join(f"{n} [{source[n]}]" for n in names)


def _found_metric(evidence: Evidence, idea: Idea) -> tuple[str, str]:
    for claim_id, option in sorted(evidence.claims, key=lambda p: p[0] not in idea.claims):
        match = _METRIC.search(option.sentence.text)
        if match:
            return match.group(1), claim_id
    return "", ""


def _baselines(idea: Idea, asked: str) -> list[str]:
    out = [f"{asked} handled directly, without any part of [{idea.id}]"]
    for part in idea.parts:
        out.append(f"{part.term} alone, after {part.page.cite} [{part.claim}]")
    if len(idea.parts) > 1:
        out.append("both parts with the link between them replaced by chance, at the same cost")
    return out


def _novelty(evidence: Evidence, idea: Idea, rejected: list[str]) -> list[str]:
    parts: tuple[Part, ...] = idea.parts
    lines = []
    for part in parts:
        lines.append(f"{part.term[:1].upper()}{part.term[1:]} is known [{part.claim}].")
    if len(parts) > 1:
        lines.append(
            f"For {evidence.lens.asked} none of the pages read joins the two as [{idea.id}] does."
        )
    else:
        lines.append(f"Among the pages read none uses it for {evidence.lens.asked} [{idea.id}].")
    if idea.neighbour:
        lines.append(f"The nearest other source is {idea.neighbour}.")
    if rejected:
        lines.append(f"The alternatives were weighed and dropped [{', '.join(rejected)}].")
    return lines
