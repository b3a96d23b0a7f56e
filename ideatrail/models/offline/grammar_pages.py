"""How the engine speaks of pages, of what they share and of what it doubts.

`[a|b]` is a choice, `<plural|singular>` follows the number of authors, `{name}` is a slot. Slots
hold names, titles, quotes, terms and statements that come from observations; all else must be true
of any filling that the speaker gives it.
"""

from __future__ import annotations

from typing import Final

MOVES: Final[dict[str, tuple[str, ...]]] = {
    "page_quote": (
        '{cite} put<|s> it like this: "{quote}".',
        'The sentence I would [cite|keep] from {cite} is "{quote}".',
        'On the page of {cite} stands "{quote}".',
        'In the words of {cite}, "{quote}".',
        'What {cite} commit<|s> to is "{quote}".',
        '"{quote}" is the core of what {cite} report<|s>.',
        'I mark "{quote}" in {cite} as quotable.',
        'The abstract of {cite} holds the line "{quote}".',
    ),
    "summary_quote": (
        'The summary kept for {cite} has it that "{quote}".',
        'According to the summary of {cite}, "{quote}".',
        'For {cite} I only have a summary that is not the authors\' own, and it says "{quote}".',
        '"{quote}", says the summary of {cite}, so it can be noted but not quoted as theirs.',
        'Reading the summary of {cite}, I stop at "{quote}".',
        'The note on {cite} that matters to me is "{quote}".',
        'As summarised, {cite} come<|s> down to this: "{quote}".',
    ),
    "page_mech": (
        "What is actually done there: {stmt}.",
        "How it works, as far as the text tells: {stmt}.",
        "The moving part is easy to restate: {stmt}.",
        "Put in my own notes, {stmt}.",
        "The procedure comes down to one step I can picture: {stmt}.",
        "As a component this could be reused: {stmt}.",
        "I write the mechanism into my notes as follows: {stmt}.",
        "So the recipe is this: {stmt}.",
    ),
    "page_finding": (
        "The result I take away is that {stmt}.",
        "They end with a claim I can audit, namely that {stmt}.",
        "If the report holds, {stmt}.",
        "The evidence points one way: {stmt}.",
        "Their numbers aside, the message is that {stmt}.",
        "For the ledger: {stmt}.",
        "What they saw, in short, is that {stmt}.",
    ),
    "page_limit": (
        "There is a catch: {stmt}.",
        "Where it stops is told too: {stmt}.",
        "The text itself concedes something, that {stmt}.",
        "A gap is named there that I should not lose: {stmt}.",
        "I underline the weak point: {stmt}.",
        "This matters more to me than the headline: {stmt}.",
        "What remains open after it: {stmt}.",
    ),
    "page_problem": (
        "The difficulty they start from is worth writing down: {stmt}.",
        "As motivation it gives that {stmt}.",
        "Their complaint is close to mine: {stmt}.",
        "Behind the work stands this trouble: {stmt}.",
        "The page opens with a diagnosis, that {stmt}.",
        "I recognise the problem from the brief: {stmt}.",
    ),
    "page_missing": (
        "The words {missing} do not occur anywhere on that page, so it [answers|covers] only a "
        "part of the question.",
        "I looked for {missing} in it and found none.",
        "It is silent on {missing}.",
        "Not a word there about {missing}, which is exactly the part I would have needed.",
        "Whoever wants to know about {missing} has to look elsewhere, this page leaves it out.",
        "What I miss in {cite} is any mention of {missing}.",
    ),
    "page_shared": (
        "It meets the question on {shared}.",
        "The overlap with what I was asked lies in {shared}.",
        "Through {shared} it ties [straight|directly] into the brief.",
        "I count it as relevant for its treatment of {shared}.",
        "{shared} make it more than background for me.",
    ),
    "page_nonum": (
        "No figure is given in the part I can see, so the size of the effect stays unknown to me.",
        "How large the effect is, {cite} <do|does> not say in the text shown.",
        "I would like a number behind that, but the text of {cite} has none.",
        "It states a direction without a magnitude.",
    ),
    "page_num": (
        'A figure is attached, "{quote}", which I will only repeat inside the quote.',
        'They back it with a number in "{quote}".',
        'The quantity is in the text: "{quote}".',
    ),
    "page_weak": (
        "On reading, {cite} turn<|s> out to be further from the question than the list suggested.",
        "That page was a detour: {cite} treat<|s> a neighbouring matter and I will probably not "
        "use it.",
        "I opened {cite} in vain, at least for this question.",
        "{cite} stay<|s> in the folder, but I see no claim of theirs that I would build on.",
        "Less useful than hoped, {cite}.",
    ),
    "page_failed": (
        "One address gave no page, so what I know of it ends with its entry in the list.",
        "The page behind one of the results cannot be had here, and I do without it.",
        "I could not open one of the papers and will not cite what I have not read.",
    ),
    "compare_split": (
        '{cite_a} and {cite_b} pull apart over {term}: on one side "{qa}", on the other "{qb}".',
        'Set side by side, "{qa}" ({short_a}) and "{qb}" ({short_b}) do not sit easily together.',
        'I see friction here, with "{qa}" ({short_a}) on one side and "{qb}" ({short_b}) on the '
        "other.",
        'Both speak of {term}, but "{qa}" in {cite_a} and "{qb}" in {cite_b} cannot both be the '
        "whole story.",
        'Over {term} the tone differs: hopeful in {cite_a}, guarded in {cite_b} with "{qb}".',
    ),
    "compare_join": (
        "{cite_a} and {cite_b} both work on {term}, which gives me two witnesses for one point.",
        "Reading {cite_a} after {cite_b}, I notice that {term} is common ground.",
        "The thread through {cite_a} and {cite_b} is {term}.",
        "With {cite_a} beside {cite_b} the term {term} starts to look like the field's own name "
        "for a part of this.",
        "{term} links {cite_a} to {cite_b}, though the two ask different things of it.",
    ),
    "cover": (
        "So far {some} of the pages read touch {a}, and none of them {b}.",
        "My notes lean heavily on {a}; about {b} I have nothing yet.",
        "The picture is lopsided, plenty on {a} and silence on {b}.",
        "I have {some} sources for {a} by now, which makes the hole around {b} all the more "
        "visible.",
        "Coverage of {a} is decent, coverage of {b} is nil.",
    ),
    "cover_all": (
        "Between them the pages I read touch {a} as well as {b}.",
        "Both {a} and {b} are now represented among the sources, if not in one and the same paper.",
        "I have material on {a} and on {b}, what I lack is a paper that joins them.",
    ),
    "recall": (
        "I come back to {cite}, where {stmt}.",
        "From {cite} I remember that {stmt}.",
        "This makes me reconsider {cite} and the remark that {stmt}.",
        "Beside it I put something read earlier in {cite}: {stmt}.",
        "It should be held against {cite}, for there {stmt}.",
        "My note on {cite} says that {stmt}, and it fits in here.",
        "What {cite} had to say gains weight now: {stmt}.",
        "One thing from {cite} that I passed over too fast is that {stmt}.",
        "Turning back a few pages, to {cite}: {stmt}.",
        "I ask myself whether it squares with {cite}, according to whom {stmt}.",
        "If I take {cite} at their word, {stmt}.",
        "A point I had filed away under {cite} is that {stmt}.",
    ),
    "so_far": (
        "Where I stand: {sa} ({short_a}), and separately {sb} ({short_b}).",
        "In sum I hold two things, that {sa} and that {sb}; the first is from {cite_a}, the "
        "second from {cite_b}.",
        "Two findings do most of the work at present, one being that {sa}, the other that {sb}.",
        "So far the firmest ground is {cite_a} with the statement that {sa}, followed by "
        "{cite_b}, according to whom {sb}.",
        "To keep it straight: {cite_a} for the point that {sa}; {cite_b} for the point that {sb}.",
        "If someone asked me now, I would answer with {cite_a} that {sa}, and with {cite_b} that "
        "{sb}.",
    ),
    "use_page": (
        "For the question this means that {shared} can be treated as something others have "
        "handled before.",
        "I could use it later as support on {shared}, if nothing better comes.",
        "It goes on the list of candidates for the audit because of {shared}.",
        "That is one piece on {shared}; a second, independent one would make it firmer.",
        "Whether {shared} behave the same way in my setting is another matter.",
        "So {shared} are less of an unknown than I thought before.",
        "On {shared} I now have somebody to disagree with.",
        "It does not settle anything about {shared}, but it narrows the choice.",
    ),
    "doubt": (
        "I am reading short texts and not whole papers, so every judgement of mine is provisional.",
        "None of this tells me yet why it works, only that it is reported to.",
        "I might be fooled by shared vocabulary here.",
        "It could be that the words agree while the settings differ.",
        "What would change my mind is a paper that reports the opposite under the same conditions.",
        "I notice that I believe the papers which use the words of the brief more readily than "
        "the others.",
        "Each of these was tried on its own material, which makes comparing them risky.",
        "My sense of the topic still rests on too few pages.",
    ),
    "hunch": (
        "If {thing} does what it says, its output might serve {goal} too.",
        "A thought to come back to: {thing}, but turned towards {goal}.",
        "I wonder whether {thing} would survive being used for {goal}.",
        "Suppose one had {thing}; then {goal} would need one thing less.",
        "Could {thing} be what {goal} is missing?",
    ),
    "grep_why": (
        "I search my saved pages for {term} to see who [else|besides] speaks of it.",
        "A look through the saved sources for {term} will show whether this is one author's word "
        "or several's.",
        "Which of the pages mention {term} at all is quickly checked.",
        "Before relying on {term} I compare how the saved pages use it.",
        "To avoid trusting my memory I look up {term} across the sources.",
    ),
    "grep_found": (
        "{term} stands in {count} of the saved pages, {names} among them.",
        "Checking the files, {term} is used by {names}.",
        "The term {term} is shared: {names}.",
        "So {names} are the ones who speak of {term}.",
    ),
    "grep_none": (
        "No saved page contains {term}, so I cannot lean on it.",
        "{term} is absent from everything I saved.",
        "My files hold nothing on {term}, which is telling in itself.",
    ),
    "glob_why": (
        "I list what has been saved, to work from files and not from memory.",
        "A glance at the folder tells me what the audit can draw on.",
        "Let me see which sources I really have on disk.",
        "First an inventory of the saved pages.",
    ),
    "glob_seen": (
        "The folder holds {count} sources, enough to work with.",
        "{count} pages are saved, more than I will be able to use.",
        "With {count} saved pages the audit can begin on solid ground.",
    ),
    "view_more": (
        "The page of {cite} goes on beyond what I was shown, and I read the rest.",
        "I have only the beginning of {cite}, so I look at the remainder.",
        "There is more text in the saved copy of {cite} than I have seen.",
    ),
    "view_own": (
        "I reread my {file} before touching it.",
        "Looking over {file} as it stands is the surest way not to contradict myself.",
        "Let me see {file} whole again, after the last changes.",
        "A fresh look at {file} first.",
        "I want the present wording of {file} in front of me.",
    ),
}
