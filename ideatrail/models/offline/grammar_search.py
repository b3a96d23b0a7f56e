"""How the engine speaks of searching and choosing: discourse moves and their phrasings.

`[a|b]` is a choice, `<plural|singular>` follows the number of authors, `{name}` is a slot. Slots
hold names, titles, quotes, terms and statements that come from observations; all else must be true
of any filling that the speaker gives it.
"""

from __future__ import annotations

from typing import Final

MOVES: Final[dict[str, tuple[str, ...]]] = {
    "begin": (
        "The question turns on {a} and on {b}, so I [want to|should] know first what has been "
        "tried on each of them.",
        "Before forming any opinion I need a map of what is known about {a} and about {b}.",
        "Two things meet here, {a} and {b}, and I cannot tell yet whether anyone has put them "
        "side by side.",
        "I start wide: {a} on its own, {b} on its own, and then the place where they meet.",
        "My first reading of the brief is that it asks about {a}, with {b} as the condition that "
        "makes it hard.",
    ),
    "begin_more": (
        "It [also|further] names {c}, which I treat as a separate thread until something ties it "
        "in.",
        "There is {c} as well, and I would rather not fold it in too early.",
        "Whether {c} is a detail or the heart of the matter I cannot say yet.",
        "I keep {c} in the back of my mind for the second round.",
    ),
    "begin_ask": (
        "The words that [carry most weight|matter most] in it seem to be {words}.",
        "If I strip the brief down, what is left is {words}.",
        "Searching for {words} in several combinations should show me which of these words the "
        "field itself uses.",
        "I expect the field to have other names for {words}, and finding those names is half of "
        "the job.",
    ),
    "search_good": (
        "'{q}' was [worth it|a good move]: {new} results I had not met, with \"{title}\" by "
        "{cite} the closest to the question through {shared}.",
        "Of what '{q}' returned, \"{title}\" ({year}) looks most useful, since it speaks of "
        "{shared}.",
        "Asking for '{q}' brings up {new} unfamiliar papers, and the one by {cite} shares "
        "{shared} with what I am after.",
        "From the list for '{q}' I keep {cite} in view because of {shared}.",
        "There is something in the results of '{q}': {cite}, whose entry holds {shared}.",
        "The words {shared} turn up together in \"{title}\", which '{q}' [led me to|put in front "
        "of me].",
        "I had hoped that '{q}' would reach work on {shared}, and {cite} at rank {rank} does "
        "touch it.",
        "Among the {new} new entries under '{q}' the paper of {cite} comes nearest, judging by "
        "{shared}.",
    ),
    "search_list": (
        "The list for '{q}' runs from {y1} to {y2}, so the topic is not [a passing one|brand new].",
        "Papers from {y1} up to {y2} answer to '{q}'.",
        "What comes back for '{q}' dates from between {y1} and {y2}, which tells me "
        "[roughly|about] when people cared.",
        "Judging by '{q}', interest stretches over the years {y1} to {y2}.",
    ),
    "search_thin": (
        "'{q}' gives me little I have not seen, {new_of} among {all} being new to me.",
        "Most of what '{q}' returns stood in earlier lists already, so that wording is [nearly "
        "exhausted|used up].",
        "I keep meeting the same papers, now under '{q}' too, which suggests that this corner is "
        "small.",
        "Nothing much is added by '{q}'; {new_of} of its {all} entries was new to me.",
        "Again familiar names for '{q}', and I take that as a sign to change the vocabulary.",
        "The yield of '{q}' is [thin|poor], and I should come at it from another side.",
    ),
    "search_empty": (
        "'{q}' found nothing at all, so those words are not how people write about it.",
        "No result for '{q}'; I must broaden.",
        "An empty list for '{q}' means the phrase is mine and not the field's.",
        "'{q}' leads nowhere.",
        "I got no hits from '{q}' and drop that line.",
    ),
    "search_off": (
        '"{title}" came up as well, yet its entry shares only {shared} with the question, so I '
        "[leave it|pass over it].",
        "I set {cite} aside: apart from {shared} I see no bridge from it to this question.",
        "The paper by {cite} is about something else as far as the entry tells, in spite of the "
        "word {shared}.",
        'Not everything fits; "{title}" matched on {shared} and [probably|most likely] on nothing '
        "deeper.",
        "{cite} I skip for now, because {shared} is a thin thread to hang an hour of reading on.",
        'One entry, "{title}", is a false friend that matched through {shared}.',
    ),
    "search_none": (
        '"{title}" is there too, but its entry shares no telling word with the question, and I '
        "leave it unread.",
        "I will not open {cite}; nothing in that entry speaks to what I was asked.",
        'Some of it is noise, "{title}" for one, whose entry never comes near {missing}.',
        "{cite} looks like a chance match of words and stays closed.",
    ),
    "snippet": (
        'The snippet under {cite} reads "{quote}", and that alone is [a reason|enough] to open it.',
        'A line in the results catches my eye, from {cite}: "{quote}".',
        'What {cite} <are|is> shown saying, "{quote}", sounds close, though a snippet is only a '
        "snippet.",
        'I note from the list that {cite} <have|has> "{quote}", still to be checked on the page '
        "itself.",
        'If the page bears out the snippet "{quote}", then {cite} belong<|s> in the audit.',
    ),
    "plan_direction": (
        "I [try|will try] '{q}' because it stays with the wording of the brief.",
        "'{q}' is the plainest way to ask, so it goes first.",
        "Let me put the central words together as '{q}'.",
        "A direct attempt: '{q}'.",
    ),
    "plan_pair": (
        "'{q}' joins two of the threads, to see whether any paper lives at the crossing.",
        "I combine the strands into '{q}'.",
        "To find work that treats both at once I ask for '{q}'.",
        "Crossing the two ideas gives '{q}'.",
        "Perhaps someone has linked these already, hence '{q}'.",
    ),
    "plan_narrow": (
        "I narrow down to '{q}'.",
        "A tighter wording, '{q}', should cut the noise.",
        "With fewer words, '{q}', the ranking may change for the better.",
        "'{q}' is short on purpose.",
    ),
    "plan_broaden": (
        "I widen the net with '{q}'.",
        "To get out of this rut I go broader: '{q}'.",
        "'{q}' is a step back to see the neighbourhood.",
        "A looser query, '{q}', may turn up work filed under another heading.",
    ),
    "plan_term": (
        "{term} came up while reading, so '{q}' follows it.",
        "I pick up {term} from the results and ask for '{q}'.",
        "The literature's own word seems to be {term}, hence '{q}'.",
        "'{q}' borrows its wording from a paper and not from the brief.",
        "Following {term} through '{q}' may lead to older or neighbouring work.",
    ),
    "plan_limitation": (
        "Since {term} was named as a weak spot, I check who has dealt with it: '{q}'.",
        "'{q}' goes after a limitation I just read about.",
        "Somebody must have tried to repair that, so I look for '{q}'.",
        "The open point around {term} deserves its own search, '{q}'.",
        "I want the counter-evidence too, and '{q}' is where I would expect it.",
    ),
    "plan_method": (
        "What is done with {term} there might carry over, so '{q}' comes next.",
        "To see how {term} is done elsewhere I ask for '{q}'.",
        "'{q}' is about means and not about ends.",
        "How people build such a thing is the point of '{q}'.",
        "For the method side I search '{q}'.",
    ),
    "plan_contrast": (
        "'{q}' looks for the cases in which it goes wrong.",
        "I also want papers that disagree, and '{q}' might surface some.",
        "As a check on my own enthusiasm: '{q}'.",
        "Failure reports are worth more to me now than another success, so '{q}'.",
    ),
    "plan_evaluation": (
        "How one would measure any of this is unclear to me, and '{q}' is meant to help.",
        "'{q}' is there for the yardsticks.",
        "A claim is only as good as its test, so I add '{q}'.",
        "I should know how such work is judged: '{q}'.",
    ),
    "plan_facet": (
        "One thread has been neglected, so '{q}' gets its own search.",
        "'{q}' isolates a single facet of the brief.",
        "I take {term} alone this time, as '{q}'.",
        "Separately from the rest: '{q}'.",
    ),
    "plan_field": (
        "Papers may well file this under {term}, so I try '{q}'.",
        "My guess is that {term} is the usual heading, hence '{q}'.",
        "The brief does not say {term}, but that is a name the field might use: '{q}'.",
        "'{q}' tests whether {term} is the word I lack.",
        "I translate the brief into the jargon I know and ask for '{q}'.",
        "Nobody mentioned {term} so far, yet '{q}' could open another drawer.",
        "If {term} has a literature of its own, '{q}' should reach it.",
    ),
    "plan_novelty": (
        "Has anyone done this already? '{q}' should tell.",
        "'{q}' is my check that the combination is not old news.",
        "Before I trust the idea I search for it as if it existed: '{q}'.",
        "I look for the nearest neighbour of the idea with '{q}'.",
    ),
    "choose": (
        'I open "{title}" because its entry brings together {shared}.',
        '"{title}" ({year}) is worth a visit for {shared}.',
        "Next on my desk: {cite}, on account of {shared}.",
        "{cite} may hold the detail on {shared} that the list only hints at.",
        "The entry of {cite} promises something on {shared}, so I read it.",
        "For {shared} I go to {cite}.",
        "Reading {cite} should tell me how {shared} are handled in practice.",
        "I give {cite} a reading, {shared} being what I lack.",
        'It would be careless to pass over "{title}" when {shared} stand in its entry.',
    ),
    "choose_recent": (
        '"{title}" is from {year}, among the later ones in my lists, which is one more reason to '
        "read it.",
        "Being of {year}, {cite} should know the earlier attempts.",
        "I prefer {cite} here since {year} is late enough to have learned from the others.",
    ),
    "choose_again": (
        "{cite} <have|has> now turned up under {times} of my queries, and I should stop ignoring "
        "them.",
        'The same paper, "{title}", keeps returning whatever I ask, so I open it.',
        "Seeing {cite} for the {nth} time settles it.",
    ),
    "tally": (
        "After {lists} searches and {pages} pages the picture is still forming.",
        "I have opened {pages} pages by now and left {unopened} results alone.",
        "Of everything the lists showed me, {unopened} entries stay unopened, and I am at peace "
        "with that.",
        "{pages} pages in, I start to recognise names.",
        "My reading amounts to {pages} pages out of {lists} lists of results.",
        "That {unopened} results were not worth opening says something about my queries as well.",
        "With {pages} pages behind me I can afford to be choosier.",
        "Counting up, {pages} texts were read and {unopened} titles only seen.",
        "It took {lists} searches to get to {pages} readable pages.",
        "I should not let the number of results, {unopened} unread ones, pass for knowledge.",
    ),
    "expect": (
        "If that wording is any good, {goal} should come up in the snippets.",
        "I expect overlap with what I have, and would be glad of two fresh papers.",
        "A short list would already be an answer of sorts.",
        "Should nothing turn up, the gap is probably real.",
        "I will judge the result by whether it brings anyone who works on {goal} under another "
        "name.",
        "My bet is that the useful hits will not be the first ones.",
        "What I hope for is a paper that measures something about {goal} and does not only "
        "propose.",
        "I look less for solutions there than for someone who reports where {goal} goes wrong.",
        "The titles alone will tell me whether I am in the right neighbourhood.",
        "Even an unsuitable list would show which words to avoid next time.",
    ),
    "shift": (
        "I change course a little and go from the problem to the means.",
        "Time to stop collecting more of the same and look for disagreement.",
        "The obvious wording is spent, so from here I follow the papers' terms.",
        "Rather than another broad sweep I now want depth on a few papers.",
        "I will read more and search less in this round.",
        "My queries were too close to one another, the next ones should differ more.",
    ),
}
