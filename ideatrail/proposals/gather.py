"""Walks a proposal's sections and hands every block and sentence to the part it belongs to."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final, Literal

from ideatrail.proposals.blocks import Block, blocks
from ideatrail.proposals.items import inline_items, sentence_list
from ideatrail.proposals.labels import Role, is_counted, roles_of
from ideatrail.proposals.lists import baselines_of, listed, risks_of
from ideatrail.proposals.sections import Section
from ideatrail.proposals.source import Proposal
from ideatrail.proposals.spans import Span, distinct
from ideatrail.trail.cues import Cue, cues

Part = Role | Literal["problem_method", "plan_method", "plan_evaluation", "other"]

# Roles that a whole stretch of text keeps, whatever its subsections are called.
_HARD: Final = frozenset({"examples", "admin", "references", "timeline"})
# Roles that do not reach down to subsections of another name.
_OWN_ONLY: Final = frozenset({"title", "thesis", "question", "decision_rule", "novelty"})
# Their blocks belong to the part as they stand; the others are judged sentence by sentence.
_WHOLE: Final = frozenset(
    {
        "method",
        "steps",
        "evaluation",
        "datasets",
        "metrics",
        "models",
        "baselines",
        "contribution",
        "outcome",
        "fallback",
        "decision_rule",
        "novelty",
        "thesis",
        "question",
        "risks",
    }
)
_EVALUATION: Final = frozenset({"evaluation", "datasets", "metrics", "models", "baselines"})
_TOLD: Final[dict[Cue, str]] = {
    "decision": "decision_rule",
    "novelty": "novelty",
    "thesis": "thesis",
    "risk": "risks",
    "promise": "promise",
    "tested": "tested",
    "goal": "goal",
    "method": "method",
    "evaluation": "evaluation",
    "question": "question",
}


# Lines about the document, and what a chat model says before it begins.
_ABOUT: Final = re.compile(
    r"(?:(?:date|status|version|draft of|author|last (?:touched|updated)|note"
    r"|example #\d+)\b.{0,120}"
    r"|(?:okay|sure|certainly|here(?:'s| is)).{0,160}(?:proposal|plan|idea)\b.{0,120})$",
    re.IGNORECASE,
)


# A step of a plan that tests something, by its own label.
_TESTS: Final = re.compile(
    r"\b(?:measur|evaluat|compar|analy[sz]|assess|test the|check for correct)", re.IGNORECASE
)


@dataclass
class Gathered:
    """Spans by part. `of` gives what stood under a label, `cued` what wording alone told."""

    labelled: dict[str, list[Span]] = field(default_factory=lambda: defaultdict(list))
    wording: dict[str, list[Span]] = field(default_factory=lambda: defaultdict(list))
    blocks: dict[str, list[Block]] = field(default_factory=lambda: defaultdict(list))
    steps: list[str] = field(default_factory=list)
    baselines: list[str] = field(default_factory=list)
    risks: list[str] = field(default_factory=list)
    datasets: list[str] = field(default_factory=list)
    metrics: list[str] = field(default_factory=list)
    own_sentences: list[str] = field(default_factory=list)
    """Sentences of the proposal's own account, without related work, teams and examples."""

    def of(self, part: str) -> list[Span]:
        """What stood under a label for `part`, in order of place."""
        return distinct(self.labelled.get(part, []))

    def cued(self, part: str) -> list[Span]:
        """What the wording of single sentences gives to `part`, in order of place."""
        return distinct(self.wording.get(part, []))


def gather(proposal: Proposal) -> Gathered:
    """Everything that the seed is made of."""
    walk = _Walk(proposal)
    for section in proposal.sections:
        walk.section(section)
    return walk.finish()


