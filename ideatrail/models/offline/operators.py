"""Ways of combining two parts into a method: what each computes, suits, claims and risks.

These are the common designs of the field, told without any paper's names. What fills them was read.
Templates hold `{a}` and `{b}`, the parts with their sources, `{ta}` and `{tb}`, their short names,
and `{goal}`, the phrase that stands for the question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ideatrail.trail.text import stem, words

Operator = Literal[
    "gate", "check", "contrast", "feed", "select", "split", "filter", "adapt", "transfer"
]


@dataclass(frozen=True)
class Design:
    """A way of combining."""

    suits: str
    """Words of a question to which it is an answer."""
    name: str
    computed: str
    out: str
    why: str
    gist: str
    thesis: str
    risk: str

    @property
    def cues(self) -> frozenset[str]:
        """Stems of `suits`."""
        return frozenset(stem(w) for w in words(self.suits))


DESIGNS: Final[dict[Operator, Design]] = {
    "gate": Design(
        suits="withhold abstain when which where allocate adaptive adapt effort computation "
        "inference computational resources cost confidence uncertainty uncertain decoding easy "
        "efficient budget",
        name="{tb} gated by {ta}",
        computed="for each case, or each step of it, the model first gives an output and an "
        "estimate of its own uncertainty, obtained by {a}. Where confidence falls below a "
        "threshold that was chosen on data kept apart, the model intervenes with {b}; where it is "
        "high the first output stands, so that computation is allocated by difficulty",
        out="one output a case and the confidence that decided about it",
        why="Effort goes where it is needed, and the estimate can be checked by itself.",
        gist="{ta} decides in which cases {tb} is worth its price",
        thesis="{ta} tells beforehand where the first output will fail, so spending {tb} there and "
        "only there pays",
        risk="the value may not separate the cases that need the second stage from those that do "
        "not",
    ),
    "check": Design(
        suits="check mend correct correction self-correction reliable factual factually wrong "
        "incorrect hallucination hallucinations error errors verify true consistent consistency "
        "improve quality output refine revise mistakes trust trustworthy",
        name="{ta} checked by {tb} in rounds",
        computed="the model generates a first output with {a}. Each part of it is then examined "
        "separately by {b}; what is inconsistent is given back as feedback, and the model revises "
        "its output, again until nothing changes or a fixed number of iterations is spent",
        out="the revised output and the list of parts that were changed",
        why="An error is easier to find in a finished part than to avoid while writing it.",
        gist="{ta} proposes, {tb} objects, and the objection goes back in",
        thesis="what {ta} gets wrong is easier to recognise by {tb} afterwards than to avoid at "
        "the first attempt",
        risk="the examiner may share the blind spots of what it examines, and rounds may undo "
        "right parts",
    ),
    "contrast": Design(
        suits="disagree disagreement mismatch consistent consistency certainty uncertainty "
        "calibration calibrated confidence differ judge judges withhold abstain abstention agree",
        name="disagreement between {ta} and {tb} as a signal",
        computed="for each case two readings are taken, one by {a}, the other by {b}, neither "
        "seeing the other. The mismatch between them is measured and serves as a score: small "
        "where they agree, large where they contradict each other. The score is calibrated on "
        "data kept apart",
        out="a calibrated score a case, by which cases are ranked",
        why="Agreement of two readings is evidence, and their disagreement a warning.",
        gist="{ta} and {tb} are set against each other and their difference is what counts",
        thesis="{ta} and {tb} fail on different cases, so their difference marks the cases in "
        "which neither should be believed",
        risk="both readings may fail on the same cases, and then their difference says nothing",
    ),
    "feed": Design(
        suits="guidance exemplar exemplars examples example labeled labelled demonstrations "
        "knowledge facts grounded grounding pre-training "
        "few-shot chain-of-thought",
        name="{ta} as input to {tb}",
        computed="for each case the model first generates what it lacks, by means of {a}. What is "
        "generated is placed in the context, and with this guidance the model solves the original "
        "case by {b}",
        out="the solution, with the generated guidance kept beside it",
        why="What is missing is generated and can be read, and not left implicit.",
        gist="what {ta} yields becomes input to {tb}",
        thesis="the model holds what it needs but does not use it unasked, and {ta} brings it into "
        "the context where {tb} can use it",
        risk="errors of the first stage go straight into the second",
    ),
    "select": Design(
        suits="irrelevant relevant context concentrate distract distractor swayed attention "
        "opinion opinions sensitive private privacy personal information "
        "reveal filter noise vocabulary mistakes",
        name="{tb} restricted to what {ta} keeps",
        computed="in a first step the model identifies which parts of the context matter and "
        "which do not, by means of {a}, and the rest is removed. In a second step the answer is "
        "generated from the filtered context alone, by {b}",
        out="an answer that depends on the kept part alone, and the kept part for inspection",
        why="What is not seen can neither mislead nor be repeated.",
        gist="{ta} removes what should not be seen before {tb} starts",
        thesis="the trouble comes from what is in the context and should not be, and {ta} removes "
        "it before {tb} can be swayed",
        risk="what is cut away may have been needed",
    ),
    "split": Design(
        suits="steps step multi-step complex planning plan plans reasoning compositional "
        "hierarchical subtasks levels",
        name="{tb} applied to the parts that {ta} yields",
        computed="by {a} the model derives a plan or a sequence of smaller questions from the "
        "problem. Each of them is solved by {b} with the earlier results in its context, and the "
        "partial results are put together into the final answer",
        out="the final answer with its plan and its steps visible",
        why="Small parts can be checked one by one, and the level above keeps them together.",
        gist="{ta} takes the case apart so that {tb} meets smaller pieces",
        thesis="the whole is hard because its parts are met all at once, and {ta} makes them small "
        "enough for {tb}",
        risk="an error in taking the case apart cannot be mended later",
    ),
    "filter": Design(
        suits="data synthetic labels scarce low-resource noisy annotate fine-tune finetuning "
        "curation corpus training quality multi-modal augmentation",
        name="{tb} learned from cases that {ta} admits",
        computed="candidate data are collected or generated, and {a} scores each of them; only "
        "cases that are consistent and of high quality are kept. The model is fine-tuned on the "
        "kept data by {b}, and the filter is applied again with the better model",
        out="a fine-tuned model and the share of data kept",
        why="Fewer and cleaner data teach more than many doubtful ones.",
        gist="{ta} decides what {tb} may learn from",
        thesis="what {ta} admits is clean enough to learn from, and {tb} profits more from clean "
        "cases than from many",
        risk="the kept cases may be the easy ones",
    ),
    "adapt": Design(
        suits="personal personalized individual developer developers user users preferences human "
        "feedback interaction evolving alignment interactive "
        "dynamic dynamically style styles people",
        name="{tb} adapted through {ta}",
        computed="a representation of the person is kept and updated after each interaction: "
        "feedback is turned into an update by {a}, and the next output is generated by {b}, "
        "conditioned on that representation",
        out="outputs that follow the person, and a representation that can be inspected",
        why="A loop of feedback can follow a preference that changes, a fixed training set cannot.",
        gist="{ta} follows the person so that {tb} can adapt",
        thesis="preferences show in feedback, and {ta} makes them available to {tb} while they "
        "change",
        risk="the model may chase noise in the feedback and narrow what people see",
    ),
    "transfer": Design(
        suits="",
        name="{ta} carried over to {goal}",
        computed="the step is {a}, changed only in that its cases are those of {goal}",
        out="the output of that step, for cases it was not made for",
        why="It shows how much of the step is tied to its first purpose.",
        gist="{ta} is moved to {goal} and little else changes",
        thesis="the step behind {ta} does not depend on the purpose it was made for",
        risk="the step may depend on properties of its first use",
    ),
}

_NO_TRAINING: Final = frozenset(stem(w) for w in ("training", "trained", "finetuning", "costly"))


def suitability(operator: Operator, direction: str) -> float:
    """How far a design answers what `direction` asks, 0 to 1 by the words they share."""
    asked = {stem(w) for w in words(direction)}
    design = DESIGNS[operator]
    worth = min(1.0, 0.22 * len(asked & design.cues))
    if operator == "filter" and asked & _NO_TRAINING and "without" in words(direction):
        worth -= 0.5
    return round(worth, 6)
