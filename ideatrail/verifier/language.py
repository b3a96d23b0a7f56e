"""pipeline_language: words that only make sense to one who knows how trails are made.

Words such as oracle, anchor, verifier and milestone are good research words; each is taken only in
the pipeline's sense. What stands word for word in an observation is free.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ideatrail.trail.verdict import CODES, Code
from ideatrail.verifier.case import Case
from ideatrail.verifier.feedback import answers_back
from ideatrail.verifier.means import Bench, Means, Need, Opinion
from ideatrail.verifier.referents import pipeline_speech
from ideatrail.verifier.view import View


def _of(words: str) -> str:
    """A group of alternatives, separated by `/`."""
    return f"(?:{words.replace('/', '|')})"


_ACTS: Final = _of(
    "says?/said/tells?/told/wants?/wanted/expects?/expected/requires?/required/knows?/hides?/holds?"
    r"/contains?/asks?/asked/demands?/rejects?/rejected/refus\w+/flag\w*/accept\w*/approv\w+/will"
    "/would/may not/might not/did not/does not/has not/won't/didn't/doesn't"
)
_TURNED_DOWN: Final = _of(
    "not taken/rejected/refused/flagged/dropped/declined/turned down/sent back/not accepted"
    "/discarded/faulted"
)
_DRAFT: Final = _of("draft/attempt/message/turn/call/answer/response/reply/version/try")
_STAGE: Final = r"(?:explore|audit|synthesi[sz]e|ideate|propose)"
_FILES: Final = _of("claim_audit/synthesis/idea_candidates/research_proposal") + r"\.md"


@dataclass(frozen=True)
class _Sense:
    """One word in the pipeline's sense."""

    keys: tuple[str, ...]
    """Folded strings of which one has to stand in a text before the pattern is tried."""
    pattern: re.Pattern[str]


def _sense(keys: str, *patterns: str) -> _Sense:
    joined = "|".join(f"(?:{p})" for p in patterns)
    return _Sense(tuple(keys.split()), re.compile(joined, re.IGNORECASE))


