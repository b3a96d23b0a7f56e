"""The offline drafter: a paper's sentences sorted by what they do, its results turned to hopes.

It writes nothing that does not stand in the paper: sentences are taken whole, but for what tells an
outcome.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from pydantic import Field

from ideatrail.trail.answers import StructuredAnswer
from ideatrail.trail.cues import cues
from ideatrail.trail.text import sentences

if TYPE_CHECKING:
    from ideatrail.models.offline.advisor.material import Material

_PARTS: Final = 3
"""Paragraphs of a summary of our own bibliography."""
_MOST: Final = 6
"""Sentences of a field taken from a long paper."""
_PROBLEM: Final = re.compile(
    r"\b(?:however|but|yet|although|despite|while|challeng\w+|problem\w*|difficult\w*|lack\w*"
    r"|limit\w+"
    r"|fail\w*|suffer\w*|struggle\w*|remain\w*|unclear|unknown|underexplored|costly|expensive"
    r"|scarce"
    r"|gap|open question|little (?:is known|attention|work)|cannot|unable|ignore\w*|overlook\w*"
    r"|neglect\w*|hinder\w*|bottleneck|crucial|important|need\w*)\b",
    re.IGNORECASE,
)
_OUTCOME: Final = re.compile(
    r"^.{0,90}?\b(?:results?|experiments?|evaluations?|analys[ei]s|study|findings?|we"
    r"|our (?:method|model"
    r"|approach|framework|system)|it)\b.{0,60}?\b(?:show|shows|showed|demonstrate\w*|find"
    r"|finds|found"
    r"|reveal\w*|indicate\w*|suggest\w*|confirm\w*|observe\w*|conclude\w*|verif(?:y|ies|ied))"
    r"(?:,? [^,]{3,60},)? that ",
    re.IGNORECASE | re.DOTALL,
)
_DONE: Final = re.compile(
    r"\b(?:outperform\w*|achiev\w+|surpass\w*|improv\w+ (?:upon|over|by)|state[- ]of[- ]the[- ]art"
    r"|(?:results?|experiments?|evaluations?|findings?) (?:show|demonstrate|indicate|suggest|reveal"
    r"|confirm)\w*|significant(?:ly)? (?:better|improv\w+|outperform\w*)|we (?:find|found"
    r"|observe\w*"
    r"|show|showed|demonstrate\w*)|yield\w*|reach\w*|obtain\w*|won|ranked|effectiveness of)\b",
    re.IGNORECASE,
)
_FIGURE: Final = re.compile(
    r",?\s*(?:\(?(?:by|of|with|from|to|up to|at least|over|about|around|an? (?:average|absolute"
    r"|relative)[\w ]* of)?\s*)[-+]?\d+(?:\.\d+)?\s?(?:%|points?|x\b|times|BLEU|ROUGE\S*|F1"
    r"|pp\b|fold)"
    r"[^,.;]{0,40}?(?=[,.;)]|$)\)?"
)
_RELEASE: Final = re.compile(
    r"\b(?:code|data|models?|dataset|corpus|resources?) (?:is|are|will be|have been) (?:made )?"
    r"(?:publicly |freely )?(?:available|released)|\bhttps?://|\bgithub\b",
    re.IGNORECASE,
)
_FOR: Final = re.compile(
    r"\b(for|to) ((?:the |a |an )?[a-z][\w -]{8,100}?)"
    r"(?=[,.;:()]| (?:by|using|with|that|which|via|through|based|in which|where|and)\b|$)"
)
_PASSIVE: Final = re.compile(
    r"\b(?:is|are|was|were|be|been) (?:\w+ly )?(?:proposed|presented|introduced|developed"
    r"|implemented"
    r"|designed|built|described|employed)\b|\b(?:[Ii]n|[Tt]his) (?:this )?(?:paper|work|study)\b"
)
_BASELINE: Final = re.compile(
    r"\b(?:baselines?|compared? (?:to|with|against)|comparison (?:to|with)|outperform\w*|over"
    r"|than) "
    r"((?:strong |existing |previous |several |state-of-the-art |competitive |other |current )*"
    r"[\w -]{4,60}?(?:baselines?|models?|methods?|approaches|systems?))\b",
    re.IGNORECASE,
)
_TESTED: Final = re.compile(
    r"\b(?:datasets?|benchmarks?|corpus|corpora|tasks?|experiments?|evaluat\w+|human (?:evaluation"
    r"|judg\w+|annotat\w+)|test sets?|metrics?)\b",
    re.IGNORECASE,
)


class DraftAnswer(StructuredAnswer):
    """draft: a proposal as it could have stood before the paper. Empty: the paper does not say."""

    question: str = ""
    motivation: str = ""
    thesis: str = ""
    method: str = ""
    evaluation: str = ""
    baselines: list[str] = Field(default_factory=list)
    risks: list[str] = Field(default_factory=list)
    novelty: str = ""


def draft(material: Material) -> DraftAnswer:
    """Sort the sentences of `<paper>`: title, and text as a list of paragraphs."""
    paper = material.data("paper")
    given: dict[str, Any] = paper if isinstance(paper, dict) else {}
    text = given.get("text")
    paragraphs = [str(p) for p in text] if isinstance(text, list) else [str(text or "")]
    if given.get("kind") == "summary" and len(paragraphs) >= _PARTS:
        return _from_summary(paragraphs)
    said = [s for p in paragraphs for s in sentences(p) if not _RELEASE.search(s)]
    method: list[str] = []
    problem: list[str] = []
    tested: list[str] = []
    hopes: list[str] = []
    novel: list[str] = []
    for sentence in said:
        found = cues(sentence)
        outcome = _OUTCOME.match(sentence)
        if outcome or _DONE.search(sentence):
            hope = _hope(sentence, outcome)
            if hope:
                hopes.append(hope)
            if _TESTED.search(sentence):
                tested.append(_planned(sentence))
            continue
        if "novelty" in found:
            novel.append(sentence)
        if {"method", "goal"} & found or _PASSIVE.search(sentence):
            method.append(sentence)
        elif "evaluation" in found or ("tested" in found and method):
            tested.append(sentence)
        elif not method:
            problem.append(sentence)
        else:
            method.append(sentence)
    asked = [s for s in problem if _PROBLEM.search(s)] or problem[-1:]
    return DraftAnswer(
        question=_question(asked) or _purpose(method),
        motivation=" ".join(problem[:_MOST]),
        thesis=" ".join(hopes[:2]),
        method=" ".join(method[:_MOST]),
        evaluation=" ".join(s for s in dict.fromkeys(tested[:_MOST]) if s),
        baselines=_baselines(said),
        novelty=" ".join(novel[:2]),
    )


def _from_summary(paragraphs: list[str]) -> DraftAnswer:
    """Of an account in three parts: what was done, what came of it, what it leaves open."""
    done = [s for s in sentences(paragraphs[0]) if not _RELEASE.search(s)]
    came = [_FIGURE.sub("", s).strip() for s in sentences(paragraphs[1])]
    asked = next((s for s in done if s.endswith("?")), "")
    rest = [s for s in done if s != asked]
    if not asked and rest:
        head, *rest = rest
        asked = f"{head} How well does that work, and what does it depend on?"
    tested = [s for s in rest if _TESTED.search(s)]
    hope = next((s.rstrip(".") for s in came if len(s.split()) >= 6), "")
    return DraftAnswer(
        question=asked,
        thesis=f"We expect that {hope[:1].lower()}{hope[1:]}." if hope else "",
        method=" ".join(rest[:_MOST]),
        evaluation=" ".join(tested[:3]),
        risks=[s for s in sentences(paragraphs[2])[:3] if len(s.split()) >= 5],
    )


def _question(problem: list[str]) -> str:
    """The last problem told before the method, asked."""
    if not problem:
        return ""
    last = re.sub(r"^(?:However|But|Yet|Moreover|Furthermore|In addition),?\s+", "", problem[-1])
    return f"{last[:1].upper()}{last[1:]} How can this be addressed?"


def _purpose(method: list[str]) -> str:
    """Where no problem is told: what the work is for, asked."""
    for sentence in method:
        match = _FOR.search(sentence)
        if match and len(match.group(2).split()) >= 2:
            thing = match.group(2).strip()
            if match.group(1) == "to":
                return f"How can one {thing}, and what keeps earlier work from it?"
            return f"How can {thing} be done well, and what keeps earlier work from it?"
    return ""


def _hope(sentence: str, outcome: re.Match[str] | None) -> str:
    """An outcome as what is expected, without its figures; empty where only figures are left."""
    rest = sentence[outcome.end() :] if outcome else sentence
    rest = re.sub(r"^(?:However|Moreover|Furthermore|Additionally|Also|Finally),?\s+", "", rest)
    rest = re.sub(r"^we (?:also )?show (?:that|how) ", "", rest, flags=re.IGNORECASE)
    rest = re.sub(r"\d+(?:\.\d+)?\s?% (?=more|fewer|less|higher|lower|better)", "", rest)
    rest = _FIGURE.sub("", rest).strip(" ,;")
    if len(rest.split()) < 6 or (not outcome and not re.search(r"\b(?:improv|reduc|help)", rest)):
        return ""
    rest = rest.rstrip(".")
    return f"We expect that {rest[:1].lower() if not rest[:2].isupper() else rest[:1]}{rest[1:]}."


def _planned(sentence: str) -> str:
    """Where an outcome was had, as where it will be looked for."""
    match = re.search(
        r"\b(?:on|across|over|in) ((?:the |a |two |three |four |five |six |several |multiple "
        r"|various"
        r"|\d+ )?[\w\s/,()-]{3,90}?(?:datasets?|benchmarks?|tasks?|corpora|corpus|languages|domains"
        r"|settings?|test sets?))\b",
        sentence,
    )
    return f"The method is to be tested on {match.group(1).strip()}." if match else ""


def _baselines(said: list[str]) -> list[str]:
    found = [m.group(1).strip() for s in said for m in _BASELINE.finditer(s)]
    return [b for b in dict.fromkeys(found) if len(b.split()) > 1][:4]