class _Walk:
    def __init__(self, proposal: Proposal) -> None:
        self.out = Gathered()
        self.title = proposal.title
        self.block = 0
        self.roles = {id(s): self._roles(s) for s in proposal.sections}
        self.has_method = any(
            "method" in self.roles[id(s)] and s.body.strip() for s in proposal.sections
        )

    def _roles(self, section: Section) -> tuple[Role, ...]:
        """The section's own roles, or those of the nearest enclosing section that has any."""
        inherited: tuple[Role, ...] = ()
        for label in section.path:
            if self._is_title(label):
                continue
            own = roles_of(label, loose=True)
            if own and own[0] in _HARD:
                return own
            if own:
                inherited = () if own[0] in _OWN_ONLY else own
        own = (
            ()
            if self._is_title(section.label)
            else roles_of(section.label, loose=not section.run_in)
        )
        if own == ("title",):
            return own
        if inherited[:1] == ("plan",) and own[:1] == ("models",):
            return own
        if own[:1] in (("mixed",), ("motivation",)) and inherited[:1] in (
            ("method",),
            ("evaluation",),
        ):
            return inherited  # `2.1 Overview` of a method
        return own or inherited

    def _is_title(self, label: str) -> bool:
        return bool(self.title) and self.title in (label, re.sub(r"^[^:]*:\s*", "", label))

    def section(self, section: Section) -> None:
        roles = self.roles[id(section)]
        role: Role | None = roles[0] if roles else None
        found = blocks(section.body)
        if role == "title":
            # What follows the title's own line is text like any other.
            found, role, roles = found[1:], None, ()
        if is_counted(section.label) and role not in _HARD:
            self._step(section, found)
        for block in found:
            self.block += 1
            if block.kind != "code":
                self._block(block, role, roles, section)

    def _step(self, section: Section, found: tuple[Block, ...]) -> None:
        body = "\n".join(b.text for b in found if b.kind != "code")
        label = re.sub(r"\s+", " ", section.label)
        self.out.steps.append(f"{label}\n{body}".strip())

    def _block(
        self, block: Block, role: Role | None, roles: tuple[Role, ...], section: Section
    ) -> None:
        if role in ("admin", "references") or _ABOUT.match(block.text):
            return
        if role in ("examples", "timeline"):
            self._whole(block, "other")
            return
        if (
            self.title
            and block.text.startswith(self.title)
            and len(block.text) < len(self.title) + 60
        ):
            return
        texts = sentence_list(block.text) if block.kind in ("paragraph", "item") else [block.text]
        spans = [Span(self.block, i, text, block.kind == "item") for i, text in enumerate(texts)]
        if role == "related":
            self._cued(spans, only=("novelty",))
            return
        self.out.own_sentences.extend(texts)
        for part in roles:
            self.out.blocks[part].append(block)
        if role in _WHOLE and len(roles) == 1:
            self._take(role, spans, block)
        elif role == "plan":
            self._plan(spans, section, Span(self.block, 0, block.text, block.kind == "item"))
        elif role in ("problem", "objective"):
            self._problem(role, spans, roles)
        elif len(roles) > 1 and role in _WHOLE:
            self._shared(roles, spans, block)
        else:
            self._prose(spans, role, block)

    def _take(self, role: Role, spans: list[Span], block: Block) -> None:
        """A block under a label that says plainly what it is."""
        if role == "models":
            role = "evaluation"
        whole = (
            spans if role == "question" else [Span(self.block, 0, block.text, block.kind == "item")]
        )
        self.out.labelled[role].extend(whole)
        if role in _EVALUATION and role != "evaluation":
            self.out.labelled["evaluation"].extend(whole)
        if role in _EVALUATION:
            self._inline(role, spans)
        if role in ("method", "steps") and (block.kind == "item" or inline_items(block.text)):
            self.out.steps.extend(inline_items(block.text) or [block.text])
        if role not in ("novelty", "decision_rule", "risks", "fallback", "thesis", "question"):
            kept: tuple[Cue, ...] = (
                ("novelty",) if role in ("method", "steps") else ("decision", "novelty")
            )
            self._cued(spans, only=kept if role == "contribution" else (*kept, "risk"))
        if role in ("contribution", "outcome"):
            self._cued(spans, only=("thesis", "promise"))

    def _shared(self, roles: tuple[Role, ...], spans: list[Span], block: Block) -> None:
        """A label for two things, such as `Expected Results and Hypotheses`."""
        if all(role in _EVALUATION for role in roles):
            for role in roles:
                self._take(role, spans, block)
            return
        others = {r for r in roles[1:] if r in _WHOLE}
        for span in spans:
            told = {_TOLD[cue] for cue in cues(span.text)}
            takers = [r for r in roles if r in told] or [roles[0]]
            for taker in takers:
                self.out.labelled[taker].append(span)
            if others & _EVALUATION and told & {"evaluation"}:
                self.out.labelled["evaluation"].append(span)
        self._cued(spans, only=("decision", "novelty", "risk"))

    def _inline(self, role: Role, spans: list[Span]) -> None:
        """Labels inside a paragraph of the evaluation: `Data: … Metric: … Decision rule, …: …`."""
        here: Role | None = None
        for span in spans:
            match = re.match(r"([A-Z][^:.]{2,40}):\s", span.text)
            found = roles_of(match.group(1)) if match else ()
            if found and found[0] in (
                "datasets",
                "metrics",
                "decision_rule",
                "baselines",
                "models",
            ):
                here = found[0]
            elif match:
                here = None  # a label of another thing ends the last one
            if here is None or here == role:
                continue
            self.out.labelled[here].append(span)
            self.out.blocks[here].append(Block("paragraph", span.text))

    def _plan(self, spans: list[Span], section: Section, whole: Span) -> None:
        """An experiment plan: evaluation where a method stands elsewhere, else both."""
        if self.has_method:
            self.out.labelled["evaluation"].append(whole)
            self._cued(spans, only=("decision", "risk"))
            return
        if is_counted(section.label) and _TESTS.search(section.label):
            self.out.labelled["plan_evaluation"].append(whole)
            return
        here = "plan_method"
        for span in spans:
            told = cues(span.text)
            if told & {"thesis", "promise"} and "method" not in told and "evaluation" not in told:
                self.out.wording["thesis" if "thesis" in told else "promise"].append(span)
                continue
            if told & {"evaluation", "tested"} and not (
                "method" in told and not _starts_evaluating(span.text)
            ):
                here = "plan_evaluation"
            elif "method" in told:
                here = "plan_method"
            self.out.labelled[here].append(span)
        self._cued(spans, only=("decision", "risk", "thesis"))

    def _problem(self, role: Role, spans: list[Span], roles: tuple[Role, ...]) -> None:
        """A problem or objective; sentences about the method, the thesis or tests go there."""
        for span in spans:
            told = cues(span.text)
            if (
                role == "problem"
                and "method" in told
                and not told & {"question"}
                and not _asks(span.text)
            ):
                self.out.labelled["problem_method"].append(span)
                self.out.wording["method"].append(span)
            elif "decision" in told:
                self.out.wording["decision_rule"].append(span)
                self.out.wording["evaluation"].append(span)
            elif "thesis" in told and role == "problem" and "goal" not in told:
                self.out.wording["thesis"].append(span)
                if "motivation" not in roles:
                    self.out.labelled[role].append(span)
            else:
                self.out.labelled[role].append(span)
                if "motivation" in roles:
                    self.out.labelled["motivation"].append(span)
            if role == "objective" and "method" in told:
                self.out.wording["method"].append(span)
        self._cued(spans, only=("novelty", "risk", "thesis", "promise"))

    def _prose(self, spans: list[Span], role: Role | None, block: Block) -> None:
        """Introductions, motivations, unlabelled text: each sentence by its wording."""
        last = ""
        for span in spans:
            told = cues(span.text)
            self._cued([span])
            if told & {"question", "goal"}:
                last = "goal"
            elif "method" in told:
                last = "method"
            elif told & {"evaluation", "tested"}:
                if last == "evaluation" and "evaluation" not in told:
                    self.out.wording["evaluation"].append(span)
                last = "evaluation" if "evaluation" in told else last
            elif not told and last in ("method", "evaluation") and role is None:
                # In text without labels a plain sentence goes on with what the last one began.
                self.out.wording[last].append(span)
                continue
            if role in ("motivation", "mixed") or (not told and not last):
                keep = role == "motivation" or not told & {
                    "method",
                    "goal",
                    "evaluation",
                    "question",
                }
                part = "motivation" if block.kind == "paragraph" or role else "other"
                self.out.labelled[part if keep else "other"].append(span)
            elif not told:
                self.out.labelled["other"].append(span)

    def _whole(self, block: Block, part: str) -> None:
        self.out.labelled[part].append(Span(self.block, 0, block.text))

    def _cued(self, spans: list[Span], only: tuple[Cue, ...] = ()) -> None:
        for span in spans:
            for cue in cues(span.text):
                if not only or cue in only:
                    self.out.wording[_TOLD[cue]].append(span)

    def finish(self) -> Gathered:
        out = self.out
        out.baselines = baselines_of(
            out.blocks["baselines"],
            [*out.of("evaluation"), *out.of("plan_evaluation"), *out.cued("evaluation")],
        )
        out.risks = risks_of(out.blocks["risks"], out.of("fallback"), out.cued("risks"))
        out.datasets = listed(out.blocks["datasets"])
        out.metrics = listed(out.blocks["metrics"])
        out.steps = list(dict.fromkeys(out.steps))
        return out


def _asks(text: str) -> bool:
    return bool(re.search(r"\b(?:whether|how|why)\b", text)) and "goal" in cues(text)


def _starts_evaluating(text: str) -> bool:
    return bool(
        re.match(
            r"(?:Then |Next, |Finally, )?(?:Evaluate|Compare|Measure|Assess|Analy[sz]e|Test"
            r"|Report|Conduct)\b"
            r"|Use .{0,60}\b(?:metrics?|measures?)\b",
            text,
        )
    )