_SENSES: Final[dict[str, _Sense]] = {
    "codes": _sense(
        "_ leak drift knowledge .json advisor/ anchors/",
        r"\b" + _of("/".join(c for c in CODES if "_" in c)) + r"\b",
        r"\b(?:oracle|anchor)[ -](?:leak(?:age)?|drift)\b",
        r"(?<=[a-z,:] )(?:target[ -]drift|title[ -]pre-?knowledge)\b(?! (?:in|of|over|between))",
        r"\b(?:oracle|milestones|seed)\.json\b|\badvisor/\w|\banchors/\w",
    ),
    "oracle acts": _sense(
        "oracle",
        rf"\b(?:the|this|that|our|my|an?) (?:hidden )?oracle(?:'s)? (?:\w+ly )?{_ACTS}\b",
    ),
    "oracle": _sense(
        "oracle",
        r"\boracle(?:'s)? (?:atoms?|locks?|context|forms?|secrets?|builder)\b",
        r"\b(?:hidden|advisor'?s?|secret) oracle\b",
        r"\b(?:ask|match|reach|please|satisfy|against|according to) the oracle\b"
        r"(?! \w*(?:summar|label|retriev|passage|document|sentence|context|answer|score))",
    ),
    "anchor": _sense(
        "anchor",
        r"\banchor(?:'s)? (?:artifacts?|versions?|proposals?|ideas?|atoms?|audits?|synthes[ie]s)\b",
        rf"\bthe anchor(?:'s)? (?:\w+ly )?{_ACTS}\b",
        r"\b(?:match|reach|converge (?:to|on|with)|close to|aligned? with|hit) the anchor\b"
        r"(?! (?:text|box|word|point|sentence|example|link|document|entit))",
    ),
    "advisor": _sense(
        "advisor",
        rf"\bthe advisor(?:'s)? (?:\w+ly )?{_ACTS}\b",
        r"\badvisor[ -](?:only|side)\b",
        r"\b(?:ask|satisfy|please|from|by|for|tell|to) the advisor\b",
    ),
    "verifier": _sense(
        "verif by review ledger judge check",
        rf"\b(?:my|this) verifier (?:just |has |had )?{_ACTS}\b",
        r"\bthe verifier (?:just |has |had )?"
        + _of(
            r"rejected/refused/flagged/said/told/did not accept/didn't accept/will reject/will flag"
            "/will not accept/wants/complain\\w*/took/dropped/has not accepted"
        )
        + r" (?:my|this|that|the (?:draft|call|turn|message|last)|me|it again|me to)\b",
        r"\b(?:rejected|refused|flagged|caught|dropped|not taken|turned down) by the "
        r"(?:verifier|verification|checks?|pipeline|gate)\b(?! (?:model|module|network|head))",
        r"\b(?:satisfy|please|convince|slip past|get past|trip|avoid) the "
        r"(?:verifier|verification step|leakage check|checks)\b(?! (?:model|module|network))",
        r"\bsegment review(?:er)?\b|\bleak(?:age)? ledger\b|\bconvergence judge\b",
    ),
    "verdict": _sense(
        "verdict",
        r"\b(?:last|previous|new|another|pending|my) verdict\b",
        r"\bverdict (?:on|about|for|against|to) "
        r"(?:my|the (?:last |previous )?draft|this (?:turn|draft))\b",
        r"\b(?:the|this|that|its) verdict "
        r"(?:said|says|was|came|named|points?|pointed|code|told|asks?"
        r"|wants?|requires?)\b(?! (?:whether|of|by|supported|refuted))",
        r"\b(?:after|given|answer(?:ing)?(?: to)?|respond(?:ing)? to|because of|per|avoid|as) "
        r"(?:the|that|this|another|a) verdict\b(?! (?:of|on|by|label|predict|class))",
    ),
    "milestone": _sense(
        "milestone",
        r"\b(?:the|this|next|current|public|my|last) milestone(?:'s)? "
        r"(?:requires?|asks?|wants?|expects?|says|is due|by turn|plan|stage|calls for|turn)\b",
        r"\b(?:reach|meet|hit|for|before|towards?) (?:the|this|my)(?: next| current)? milestone\b"
        r"(?! (?:of|in)\b)",
        r"\bmilestones? (?:planner|atoms?)\b",
    ),
    "lock": _sense(
        "lock",
        r"\bleak(?:age)?[ -]locks?\b",
        r"\block(?:ed)? (?:terms?|forms?|atoms?)\b",
        rf"\b(?:unlock(?:s|ed)?|(?:is|are|still|stays?) locked|locks? opens?|opens its lock) "
        rf"(?:at|in|by|until|for|before|with) (?:the |this )?(?:{_STAGE}|stage|next)\b",
        r"\bthe locks? (?:opens?|on (?:the|this|that) (?:term|form|atom|word|idea|method))\b",
    ),
    "target": _sense(
        "target proposal paper endpoint withheld hidden revers",
        r"\b(?:hidden|withheld|secret) (?:target|proposal|paper|endpoint)\b"
        r"(?! (?:class|label|word|token|language|sentence|variable|domain|text|entit"
        r"|(?:in|of) (?:their|the|a|an|its|each)\b))",
        r"\b(?:ground[ -]truth|intended|finished|real) (?:proposal|endpoint)\b",
        r"\bthe target (?:paper|proposal|idea|thesis)\b",
        r"\b(?:withheld|hidden|kept) from (?:me|the generator)\b",
        r"\breverse[ -](?:to[ -]forward|engineer\w*) (?:the )?(?:target|proposal|trail|idea)\b",
    ),
    "retry": _sense(
        "retr draft attempt message turn call answer response reply version try instructed prompt",
        rf"\b(?:my|the|this|that|your) (?:last|previous|earlier|rejected|prior|former) {_DRAFT} "
        rf"(?:of \w+ \w+ )?(?:was|got|had been|has been|were) (?:\w+ )?{_TURNED_DOWN}\b",
        rf"\b(?:my|the) draft (?:of this turn )?(?:was|got) {_TURNED_DOWN}\b",
        r"\b(?:this|second|third|my|no more) retr(?:y|ies) "
        r"(?:of (?:this|the|my) (?:turn|draft)|i |should|must|budget|count|left|for this turn)\b",
        r"\bon (?:this|the next|my (?:next|second|third)) retry\b",
        r"\bretr(?:y|ies) (?:left|remaining)\b|\bretry(?:ing)? (?:the|this|my) (?:turn|draft)\b",
        r"\b(?:feedback|complaint|objection|rejection|fault) (?:on|of|about|with|in|against) "
        r"(?:my|the) (?:last |previous |earlier )?draft\b",
        r"\bas (?:i was )?instructed\b|\bas the (?:system )?prompt (?:says|asks|requires|demands)\b"
        r"|\b(?:my|the) system prompt (?:says|asks|tells|requires|demands|wants)\b",
    ),
    "stage line": _sense(
        "stage turn .md",
        rf"\bstage: ?{_STAGE}\b",
        r"\bturn \d+ (?:of|/) ?\d+\b",
        rf"\b{_FILES} should (?:be|stand|now be) (?:absent|skeleton|draft|filled|final)\b",
        r"\b\d+ (?:more )?turns (?:left|remain(?:ing)?|to go) (?:in|of|for|before|until|to)\b",
        r"\b(?:the|my) turn budget\b|\b(?:my|the) (?:remaining )?turns are running out\b",
        r"\b(?:the|this|last|current) stage line\b",
        rf"\bthe {_STAGE} stage (?:opens?|opened|ends?|is over|begins|started)\b",
    ),
}
_ROLES: Final = re.compile(
    r"(?<=[a-z,] )(?:the )?(?:Generator|Advisor)(?:'s)? "
    + _of("must/should/sees?/cannot/can/may/does/will/is/has/role/side")
    + r"\b|\bthe (?:synthesis |trail |generation )pipeline "
    + _of("requires?/wants/expects/rejects/rejected/says/demands")
    + r"\b|(?<=[a-z,;] )(?:the |my |our |from |by |to )*Advisor\b(?! (?:et al|and|\())"
)
_ROLE_KEYS: Final = ("Generator", "Advisor", "pipeline")
_NEVER_FREE: Final = frozenset({"codes", "stage line"})


