"""Reading a proposal: one file, or one idea of an idea file, into a `Proposal`."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Final

from ideatrail.proposals.content import refusal
from ideatrail.proposals.dates import parse_date, stated_date
from ideatrail.proposals.decode import decode
from ideatrail.proposals.error import ProposalError
from ideatrail.proposals.ideas import Field, Idea, ideas_in, parse_structured, pick
from ideatrail.proposals.labels import roles_of
from ideatrail.proposals.language import guess_language
from ideatrail.proposals.markup import front_matter, strip_html, strip_latex, strip_rst
from ideatrail.proposals.plain import plain
from ideatrail.proposals.sections import Section, split_sections
from ideatrail.proposals.title import find_title

MAX_BYTES: Final = 5_000_000
"""A proposal of 60,000 characters is long; this is a book."""


@dataclass(frozen=True)
class Proposal:
    """A proposal as it stands in its file, decoded and cleaned, nothing added."""

    path: str
    """As given, without the fragment."""
    fragment: str
    """What picks the idea in its file: a name or a number; empty for a file of one."""
    sha256: str
    """Of the whole file's bytes."""
    text: str
    """Without front matter, HTML and inline marks; headings, lists, tables and maths stay."""
    marked: str
    """The same with its inline marks: what sections are found in."""
    title: str
    """Empty where the proposal states none."""
    fields: tuple[Field, ...]
    """Labelled texts of a JSON or YAML idea, in order; empty for running text."""
    front: Mapping[str, str]
    """Flat keys of the front matter, lower case."""
    language: str
    """ISO 639-1 code, a guess; `und` where unclear."""
    date: str | None
    """The date that the proposal states as its own: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`."""
    notes: tuple[str, ...]
    """What was done to the file to read it."""

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The labelled sections of the text, or of the fields where there are any."""
        return sections_of(self.marked, self.fields)


def read_proposal(path_with_fragment: str | Path) -> Proposal:
    """Reads `FILE`, `FILE#N` (from 1) or `FILE#key`.

    Raises ProposalError, and nothing else, with one line that says what is wrong and what to do.
    """
    path, fragment = split_fragment(str(path_with_fragment))
    raw = _read(path)
    where = str(path)
    text, notes = decode(raw, path.name)
    digest = hashlib.sha256(raw).hexdigest()
    front, body = front_matter(text)
    data = parse_structured(body if front else text, path, path.name)
    if data is not None:
        return _from_idea(
            pick(ideas_in(data, path.name), fragment, path.name), where, digest, notes
        )
    if fragment not in ("", "1"):
        raise ProposalError(
            f"{path.name} is one running text, it holds no idea {fragment[:40]!r}: "
            "leave away what follows the #"
        )
    return _from_text(body, path, digest, front, notes)


def list_ideas(path: str | Path) -> list[str]:
    """The fragments of a file's ideas, in order; `[""]` for a file that is one running text.

    `f"{path}#{fragment}"` reads each of them. Raises ProposalError as `read_proposal` does.
    """
    file = Path(path)
    raw = _read(file)
    text, _ = decode(raw, file.name)
    front, body = front_matter(text)
    data = parse_structured(body if front else text, file, file.name)
    return [""] if data is None else [idea.name for idea in ideas_in(data, file.name)]


def split_fragment(given: str) -> tuple[Path, str]:
    """`given` at its last `#`, unless a file of that whole name stands there."""
    if "#" not in given or _exists(given):
        return Path(given), ""
    name, _, fragment = given.rpartition("#")
    # A key may hold a # itself: the longest name that is a file wins.
    while "#" in name and not _exists(name):
        name, _, more = name.rpartition("#")
        fragment = f"{more}#{fragment}"
    if not _exists(name):
        name, _, fragment = given.partition("#")
    return Path(name), fragment.strip()


def sections_of(marked: str, fields: tuple[Field, ...]) -> tuple[Section, ...]:
    """Sections of the fields, each under its keys; of `marked` where there are no fields."""
    if not fields:
        return split_sections(marked)
    out: list[Section] = []
    for item in fields:
        *above, label = item.path
        inner = split_sections(item.text)
        level = len(item.path)
        if len(inner) == 1 and not inner[0].label:
            out.append(Section(label, level, tuple(above), inner[0].body))
            continue
        if inner and inner[0].label:
            out.append(Section(label, level, tuple(above), ""))
        for part in inner:
            path = (*item.path, *part.path) if part.label else tuple(above)
            out.append(
                Section(part.label or label, level + part.level, path, part.body, part.run_in)
            )
    return tuple(out)


def _exists(name: str) -> bool:
    try:
        return os.path.lexists(name)
    except ValueError:
        return False


def _read(path: Path) -> bytes:
    name = str(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise ProposalError(f"{name} is a folder: give the proposal file itself")
        if not stat.S_ISREG(mode):
            raise ProposalError(f"{name} is no regular file: give a file of text")
        if path.stat().st_size > MAX_BYTES:
            raise ProposalError(
                f"{name} has {path.stat().st_size:,} bytes, over the limit of {MAX_BYTES:,}: "
                "give the proposal alone"
            )
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ProposalError(f"no such file: {name}; check the path") from error
    except PermissionError as error:
        raise ProposalError(f"no permission to read {name}: change it, or copy the file") from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise ProposalError(f"cannot read {name[:200]!r}: {why}") from error


def _from_text(
    body: str, path: PurePath, digest: str, front: dict[str, str], notes: tuple[str, ...]
) -> Proposal:
    done = list(notes)
    if front:
        done.append("front matter removed")
    body, was_tex = strip_latex(body)
    if was_tex:
        done.append("LaTeX sectioning made headings")
    body, had_html = strip_html(body)
    if had_html:
        done.append("HTML stripped")
    body, was_rst = strip_rst(body, is_rst=path.suffix.lower() == ".rst")
    if was_rst:
        done.append("reStructuredText directives removed")
    marked = "\n".join(line.rstrip() for line in body.split("\n")).strip("\n")
    text = plain(marked)
    why = refusal(text, path)
    if why:
        raise ProposalError(f"{path.name} {why}: give a research proposal, plan or idea")
    sections = split_sections(marked)
    date = next((parse_date(v) for k, v in front.items() if _is_date_key(k)), None)
    return Proposal(
        path=str(path),
        fragment="",
        sha256=digest,
        text=text,
        marked=marked,
        title=plain(front.get("title", "")) or find_title(marked, sections),
        fields=(),
        front=MappingProxyType(dict(front)),
        language=guess_language(text),
        date=date or stated_date(text),
        notes=tuple(done),
    )


def _is_date_key(key: str) -> bool:
    return key.replace("_", " ").replace("-", " ") in (
        "date",
        "last modified",
        "modified",
        "updated",
        "last updated",
        "created",
        "lastmod",
    )


def _from_idea(idea: Idea, path: str, digest: str, notes: tuple[str, ...]) -> Proposal:
    marked = "\n\n".join(_render(field) for field in idea.fields)
    text = plain(marked)
    name = PurePath(path).name
    at = f"{name}#{idea.name}"
    if not any(len(field.text.split()) >= 3 for field in idea.fields if _tells(field)):
        raise ProposalError(f"{at} holds no text of an idea: name another, or fill it in")
    done = list(notes)
    if idea.skipped:
        done.append("keys about the idea left out: " + ", ".join(idea.skipped))
    sections = sections_of(marked, idea.fields)
    return Proposal(
        path=path,
        fragment=idea.name,
        sha256=digest,
        text=text,
        marked=marked,
        title=find_title("", sections),
        fields=idea.fields,
        front=MappingProxyType({}),
        language=guess_language(text),
        date=parse_date(idea.date),
        notes=tuple(done),
    )


def _tells(field: Field) -> bool:
    return any(role not in ("title", "admin") for key in field.path for role in roles_of(key))


def _render(field: Field) -> str:
    label = " / ".join(field.path)
    return f"{label}:\n{field.text}" if "\n" in field.text else f"{label}: {field.text}"
