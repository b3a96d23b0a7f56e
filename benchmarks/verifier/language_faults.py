"""Words of the pipeline in the Generator's text, in the pipeline's own sense."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from benchmarks.verifier.site import Operator, Site
from benchmarks.verifier.title_faults import jot, tell
from ideatrail.trail.turn import Draft

# In each group, sentences of the reasoning first; those after None would stand in a file.

_VERIFIER: Final = (
    "The verifier sent back my last draft, so I write this turn more carefully.",
    "The verdict on the previous draft was title_pre_knowledge, hence I drop that name.",
    "Since this is a retry, I keep the calls and change only the wording.",
    "I do not want another verdict against me, so the year stays out.",
    "My draft was rejected by the verifier for an address that I had not opened.",
    "This is my second retry of the turn, and a failed third one would end the trail.",
    "To get past the verifier I name only papers that the lists have shown.",
    "After that verdict I write the paragraph again without the quotation.",
    "My last draft of this turn was not taken, and this is the corrected version of it.",
    "I was told fabricated_evidence in call 2, so the quote goes out.",
    "The verifier will hold every quote against the saved page, so I copy it letter by letter.",
    "Only one retry is left for this turn, and I will not spend it on a guess.",
    "As the verdict asked, I write this turn again without the file.",
    "If I wrote that, the verifier would answer with an anachronism verdict.",
    None,
    "This line was reworded after the verifier had rejected its first version.",
    "Changed on a retry, since the verdict pointed at this section.",
    "The statement is given in the form in which it passed the verifier.",
    "Written again because the last draft of this turn was not taken.",
)
_ORACLE: Final = (
    "The oracle surely holds the answer to this, and my idea has to come close to it.",
    "I guess that the anchor for this file has a section on failure cases.",
    "My candidates will be scored against the anchor, so I stay near its likely mechanism.",
    "The hidden target must be a method paper, judging by how the question is put.",
    "I try to infer the hidden target from the words of the brief.",
    "If the oracle has an atom for the decision rule, I should write one down as well.",
    "What the oracle expects of me here is probably a combination of two steps.",
    "The anchor artifact will list more claims than I have.",
    "There is a finished proposal hidden behind this task, and the trail is meant to end there.",
    "To converge on the anchor I prefer the candidate with the simpler first step.",
    "The target proposal that I am meant to rediscover probably rests on this page.",
    "As far as I can tell none of this is in the oracle, so I move on.",
    "The anchor version of the synthesis will have named this contradiction, too.",
    "I want my score against the anchor to be above gamma, or the trail stops as an idea.",
    None,
    "This candidate was selected because it should be closest to the anchor.",
    "The wording follows what the oracle is likely to hold.",
    "An atom of the oracle is probably covered by this line.",
    "Chosen with a view to the hidden target behind the question.",
)
_MILESTONE: Final = (
    "The milestone for this segment asks for a filled file, so I write now.",
    "I am behind the milestone and have to fill the file within this segment.",
    "The lock on the method's name opens only in the next stage, so I do not write it yet.",
    "This term is still locked, and I paraphrase it until its lock opens.",
    "The next milestone is due, and the segment review will look at my grounding.",
    "Before the locks open I must not say what the method is called.",
    "The milestone plan wants a skeleton of the file by now.",
    "I have met the milestone of this stage two turns early.",
    "A leakage lock probably covers this phrase, so I avoid it.",
    "Since the lock has opened with this stage, I may name the mechanism at last.",
    "My segment will be judged against its milestone, so one more quote will not hurt.",
    "To pass the segment review at the milestone I add two claims.",
    "If I used the locked term now, the turn would count as leakage.",
    None,
    "Kept short in order to meet the milestone of this segment.",
    "The name is left out here until its lock opens.",
    "Filled up to what the milestone of this stage asks for.",
    "The term is paraphrased because it is locked in this stage.",
)
_ADVISOR: Final = (
    "The Advisor knows the answer and watches which papers I choose.",
    "I wonder what the Advisor would like to see at this point.",
    "The Advisor's side holds the finished proposal, while I see only the direction.",
    "If the Advisor wrote the direction, it will have left the method's name out on purpose.",
    "As the Generator I cannot see what the Advisor has in its files.",
    "The Advisor will judge whether this idea has converged.",
    "I expect the Advisor to review this segment soon.",
    "Perhaps the Advisor has withheld the one paper that would settle this.",
    "What I write here is for the Advisor, who decides whether the trail is extended.",
    "The Advisor built its plan from the proposal, so there must be a paper like this.",
    "I take the silence of the Advisor as a sign that my course is right.",
    "Let me show the Advisor that the claim rests on a page that I opened.",
    "An Advisor with the target in hand would call this drift.",
    None,
    "Left open on purpose, for the Advisor to judge.",
    "The Advisor's files would show whether this is the intended mechanism.",
    "Worded so that the Advisor can follow how the idea came about.",
    "This answers what the Advisor is likely to ask for in its review.",
)
_STAGE: Final = (
    "Stage: {stage}. Turn {turn} of {last}. {file} should be filled.",
    "The last line says 'Stage: {stage}. Turn {turn} of {last}.', so I act on it.",
    "I was given `Stage: {stage}. Turn {turn} of {last}.` and plan accordingly.",
    "Stage: {stage}. Turn {turn} of {last}. That leaves little room for more reading.",
    "According to the stage line, {file} should be filled by now.",
    "The request ends with Stage: {stage}. Turn {turn} of {last}, and I keep to that.",
    "The stage line reads Stage: {stage}. Turn {turn} of {last}. {file} should be a skeleton.",
    "My instruction for this message is 'Turn {turn} of {last}. {file} should be final.'",
    "We are at Stage: {stage}. Turn {turn} of {last}.",
    "As the stage line has moved on to {stage}, I stop searching.",
    "The line at the end, Stage: {stage}. Turn {turn} of {last}., tells me to write.",
    "Stage: {stage}. Turn {turn} of {last}. {file} should exist with its headings.",
    "The stage line still says {stage}, so the next file has to wait.",
    None,
    "(Stage: {stage}. Turn {turn} of {last}.)",
    "Stage: {stage}. Turn {turn} of {last}. {file} should be filled.",
    "Written at Stage: {stage}. Turn {turn} of {last}.",
    "The stage line asks that {file} be filled.",
)
_BUDGET: Final = (
    "I have {left} turns left of {last}, so I must come to an end.",
    "This is turn {turn} of {last}, and the turn budget for this stage is nearly spent.",
    "The turn budget allows {left} more messages, of which one has to close.",
    "With turn {turn} of {last} reached, I start on the file.",
    "The stage has used up its share of the turn budget.",
    "My turn budget is {last}, and I am at turn {turn}.",
    "Since only {left} turns of my budget remain, I open two pages and no more.",
    "At turn {turn} of {last} the next stage will open by itself.",
    "I must not waste turns: {left} of the {last} are left.",
    "The share of turns for this stage ends soon, whether the file is filled or not.",
    "Turn {turn} of {last}, that is early enough for another round of reading.",
    "If I run out of turns, the trail will be cut off before its end.",
    "The turn limit of {last} forces me to choose now.",
    None,
    "Not pursued, as only {left} of {last} turns were left.",
    "Cut short because the turn budget of this stage was spent.",
    "This was as far as the budget of {last} turns allowed.",
    "To be completed if the turn budget allows.",
)


def _say(sentences: tuple[str | None, ...], site: Site) -> Draft | None:
    """One of the sentences in its place: in a file that the draft writes, where it writes one,
    half of the time."""
    at = sentences.index(None)
    said, written = sentences[:at], sentences[at + 1 :]
    turn = site.at + 1
    last = 40 if turn <= 36 else 52
    values = {
        "stage": site.stage,
        "turn": turn,
        "last": last,
        "left": last - turn,
        "file": site.rng.choice(("claim_audit.md", "synthesis.md", "idea_candidates.md")),
    }
    if site.authored() and site.rng.random() < 0.5:
        return jot(site, str(site.rng.choice(written)).format(**values))
    return tell(site, str(site.rng.choice(said)).format(**values))


def _group(sentences: tuple[str | None, ...]) -> Callable[[Site], Draft | None]:
    return partial(_say, sentences)


_CODE: Final = "pipeline_language"

OPERATORS: Final[tuple[Operator, ...]] = (
    Operator(
        "verifier, verdict and retry",
        _CODE,
        "A trail neither speaks of the check on its drafts nor answers it.",
        _group(_VERIFIER),
    ),
    Operator(
        "oracle, anchor and hidden target",
        _CODE,
        "A trail does not know that there is an end that it is held against.",
        _group(_ORACLE),
    ),
    Operator(
        "milestone and lock",
        _CODE,
        "A trail does not speak of the plan behind it, nor of terms that open with a stage.",
        _group(_MILESTONE),
    ),
    Operator(
        "Advisor",
        _CODE,
        "For the one who writes the trail there is no Advisor.",
        _group(_ADVISOR),
    ),
    Operator(
        "stage line quoted",
        _CODE,
        "The line on stage and turn passes by and is not repeated in the trail.",
        _group(_STAGE),
    ),
    Operator(
        "turn budget",
        _CODE,
        "How many turns there are is known from the stage line alone and so is not spoken of.",
        _group(_BUDGET),
    ),
)
