"""The claim audit as a file: its blocks, their evidence, limits and implications."""

from __future__ import annotations

import re

from ideatrail.models.offline.claims import Option, picked, second_source
from ideatrail.models.offline.lens import Lens
from ideatrail.models.offline.memory import Memory, Reading
from ideatrail.models.offline.reading import sentences_of
from ideatrail.models.offline.restate import decapitalise, shorten, statement, third_person
from ideatrail.trail.artifacts import Claim


def support_of(reading: Reading) -> str:
    """What kind of text the claim rests on."""
    if reading.page.summary:
        return "summary"
    return "full text" if sum(map(len, reading.passages)) > 6000 else "abstract"


def source_lines(option: Option, reading: Reading) -> list[str]:
    """A source block: the source and its verbatim passage."""
    page = reading.page
    several = " et al." if len(page.authors) > 1 else ""
    # Brackets inside a name would read as the brackets around name and year.
    author = " ".join(re.sub(r"\([^()]*\)|[()]", " ", page.first_author).split())
    key = "note" if page.summary else "quote"
    return [
        f"- source: {page.title} ({author}{several}, {page.year}) {page.url}",
        f'- {key}: "{option.sentence.text}"',
    ]


def limitation(option: Option, reading: Reading, lens: Lens) -> str:
    """What the source does not show, true of what was read of it."""
    page = reading.page
    found = sentences_of(reading.passages)
    kind = "summary" if page.summary else "abstract"
    own = [
        s
        for s in found
        if "limitation" in s.roles
        and s.text != option.sentence.text
        and (page.summary or s.last_third)
        and not s.dangling
        and s.quotable
    ]
    text = " ".join(reading.passages)
    parts: list[str] = []
    if own:
        best = max(own, key=lambda s: (lens.fit(s.text), -s.index))
        body, _ = statement(best.text)
        body = shorten(third_person(body, page.short, len(page.authors) == 1), 200)
        if body and not re.search(r"\b(?:we|our)\b", body, re.IGNORECASE):
            parts.append(decapitalise(body))
    missing = lens.missing(f"{page.title} {text}", 2)
    silent = (
        "the {k} says nothing of {m}",
        "nothing in the {k} concerns {m}",
        "{m} stay outside of what the {k} covers",
        "no word on {m} in the {k}",
    )
    bare = (
        "no figure is given in the {k}, so the size of the effect is unknown",
        "the {k} states a direction and no magnitude",
        "how strong the effect is cannot be told from the {k}",
    )
    at = picked(option.claim, 12)
    if missing and len(parts) < 2:
        parts.append(silent[at % 4].format(k=kind, m=" or ".join(missing)))
    if not re.search(r"\d", text) and len(parts) < 2:
        parts.append(bare[at % 3].format(k=kind))
    if not parts:
        parts.append(f"only the {kind} was read, the conditions of the experiments are not known")
    return "; ".join(parts)


def implication(option: Option, lens: Lens, rival: str = "") -> str:
    """What follows for the question, worded by the part that the sentence plays."""
    shared = lens.shared(option.sentence.text, 3)
    about = " and ".join(shared[:2]) or (lens.phrases[0].text if lens.phrases else "the question")
    at = picked(option.claim + rival, 4)
    if rival:
        return (
            f"has to be read together with [{rival}]; any idea that builds on {about} must say "
            "which of the two it expects",
            f"as long as [{rival}] stands against it, {about} can be assumed only under a stated "
            "condition",
            f"[{rival}] shows the other side, so {about} becomes something to test and not to "
            "presume",
            f"together with [{rival}] it marks the point about {about} where an intervention "
            "would show",
        )[at]
    positive = {
        "finding": (
            f"there is a lever on {about}, whose reach in the case asked about is untested",
            f"makes {about} worth building on, provided the effect carries over",
            f"a new method would have to do at least as well on {about}",
            f"gives a result on {about} that an idea should explain and not repeat",
        ),
        "mechanism": (
            f"supplies a component that can be reused for {about}",
            f"shows one way of getting at {about}, so an idea need not start from nothing",
            f"its step on {about} can be combined with others, as far as the text tells",
            f"a part to borrow for {about}, with its costs still to be learned",
        ),
    }
    negative = (
        f"an idea that takes {about} for granted would inherit this weakness",
        f"says where present means fall short on {about}, and so where to aim",
        f"any candidate has to show that it does better on {about}",
        f"is a reason to treat {about} as the open part of the question",
    )
    if option.sentence.polarity >= 0 and option.role in positive:
        return positive[option.role][at]
    return negative[at]


def block(
    claim_id: str,
    option: Option,
    memory: Memory,
    lens: Lens,
    *,
    full: bool,
    rival: str = "",
    bare: bool = False,
    contested: bool = False,
) -> list[str]:
    """The lines of a claim with its evidence; `full` adds what it implies,
    `bare` leaves out all that is not needed."""
    reading = memory.readings[option.url]
    lines = [f"## {claim_id}. {option.claim}", *source_lines(option, reading)]
    support = support_of(reading)
    other = None if bare else second_source(option, memory, lens)
    if other is not None:
        lines += source_lines(other, memory.readings[other.url])
        kinds = {support, support_of(memory.readings[other.url])}
        support = next(k for k in ("summary", "snippet", "abstract", "full text") if k in kinds)
    lines.append(f"- support: {support}")
    lines.append(f"- status: {'contested' if contested else 'supported'}")
    if bare:
        lines.append("- limitation: only a short text was read")
    else:
        lines.append(f"- limitation: {limitation(option, reading, lens)}")
    if full:
        lines.append(f"- implication: {implication(option, lens, rival)}")
    return lines


def open_block(claim_id: str, option: Option) -> list[str]:
    """The lines of a claim that waits for its evidence."""
    return [f"## {claim_id}. {option.claim}", "- status: open"]


def is_open(claim: Claim) -> bool:
    """Whether a claim has no passage yet."""
    return not any(s.quotes or s.notes for s in claim.sources)


def split_blocks(text: str) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """The lines before the first claim, and (id, lines) of each block without trailing blanks."""
    head: list[str] = []
    blocks: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        match = re.match(r"^## ([CI]\d+)\. ", line)
        if match:
            blocks.append((match.group(1), [line]))
        elif blocks:
            blocks[-1][1].append(line)
        else:
            head.append(line)
    for _, lines in blocks:
        while lines and not lines[-1].strip():
            lines.pop()
    while head and not head[-1].strip():
        head.pop()
    return head, blocks


def join_blocks(head: list[str], blocks: list[tuple[str, list[str]]]) -> str:
    """The file of these blocks, ended by a newline."""
    parts = ["\n".join(head), *("\n".join(lines) for _, lines in blocks)]
    return "\n\n".join(p for p in parts if p) + "\n"


def topic_of(folder: str) -> str:
    """The topic in words, from the workspace folder."""
    return folder.rsplit("/", 1)[-1].replace("-", " ").replace("_", " ")
