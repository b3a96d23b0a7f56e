"""Titles of papers before they were observed; and the means that the other faults share: what was
observed before a turn, and places for a sentence in the draft's reasoning and artifacts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from benchmarks.verifier.site import Operator, Site, plain
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.urls import canonical
from ideatrail.trail.simulate import simulate
from ideatrail.trail.text import stems
from ideatrail.trail.turn import Draft

# --- what was observed ---

_HIT: Final = re.compile(r"^\d+\. (.+)\n +(.+)\n +(https?://\S+)(?:\n +(.+))?$", re.MULTILINE)
_HEAD: Final = re.compile(r"Title: (.+)\nAuthors: (.*)\nVenue: (.*)\nDate: (.*)\nURL: (\S+)\n")
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"]+|\b10\.\d{4,9}/\S+|arXiv:\s?[\w./-]+", re.I)
_ABBREVIATED: Final = re.compile(r"(?:\bal|\be\.g|\bi\.e|\bvs|\bcf|\b[A-Z])\.\s*$")


@dataclass(frozen=True)
class Seen:
    """A paper as a result showed it."""

    title: str
    authors: tuple[str, ...]
    year: str
    url: str
    text: str
    """Of its page, as far as Scraper showed it; a search result's snippet otherwise."""
    read: bool
    """Whether Scraper opened it."""
    saved: str = ""
    """Where Scraper saved it."""


@lru_cache(maxsize=4096)
def _read(name: str, content: str) -> tuple[Seen, ...]:
    if name == "WebSearch":
        found = []
        for title, line, url, text in _HIT.findall(content):
            parts = [p.strip() for p in line.split(" | ")]
            names = tuple(a.strip() for a in parts[0].split(", ") if a.strip())
            found.append(Seen(title, names, parts[-1][:4], url, text or "", read=False))
        return tuple(found)
    head = _HEAD.match(content) if name == "Scraper" else None
    if head is None:
        return ()
    title, authors, _, date, url = head.groups()
    body, _, _ = content[head.end() :].partition("\n(The text goes on")
    saved = re.search(r"^Saved as: (\S+)$", content, re.MULTILINE)
    names = tuple(a.strip() for a in authors.split(", ") if a.strip())
    text = body.partition("\n\n")[2]
    return (Seen(title, names, date[:4], url, text, read=True, saved=saved[1] if saved else ""),)


@lru_cache(maxsize=8192)
def _addresses(text: str) -> frozenset[str]:
    return frozenset(canonical(u.rstrip(".,;:)]}'”")) for u in _ADDRESS.findall(text))


def seen(site: Site) -> list[Seen]:
    """Papers observed before the turn, each once, the page before the search result."""
    found: dict[str, Seen] = {}
    for call, result in site.results:
        if result.status == "ok":
            for one in _read(call.name, result.content):
                if one.read or one.url not in found:
                    found[one.url] = one
    return list(found.values())


def observed_addresses(site: Site) -> set[str]:
    """Canonical addresses that stood in the direction or in a result before the turn."""
    found = set(_addresses(site.clean.trail.user))
    for _, result in site.results:
        found |= _addresses(result.content)
    return found


def mention(one: Seen) -> str:
    """`Bae et al. (2023)`, as prose names a paper; empty where the names are not plain."""
    names = [a.split()[-1] for a in one.authors if re.fullmatch(r"[^\W\d_]+ [^\W\d_]+", a)]
    if not names or len(names) != len(one.authors) or not one.year.isdigit():
        return ""
    who = names[0] if len(names) == 1 else f"{names[0]} et al."
    return f"{names[0]} and {names[1]} ({one.year})" if len(names) == 2 else f"{who} ({one.year})"


# --- places in a draft ---


def locked(site: Site, text: str) -> bool:
    """Whether `text` holds a form of a lock that was not shown, inflected or not."""
    inside = f" {' '.join(stems(text))} "
    return any(
        f" {' '.join(stems(form))} " in inside and not site.shown(form)
        for lock in site.oracle.locks
        for form in lock.forms
    )