class LanguageCheck:
    """Speech about the pipeline, in any text of the draft."""

    name = "language"
    codes: frozenset[Code] = frozenset({"pipeline_language"})
    needs: frozenset[Need] = frozenset()

    def __init__(self, means: Means) -> None:
        pass

    def judge(self, case: Case, view: View) -> Opinion:
        """Every pattern in every text."""
        bench = Bench(self.name, "pipeline_language", (*_SENSES, "roles", "referents", "answers"))
        for spot in case.spots:
            if spot.kind == "old":
                continue
            text = " ".join(spot.text.split()).replace("’", "'")
            low = text.casefold()
            found = [
                (layer, match.group())
                for layer, sense in _SENSES.items()
                if any(key in low for key in sense.keys)
                for match in sense.pattern.finditer(text)
            ]
            if any(key in text for key in _ROLE_KEYS):
                found += [("roles", match.group()) for match in _ROLES.finditer(text)]
            for _, sentence in pipeline_speech(text, view):
                bench.hit("referents", spot.pointer, sentence)
            if spot.kind in ("reasoning", "content", "text"):
                for _, sentence in answers_back(text, view):
                    bench.hit("answers", spot.pointer, sentence)
            for layer, words in found:
                if layer == "oracle acts" and "oracl" in view.shown.stems:
                    continue  # research on oracles: what else the sentence says decides
                if layer in _NEVER_FREE or not view.shown.verbatim(words):
                    bench.hit(layer, spot.pointer, words)
        return bench.opinion()
