"""Idea files: JSON, JSON lines and YAML that hold one idea or many, and how to name one of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

import yaml

from ideatrail.proposals.error import ProposalError
from ideatrail.proposals.labels import roles_of

MAX_RENDERED: Final = 2_000_000
"""Characters an idea file may unfold to: YAML aliases can make gigabytes of a few lines."""
MAX_DEPTH: Final = 8
"""Nesting of an idea's fields that is read."""
LISTED: Final = 8
"""Ideas named in a refusal; the rest are counted."""

# What a file says about an idea rather than in it: scores, ids, how it was made. None of it is
# part of the proposal's text.
_META: Final = re.compile(
    r"metadata|scores?|id|interestingness|feasibility|novelty|novel|confidence|overall|rating|cost"
    r"|model|generated|source(_prompt|_file|_url)?|arxiv_id|domains?|tags?|metric_direction"
    r"|codeblocks|required_code_and_resources|external_requirements|conditioning.*|version|status"
    r"|license|author(s)?|ideator.*|batch.*|.*_id|.*_seconds.*|date.*|created.*"
    r"|updated.*|timestamp",
    re.IGNORECASE,
)
_NAMES: Final = ("id", "name", "key", "research_idea_name", "idea_name", "slug", "title")
_DATES: Final = re.compile(r"(?:.*_)?(?:date|created|generated|timestamp|updated)(?:_.*)?", re.I)
_WRAPPERS: Final = frozenset(
    """
    ideas topics proposals items entries data plans research_ideas raw_ideas results
    """.split()
)


@dataclass(frozen=True)
class Field:
    """One labelled text of an idea."""

    path: tuple[str, ...]
    """Keys from the outside in; the last is the label."""
    text: str


@dataclass(frozen=True)
class Idea:
    """One idea of a file."""

    name: str
    """What `FILE#name` picks it by; a number where the file gives it no name of its own."""
    fields: tuple[Field, ...]
    date: str = ""
    """The text of its date field, if any."""
    aliases: tuple[str, ...] = ()
    """Other names it goes by in its own fields."""
    skipped: tuple[str, ...] = ()
    """Keys that are about the idea, not in it."""


def parse_structured(text: str, path: PurePath, where: str) -> Any | None:
    """The data of a JSON, JSON-lines or YAML file; None where the file is ordinary text.

    Scalars of YAML stay text, so that nothing is read into them. Raises ProposalError where the
    name promises structure and the content breaks it.
    """
    suffix = path.suffix.lower()
    head = text.lstrip()[:1]
    if suffix in (".yaml", ".yml"):
        try:
            return yaml.load(text, Loader=yaml.BaseLoader)  # BaseLoader builds text alone
        except RecursionError as error:
            raise ProposalError(f"{where} nests too deeply to be an idea file") from error
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            at = f" at line {mark.line + 1}" if mark is not None else ""
            why = getattr(error, "problem", None) or "it does not parse"
            raise ProposalError(f"{where} is broken YAML{at}: {why}; mend the file") from error
    if suffix in (".jsonl", ".ndjson"):
        return [_json(line, f"{where} line {n}") for n, line in _lines(text)]
    if suffix == ".json":
        return _json(text, where)
    if head in ("{", "["):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return None
        return data if isinstance(data, dict | list) else None
    return None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip())


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ProposalError(
            f"{where} is broken JSON at line {error.lineno}, column {error.colno}: "
            f"{error.msg}; mend the file"
        ) from error
    except RecursionError as error:
        raise ProposalError(f"{where} nests too deeply to be an idea file") from error
    except ValueError as error:
        raise ProposalError(f"{where} is broken JSON: {error}; mend the file") from error


def ideas_in(data: Any, where: str) -> tuple[Idea, ...]:
    """All ideas of a parsed file, in order. Raises ProposalError where there is none."""
    found = [(name, value) for name, value in _entries(data) if isinstance(value, dict) and value]
    if not found:
        raise ProposalError(
            f"{where} holds no idea: an idea file is a list of ideas, or ideas keyed by name, "
            "each with fields such as Title, Problem and Method"
        )
    names = [name or _own_name(value) for name, value in found]
    counts = Counter(names)
    ideas: list[Idea] = []
    for number, ((_, value), name) in enumerate(zip(found, names, strict=True), start=1):
        unique = name and counts[name] == 1 and not name.isdigit()
        ideas.append(_idea(name if unique else str(number), name, value, where))
    return tuple(ideas)


def _entries(data: Any) -> list[tuple[str, Any]]:
    """(name or "", value) of each thing in `data` that may be an idea."""
    if isinstance(data, list):
        return [("", item) for item in data]
    if not isinstance(data, dict):
        return []
    if _is_idea(data):
        return [("", data)]
    for key, value in data.items():
        if str(key).lower() in _WRAPPERS and isinstance(value, dict | list) and value:
            return _entries(value)
    nested = [(str(k), v) for k, v in data.items() if isinstance(v, dict) and _is_idea(v)]
    if nested:
        return nested
    for value in data.values():
        if isinstance(value, list) and any(isinstance(v, dict) and _is_idea(v) for v in value):
            return _entries(value)
        if isinstance(value, dict) and any(
            isinstance(v, dict) and _is_idea(v) for v in value.values()
        ):
            return _entries(value)
    return []


def _is_idea(value: dict[Any, Any]) -> bool:
    """Whether a mapping's own keys label parts of an idea."""
    labelled = [
        key
        for key, item in value.items()
        if isinstance(item, str | list | dict) and item and roles_of(str(key))
    ]
    texts = [
        key for key in labelled if not isinstance(value[key], dict) or not _is_keyed(value[key])
    ]
    return bool(texts)


