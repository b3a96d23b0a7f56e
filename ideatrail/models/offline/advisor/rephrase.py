"""Takes the method out of a sentence and keeps its problem, by the grammar of how people ask.

`Can X improve Y?` becomes `What could improve Y?`; `We propose X, a tool that finds Y` becomes
`How could one find Y?`; `by doing X`, `via X`, `(X)` are dropped. What cannot be mended is None.
"""

from __future__ import annotations

import re
from typing import Final

from ideatrail.models.offline.advisor.forbidden import Forbidden

_BASE: Final = (
    "improve|reduce|help|enable|allow|decide|predict|tell|detect|increase|lower|mitigate|prevent|"
    "outperform|make|provide|support|achieve|boost|enhance|serve|generali[sz]e|lead|yield|identify|"
    "correct|solve|capture|replace|explain|encourage|elicit|produce|teach|guide|preserve|protect|"
    "avoid|ensure|facilitate|alleviate|address|overcome|raise|speed|accelerate|match|recover|"
    "reveal|"
    "distinguish|separate|transfer|bridge|close|narrow|control|steer|remove|filter|find|select|"
    "rank|"
    "extract|generate|adapt|align|affect|influence|change|shape|maintain|optimi[sz]e|evaluate|"
    "measure|estimate|quantify|calibrate|verify|validate|learn|discover|save|cut|build|design|"
    "create|develop|automate|test|characteri[sz]e|understand|handle|scale|strengthen|simplify"
)
_ACTOR: Final = re.compile(
    r"^(?:an?|the|these|those|current|modern|today['’]s|state-of-the-art|large|small|pre-?trained|"
    r"multilingual|neural|open|such|\s)*"
    r"(?:we|one|you|they|it|i|people|humans?|users?|researchers?|practitioners?|annotators?|"
    r"agents?|"
    r"(?:large |vision-)?language[- ]models?(?: judge| judges)?|language-model judges?|llms?|lms|"
    r"(?:\w+ )?models?|machines?|systems?|ai(?: systems)?|transformers?|classifiers?|encoders?|"
    r"generators?|"
    r"decoders?|parsers?|judges?|summari[sz]ers?|translators?|readers?|developers?|assistants?|"
    r"students?)$",
    re.IGNORECASE,
)
_YES_NO: Final = re.compile(
    rf"^(?:can|could|does|do|will|would|might|may|should)\s+(?P<who>.+?),?\s+"
    rf"(?:(?:further|also|effectively|significantly|reliably|consistently|substantially|"
    rf"better)\s+)?"
    rf"(?P<verb>{_BASE})\b(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_HOW: Final = re.compile(
    rf"^how\s+(?:well\s+|far\s+|much\s+)?(?:can|could|does|do|will|would|might|"
    rf"should)\s+(?P<who>.+?)\s+"
    rf"(?P<verb>{_BASE})\b(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_MAKES: Final = re.compile(
    r"^(?:in this (?:paper|work|proposal|project|study),?\s*)?"
    r"(?:we|i|this (?:paper|work|proposal|project|study|research)|the (?:proposed|present) \w+)\s+"
    r"(?:(?:aims?|want|plan|hope|intend|seeks?) to\s+)?"
    r"(?:propos|introduc|present|develop|design|creat|build|describ|explor|investigat|stud|examin|"
    r"leverag|us|implement|appl|analy[sz])\w*\b(?P<what>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_AIM: Final = re.compile(
    r"^(?:.{0,40}\b)?(?:goals?|aims?|objectives?|purpose|question|behaviou?r to be analy[sz]ed|"
    r"idea|task|"
    r"challenge|problem)\s+(?:of\s+[\w\s-]{1,40}?\s+)?(?:here\s+)?(?:is|are|was)\s+(?:thus\s+|"
    r"therefore\s+)?"
    r"(?P<rest>(?:to|how|whether|what|which|why|that)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_WE_AIM: Final = re.compile(
    r"^(?:in this (?:paper|work|proposal|project|study),?\s*)?(?:we|i|this (?:paper|work|"
    r"proposal|project|study|"
    r"research))\s+(?:\w+ly\s+)?(?:aims?|want|plan|hope|intend|seeks?|tr(?:y|ies)|attempts?|"
    r"explor\w+|"
    r"investigat\w+|stud(?:y|ies)|examin\w+|ask|asks|analy[sz]\w+|(?:am|are|is) interested in"
    r"(?: (?:evaluating|studying|analy[sz]ing|understanding|knowing))?)\s+"
    r"(?P<rest>(?:to|how|whether|what|which|why|if)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_GERUND: Final = re.compile(
    r"^(?:comparing|evaluating|analy[sz]ing|investigating|benchmarking|studying|exploring|"
    r"assessing|"
    r"examining|characteri[sz]ing|measuring|understanding|quantifying|testing|reproducing|ablating|"
    r"validating)\s+(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_IMPERATIVE: Final = re.compile(
    r"^(?:(?:investigate|study|explore|examine|analy[sz]e|understand)\s+(?!the model|the "
    r"performance)(?P<any>\S.*)|"
    r"(?:investigate|study|explore|examine|analy[sz]e|evaluate|compare|assess|test|determine|"
    r"understand)\s+"
    r"(?P<asked>(?:whether|how|if|what|which|why|the (?:effect|impact|influence|role)s? of)\b.*))$",
    re.IGNORECASE | re.DOTALL,
)
_STARTS: Final = re.compile(
    rf"^(?:to\s+)?(?:\w+ly\s+)?(?P<verb>{_BASE}|prune|propose|establish|provide|assess|"
    rf"implement|formulate|"
    r"introduce|integrate|modify|add|replace|use|train|construct|incorporate|apply|extend|"
    r"compare)\b"
    r"(?P<rest>\s.*)$",
    re.IGNORECASE | re.DOTALL,
)
"""A goal told by its verb: `Quantify the loss`, `To design a test that …`."""
_TESTING: Final = frozenset(
    "validate evaluate assess test implement establish verify measure formulate compare".split()
)
_BUILDING: Final = frozenset(
    "develop design create build propose introduce provide integrate implement modify add "
    "replace use "
    "train construct incorporate apply extend".split()
)
_LOOKING: Final = re.compile(
    r"^(?:\w+ly\s+)?(?:explore|investigate|study|examine|understand|analy[sz]e|determine|test|"
    r"see|ask|find out)\s+"
    r"(?:the hypothesis:?\s+)?(?P<rest>(?:how|whether|if|what|which|why)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_PURPOSE: Final = re.compile(
    rf"\b(?:to|in order to|so as to)\s+(?P<verb>{_BASE})\b(?P<rest>.*)$", re.IGNORECASE | re.DOTALL
)
_RELATIVE: Final = re.compile(
    rf"\b(?:that|which)\s+(?:can\s+|could\s+|will\s+|automatically\s+|dynamically\s+|"
    rf"effectively\s+)*"
    rf"(?P<verb>{_BASE})(?:e?s|ies)?\b(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION: Final = re.compile(r"\s+(?:if|provided|given that|once)\b,?\s", re.IGNORECASE)
_MEANS: Final = re.compile(
    r",?\s+(?:by\s+(?:\w+ly\s+)?\w+ing|via|through|using|leveraging|utili[sz]ing|with the help "
    r"of|by means of|based on|"
    r"grounded in|inspired by|powered by)\b[^,;:?.]*(?=$|[,;:?.])",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(
    r"\s*\((?:[^()]|\([^()]*\))*\)|\s*\[[^\]]*\]|\s+[–—]\s+[^–—]+\s+[–—](?=\s)"
)
_ITS: Final = re.compile(r"\b(its|their)\b", re.IGNORECASE)
_ANTECEDENT: Final = re.compile(
    r"\b(?:an?|the)?\s*((?:large |vision-)?language[- ]models?|llms?|multilingual encoders?|"
    r"neural models?|agents?|classifiers?|judges?|models?)\b",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(r"^(?:[A-Z][\w ]{2,40}|RQ ?\d+|[A-Z]\d+)\s*[:–—]\s+(?=\S)")
_QUOTED: Final = r"[\"“][^\"“”]*[\"”]"
_SAYINGS: Final = re.compile(
    rf",?\s*(?:like|such as|e\.g\.,?|as in)\s+{_QUOTED}(?:\s*,?\s*(?:or|and)?\s*{_QUOTED})*",
    re.IGNORECASE,
)
"""Examples in quotes: `like "I think so", or "I am sure"`."""
_MAY_CHANGE: Final = re.compile(
    r"^(?P<who>.+?)\s+(?P<verb>(?:can|could|will|would|may|might)\s+(?:\w+ly\s+)?"
    r"(?:improve|reduce|increase|enhance|boost|mitigate|prevent|outperform|lower|help)|"
    r"improves|reduces|increases|enhances|boosts|mitigates|prevents|outperforms|lowers|"
    r"helps)\b(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
"""What follows `whether`: a means, and the change it may bring."""
_LEAST: Final = 4
"""Words a sentence must keep to say anything."""


def open_question(sentence: str, forbidden: Forbidden, *, strict: bool = False) -> str | None:
    """`sentence` as an open question or statement without a method in it, or None.

    Args:
        sentence: one sentence of a research question.
        forbidden: terms that the result may not hold.
        strict: also leave out means (`using …`) and named subjects that no term forbids.
    """
    text = _tidy(_LABEL.sub("", " ".join(sentence.split())))
    if text[-1:] not in ".?!" and not _VERB_FIRST.match(text):
        text = _heading(text)  # a heading or a list entry, not a sentence
    dirty = forbidden.within(text)
    text = _tidy(_ASIDE.sub("", _SAYINGS.sub("", text)))
    asked = _asked(text)
    if asked is None:
        return None
    if strict or dirty or _names_means(asked):
        trimmed = _tidy(_MEANS.sub("", asked))
        if len(trimmed.split()) >= _LEAST:
            asked = trimmed
    if forbidden.within(asked):
        asked = _without_clauses(asked, forbidden) or ""
    if len(asked.split()) < _LEAST or forbidden.within(asked):
        return None
    return _finish(asked)


def _heading(text: str) -> str:
    """A question about what a heading names; of `topic: what is done`, the topic."""
    head, colon, tail = text.partition(": ")
    if colon:
        text = head if len(head.split()) >= 3 else tail
    words_of_field = text.split()
    if not words_of_field:
        return text
    if words_of_field[0][1:] == words_of_field[0][1:].lower() and len(words_of_field[0]) > 2:
        text = text[0].lower() + text[1:]
    return f"What do we really know about {text}?"


_VERB_FIRST: Final = re.compile(
    rf"^(?:(?:to\s+)?(?:\w+ly\s+)?(?:{_BASE}|prune|propose|establish|assess|implement|"
    rf"formulate|integrate|"
    r"investigate|study|explore|examine|analy[sz]e|compare|determine|introduce)|\w+ing|how|"
    r"whether|what|why|"
    r"which|can|could|does|do|is|are|will|would|should|we|this|i)\b",
    re.IGNORECASE,
)


def _asked(text: str) -> str | None:
    """`text` turned into an open question where its form names a means as the subject."""
    if match := _AIM.match(text) or _WE_AIM.match(text):
        return _clause(match["rest"])
    if match := _GERUND.match(text):
        return _clause(match["rest"])
    if match := _MAKES.match(text):
        goal = _PURPOSE.search(match["what"]) or _RELATIVE.search(match["what"])
        return _how(goal["verb"], goal["rest"]) if goal else None
    if re.match(r"(?:whether|how|why|which|what)\b", text, re.IGNORECASE) and "?" not in text:
        return _clause(text)
    if match := _IMPERATIVE.match(text):
        return _clause(match["any"] or match["asked"])
    if _STARTS.match(text):
        return _goal(text)
    for pattern in (_YES_NO, _HOW):
        match = pattern.match(text)
        if match is None:
            continue
        who = match["who"].split(",")[0].strip()
        if not _ACTOR.match(who):
            rest = _own(match["rest"], match["who"])
            return f"What could {match['verb'].lower()}{rest}"
        if condition := _CONDITION.search(match["rest"]):
            # `Can a model do A if it does B?` asks about A; B is the means.
            aim = match["rest"][: condition.start()]
            return f"How can {match['who']} {match['verb'].lower()}{aim}?"
    return text


def _clause(rest: str) -> str | None:
    """A question from `to find …`, `whether …`, `how …`."""
    rest = rest.rstrip(" .?")
    first, _, tail = rest.partition(" ")
    if first.lower() == "to":
        deeper = _LOOKING.match(tail)
        return _clause(deeper["rest"]) if deeper else _goal(tail)
    if first.lower() in ("whether", "if", "how", "what", "which", "why", "that"):
        word = "how" if first.lower() == "that" else first.lower()
        means = _MAY_CHANGE.match(tail) if word in ("whether", "if") else None
        if means and not _ACTOR.match(means["who"]):
            verb = re.sub(r"^(?:can|will|would|may|might)\b", "could", means["verb"].lower())
            return f"I would like to understand what {verb}{means['rest']}"
        return f"I would like to understand {word} {tail}"
    return f"What do we really know about {rest}"


_WHOSE: Final = {"its": "a model's", "their": "models'"}
"""Owners for a pronoun whose noun was left out; here it is always a model."""


def _goal(text: str) -> str | None:
    """A question from a goal; what is to be built counts for nothing, what it is for is asked."""
    match = _STARTS.match(text.rstrip(" .?"))
    if match is None:
        return f"How could one {text.rstrip(' .?')}"
    verb, rest = match["verb"].lower(), match["rest"]
    if verb in _BUILDING:
        deeper = _PURPOSE.search(rest) or _RELATIVE.search(rest)
        return _how(deeper["verb"], deeper["rest"]) if deeper else None
    return None if verb in _TESTING else _how(verb, rest)


def _how(verb: str, rest: str) -> str:
    rest = rest.rstrip(" .?")
    return f"How could one {verb.lower()}{_ITS.sub(lambda m: _WHOSE[m[1].lower()], rest, count=1)}"


def _own(rest: str, who: str) -> str:
    """`rest` with a first `its` or `their` resolved to the actor that `who` named."""
    found = _ANTECEDENT.search(who)
    own = _ITS.search(rest)
    if not found or not own:
        return rest
    noun = found[1].lower() if not found[1].isupper() else found[1]
    owner = f"{noun}'" if noun.endswith("s") else f"a {noun}'s"
    return rest[: own.start()] + owner + rest[own.end() :]


def _names_means(text: str) -> bool:
    return bool(re.search(r"\b(?:using|via|leveraging|by means of)\b", text, re.IGNORECASE))


def _without_clauses(text: str, forbidden: Forbidden) -> str | None:
    """`text` without the clauses that hold a term; the first clause has to stand."""
    clauses = re.split(r"([,;:]\s+|\s+[–—-]\s+)", text)
    kept = [clauses[0]]
    for mark, clause in zip(clauses[1::2], clauses[2::2], strict=False):
        if not forbidden.within(clause):
            kept += [mark, clause]
    joined = "".join(kept)
    if not forbidden.within(joined):
        return joined
    # A term in the main clause: leave out the phrase from its preposition on.
    pieces = re.split(
        r"\s+(?=(?:in|of|for|with|on|from|to|by|(?<!such )as|than|like|such as|between|under|"
        r"within)\s)",
        joined,
    )
    clean = [pieces[0], *(p for p in pieces[1:] if not forbidden.within(p))]
    result = " ".join(clean)
    return result if not forbidden.within(result) and len(clean[0].split()) >= 2 else None


def _tidy(text: str) -> str:
    text = re.sub(r"\s+([,.;:?!])", r"\1", " ".join(text.split()))
    text = re.sub(r"([,;:])(?=[,;:.?])", "", text)
    return text.strip(" ,;:-–—\"“”'")


def _finish(text: str) -> str:
    text = _tidy(text)
    question = re.match(
        r"(?:what|how|which|why|when|where|who|can|could|does|do|is|are|was|were|"
        r"must|may|might|has|have|should|will|would|to what)\b",
        text,
        re.IGNORECASE,
    )
    text = text.rstrip(" .?!")
    return text[0].upper() + text[1:] + ("?" if question else ".")
