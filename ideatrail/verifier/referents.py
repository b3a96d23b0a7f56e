"""Definite speech of things that only the pipeline has: `the verifier`, `its lock`, `this retry`.

`The verifier` needs one to have been spoken of. Where neither an observation nor the writer's own
text has introduced it, and the sentence speaks of the writer's own work, what it refers to can only
be the pipeline. Where the research itself is about verifiers, only sentences that tie the word to
the making of the trail (`my last draft`, `for this turn`) count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ideatrail.trail.text import sentences, stem
from ideatrail.verifier.view import View

_NOUN: Final = r"oracle|anchor|verifier|verdict|milestone|advisor|retry"
_AGAINST: Final = re.compile(
    r"\b(?:scored|judged|graded|measured|compared|held|weighed) against (?:the|its|my) "
    r"(?:oracle|anchor|milestone)s?\b"
    r"|\b(?:it|line|statement|wording|form|draft|this) (?:has |had )?pass(?:ed|es) the verifier\b"
    r"|\b(?:is|be|are|stands?|covered|held|contained|none of (?:it|this)) (?:is )?(?:in|by) "
    r"the oracle(?=[,.;]| and\b)",
    re.IGNORECASE,
)
"""What is done to a trail and hardly to anything else."""
_ALONE: Final = frozenset({"oracle", "verifier", "advisor"})
"""Nouns that nobody uses with `the` and no such thing in mind."""
_HEAD: Final = re.compile(
    rf"\b(?:the|this|that|its|my|our|your|next|last|each|every|another|no|one|only|current|hidden"
    rf"|a|any)(?: \w+)? ({_NOUN})s?\b(?P<rest>(?:'s)?.{{0,24}})",
    re.IGNORECASE,
)
"""A determiner and the noun, with a word between them at most."""
_FOLLOWS: Final = re.compile(
    r"^(?:'s\b|$|[.,;:!?)\]\"']|\s*[-–—(]| (?:surely|probably|certainly|apparently|evidently"
    r"|possibly|likely|is|was|has|had|have|will|would|may|might|can"
    r"|cannot|could"
    r"|should|must|does|did|do|says?|said|asks?|asked|wants?|wanted|expects?|expected|holds?|held"
    r"|knows?|knew|rejects?|rejected|refuses?|refused|flags?|flagged|sends?|sent|takes?|took|passes"
    r"|passed|accepts?|accepted|complains?|complained|answers?|answered|names?|named|points?"
    r"|pointed"
    r"|tells?|told|opens?|opened|needs?|needed|requires?|required|likes?|looks?|reads?|compares?"
    r"|checks?|checked|judges?|of|for|in|on|at|to|by|with|within|from|against|about|before|after"
    r"|until|unless|and|or|but|so|that|which|because|if|when|again|then|just|only|still|already"
    r"|once|here|now|yet|left|anyway|too|as|than|over|under|behind)\b)",
    re.IGNORECASE,
)
"""What may follow the noun where it is the head: no noun of which it is a mere modifier."""
_IDIOM: Final = re.compile(
    r"\bverdict (?:is|was|remains|seems) (?:still )?(?:open|out|mixed|unclear|pending|split"
    r"|divided)\b"
    r"|\b(?:reach|render|return|predict|assign|give|output|produce)\w* (?:a|the|its|one) "
    r"(?:\w+ )?verdicts?\b|\b(?:as|like) an? (?:\w+ )?(?:oracle|anchor|milestone|verifier)\b"
    r"|\b(?:an?|any) (?:\w+ )?(?:oracle|anchor|milestone|verifier|advisor|ledger)\b",
    re.IGNORECASE,
)
_OWN_WORK: Final = re.compile(
    r"\b(?:I|me|my|mine|myself)\b|\b(?:drafts?|turns?|stages?|segments?|trail|files?|wording"
    r"|reworded"
    r"|rewrit\w+|rewrote|atoms?|gamma|artifacts?)\b"
    r"|\b(?:close|closer|closest|near|nearer|nearest|match\w*|converg\w*|align\w*|towards?|reach\w*"
    r"|scored|judged) (?:to |with |against |on )?$"
)
"""The writer, or the things that a trail is made of; or what one does with an anchor."""
_MAKING: Final = re.compile(
    r"\b(?:my|this|these|the (?:last|previous|next|rejected)|its first) (?:last |previous "
    r"|next |own )?"
    r"(?:drafts?|turns?|calls?|message|wording|query|queries|file|score|segment|stage|retry"
    r"|version|idea"
    r"|candidates?|proposal"
    r"|line|reasoning)\b|\bsaved pages?\b|\bgamma\b|\batoms?\b|\breworded\b|\brewrite\b"
    r"|\b[Tt]he wording\b"
)
"""What ties a word to the making of this very trail."""
_ACTS: Final = re.compile(
    r"\b(?:reject|refus|flag|accept|send\w* back|sent back|drop|complain|answer\w* with|hold"
    r"|held|want"
    r"|expect|ask|allow|forbid|punish|catch|caught|let)\w*\b",
    re.IGNORECASE,
)
_ON_ME: Final = re.compile(r"^(?:\W+\w+){0,4}?\W+(?:me|my|mine|this|it again)\b")
_RESEARCHED: Final = re.compile(
    r"^(?:'s)? (?:is|was|are|were|has been) (?:\w+ly )?(?:trained|fine-?tuned|tuned|built"
    r"|learned|an?\b"
    r"|initiali[sz]ed|evaluated|frozen|prompted)"
)
"""What is done to a model that a paper is about."""
_OF_PEOPLE: Final = re.compile(
    r"^ of (?!this|the (?:last|previous|next) |my (?!argument|analysis|comparison|reading))",
    re.IGNORECASE,
)
"""`the verdict of the annotators`."""

_LOCKED: Final = re.compile(
    r"\b(?:its|the|this|that|my|a|any|no|every) locks? (?:opens?|opened|closes?|closed|holds?"
    r"|lifts?"
    r"|is (?:still )?(?:open|closed|on|off)|has (?:opened|been lifted))\b"
    r"|\block(?:s)? (?:has|have|had) (?:opened|been lifted)\b"
    r"|\b(?:terms?|names?|words?|mechanism|idea|method|phrase|form|concept|atom)s? "
    r"(?:is|are|was|were|stays?|remains?|that is|which is|being)? ?(?:still |not yet |no longer )?"
    r"(?:un)?locked\b|\bunlock(?:s|ed)? (?:it|this|that|the (?:term|name|word|mechanism|idea))\b",
    re.IGNORECASE,
)
_BUDGET: Final = re.compile(
    r"\bturn (?:limit|budget|count|allowance)\b|\b(?:budget|limit|allowance|share|number|rest) of "
    r"(?:\d+ |my |the |these |my remaining |remaining )*turns\b"
    r"|\b(?:run|runs|running|ran) out of turns\b|\bturns? of (?:my|the|this) (?:budget|allowance)\b"
    r"|\b(?:\d+|one|two|three|four|five|six|few|some|several|many|no|more|enough"
    r"|my) (?:of (?:the |my )?"
    r"\d+ )?(?:more |remaining )?turns? (?:\w+ )?(?:left|remain\w*|to (?:spare|spend|go))\b"
    r"|\bwast(?:e|es|ed|ing) (?:a |an |my |any |more |another )?turns?\b"
    r"|\b(?:\d+|none|few) of (?:the|my) \d+ (?:turns )?(?:are|is|were|was|remain) ?(?:left|gone"
    r"|spent)?\b"
    r"|\bsav(?:e|ing) (?:a |my |some )?turns?\b|\b(?:cost|spend|spent|costs) (?:me )?(?:a|one"
    r"|another|my"
    r"|two|three|\d+) (?:more |last |whole )?turns?\b|\bturns? (?:I have|that are|still) left\b",
    re.IGNORECASE,
)
_DIALOGUE: Final = re.compile(
    r"\b(?:dialog\w*|conversation\w*|speaker\w*|utterances?|multi[- ]turn|user turns?"
    r"|negotiator\w*|players?)\b",
    re.IGNORECASE,
)


_DIALOGUES: Final = frozenset(stem(w) for w in ("dialogue", "dialog", "utterance"))
_OWN_STEPS: Final = re.compile(r"\b(?:I|my|me|this stage|stage|budget|trail|file|run)\b")


def pipeline_speech(text: str, view: View) -> Iterator[tuple[str, str]]:
    """(kind, sentence) of each sentence in `text` that speaks of the pipeline's things."""
    low = text.casefold()
    nouns = [n for n in _NOUN.split("|") if n in low]
    if "retries" in low:
        nouns.append("retry")
    lock, turn = "lock" in low, "turn" in low or " left" in low
    if not (nouns or lock or turn):
        return
    for sentence in sentences(text):
        if lock and _LOCKED.search(sentence):
            yield "locks", sentence
        elif turn and _BUDGET.search(sentence) and not of_dialogue(sentence, view):
            yield "turns", sentence
        elif nouns and (noun := _referent(sentence, view)):
            yield noun, sentence


