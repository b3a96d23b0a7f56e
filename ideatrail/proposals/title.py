"""The title that a proposal states for itself."""

from __future__ import annotations

import re
from typing import Final

from ideatrail.proposals.dates import stated_date
from ideatrail.proposals.labels import roles_of
from ideatrail.proposals.plain import plain_line
from ideatrail.proposals.sections import Section

_PREFIX: Final = re.compile(
    r"^(?:(?:research|open grant|grant|project|thesis|phd|master'?s|full|short|draft)\s+)*"
    r"(?:proposal|title|idea|plan|rfp-\d+|rfc(?:[- ]?\d+)?|slep\s?\d+|tl;?dr)\s*[:：—–-]\s*(?=\S)",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"^\d{1,2}(?:\.\d{1,2})*[.)]\s+")
MAX_WORDS: Final = 30
"""A longer first line is a sentence, not a title."""


def find_title(marked: str, sections: tuple[Section, ...]) -> str:
    """The title by its label, else the first heading, else a short first line, else nothing."""
    for section in sections:
        if roles_of(section.label)[:1] == ("title",) and not _is_slug(section, sections):
            first = next((line for line in section.body.split("\n") if line.strip()), "")
            follow = sections[sections.index(section) + 1 :][:1]
            if not first and follow and not roles_of(follow[0].label):
                first = follow[0].label  # a bold line right below `# Title`
            text = _trim(first)
            if text:
                return text
    for section in sections[:3]:
        match = _PREFIX.match(plain_line(section.label))
        if match and section.level <= 15:
            return _trim(section.label)
    if not marked:
        return ""
    for section in sections[:2]:
        if (
            section.label
            and not section.run_in
            and not roles_of(section.label)
            and not section.path
            and not _before(sections, section)
        ):
            # The line as written: labels lose their opening quotes.
            lines = (line for line in marked.split("\n") if section.label in plain_line(line))
            return _trim(next(lines, section.label).lstrip("# "))
    first = next((line for line in marked.split("\n") if line.strip()), "")
    return _first_line(first, marked)


def _is_slug(section: Section, sections: tuple[Section, ...]) -> bool:
    """Whether `section` holds a short name and another one the title itself."""
    if "title" in section.label.lower():
        return False
    return any("title" in s.label.lower() and s.body.strip() for s in sections)


def _before(sections: tuple[Section, ...], section: Section) -> bool:
    """Whether running text stands before `section`."""
    index = sections.index(section)
    return any(len(s.body.split()) > MAX_WORDS for s in sections[:index])


def _first_line(first: str, marked: str) -> str:
    """`first` where it is set off from what follows and reads like a title."""
    line = plain_line(first).strip().lstrip("#").strip()
    rest = marked.split(first, 1)[1]
    after = rest.lstrip("\n").split("\n", 1)[0]
    dated = len(after) < 80 and stated_date(after) is not None
    set_off = rest.startswith("\n\n") or dated
    if not set_off or not 2 <= len(line.split()) <= MAX_WORDS or not rest.strip():
        return ""
    if line.endswith((".", ",", ";", ":")) or re.match(r"[-*|>]|\d+[.)]\s", line):
        return ""
    return "" if roles_of(line) else _trim(line)


def _trim(text: str) -> str:
    line = _NUMBER.sub("", plain_line(text).strip().strip("#*_` ")).strip()
    line = _PREFIX.sub("", line).rstrip(" :").strip("`")
    quoted = re.fullmatch(r"[\"“](.+)[\"”]", line)
    if quoted and not re.search(r"[\"“”]", quoted.group(1)):
        line = quoted.group(1)
    return " ".join(line.removesuffix(".").split())