def tell(site: Site, sentence: str, draft: Draft | None = None) -> Draft | None:
    """The draft with `sentence` between two of its reasoning, outside all quotation marks; None
    where the sentence names a locked term."""
    draft = draft or site.draft
    if locked(site, sentence):
        return None
    text = draft.reasoning
    places = [0, len(text)]
    for match in re.finditer(r"(?<=[.!?]) +(?=[A-Z'])", text):
        before = text[: match.start()]
        even = before.count('"') % 2 == 0 and before.count("“") == before.count("”")
        if even and not _ABBREVIATED.search(before):
            places.append(match.end())
    at = site.rng.choice(places)
    head, tail = text[:at].rstrip(" "), text[at:]
    return replace(draft, reasoning=f"{head}{' ' if head else ''}{sentence} {tail}".rstrip(" "))


_ROOM: Final = re.compile(
    r"(?:- (?:limitation|implication|novelty|risk|mechanism): .|(?!#|-|Asked:|\s)).*[a-z\])].?$"
)


def jot(site: Site, sentence: str, *files: str) -> Draft | None:
    """The draft with `sentence` at the end of a line that it writes into an artifact, or below the
    artifact's title; None where it writes none of `files`, or a locked term is in the sentence."""
    if locked(site, sentence):
        return None

    def change(index: int, text: str) -> str | None:
        old = str(site.draft.calls[index].parsed.get("old_string", "")).split("\n")
        lines = text.split("\n")
        room = [n for n, line in enumerate(lines) if line not in old and _ROOM.match(line)]
        if room:
            at = site.rng.choice(room)
            stop = "" if lines[at][-1] in ".!?" else "."
            lines[at] += f"{stop} {sentence}"
        elif lines[0].startswith("# "):
            lines[1:1] = ["", sentence]
        else:
            return None
        return "\n".join(lines)

    texts = site.authored(*files)
    site.rng.shuffle(texts)
    for index, key, text in texts:
        new = change(index, text)
        if new is not None and (draft := applied(site, site.put(index, None, **{key: new}))):
            return draft
    return None


def applied(site: Site, draft: Draft | None) -> Draft | None:
    """The draft, if all its edits can still be made that could be made before."""
    if draft is None:
        return None
    before = len(simulate(site.files, site.draft.calls))
    return draft if len(simulate(site.files, draft.calls)) >= before else None


# --- titles ---

_TABLES: dict[int, tuple[Sequence[Paper], Counter[str]]] = {}


def title_counts(papers: Sequence[Paper]) -> Counter[str]:
    """In how many titles of the index each word stands."""
    held = _TABLES.get(id(papers))
    if held is None or held[0] is not papers:
        counts = Counter(w for p in papers for w in set(plain(p.title).split()))
        held = _TABLES[id(papers)] = (papers, counts)
    return held[1]


def unseen_title(site: Site, least: int, *, main: bool = False) -> str | None:
    """The title (or the part before its colon) of an earlier paper, of `least` words or more, two
    of them rare; nothing alike was observed before."""
    counts = title_counts(site.clean.papers)
    known = [set(plain(one.title).split()) for one in seen(site)]
    for _ in range(40):
        title = site.rng.choice(site.clean.earlier_papers).title.strip()
        if main:
            title, colon, rest = title.partition(": ")
            if not colon or len(rest.split()) < 3:
                continue
        words = plain(title).split()
        rare = [w for w in words if w.isalpha() and len(w) > 3 and counts[w] <= 12]
        own = set(words)
        fits = least <= len(title.split()) <= 20 and len(words) >= least and len(rare) >= 2
        if not fits or not title.isascii() or re.search(r'["\d$\\{}]', title):
            continue
        if site.shown(title) or locked(site, title):
            continue
        if all(len(own & k) < 0.6 * min(len(own), len(k) or 1) for k in known):
            return title
    return None


_SAYINGS: Final = (
    "The paper {} should have something to say on this.",
    "I remember {} and want to see whether these pages agree with it.",
    "It would be good to hold this against {}, which I have not opened.",
    "What I have in mind is *{}*, and I hope to find it in the lists.",
    "Much of this seems to go back to the work called {}.",
    "My guess is that {} treats the same difficulty from another side.",
)


def _search(site: Site, query: str) -> Draft:
    here = site.calls("WebSearch")
    if here and site.rng.random() < 0.5:
        return site.put(site.rng.choice(here), query=query)
    return site.call("WebSearch", query=query, max_results=site.rng.choice((5, 8, 10)))