def of_dialogue(sentence: str, view: View) -> bool:
    """Whether turns are those of a dialogue: the sentence says so; or the research is about such
    turns, and the sentence says nothing of the writer's own work."""
    if _DIALOGUE.search(sentence):
        return True
    return not view.shown.stems.isdisjoint(_DIALOGUES) and not _OWN_STEPS.search(sentence)


def _referent(sentence: str, view: View) -> str:
    """The noun by which a sentence speaks of the pipeline; empty where none does."""
    against = _AGAINST.search(sentence)
    if against:
        return against.group().rpartition(" ")[2].casefold()
    bare = _IDIOM.sub(" ", sentence)
    for match in _HEAD.finditer(bare):
        noun, rest = match.group(1).casefold(), match.group("rest")
        if not _FOLLOWS.match(rest) or _RESEARCHED.match(rest):
            continue
        if noun in ("verdict", "anchor", "oracle") and _OF_PEOPLE.match(rest):
            continue
        before, after = bare[: match.start()], bare[match.end(1) :]
        if _introduced(noun, view):
            tied = any(_MAKING.search(x) for x in (before, after)) or bool(
                _ACTS.search(after) and _ON_ME.search(after)
            )
        else:
            tied = noun in _ALONE or any(_OWN_WORK.search(x) for x in (before, after))
        if tied:
            return noun
    return ""


def _introduced(noun: str, view: View) -> bool:
    """Whether an observation, or the writer with `a`, has spoken of such a thing."""
    if stem(noun) in view.shown.stems:
        return True
    return any(view.said.verbatim(f"{article} {noun}") for article in ("a", "an"))
