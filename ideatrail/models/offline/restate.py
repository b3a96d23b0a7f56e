"""Sentences of a page restated: in the third person, shortened, or quoted by a whole clause."""

from __future__ import annotations

import re
from typing import Final

from ideatrail.trail.text import STOPWORDS

CONNECTIVE: Final = re.compile(
    r"^(?:However|Moreover|Furthermore|In addition|Additionally|Finally|Specifically|To this end|"
    r"Therefore|Consequently|Thus|Hence|Notably|Importantly|Interestingly|Surprisingly|Overall|"
    r"In particular|Lastly|First|Second|Third|Firstly|Secondly|Thirdly|In summary|In this context|"
    r"As a result|Nevertheless|Nonetheless|Recently|Concretely|More specifically|Besides|Still|Yet|"
    r"Meanwhile|In contrast|Also|In general|To address this|To address these issues|"
    r"To tackle this|To solve this problem|To fill this gap|Crucially|Empirically|Inspired by this|"
    r"To address this issue|To address this problem|To address this gap|To bridge this gap),? +",
)


_LEAD: Final = re.compile(
    r"^(?:(?:the|our|their|these|extensive|comprehensive|empirical|experimental|experiment|"
    r"evaluation|"
    r"human|further|detailed|quantitative|qualitative|automatic|additional|and|both|main|overall|"
    r"preliminary|initial|thorough|ablation)\s+)*"
    r"(?:experiments?|results?|analys[ie]s|evaluations?|findings?|stud(?:y|ies)|evidence)\b"
    r"(?:[^,.;]{0,70}?)\b(?:shows?|showed|demonstrates?|demonstrated|suggests?|indicates?|reveals?|"
    r"revealed|confirms?|verify)\s+that\s+",
    re.IGNORECASE,
)


