"""write_direction: the user's message, from the question and the allowed context alone.

(Paper, section 4.5.) The answer must leave the way open: a question that names its method is
turned into the problem that the method is for.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final

from ideatrail.models.offline.advisor.forbidden import Forbidden
from ideatrail.models.offline.advisor.material import Material
from ideatrail.models.offline.advisor.names import is_common, looks_coined, texts_of
from ideatrail.models.offline.advisor.pieces import sentences_of
from ideatrail.models.offline.advisor.rephrase import open_question
from ideatrail.models.offline.advisor.topic import topic_of
from ideatrail.trail.answers import DirectionAnswer
from ideatrail.trail.text import STOPWORDS, content_stems

_MOST_QUESTIONS: Final = 2
_LONGEST: Final = 55
"""Words of a question; longer ones tell more than they ask."""
_PIPELINE: Final = ("oracle", "advisor", "verdict", "milestone", "hidden target")
_OWN_VOICE: Final = re.compile(
    r"\b(?:we|our|ours|us|i|my|me|you|this (?:paper|work|proposal|project|study|research|"
    r"approach|method)|"
    r"(?:the|our) proposed|propos\w+|novel|here,|fig(?:ure)?\.?|table|section|et al)\b"
    r"|[$\\{}|]|https?:|\d{4}\)",
    re.IGNORECASE,
)
_PROBLEM: Final = re.compile(
    r"\b(?:however|yet|although|despite|challeng\w+|difficult\w*|limit\w*|fail\w*|struggl\w+|"
    r"lack\w*|costl?y?|expensive|poor\w*|problem\w*|remain\w*|unclear|unknown|errors?|wrong\w*|"
    r"bias\w*|hallucinat\w+|risk\w*|suffer\w*|cannot|hard|brittle|bottleneck\w*|nothing|"
    r"neither|nor|"
    r"overlook\w*|ignor\w+|blind|mislead\w*|inconsisten\w+|unreliab\w+|degrad\w+|hinder\w*|rarely|"
    r"mistake\w*|wins?|inefficien\w+|labor-intensive|time-consuming|undermin\w+|susceptible|not)\b",
    re.IGNORECASE,
)
_SOLVED: Final = re.compile(
    r"\b(?:can help|could help|offers?|strateg(?:y|ies) for|inspir\w+|humans? often|promising|"
    r"enabl\w+|"
    r"advantages?|leverag\w+|should|would|we need|is needed|potential to|improves|allowing|"
    r"crucial to|"
    r"effectively|largely unexplored|gap|needs? for|essential|urgent)\b",
    re.IGNORECASE,
)
"""Signs that a sentence tells of a way out, or of the gap that the proposal will fill."""
_CONNECTIVE: Final = re.compile(
    r"^(?:However|Yet|But|Moreover|Furthermore|Additionally|In addition|Thus|Therefore|Hence|"
    r"Also|Still|"
    r"Nevertheless|Nonetheless|And|So|Indeed|Specifically|In particular|Unfortunately)\b,?\s+"
    r"|^This raises (?:a|the) (?:\w+ )?question:\s+|^(?:written out|in short|in other words):\s+"
    r"|^The (?:motivation|problem|issue|challenge|reason|difficulty) is that\s+",
    re.IGNORECASE,
)
_POINTS_BACK: Final = re.compile(
    r"\b(?:of|with|for|to|by) (?:this|these|those|them)\b|\b(?:this|these) (?:issue|problem|"
    r"signal|gap|question|"
    r"limitation|approach|idea|trend|step)s?\b|\bthese (?:do|are|can|fail|will)\b"
    r"|\b(?:this|it)[.,]",
    re.IGNORECASE,
)
"""Words that point to a sentence which does not stand in the message."""
_THING: Final = re.compile(r"^(?:An?|The)\s+[A-Z]\w+[ -][A-Z]\w+")
"""A named part of what is to be built."""
_ANAPHOR: Final = re.compile(
    r"^(?:they|these|this|it|its|their|such|those|that|second|third|first|next|then|finally|"
    r"another|some|"
    r"here|similarly|to (?:address|this|do|overcome)|in contrast|by |for (?:example|instance)|"
    r"as a result|both|"
    r"all of|neither|either|one (?:such|of)|other|others|he|she|in other words|consequently|"
    r"instead|"
    r"do|does|require[sd]?|increasingly|shown|given|using|in this|in that|"
    r"the (?:above|former|latter|same|resulting|second|first|concept|core|key|central))\b",
    re.IGNORECASE,
)
_BUILT: Final = re.compile(
    r"\b(?:frameworks?|pipeline|objectives?|components|baselines?|ablation\w*|benchmarks?|"
    r"hypothes[ie]s|"
    r"metrics related|prototype|novel|propose[ds]?|our)\b",
    re.IGNORECASE,
)
_ABOUT_FORM: Final = re.compile(
    r"^(?:this is an? \w+ (?:paper|study|project)|this (?:\w+ )?(?:is (?:interesting|"
    r"important)|can (?:offer|help))|"
    r"the proposed|step \d|hypothes[ie]s|(?:for (?:example|instance)|e\.g\.).*[\d\"“])"
    r"|.*\b(?:does|do|can|would|will|is) (?:that|this|it|they)\b",
    re.IGNORECASE,
)
_OPENINGS: Final = (
    "There is a problem I would like you to look into.",
    "I need a fresh look at something that has bothered me for a while.",
    "I would like to start a project and need someone to read into it first.",
    "Here is a question I keep coming back to.",
)
_WONDER: Final = (
    "What could be done about this, and how would we know that it works?",
    "What would make a real difference here, and how could it be tested?",
    "I wonder what is behind this and what would change it.",
    "What explains this, and what would a better answer look like?",
)
_CLOSINGS: Final = (
    "Please read what has been published, work out what is well supported and where results "
    "conflict, "
    "and settle on one idea that is worth testing.",
    "Go through the literature first, note what holds up and what does not, and come back with a "
    "research idea that follows from it.",
    "Look at how others have dealt with it, weigh their evidence against each other, and bring "
    "me one "
    "concrete idea for a study together with the alternatives you dropped.",
    "I have no solution in mind: find out what is known and what is disputed, and develop an idea "
    "that could be put to a test.",
)


def write_direction(material: Material) -> DirectionAnswer:
    """A message of two to five sentences and a topic phrase, free of every forbidden term.

    `<question>` and `<context>` give its words; `<forbidden>` and `<feedback>` only take away. What
    feedback names is forbidden from then on. Each piece that names nothing makes the message barer:
    first without means and context, then the topic alone.
    """
    question = material.text("question")
    context = material.text("context")
    feedback = material.data("feedback")
    told = texts_of(feedback) or [t for t in [material.text("feedback")] if t]
    named, level = _terms_in(told)
    forbidden = Forbidden.of([*texts_of(material.data("forbidden")), *named, *_PIPELINE])
    pick = int.from_bytes(hashlib.sha256(f"{question}|{told}".encode()).digest()[:4], "big")

    asked = _questions(question, forbidden, strict=level > 0) if level < 3 else []
    most = 2 if not asked else int(level == 0 and len(asked) < 2)
    known = _context(context, question, asked, forbidden, most) if level < 2 else []
    told_of = sorted(asked, key=lambda a: not a.endswith("?"))
    topic = topic_of([*(told_of or [_without_names(question)]), *known], forbidden)
    parts = [*known, *asked]
    if not asked:
        parts.insert(0, f"The topic is {topic}.")
    elif not any(not p.endswith("?") for p in parts):
        parts.insert(0, _choose(_OPENINGS, pick, forbidden))
    if not any(p.endswith("?") for p in parts):
        parts.append(_choose(_WONDER, pick // 7, forbidden))
    parts.append(_choose(_CLOSINGS, pick // 53, forbidden))
    return DirectionAnswer(direction=" ".join(parts), topic=topic)


def _questions(question: str, forbidden: Forbidden, *, strict: bool) -> list[str]:
    """Open questions and problem statements from the research question; statements come first."""
    asked: list[str] = []
    stated: list[str] = []
    for sentence in sentences_of(question):
        if sentence[0].islower() and (asked or stated):
            continue  # the tail of something else
        sentence = _without_names(_CONNECTIVE.sub("", sentence))
        sentence = sentence[:1].upper() + sentence[1:]
        points_back = _ANAPHOR.match(sentence) and not sentence.endswith("?")
        if _ABOUT_FORM.match(sentence) or (points_back and not (asked or stated)):
            continue
        made = open_question(sentence, forbidden, strict=strict)
        if made is None or len(made.split()) > _LONGEST or _plan(made):
            continue
        if made.endswith("?") and not _repeats(made, asked):
            asked.append(made)
        elif not made.endswith("?") and not _repeats(made, stated):
            stated.append(made)
    if asked:
        return stated[:1] + asked[:_MOST_QUESTIONS] if stated else asked[:_MOST_QUESTIONS]
    return stated[:_MOST_QUESTIONS]


def _without_names(text: str) -> str:
    """`text` without names shaped like a benchmark's, or without the phrase that ends in one."""

    def odd(word: str) -> bool:
        return bool(_CAMEL.search(word)) and not is_common(word)

    for name in [w for w in re.findall(r"[\w-]+", text) if odd(w)]:
        phrase = (
            r"(?:\s+(?:in|on|of|for|with|from|to|at|using|via)(?:\s+the)?)?\s+"
            + re.escape(name)
            + r"(?=\s*(?:[,.;:?!)]|$|and\b|or\b))"
        )
        text = re.sub(phrase, "", text)
        text = re.sub(rf"\b{re.escape(name)}\s+(?=[a-z])", "", text)
    return text


