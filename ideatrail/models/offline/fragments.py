"""Pieces of mechanism sentences that fit into larger ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from ideatrail.models.offline.phrases import key_phrases, lowered
from ideatrail.models.offline.reading import OWN, Sentence
from ideatrail.models.offline.restate import DANGLING_END, decapitalise, plain, shorten
from ideatrail.models.offline.wordlists import is_field

_NAMED: Final = re.compile(
    r"\b(?:propos|present|introduc|develop|design|devis|describ|formulat|explor|us|employ|"
    r"leverag|adopt|build|train|creat)\w*\s+((?:a|an|the|two|three|several|new|novel|"
    r"simple)\s[^.;]+)",
    re.IGNORECASE,
)


_BY: Final = re.compile(
    r"\b(?:by|via|through) ((?:\w+ly )?[a-z][a-z-]+ing\s[^.;:]+)", re.IGNORECASE
)


@dataclass(frozen=True)
class Fragment:
    """A piece of a mechanism sentence, verbatim but for pronouns, fit for a larger sentence."""

    text: str
    kind: Literal["thing", "doing", "clause"]
    """`thing`: a noun phrase with its article; `doing`: a phrase that starts with an -ing verb;
    `clause`: a whole statement, to follow `a step in which`."""
    sentence: Sentence


def fragments(sentence: Sentence) -> list[Fragment]:
    """Noun phrases and -ing phrases that say what a method is or does."""
    out: list[Fragment] = []
    match = _NAMED.search(sentence.text)
    if match:
        text = _tidy(match.group(1))
        if len(text.split()) >= 3 and not _NO_MECHANISM.match(text):
            out.append(Fragment(text, "thing", sentence))
    for match in _BY.finditer(sentence.text):
        text = _tidy(match.group(1))
        if len(text.split()) >= 3 and not re.match(r"(?:using|being|having)\b", text):
            out.append(Fragment(text, "doing", sentence))
    kept = [f for f in out if not any(c in f.text for c in '"“”()[]%$') and _balanced(f.text)]
    if not kept and not OWN.search(sentence.text) and not sentence.dangling:
        body = shorten(plain(sentence.text), 190)
        if len(body) > 40 and not any(c in body for c in '"“”()[]%$?:'):
            body = re.sub(r"\b(?:here|then|thereby|therefore|thus|also) ", "", decapitalise(body))
            kept.append(Fragment(body, "clause", sentence))
    return kept


_NO_MECHANISM: Final = re.compile(
    r"^(?:a|an|the|two|three|several|novel|new|simple)\s(?:(?!of|for|that|which|to|with|in|on|"
    r"by)[\w-]+\s){0,5}?(?:tasks?|limits?|problems?|questions?|extent|effects?|impact|"
    r"use|possibility|roles?|issues?|challenges?|study|analysis|datasets?|corpus|corpora|"
    r"benchmarks?|"
    r"results?|experiments?|evaluation|relationship|performance|state of|following|importance|need|"
    r"collection|survey|overview|literature|thorough|comprehensive|detailed|extent|resource|"
    r"first|same|"
    r"help of|case|test set|baselines?|ability|set of experiments|number|idea|potential)\b",
    re.IGNORECASE,
)
"""Noun phrases that name a matter or a resource and not a way of doing something."""


def _balanced(text: str) -> bool:
    return not re.search(
        r"\b(?:we|We|and|or|of|the|a|to|with|in|for|that|which|is|by|on|as)$", text
    )


def _tidy(text: str) -> str:
    text = text.strip()
    whole = text
    text = re.split(
        r",? (?:which|where|and (?:show|demonstrate|find|evaluate|achieve|then|we|outperform)|"
        r"to (?:show|"
        r"demonstrate)|called|dubbed|named|termed|namely)\b|, (?:and|achieving|outperforming|"
        r"leading|"
        r"resulting|making|we|they|it|thus|thereby)\b|: | \(",
        text,
    )[0]
    if whole[len(text) :].startswith(", and") and ", " in text and " and " not in text:
        # The last member of an enumeration was cut off: the one before it closes the list.
        text = " and ".join(text.rsplit(", ", 1))
    parts = text.split()
    if len(parts) > 26:
        text = " ".join(parts[:26])
        cut = max(text.rfind(", "), text.rfind(" that "), text.rfind(" to "), text.rfind(" by "))
        text = text[:cut] if cut > 40 else ""
    text = DANGLING_END.sub("", text)
    text = re.sub(r"\bour\b", "the", text)
    text = re.sub(r"\b(?:novel|new) ", "", text)
    text = re.sub(r"^a (?=[aeio])", "an ", text)
    text = re.sub(r"^an (?=[bcdfgjklmnpqrstvwyz])", "a ", text)
    return text.strip(" ,;:")


_DROP_HEAD: Final = re.compile(
    r"^(?:a|an|the|two|three|several|novel|new|simple)\s+", re.IGNORECASE
)


def head_term(fragment: Fragment, worth: Callable[[str], float]) -> str:
    """A short noun phrase (two or three words if it can be) that names the fragment."""
    body = _DROP_HEAD.sub("", fragment.text)
    options = [
        p
        for p in key_phrases(body, 3)
        if not all(is_field(s) for s in p.stems)
        and len(p.text) <= 40
        and not any(c.isdigit() for c in p.text)
        and not p.text.lower().endswith(("ing", "ly"))
    ]
    scored = [
        (worth(p.text) + (0.5 if len(p.stems) > 1 else 0.0) + 0.4 / (1 + at), -at, p)
        for at, p in enumerate(options)
    ]
    return lowered(max(scored, key=lambda item: item[:2])[2].text) if scored else ""
