"""Mechanisms that were read, as parts to build with: what kind of thing each does, and for whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ideatrail.models.offline.claims import Option
from ideatrail.models.offline.fragments import Fragment, fragments, head_term
from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory
from ideatrail.models.offline.observed import Page
from ideatrail.models.offline.phrases import key_phrases
from ideatrail.models.offline.reading import sentences_of
from ideatrail.trail.text import stem, words

Kind = Literal["signal", "act", "select", "split"]

_CUES: Final[dict[Kind, list[str]]] = {
    "split": (
        "decompose decomposition step steps stepwise subquestion subquestions subproblem "
        "hierarchical "
        "plan planning intermediate multi-step stages chain break abstraction principles"
    ).split(),
    "select": (
        "select selection retrieve retrieval retrieving filter filtering extract attention "
        "relevant "
        "choose pruning mask masking demonstrations exemplars examples demonstration irrelevant"
    ).split(),
    "signal": (
        "score scores scoring confidence uncertainty estimate estimating estimation detect "
        "detecting "
        "detection classifier classify rank ranking reranking predict prediction calibrate "
        "calibration "
        "measure metric evaluate entropy probability probabilities consistency agreement "
        "likelihood "
        "judge verify verification check checking assess detector disagreement variance critic "
        "feedback reward questions"
    ).split(),
    "act": (
        "generate generating generation revise revising edit editing correct correction rewrite "
        "rewriting prompt prompting train training augment augmentation translate adapt adaptation "
        "transfer align alignment sample sampling decode decoding refine refinement distill "
        "finetune fine-tuning pretrain synthesize paraphrase simulate projection"
    ).split(),
}
_STEMS: Final[dict[Kind, frozenset[str]]] = {
    kind: frozenset(stem(w) for cue in cues for w in words(cue)) for kind, cues in _CUES.items()
}


@dataclass(frozen=True)
class Part:
    """A mechanism of one page, ready to be put into a sentence."""

    fragment: Fragment
    term: str
    """Two or three words that name it."""
    page: Page
    url: str
    """Address by which the page was read."""
    claim: str
    """Id of the claim that stands for its page in the audit."""
    kind: Kind
    fit: float
    contested: bool

    @property
    def noun(self) -> str:
        """The part as a noun phrase or -ing phrase."""
        text = self.fragment.text
        return f"a step in which {text}" if self.fragment.kind == "clause" else text

    @property
    def sourced(self) -> str:
        """The part with where it was read, as a noun phrase."""
        cite, claim = self.page.cite, self.claim
        if self.fragment.kind == "clause":
            return f"the step of {cite} in which {self.fragment.text} [{claim}]"
        return f"{self.fragment.text} ({self.page.short}, {self.page.year}) [{claim}]"


def kind_of(text: str) -> Kind:
    """What a mechanism mostly does, by its words."""
    said = [stem(w) for w in words(text)]
    best: tuple[int, Kind] = (0, "act")
    for kind in ("split", "select", "signal", "act"):
        count = sum(s in _STEMS[kind] for s in said)
        if count > best[0]:
            best = (count, kind)
    return best[1]


def parts_of(
    memory: Memory, lens: Lens, claims: list[tuple[str, Option]], contested: set[str], before: int
) -> list[Part]:
    """One or two parts a page that has a claim, read before message `before`; best first."""
    out: list[Part] = []
    by_url: dict[str, list[str]] = {}
    for claim_id, option in claims:
        by_url.setdefault(option.url, []).append(claim_id)
    for url, ids in by_url.items():
        reading = memory.readings.get(url)
        if reading is None or reading.turn >= before:
            continue
        page_fit = lens.fit(" ".join([reading.page.title, *reading.page.lines]))
        found: list[Part] = []
        for sentence in sentences_of(reading.page.lines):
            for fragment in fragments(sentence):
                if "mechanism" not in sentence.roles:
                    continue
                term = head_term(fragment, lens.fit)
                if not term or len(fragment.text) < 18:
                    continue
                fit = lens.fit(fragment.text) + 0.5 * lens.fit(sentence.text) + 0.6 * page_fit
                if fragment.kind == "clause":
                    fit -= 0.05
                if len(fragment.text.split()) < 6:
                    fit -= 0.1
                found.append(
                    Part(
                        fragment,
                        term,
                        reading.page,
                        url,
                        ids[0],
                        kind_of(f"{fragment.text} {term}"),
                        round(fit, 6),
                        any(i in contested for i in ids),
                    )
                )
        found.sort(key=lambda p: (-p.fit, p.noun))
        kept: list[Part] = []
        for part in found:
            if all(
                part.kind != k.kind and part.fragment.sentence != k.fragment.sentence for k in kept
            ):
                kept.append(part)
            if len(kept) == 2:
                break
        out.extend(kept)
    if len(out) < 3:
        out += _bare(memory, claims, contested, before, {p.page.url for p in out})
    out.sort(key=lambda p: (-p.fit, p.claim, p.noun))
    close = [p for p in out if p.fit >= 0.45 * out[0].fit]
    return close if len(close) >= 5 else out[:5]


def _bare(
    memory: Memory,
    claims: list[tuple[str, Option]],
    contested: set[str],
    before: int,
    done: set[str],
) -> list[Part]:
    """Parts named after titles, for pages whose text names no mechanism."""
    out = []
    for claim_id, option in claims:
        reading = memory.readings.get(option.url)
        if reading is None:
            continue
        terms = key_phrases(reading.page.title, 3)
        if reading.turn < before and option.url not in done and terms:
            done.add(option.url)
            fragment = Fragment("the approach described there", "thing", option.sentence)
            term = max(terms, key=lambda t: len(t.stems)).text
            out.append(
                Part(
                    fragment,
                    term,
                    reading.page,
                    option.url,
                    claim_id,
                    kind_of(term),
                    0.0,
                    claim_id in contested,
                )
            )
    return out