def _is_keyed(value: Any) -> bool:
    return (
        isinstance(value, dict) and bool(value) and all(isinstance(v, dict) for v in value.values())
    )


def _own_name(value: dict[Any, Any]) -> str:
    lowered = {str(key).lower(): item for key, item in value.items()}
    for key in _NAMES:
        item = lowered.get(key)
        if isinstance(item, str) and item.strip() and len(item) <= 120 and "\n" not in item:
            return item.strip()
    return ""


def _idea(fragment: str, name: str, value: dict[Any, Any], where: str) -> Idea:
    fields: list[Field] = []
    skipped: list[str] = []
    budget = [MAX_RENDERED]
    for key, item in value.items():
        label = str(key)
        if _META.fullmatch(label.removeprefix("research_idea_")) and not _is_prose(item):
            skipped.append(label)
            continue
        fields.extend(_fields((label,), item, budget, where))
    if name and fragment == name and not any(f.path[0].lower() in _NAMES for f in fields):
        lowered = {str(k).lower() for k in value}
        if not lowered & set(_NAMES):  # the key of the mapping is the only name it has
            fields.insert(0, Field(("name",), name))
    return Idea(fragment, tuple(fields), _date(value), _aliases(value), tuple(skipped))


def _aliases(value: dict[Any, Any]) -> tuple[str, ...]:
    return tuple(
        item.strip()
        for key, item in value.items()
        if str(key).lower() in _NAMES and isinstance(item, str) and item.strip()
    )


def _is_prose(item: Any) -> bool:
    """`Novelty: 6` is a score; `Novelty: <a paragraph>` is part of the idea."""
    return isinstance(item, str) and len(item.split()) >= 8


def _fields(path: tuple[str, ...], item: Any, budget: list[int], where: str) -> Iterator[Field]:
    if len(path) > MAX_DEPTH:
        return
    if isinstance(item, dict):
        for key, inner in item.items():
            yield from _fields((*path, str(key)), inner, budget, where)
        return
    if isinstance(item, list):
        texts = [" ".join(_scalars(inner, budget, where, 0)) for inner in item]
        item = "\n".join(f"- {text}" for text in texts if text)
    if isinstance(item, bool) or item is None:
        return
    text = str(item).strip() if isinstance(item, str) else ""
    budget[0] -= len(text)
    if budget[0] < 0:
        raise ProposalError(f"{where} unfolds to more than {MAX_RENDERED:,} characters")
    if text and re.search(r"[^\W\d_]{2}", text) and text not in ("true", "false", "null"):
        yield Field(path, text)


def _scalars(item: Any, budget: list[int], where: str, depth: int) -> Iterator[str]:
    """The texts inside a list's item, mappings as `key: text`."""
    if depth > MAX_DEPTH:
        return
    if isinstance(item, str | int | float) and not isinstance(item, bool):
        # Numbers beside words (`5 seeds`) are text already; int() limits guard huge integers.
        text = item if isinstance(item, str) else repr(item) if abs(item) < 1e15 else ""
        budget[0] -= len(text) + 1
        if budget[0] < 0:
            raise ProposalError(f"{where} unfolds to more than {MAX_RENDERED:,} characters")
        if text.strip():
            yield " ".join(text.split())
    elif isinstance(item, list):
        for inner in item:
            yield from _scalars(inner, budget, where, depth + 1)
    elif isinstance(item, dict):
        for key, inner in item.items():
            for text in _scalars(inner, budget, where, depth + 1):
                yield f"{key}: {text}"


def _date(value: dict[Any, Any], depth: int = 0) -> str:
    for key, item in value.items():
        if isinstance(item, str) and _DATES.fullmatch(str(key)):
            return item
    for key, item in value.items():
        if depth == 0 and isinstance(item, dict) and re.fullmatch(r"meta(data)?", str(key), re.I):
            return _date(item, depth + 1)
    return ""


def pick(ideas: tuple[Idea, ...], fragment: str, where: str) -> Idea:
    """The idea that `fragment` names: its name, or its number from 1.

    Raises ProposalError where it names none, or is empty and there are several.
    """
    if not fragment:
        if len(ideas) == 1:
            return ideas[0]
        raise ProposalError(
            f"{where} holds {len(ideas)} ideas: name one, as in {where}#1; "
            f"{_names(ideas)} can be named"
        )
    for test in (str.__eq__, lambda a, b: a.casefold() == b.casefold()):
        hits = [
            idea for idea in ideas if any(test(n, fragment) for n in (idea.name, *idea.aliases))
        ]
        if len(hits) == 1:
            return hits[0]
    if fragment.isascii() and fragment.isdigit() and len(fragment) < 9:
        if 1 <= int(fragment) <= len(ideas):
            return ideas[int(fragment) - 1]
        raise ProposalError(
            f"{where} holds {len(ideas)} idea{'s' * (len(ideas) > 1)}, there is no "
            f"#{fragment}: give a number from 1 to {len(ideas)}"
        )
    raise ProposalError(
        f"{where} holds no idea named {_short(fragment)!r}: {_names(ideas)} can be named"
    )


def _names(ideas: tuple[Idea, ...]) -> str:
    shown = ", ".join(_short(idea.name) for idea in ideas[:LISTED])
    more = len(ideas) - LISTED
    return f"#1 to #{len(ideas)} or {shown}" + (f" and {more} more" if more > 0 else "")


def _short(name: str) -> str:
    return name if len(name) <= 40 else name[:37] + "..."
