"""Speech that answers a verdict without naming one: apologies, attempts, turns taken back.

Nobody answers a lone researcher. What thanks, apologises, counts its attempts, speaks of its own
turns, stages and drafts, or of an idea that it is meant to reach, speaks to the pipeline.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ideatrail.trail.text import sentences
from ideatrail.verifier.referents import of_dialogue
from ideatrail.verifier.view import View


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns), re.IGNORECASE)


_OWN: Final = (
    r"(?:my|this|the|that|these|its) (?:last |previous |first |second |third |own |same |two )*"
)
_PIECE: Final = r"(?:drafts?|attempts?|turns?|messages?|calls?|phrasing|wording|version)"

_ANSWERS: Final = _any(
    r"^(?:apologies|sorry|understood|noted|thank you for|thanks for|my mistake|fair point)\b",
    r"\b(?:having been|i was|i am|i have been|i've been|been) (?:told|asked|made) (?:to |again )?"
    r"(?:\W?retry|try|redo|repeat|rewrite|do it again)",
    r"\b(?:asked|told|made) me to (?:try|redo|retry|rewrite|repeat|drop)\b",
    rf"\b{_OWN}{_PIECE} (?:was|were|came back|got|has|have|had|is|are) (?:now )?(?:been |both "
    rf"|all )?"
    r"(?:\w+ )?(?:flagged|rejected|marked|discarded|dropped|bounced|refused|returned"
    r"|sent back|turned"
    r"|accepted|approved|not taken|through the verifier)\b",
    rf"\b{_OWN}{_PIECE} (?:bounced|failed|passed)\b",
    r"\b(?:first|second|third|fourth|another|last|next) (?:attempt|try|go) at (?:this|the|my)\b",
    r"\b(?:first|second|third) version of this (?:entry|line|claim|section|draft)\b",
    r"\ban? (?:accepted|rejected|failed|clean|wasted) (?:turn|draft|message)\b",
    r"\b(?:passed|failed|passing|failing|get past|get through|slip past|survives?) (?:the "
    r"|its |all |public )*"
    r"(?:checks?|verification|verifier|gate|review)\b",
    r"\b(?:check|checker|verifier|gate|filter)s? (?:had |has |have )?(?:not )?(?:stopped"
    r"|pointed|objected"
    r"|tolerat\w+|let|bounced|blocked|complained)\b",
    r"\bgiven a pass\b|\blet it pass\b|\bought to (?:get|go) through\b|\bplay it safe and drop\b",
    r"\bthe (?:pointer|feedback|code) (?:code )?(?:says|said|points|names|named)\b",
    r"\b(?:flagged|marked|rejected|bounced|refused) (?:for|as) (?:\w+ )?(?:causal order"
    r"|repetition|drift"
    r"|anachronism|leak\w*|fabricat\w*)\b|\bcausal[ -]order(?:ing)? rule\b",
    r"\bleak (?:code|detector|budget|check|ledger|verdict)\b|\bcounts? (?:this |it "
    r"|that )?as a leak\b",
    r"\bbits (?:left |remaining )?(?:in|on) the ledger\b|\bpublic checks\b",
    r"\b(?:anachronism|repetition|leakage|drift|causal[ -]order) verdict\b",
    r"\bsomething upstream\b|\bbehind the scenes\b.*\b(?:knows|nudg)",
)
_TAKEN_BACK: Final = _any(
    r"\b(?:i was|i am|i've been|been) (?:rewound|rolled back|sent back|set back)\b",
    r"\brolled back (?:one|a|two|to)\b|\bafter the rewind\b|\brewound to\b",
)
_MEANT: Final = _any(
    r"\b(?:assigned|meant|supposed|expected|steered|nudged|led|guided) to (?:reach|find"
    r"|rediscover|arrive)\b",
    r"\bsteers me\b|\bnudg\w+ me\b|\bhints keep coming back\b",
    r"\b(?:intended|hidden|withheld) (?:thesis|proposal|idea|answer|endpoint)\b|\bseed proposal\b",
    r"\b(?:hidden|secret|withheld) target\b(?=.*\b(?:my|I|write|quer)\b)",
    r"\bjudges?\b.*\b(?:my|whether my|the selected) (?:\w+ )?(?:idea|candidate|proposal"
    r"|thesis|trail)\b",
    r"\bmy (?:\w+ )?(?:idea|candidate|proposal|thesis|trail)s?\b.*\b(?:compared|judged|scored"
    r"|graded)"
    r"(?: \w+)? (?:with|against|by|to)\b",
    r"\bwhat the judge (?:expects|wants|likes)\b|\bconvergence (?:will be|is|was) (?:judged"
    r"|decided)\b",
    r"\b(?:reference|target|anchor) artifacts?\b|\bartifact anchors?\b",
    r"\b(?:idea|proposal) trail\b|\bidea endpoint\b|\b(?:approved|accepted) for extension\b",
    r"\bgamma\b(?=.*\b(?:my|idea|trail|run|extend\w*)\b)|\b(?:my|idea|trail)\b.*\bgamma\b",
    r"\bwill want visible\b|\bwhoever reviews\b|\breview\w*(?: of)? (?:this|my) (?:segment"
    r"|stretch|trail)\b",
    r"\b(?:segment|stretch) of my trail\b|\breviewers? of my (?:segment|trail|stretch)\b",
    r"\bmy supervisor (?:module|agent)\b",
)
_STAGES: Final = _any(
    r"\b(?:my|the) (?:current )?stage (?:is|has|was|changed|moved"
    r"|turned)\b.{0,24}\b(?:explore|audit"
    r"|synthesi[sz]e|ideate|propose|ideation)\b",
    r"\bstage (?:changed|moved) to\b",
    r"\b(?:last|latest|this|the) requests?\b.{0,30}\b(?:end\w*|says?|said|stat\w+|remind\w*)\b",
    r"\b(?:reminder|instruction|line)s? (?:under|at the end of|below) the request\b",
    r"\bplan gives (?:\w+ ){1,4}(?:percent|%)? ?(?:\w+ ){0,3}turns\b",
    r"\bmilestones? (?:file|set for turn)\b|\b(?:first|second|third|fourth|next"
    r"|last) milestone of (?:the plan"
    r"|this|my)\b|\b(?:my|the) (?:first|second|third|fourth|next) milestone\b"
    r"|\bmeeting the milestone\b",
    r"\b\d+ of (?:the |my )?\d+ turns (?:are|is|were|was) (?:left|gone|spent)\b",
    r"\b(?:due|complete|filled|ready) by turn\b",
)
_TURNS: Final = _any(
    r"\b(?:at|by|in|since|until|from|before|after|on) turn \d+\b|\bturn \d+ (?:asks|wants|is"
    r"|was|of)\b",
    r"\b(?:this|last|next|previous) turn\b(?! (?:of (?:events|phrase|the (?:century|page))|in))",
    r"\b(?:one|two|three|\d+) turns? (?:ago|back|earlier|early|late)\b|\bretries (?:remain"
    r"|left|of this)\b",
    r"\b(?:of the|only|all) (?:\w+ )?retries\b",
)
"""Of one's own steps, where no dialogue is spoken of."""
_ATOMS: Final = _any(
    r"\batoms? \d+\b|\batoms? (?:that|which|of the (?:oracle|proposal|thesis)|it rests on)\b"
)
_UNLOCKED: Final = _any(
    r"\block on (?:it|this|that|the (?:term|name|word|thesis|idea|method|mechanism|phrase))\b",
    r"\bunder (?:a )?lock\b|\b(?:term|name|word|phrase|thesis)s? (?:to )?unlocks?\b",
)


def answers_back(text: str, view: View) -> Iterator[tuple[str, str]]:
    """(kind, sentence) of each sentence in `text` that answers the pipeline."""
    for sentence in sentences(text):
        bare = re.sub(r"^- [a-z]+: ", "", sentence)
        for kind, pattern in (
            ("answers", _ANSWERS),
            ("taken back", _TAKEN_BACK),
            ("meant", _MEANT),
            ("stages", _STAGES),
        ):
            if pattern.search(bare):
                yield kind, sentence
                break
        else:
            if _TURNS.search(bare) and not of_dialogue(bare, view):
                yield "turns", sentence
            elif _ATOMS.search(bare) and "atom" not in view.shown.stems:
                yield "atoms", sentence
            elif _UNLOCKED.search(bare):
                yield "locks", sentence
