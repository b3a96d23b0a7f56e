"""A text split into labelled sections, whatever its author uses for headings.

Headings count as ATX (`## Method`), Setext and reStructuredText underlines, numbered lines
(`2.1 Overview`), lines in bold, lines in capitals, and labels that run into their text
(`Method. We …`, `2. Motivation: …`, `- **Metrics**: …`, `"Step 2": "…"`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from ideatrail.proposals.blocks import ITEM
from ideatrail.proposals.labels import clean_label, is_counted, roles_of
from ideatrail.proposals.plain import verbatim

_ATX: Final = re.compile(r"^ {0,3}(#{1,6})(?:\s+|(?=[^\s#!\d]))(.*?)\s*#*\s*$")
_UNDERLINE: Final = re.compile(r"^([=\-~^\"'#*+_])\1{2,}\s*$")
_BOLD: Final = re.compile(
    r"^\s*(?:\d+\.\s+)?(\*\*|__)(?=\S)(.+?)(?<=\S)\1\s*(?:[:.：]|<br\s*/?>)?\s*$"
)
_NUMBERED: Final = re.compile(r"^(\d{1,2}(?:\.\d{1,2})*)\.?\s+(\S.{1,90})$")
_BOLD_RUN_IN: Final = re.compile(
    r"^(\*\*|__|\*|_)(?=[^\s*_])(.{1,90}?)(?<=\S)\1\s*([:：.—–-]?)\s*(.*)$"
)
_RUN_IN: Final = re.compile(r"^([^\s:：][^:：]{1,90}?)\s*[:：]\s*(.*)$")
_DOT_RUN_IN: Final = re.compile(r"^([^\W\d_][\w &/'’,-]{1,40}?)\.\s+(\S.*)$")
_ASKED_RUN_IN: Final = re.compile(r"^([^\W\d_][\w &/'’-]{2,40}?\?)\s+(\S.*)$")
_DASH_RUN_IN: Final = re.compile(r"^([^\W\d_][\w &/'’]{1,40}?)\s+[—–-]{1,2}\s+(\S.*)$")
_COUNTED_RUN_IN: Final = re.compile(
    r"^((?:Step|Stage|Phase|Experiment|Study|Task|Hypothesis)\s*\d{1,2}[a-z]?)\s*[:.)—–-]\s*(.*)$",
    re.IGNORECASE,
)
_QUOTED_KEY: Final = re.compile(
    r"(?:(?<=^)|(?<=[\s{,:]))[\"“]([^\"“”\n]{2,60})[\"”]\s*:\s*(?=[\"“{\[])"
)

BOLD_LEVEL: Final = 15
NUMBERED_LEVEL: Final = 20
RUN_IN_LEVEL: Final = 22
ITEM_LEVEL: Final = 30


_STEPPED: Final = (("plan",), ("method",), ("steps",), ("evaluation",))


@dataclass(frozen=True)
class Section:
    """One labelled stretch of a text; its subsections are sections of their own."""

    label: str
    """Without numbering and marks; empty for what stands before the first label."""
    level: int
    """1 to 6 for headings, higher for bold lines and run-in labels."""
    path: tuple[str, ...]
    """Labels of the enclosing sections, outermost first."""
    body: str
    """Its own text, with inline marks, up to the next label."""
    run_in: bool = False


@dataclass
class _Open:
    label: str
    level: int
    path: tuple[str, ...]
    run_in: bool = False
    indent: int = -1
    """For list items: columns before the marker."""
    only_list: bool = False
    """The label stood alone, so the section ends with its list."""
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Label:
    text: str
    level: int
    rest: str = ""
    run_in: bool = False
    indent: int = -1


def split_sections(text: str) -> tuple[Section, ...]:
    """The sections of marked text, in order; bodies and labels together hold all of its words."""
    scanner = _Scanner(_break_quoted_keys(text.split("\n")))
    return scanner.run()


def _break_quoted_keys(lines: list[str]) -> list[str]:
    """Lines of pasted JSON-like pairs, broken so that each quoted key begins a line."""
    out: list[str] = []
    for line, inside in zip(lines, verbatim(lines), strict=True):
        keys = list(_QUOTED_KEY.finditer(line))
        if inside or len(keys) < 2:
            out.append(line)
            continue
        out.append(line[: keys[0].start()])
        ends = [key.start() for key in keys[1:]] + [len(line)]
        for key, end in zip(keys, ends, strict=True):
            value = re.sub(r"^[\s\"“{\[]+|[\s\"”},\]]+$", "", line[key.end() : end])
            out += ["", f"**{key.group(1)}**: {value}", ""]
    return out


class _Scanner:
    """One pass over the lines, with the sections that enclose the present one."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.atx = sum(bool(_ATX.match(line)) for line in lines) >= 2
        self.marks: list[str] = []
        """Underline characters by order of appearance: their levels."""
        self.stack: list[tuple[int, str]] = []
        self.open = _Open("", 0, ())
        self.done: list[Section] = []

    def run(self) -> tuple[Section, ...]:
        i = 0
        inside = verbatim(self.lines)
        while i < len(self.lines):
            line = self.lines[i]
            if inside[i]:
                self.open.lines.append(line)
                i += 1
                continue
            label, used = self._label(i)
            if label is None:
                self._maybe_leave(i)
                self.open.lines.append(line)
            else:
                self._enter(label)
            i += used
        self._close()
        return tuple(s for s in self.done if s.label or s.body.strip())

    def _enter(self, label: _Label) -> None:
        self._close()
        while self.stack and self.stack[-1][0] >= label.level:
            self.stack.pop()
        path = tuple(text for _, text in self.stack)
        self.stack.append((label.level, label.text))
        self.open = _Open(
            label.text,
            label.level,
            path,
            run_in=label.run_in,
            indent=label.indent,
            only_list=label.run_in and not label.rest,
            lines=[label.rest] if label.rest else [],
        )

    def _maybe_leave(self, i: int) -> None:
        """Ends a run-in section where its stretch plainly ends, and goes on with its parent."""
        line, here = self.lines[i], self.open
        if not here.run_in or not line.strip():
            return
        item = ITEM.match(line)
        fresh = i == 0 or not self.lines[i - 1].strip()
        indent = len(line) - len(line.lstrip())
        has_list = any(ITEM.match(text) for text in here.lines)
        leave = (
            (here.indent >= 0 and item is not None and indent <= here.indent)
            or (here.indent >= 0 and item is None and fresh and indent <= here.indent)
            or (here.only_list and has_list and fresh and item is None and indent == 0)
            or (
                fresh
                and here.indent < 0
                and bool(re.match(r"\s*\*\*[^*]+(?::\*\*|\*\*\s*:)", line))
            )
        )
        if not leave:
            return
        self._close()
        while self.stack and self.stack[-1][0] >= here.level:
            self.stack.pop()
        label, level = (self.stack[-1][1], self.stack[-1][0]) if self.stack else ("", 0)
        self.open = _Open(label, level, tuple(text for _, text in self.stack[:-1]))

    def _close(self) -> None:
        here = self.open
        body = "\n".join(here.lines).strip("\n")
        if here.label or body.strip():
            self.done.append(Section(here.label, here.level, here.path, body, here.run_in))

    def _label(self, i: int) -> tuple[_Label | None, int]:
        """The label that line `i` carries, and how many lines it takes up."""
        line = self.lines[i]
        if not line.strip():
            return None, 1
        atx = _ATX.match(line)
        if atx and atx.group(2).strip("#* "):
            return self._heading(atx.group(2), len(atx.group(1))), 1
        underlined = self._underlined(i)
        if underlined:
            return underlined
        heading = self._bold(i) or self._numbered(i) or self._capitals(i)
        if heading:
            return heading, 1
        return self._run_in(i), 1

    def _heading(self, text: str, level: int) -> _Label:
        return _Label(clean_label(text) or text.strip(), level)

    def _underlined(self, i: int) -> tuple[_Label, int] | None:
        line = self.lines[i]
        follow = self.lines[i + 1] if i + 1 < len(self.lines) else ""
        over = _UNDERLINE.match(line)
        if over and i + 2 < len(self.lines):
            under = _UNDERLINE.match(self.lines[i + 2])
            if under and under.group(1) == over.group(1) and follow.strip():
                return self._heading(follow, self._mark_level(over.group(1) * 2)), 3
        under = _UNDERLINE.match(follow)
        fresh = i == 0 or not self.lines[i - 1].strip() or bool(_UNDERLINE.match(self.lines[i - 1]))
        if (
            under
            and not over
            and fresh
            and len(line.strip()) <= 120
            and not ITEM.match(line)
            and "|" not in line
            and len(follow.strip()) >= min(3, len(line.strip()))
        ):
            return self._heading(line, self._mark_level(under.group(1))), 2
        return None

    def _mark_level(self, mark: str) -> int:
        if mark not in self.marks:
            self.marks.append(mark)
        return min(1 + self.marks.index(mark), 6)

    def _bold(self, i: int) -> _Label | None:
        match = _BOLD.match(self.lines[i])
        if not match:
            return None
        text = match.group(2).strip()
        if len(text) > 110 or "**" in text or (text.endswith(".") and len(text.split()) > 8):
            return None
        number = re.match(r"^\d+(?:\.\d+)*", text)
        level = 10 + number.group().count(".") + 1 if number else BOLD_LEVEL
        return self._heading(text, min(level, BOLD_LEVEL - 1) if number else level)

    def _numbered(self, i: int) -> _Label | None:
        match = _NUMBERED.match(self.lines[i].rstrip())
        if not match:
            return None
        number, text = match.groups()
        if text.endswith((".", ";", ",", "?")) or len(text.split()) > 12 or "|" in text:
            return None
        depth = number.count(".") + 1
        if depth == 1:
            # `1. Introduction` is a heading, `1. Original prompt` an item: only the label tells.
            if self.atx or not roles_of(text) or ":" in text:
                return None
        elif not text[0].isupper() and not roles_of(text):
            return None
        return self._heading(text, 10 + min(depth, 4))

    def _capitals(self, i: int) -> _Label | None:
        line = self.lines[i].strip()
        letters = [c for c in line if c.isalpha()]
        if len(letters) < 4 or len(line) > 70 or any(c.islower() for c in letters):
            return None
        if not any(c.isupper() for c in letters):
            return self._bare(i, line)
        fresh = i == 0 or not self.lines[i - 1].strip()
        if not fresh or line.startswith(("|", "-", "*", "$", "\\")) or line.endswith(","):
            return None
        if len(line.split()) < 2 and not roles_of(line):
            return None
        return _Label(clean_label(line), 9)

    def _bare(self, i: int, line: str) -> _Label | None:
        """A known label alone on its line, in a script without capitals."""
        fresh = i == 0 or not self.lines[i - 1].strip()
        return (
            _Label(clean_label(line), 9) if fresh and len(line) <= 16 and roles_of(line) else None
        )

    def _run_in(self, i: int) -> _Label | None:
        raw = self.lines[i]
        item = ITEM.match(raw)
        indent = len(raw) - len(raw.lstrip())
        text = raw[item.end() :] if item else raw.lstrip()
        fresh = self._fresh(i)
        # A numbered item at the margin (`1. Problem Statement: …`) is a section of a text that
        # has no other headings; any other item (`- **Metrics**: …`) ends with the next one.
        bulleted = item is not None and (self.atx or indent > 0 or not item.group(2)[0].isdigit())
        level = RUN_IN_LEVEL if item is None else NUMBERED_LEVEL
        level = ITEM_LEVEL + min(indent, 40) if bulleted else level
        at = indent if bulleted else -1

        def labels(text: str) -> bool:
            """Whether `text` names another part than the one whose list this item is in."""
            here = roles_of(self.open.label)
            return bool(roles_of(text)) and not (item and roles_of(text)[0] in here)

        bold = _BOLD_RUN_IN.match(text)
        if bold:
            inner, mark, rest = bold.group(2), bold.group(3), bold.group(4)
            label = inner.rstrip(" :.：")
            closed = bool(mark) or inner != label
            if (closed or not rest) and (labels(label) or is_counted(label)):
                return self._labelled(label, rest, level, at)
        counted = _COUNTED_RUN_IN.match(text.strip('"'))
        if counted and (fresh or item or not counted.group(2).endswith(".") or len(text) < 90):
            level = level if bulleted else self._counted_level()
            return self._counted(counted.group(1), counted.group(2), level, at)
        known = _RUN_IN.match(text)
        if known and len(known.group(1).split()) <= 12 and labels(known.group(1)):
            return self._labelled(known.group(1), known.group(2), level, at)
        if not fresh and self.open.label and not item:
            return self._alone(i, text)
        for pattern in (_DOT_RUN_IN, _ASKED_RUN_IN, _DASH_RUN_IN):
            match = pattern.match(text)
            if (
                match
                and not bulleted
                and match.group(1)[0].isupper()
                and len(match.group(1).split()) <= 6
                and roles_of(match.group(1))
            ):
                return self._labelled(match.group(1), match.group(2), level, at)
        return self._alone(i, text)

    def _fresh(self, i: int) -> bool:
        """Whether line `i` begins a paragraph: after a blank line, a label or nothing."""
        return i == 0 or not self.lines[i - 1].strip() or not self.open.lines

    def _counted_level(self) -> int:
        """The level of `Step 3: …`: right under the run-in plan or method that it is a step of."""
        for level, label in reversed(self.stack):
            if level >= NUMBERED_LEVEL and roles_of(label)[:1] in _STEPPED:
                return level + 1
        return NUMBERED_LEVEL + 1

    def _alone(self, i: int, text: str) -> _Label | None:
        """A known label alone on its line, short, between blank lines or at the top."""
        line = text.strip()
        if ITEM.match(self.lines[i]) or len(line) > 60 or not line[:1].isalpha():
            return None
        if line.endswith((".", ",", ";")) or len(line.split()) > 6 or not roles_of(line):
            return None
        closed = i + 1 >= len(self.lines) or not self.lines[i + 1].strip()
        if not self._fresh(i) or not (closed or line[0].isupper()):
            return None
        return _Label(clean_label(line), 9 if not self.atx else RUN_IN_LEVEL, "", self.atx)

    def _counted(self, count: str, rest: str, level: int, at: int) -> _Label:
        """`Step 4: Establish Baselines: Compare …` and `Step 1: Generate a typology of …`."""
        inner = _RUN_IN.match(rest)
        if inner and len(inner.group(1).split()) <= 8 and not inner.group(1).endswith("."):
            return _Label(f"{count}: {inner.group(1)}", level, _unquote(inner.group(2)), True, at)
        if len(rest.split()) <= 14:
            return _Label(f"{count}: {rest.strip()}".rstrip(": "), level, "", False, at)
        return _Label(count, level, _unquote(rest), True, at)

    def _labelled(self, label: str, rest: str, level: int, at: int) -> _Label:
        return _Label(clean_label(label), level, _unquote(rest), True, at)


def _unquote(text: str) -> str:
    """`text` without the quotes of a pasted value (`"…",`), then a paragraph of its own."""
    match = re.fullmatch(r"\s*[\"“](.*)[\"”]\s*,?\s*", text)
    if match and not re.search(r"[\"“”]", match.group(1)):
        return match.group(1) + "\n"
    return text.strip()
