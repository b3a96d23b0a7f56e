"""pipeline_language: words that only make sense to one who knows how trails are made.

Words such as oracle, anchor, verifier and milestone are good research words; each is taken only in
the pipeline's sense. What stands word for word in an observation is free.
"""

from __future__ import annotations

import re
from typing import Final

from ideatrail.trail.verdict import CODES, Code
from ideatrail.verifier.case import Case
from ideatrail.verifier.means import Bench, Means, Need, Opinion
from ideatrail.verifier.view import View

_WILL: Final = (
    r"(?:\w+ly )?(?:says?|said|tells?|told|wants?|wanted|expects?|expected|requires?|required|knows?|hides?"
    r"|hidden|holds?|contains?|asks?|asked|demands?|rejects?|rejected|refus\w+|flag\w*|accept\w*|approv\w+"
    r"|will|would|may not|might not|did not|does not|has not|won't|didn't|doesn't)"
)
_DRAFT: Final = r"(?:draft|attempt|message|turn|call|answer|response|reply|version|try)"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns), re.IGNORECASE)


_LAYERS: Final[dict[str, re.Pattern[str]]] = {
    "codes": _any(
        r"\b(?:" + "|".join(c for c in CODES if "_" in c) + r")\b",
        r"\b(?:oracle|target|anchor|title)[ -](?:leak(?:age)?|drift|pre-?knowledge)\b",
        r"\boracle\.json\b|\bmilestones\.json\b|\bseed\.json\b|\badvisor/|\banchors/",
    ),
    "oracle": _any(
        rf"\b(?:the|this|that|our|my|its|an?) (?:hidden )?oracle(?:'s)? {_WILL}\b",
        r"\boracle(?:'s)? (?:atoms?|locks?|context|forms?|terms?|secrets?|builder)\b",
        r"\b(?:hidden|advisor'?s?|secret) oracle\b",
        r"\b(?:ask|match|reach|please|satisfy|against|according to) the oracle\b(?! \w*(?:summar|label|retriev|passage|document|sentence))",
    ),
    "anchor": _any(
        r"\banchor(?:'s)? (?:artifacts?|versions?|proposals?|ideas?|atoms?|sections?|audits?|claims?|synthes[ie]s)\b",
        rf"\bthe anchor(?:'s)? {_WILL}\b",
        r"\b(?:match|reach|converge (?:to|on|with)|close to|aligned? with|hit) the anchor\b(?! (?:text|box|word|point|sentence|example|link))",
    ),
    "advisor": _any(
        rf"\bthe advisor(?:'s)? {_WILL}\b",
        r"\badvisor[ -](?:only|side)\b",
        r"\b(?:ask|satisfy|please|from|by|for|tell|to) the advisor\b",
    ),
    "verifier": _any(
        rf"\b(?:the|my|this) verifier (?:just |has |had )?(?:rejects?|rejected|refus\w+|flag\w*|said|says|told|did not|didn't|will (?:not )?(?:accept|reject|flag|pass)|wants?|complain\w*|took|has not|dropped)\b",
        r"\b(?:rejected|refused|flagged|caught|dropped|not taken|accepted|passed|approved) by the (?:verifier|reviewer role|checks?|pipeline|gate)\b",
        r"\b(?:satisfy|please|pass|past|avoid|convince|slip past|get past|trip) the (?:verifier|verification step|leakage check|check(?:s|er)?)\b",
        r"\bsegment review(?:er)?\b|\bleak(?:age)? ledger\b|\bconvergence judge\b",
    ),
    "verdict": _any(
        r"\b(?:the|this|that|my|last|previous|a new|another|its) verdicts?\b(?! (?:labels?|prediction|classes|of (?:the )?(?:fact|claim|jury|annotator|judge|model|reader|author|paper|stud)|on (?:the )?(?:claim|fact|truth|each|every)|that (?:a|the) (?:judge|model)))",
    ),
    "milestone": _any(
        r"\b(?:the|this|next|current|public|my|last) milestone(?:'s)? (?:is|was|requires?|asks?|wants?|expects?|says|due|by turn|plan|stage|calls|needs|turn)\b",
        r"\b(?:reach|meet|hit|for|before) (?:the|this|my|the next|the current) milestone\b",
        r"\bmilestones? (?:plan|planner|atoms?)\b",
    ),
    "lock": _any(
        r"\bleak(?:age)?[ -]locks?\b",
        r"\block(?:ed|s)? (?:terms?|forms?|atoms?|words?|until|opens?|before)\b",
        r"\b(?:un|is |are |still )locked? (?:at|in|by|until|for|before|with) (?:the |this )?(?:explore|audit|synthesi[sz]e|ideate|propose|stage|next)\b",
        r"\bthe locks? (?:opens?|is|are|on|for|will)\b",
    ),
    "target": _any(
        r"\b(?:hidden|withheld|secret|ground[ -]truth|intended|true) (?:target|proposal|paper|endpoint)\b(?! (?:class|label|word|token|language|sentence|variable|domain|distribution|text|entit))",
        r"\bthe target (?:paper|proposal|idea|thesis)\b",
        r"\b(?:withheld|hidden|kept) from (?:me|the generator|us)\b",
        r"\breverse[ -](?:to[ -]forward|planning|engineer\w*) (?:the )?(?:target|proposal|trail|idea)\b",
    ),
    "retry": _any(
        rf"\b(?:my|the|this|that|your) (?:last|previous|earlier|first|rejected|prior|former) {_DRAFT} (?:\w+ )?(?:was|got|had been|has been|were) (?:\w+ )?(?:not taken|rejected|refused|flagged|dropped|declined|turned down|sent back|not accepted|discarded|faulted)\b",
        r"\b(?:my|the) draft (?:of this turn )?(?:was|got) (?:not taken|rejected|refused|flagged|dropped)\b",
        r"\b(?:this|on|second|third|my|another|next|last|each|per|no more|of) retr(?:y|ies) (?:of (?:this|the|my) (?:turn|draft)|i |should|must|budget|count|limit|left|remain\w*|for this turn)\b",
        r"\bretr(?:y|ies) (?:left|remaining|budget)\b|\bretry(?:ing)? (?:the|this|my) (?:turn|draft)\b",
        r"\b(?:feedback|complaint|objection|rejection|fault) (?:on|of|about|with|in|against) (?:my|the) (?:last |previous |earlier )?draft\b",
        r"\bas (?:i was )?instructed\b|\bas the (?:system )?prompt (?:says|asks|requires|demands)\b|\bthe system prompt\b",
    ),
    "stage line": _any(
        r"\bstage: ?(?:explore|audit|synthesi[sz]e|ideate|propose)\b",
        r"\bturn \d+ (?:of|/) ?\d+\b",
        r"\b(?:claim_audit|synthesis|idea_candidates|research_proposal)\.md should (?:be|stand|now be) (?:absent|skeleton|draft|filled|final)\b",
        r"\b\d+ (?:more )?turns? (?:left|remain(?:ing)?|to go)\b|\b(?:the|my|our) turn budget\b|\bturns? (?:are|is) (?:left|running out)\b",
        r"\b(?:the|this|last|current) stage line\b|\bthe (?:explore|audit|synthesi[sz]e|ideate|propose) stage (?:opens?|opened|ends?|is over|begins|started)\b",
    ),
}
_GENERATOR: Final = re.compile(
    r"(?<=[a-z,] )(?:the )?(?:Generator|Advisor)(?:'s)? (?:must|should|sees?|cannot|can|may|does|will|is|has|role|side)\b"
    r"|\bthe (?:synthesis |trail |generation )?pipeline (?:requires?|wants|expects|rejects|rejected|says|will|demands)\b"
    r"|(?<=[a-z,;] )(?:the |my |our |from |by |to )*Advisor\b(?! (?:et al|and|\())"
)
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
        bench = Bench(self.name, "pipeline_language", (*_LAYERS, "roles"))
        for spot in case.spots:
            if spot.kind == "old":
                continue
            text = " ".join(spot.text.split())
            for layer, pattern in (*_LAYERS.items(), ("roles", _GENERATOR)):
                for match in pattern.finditer(text):
                    words = match.group()
                    if layer in _NEVER_FREE or not view.shown.verbatim(words):
                        bench.hit(layer, spot.pointer, words)
        return bench.opinion()