_SAY: Final = re.compile(
    r"^(?:in (?:this|our) (?:paper|work|study|article),? )?we (?:also |further |empirically |then |"
    r"additionally |experimentally |thus |finally |first )?"
    r"(?:show|find|found|demonstrate|observe|discover|reveal|conclude|note|report|"
    r"confirm)(?:ed)? that ",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """The sentence without its leading connective and final stop."""
    return CONNECTIVE.sub("", text.strip()).rstrip(".").strip()


def decapitalise(text: str) -> str:
    """First letter made small where the first word is an ordinary one."""
    if _NAMES.match(text):
        return text
    head = re.match(r"[A-Za-z]+(?:-[A-Za-z]+)*", text)
    if not head or (not head.group(0)[1:].islower() and len(head.group(0)) > 1):
        return text
    if head.group(0).lower() not in STOPWORDS and (
        re.match(r"(?:[A-Z][a-z]+ ){2,}", text) or head.group(0) in _PROPER
    ):
        return text
    return text[0].lower() + text[1:]


_PROPER: Final = frozenset(
    """
    English Chinese German French Spanish Arabic Hindi Japanese Korean Russian Turkish African
    European Indian Bayesian Gaussian Markov Transformer Transformers Wikipedia Twitter Reddit
    Google Transformer-based Bert I Maltese Italian Portuguese Dutch Swedish Norwegian Danish
    Finnish Polish Czech Hungarian Greek Hebrew Persian Urdu Bengali Tamil Telugu Thai
    Vietnamese Indonesian Malay Swahili Yoruba Amharic Basque Catalan Icelandic Romanian
    Bulgarian Ukrainian Uyghur Kazakh Mongolian Tibetan Sanskrit Latin Semitic Slavic Romance
    Germanic Asian American British Mandarin Cantonese Quechua Uzbek Monte Markovian Dirichlet
    Boltzmann Zipf Wikidata Facebook YouTube Amazon Spider
    """.split()
)


_NAMES: Final = re.compile(
    r"^(?!In )(?:[\w'’-]+\.? ){1,4}(?:et al\.|\(\d{4}\))|^[A-Z][\w'’-]+ and (?:de |van |"
    r"von )?[A-Z][\w'’-]+ "
)
"""A citation stands at the head: names keep their letters."""


def capitalise(text: str) -> str:
    """First letter made large."""
    return text[:1].upper() + text[1:]


def third_person(text: str, who: str, single: bool) -> str:
    """`we` and `our` of the authors turned into `who` (first) and `they`/`their` (after)."""
    text = re.sub(r"^In (?:this|our) (?:paper|work|study|article),? (?=we\b|We\b)", "", text)
    match = re.match(r"^We (\w+ly |also |then |first |further )?([a-z]+)\b", text)
    if match:
        verb = match.group(2)
        if single:
            verb = _conjugate(verb)
        text = f"{who} {match.group(1) or ''}{verb}{text[match.end() :]}"
    text = re.sub(
        r"^(?:In )?[Tt]his (?:paper|work|study|article)\b(?!,)", f"the paper by {who}", text
    )
    text = re.sub(r"^Our\b", "their", text)
    for pattern, word in (
        (r"\bwe\b", "they"),
        (r"\bWe\b", "they"),
        (r"\bour\b", "their"),
        (r"\bOur\b", "their"),
        (r"\bours\b", "theirs"),
        (r"(?<!\bU\.)\bus\b", "them"),
        (r"\bourselves\b", "themselves"),
    ):
        text = re.sub(pattern, word, text)
    return text


def _conjugate(verb: str) -> str:
    if verb.endswith("ed") or verb in (
        "can",
        "will",
        "found",
        "built",
        "may",
        "did",
        "have",
        "are",
    ):
        return {"have": "has", "are": "is"}.get(verb, verb)
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return verb + "es"
    return verb + "s"


def statement(text: str) -> tuple[str, bool]:
    """The sentence without `results show that` and its kin; True where such a lead was cut."""
    body = plain(text)
    for pattern in (_LEAD, _SAY):
        match = pattern.match(body)
        if match and len(body) - match.end() > 40:
            return plain(body[match.end() :]), True
    return body, False


_SUBORDINATE: Final = re.compile(
    r"^(?:(?:In|For) [^,]{3,60}, )?(?:since|while|although|though|when|because|as|despite|with|"
    r"in|by|to|for|"
    r"given|after|unlike|if|once|due to|using|based on|on|from|under|through|despite|whereas|"
    r"motivated|"
    r"inspired|compared)\b",
    re.IGNORECASE,
)


DANGLING_END: Final = re.compile(
    r"[,;:\s]+(?:and|or|of|the|a|an|to|with|in|for|that|which|is|are|by|on|as|such as|but|"
    r"not only|from|"
    r"at|both|their|its|i\.e\.|e\.g\.)$",
    re.IGNORECASE,
)


def shorten(text: str, most: int) -> str:
    """`text` cut before a trailing clause to at most `most` characters; "" if that cannot be.

    A clause that begins with a conjunction keeps its main clause, lists in figures are left alone.
    """
    if re.search(r"\(\d\)|\b[a-z]\) ", text):
        return ""
    if len(text) <= most:
        return DANGLING_END.sub("", text)
    cuts = [
        m.start()
        for m in re.finditer(
            r", (?:which|where|thus|making|thereby|and (?:we|they|it|that)|as well as|including|"
            r"such as|even|resulting|leading|allowing|enabling)\b|; ",
            text,
        )
        if 45 <= m.start() <= most
    ]
    if not cuts:
        return ""
    kept = text[: cuts[-1]]
    if _SUBORDINATE.match(text) and "," not in kept:
        return ""
    if "not only" in kept and " but" not in kept:
        return ""
    return DANGLING_END.sub("", kept)


def span(text: str, fewest: int = 5, most: int = 24) -> str:
    """A verbatim stretch of whole clauses, `fewest` to `most` words; "" where none is fit."""
    body = text.strip().rstrip(".")
    if any(c in body for c in '"“”'):
        return ""
    match = _LEAD.match(body) or _SAY.match(body)
    if match and len(body[match.end() :].split()) >= fewest:
        body = body[match.end() :]
    if len(body.split()) <= most:
        return body if len(body.split()) >= fewest else ""
    marks = list(
        re.finditer(r"[,;:] | (?=(?:which|that|because|while|when|by|whereas|without)\s)", body)
    )
    best = ""
    for mark in marks:
        head = body[: mark.start()].rstrip(" ,;:")
        if fewest + 2 <= len(head.split()) <= most:
            best = head
    if not best or best.count("(") != best.count(")"):
        return ""
    if (_SUBORDINATE.match(best) and "," not in best) or DANGLING_END.search(best):
        return ""
    if re.search(r"\b(?:we|they|it|which|that|not only)$", best):
        return ""
    return best