_CAMEL: Final = re.compile(r"[a-z][A-Z]")


def _plan(text: str) -> bool:
    """True for a sentence that tells of a thing to be built or a test to be run."""
    return bool(_BUILT.search(text) or _THING.match(text)) or bool(
        re.search(r"[$\\{}]|: [A-Z]", text)
    )


def _repeats(text: str, others: Sequence[str]) -> bool:
    """True where most of the words of `text` stand in one of `others`."""
    own = set(content_stems(text))
    return any(len(own & set(content_stems(o))) > 0.6 * len(own) for o in others)


def _context(
    context: str, question: str, asked: Sequence[str], forbidden: Forbidden, most: int
) -> list[str]:
    """Sentences of the context that state a problem and name nobody's solution, in order."""
    about = set(content_stems(question)) | set(content_stems(" ".join(asked)))
    scored: list[tuple[bool, float, int, str]] = []
    for index, raw in enumerate(sentences_of(context)):
        sentence = _CONNECTIVE.sub("", re.sub(r"\s*\([^()]*\)", "", raw)).strip()
        if not 5 <= len(sentence.split()) <= 38 or not sentence.endswith("."):
            continue
        if _OWN_VOICE.search(sentence) or _ANAPHOR.match(sentence) or _SOLVED.search(sentence):
            continue
        if forbidden.within(sentence) or not sentence[0].isalpha() or _plan(sentence):
            continue
        if any(looks_coined(w) and not is_common(w) for w in re.findall(r"[\w-]+", sentence)):
            continue
        if _repeats(sentence, asked) or _POINTS_BACK.search(sentence) or re.search(r"\d", sentence):
            continue
        found = set(content_stems(sentence))
        score = len(found & about) / (len(found) or 1) - 0.03 * index
        telling = bool(_PROBLEM.search(sentence))
        if not telling and len(found & about) < 2:
            continue
        scored.append((not telling, -score, index, sentence[0].upper() + sentence[1:]))
    if asked and any(not s[0] for s in scored):
        scored = [s for s in scored if not s[0]]
    kept: list[tuple[int, str]] = []
    for _, _, index, sentence in sorted(scored):
        if len(kept) < most and not _repeats(sentence, [k for _, k in kept]):
            kept.append((index, sentence))
    return [s for _, s in sorted(kept)]


def _terms_in(told: Sequence[str]) -> tuple[list[str], int]:
    """Terms and passages that feedback names, and how many pieces of it name none.

    A piece is a term, or a fault told as `code: 'term' (atom)`, `code: atom: passage` or
    `unknown name: term`.
    """
    terms: list[str] = []
    unnamed = 0
    for text in told:
        quoted = re.findall(r"[\"“'‘]([^\"”'’]{3,80})[\"”'’](?:\s|$)", text)
        bare = re.sub(r"^(?:[a-z_]+|unknown name): |^[a-z-]+-\d+: ", "", text)
        bare = re.sub(r"^[a-z-]+-\d+: |[.…]+$", "", bare)
        named = [t for t in quoted or [bare] if any(w not in STOPWORDS for w in content_stems(t))]
        terms += named
        unnamed += not named
    return terms, unnamed


def _choose(options: Sequence[str], pick: int, forbidden: Forbidden) -> str:
    """One of `options`, of those without a forbidden term where there are any."""
    free = [o for o in options if not forbidden.within(o)] or list(options)
    return free[pick % len(free)]
