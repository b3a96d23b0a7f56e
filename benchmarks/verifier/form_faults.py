"""Calls that have not the form, reasoning that is blank, and turns that go in circles."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from benchmarks.verifier.site import Operator, Site
from ideatrail.evidence.urls import canonical
from ideatrail.trail.text import sentences
from ideatrail.trail.turn import Call, Draft

_UNKNOWN: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("Search", {"query": "how the evaluation is done"}),
    ("Bash", {"command": "ls sources"}),
    ("Read", {"file_path": "claim_audit.md"}),
    ("webSearch", {"query": "comparison of evaluation settings", "max_results": 5}),
    ("Python", {"code": "print(1)"}),
    ("Fetch", {"url": "https://aclanthology.org/"}),
    ("MultiEdit", {"file_path": "synthesis.md", "edits": []}),
    ("Think", {"thought": "The lists repeat themselves."}),
    ("", {"query": "comparison of evaluation settings"}),
)


def _unknown(site: Site) -> Draft | None:
    name, given = site.rng.choice(_UNKNOWN)
    return site.call(name, None, **given)


_REQUIRED: Final = {
    "WebSearch": ("query",),
    "Scraper": ("url",),
    "View": ("file_path",),
    "Write": ("file_path", "content"),
    "Edit": ("file_path", "old_string", "new_string"),
    "Glob": ("pattern",),
    "Grep": ("pattern",),
}


def _given(site: Site, index: int, given: dict[str, Any]) -> Draft:
    """The draft with the arguments of one call replaced whole."""
    old = site.draft.calls[index]
    new = Call(old.id, old.name, json.dumps(given), given)
    calls = site.draft.calls
    return replace(site.draft, calls=(*calls[:index], new, *calls[index + 1 :]))


def _any_call(site: Site) -> int | None:
    here = site.calls(*_REQUIRED)
    return site.rng.choice(here) if here else None


def _missing_key(site: Site) -> Draft | None:
    index = _any_call(site)
    if index is None:
        return None
    call = site.draft.calls[index]
    key = site.rng.choice(_REQUIRED[call.name])
    given = {k: v for k, v in call.parsed.items() if k != key}
    if site.rng.random() < 0.5:  # the value is there, under another name
        given[{"query": "q", "url": "link", "file_path": "path"}.get(key, f"{key}s")] = (
            call.parsed.get(key)
        )
    return _given(site, index, given)


def _wrong_type(site: Site) -> Draft | None:
    index = _any_call(site)
    if index is None:
        return None
    call = site.draft.calls[index]
    given = dict(call.parsed)
    key = site.rng.choice(sorted(given))
    value = given[key]
    others: tuple[Any, ...] = ("ten", [value], {}) if isinstance(value, int) else (7, [value], {})
    given[key] = site.rng.choice(others)
    return _given(site, index, given)


def _forbidden(site: Site) -> Draft | None:
    """A key that no tool has, or a value outside of what the tool's schema allows."""
    index = _any_call(site)
    if index is None:
        return None
    call = site.draft.calls[index]
    extra: dict[str, Any] = site.rng.choice(
        ({"year": 2020}, {"reason": "to be sure"}, {"timeout": 30}, {"lang": "en"})
    )
    if call.name == "WebSearch" and site.rng.random() < 0.5:
        extra = {"max_results": site.rng.choice((0, -1, 200))}
    elif call.name == "View" and site.rng.random() < 0.5:
        extra = {"offset": site.rng.choice((0, -3))}
    elif call.name == "Grep" and site.rng.random() < 0.5:
        extra = {"output_mode": site.rng.choice(("lines", "all", "json"))}
    return _given(site, index, {**call.parsed, **extra})


def _blank(site: Site) -> Draft | None:
    return replace(site.draft, reasoning=site.rng.choice(("", " ", "\n\n", "\t\n ", "\u00a0")))


def _loop(site: Site) -> Draft | None:
    said = [s for s in sentences(site.draft.reasoning) if len(s.split()) > 5]
    few = site.rng.randint(2, 3)
    if len(said) < few:
        return None
    at = site.rng.randint(0, len(said) - few)
    lines = said[at : at + few]
    join = site.rng.choice((" ", "\n"))
    circle = join.join(lines * site.rng.randint(6, 14))
    return replace(site.draft, reasoning=f"{site.draft.reasoning}\n\n{circle}")


def _same_search(site: Site) -> Draft | None:
    asked = [c for c, r in site.results if c.name == "WebSearch" and r.status == "ok"]
    if not asked:
        return None
    given = dict(site.rng.choice(asked).parsed)
    query = str(given["query"])
    given["query"] = site.rng.choice((query, query, query.upper(), f" {query} "))
    return site.call("WebSearch", **given)


def _same_page(site: Site) -> Draft | None:
    opened = [c for c, r in site.results if c.name == "Scraper" and r.status == "ok"]
    if not opened:
        return None
    url = str(site.rng.choice(opened).parsed["url"])
    forms = [
        url,
        url,
        url.rstrip("/"),
        url.replace("https://", "http://"),
        f"{url.rstrip('/')}.pdf",
    ]
    forms = [f for f in forms if canonical(f) == canonical(url)]
    return site.call("Scraper", url=site.rng.choice(forms))


OPERATORS: Final[tuple[Operator, ...]] = (
    Operator(
        "unknown tool",
        "malformed_call",
        "There are seven tools, and a call names one of them exactly.",
        _unknown,
    ),
    Operator(
        "call without a required argument",
        "malformed_call",
        "A call gives every argument that its tool requires.",
        _missing_key,
    ),
    Operator(
        "argument of a wrong type",
        "malformed_call",
        "Arguments have the types of the tool's schema.",
        _wrong_type,
    ),
    Operator(
        "argument that the schema forbids",
        "malformed_call",
        "A tool takes no keys but its own, and no values outside of its schema.",
        _forbidden,
    ),
    Operator(
        "blank reasoning",
        "malformed_call",
        "The reasoning of a message is never blank.",
        _blank,
    ),
    Operator(
        "reasoning that loops",
        "repetition",
        "Reasoning does not say the same few lines over and over.",
        _loop,
    ),
    Operator(
        "the same search again",
        "repetition",
        "A query that was answered is not sent again as it was.",
        _same_search,
    ),
    Operator(
        "the same page opened again",
        "repetition",
        "A page that was fetched is not fetched again under any of its addresses.",
        _same_page,
    ),
)
