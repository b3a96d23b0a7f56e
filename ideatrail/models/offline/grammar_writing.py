"""How the engine speaks of auditing, synthesising, weighing candidates and proposing.

Same notation as `grammar_search`.
"""

from __future__ import annotations

from typing import Final

MOVES: Final[dict[str, tuple[str, ...]]] = {
    "audit_start": (
        "I have read enough to commit some claims to paper, {count} of them to begin with, all of "
        "them open.",
        "Time to set up the ledger: {count} provisional claims, each to be tied to a passage or "
        "dropped.",
        "The skeleton of the audit gets {count} claims, worded so that a passage could contradict "
        "them.",
        "I begin the claim audit with {count} statements I could defend if pressed, none of them "
        "closed yet.",
    ),
    "audit_choice": (
        "For {id} I start from {cite}, as it is the clearest statement on {terms} I have.",
        "{id} comes out of {cite} and bears on {terms}.",
        "I let {cite} supply {id}, since {terms} are where the question bites.",
        "On {terms} the wording of {cite} is precise enough to become {id}.",
        "The claim numbered {id} leans on {cite} for {terms}.",
        "{terms}: that is the reason for {id}, with {cite} behind it.",
    ),
    "audit_leave": (
        "I leave {cite} out of the ledger, the page adds too little on the question.",
        "{cite} stay<|s> outside for now, as nothing there would change a decision.",
        "There is no claim from {cite}, deliberately: too remote.",
    ),
    "fill": (
        '{id} gets its passage now, "{quote}", straight from what {cite} <give|gives>.',
        'Under {id} I put "{quote}" ({short}).',
        'The support for {id} is one line of {cite}, "{quote}".',
        'I tie {id} to {cite} with "{quote}".',
        '{cite} carr<y|ies> {id} through the passage "{quote}".',
        'For {id} the passage "{quote}" says it without stretching.',
        '{id} rests on "{quote}", word for word in {cite}.',
    ),
    "fill_second": (
        '{id} has a second witness in {cite}, where "{quote}" points the same way.',
        'I add {cite} under {id}, since two sources are better than one: "{quote}".',
        'Besides the first source, {cite} speak<|s> to {id} with "{quote}".',
    ),
    "limit": (
        "Its limitation goes in as well: {limit}.",
        "What {id} does not show: {limit}.",
        "To be fair to {id} I write down that {limit}.",
        "The weak side of {id} is that {limit}.",
        "I must not oversell {id}, for {limit}.",
        "Next to {id} belongs the remark that {limit}.",
    ),
    "support_note": (
        "The support is a summary and not the authors' text, and the entry says so.",
        "As only a summary was read there, I file it as a note and not as a quotation.",
        "I mark the support as coming from an abstract, which is all I have seen.",
        "Since I saw the abstract alone, the support line says abstract and nothing stronger.",
    ),
    "contest": (
        "{a} and {b} cannot both hold without a condition, so I set both to contested.",
        "Putting {a} next to {b} makes me downgrade them to contested.",
        "I change the status of {a} because {b} tells the other half of the story.",
        "{b} limits {a}; calling either of them settled would be wishful.",
        "The pair {a} and {b} is the most interesting friction in the ledger so far.",
    ),
    "contest_why": (
        "One side stresses that {sa}, the other that {sb}.",
        "The first has {sa}, against it stands {sb}.",
        "If it is true that {sa}, one has to explain why {sb}.",
        "The clash is between the report that {sa} and the report that {sb}.",
    ),
    "audit_more": (
        "Later reading gives me {id}, which the first list lacked: {stmt}.",
        "I append {id} after the fact, because {cite} would be a gap otherwise.",
        "The ledger was missing something on {terms}, so {id} is new.",
        "{id} is added now; the others keep their numbers.",
    ),
    "audit_done": (
        "With every claim tied to a passage and given a limitation, I can close the ledger.",
        "No claim is open any longer, and I have resisted calling all of them supported.",
        "The audit stands: {supported} supported, {contested} contested.",
        "Going through it once more, I find each claim with its source, so the file is done for "
        "now.",
    ),
    "audit_weak": (
        "The thinnest entry is {id}, and I rewrite its implication to match what was really shown.",
        "{id} was worded with more confidence than its passage allows, which I correct.",
        "I tone down {id}.",
        "On second reading {id} deserves a narrower implication.",
    ),
    "audit_gap": (
        "None of the claims speaks of {missing}, which I have to remember when I build on them.",
        "The ledger is blind to {missing}.",
        "If an idea depends on {missing}, the ledger will not help me.",
        "Missing from all the claims so far: {missing}.",
    ),
    "syn_start": (
        "Now from single claims to a picture: the synthesis begins as six bare headings.",
        "I lay out the synthesis and leave every section open until I have reread the ledger.",
        "The outline of the synthesis comes first, its contents follow in pieces.",
        "With the claims in place I sketch the synthesis.",
    ),
    "syn_levels": (
        "The trouble sits on more than one level: {a} is about what is observed, {b} about where "
        "it comes from.",
        "I separate the symptom in {a} from the cause that {b} hints at.",
        "What {a} describes is the surface, while {b} points to something underneath.",
        "It helps to ask at which level {a} and {b} speak, and the answer differs.",
    ),
    "syn_base": (
        "The base is {ids}, and I weigh it by how directly each speaks of the question.",
        "For evidence I can call on {ids}.",
        "I rank {ids} by the strength of their support before leaning on them.",
        "Not all of {ids} weigh the same, some are reports and some are wishes.",
    ),
    "syn_mech": (
        "As a hypothesis I write that {thing} matters because of {term}, with {id} as its footing.",
        "{id} suggests a mechanism, {thing}, and I state it as a guess that can fail.",
        "The mechanism I would bet on goes through {term}, following {id}.",
        "Behind {id} I suspect a simple mechanism around {term}.",
    ),
    "syn_tension": (
        "The contradiction worth keeping is {a} against {b}.",
        "{a} and {b} disagree, and the disagreement is productive because it tells where to "
        "intervene.",
        "I resist smoothing over {a} and {b}.",
        "Either {a} or {b} gives way, unless a condition on {term} separates them.",
    ),
    "syn_bound": (
        "None of this reaches beyond the settings named in {ids}.",
        "I draw the boundary where {ids} stop.",
        "Outside of what {ids} tried, everything is extrapolation.",
        "The limits I noted under {ids} become the boundaries of the synthesis.",
    ),
    "syn_dirs": (
        "Several directions follow, and I do not want to choose among them yet.",
        "From here at least three roads lead on.",
        "I list directions without ranking them, the ranking needs its own step.",
        "What could be done next splits into combining, checking and restricting.",
    ),
    "syn_done": (
        "I close the open markers in the synthesis after rereading it against the ledger.",
        "Rereading the synthesis, I sharpen one sentence and let the rest stand.",
        "The synthesis now says what the claims allow and no more.",
        "One correction, and the synthesis can stand.",
    ),
    "idea_start": (
        "I put {count} names on the page before judging any of them.",
        "Candidates first, judgement later: {count} of them, each a different use of what I read.",
        "The list of candidates opens with {count} headings.",
        "I want real alternatives and not one idea with straw men, so there are {count}.",
    ),
    "idea_from": (
        "{id} grows out of {cite_a} and {cite_b}: {gist}.",
        "For {id} I take from {cite_a} and from {cite_b}, so that {gist}.",
        "The point of {id} is that {gist}.",
        "What makes {id} different is this: {gist}.",
        "{id} in one breath: {gist}.",
        "Under {id} I imagine that {gist}.",
    ),
    "idea_alone": (
        "{id} is the plain transfer of what {cite_a} did to a new purpose.",
        "The simplest candidate is {id}, which carries over the step of {cite_a}.",
        "{id} asks what happens if the step of {cite_a} is used here almost unchanged.",
    ),
    "idea_fit": (
        "Against the brief, {id} does best on {shared}.",
        "{id} answers to {shared}, the heart of the brief.",
        "The brief asks for {shared}, and {id} is the one that delivers on it in principle.",
        "Measured by {shared}, {id} leads.",
    ),
    "idea_risk": (
        "What could sink {id} is plain: {risk}.",
        "I worry about {id}, since {risk}.",
        "The honest objection to {id} is that {risk}.",
        "{id} fails if {risk}.",
    ),
    "idea_novel": (
        "I found no page that does both halves of {id}, which is as far as I can vouch for its "
        "novelty.",
        "The nearest neighbour of {id} among what I read is {cite}, and it does only one half.",
        "{cite} come<|s> closest to {id} without doing the same.",
        "After searching I still see room for {id} next to {cite}.",
    ),
    "idea_drop": (
        "{id} goes, {reason}.",
        "I let go of {id}: {reason}.",
        "Against {id} speaks that {reason}.",
        "{id} was tempting, but {reason}.",
        "It is time to drop {id}, for {reason}.",
        "With some regret I reject {id}, because {reason}.",
    ),
    "idea_pick": (
        "That leaves {id}, which I select because {reason}.",
        "My choice is {id}: {reason}.",
        "{id} wins on balance, as {reason}.",
        "I settle on {id}, given that {reason}.",
    ),
    "idea_revise": (
        "Before deciding I sharpen the mechanism of {id}, so that input, computation and output "
        "are named.",
        "{id} was vague about what is computed, which I mend.",
        "Something in {id} was hand-waving, so I rewrite that line.",
        "The new search makes me restate {id} more carefully.",
    ),
    "idea_check": (
        "The decision has to wait for one check, whether a neighbour of {id} exists.",
        "I should try to shoot {id} down before I fall for it.",
        "If someone has built {id} already, better to learn it now.",
        "One more look at the literature around {id} seems fair.",
    ),
    "prop_start": (
        "The chosen candidate needs a plan that somebody else could run, and I start with its "
        "headings.",
        "From {id} to a proposal: first the frame, every section open.",
        "I set up the proposal around {id}.",
        "Writing the proposal begins with its bones.",
    ),
    "prop_part": (
        "I fill {sections} now, drawing on {ids}.",
        "{sections} come first, since the rest hangs on them; the footing is {ids}.",
        "Next are {sections}, with {ids} as support.",
        "With {ids} at hand I write {sections}.",
    ),
    "prop_method": (
        "The method has to say what goes in and what comes out, so I write it as steps.",
        "I keep the method to steps I could code myself.",
        "A method that cannot be checked step by step would be a wish, so each step has an output.",
        "The order of the steps matters more than their wording, and I check it twice.",
    ),
    "prop_eval": (
        "The evaluation must be able to say no, hence a decision rule fixed beforehand.",
        "I tie the decision rule to the strongest baseline and not to the weakest.",
        "A comparison without the parts of the idea switched off would prove little, so ablations "
        "go in.",
        "For data I can only name what the papers I read have used.",
    ),
    "prop_done": (
        "Rereading the proposal, I tighten the decision rule and close what was open.",
        "The proposal can stand once the open markers are resolved.",
        "I compare the proposal with the ledger a last time and correct one sentence.",
        "A final pass over the proposal, then it is done.",
    ),
    "close": (
        "The files agree with one another, and what is left is to say what was chosen and why.",
        "Everything I wanted settled is settled, within the limits of short texts.",
        "I stop here: the choice is made and its reasons are on file.",
        "Nothing is open in the files any more.",
    ),
    "close_doubt": (
        "My main reservation stays that I read abstracts and summaries and few full texts.",
        "If it fails, it will most likely fail where {missing} come in, which no page I read "
        "covers.",
        "What I would do next, given time, is to read {cite} in full.",
        "The choice is defensible, not certain.",
    ),
    "careful": (
        "I keep this step small and say only what the pages themselves say.",
        "A narrower step is wiser here.",
        "Let me stay close to the wording of the sources for a moment.",
        "I take it one piece at a time.",
        "Less at once, and each part checked.",
        "I restrict myself to what I have in front of me.",
    ),
    "next_read": (
        "Next I read more before judging.",
        "There is still reading to do on {missing}.",
        "The entries on {missing} need one more source.",
        "I combine the writing with some further reading.",
        "Meanwhile a few pages remain worth opening.",
    ),
}