def _anywhere(site: Site, text: str) -> Draft | None:
    if site.rng.random() < 0.5:
        return _search(site, text)
    return tell(site, site.rng.choice(_SAYINGS).format(text))


def _in_query(site: Site) -> Draft | None:
    title = unseen_title(site, 5)
    form = site.rng.choice(("{}", '"{}"', "{} results", "{} paper"))
    return _search(site, form.format(title)) if title else None


def _in_reasoning(site: Site) -> Draft | None:
    title = unseen_title(site, 5)
    return tell(site, site.rng.choice(_SAYINGS).format(title)) if title else None


def _in_path(site: Site) -> Draft | None:
    title = unseen_title(site, 5)
    if title is None:
        return None
    name = site.rng.choice("-_").join(plain(title).split())
    path = f"{site.home}/notes/{name}.md"
    text = site.rng.choice(("# Notes\n\nTo be read.\n", "# Reading notes\n\nNothing yet.\n"))
    return site.call("Write", file_path=path, content=text)


def _without_subtitle(site: Site) -> Draft | None:
    title = unseen_title(site, 5, main=True)
    if title is None:
        return None
    # What papers say besides the one that it is the title of is a figure of speech.
    words = f" {plain(title)} "
    bearers = sum(
        words in f" {plain(p.title)} {plain(' '.join(p.body))} " for p in site.clean.papers
    )
    return _anywhere(site, title) if bearers < 2 else None


def _other_form(site: Site) -> Draft | None:
    title = unseen_title(site, 5)
    if title is None:
        return None
    bare = " ".join(re.sub(r"[^\w\s]", " ", title).split())
    forms = {
        title.upper(),
        bare.lower(),
        title.lower().replace(": ", " - ").replace("-", "\u2010"),
        ", ".join(title.split(": ")).title(),
        bare.title() + "?",
    } - {title}
    return _anywhere(site, site.rng.choice(sorted(forms)))


_CHANGES: Final = dict(
    pair.split("/")
    for pair in "neural/deep deep/neural using/with via/through learning/training "
    "training/learning method/approach approach/method model/system models/systems "
    "system/model analysis/study "
    "study/analysis language/text text/language improving/enhancing enhancing/improving new/novel "
    "novel/new corpus/dataset dataset/corpus detection/identification identification/detection "
    "generation/production evaluation/assessment evaluating/assessing understanding/comprehension "
    "towards/toward toward/towards large/big framework/method task/problem classification/labeling "
    "recognition/identification knowledge/information information/knowledge automatic/automated "
    "data/material based/driven efficient/effective effective/efficient robust/stable "
    "translation/conversion extraction/mining semantic/lexical representation/encoding".split()
)


def _one_word(site: Site) -> Draft | None:
    title = unseen_title(site, 7)
    words = title.split() if title else []
    open_ = [n for n, w in enumerate(words) if w.lower() in _CHANGES]
    if not open_:
        return None
    at = site.rng.choice(open_)
    new = _CHANGES[words[at].lower()]
    words[at] = new.capitalize() if words[at][0].isupper() else new
    changed = " ".join(words)
    return None if site.shown(changed) else _anywhere(site, changed)


_CODE: Final = "title_pre_knowledge"
_ALSO: Final = ("anachronism",)

OPERATORS: Final[tuple[Operator, ...]] = (
    Operator(
        "unseen title in a query",
        _CODE,
        "No search asks for the whole title of a paper of the index that no result has shown.",
        _in_query,
        also=_ALSO,
    ),
    Operator(
        "unseen title in the reasoning",
        _CODE,
        "The reasoning does not name a paper of the index by its title before it was observed.",
        _in_reasoning,
        also=_ALSO,
    ),
    Operator(
        "unseen title in a file path",
        _CODE,
        "No path spells the title of a paper that was not observed.",
        _in_path,
        also=_ALSO,
    ),
    Operator(
        "unseen title without its subtitle",
        _CODE,
        "A title without what follows its colon is nearly complete, and known too early, too.",
        _without_subtitle,
        also=_ALSO,
    ),
    Operator(
        "unseen title in other punctuation and case",
        _CODE,
        "Case and punctuation make no other title of it.",
        _other_form,
        also=_ALSO,
    ),
    Operator(
        "unseen title with one word changed",
        _CODE,
        "A title of seven words or more is nearly complete when only one of them differs.",
        _one_word,
        also=_ALSO,
    ),
)
